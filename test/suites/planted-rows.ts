/** Sparse rows with normal values, and the values at them of a planted function. */
import type { Random } from '../../src/base/random.ts'
import type { SparseMatrix } from '../../src/data/matrix/matrix.ts'

/** `perRow` values a row; features are from 10^−spread to 10^spread in size, and the function is that of features of size 1. */
export function plantedRows(
  random: Random,
  { rows, cols, perRow, spread = 0 }: { rows: number; cols: number; perRow: number; spread?: number },
): { readonly samples: SparseMatrix; readonly f: Float64Array } {
  const truth = Float64Array.from({ length: cols }, () => random.normal())
  const sizes = Float64Array.from({ length: cols }, () => 10 ** (spread * (2 * random.uniform() - 1)))
  const indices: number[] = []
  const values: number[] = []
  const f = new Float64Array(rows)
  for (let i = 0; i < rows; i++) {
    const own = new Set<number>()
    while (own.size < perRow) own.add(random.int(cols))
    for (const j of [...own].sort((a, b) => a - b)) {
      const value = random.normal()
      indices.push(j)
      values.push(value * sizes[j])
      f[i] += value * truth[j]
    }
  }
  const samples: SparseMatrix = {
    kind: 'sparse',
    rows,
    cols,
    indptr: Uint32Array.from({ length: rows + 1 }, (_, i) => i * perRow),
    indices: Uint32Array.from(indices),
    values: Float64Array.from(values),
  }
  return { samples, f }
}
