import { describe, expect, it } from 'vitest'
import { lazyRows } from '../../../src/data/matrix/lazy-rows.ts'
import { type Matrix, selectRows } from '../../../src/data/matrix/matrix.ts'
import { someMatrix, storages } from '../../suites/matrices.ts'

function fieldsOf(matrix: Matrix) {
  const { kind, rows, cols, values } = matrix
  return {
    kind,
    rows,
    cols,
    values,
    ...(matrix.kind === 'sparse' && { at: [matrix.indptr, matrix.indices] }),
  }
}

describe.each(storages)('rows chosen for later, $storage', ({ store }) => {
  const matrix = store(someMatrix(3, 9, 4))

  it('are those that are chosen at once', () => {
    for (const chosen of [[], [8, 0, 3], [2]]) {
      expect(fieldsOf(lazyRows(matrix, chosen))).toEqual(fieldsOf(selectRows(matrix, chosen)))
    }
  })

  it('know their number before values are copied, and copy them once', () => {
    let reads = 0
    const watched = Object.defineProperty({ ...matrix }, 'values', {
      get: () => {
        reads++
        return matrix.values
      },
    }) as typeof matrix
    const late = lazyRows(watched, [1, 2])
    expect([late.kind, late.rows, late.cols, reads]).toEqual([matrix.kind, 2, 4, 0])
    const { values } = late
    const before = reads
    expect(before).toBeGreaterThan(0)
    expect(late.values).toBe(values)
    expect(reads).toBe(before)
  })
})
