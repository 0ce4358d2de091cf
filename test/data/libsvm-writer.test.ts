import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DataError } from '../../src/base/errors.ts'
import { makeDataset } from '../../src/data/dataset.ts'
import { parseLibsvm } from '../../src/data/libsvm-parser.ts'
import { formatLibsvm, libsvmText } from '../../src/data/libsvm-writer.ts'
import { toSparse } from '../../src/data/matrix.ts'
import { finite, rows as rowLists } from './arbitrary.ts'

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
    'LIBSVM text has no place for sample weights: write CSV',
  )
})

test('comes in pieces of whole lines', () => {
  const count = 20_000
  const rows = Array.from({ length: count }, (_, i) => [i + 0.5, 1])
  const data = makeDataset(
    rows,
    rows.map((_, i) => i),
  )
  const pieces = [...libsvmText(data)]
  expect(pieces.length).toBeGreaterThan(3)
  expect(pieces.every((piece) => piece === '' || piece.endsWith('\n'))).toBe(true)
  expect(pieces.join('')).toBe(formatLibsvm(data))
})
