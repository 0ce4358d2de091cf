import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type SparseMatrix, toDense, toMatrix, toSparse } from '../../../src/data/matrix/matrix.ts'
import { applyScaler, filledColumns } from '../../../src/data/scaling/scaler.ts'
import { scalerSchema } from '../../../src/data/scaling/scaler-schema.ts'
import { fitStandardScaler } from '../../../src/data/scaling/standard-scaler.ts'
import { expectClose } from '../../close.ts'
import golden from '../../golden/scalers.json' with { type: 'json' }

fc.configureGlobal({ seed: 1 })

const sparse = (rows: number[][]): SparseMatrix => toSparse(toMatrix(rows))

describe('fitStandardScaler', () => {
  it('divides by the population deviation', () => {
    const scaler = fitStandardScaler([[1], [2], [3], [6]])
    expect(scaler).toEqual({ kind: 'standard', mean: [3], scale: [Math.sqrt(3.5)] })
    expect(Array.from(applyScaler(scaler, [[3]]).values)).toEqual([0])
  })

  it('centres a constant column to exact zeros and does not divide by a rounding error', () => {
    const rows = Array.from({ length: 1000 }, () => [0.1, 1e9 + 1 / 3])
    const scaler = fitStandardScaler(rows)
    expect(scaler.scale).toEqual([1, 1])
    expect(applyScaler(scaler, rows).values.every((value) => value === 0)).toBe(true)
  })

  it('treats a column that differs only by rounding as constant', () => {
    const rows = Array.from({ length: 100 }, (_, i) => [i % 2 ? 0.1 + 0.2 : 0.3])
    expect(fitStandardScaler(rows).scale).toEqual([1])
  })

  it('handles 1e6 beside 1e-6', () => {
    const rows = [
      [1e6, 1e-6],
      [2e6, 3e-6],
    ]
    expectClose(applyScaler(fitStandardScaler(rows), rows).values, [-1, -1, 1, 1])
  })

  it('keeps sparse rows sparse unless the mean is asked for', () => {
    const rows = sparse([
      [0, 3],
      [4, 0],
      [0, 0],
      [0, 5],
    ])
    const scaler = fitStandardScaler(rows)
    expect(scaler.mean).toEqual([0, 0])
    expect(filledColumns(scaler)).toBe(0)
    const scaled = applyScaler(scaler, rows) as SparseMatrix
    expect([scaled.indptr, scaled.indices]).toEqual([rows.indptr, rows.indices])
    expectClose(scaled.values, [3 / Math.sqrt(4.5), 4 / Math.sqrt(3), 5 / Math.sqrt(4.5)])

    const centred = fitStandardScaler(rows, { mean: true })
    expect(centred.mean).toEqual([1, 2])
    expect(filledColumns(centred)).toBe(2)
    expectClose(toDense(applyScaler(centred, rows)).values, applyScaler(centred, toDense(rows)).values)
  })

  it('agrees with scikit-learn', () => {
    const { standard, standardWithoutMean, matrix } = golden
    const scaler = fitStandardScaler(matrix)
    expectClose(scaler.mean, standard.mean as number[])
    expectClose(scaler.scale, standard.scale)
    expectClose(applyScaler(scaler, matrix).values, standard.scaled.flat())
    const sparseScaler = fitStandardScaler(sparse(matrix))
    expectClose(sparseScaler.scale, standardWithoutMean.scale)
    expectClose(toDense(applyScaler(sparseScaler, sparse(matrix))).values, standardWithoutMean.scaled.flat())
  })

  it('gives mean 0 and variance 1, dense or sparse', () => {
    const value = fc.oneof(fc.constant(0), fc.integer({ min: -1000, max: 1000 }))
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 12 }), (rows) => {
        const scaler = fitStandardScaler(rows)
        const fromSparse = fitStandardScaler(sparse(rows), { mean: true })
        expectClose(fromSparse.mean, scaler.mean)
        expectClose(fromSparse.scale, scaler.scale)
        const { values } = applyScaler(scaler, rows)
        for (const j of [0, 1]) {
          const column = Array.from(rows, (_, i) => values[2 * i + j])
          const mean = column.reduce((sum, entry) => sum + entry, 0) / rows.length
          const variance = column.reduce((sum, entry) => sum + entry * entry, 0) / rows.length
          const constant = rows.every((row) => row[j] === rows[0][j])
          expect(mean).toBeCloseTo(0, 10)
          expect(variance).toBeCloseTo(constant ? 0 : 1, 10)
        }
      }),
    )
  })

  it('refuses what it cannot do', () => {
    expect(() => fitStandardScaler([])).toThrow('fitStandardScaler: there are no samples')
    expect(() => fitStandardScaler([[1e200], [-1e200]])).toThrow(/variance of column 0/)
    expect(() => fitStandardScaler([[1]], { mean: 1 } as object)).toThrow(/mean must be true or false, got 1/)
    expect(() => fitStandardScaler([[1]], { withMean: true } as object)).toThrow(/option must be one of mean/)
  })
})

describe('scalerSchema', () => {
  it('accepts fitted scalers and refuses damaged ones', () => {
    const good = fitStandardScaler([[1], [2]])
    const range = { kind: 'range', lower: -1, upper: 1, min: [0, 1], max: [1, 1] }
    expect(scalerSchema.read(JSON.parse(JSON.stringify(good)))).toEqual(good)
    expect(scalerSchema.read(range)).toEqual(range)
    const damaged = [
      { ...good, kind: 'other' },
      { ...good, scale: [0] },
      { ...good, mean: [] },
      { ...good, mean: [null] },
      { ...range, upper: -1 },
      { ...range, min: [2, 1] },
      { ...range, max: [1] },
      { ...range, target: { lower: 0, upper: 1, min: 2, max: 1 } },
    ]
    for (const scaler of damaged) expect(scalerSchema.safeParse(scaler).success).toBe(false)
  })
})
