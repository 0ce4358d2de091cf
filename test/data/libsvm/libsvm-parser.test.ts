import { describe, expect, test } from 'vitest'
import { FormatError, ParameterError } from '../../../src/base/errors.ts'
import { LibsvmParser, parseLibsvm, type SparseDataset } from '../../../src/data/libsvm/libsvm-parser.ts'
import { toDense } from '../../../src/data/matrix/matrix.ts'

/** Rows as lists, for short comparisons. */
function rowsOf({ samples }: SparseDataset): number[][] {
  const { rows, cols, values } = toDense(samples)
  return Array.from({ length: rows }, (_, i) => [...values.subarray(i * cols, (i + 1) * cols)])
}

/** Has everything the format allows, every kind of line end included. */
const quirky = [
  '\ufeff# a comment on a line of its own',
  '',
  '+1 1:0.5 3:-2.5e-3 # and one behind values',
  '   \t',
  '-1\tqid:12  2:1E2\t4:+7 \r',
  '  3.5 1:0 2:.5 4:1.#tight',
  '1e1',
  '-0 4:0.1000000000000000055511151231257827',
].join('\n')

describe('what the format allows', () => {
  test('all of it at once', () => {
    const data = parseLibsvm(quirky)
    expect(data.labels).toEqual(Float64Array.of(1, -1, 3.5, 10, -0))
    expect(rowsOf(data)).toEqual([
      [0.5, 0, -0.0025, 0],
      [0, 100, 0, 7],
      [0, 0.5, 0, 1],
      [0, 0, 0, 0],
      [0, 0, 0, 0.1],
    ])
  })

  test('explicit zeros are not stored, but count as columns', () => {
    const { samples } = parseLibsvm('1 1:0 2:-0 3:0.0 5:0e5\n')
    expect(samples).toMatchObject({ rows: 1, cols: 5 })
    expect(samples.values).toHaveLength(0)
    expect(samples.indptr).toEqual(Uint32Array.of(0, 0))
  })

  test('no newline at the end, and lines of white space there', () => {
    expect(parseLibsvm('1 1:2')).toEqual(parseLibsvm('1 1:2\n\n  \n'))
  })

  test('Windows line ends', () => {
    expect(parseLibsvm('1 1:2\r\n\r\n-1 2:3\r\n')).toEqual(parseLibsvm('1 1:2\n-1 2:3\n'))
  })

  test('a chunk may end at any byte', () => {
    const bytes = new TextEncoder().encode(quirky)
    const whole = parseLibsvm(quirky)
    for (let cut = 0; cut <= bytes.length; cut++) {
      const parser = new LibsvmParser()
      parser.push(bytes.subarray(0, cut))
      parser.push(bytes.subarray(cut))
      expect(parser.end()).toEqual(whole)
    }
    const parser = new LibsvmParser()
    for (const byte of bytes) parser.push(Uint8Array.of(byte))
    expect(parser.end()).toEqual(whole)
  })

  test('a chunk may be overwritten after it was pushed', () => {
    const parser = new LibsvmParser()
    const chunk = new Uint8Array(4)
    for (const text of ['1 1:', '22 3', ':4\n5']) parser.push(chunk.fill(0x20) && encodeInto(text, chunk))
    expect(rowsOf(parser.end())).toEqual([
      [22, 0, 4],
      [0, 0, 0],
    ])
  })

  test('more values than a block holds', () => {
    const rows = 700
    const cols = 500
    const value = (i: number, j: number) => (((i * 31 + j * 17) % 1009) + 1) / 8
    const line = (i: number) =>
      `${i % 2} ${Array.from({ length: cols }, (_, j) => `${j + 1}:${value(i, j)}`).join(' ')}`
    const { samples, labels } = parseLibsvm(Array.from({ length: rows }, (_, i) => line(i)).join('\n'))
    expect(samples).toMatchObject({ rows, cols })
    expect(samples.values).toHaveLength(rows * cols)
    expect(samples.values.every((x, k) => x === value(Math.floor(k / cols), k % cols))).toBe(true)
    expect(samples.indices.every((j, k) => j === k % cols)).toBe(true)
    expect(labels).toEqual(Float64Array.from({ length: rows }, (_, i) => i % 2))
  })
})

