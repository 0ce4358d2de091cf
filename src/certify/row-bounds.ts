/**
 * By how much a computed row g_i = Σ_j c_j k(x_j, x_i) may be off: a worst case, every rounding error at its largest and
 * all of them adding up. With u = 2^−24 (f32 kernel values) or 2^−53, m the most values in a row, n_i = ‖x_i‖² as the engine
 * has it (centred where it centres), W = Σ|c_j| and A_i = Σ|c_j| k(x_j, x_i):
 *
 * Kernel values have the errors that ../engine/jobs/kernel-error.ts derives. What is said here is how they add up in a row.
 *
 * rbf        With t = γ d² the relative error of e^−t is E + 5 u t + 8 u: E = χ u γ (n_i + n_j), χ = m + 4 in f32 and 2 m + 1 in
 *            f64 (whole numbers: 5 and 0; in f32 0 where their unit is 1), is what cancels in a distance made of norms.
 *            d >= |‖x_i‖ − ‖x_j‖| gives γ n_j <= 2 γ n_i + 2 t, and −k ln k being concave gives Σ|c_j| k t <=
 *            A_i ln(W / A_i): the row is off by
 *
 *              A_i [ min(far, χ u (γ n_i + min(γ N, 2 γ n_i + 2 ln(W / A_i)))) + 5 u ln(W / A_i) + 8 u ],   N = max n_j
 *
 *            `far` is what the engine tolerates: of two far samples it computes the distance from differences, and where one
 *            is far, and more than twice as far as the other, E <= (4 χ + 6) u t (assembly/kernel/far.ts). All that holds while
 *            every exponent is right to {@link SMALL}; where one might not be, the bound is Infinity. Kernel values from
 *            2^−98 down count as that.
 * polynomial degree · (m + 8) u Σ|c_j| (|γ| ‖x_i‖ ‖x_j‖ + |c|)^degree, from the moments Σ|c_j| ‖x_j‖^k
 * linear     through w = Σ c_j x_j, one sum of all terms per feature: 2^−53 (m + 4 + n) ‖x_i‖ Σ|c_j| ‖x_j‖
 * sigmoid    u Σ|c_j| (10 + (m + 8) (|γ| ‖x_i‖ ‖x_j‖ + |c|)): tanh has slope 1 at most
 * Sums       are f64, in two levels: parts of 16 or 64 terms, and the parts: 2^−53 (64 + n / 16) of the sum of magnitudes. Those
 *            of ./pair-sums.ts may be in one: 2^−53 n.
 */

import { ARITHMETIC, type Precision } from '../engine/jobs/kernel-error.ts'
import type { EngineKernel } from '../engine/matrix/engine-kernel.ts'
import type { Engine } from '../engine/memory/engine.ts'

/** Relative errors up to this may be taken as linear: what is left out is below 1 % of them. */
const SMALL = 0.01
const SECOND_ORDER = 1.02
/** Relative error of a power of 2 and of its exponent, in u. */
const OF_POWER = 8
const OF_EXPONENT = 5
/** Kernel values below it do not matter, and the exponent that belongs to it. */
const FLOOR = 2 ** -98
const DEEPEST = 70
/** Terms of a partial sum. */
const SHORTEST_PART = 16
const LONGEST_PART = 64

/** What the engine knows of the samples. */
export interface RowTraits {
  readonly kernel: EngineKernel
  /** ‖x‖² of each sample. */
  readonly norms: Float64Array
  /** The most values of a sample. */
  readonly longest: number
  /** Of whole numbers products are exact; where their unit is 1, distances are too. */
  readonly exact: 'nothing' | 'products' | 'distances'
  readonly dense: boolean
  /** The row of the matrix that each sample is: those with the same one are equal. Absent where no two are the same. */
  readonly rowOf?: Uint32Array | undefined
}

/**
 * How the bound of a row follows from its sample and its sum. Of Gaussian kernels, the `numbers` are γ, W and, in the notation of the
 * head, χ u, γ N, `far`, what t is multiplied by, the errors of a power and of sums; of others, the coefficients of a polynomial in ‖x_i‖.
 */
interface BoundLaw {
  readonly isGaussian: boolean
  readonly numbers: Float64Array
}

/** P and N (./row-values.ts) of each row of a matrix, or of each sample. */
interface BothSums {
  readonly plus: Float64Array
  readonly minus: Float64Array
}

/** What becomes known of the samples: g_i, Σ|c_j k(x_j, x_i)|, and by how much g_i may be off: Infinity where it is no finite number. */
interface BoundedRows {
  readonly values: Float64Array
  readonly magnitudes: Float64Array
  readonly errors: Float64Array
}

