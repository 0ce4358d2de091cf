/**
 * Dual coordinate descent as LIBLINEAR 2.3 runs it for -s 1, 3, 7, 12 and 13, to where it stops: only for `-v`, whose rates at
 * the default tolerance are those of models that are far from solved, and depend on the order in which samples are visited.
 * That order comes from the C library's random numbers, and sums run over features in their order, as LIBLINEAR's do.
 *
 * Problem   the dual of one function (../../problems/linear-loss.ts); x̃_i = (x_i, s).
 * Source    Hsieh et al. 2008 (classes); Ho, Lin 2012 (regression); Yu, Huang, Lin 2011 (logistic regression).
 */
import type { LibcRandom } from '../../base/libc-random.ts'
import { countUp } from '../../base/lists.ts'
import type { Matrix } from '../../data/matrix/matrix.ts'
import { addRow, rowDot, squaredNorms } from '../../data/matrix/products.ts'
import type { LossTerms } from '../../problems/linear-loss.ts'

// LIBLINEAR's numbers: this has to end where it ends.
/** Epochs after which it gives up. */
const MOST_EPOCHS = 1000
/** Projected gradients, and steps, below this change nothing. */
export const TINY = 1e-12
/** Of the logistic loss: the first α as a part of C, and at most; and how Newton's method for one α goes. */
const FIRST_PART = 1e-3
const FIRST_MOST = 1e-8
const MOST_NEWTON_STEPS = 100
const NEWTON_SHRINK = 0.1
const FIRST_ACCURACY = 1e-2
const LEAST_ACCURACY = 1e-8

/** What all of them work on. */
export interface DescentInput {
  readonly samples: Matrix
  /** s */
  readonly constant: number
  readonly terms: LossTerms
  /** LIBLINEAR's -e. */
  readonly eps: number
  readonly random: LibcRandom
}

/** The weights, that of the constant feature last, that LIBLINEAR ends with; see the header of the file. */
export function roughDescent(input: DescentInput): Float64Array {
  const { lower, upper, isLogistic } = input.terms
  if (isLogistic) return descendLogistic(input)
  return lower.some((low, i) => low < 0 && upper[i] > 0) ? descendTube(input) : descendClasses(input)
}

/** w, and its products with rows. */
class Weights {
  readonly w: Float64Array
  readonly norms: Float64Array
  private readonly samples: Matrix
  private readonly constant: number

  constructor({ samples, constant }: DescentInput) {
    this.samples = samples
    this.constant = constant
    this.w = new Float64Array(samples.cols + 1)
    this.norms = squaredNorms(samples).map((norm) => norm + constant * constant)
  }

  valueOf(i: number): number {
    return rowDot(this.samples, i, this.w) + this.w[this.samples.cols] * this.constant
  }

  add(i: number, factor: number): void {
    addRow(this.samples, i, factor, this.w)
    this.w[this.samples.cols] += factor * this.constant
  }
}

/** The order of visits: the first `active` places count, and what is left out goes behind them. */
export class Order {
  active: number
  /** As many come back. */
  private most: number
  private readonly list: Uint32Array
  private readonly random: LibcRandom

  constructor(count: number, random: LibcRandom) {
    this.list = countUp(count)
    this.active = count
    this.most = count
    this.random = random
  }

  shuffle(): void {
    for (let i = 0; i < this.active; i++) this.swap(i, i + (this.random.next() % (this.active - i)))
  }

  at(place: number): number {
    return this.list[place]
  }

  leaveOut(place: number): void {
    this.active--
    this.swap(place, this.active)
  }

  /** Takes all in again; false where none was left out. */
  bringBack(): boolean {
    const isWhole = this.active === this.most
    this.active = this.most
    return !isWhole
  }

  /** Leaves those that are left out behind for good, until `begin`. */
  settle(): void {
    this.most = this.active
  }

  begin(): void {
    this.most = this.list.length
    this.active = this.most
  }

