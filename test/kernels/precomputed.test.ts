import { describe, expect, it } from 'vitest'
import { selectRows, toMatrix, toSparse } from '../../src/data/matrix/matrix.ts'
import { kernelMatrix } from '../../src/kernels/kernel-matrix.ts'
import { precomputed, precomputedSamples } from '../../src/kernels/precomputed.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { someMatrix, storages } from '../suites/matrices.ts'

const train = someMatrix(1, 6, 3)
const unseen = someMatrix(2, 4, 3)
const gaussian = rbf({ gamma: 0.7 })
const gram = kernelMatrix(gaussian, train)
const samples = precomputedSamples(gram)
const queries = precomputedSamples(kernelMatrix(gaussian, unseen, train))

it('samples are the kernel values behind a serial number', () => {
  expect(samples.cols).toBe(7)
  expect(Array.from({ length: 6 }, (_, i) => samples.values[7 * i])).toEqual([1, 2, 3, 4, 5, 6])
  expect(samples.values.subarray(15, 21)).toEqual(gram.values.subarray(12, 18))
  const pair = { values: [2, 1, 1, 3], shape: [2, 2] } as const
  expect(precomputedSamples(pair).values).toEqual(Float64Array.of(1, 2, 1, 2, 1, 3))
})

describe.each(storages)('$storage', ({ store }) => {
  it('gives the training matrix and its diagonal back', () => {
    expect(kernelMatrix(precomputed(), store(samples))).toEqual(gram)
    expect(kernelMatrix(precomputed(), store(samples), store(samples))).toEqual(gram)
    expect(precomputed().diagonal(store(samples))).toEqual(gaussian.diagonal(train))
  })

  it('rows may be picked freely: folds keep the meaning of columns', () => {
    const chosen = [5, 0, 3]
    const fold = selectRows(store(samples), chosen)
    expect(kernelMatrix(precomputed(), fold)).toEqual(kernelMatrix(gaussian, selectRows(train, chosen)))
    expect(precomputed().diagonal(fold)).toEqual(Float64Array.of(1, 1, 1))
  })

  it('support vectors need their serial only', () => {
    const support = toMatrix([[4], [2]])
    const expected = kernelMatrix(gaussian, unseen, selectRows(train, [3, 1]))
    expect(kernelMatrix(precomputed(), store(queries), support)).toEqual(expected)
    expect(kernelMatrix(precomputed(), store(queries), toSparse(support))).toEqual(expected)
  })

  it('query samples need no serial', () => {
    const bare = { ...queries, values: queries.values.map((value, k) => (k % 7 === 0 ? 0 : value)) }
    expect(kernelMatrix(precomputed(), store(bare), store(samples))).toEqual(
      kernelMatrix(gaussian, unseen, train),
    )
  })
})

it.each([
  [[[0, 1, 2]], '0'],
  [[[1.5, 1, 2]], '1.5'],
  [[[3, 1, 2]], '3'],
  [[[-1, 1, 2]], '-1'],
])('refuses a serial number that names no column: %j', (rows, got) => {
  const message =
    'precomputed: column 0 of sample 0 must be its serial number in the training set, a whole number from 1 to 2 ' +
    `(the kernel values of a sample), got ${got}`
  expect(() => kernelMatrix(precomputed(), rows)).toThrow(message)
  expect(() => precomputed().diagonal(toMatrix(rows))).toThrow(message)
  expect(() => precomputed().diagonal(toSparse(toMatrix(rows)))).toThrow(message)
})