/** The bounds of the rows of one expansion. */
export class RowBounds {
  /** Of kernels whose values are taken as they come, nothing is known. */
  private readonly traits: RowTraits | undefined
  /** W, and N over the samples with a coefficient. */
  private readonly weight: number
  private readonly largestNorm: number
  /** Σ|c_j| ‖x_j‖^k. */
  private readonly moments: Float64Array
  private readonly support: Uint32Array
  private readonly coefficients: Float64Array
  /** The largest terms of these sums; undefined until they are requested. */
  private peaks: Float64Array | undefined
  private readonly sumError: number
  private readonly laws: Partial<Record<Precision, BoundLaw>> = {}

  /** Of the samples `support` and their coefficients. `inOneLevel`: sums may be one chain of all terms each. */
  constructor(
    traits: RowTraits | undefined,
    support: Uint32Array,
    coefficients: Float64Array,
    inOneLevel = false,
  ) {
    // Of the Gaussian kernel there is nothing to know but the weight.
    const kind = traits?.kernel.kind
    const degree = traits && kind === 'polynomial' ? traits.kernel.degree : kind === 'rbf' ? 0 : 1
    const moments = new Float64Array(degree + 1)
    let largestNorm = 0
    for (let s = 0; s < support.length; s++) {
      const j = support[s]
      const norm = traits ? traits.norms[j] : 0
      if (norm > largestNorm) largestNorm = norm
      const length = Math.sqrt(norm)
      let power = Math.abs(coefficients[j])
      for (let k = 0; k <= degree; k++, power *= length) moments[k] += power
    }
    this.traits = traits
    this.moments = moments
    this.support = support
    this.coefficients = coefficients
    this.weight = moments[0]
    this.largestNorm = largestNorm
    const additions = LONGEST_PART + support.length / SHORTEST_PART
    this.sumError = ARITHMETIC.f64.rounding * (inOneLevel ? Math.max(additions, support.length) : additions)
  }

  /**
   * The bound of an f64 row that plain code has computed: distances from differences, products in one chain, and `magnitude` =
   * Σ|c_j k(x_j, x_i)|. Values of a kernel that is not built in count as exact.
   */
  ofPlain(i: number, magnitude: number): number {
    const { traits, sumError } = this
    if (!traits) return sumError * magnitude
    if (this.weight === 0) return 0
    if (traits.kernel.kind !== 'rbf') return this.of(i, magnitude, 'f64')
    const chain = ARITHMETIC.f64.rounding * (traits.longest + OF_POWER)
    const depth = Math.log(this.weight / Math.max(magnitude, this.weight * FLOOR))
    // Sparse rows keep a distance from norms that has lost no more than four digits (../engine/reference/reference.ts).
    const ofNorms = traits.kernel.gamma * (this.normOf(i) + this.largestNorm)
    const distances = traits.dense ? depth : Math.min(1e4 * depth, ofNorms)
    return (chain * (1 + Math.max(0, distances)) + sumError) * magnitude + FLOOR * this.weight
  }

  /** The bound of row i as the engine has computed it; `magnitude` is A_i, also computed (used by rbf only). */
  of(i: number, magnitude: number, precision: Precision): number {
    const { isGaussian, numbers } = this.lawOf(precision)
    const norm = this.normOf(i)
    if (isGaussian) return gaussianBound(numbers, norm, magnitude)
    const length = Math.sqrt(norm)
    let bound = 0
    for (let k = numbers.length - 1; k >= 0; k--) bound = bound * length + numbers[k]
    return bound
  }

  /**
   * Fills `rows` in, of all samples in one go: on the engine, as plain code takes longer until it is compiled. The sums are those of the
   * rows of a matrix that `rowOf` tells; without it, those of the samples.
   */
  boundSums(
    engine: Engine,
    { plus, minus }: BothSums,
    rowOf: Uint32Array | undefined,
    precision: Precision,
    rows: BoundedRows,
  ): void {
    const { exports } = engine
    const { isGaussian, numbers } = this.lawOf(precision)
    const count = rows.values.length
    const mark = engine.mark()
    const pointerOf = (list: Float64Array | Uint32Array): number => engine.copy(list).pointer
    const values = engine.array(Float64Array, count)
    const magnitudes = engine.array(Float64Array, count)
    const errors = engine.array(Float64Array, count)
    const chosen = rowOf ? pointerOf(rowOf) : 0
    exports.takeSums(count, pointerOf(plus), pointerOf(minus), chosen, values.pointer, magnitudes.pointer)
    const norms = pointerOf((this.traits as RowTraits).norms)
    const law = pointerOf(numbers)
    if (isGaussian) {
      exports.boundGaussian(count, values.pointer, magnitudes.pointer, norms, law, errors.pointer)
    } else exports.boundByLength(count, values.pointer, norms, law, numbers.length - 1, errors.pointer)
    rows.values.set(values)
    rows.magnitudes.set(magnitudes)
    rows.errors.set(errors)
    engine.release(mark)
  }

