// The functions of a model, one for every pair of classes: its support vectors with a coefficient, by their number.

/**
 * `{ pair: [i, j], positive, vectors, coefficients, bias }` of each pair of classes i < j. The positive class is the second
 * of two, and the first of each pair where there are more.
 */
export function pairsOf({ classes, supportCounts, dualCoef, biases }) {
  const k = classes.length
  const starts = [0]
  for (const count of supportCounts) starts.push(starts.at(-1) + count)
  const pairs = []
  for (let i = 0; i < k; i++) {
    for (let j = i + 1; j < k; j++) {
      const members = [...membersOf(starts, i, j - 1), ...membersOf(starts, j, i)]
      const used = members.filter(({ at }) => dualCoef[at] !== 0)
      pairs.push({
        pair: [i, j],
        positive: k === 2 ? j : i,
        vectors: used.map(({ vector }) => vector),
        coefficients: Float64Array.from(used, ({ at }) => dualCoef[at]),
        bias: biases[pairs.length],
      })
    }
  }
  return pairs
}

/** The support vectors of a class, and where their coefficients in a row are. */
function membersOf(starts, c, row) {
  return Array.from({ length: starts[c + 1] - starts[c] }, (_, s) => ({
    vector: starts[c] + s,
    at: row * starts.at(-1) + starts[c] + s,
  }))
}
