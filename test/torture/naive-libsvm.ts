import type { LibsvmOptions, SparseDataset } from '../../src/data/libsvm/libsvm-parser.ts'

/** LIBSVM text that is known to be sound, read in the plainest way. */
export function naiveLibsvm(
  input: string,
  options: LibsvmOptions,
): Pick<SparseDataset, 'labels' | 'samples'> {
  const lines = input
    .split('\n')
    .map((line) =>
      line
        .replace(/#.*/s, '')
        .split(/[ \t\r]+/)
        .filter(Boolean),
    )
    .filter((tokens) => tokens.length > 0)
  const labels = lines.map(([label]) => label)
  const asWords = options.labels === 'string' || !Number.isFinite(Number(labels[0]))
  const rows = lines.map(([, ...tokens]) =>
    tokens.filter((token) => !token.startsWith('qid:')).map((token) => token.split(':').map(Number)),
  )
  const all = rows.flat()
  const { indexBase = 'auto' } = options
  const base = indexBase === 'auto' ? (all.some(([index]) => index === 0) ? 0 : 1) : indexBase
  const largest = all.reduce((most, [index]) => Math.max(most, index), base - 1)
  const stored = rows.map((row) => row.filter(([, value]) => value !== 0))
  const indptr = new Uint32Array(rows.length + 1)
  stored.forEach((row, i) => {
    indptr[i + 1] = indptr[i] + row.length
  })
  return {
    labels: asWords ? labels : Float64Array.from(labels, Number),
    samples: {
      kind: 'sparse',
      rows: rows.length,
      cols: options.features ?? Math.max(0, largest + 1 - base),
      indptr,
      indices: Uint32Array.from(stored.flat(), ([index]) => index - base),
      values: Float64Array.from(stored.flat(), ([, value]) => value),
    },
  }
}
