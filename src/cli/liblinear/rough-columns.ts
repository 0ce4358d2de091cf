/**
 * Machines with ‖w‖₁ as LIBLINEAR 2.3 trains them for -s 5 and 6, to where it stops: only for `-v`, as ./rough-descent.ts. One
 * weight at a time, in an order that is drawn anew for each epoch; weights that are 0 and held there are left out for a while.
 *
 * Problem   min over w of ‖w‖₁ + Σ C_i L(y_i ⟨w, x_i⟩), the squared hinge or the logistic loss.
 * Method    squared hinge: a Newton step for each weight, halved until the objective falls by a part of what was promised. Logistic:
 *           epochs over the quadratic model of the losses, then a step along what was found, halved in the same way.
 * Stop      the sum of the violations is a part of that of the first epoch.
 * Source    Chang, Hsieh, Lin 2008; Yuan, Chang, Hsieh, Lin 2010; Yuan, Ho, Lin 2012.
 */
import type { LibcRandom } from '../../base/libc-random.ts'
import type { SparseMatrix } from '../../data/matrix/matrix.ts'
import { addRow } from '../../data/matrix/products.ts'
import type { LinearLoss } from '../../problems/linear-loss.ts'
import { descendEpochs, kinkStep, Order, partOfFirst, TINY, visitAll } from './rough-descent.ts'

// LIBLINEAR's numbers: this has to end where it ends.
const MOST_HALVINGS = 20
/** The part of the promised fall that a step has to bring. */
const ENOUGH = 0.01
const LEAST_CURVATURE = 1e-12
const MOST_NEWTON_STEPS = 100
/** A step of one weight in the quadratic model, at most. */
const LONGEST_STEP = 10
/** How the accuracy of the quadratic models grows when one epoch was enough. */
const FINER = 0.25

/** What they work on. */
export interface ColumnsInput {
  /** Row j holds the values of feature j, the constant one last where there is one. */
  readonly columns: SparseMatrix
  readonly loss: LinearLoss
  readonly y: Float64Array
  readonly prices: Float64Array
  readonly tolerance: number
  readonly random: LibcRandom
}

/** The weight of every feature that LIBLINEAR ends with; see the header of the file. */
export function roughColumns(input: ColumnsInput): Float64Array {
  return input.loss === 'logistic' ? proximalNewton(input) : squaredHinge(input)
}

/** How far a slope is from what keeps a weight; undefined for one that is held at 0 by more than `margin`. */
function violationOf(weight: number, slope: number, margin: number): number | undefined {
  const rise = slope + 1
  const fall = slope - 1
  if (weight > 0) return Math.abs(rise)
  if (weight < 0) return Math.abs(fall)
  if (rise < 0) return -rise
  if (fall > 0) return fall
  return rise > margin && fall < -margin ? undefined : 0
}

/** The samples and their slacks 1 − y_i ⟨w, x_i⟩, below which a loss begins; values are signed: y_i x_ij. */
class Slacks {
  readonly slack: Float64Array
  private readonly indptr: Uint32Array
  private readonly indices: Uint32Array
  private readonly signed: Float64Array
  private readonly prices: Float64Array

  constructor({ columns, y, prices }: ColumnsInput) {
    const { indptr, indices, values } = columns
    this.slack = new Float64Array(y.length).fill(1)
    this.indptr = indptr
    this.indices = indices
    this.signed = values.map((value, k) => y[indices[k]] * value)
    this.prices = prices
  }

  /** Σ C_i x_ij² of feature j. */
  square(j: number): number {
    const { indptr, indices, signed, prices } = this
    let sum = 0
    for (let k = indptr[j]; k < indptr[j + 1]; k++) sum += prices[indices[k]] * signed[k] * signed[k]
    return sum
  }

