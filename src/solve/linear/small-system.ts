/** A small square matrix, L U with the largest pivot of each column, and systems with it. */

/** Room for matrices of up to `most` rows. */
export class SmallSystem {
  private readonly most: number
  private readonly LU: Float64Array
  private readonly order: Uint32Array
  private readonly x: Float64Array
  private n = 0

  constructor(most: number) {
    this.most = most
    this.LU = new Float64Array(most * most)
    this.order = new Uint32Array(most)
    this.x = new Float64Array(most)
  }

  /** Decomposes the matrix of n rows with these entries. */
  decompose(n: number, entry: (i: number, j: number) => number): void {
    const { most, LU, order } = this
    this.n = n
    for (let i = 0; i < n; i++) {
      order[i] = i
      for (let j = 0; j < n; j++) LU[i * most + j] = entry(i, j)
    }
    for (let j = 0; j < n; j++) {
      let best = j
      for (let i = j + 1; i < n; i++)
        if (Math.abs(LU[order[i] * most + j]) > Math.abs(LU[order[best] * most + j])) best = i
      const pivot = order[best]
      order[best] = order[j]
      order[j] = pivot
      for (let i = j + 1; i < n; i++) {
        const own = order[i] * most
        const part = LU[own + j] / LU[pivot * most + j]
        LU[own + j] = part
        if (part !== 0) for (let k = j + 1; k < n; k++) LU[own + k] -= part * LU[pivot * most + k]
      }
    }
  }

  /** Replaces the first entries of `side` by the solution. */
  solve(side: Float64Array): void {
    const { n, most, LU, order, x } = this
    for (let i = 0; i < n; i++) {
      let sum = side[order[i]]
      for (let k = 0; k < i; k++) sum -= LU[order[i] * most + k] * x[k]
      x[i] = sum
    }
    for (let i = n - 1; i >= 0; i--) {
      for (let k = i + 1; k < n; k++) x[i] -= LU[order[i] * most + k] * x[k]
      x[i] /= LU[order[i] * most + i]
    }
    for (let i = 0; i < n; i++) side[i] = x[i]
  }
}
