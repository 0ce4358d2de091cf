import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DataError, ParameterError } from '../../../src/base/errors.ts'
import { Random } from '../../../src/base/random.ts'
import { type DenseMatrix, type SparseMatrix, toDense, toSparse } from '../../../src/data/matrix/matrix.ts'
import { parseRangeFile } from '../../../src/data/scaling/range-file.ts'
import { fitRangeScaler } from '../../../src/data/scaling/range-scaler.ts'
import { applyScaler, filledColumns } from '../../../src/data/scaling/scaler.ts'
import golden from '../../golden/scalers.json' with { type: 'json' }
import { largestRelativeDifference, libsvmText, parseScaledText, scaledLines } from './svm-scale-text.ts'

fc.configureGlobal({ seed: 1 })

const dense = (rows: number[][]): DenseMatrix => ({
  kind: 'dense',
  rows: rows.length,
  cols: rows[0]?.length ?? 0,
  values: Float64Array.from(rows.flat()),
})

describe('fitRangeScaler', () => {
  it('maps min to lower, max to upper and the middle linearly', () => {
    const scaler = fitRangeScaler([
      [0, 10],
      [1, 20],
      [4, 40],
    ])
    expect(scaler).toEqual({ kind: 'range', lower: -1, upper: 1, min: [0, 10], max: [4, 40] })
    expect(Array.from(applyScaler(scaler, [[1, 25]]).values)).toEqual([-0.5, 0])
    expect(Array.from(applyScaler(scaler, [[8, -20]]).values)).toEqual([3, -3])
  })

  it('hits both ends to the last bit where the formula would not', () => {
    const rows = [[0.1], [0.7], [1.1]]
    const scaler = fitRangeScaler(rows, { lower: 0.1, upper: 0.3 })
    const { values } = applyScaler(scaler, rows)
    expect(values[0]).toBe(0.1)
    expect(values[2]).toBe(0.3)
  })

  it('drops constant features, also when new rows are not constant there', () => {
    const scaler = fitRangeScaler([
      [5, 1],
      [5, 2],
    ])
    expect(Array.from(applyScaler(scaler, [[7, 2]]).values)).toEqual([0, 1])
    expect(applyScaler(scaler, toSparse(dense([[7, 2]])))).toMatchObject({
      cols: 2,
      indices: Uint32Array.of(1),
      values: Float64Array.of(1),
    })
  })

  it('counts absent entries as zeros', () => {
    const matrix = toSparse(dense([[3], [0], [5]]))
    expect(fitRangeScaler(matrix)).toMatchObject({ min: [0], max: [5] })
    expect(fitRangeScaler(toSparse(dense([[3], [4], [5]])))).toMatchObject({ min: [3], max: [5] })
    expect(fitRangeScaler(toSparse(dense([[-3], [0]])))).toMatchObject({ min: [-3], max: [0] })
  })

  it('keeps non-negative sparse data sparse with lower 0 and says when it would not', () => {
    const matrix = toSparse(
      dense([
        [0, 2, 0, 0],
        [4, 0, 0, 0],
        [0, 1, 0, 8],
      ]),
    )
    const gentle = fitRangeScaler(matrix, { lower: 0 })
    expect(filledColumns(gentle)).toBe(0)
    const scaled = applyScaler(gentle, matrix) as SparseMatrix
    expect(scaled.indptr).toEqual(matrix.indptr)
    expect(scaled.indices).toEqual(matrix.indices)
    expect(Array.from(scaled.values)).toEqual([1, 1, 0.5, 1])

    const harsh = fitRangeScaler(matrix)
    expect(filledColumns(harsh)).toBe(3)
    const filled = applyScaler(harsh, matrix) as SparseMatrix
    expect(filled.kind).toBe('sparse')
    expect(Array.from(toDense(filled).values)).toEqual([-1, 1, 0, -1, 1, -1, 0, -1, -1, 0, 0, 1])
    expect(filled.values.every((value) => value !== 0)).toBe(true)
  })

  it('drops features it does not know and scales missing ones as zeros', () => {
    const scaler = fitRangeScaler([
      [0, 2],
      [4, -2],
    ])
    const wide = dense([[4, 2, 9, 9]])
    const narrow = dense([[2]])
    for (const [matrix, expected] of [
      [wide, [1, 1]],
      [narrow, [0, 0]],
    ] as const) {
      expect(applyScaler(scaler, matrix)).toEqual({ ...dense([[...expected]]) })
      const sparse = applyScaler(scaler, toSparse(matrix))
      expect([sparse.kind, sparse.cols]).toEqual(['sparse', 2])
      expect(Array.from(toDense(sparse).values)).toEqual(expected)
    }
  })

  it('leaves its input alone', () => {
    const matrix = dense([[1], [2]])
    applyScaler(fitRangeScaler(matrix), matrix)
    expect(Array.from(matrix.values)).toEqual([1, 2])
  })

  it('survives JSON', () => {
    const scaler = fitRangeScaler([[0.1], [1e-300], [1 / 3]])
    expect(JSON.parse(JSON.stringify(scaler))).toEqual(scaler)
  })

  it('refuses what it cannot do', () => {
    expect(() => fitRangeScaler([[1]], { lower: 1, upper: 1 })).toThrow(
      new ParameterError('fitRangeScaler', 'upper', '> lower (1)', 1),
    )
    expect(() => fitRangeScaler([[1]], { lower: Number.NaN })).toThrow(ParameterError)
    expect(() => fitRangeScaler([[1]], { low: 0 } as object)).toThrow(/option must be one of lower, upper/)
    expect(() => fitRangeScaler([])).toThrow(new DataError('fitRangeScaler: there are no samples'))
    expect(() => fitRangeScaler([[1e308], [-1e308]])).toThrow(/column 0 spans -1e\+308 to 1e\+308/)
    expect(() => fitRangeScaler([[Number.NaN]])).toThrow(/row 0, column 0 is NaN/)
    const narrow = fitRangeScaler([[0], [1e-300]])
    expect(() => applyScaler(narrow, [[1], [1e300]])).toThrow(/row 1, column 0 is Infinity/)
  })

  it('gives the same numbers dense and sparse, with training rows inside the range', () => {
    const value = fc.oneof(fc.constant(0), fc.double({ noNaN: true, min: -1e6, max: 1e6 }))
    const matrix = fc
      .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 5 }))
      .chain(([rows, cols]) =>
        fc.array(fc.array(value, { minLength: cols, maxLength: cols }), { minLength: rows, maxLength: rows }),
      )
    fc.assert(
      fc.property(matrix, fc.constantFrom([-1, 1], [0, 1], [0.5, 3], [-4, -1]), (rows, [lower, upper]) => {
        const scaler = fitRangeScaler(rows, { lower, upper })
        expect(fitRangeScaler(toSparse(dense(rows)), { lower, upper })).toEqual(scaler)
        const scaled = toDense(applyScaler(scaler, rows))
        const zeroFree = (list: Float64Array): number[] => Array.from(list, (entry) => entry + 0)
        expect(zeroFree(toDense(applyScaler(scaler, toSparse(dense(rows)))).values)).toEqual(
          zeroFree(scaled.values),
        )
        scaled.values.forEach((entry, k) => {
          const j = k % scaled.cols
          if (scaler.min[j] === scaler.max[j]) expect(entry).toBe(0)
          else {
            expect(entry).toBeGreaterThanOrEqual(lower - 1e-12)
            expect(entry).toBeLessThanOrEqual(upper + 1e-12)
          }
        })
      }),
    )
  })
})