  /** Fills out with the slope of the losses along feature j, and its slope. */
  slopes(j: number, out: Float64Array): void {
    const { slack, indptr, indices, signed, prices } = this
    let slope = 0
    let curvature = 0
    for (let k = indptr[j], end = indptr[j + 1]; k < end; k++) {
      const i = indices[k]
      const own = slack[i]
      if (!(own > 0)) continue
      const priced = prices[i] * signed[k]
      slope -= priced * own
      curvature += priced * signed[k]
    }
    out[0] = 2 * slope
    out[1] = Math.max(2 * curvature, LEAST_CURVATURE)
  }

  /** The losses of the samples that have feature j. */
  losses(j: number): number {
    const { slack, indptr, indices, prices } = this
    let sum = 0
    for (let k = indptr[j], end = indptr[j + 1]; k < end; k++) {
      const own = slack[indices[k]]
      if (own > 0) sum += prices[indices[k]] * own * own
    }
    return sum
  }

  /** Adds a multiple of feature j. */
  move(j: number, factor: number): void {
    const { slack, indptr, indices, signed } = this
    for (let k = indptr[j], end = indptr[j + 1]; k < end; k++) slack[indices[k]] += factor * signed[k]
  }
}

function squaredHinge(input: ColumnsInput): Float64Array {
  const { columns, tolerance, random } = input
  const { rows: features, cols: samples } = columns
  const slacks = new Slacks(input)
  const w = new Float64Array(features)
  const squares = w.map((_, j) => slacks.square(j))
  const slopes = new Float64Array(2)
  descendEpochs(new Order(features, random), partOfFirst(tolerance), (j, most) => {
    slacks.slopes(j, slopes)
    const slope = slopes[0]
    const curvature = slopes[1]
    const violation = violationOf(w[j], slope, most / samples)
    if (violation === undefined) return undefined
    const step = kinkStep(w[j], slope + 1, slope - 1, curvature)
    if (Math.abs(step) < TINY) return violation
    const taken = lineSearch(slacks, j, w[j], step, slope, squares[j])
    w[j] += taken.step
    if (taken.isEnough) return violation
    slacks.slack.fill(1)
    for (let k = 0; k < features; k++) if (w[k] !== 0) slacks.move(k, -w[k])
    return violation
  })
  return w
}

/** Halves a step of one weight until the objective falls by a part of what the slope promises; moves the slacks along. */
function lineSearch(
  slacks: Slacks,
  j: number,
  weight: number,
  first: number,
  slope: number,
  square: number,
): { readonly step: number; readonly isEnough: boolean } {
  let step = first
  let promised = Math.abs(weight + step) - Math.abs(weight) + slope * step
  let moved = 0
  let before = 0
  for (let halvings = 0; halvings < MOST_HALVINGS; halvings++) {
    const rise = Math.abs(weight + step) - Math.abs(weight) - ENOUGH * promised
    const isBelowBound = square * step * step + slope * step + rise <= 0
    if (!isBelowBound && halvings === 0) before = slacks.losses(j)
    slacks.move(j, moved - step)
    if (isBelowBound || rise + slacks.losses(j) - before <= 0) return { step, isEnough: true }
    moved = step
    step *= 0.5
    promised *= 0.5
  }
  return { step, isEnough: false }
}

