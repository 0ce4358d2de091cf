/**
 * Newton's method on shards. A round is a gradient and a direction. Where features are few, the Hessian comes with the gradient, and a
 * round is one pass. Else the direction is that of the conjugate gradient method, preconditioned by the diagonal of the Hessian: a
 * pass for each of the few products with it. Losses with a kink are
 * smoothed around a dual point β⁰ (./shard-machine.ts): once w̃ is good enough for these, β takes the place of β⁰ and the
 * width falls, so that the limit is the solution for the losses themselves, whatever the scaling of the data.
 *
 * Problem  ½‖w̃‖² + Σ L_i(⟨w̃, x̃_i⟩) (../../problems/linear-loss.ts)
 * Method   Newton with an inexact direction and Armijo's rule; for kinks within the method of multipliers
 * Stop     by the gap: β from the slopes is a dual point whose gap vanishes with the gradient and the width
 * Source   Lin, Weng, Keerthi 2008 (LIBLINEAR's -s 0, 2, 11); Hsia, Chiang, Lin 2018 (the preconditioner); Rockafellar 1976,
 *          Li, Sun, Toh 2018 (multipliers with Newton's method)
 * Cost     a pass over the data per round where features are few, and else one per product; about ten vectors as long as w̃
 */
import { inOneGo } from '../../base/pieces.ts'
import { PlainTriangle } from '../rows/plain-rows.ts'
import {
  betterOf,
  type CertifiedMeasures,
  type DualPoint,
  type PassAnswer,
  type PassRequest,
  ShardMachine,
} from './shard-machine.ts'

/** The least part of what the slope promises that a step must bring (Armijo). */
const LEAST_GAIN = 1e-4
/** Residual to leave, as a part of the gradient: 0.03, 0.1, 0.3 took 180, 190, 149 passes on 50,000 rows of sparse text. */
const RESIDUAL = 0.3
/** The preconditioner is the diagonal of the Hessian, tempered: I + this times that of the losses (Hsia et al.). */
const TEMPER = 0.01
/** Products for one direction, at most: a direction is one of descent after any number. */
const MOST_PRODUCTS = 100
/** By how much a part of a step must gain more than the whole to be tried: it costs a pass. */
const WORTH = 2
/** Halvings of a step after which only rounding is left. */
const MOST_HALVINGS = 30
/** Rounds without a lower gap after which it is rounding that is left; with multipliers the gap may rise for a while. */
const MOST_WITHOUT_GAIN = 5
const MOST_WITHOUT_GAIN_SMOOTHED = 60
/** β⁰ is replaced when the gradient makes up so little of the gap that the rest, which smoothing costs, decides. */
const INNER_PART = 0.3
/** By how much the width falls with each β⁰: 1/8 took up to a half more rounds, with C = 1, 10 and 100 on a9a and w8a. */
const NARROWING = 1 / 4
/** The least width, as a part of the first: below it the steps of smoothed losses are rounding. */
const LEAST_WIDTH = 2 ** -40

/** Entries of w̃ up to which the whole Hessian is gathered: of 512, each block sends a megabyte. */
const MOST_WHOLE = 512

/** Whether features are so few that a round is one pass. */
export function hasWholeHessian(length: number): boolean {
  return length <= MOST_WHOLE
}

/** Where a machine starts; losses with a kink are smoothed to a width around β of a round. */
export interface NewtonStart {
  readonly weights: Float64Array
  readonly smoothing?: { readonly round: number; readonly width: number } | undefined
}

