/** The sweeps of dual coordinate ascent; notation and method: ../methods/sdca.ts. */

import { countUp } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import { expansionCoefficients } from '../../problems/kernel-problem.ts'
import { diagonalShift, dualKernel, type SvmProblem, upperBounds } from '../../problems/problem.ts'
import { emptyModelStep, type ModelStep } from '../driver/model-step.ts'
import type { Due } from '../driver/pieces.ts'
import { copyFields } from '../driver/saved-fields.ts'
import { type Expansion, expansionBias, stepsPerSlice } from '../dual/kernel-expansion.ts'
import type { Epochs } from './coordinate-descent.ts'

/** A dual variable beyond this has no bound (squared loss, indefinite kernel): sums of products would soon overflow f64. */
const DIVERGED = 1e100

/** A projected gradient below this moves nothing worth its cost. LIBLINEAR's number. */
const TINY_GRADIENT = 1e-12

/** Where a sweep stands. */
interface SweepState {
  /** The next position in the order, where its active part ends, and how many α have moved. */
  position: number
  active: number
  changes: number
  /** Extremes of the projected gradient so far, and the gradients beyond which a sample at a bound is shrunk. */
  highest: number
  lowest: number
  shrinkAbove: number
  shrinkBelow: number
}

/** α, the order in which its entries are visited, and what is known of their gradients. */
export class Coordinates implements Epochs {
  readonly alpha: Float64Array
  /** The samples; the first `active` of them are visited, the others are shrunk. */
  readonly order: Uint32Array
  readonly visitsPerSlice: number
  /** The largest projected gradient of the last epoch, or of all samples. */
  largest = 0
  /** An α was seen to grow without end. */
  unbounded = false

  private readonly y: Float64Array
  private readonly f: Expansion
  private readonly upper: Float64Array
  /** D_ii, and K̃_ii + D_ii. */
  private readonly extra: Float64Array
  private readonly curvature: Float64Array
  private readonly shrinking: boolean
  /** Of this epoch; the gradients beyond which to shrink are from the epoch before. */
  private readonly state: SweepState
  private readonly problem: SvmProblem
  private readonly latest: ModelStep
  private readonly onModelStep: ((step: ModelStep) => void) | undefined

  /** f must be 0. */
  constructor(
    problem: SvmProblem,
    f: Expansion,
    shrinking: boolean,
    onModelStep?: (step: ModelStep) => void,
  ) {
    const count = problem.y.length
    this.problem = problem
    this.y = problem.y
    this.f = f
    this.shrinking = shrinking
    this.visitsPerSlice = stepsPerSlice(problem)
    this.onModelStep = onModelStep
    this.latest = emptyModelStep(new Float64Array(onModelStep ? count : 0))
    this.alpha = new Float64Array(count)
    this.order = countUp(count)
    this.upper = upperBounds(problem)
    this.extra = diagonalShift(problem)
    this.curvature = curvatures(problem)
    this.state = {
      position: 0,
      active: count,
      changes: 0,
      highest: 0,
      lowest: 0,
      shrinkAbove: Number.POSITIVE_INFINITY,
      shrinkBelow: Number.NEGATIVE_INFINITY,
    }
  }

  save() {
    const { alpha, order, state, f } = this
    return { ...copyFields({ alpha, order }), f: f.state.slice(), state: { ...state } }
  }

  restore({ alpha, order, f, state }: ReturnType<Coordinates['save']>): void {
    this.alpha.set(alpha)
    this.order.set(order)
    this.f.state.set(f)
    Object.assign(this.state, state)
  }

  /** How many samples are not shrunk. */
  get active(): number {
    return this.state.active
  }

  get changed(): boolean {
    return this.state.changes > 0
  }

  start(epoch: number): void {
    const { state } = this
    this.latest.iteration = epoch
    state.position = 0
    state.changes = 0
    state.highest = 0
    state.lowest = 0
  }

  sweep(steps: number): boolean {
    const { alpha, order, y, f, upper, extra, shrinking, state } = this
    const { shrinkAbove, shrinkBelow } = state
    let { position, active, highest, lowest } = state
    for (let step = 0; step < steps && position < active; step++) {
      const i = order[position]
      const old = alpha[i]
      const gradient = y[i] * f.value(i) - 1 + extra[i] * old
      const settled = old === 0 ? gradient > shrinkAbove : old === upper[i] && gradient < shrinkBelow
      if (shrinking && settled) {
        state.active = --active
        order[position] = order[active]
        order[active] = i
        continue
      }
      position++
      const projected = projectedGradient(gradient, old, upper[i])
      if (projected > highest) highest = projected
      if (projected < lowest) lowest = projected
      if (Math.abs(projected) > TINY_GRADIENT) this.move(i, gradient)
    }
    state.position = position
    state.active = active
    state.highest = highest
    state.lowest = lowest
    return position < active && !this.unbounded
  }

