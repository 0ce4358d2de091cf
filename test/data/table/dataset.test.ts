import { describe, expect, test } from 'vitest'
import { DataError } from '../../../src/base/errors.ts'
import {
  type RowsInput,
  type SparseMatrix,
  toDense,
  toMatrix,
  toSparse,
} from '../../../src/data/matrix/matrix.ts'
import { makeDataset, selectFeatures } from '../../../src/data/table/dataset.ts'

const sparse: SparseMatrix = {
  kind: 'sparse',
  rows: 2,
  cols: 3,
  indptr: Uint32Array.of(0, 2, 3),
  indices: Uint32Array.of(0, 2, 1),
  values: Float64Array.of(1, 2, 3),
}

describe('rows', () => {
  test('are arrays, flat with a shape, or a matrix', () => {
    const dense = { kind: 'dense', rows: 2, cols: 2, values: Float64Array.of(1, 2, 3, 4) }
    expect(toMatrix([[1, 2], Float32Array.of(3, 4)])).toEqual(dense)
    expect(toMatrix({ values: [1, 2, 3, 4], shape: [2, 2] })).toEqual(dense)
    expect(toMatrix(sparse)).toBe(sparse)
    expect(toMatrix([])).toMatchObject({ rows: 0, cols: 0 })
  })

  const broken: [what: string, rows: unknown, message: string][] = [
    ['nothing', undefined, 'rows must be an array of rows, got undefined'],
    ['a number', 3, 'rows must be an array of rows, got 3'],
    ['an object', {}, 'rows must be an array of rows, got an object'],
    ['one row instead of rows', [0.5, 0.25], 'row 0 must be an array of numbers, got 0.5'],
    ['a row that is text', [[1], 'x'], 'row 1 must be an array of numbers, got "x"'],
    ['a row that is missing', [[1], null], 'row 1 must be an array of numbers, got null'],
    ['rows of several lengths', [[1, 2], [3]], 'row 1 has 1 values, but row 0 has 2'],
    ['text in a row', [[1, '2']], 'row 0, column 1 is not a number: "2"'],
    ['NaN', [[1], [Number.NaN]], 'row 1, column 0 is NaN; values must be finite'],
    ['another shape', { values: [1, 2, 3], shape: [2, 2] }, 'a 2 x 2 matrix needs 4 values, got 3'],
    ['values too few', { ...sparse, values: Float64Array.of(1) }, sparseNeeds(2)],
    ['row pointers too few', { ...sparse, indptr: Uint32Array.of(0, 3) }, sparseNeeds(2)],
    ['row pointers from 1', { ...sparse, indptr: Uint32Array.of(1, 2, 3) }, sparseNeeds(2)],
    [
      'row pointers that fall',
      { ...sparse, rows: 3, indptr: Uint32Array.of(0, 2, 1, 3) },
      'row pointers must not decrease, but they do after row 1',
    ],
    [
      'indices that do not ascend',
      { ...sparse, indices: Uint32Array.of(2, 2, 1) },
      'indices of row 0 must ascend and be below 3, got 2',
    ],
    [
      'an index beyond the columns',
      { ...sparse, indices: Uint32Array.of(0, 2, 3) },
      'indices of row 1 must ascend and be below 3, got 3',
    ],
    [
      'infinity in a sparse matrix',
      { ...sparse, values: Float64Array.of(1, 2, Number.POSITIVE_INFINITY) },
      'row 1, column 1 is Infinity; values must be finite',
    ],
  ]
  test.each(broken)('%s are refused', (_, rows, message) => {
    expect(() => toMatrix(rows as RowsInput)).toThrow(new DataError(message))
  })
})

describe('labels, weights and names', () => {
  const rows = [[1], [2]]
  const broken: [what: string, make: () => unknown, message: string][] = [
    ['too few labels', () => makeDataset(rows, [1]), '2 samples but 1 labels'],
    [
      'NaN as a label',
      () => makeDataset(rows, [1, Number.NaN]),
      'label of sample 1 is NaN; labels must be finite numbers or strings',
    ],
    [
      'numbers among strings',
      () => makeDataset(rows, ['a', 1]),
      'label of sample 1 is 1: labels must be all numbers or all strings',
    ],
    [
      'booleans as labels',
      () => makeDataset(rows, [true, false] as never),
      'label of sample 0 is true: labels must be all numbers or all strings; Number(label) converts true to 1 and false to 0',
    ],
    [
      'too many weights',
      () => makeDataset(rows, [1, 2], { weights: [1, 1, 1] }),
      'makeDataset: 2 samples but 3 weights',
    ],
    [
      'negative weights',
      () => makeDataset(rows, [1, 2], { weights: [1, -1] }),
      'makeDataset: weight of sample 1 must be finite and >= 0, got -1',
    ],
    [
      'too many names',
      () => makeDataset(rows, [1, 2], { featureNames: ['a', 'b'] }),
      '1 features but 2 feature names',
    ],
  ]
  test.each(broken)('%s are refused', (_, make, message) => {
    expect(make).toThrow(new DataError(message))
  })

  test('rows without labels are refused with what to do', () => {
    expect(() => makeDataset(rows, undefined as never)).toThrow(
      'makeDataset: labels must be an array of numbers or strings, one per row (OneClassSVM needs only rows), got undefined',
    )
  })
})

describe('selectFeatures', () => {
  const rows = [
    [1, 0, 3],
    [0, 5, 6],
  ]
  const table = makeDataset(rows, [1, 2], { featureNames: ['a', 'b', 'c'] })

  test('finds features by name, in the order asked for, in dense and in sparse rows', () => {
    const expected = {
      ...table,
      featureNames: ['c', 'a'],
      samples: toMatrix([
        [3, 1],
        [6, 0],
      ]),
    }
    expect(selectFeatures(table, ['c', 'a'])).toEqual(expected)
    const chosen = selectFeatures({ ...table, samples: toSparse(table.samples) }, ['c', 'a'])
    expect(chosen.samples.kind).toBe('sparse')
    expect({ ...chosen, samples: toDense(toMatrix(chosen.samples)) }).toEqual(expected)
    expect(selectFeatures(table, ['a', 'b', 'c'])).toBe(table)
  })

  test('says which feature is missing, named twice, or that there are no names', () => {
    const twice = { ...table, featureNames: ['a', 'b', 'a'] }
    const { featureNames: _, ...unnamed } = table
    expect(() => selectFeatures(table, ['d'])).toThrow('no column is named "d", only "a", "b", "c"')
    expect(() => selectFeatures(twice, ['a'])).toThrow(new DataError('more than one column is named "a"'))
    expect(() => selectFeatures(unnamed, ['a'])).toThrow(/have no names/)
    expect(selectFeatures(twice, ['a', 'b', 'a'])).toBe(twice)
  })
})

function sparseNeeds(rows: number): string {
  const wanted = `${rows + 1} row pointers from 0 to the number of values, and an index for each value`
  return `a sparse matrix of ${rows} rows needs ${wanted}`
}
