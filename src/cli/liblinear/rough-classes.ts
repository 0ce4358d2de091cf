/**
 * Crammer and Singer's machine as LIBLINEAR 2.3 trains it for -s 4, to where it stops: only for `-v`, as ./rough-descent.ts.
 *
 * Problem   the dual over α_im, which sum to 0 for each sample, are at most C of the class for its own, and at most 0 otherwise.
 * Method    sample by sample, in an order that is drawn anew for each epoch, the α_im of the classes that are not left out are
 *           solved for together. A class is left out of a sample where its α_im is at its bound and its slope g_m below those that
 *           could fall; a sample with one class left is left out itself. All come back when an epoch has violations below
 *           a bound, which halves each time.
 * Stop      no violation of -e or more in an epoch of all.
 * Source    Keerthi, Sundararajan, Chang, Hsieh, Lin 2008; Fan et al. 2008, appendix E.
 */
import type { LibcRandom } from '../../base/libc-random.ts'
import type { SparseMatrix } from '../../data/matrix/matrix.ts'
import { squaredNorms } from '../../data/matrix/products.ts'
import { Order, swap, TINY } from './rough-descent.ts'

/** LIBLINEAR's numbers. */
const MOST_EPOCHS = 100_000
const FIRST_RETURN = 10

/** What it works on. */
export interface ClassesInput {
  /** The constant feature is the last one, where there is one. */
  readonly samples: SparseMatrix
  /** The number of each sample's class. */
  readonly y: Uint32Array
  /** C of every class. */
  readonly prices: readonly number[]
  /** LIBLINEAR's -e. */
  readonly eps: number
  readonly random: LibcRandom
}

/** The weights of every class; See the header of the file. */
export function roughClasses(input: ClassesInput): Float64Array[] {
  const { samples, prices, eps, random } = input
  const descent = new ClassesDescent(input)
  const order = new Order(samples.rows, random)
  let bound = Math.max(FIRST_RETURN * eps, 1)
  let isWhole = true
  for (let epoch = 0; epoch < MOST_EPOCHS; epoch++) {
    let worst = Number.NEGATIVE_INFINITY
    order.shuffle()
    for (let place = 0; place < order.active; place++) {
      const violation = descent.visit(order.at(place))
      if (violation === undefined) order.leaveOut(place--)
      else worst = Math.max(worst, violation)
    }
    if (worst >= bound) {
      isWhole = false
      continue
    }
    if (worst < eps && isWhole) break
    order.bringBack()
    descent.bringBack()
    bound = Math.max(bound / 2, eps)
    isWhole = true
  }
  return prices.map((_, c) => descent.weightsOf(c))
}

/** α, w, and which classes of each sample are left out. */
class ClassesDescent {
  private readonly input: ClassesInput
  private readonly classes: number
  private readonly norms: Float64Array
  private readonly alpha: Float64Array
  /** The weights of all classes, feature by feature. */
  private readonly w: Float64Array
  /** The classes of each sample: those that are not left out come first, and its own is at one of the places. */
  private readonly listed: Uint32Array
  private readonly active: Uint32Array
  private readonly ownPlace: Uint32Array
  private readonly sub: SubProblem
  /** Slopes of the classes of one sample, by place; the classes whose α changes, and by how much. */
  private readonly g: Float64Array
  private readonly moved: Uint32Array
  private readonly changes: Float64Array

  constructor(input: ClassesInput) {
    const { samples, y, prices } = input
    const { rows, cols } = samples
    const classes = prices.length
    this.input = input
    this.classes = classes
    this.norms = squaredNorms(samples)
    this.alpha = new Float64Array(rows * classes)
    this.w = new Float64Array(cols * classes)
    this.listed = Uint32Array.from({ length: rows * classes }, (_, k) => k % classes)
    this.active = new Uint32Array(rows).fill(classes)
    this.ownPlace = y.slice()
    this.sub = new SubProblem(classes)
    this.g = new Float64Array(classes)
    this.moved = new Uint32Array(classes)
    this.changes = new Float64Array(classes)
  }

