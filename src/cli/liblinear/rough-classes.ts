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
  /** Where the weights of the feature of each stored value begin. */
  private readonly offsets: Uint32Array
  /** The classes of each sample: those that are not left out come first, and its own is at one of the places. */
  private readonly listed: Uint32Array
  private readonly active: Uint32Array
  private readonly ownPlace: Uint32Array
  /** Of the classes of one sample, by place: slopes; what they are without α, as they come and largest first; the α found, and then how
   * far those of the classes in `moved` go. */
  private readonly g: Float64Array
  private readonly b: Float64Array
  private readonly sorted: Float64Array
  private readonly found: Float64Array
  private readonly moved: Uint32Array

  constructor(input: ClassesInput) {
    const { samples, y, prices } = input
    const { rows, cols } = samples
    const classes = prices.length
    this.input = input
    this.classes = classes
    this.norms = squaredNorms(samples)
    this.offsets = samples.indices.map((j) => j * classes)
    this.alpha = new Float64Array(rows * classes)
    this.w = new Float64Array(cols * classes)
    this.listed = Uint32Array.from({ length: rows * classes }, (_, k) => k % classes)
    this.active = new Uint32Array(rows).fill(classes)
    this.ownPlace = y.slice()
    this.g = new Float64Array(classes)
    this.b = new Float64Array(classes)
    this.sorted = new Float64Array(classes)
    this.found = new Float64Array(classes)
    this.moved = new Uint32Array(classes)
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

  /** Two classes at a time: an addition waits for the one before, of its own sum only. */
  private slopes(i: number): void {
    const { classes, w, listed, ownPlace, g, offsets } = this
    const { indptr, values } = this.input.samples
    const count = this.active[i]
    const first = i * classes
    const start = indptr[i]
    const end = indptr[i + 1]
    for (let m = 0; m < count; m += 2) {
      const a = listed[first + m]
      const b = m + 1 < count ? listed[first + m + 1] : a
      let sumA = m === ownPlace[i] ? 0 : 1
      let sumB = m + 1 === ownPlace[i] ? 0 : 1
      for (let k = start; k < end; k++) {
        const at = offsets[k]
        const value = values[k]
        sumA += w[at + a] * value
        sumB += w[at + b] * value
      }
      g[m] = sumA
      if (m + 1 < count) g[m + 1] = sumB
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
    const { classes, alpha, w, listed, found, moved, offsets } = this
    const { y, prices, samples } = this.input
    const { indptr, values } = samples
    const first = i * classes
    const count = this.active[i]
    const start = indptr[i]
    const end = indptr[i + 1]
    this.solveSample(i, prices[y[i]])
    let moves = 0
    for (let m = 0; m < count; m++) {
      const c = listed[first + m]
      const change = found[m] - alpha[first + c]
      alpha[first + c] = found[m]
      if (!(Math.abs(change) >= TINY)) continue
      moved[moves] = c
      found[moves++] = change
    }
    for (let m = 0; m + 1 < moves; m += 2) {
      const a = moved[m]
      const b = moved[m + 1]
      const changeA = found[m]
      const changeB = found[m + 1]
      for (let k = start; k < end; k++) {
        const at = offsets[k]
        const value = values[k]
        w[at + a] += changeA * value
        w[at + b] += changeB * value
      }
    }
    if (moves % 2 === 0) return
    const c = moved[moves - 1]
    const change = found[moves - 1]
    for (let k = start; k < end; k++) w[offsets[k] + c] += change * values[k]
  }

  /** The α of one sample: found is min ½ A ‖α‖² + ⟨b, α⟩ with Σ α_m = 0 and α below its bounds, by sorting. */
  private solveSample(i: number, C: number): void {
    const { classes, alpha, listed, g, b, sorted, found } = this
    const A = this.norms[i]
    const own = this.ownPlace[i]
    const count = this.active[i]
    for (let m = 0; m < count; m++) {
      b[m] = g[m] - A * alpha[i * classes + listed[i * classes + m]]
      const value = m === own ? b[m] + A * C : b[m]
      let place = m
      for (; place > 0 && sorted[place - 1] < value; place--) sorted[place] = sorted[place - 1]
      sorted[place] = value
    }
    let level = sorted[0] - A * C
    let r = 1
    for (; r < count && level < r * sorted[r]; r++) level += sorted[r]
    level /= r
    for (let m = 0; m < count; m++) found[m] = Math.min(m === own ? C : 0, (level - b[m]) / A)
  }
}