function proximalNewton({ columns, y, prices: C, tolerance, random }: ColumnsInput): Float64Array {
  const { rows: features, indptr, indices, values } = columns
  const samples = y.length
  const order = new Order(features, random)
  const w = new Float64Array(features)
  const next = new Float64Array(features)
  const slope = new Float64Array(features)
  const curvature = new Float64Array(features)
  const odds = new Float64Array(samples).fill(1)
  const pull = new Float64Array(samples)
  const bend = new Float64Array(samples)
  const along = new Float64Array(samples)
  /** The values times the bend of their samples. */
  const bent = new Float64Array(values.length)
  const negatives = w.map((_, j) => {
    let sum = 0
    for (let k = indptr[j]; k < indptr[j + 1]; k++) {
      if (y[indices[k]] < 0) sum += C[indices[k]] * values[k]
    }
    return sum
  })
  /** What follows from the odds e^⟨w, x_i⟩. */
  const measure = () => {
    for (let i = 0; i < samples; i++) {
      const share = 1 / (1 + odds[i])
      pull[i] = C[i] * share
      bend[i] = C[i] * odds[i] * share * share
    }
  }
  measure()
  let size = 0
  let most = Number.POSITIVE_INFINITY
  let first = 0
  let inner = 1
  for (let newton = 0; newton < MOST_NEWTON_STEPS; newton++) {
    order.begin()
    const { largest, total } = visitAll(order, most, (j) => {
      let pulled = 0
      let square = LEAST_CURVATURE
      for (let k = indptr[j], end = indptr[j + 1]; k < end; k++) {
        const i = indices[k]
        const value = values[k]
        square += value * value * bend[i]
        pulled += value * pull[i]
        bent[k] = value * bend[i]
      }
      curvature[j] = square
      slope[j] = -pulled + negatives[j]
      return violationOf(w[j], slope[j], most / samples)
    })
    if (newton === 0) first = total
    if (total <= tolerance * first) break
    along.fill(0)
    order.settle()
    const goal = inner * first
    // Epochs over the quadratic model of the losses: next becomes where it, with ‖·‖₁, is lowest; along = ⟨next − w, x_i⟩.
    const epochs = descendEpochs(
      order,
      (left) => left <= goal,
      (j, held) => {
        const own = addProducts(
          slope[j] + (next[j] - w[j]) * LEAST_CURVATURE,
          indices,
          bent,
          along,
          indptr[j],
          indptr[j + 1],
        )
        const violation = violationOf(next[j], own, held / samples)
        if (violation === undefined) return undefined
        const step = kinkStep(next[j], own + 1, own - 1, curvature[j])
        if (Math.abs(step) < TINY) return violation
        const cut = Math.min(Math.max(step, -LONGEST_STEP), LONGEST_STEP)
        next[j] += cut
        addRow(columns, j, cut, along)
        return violation
      },
    )
    let promised = 0
    let nextSize = 0
    for (let j = 0; j < features; j++) {
      promised += slope[j] * (next[j] - w[j])
      nextSize += Math.abs(next[j])
    }
    promised += nextSize - size
    let negative = 0
    for (let i = 0; i < samples; i++) if (y[i] < 0) negative += C[i] * along[i]
    let halvings = 0
    for (; halvings < MOST_HALVINGS; halvings++) {
      let rise = nextSize - size + negative - ENOUGH * promised
      const moved = odds.map((own, i) => {
        const factor = Math.exp(along[i])
        const after = own * factor
        rise += C[i] * Math.log((1 + after) / (factor + after))
        return after
      })
      if (rise <= 0) {
        size = nextSize
        w.set(next)
        odds.set(moved)
        measure()
        break
      }
      nextSize = 0
      for (let j = 0; j < features; j++) {
        next[j] = (w[j] + next[j]) * 0.5
        nextSize += Math.abs(next[j])
      }
      promised *= 0.5
      negative *= 0.5
      for (let i = 0; i < samples; i++) along[i] *= 0.5
    }
    if (halvings === MOST_HALVINGS) {
      odds.fill(0)
      for (let j = 0; j < features; j++) if (w[j] !== 0) addRow(columns, j, w[j], odds)
      for (let i = 0; i < samples; i++) odds[i] = Math.exp(odds[i])
    }
    if (epochs === 1) inner *= FINER
    most = largest
  }
  return w
}

/** first + Σ_k factors_k values_{indices_k}, one after the other. */
function addProducts(
  first: number,
  indices: Uint32Array,
  factors: Float64Array,
  values: Float64Array,
  start: number,
  end: number,
): number {
  let sum = first
  for (let k = start; k < end; k++) sum += factors[k] * values[indices[k]]
  return sum
}
