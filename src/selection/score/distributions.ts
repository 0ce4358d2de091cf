/**
 * The two distributions that tests of models need, through the incomplete beta function
 *
 *   I_x(a, b) = Γ(a + b) / (Γ(a) Γ(b)) ∫_0^x t^(a−1) (1 − t)^(b−1) dt
 *
 * evaluated by its continued fraction (DLMF 8.17.22) with the modified Lentz method, on the side where that converges fast.
 */

/** Γ by Lanczos's approximation, g = 7: coefficients of Godfrey. Good to about 15 digits. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
]
/** Lentz: what stands for 0; the change of the product below which it stays; terms, of which √(max(a, b)) or so are needed. */
const TINY = 1e-300
const PRECISION = 1e-16
const MOST_TERMS = 10_000

/** ln Γ(x) for x > 0. */
export function logGamma(x: number): number {
  const z = x - 1
  const t = z + 7.5
  const series = LANCZOS.reduce((sum, coefficient, k) =>
    k === 0 ? coefficient : sum + coefficient / (z + k),
  )
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(series)
}

/** I_x(a, b) for 0 <= x <= 1 and a, b > 0. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a)
  const front = logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)
  return (Math.exp(front) * betaFraction(x, a, b)) / a
}

/** 1 / (1 + d_1 / (1 + d_2 / (1 + …))) with the d of DLMF 8.17.23. */
function betaFraction(x: number, a: number, b: number): number {
  const away = (value: number): number => (Math.abs(value) < TINY ? TINY : value)
  let c = 1
  let d = 1 / away(1 - ((a + b) * x) / (a + 1))
  let value = d
  for (let m = 1; m <= MOST_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / away(1 + even * d)
    c = away(1 + even / c)
    value *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / away(1 + odd * d)
    c = away(1 + odd / c)
    value *= d * c
    if (Math.abs(d * c - 1) < PRECISION) break
  }
  return value
}

/** P(|T| >= |t|) for Student's t with so many degrees of freedom. */
export function studentTwoSided(t: number, freedom: number): number {
  if (!Number.isFinite(t)) return Number.isNaN(t) ? Number.NaN : 0
  return incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5)
}

/** P(F >= f) for Fisher's F with so many degrees of freedom above and below. */
export function fisherUpper(f: number, above: number, below: number): number {
  if (!Number.isFinite(f)) return Number.isNaN(f) ? Number.NaN : 0
  return f <= 0 ? 1 : incompleteBeta(below / (below + above * f), below / 2, above / 2)
}