  /** What the bounds of all rows have in common: for {@link RowBounds.of}, and for the engine. */
  private lawOf(precision: Precision): BoundLaw {
    const { kernel } = this.traits as RowTraits
    const isGaussian = kernel.kind === 'rbf'
    this.laws[precision] ??= {
      isGaussian,
      numbers: isGaussian ? this.gaussianLaw(kernel.gamma, precision) : this.lengthLaw(kernel, precision),
    }
    return this.laws[precision]
  }

  /** The most that a single term can have of the bound of a row, A_i being its `magnitude`. */
  shareOfLargestTerm(magnitude: number): number {
    const { traits, moments } = this
    this.peaks ??= this.largestTerms()
    const { peaks } = this
    if (traits?.kernel.kind === 'rbf') return Math.min(1, peaks[0] / magnitude)
    let largest = 0
    for (let k = 0; k < peaks.length; k++)
      if (moments[k] > 0) largest = Math.max(largest, peaks[k] / moments[k])
    return largest
  }

  /** The largest terms of the moments. Those of equal samples have equal errors: they count as one. */
  private largestTerms(): Float64Array {
    const { traits, support, coefficients, moments } = this
    const peaks = new Float64Array(moments.length)
    const rowOf = traits?.rowOf
    const together = rowOf && new Map<number, number>()
    for (let s = 0; s < support.length; s++) {
      const j = support[s]
      const length = Math.sqrt(traits ? traits.norms[j] : 0)
      let peak = Math.abs(coefficients[j])
      if (together) {
        peak += together.get(rowOf[j]) ?? 0
        together.set(rowOf[j], peak)
      }
      for (let k = 0; k < peaks.length; k++, peak *= length) if (peak > peaks[k]) peaks[k] = peak
    }
    return peaks
  }

  private normOf(i: number): number {
    return (this.traits as RowTraits).norms[i]
  }

  private lengthLaw({ kind, gamma, coef0, degree }: EngineKernel, precision: Precision): Float64Array {
    const { longest, exact } = this.traits as RowTraits
    const { moments, sumError, support } = this
    const u = ARITHMETIC[precision].rounding
    const chain = (exact === 'nothing' ? longest : 0) + 4
    const slope = Math.abs(gamma)
    const offset = Math.abs(coef0)
    const [weight, first] = moments
    if (kind === 'linear') return Float64Array.of(0, u * (chain + support.length) * first)
    if (kind === 'sigmoid') {
      const share = u * (chain + 4)
      return Float64Array.of((10 * u + share * offset + sumError) * weight, share * slope * first)
    }
    // Σ_j |c_j| (slope ‖x_i‖ ‖x_j‖ + offset)^degree by the binomial theorem.
    const relative = u * degree * (chain + 4) * SECOND_ORDER + sumError
    const numbers = new Float64Array(degree + 1)
    let binomial = relative
    for (let k = 0; k <= degree; k++) {
      numbers[k] = binomial * slope ** k * offset ** (degree - k) * moments[k]
      binomial = (binomial * (degree - k)) / (k + 1)
    }
    return numbers
  }

  private gaussianLaw(gamma: number, precision: Precision): Float64Array {
    const { longest, exact } = this.traits as RowTraits
    const { rounding, tolerated } = ARITHMETIC[precision]
    const terms = exact === 'nothing' ? longest : 0
    const isSingle = precision === 'f32'
    const ofValues = isSingle ? terms + (exact === 'products' ? 5 : 4) : 2 * terms + 1
    const chain = exact === 'distances' || (exact === 'products' && !isSingle) ? 0 : ofValues
    const largest = gamma * this.largestNorm
    // Samples are near or far by the usual growth of rounding, √m; at worst it is m.
    const far = (2.5 * tolerated * chain) / (4 + Math.sqrt(terms))
    const hasFar = rounding * chain * 2 * largest > far
    const rate = rounding * (OF_EXPONENT + (hasFar ? 4 * chain + 6 : 0))
    const { weight, sumError } = this
    return Float64Array.of(gamma, weight, rounding * chain, largest, far, rate, OF_POWER * rounding, sumError)
  }
}

/** The bound of a row of a Gaussian kernel, by its {@link BoundLaw}. */
function gaussianBound(numbers: Float64Array, squaredNorm: number, magnitude: number): number {
  // By number: taking a typed array apart costs as much as all the rest.
  const norm = numbers[0] * squaredNorm
  const weight = numbers[1]
  const ofNorms = numbers[2]
  const largest = numbers[3]
  const far = numbers[4]
  const rate = numbers[5]
  if (weight === 0) return 0
  if (!(Math.min(far, ofNorms * (norm + largest)) + rate * DEEPEST < SMALL)) return Number.POSITIVE_INFINITY
  const sum = Math.max(magnitude, weight * FLOOR)
  const depth = Math.max(0, Math.log(weight / sum))
  const others = Math.min(largest, 2 * norm + 2 * depth)
  const relative = Math.min(far, ofNorms * (norm + others)) + rate * depth + numbers[6]
  return (relative * SECOND_ORDER + numbers[7]) * sum + FLOOR * weight
}