  end(aim: number): boolean {
    const { state } = this
    const { highest, lowest } = state
    state.shrinkAbove = highest > 0 ? highest : Number.POSITIVE_INFINITY
    state.shrinkBelow = lowest < 0 ? lowest : Number.NEGATIVE_INFINITY
    this.largest = Math.max(highest, -lowest)
    const settled = this.largest <= aim || !this.changed
    const allActive = this.active === this.order.length
    if (settled && !allActive) {
      state.active = this.order.length
      state.shrinkAbove = Number.POSITIVE_INFINITY
      state.shrinkBelow = Number.NEGATIVE_INFINITY
    }
    return settled && allActive
  }

  /** After many updates f should not be believed. */
  *refresh(due: Due): Pieces {
    const { alpha, y, f, upper, extra } = this
    yield* f.assign(this.coefficients(), due)
    this.largest = 0
    for (let i = 0; i < alpha.length; i++) {
      const gradient = y[i] * f.value(i) - 1 + extra[i] * alpha[i]
      this.largest = Math.max(this.largest, Math.abs(projectedGradient(gradient, alpha[i], upper[i])))
    }
  }

  values(): { primal: number; dual: number } {
    const { alpha, f, extra, problem } = this
    const { y, C, loss } = problem
    let norm = 0
    let losses = 0
    let linear = 0
    for (let i = 0; i < y.length; i++) {
      const value = f.value(i)
      const slack = 1 - y[i] * value
      if (slack > 0 && C[i] > 0) losses += C[i] * (loss === 'hinge' ? slack : slack * slack)
      norm += alpha[i] * y[i] * value
      linear += alpha[i] - 0.5 * extra[i] * alpha[i] * alpha[i]
    }
    return { primal: 0.5 * norm + losses, dual: 0.5 * norm - linear }
  }

  coefficients(): Float64Array {
    return expansionCoefficients(this.problem, this.alpha)
  }

  biasOf(coefficients: Float64Array): number {
    return expansionBias(this.problem, coefficients)
  }

  private report(i: number, change: number): void {
    const { latest } = this
    latest.step++
    latest.sample = i
    latest.stepSize = change
    latest.coefficients[i] = this.alpha[i] * this.y[i]
    latest.active = this.order.subarray(0, this.active)
    this.onModelStep?.(latest)
  }

  /** Minimises the dual over α_i. */
  private move(i: number, gradient: number): void {
    const { alpha, upper, curvature, y, f } = this
    const old = alpha[i]
    const moved =
      curvature[i] > 0
        ? Math.min(upper[i], Math.max(0, old - gradient / curvature[i]))
        : betterEnd(old, upper[i], gradient, curvature[i])
    if (moved > DIVERGED) {
      this.unbounded = true
    } else if (moved !== old) {
      alpha[i] = moved
      f.add(i, (moved - old) * y[i])
      this.state.changes++
      if (this.onModelStep) this.report(i, moved - old)
    }
  }
}

/** K̃_ii + D_ii: the curvature of the dual along each α_i. */
function curvatures(problem: SvmProblem): Float64Array {
  const extra = diagonalShift(problem)
  return dualKernel(problem)
    .diagonal(problem.samples)
    .map((k, i) => k + extra[i])
}

/** What remains of a gradient when α may not leave [0, upper]. */
function projectedGradient(gradient: number, alpha: number, upper: number): number {
  if (alpha <= 0 && gradient > 0) return 0
  return alpha >= upper && gradient < 0 ? 0 : gradient
}

/** The end of [0, upper] where gradient · δ + ½ curvature · δ², δ = α − old, is lower (curvature <= 0). */
function betterEnd(old: number, upper: number, gradient: number, curvature: number): number {
  if (upper === Number.POSITIVE_INFINITY) return gradient < 0 || curvature < 0 ? upper : 0
  const slopeToZero = -gradient * old + 0.5 * curvature * old * old
  const slopeToUpper = (gradient + 0.5 * curvature * (upper - old)) * (upper - old)
  return slopeToUpper < slopeToZero ? upper : 0
}
