/** The multipliers of ./active-set.ts: what of y lies along the columns of Z. */
import type { FreeFactor } from './cholesky-factor.ts'

/** A column of Z whose square is below this share of what it was, once it is orthogonal to the other, is not one of its own. */
const TINY = 1e-20

/**
 * λ of ZᵀZ λ = Zᵀ y and w = y − Z λ: y without its part along the columns of Z, the second of them made orthogonal to the
 * first. Done twice, as rounding leaves something where Z is large. `across` is scratch, as long as w.
 */
export function projectOut(
  { size, sides }: FreeFactor,
  lambda: Float64Array,
  w: Float64Array,
  across: Float64Array,
): void {
  const [y, first, second] = sides
  w.set(y.subarray(0, size))
  lambda.fill(0)
  const square = inner(first, first, size)
  // Without a free variable of a group its column is 0, and its λ does not matter.
  const slant = second && square > 0 ? inner(first, second, size) / square : 0
  let crossing = 0
  if (second) {
    for (let k = 0; k < size; k++) across[k] = second[k] - slant * first[k]
    if (inner(across, across, size) > TINY * inner(second, second, size))
      crossing = inner(across, across, size)
  }
  for (let pass = 0; pass < 2; pass++) {
    if (crossing > 0) {
      const share = inner(across, w, size) / crossing
      lambda[1] += share
      lambda[0] -= share * slant
      for (let k = 0; k < size; k++) w[k] -= share * across[k]
    }
    if (square > 0) {
      const share = inner(first, w, size) / square
      lambda[0] += share
      for (let k = 0; k < size; k++) w[k] -= share * first[k]
    }
  }
}

/** Σ a_k b_k over k < length. */
export function inner(a: Float64Array, b: Float64Array, length: number): number {
  let sum = 0
  for (let k = 0; k < length; k++) sum += a[k] * b[k]
  return sum
}
