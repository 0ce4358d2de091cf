// Sparse data from a seed, for linear machines: rows of words, or of any features, with labels or targets of a planted model.
import { makeDataset, Random } from 'hyperplane'

/**
 * `n` rows of about `perRow` values among `features`. Words are drawn by their rank: with `skew` 1 evenly on a logarithmic scale, as in
 * texts, with 0 all are alike. `values` are 'ones', 'normal', or 'text': counts, each row scaled to length 1. Labels are those of the
 * largest of `classes` planted functions (2: the sign of one), `flips` of them drawn anew; without classes, targets with noise of
 * deviation `flips`.
 */
export function sparse({
  n,
  features,
  perRow,
  skew = 1,
  values: kind = 'text',
  classes = 2,
  flips = 0.05,
  seed,
}) {
  const random = new Random(seed)
  const functions = classes > 2 ? classes : 1
  const planted = Float64Array.from({ length: features * functions }, () => random.normal())
  const indptr = new Uint32Array(n + 1)
  const indices = []
  const values = []
  const labels = new Float64Array(n)
  const scores = new Float64Array(functions)
  for (let i = 0; i < n; i++) {
    const counts = new Map()
    const length = 1 + random.int(2 * perRow)
    for (let k = 0; k < length; k++) {
      const rank = skew > 0 ? features ** random.uniform() - 1 : features * random.uniform()
      // Ranks are not indices: a frequent word may be anywhere.
      const j = ((Math.floor(rank) % features) * 7919) % features
      counts.set(j, (counts.get(j) ?? 0) + 1)
    }
    const row = [...counts].sort(([a], [b]) => a - b)
    const own = row.map(([, count]) =>
      kind === 'text' ? 1 + Math.log(count) : kind === 'normal' ? random.normal() : 1,
    )
    const norm = kind === 'text' ? Math.hypot(...own) : 1
    scores.fill(0)
    for (let k = 0; k < row.length; k++) {
      const value = Number((own[k] / norm).toFixed(6))
      indices.push(row[k][0])
      values.push(value)
      for (let m = 0; m < functions; m++) scores[m] += value * planted[row[k][0] * functions + m]
    }
    indptr[i + 1] = indices.length
    labels[i] = labelOf(scores, classes, flips, random)
  }
  const matrix = { kind: 'sparse', rows: n, cols: features, indptr }
  return makeDataset(
    { ...matrix, indices: Uint32Array.from(indices), values: Float64Array.from(values) },
    labels,
  )
}

function labelOf(scores, classes, flips, random) {
  if (classes === 0) return Number((scores[0] + flips * random.normal()).toFixed(4))
  const isFlipped = random.uniform() < flips
  if (classes === 2) return scores[0] > 0 !== isFlipped ? 1 : -1
  return 1 + (isFlipped ? random.int(classes) : scores.indexOf(Math.max(...scores)))
}
