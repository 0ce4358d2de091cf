import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DataError } from '../../../src/base/errors.ts'
import { parseLibsvm } from '../../../src/data/libsvm/libsvm-parser.ts'
import { formatLibsvm, libsvmBytes } from '../../../src/data/libsvm/libsvm-writer.ts'
import { toSparse } from '../../../src/data/matrix/matrix.ts'
import { makeDataset } from '../../../src/data/table/dataset.ts'
import { finite, rows as rowLists } from '../arbitrary.ts'

test('the text', () => {
  const data = makeDataset(
    [
      [0.1, 0, -2],
      [0, 0, 0],
      [1e-7, 1e21, 0],
    ],
    [1, -1, -0],
  )
  expect(formatLibsvm(data)).toBe('1 1:0.1 3:-2\n-1\n-0 1:1e-7 2:1e+21\n')
  expect(formatLibsvm(data, { indexBase: 0 })).toBe('1 0:0.1 2:-2\n-1\n-0 0:1e-7 1:1e+21\n')
})

test.each([0, 1] as const)('reads back bit by bit, indices from %d', (indexBase) => {
  fc.assert(
    fc.property(rowLists, fc.infiniteStream(finite), (rows, numbers) => {
      const dense = makeDataset(
        rows,
        rows.map(() => numbers.next().value),
      )
      const written = { ...dense, samples: toSparse(dense.samples) }
      const features = written.samples.cols
      expect(parseLibsvm(formatLibsvm(written, { indexBase }), { indexBase, features })).toEqual(written)
      expect(parseLibsvm(formatLibsvm(dense, { indexBase }), { indexBase, features })).toEqual(written)
    }),
    { numRuns: 500, seed: 6 },
  )
})

test('words read back as labels', () => {
  const data = makeDataset([[1], [2]], ['cat', 'dog'])
  expect(parseLibsvm(formatLibsvm(data)).labels).toEqual(['cat', 'dog'])
})

test.each(['two words', 'a:b', 'a,b', 'a#b', '', '12', 'nan'])('the label %j is refused', (label) => {
  const format = () => formatLibsvm(makeDataset([[1]], [label]))
  expect(format).toThrow(DataError)
  expect(format).toThrow(`label ${JSON.stringify(label)} of sample 0 cannot be written as LIBSVM text`)
})

test('weights are refused rather than lost', () => {
  expect(() => formatLibsvm(makeDataset([[1]], [1], { weights: [2] }))).toThrow(
    'LIBSVM text cannot hold sample weights: write CSV',
  )
})

test('comes in pieces of whole lines, of which two last at a time', () => {
  const rows = Array.from({ length: 100_000 }, (_, i) => [i + 0.5, 1])
  const data = makeDataset(
    rows,
    rows.map((_, i) => i),
  )
  const decoder = new TextDecoder()
  const pieces: string[] = []
  let before: Uint8Array | undefined
  for (const piece of libsvmBytes(data)) {
    if (before) pieces.push(decoder.decode(before))
    before = piece
  }
  pieces.push(decoder.decode(before))
  expect(pieces.length).toBeGreaterThan(3)
  expect(pieces.every((piece) => piece === '' || piece.endsWith('\n'))).toBe(true)
  expect(pieces.join('')).toBe(rows.map(([value], i) => `${i} 1:${value} 2:1\n`).join(''))
  expect(pieces.join('')).toBe(formatLibsvm(data))
})

test('rows longer than a piece, and indices of any length', () => {
  const cols = 1e5
  const values = Float64Array.from({ length: cols }, (_, j) => -1 / (j + 3))
  const data = makeDataset({ values, shape: [1, cols] }, [1])
  expect(formatLibsvm(data)).toBe(`1${Array.from(values, (value, j) => ` ${j + 1}:${value}`).join('')}\n`)
  const indices = Uint32Array.of(0, 9, 99, 65_535, 999_999_999, 0xfffffffd)
  const wide = {
    kind: 'sparse' as const,
    rows: 1,
    cols: 0xfffffffe,
    indptr: Uint32Array.of(0, indices.length),
    indices,
    values: new Float64Array(indices.length).fill(1),
  }
  expect(formatLibsvm({ samples: wide, labels: Float64Array.of(1) })).toBe(
    '1 1:1 10:1 100:1 65536:1 1000000000:1 4294967294:1\n',
  )
})