describe('svm-scale, recorded', () => {
  const labels = golden.matrix.map((_, i) => i % 3)
  it.each(golden.svmScale)('agrees with options $options', ({ output, ranges }) => {
    const theirs = parseRangeFile(ranges)
    const scaler = fitRangeScaler(golden.matrix, { lower: theirs.lower, upper: theirs.upper })
    theirs.min.forEach((low, j) => {
      if (low !== theirs.max[j]) expect([scaler.min[j], scaler.max[j]]).toEqual([low, theirs.max[j]])
      else expect(scaler.min[j]).toBe(scaler.max[j])
    })
    const ours = scaledLines(applyScaler(scaler, golden.matrix), labels)
    const printed = parseScaledText(output)
    const indices = (lines: typeof ours): number[][] =>
      lines.map((line) => line.entries.map(([index]) => index))
    expect(indices(ours)).toEqual(indices(printed))
    expect(largestRelativeDifference(ours, printed)).toBeLessThan(6e-6)
  })
})

const hasSvmScale = spawnSync('svm-scale').error === undefined
const required = Boolean(process.env.CI)

describe.skipIf(!hasSvmScale && !required)('svm-scale, run here', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'svm-scale-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const svmScale = (...args: string[]): string => {
    const run = spawnSync('svm-scale', args, { cwd: folder, encoding: 'utf8' })
    expect(run.status).toBe(0)
    return run.stdout
  }

  const randomMatrix = (random: Random, rows: number, cols: number): DenseMatrix => {
    const values = new Float64Array(rows * cols)
    for (let k = 0; k < values.length; k++) {
      if (random.uniform() < 0.6) values[k] = random.normal() * 10 ** ((k % cols) - 3)
    }
    return { kind: 'dense', rows, cols, values }
  }

  it.each([
    [1, '-1', '1'],
    [2, '0', '1'],
    [3, '0.25', '8'],
  ])(
    'scales training rows and wider or narrower test rows alike (seed %i, %s to %s)',
    (seed, lower, upper) => {
      const random = new Random(seed)
      const train = randomMatrix(random, 15, 7)
      const labels = Array.from({ length: 15 }, (_, i) => i)
      writeFileSync(join(folder, 'train'), libsvmText(train, labels))
      const fitted = svmScale('-l', lower, '-u', upper, '-s', 'ranges', 'train')
      const scaler = parseRangeFile(readFileSync(join(folder, 'ranges'), 'utf8'), 'ranges')
      expect(fitRangeScaler(toSparse(train), { lower: Number(lower), upper: Number(upper) })).toEqual(scaler)

      const compare = (matrix: DenseMatrix, text: string): void => {
        const ours = scaledLines(applyScaler(scaler, toSparse(matrix)), labels)
        const theirs = parseScaledText(text)
        expect(ours.map((line) => [line.label, line.entries.map(([index]) => index)])).toEqual(
          theirs.map((line) => [line.label, line.entries.map(([index]) => index)]),
        )
        expect(largestRelativeDifference(ours, theirs)).toBeLessThan(6e-6)
      }
      compare(train, fitted)
      for (const cols of [4, 10]) {
        const test = randomMatrix(random, 15, cols)
        writeFileSync(join(folder, 'test'), libsvmText(test, labels))
        compare(test, svmScale('-r', 'ranges', 'test'))
      }
    },
  )
})