  private swap(a: number, b: number): void {
    swap(this.list, a, b)
  }
}

/** Exchanges two entries. */
export function swap(list: Uint32Array | Float64Array, a: number, b: number): void {
  const kept = list[a]
  list[a] = list[b]
  list[b] = kept
}

/** Hinge losses, squared or not. */
function descendClasses(input: DescentInput): Float64Array {
  const { terms, eps, random } = input
  const { z, lower, upper, shift } = terms
  const weights = new Weights(input)
  const order = new Order(z.length, random)
  const alpha = new Float64Array(z.length)
  const curvature = weights.norms.map((norm, i) => shift[i] + norm)
  let most = Number.POSITIVE_INFINITY
  let least = Number.NEGATIVE_INFINITY
  for (let epoch = 0; epoch < MOST_EPOCHS; epoch++) {
    let highest = Number.NEGATIVE_INFINITY
    let lowest = Number.POSITIVE_INFINITY
    order.shuffle()
    for (let place = 0; place < order.active; place++) {
      const i = order.at(place)
      const bound = z[i] > 0 ? upper[i] : -lower[i]
      const gradient = z[i] * weights.valueOf(i) - 1 + alpha[i] * shift[i]
      if ((alpha[i] === 0 && gradient > most) || (alpha[i] === bound && gradient < least)) {
        order.leaveOut(place--)
        continue
      }
      let projected = gradient
      if (alpha[i] === 0) projected = Math.min(gradient, 0)
      else if (alpha[i] === bound) projected = Math.max(gradient, 0)
      highest = Math.max(highest, projected)
      lowest = Math.min(lowest, projected)
      if (!(Math.abs(projected) > TINY)) continue
      const old = alpha[i]
      alpha[i] = Math.min(Math.max(old - gradient / curvature[i], 0), bound)
      weights.add(i, (alpha[i] - old) * z[i])
    }
    if (highest - lowest <= eps) {
      if (!order.bringBack()) break
      most = Number.POSITIVE_INFINITY
      least = Number.NEGATIVE_INFINITY
      continue
    }
    most = highest > 0 ? highest : Number.POSITIVE_INFINITY
    least = lowest < 0 ? lowest : Number.NEGATIVE_INFINITY
  }
  return weights.w
}

/** ε-insensitive losses, squared or not. */
function descendTube(input: DescentInput): Float64Array {
  const { terms, eps, random } = input
  const { z, upper, shift, epsilon } = terms
  const weights = new Weights(input)
  const beta = new Float64Array(z.length)
  descendEpochs(new Order(z.length, random), partOfFirst(eps), (i, most) => {
    const bound = upper[i]
    const own = beta[i]
    const gradient = -z[i] + shift[i] * own + weights.valueOf(i)
    const curvature = weights.norms[i] + shift[i]
    const rise = gradient + epsilon
    const fall = gradient - epsilon
    let violation = 0
    let isHeld = false
    if (own === 0) {
      if (rise < 0) violation = -rise
      else if (fall > 0) violation = fall
      else isHeld = rise > most && fall < -most
    } else if (own >= bound) {
      if (rise > 0) violation = rise
      else isHeld = rise < -most
    } else if (own <= -bound) {
      if (fall < 0) violation = -fall
      else isHeld = fall > most
    } else violation = Math.abs(own > 0 ? rise : fall)
    if (isHeld) return undefined
    const step = kinkStep(own, rise, fall, curvature)
    if (Math.abs(step) < TINY) return violation
    beta[i] = Math.min(Math.max(own + step, -bound), bound)
    if (beta[i] !== own) weights.add(i, beta[i] - own)
    return violation
  })
  return weights.w
}

/**
 * Epochs until their violations, in sum, are `enough` over all variables; returns how many. `visit` steps along a variable and
 * returns its violation before; undefined for one that is held by more than `most`, the largest violation of the epoch before:
 * it is left out for a while.
 */