  /** Solves for a sample; returns its violation (−∞ where it does not count), or undefined when it is to be left out. */
  visit(i: number): number | undefined {
    const { classes, alpha, listed, active, ownPlace, g } = this
    const { y, prices } = this.input
    if (!(this.norms[i] > 0)) return Number.NEGATIVE_INFINITY
    this.slopes(i)
    let least = Number.POSITIVE_INFINITY
    let most = Number.NEGATIVE_INFINITY
    for (let m = 0; m < active[i]; m++) {
      if (alpha[i * classes + listed[i * classes + m]] < 0) least = Math.min(least, g[m])
      most = Math.max(most, g[m])
    }
    if (ownPlace[i] < active[i] && alpha[i * classes + y[i]] < prices[y[i]]) {
      least = Math.min(least, g[ownPlace[i]])
    }
    this.shrink(i, least)
    if (active[i] <= 1) return undefined
    if (most - least <= TINY) return Number.NEGATIVE_INFINITY
    this.solve(i)
    return most - least
  }

  bringBack(): void {
    this.active.fill(this.classes)
  }

  weightsOf(c: number): Float64Array {
    const { w, classes } = this
    return Float64Array.from({ length: w.length / classes }, (_, j) => w[j * classes + c])
  }

  private slopes(i: number): void {
    const { classes, w, listed, ownPlace, g } = this
    const { indptr, indices, values } = this.input.samples
    const count = this.active[i]
    const first = i * classes
    g.fill(1, 0, count)
    if (ownPlace[i] < count) g[ownPlace[i]] = 0
    for (let k = indptr[i], end = indptr[i + 1]; k < end; k++) {
      const at = indices[k] * classes
      for (let m = 0; m < count; m++) g[m] += w[at + listed[first + m]] * values[k]
    }
  }

  /** Leaves out the classes that are held at their bounds. */
  private shrink(i: number, least: number): void {
    const { listed, active, ownPlace, g } = this
    const first = i * this.classes
    for (let m = 0; m < active[i]; m++) {
      if (!this.isHeld(i, m, least)) continue
      active[i]--
      for (; active[i] > m; active[i]--) {
        const last = active[i]
        if (this.isHeld(i, last, least)) continue
        swap(listed, first + m, first + last)
        swap(g, m, last)
        if (ownPlace[i] === last) ownPlace[i] = m
        else if (ownPlace[i] === m) ownPlace[i] = last
        break
      }
    }
  }

  private isHeld(i: number, m: number, least: number): boolean {
    const { classes, alpha, listed, ownPlace, g } = this
    const { y, prices } = this.input
    const bound = m === ownPlace[i] ? prices[y[i]] : 0
    return alpha[i * classes + listed[i * classes + m]] === bound && g[m] < least
  }

  private solve(i: number): void {
    const { classes, alpha, w, listed, moved, changes } = this
    const { y, prices, samples } = this.input
    const { indptr, indices, values } = samples
    const places = listed.subarray(i * classes, i * classes + this.active[i])
    const own = alpha.subarray(i * classes, (i + 1) * classes)
    const found = this.sub.solve(this.g, places, own, this.norms[i], this.ownPlace[i], prices[y[i]])
    let count = 0
    for (let m = 0; m < places.length; m++) {
      const change = found[m] - own[places[m]]
      own[places[m]] = found[m]
      if (!(Math.abs(change) >= TINY)) continue
      moved[count] = places[m]
      changes[count++] = change
    }
    for (let k = indptr[i], end = indptr[i + 1]; k < end; k++) {
      const at = indices[k] * classes
      for (let m = 0; m < count; m++) w[at + moved[m]] += changes[m] * values[k]
    }
  }
}

/** The α of one sample: min ½ A ‖α‖² + ⟨b, α⟩ with Σ α_m = 0 and α below its bounds, by sorting. */
class SubProblem {
  private readonly b: Float64Array
  private readonly found: Float64Array

  constructor(classes: number) {
    this.b = new Float64Array(classes)
    this.found = new Float64Array(classes)
  }

  solve(
    g: Float64Array,
    places: Uint32Array,
    alpha: Float64Array,
    A: number,
    own: number,
    C: number,
  ): Float64Array {
    const { b, found } = this
    const count = places.length
    for (let m = 0; m < count; m++) b[m] = g[m] - A * alpha[places[m]]
    const sorted = b.slice(0, count)
    if (own < count) sorted[own] += A * C
    sorted.sort().reverse()
    let level = sorted[0] - A * C
    let r = 1
    for (; r < count && level < r * sorted[r]; r++) level += sorted[r]
    level /= r
    for (let m = 0; m < count; m++) found[m] = Math.min(m === own ? C : 0, (level - b[m]) / A)
    return found
  }
}
