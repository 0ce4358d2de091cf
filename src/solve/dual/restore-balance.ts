/**
 * What rounding leaves of Σ y_i α_i = 0. Each step keeps the balance to the rounding of the α it moves, so what is left is small
 * beside the largest α that there has been: beside α that have shrunk by orders since then it may be large.
 */

/** More than this part of Σ α is taken back; `verify` takes ten times as much for rounding. */
const MOST_LEFT = 1e-10

/** Takes what is left from the largest free α of the side that has too much; one at its bound C stays there. */
export function restoreBalance(y: Float64Array, C: Float64Array, alpha: Float64Array): void {
  let left = 0
  let size = 0
  for (let i = 0; i < alpha.length; i++) {
    left += y[i] * alpha[i]
    size += alpha[i]
  }
  const most = Math.abs(left)
  if (!(most > MOST_LEFT * size)) return
  let largest = -1
  for (let i = 0; i < alpha.length; i++) {
    const isFree = alpha[i] > most && alpha[i] < C[i]
    if (isFree && y[i] * left > 0 && (largest < 0 || alpha[i] > alpha[largest])) largest = i
  }
  if (largest >= 0) alpha[largest] -= most
}
