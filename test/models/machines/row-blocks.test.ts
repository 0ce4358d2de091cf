import { describe, expect, it } from 'vitest'
import { toMatrix } from '../../../src/data/matrix/matrix.ts'
import { joinBlocks, rowBlocks } from '../../../src/models/machines/row-blocks.ts'

const rows = Array.from({ length: 40 }, (_, i) => [i, -i])

describe('blocks of rows', () => {
  it('are one where the values take little memory: the samples themselves', () => {
    expect([...rowBlocks(rows, 10)]).toEqual([{ from: 0, rows }])
  })

  it('hold each row once, in order, and at least sixteen', () => {
    for (const samples of [rows, toMatrix(rows)]) {
      const blocks = [...rowBlocks<number[]>(samples as never, 1e7)]
      expect(blocks.map(({ from }) => from)).toEqual([0, 16, 32])
      const firsts = blocks.flatMap(({ rows: some }) =>
        Array.isArray(some)
          ? some.map(([first]) => first)
          : Array.from((some as unknown as ReturnType<typeof toMatrix>).values).filter((_, k) => k % 2 === 0),
      )
      expect(firsts).toEqual(rows.map(([first]) => first))
    }
  })
})

describe('values of blocks', () => {
  it('are joined one after the other', () => {
    const joined = joinBlocks(5, (visit) => {
      visit(Float64Array.of(1, 2), 0)
      visit(Float64Array.of(3, 4, 5), 2)
    })
    expect([...joined]).toEqual([1, 2, 3, 4, 5])
  })

  it('are not copied where there is one block', () => {
    const all = Float64Array.of(1, 2, 3)
    expect(joinBlocks(3, (visit) => visit(all, 0))).toBe(all)
  })
})