/** See the header of the file. */
export class NewtonMachine extends ShardMachine {
  readonly name = 'newton'
  /** Of smoothed losses: β of the latest slopes. */
  point: DualPoint | undefined
  private readonly vectors: Record<
    'weights' | 'trial' | 'gradient' | 'diagonal' | 'direction' | 'residual' | 'search',
    Float64Array
  >
  private readonly state = {
    /** Within a direction: the next request is a product. */
    isSearching: false,
    products: 0,
    halvings: 0,
    /** Of the latest point that was accepted: the primal value, and ‖g‖ in the norm of the preconditioner. */
    primal: Number.POSITIVE_INFINITY,
    gradientNorm: 0,
    /** ⟨gradient, direction⟩, and ⟨r, M⁻¹ r⟩ of the search. */
    slope: 0,
    residualNorm: 0,
    lowestGap: Number.POSITIVE_INFINITY,
    withoutGain: 0,
    /** Of the smoothing: β⁰ is that of this round; a width of 0 leaves the losses as they are. */
    round: 0,
    width: 0,
    leastWidth: 0,
  }

  /** It starts at w̃ = 0, which has this many entries, or at a given point. */
  constructor(length: number, start?: NewtonStart) {
    super()
    const vector = () => new Float64Array(length)
    this.vectors = {
      ...{ weights: vector(), trial: vector(), gradient: vector(), diagonal: vector() },
      ...{ direction: vector(), residual: vector(), search: vector() },
    }
    if (!start) return
    this.vectors.trial.set(start.weights)
    if (!start.smoothing) return
    const { round, width } = start.smoothing
    Object.assign(this.state, { round, width, leastWidth: LEAST_WIDTH * width })
  }

  request(): PassRequest {
    const { weights, trial, search } = this.vectors
    const { isSearching, round, width, slope } = this.state
    const smoothed = width > 0 ? { width, reads: round } : {}
    if (isSearching) return { kind: 'curvature', weights, direction: search, ...smoothed }
    const hessian = hasWholeHessian(trial.length) ? 'triangle' : 'diagonal'
    // It may be too long: parts of it are looked at along with the whole.
    const step = slope < 0 ? trial.map((own, j) => own - weights[j]) : undefined
    return {
      kind: 'slopes',
      weights: trial,
      hessian,
      step,
      ...smoothed,
      ...(width > 0 && { writes: round + 1 }),
    }
  }

  receive({ measures, v, sum, losses }: PassAnswer): void {
    if (measures && v && sum && losses) this.receiveSlopes(measures, v, sum, losses)
    else if (sum) this.receiveProduct(sum)
  }

  private receiveSlopes(
    measures: CertifiedMeasures,
    v: Float64Array,
    hessian: Float64Array,
    losses: Float64Array,
  ): void {
    const { state, vectors } = this
    const { weights, trial, gradient, diagonal, direction, residual, search } = vectors
    const primal = 0.5 * squaredNorm(trial) + losses[0]
    const gained = 2 ** -state.halvings * state.slope
    this.best = betterOf(this.best, trial, measures)
    if (state.width > 0) this.point = { weights: v, round: state.round + 1 }
    const isTooLong = primal > state.primal + LEAST_GAIN * gained + measures.evidence.primalError
    if (this.shorten(losses, isTooLong ? Number.POSITIVE_INFINITY : primal)) return
    this.rounds++
    state.primal = primal
    weights.set(trial)
    this.watch(this.best.measures.gap)
    for (let j = 0; j < weights.length; j++) gradient[j] = weights[j] - v[j]
    if (state.width > 0 && 0.5 * squaredNorm(gradient) <= INNER_PART * measures.gap) {
      this.replaceMultipliers()
      return
    }
    if (hasWholeHessian(weights.length)) {
      direction.set(newtonDirection(hessian, gradient))
      this.go()
      return
    }
    let norm = 0
    for (let j = 0; j < weights.length; j++) {
      diagonal[j] = 1 + TEMPER * hessian[j]
      residual[j] = -gradient[j]
      search[j] = residual[j] / diagonal[j]
      direction[j] = 0
      norm += residual[j] * search[j]
    }
    if (norm === 0) this.isStalled = true
    state.residualNorm = norm
    state.gradientNorm = Math.sqrt(norm)
    state.products = 0
    state.isSearching = true
  }

