/** Coefficients that are not 0, by row of the matrix: first the positive ones, then the sizes of the negative ones. */
export interface Terms {
  readonly of: Float64Array
  readonly rowOf: Uint32Array | undefined
  readonly rows: Uint32Array
  readonly coefficients: Float64Array
  /** How many are positive. */
  readonly positive: number
}

/** Those of an expansion over the samples `support`, whose rows `rowOf` tells. */
export function gatherTerms(support: Uint32Array, of: Float64Array, rowOf: Uint32Array | undefined): Terms {
  const rows = new Uint32Array(support.length)
  const coefficients = new Float64Array(support.length)
  /** Where each row has its term, counted from 1. */
  const places = new Uint32Array(rowOf ? largestOf(rowOf) + 1 : of.length)
  let count = 0
  let positive = 0
  for (const sign of [1, -1]) {
    places.fill(0)
    for (let k = 0; k < support.length; k++) {
      const j = support[k]
      const size = sign * of[j]
      if (!(size > 0)) continue
      const row = rowOf ? rowOf[j] : j
      if (places[row] === 0) {
        rows[count++] = row
        places[row] = count
      }
      coefficients[places[row] - 1] += size
    }
    if (sign > 0) positive = count
  }
  return { of, rowOf, rows: rows.slice(0, count), coefficients: coefficients.slice(0, count), positive }
}

/** The largest of some numbers; 0 without any. */
export function largestOf(values: Uint32Array): number {
  let most = 0
  for (let i = 0; i < values.length; i++) if (values[i] > most) most = values[i]
  return most
}
