/** The point of a simplex next to a given one. */

/**
 * θ with Σ max(0, D_a − θ) = total, over the first `count` entries of D, which are lost: D − θ, cut at 0, is the point of a simplex
 * next to D. The mean over too many entries is too low, and every entry that it exceeds is beneath the solution too (Michelot). An
 * entry that has dropped stays out, whatever rounding says of it later: each pass but the last drops one at least, so there are at
 * most `count` passes.
 */
export function simplexThreshold(D: Float64Array, count: number, total: number): number {
  let kept = count
  for (;;) {
    let sum = -total
    for (let a = 0; a < kept; a++) sum += D[a]
    const theta = sum / kept
    let remaining = 0
    for (let a = 0; a < kept; a++) if (D[a] > theta) D[remaining++] = D[a]
    if (remaining === kept || remaining === 0) return theta
    kept = remaining
  }
}
