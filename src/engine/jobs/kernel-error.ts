/**
 * By how much a kernel value that the engine has computed may differ from its definition, evaluated exactly. Notation:
 *
 *   u       2^−24 where values are f32, 2^−53 where they are f64: the most that rounding a number changes of it
 *   a, b    ‖x‖², ‖q‖² of the two samples as they are stored: centred, for rbf and dense rows
 *   m       values that a product adds up at most: the longest row. Products of whole numbers (assembly/kernel/integer-products.ts) are exact
 *
 * Product p = ⟨x, q⟩. Each of its terms is rounded once and takes part in m sums at most, and in f32 both values were rounded:
 *
 *   |δp| <= u (m + 2) Σ|x_k q_k| <= u l √(ab),   l = m + 2 (f32), m (f64)
 *
 * Of whole numbers, f32: the number, the unit's square and their product are rounded, l = 3; f64: l = 0. Such is the worst
 * case; errors are as often up as down, so that usually m is more like 2√m.
 *
 * Linear: that is all. Polynomial and sigmoid take γp + c, with γ, c (f32), their product and the sum rounded: for
 * s = |γ|√(ab) + |c| an error of u s (l + 4).
 *   Power of degree d: each factor has this error, and each of at most d − 1 products of factors is rounded:
 *     s^d ((1 + u (l + 4))^d (1 + u)^d − 1).
 *   tanh: its slope is at most 1. As 1 − 2 / (1 + 2^τ), with 2^τ good to 5u: 2 · 2^τ / (1 + 2^τ)² <= ½ times that, twice
 *     2u for sum and quotient, u for the difference: below 8u.
 *
 * RBF, e^−t with t = γ d², d = ‖x − q‖.
 *   Cancelling: f32 rounds norms and their sum, u (a + b) each; f64 norms are sums of m terms. So of d²
 *     f32   δ = u (2 (a + b) + 2 l √(ab))      f64   δ = u ((m + 1) (a + b) + 2 l √(ab)), of whole numbers 0
 *     and E = γδ is an error of the exponent.
 *   Stored values are not quite the given ones: the centre was taken away, or they stand for decimals; 2^−53 of each. Where
 *     t <= 70 this makes γ · 2d · 2^−53 (√a + √b) <= 2^−52 √(70γ) (√a + √b), which goes into E as well.
 *   In proportion: d² itself, the factor −γ log2(e) and their product are rounded (f64: the factor three times): 5u t.
 *   The power of 2 is good to 5u (its polynomial in f32: coefficients and steps, f <= ½; assembly/kernel/exp.ts); with second
 *     orders of all of these, 8u.
 *   Far pairs (assembly/kernel/far.ts), a and b both beyond farFrom: no cancelling. A sum of m squares of differences in f64
 *     instead: 2^−53 (m + 3) t more.
 *   Below 2^−100 (f32) the value stays there; far pairs of which it is certain that t > 70 are as they come.
 *
 * So |computed − exact| <= e^−t (e^(E + ρt) − 1 + 8u) + 2^−98, with t >= γ (√a − √b)², the least distance that norms allow.
 * Where one of them is more than twice the other, E <= κt for a small κ, and the whole is small whatever t is.
 */
import type { EngineKernel } from '../matrix/engine-kernel.ts'

/** How values are computed. */
export type Precision = 'f32' | 'f64'

/** What the engine's arithmetic on samples depends on. */
export interface SampleTraits {
  /** Most values in a row of the samples. */
  readonly longest: number
  /** Whether products are computed in whole numbers. */
  readonly integers: boolean
}

/** Bounds of the error of kernel values; norms are squared ones, ‖x‖², of samples as they are stored. */
export interface KernelError {
  /** The most that |exact| can be for two samples of these norms. */
  size(normX: number, normQ: number): number
  /** |computed − exact| for two samples of these norms. */
  absolute(normX: number, normQ: number): number
  /** The most that `absolute` can be between a sample of norm normQ and any of norm `largest` or less. */
  worst(largest: number, normQ: number): number
  /**
   * The most that |computed − exact| can be, in the same case, as relative · |exact| + absolute: tighter where kernel values are
   * much smaller than the largest. For kernels that can be 0 however long the samples are, `relative` is 0.
   */
  worstShare(largest: number, normQ: number): { readonly relative: number; readonly absolute: number }
}

/** Unit roundoff; error of an exponent beyond which far pairs are corrected (assembly/kernel/far.ts); numbers that still fit. */
export const ARITHMETIC = {
  f32: { rounding: 2 ** -24, tolerated: 1e-3, smallest: 2 ** -120, largest: 1e30 },
  f64: { rounding: 2 ** -53, tolerated: 1e-11, smallest: 2 ** -1000, largest: 1e300 },
} as const
/** What stays of kernel values that are nothing, with a few that are as they come. */
const FLOOR = 2 ** -98
/** Exponents from which on kernel values are nothing. */
const NOTHING_FROM = 70
/** For second orders, and for norms that were computed. */
const SLACK = 1.001

/**
 * Bounds for a kernel and samples. `growth` tells how errors of a long sum add up: 'worst', as they can; 'usual', as they do
 * when they are as often up as down, so that a bound is exceeded once in many thousand times.
 */