describe('indices', () => {
  test('count from 1 unless a 0 occurs', () => {
    expect(rowsOf(parseLibsvm('1 1:5 2:6\n1 2:7\n'))).toEqual([
      [5, 6],
      [0, 7],
    ])
    expect(rowsOf(parseLibsvm('1 1:5 2:6\n1 0:7\n'))).toEqual([
      [0, 5, 6],
      [7, 0, 0],
    ])
    expect(rowsOf(parseLibsvm('1 0:0 1:5\n'))).toEqual([[0, 5]])
  })

  test('count from where the caller says', () => {
    expect(rowsOf(parseLibsvm('1 1:5\n', { indexBase: 0 }))).toEqual([[0, 5]])
    expect(rowsOf(parseLibsvm('1 1:5\n', { indexBase: 1 }))).toEqual([[5]])
  })

  test('precomputed kernels keep their serial in column 0', () => {
    expect(rowsOf(parseLibsvm('1 0:1 1:4 2:2\n-1 0:2 1:2 2:3\n', { indexBase: 0 }))).toEqual([
      [1, 4, 2],
      [2, 2, 3],
    ])
  })

  test('the number of features can be forced', () => {
    expect(parseLibsvm('1 1:5\n', { features: 4 }).samples.cols).toBe(4)
    expect(parseLibsvm('1 4:5\n', { features: 4 }).samples.cols).toBe(4)
    expect(parseLibsvm('1 0:5\n', { features: 4 }).samples.cols).toBe(4)
    expect(() => parseLibsvm('1 4:5\n', { features: 4, indexBase: 0 })).toThrow(
      '<input>:1:3: index 4 is beyond the 4 features that were requested',
    )
  })
})

describe('labels', () => {
  test('words are kept as they are', () => {
    expect(parseLibsvm('cat 1:1\ndog-2 1:2\nchien·é 1:3\n').labels).toEqual(['cat', 'dog-2', 'chien·é'])
  })

  test('can be forced to be text', () => {
    expect(parseLibsvm('01 1:1\nnan 1:2\n1,2 1:3\n', { labels: 'string' }).labels).toEqual([
      '01',
      'nan',
      '1,2',
    ])
  })

  test('can be forced to be numbers', () => {
    expect(() => parseLibsvm('cat 1:1\n', { labels: 'number' })).toThrow(
      '<input>:1:1: label must be a number, got "cat"',
    )
  })
})

test('an error names the source, the line and the column', () => {
  const parser = new LibsvmParser({ name: 'some.libsvm' })
  parser.push(new TextEncoder().encode('1 1:2\n\n# note\n1 1:2 2:x'))
  const error = (() => {
    try {
      parser.end()
    } catch (reason) {
      return reason
    }
  })()
  expect(error).toBeInstanceOf(FormatError)
  expect(error).toMatchObject({
    file: 'some.libsvm',
    line: 4,
    column: 9,
    message: 'some.libsvm:4:9: value of index 2 must be a number, got "x"',
  })
})

test.each([
  [{ indexBase: 2 }, "parseLibsvm: indexBase must be 'auto', 0 or 1, got 2"],
  [{ features: -1 }, 'parseLibsvm: features must be a whole number >= 0 and <= 4294967294, got -1'],
  [{ labels: 'text' }, 'parseLibsvm: labels must be one of auto, number, string, got "text"'],
  [{ threads: 0 }, 'parseLibsvm: threads must be a whole number >= 1, got 0'],
  [{ base: 1 }, 'parseLibsvm: option must be one of name, indexBase, features, labels, threads, got "base"'],
])('refuses %j', (options, message) => {
  const parse = () => parseLibsvm('1 1:1\n', options as object)
  expect(parse).toThrow(ParameterError)
  expect(parse).toThrow(message)
})

function encodeInto(text: string, chunk: Uint8Array): Uint8Array {
  new TextEncoder().encodeInto(text, chunk)
  return chunk
}