  /**
   * Whether a part of the step is tried next: of those whose losses are known the best one, where that gains so much more than the step
   * that it is worth a pass. A step that may not be taken has no value; of a start there are no parts.
   */
  private shorten(losses: Float64Array, value: number): boolean {
    if (losses.length === 1) return false
    const { state, vectors } = this
    const { weights, trial, direction } = vectors
    const goTo = (halvings: number): void => {
      const step = 2 ** -halvings
      for (let j = 0; j < trial.length; j++) trial[j] = weights[j] + step * direction[j]
    }
    let best = state.halvings + 1
    let least = Number.POSITIVE_INFINITY
    for (let k = 1; k < losses.length; k++) {
      goTo(state.halvings + k)
      const primal = 0.5 * squaredNorm(trial) + losses[k]
      if (primal >= least) continue
      best = state.halvings + k
      least = primal
    }
    const isWorth =
      value === Number.POSITIVE_INFINITY || WORTH * (state.primal - value) < state.primal - least
    if (isWorth) {
      state.halvings = best
      if (best > MOST_HALVINGS) this.isStalled = true
    }
    goTo(state.halvings)
    return isWorth
  }

  /** The β of the latest slopes, which was kept for the round to come, takes the place of β⁰. */
  private replaceMultipliers(): void {
    const { state } = this
    state.round++
    state.width = Math.max(state.leastWidth, NARROWING * state.width)
    // The losses are other ones now: the same point is measured again, and taken whatever it is worth.
    state.primal = Number.POSITIVE_INFINITY
    state.slope = 0
    this.vectors.trial.set(this.vectors.weights)
  }

  private watch(gap: number): void {
    const { state } = this
    const most = state.width > 0 ? MOST_WITHOUT_GAIN_SMOOTHED : MOST_WITHOUT_GAIN
    if (gap < state.lowestGap) {
      state.lowestGap = gap
      state.withoutGain = 0
    } else if (++state.withoutGain >= most) this.isStalled = true
  }

  private receiveProduct(product: Float64Array): void {
    const { state, vectors } = this
    const { diagonal, direction, residual, search } = vectors
    let bend = 0
    for (let j = 0; j < search.length; j++) {
      product[j] += search[j]
      bend += search[j] * product[j]
    }
    const step = state.residualNorm / bend
    let norm = 0
    for (let j = 0; j < search.length; j++) {
      direction[j] += step * search[j]
      residual[j] -= step * product[j]
      norm += (residual[j] * residual[j]) / diagonal[j]
    }
    const factor = norm / state.residualNorm
    for (let j = 0; j < search.length; j++) search[j] = residual[j] / diagonal[j] + factor * search[j]
    state.residualNorm = norm
    state.products++
    if (Math.sqrt(norm) > RESIDUAL * state.gradientNorm && state.products < MOST_PRODUCTS) return
    state.isSearching = false
    this.go()
  }

  /** The whole step is tried next. */
  private go(): void {
    const { state, vectors } = this
    const { weights, trial, gradient, direction } = vectors
    state.halvings = 0
    state.slope = 0
    for (let j = 0; j < trial.length; j++) {
      state.slope += gradient[j] * direction[j]
      trial[j] = weights[j] + direction[j]
    }
    // Nothing to be gained but rounding, whatever the width.
    if (!(state.slope < 0) && state.width <= state.leastWidth) this.isStalled = true
  }
}

/** p with (I + H) p = −g. `values` is the lower triangle of H, row by row, and is overwritten. */
function newtonDirection(values: Float64Array, gradient: Float64Array): Float64Array {
  const triangle = new PlainTriangle(gradient.length, values)
  triangle.addDiagonal(new Float64Array(gradient.length).fill(1))
  inOneGo(triangle.factor(() => false))
  const p = gradient.map((own) => -own)
  triangle.solve(p)
  return p
}

function squaredNorm(vector: Float64Array): number {
  let sum = 0
  for (let j = 0; j < vector.length; j++) sum += vector[j] * vector[j]
  return sum
}