export function kernelError(
  kernel: EngineKernel,
  precision: Precision,
  traits: SampleTraits,
  growth: 'worst' | 'usual' = 'worst',
): KernelError {
  const { longest, integers } = traits
  const { rounding, smallest, largest: limit } = ARITHMETIC[precision]
  const length = growth === 'worst' ? longest : Math.min(longest, 2 * Math.sqrt(longest))
  const steps = precision === 'f32' ? (integers ? 3 : length + 2) : integers ? 0 : length
  if (kernel.kind === 'rbf') return rbfError(kernel.gamma, precision, traits, length, steps)
  const { kind, gamma, coef0, degree } = kernel
  const scale = kind === 'linear' ? 1 : Math.abs(gamma)
  const constant = kind === 'linear' ? 0 : Math.abs(coef0)
  const power = kind === 'polynomial' ? degree : 1
  const argument = (normX: number, normQ: number) => scale * Math.sqrt(normX * normQ) + constant
  const absolute = (normX: number, normQ: number): number => {
    const size = argument(normX, normQ) ** power
    const share = SLACK * rounding * (steps + 4)
    if (!(size < limit && normX + normQ < limit)) return Number.POSITIVE_INFINITY
    // Of products too small for their exponents, nothing may be left; of zeros, nothing is lost.
    const lost = size === 0 ? 0 : smallest * (1 + size)
    if (kind === 'sigmoid') return Math.min(2, share * size + SLACK * 8 * rounding) + lost
    return size * Math.expm1(power * (share + rounding)) + lost
  }
  return {
    size: (normX, normQ) => (kind === 'sigmoid' ? 1 : argument(normX, normQ) ** power),
    absolute,
    worst: absolute,
    worstShare: (largest, normQ) => ({ relative: 0, absolute: absolute(largest, normQ) }),
  }
}

function rbfError(
  gamma: number,
  precision: Precision,
  { longest, integers }: SampleTraits,
  length: number,
  steps: number,
): KernelError {
  const { rounding, tolerated, largest: limit } = ARITHMETIC[precision]
  const isExact = integers && precision === 'f64'
  const growth = 4 + (integers ? 0 : Math.sqrt(longest))
  const far = isExact ? Number.POSITIVE_INFINITY : (SLACK * tolerated) / (2 * gamma * rounding * growth)
  const norms = isExact ? 0 : precision === 'f32' ? 2 : length + 1
  const rate = SLACK * (5 * rounding + 2 ** -53 * (longest + 3))
  const fixed = SLACK * 8 * rounding
  /** E, in the notation of the head. */
  const exponent = (a: number, b: number): number => {
    const stored = 2 ** -52 * Math.sqrt(NOTHING_FROM * gamma) * (Math.sqrt(a) + Math.sqrt(b))
    if (Math.min(a, b) > far) return SLACK * stored
    return SLACK * (gamma * rounding * (norms * (a + b) + 2 * steps * Math.sqrt(a * b)) + stored)
  }
  // Where one norm is more than twice the other: t > ¼ γ times the larger square, so that E <= κt.
  const kappa = SLACK * (4 * rounding * (1.25 * norms + steps) + 6 * 2 ** -53) + rate
  /** The most that e^−t (e^(κt) − 1) <= κt e^−(1 − κ)t can be then. */
  const lopsided = (b: number): number => {
    if (kappa > 0.5) return 1
    const least = Math.max(1, ((1 - kappa) * gamma * b) / 4)
    return (kappa / (1 - kappa)) * least * Math.exp(-least)
  }
  /** The largest E with norms up to `largest` that are not more than twice apart: of those, not all are far pairs. */
  const worstExponent = (largest: number, b: number): number => {
    const reach = Math.min(largest, 4 * b)
    return Math.max(exponent(reach, b), b < 4 * far ? exponent(Math.min(far, reach), b) : 0)
  }
  const worst = (largest: number, b: number): number => {
    if (!(largest + b < limit)) return Number.POSITIVE_INFINITY
    const e = Math.min(1, worstExponent(largest, b))
    return Math.min(1, Math.expm1(e) + fixed + rate * Math.exp(e - 1) + lopsided(b)) + FLOOR
  }
  return {
    size: () => 1,
    absolute(a, b) {
      if (!(a + b < limit)) return Number.POSITIVE_INFINITY
      const least = gamma * (Math.sqrt(a) - Math.sqrt(b)) ** 2
      const e = exponent(a, b)
      if (e > 1) return Math.exp(Math.min(0, e + (rate - 1) * least)) + FLOOR
      // t e^−t is largest at t = 1.
      const proportional = rate * Math.exp(e) * (least < 1 ? Math.exp(-1) : least * Math.exp(-least))
      return Math.exp(-least) * (Math.expm1(e) + fixed) + proportional + FLOOR
    },
    worst,
    worstShare(largest, b) {
      const balanced = worstExponent(largest, b)
      const all = Math.max(balanced, exponent(largest, b), exponent(Math.min(far, largest), b))
      // Pairs of very different norms have no place of their own where they err hardly more than the others.
      const apart = all > 4 * balanced
      const e = apart ? balanced : all
      if (!(largest + b < limit && e < 1)) return { relative: 0, absolute: worst(largest, b) }
      const most = Math.min(NOTHING_FROM, gamma * (Math.sqrt(largest) + Math.sqrt(b)) ** 2)
      return { relative: Math.expm1(e + rate * most) + fixed, absolute: (apart ? lopsided(b) : 0) + FLOOR }
    },
  }
}