export function descendEpochs(
  order: Order,
  enough: (total: number) => boolean,
  visit: (variable: number, most: number) => number | undefined,
): number {
  let most = Number.POSITIVE_INFINITY
  for (let epoch = 1; epoch <= MOST_EPOCHS; epoch++) {
    order.shuffle()
    const { largest, total } = visitAll(order, most, visit)
    most = largest
    if (!enough(total)) continue
    if (!order.bringBack()) return epoch
    most = Number.POSITIVE_INFINITY
  }
  return MOST_EPOCHS
}

/** Visits all that are not left out: their largest violation, and the sum. */
export function visitAll(
  order: Order,
  most: number,
  visit: (variable: number, most: number) => number | undefined,
): { readonly largest: number; readonly total: number } {
  let largest = 0
  let total = 0
  for (let place = 0; place < order.active; place++) {
    const violation = visit(order.at(place), most)
    if (violation === undefined) {
      order.leaveOut(place--)
      continue
    }
    largest = Math.max(largest, violation)
    total += violation
  }
  return { largest, total }
}

/** Whether violations are no more than a part of those of the first epoch. */
export function partOfFirst(tolerance: number): (total: number) => boolean {
  let first: number | undefined
  return (total) => {
    first ??= total
    return total <= tolerance * first
  }
}

/**
 * The step that minimises a parabola with a kink at 0, from `own`: `rise` and `fall` are its slopes there for values above 0 and
 * below.
 */
export function kinkStep(own: number, rise: number, fall: number, curvature: number): number {
  if (rise < curvature * own) return -rise / curvature
  return fall > curvature * own ? -fall / curvature : -own
}

/** The logistic loss: α and C − α of each sample, the one of the two that is nearer to 0 by Newton's method. */
function descendLogistic(input: DescentInput): Float64Array {
  const { terms, eps, random } = input
  const { z, lower, upper } = terms
  const weights = new Weights(input)
  const count = z.length
  const order = new Order(count, random)
  const prices = upper.map((high, i) => high - lower[i])
  const pairs = [
    prices.map((C) => Math.min(FIRST_PART * C, FIRST_MOST)),
    prices.map((C) => C - Math.min(FIRST_PART * C, FIRST_MOST)),
  ]
  for (let i = 0; i < count; i++) weights.add(i, z[i] * pairs[0][i])
  const leastAccuracy = Math.min(LEAST_ACCURACY, eps)
  let accuracy = FIRST_ACCURACY
  for (let epoch = 0; epoch < MOST_EPOCHS; epoch++) {
    let steps = 0
    let largest = 0
    order.shuffle()
    for (let place = 0; place < count; place++) {
      const i = order.at(place)
      const C = prices[i]
      const a = weights.norms[i]
      const b = z[i] * weights.valueOf(i)
      const isSecond = 0.5 * a * (pairs[1][i] - pairs[0][i]) + b < 0
      const sign = isSecond ? -1 : 1
      const old = pairs[isSecond ? 1 : 0][i]
      let own = C - old < 0.5 * C ? NEWTON_SHRINK * old : old
      const slopeAt = (at: number) => a * (at - old) + sign * b + Math.log(at / (C - at))
      let slope = slopeAt(own)
      largest = Math.max(largest, Math.abs(slope))
      let inner = 0
      for (; inner <= MOST_NEWTON_STEPS && !(Math.abs(slope) < accuracy); inner++) {
        const next = own - slope / (a + C / (C - own) / own)
        own = next <= 0 ? NEWTON_SHRINK * own : next
        slope = slopeAt(own)
      }
      steps += inner
      if (inner === 0) continue
      pairs[isSecond ? 1 : 0][i] = own
      pairs[isSecond ? 0 : 1][i] = C - own
      weights.add(i, sign * (own - old) * z[i])
    }
    if (largest < eps) break
    if (steps <= Math.trunc(count / 10)) accuracy = Math.max(leastAccuracy, 0.1 * accuracy)
  }
  return weights.w
}
