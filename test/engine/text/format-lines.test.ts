import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { formatLines, type LibsvmLines, type LineFormatter } from '../../../src/data/libsvm/libsvm-lines.ts'
import type { Matrix } from '../../../src/data/matrix/matrix.ts'
import { toSparse } from '../../../src/data/matrix/matrix.ts'
import { chooseEngineBuild } from '../../../src/engine/memory/engine-build.ts'
import { type FormatCuts, formatOnEngine } from '../../../src/engine/text/format-lines.ts'
import { finite } from '../../data/arbitrary.ts'
import { testedBuilds } from '../../suites/engine-builds.ts'

const decoder = new TextDecoder()
const finest: FormatCuts = { run: 1, runs: 3, values: 0 }
const cuts: FormatCuts[] = [finest, { run: 5, runs: 2, values: 0 }, { values: 0 }]

afterEach(() => chooseEngineBuild(undefined))

function textOf(format: LineFormatter, lines: LibsvmLines): string {
  return Array.from(format(lines), (piece) => decoder.decode(piece)).join('')
}

/** Lines that begin with their number, once more where it is a multiple of 3. */
function linesOf(matrix: Matrix, rows?: number[], base: 0 | 1 = 1): LibsvmLines {
  const leading = (i: number) => `${i / 8}${i % 3 === 0 ? ` ${i} ä` : ''}`
  return { count: rows?.length ?? matrix.rows, leading, matrix, rows, base }
}

/** Lines that begin with some numbers each. */
function numberedLines(matrix: Matrix, numbers: Float64Array): LibsvmLines {
  return { count: matrix.rows, leading: numbers, matrix, rows: undefined, base: 1 }
}

function dense(values: readonly number[], cols: number): Matrix {
  const rows = Math.floor(values.length / cols)
  return { kind: 'dense', rows, cols, values: Float64Array.from(values.slice(0, rows * cols)) }
}

/** Numbers as they come in data, many of them with few decimals. */
const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 16n), max: 10n ** 16n }), fc.integer({ min: 0, max: 24 }))
  .map(([digits, shift]) => Number(`${digits}e-${shift}`))
const short = fc
  .tuple(fc.integer({ min: -(10 ** 7), max: 10 ** 7 }), fc.integer({ min: 0, max: 10 }))
  .map(([digits, shift]) => Number(`${digits}e-${shift}`))

describe.each(testedBuilds)('%s build', (build) => {
  it.each([
    ['short decimals', short, 60],
    ['decimals of up to 16 digits', decimal, 60],
    ['any numbers', fc.oneof(short, decimal, finite, fc.constant(0)), 60],
  ] as const)('%s: the text of the plain writer', (_, arbitrary, numRuns) => {
    chooseEngineBuild(build)
    const values = fc.array(arbitrary, { maxLength: 60 })
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 13 }), fc.nat(), (numbers, cols, turn) => {
        const matrix = dense(numbers, cols)
        const order = Array.from({ length: matrix.rows }, (_, i) => (i * 7 + turn) % matrix.rows)
        for (const form of [matrix, toSparse(matrix)]) {
          for (const lines of [linesOf(form), linesOf(form, order, 0)]) {
            const plain = textOf(formatLines, lines)
            for (const cut of cuts) expect(textOf(formatOnEngine(cut), lines)).toBe(plain)
          }
        }
      }),
      { numRuns, seed: 3 },
    )
  })

  it.each([
    ['decimals of up to 16 digits', decimal],
    ['numbers of 17 digits', fc.double({ min: 1e-9, max: 1e14, noNaN: true })],
    ['any numbers', fc.oneof(short, decimal, finite, fc.constant(0), fc.constant(-0))],
  ] as const)('%s that lines begin with: the text of the plain writer', (_, arbitrary) => {
    chooseEngineBuild(build)
    const list = fc.array(arbitrary, { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(list, fc.integer({ min: 1, max: 5 }), (numbers, columns) => {
        const rows = Math.floor(numbers.length / columns)
        const without: Matrix = { kind: 'dense', rows, cols: 0, values: new Float64Array() }
        for (const matrix of [dense(numbers.slice(0, rows), 1), without]) {
          const lines = numberedLines(matrix, Float64Array.from(numbers.slice(0, rows * columns)))
          const plain = textOf(formatLines, lines)
          for (const cut of cuts) expect(textOf(formatOnEngine(cut), lines)).toBe(plain)
        }
      }),
      { numRuns: 60, seed: 5 },
    )
  })

  it('neighbours of powers of 2 and of 10: the shortest text, of several the nearest', () => {
    chooseEngineBuild(build)
    const bits = new BigInt64Array(1)
    const number = new Float64Array(bits.buffer)
    const values: number[] = []
    for (let e = -33; e < 50; e++) {
      for (const middle of [2 ** e, 10 ** Math.round(e * Math.log10(2)), 5 * 10 ** Math.round(e / 4)]) {
        number[0] = middle
        for (let step = -3n; step <= 3n; step++) {
          const own = new Float64Array(BigInt64Array.of(bits[0] + step).buffer)[0]
          if (own >= 2 ** -33 && own < 1e15) values.push(own, -own)
        }
      }
    }
    const matrix = dense(values, 1)
    const text = textOf(formatOnEngine({ values: 0 }), numberedLines(matrix, Float64Array.from(values)))
    expect(text.trimEnd().split('\n')).toEqual(values.map((value) => `${value} 1:${value}`))
  })

  it('numbers at the edges, each alone', () => {
    chooseEngineBuild(build)
    const edges = [
      ...[
        1e-7, 9.99999e-7, 1e-6, 1.5e-6, 0.1, 0.12345678, 0.123456789, 0.00000001, 1.00000001, 0.5, 9, 10, 99,
      ],
      ...[99999999, 1e8, 123456789, 1e14, 123456789012345, 999999999999999, 1e15, 1e16, 1e21, 1e22, 5e-324],
      ...[0.99999999999999, 0.999999999999999, 0.9999999999999999, 12345.123456789, 1000000.5, 0.1 + 0.2],
      ...[99999999.9999999, 4294967295, 4294967296.25, 8.000000001, 8.0000000012345],
    ]
    for (const value of edges.flatMap((edge) => [edge, -edge])) {
      const lines = linesOf(dense([value, 0, -0, value], 4))
      const text = `0 0 ä 1:${value} 4:${value}\n`
      expect(textOf(formatOnEngine(finest), lines)).toBe(text)
      expect(textOf(formatLines, lines)).toBe(text)
    }
  })

  it('indices of any length', () => {
    chooseEngineBuild(build)
    const indices = Uint32Array.of(0, 8, 9, 98, 99, 9999999, 99999998, 99999999, 2 ** 31, 0xfffffffd)
    const values = new Float64Array(indices.length).fill(0.25)
    const indptr = Uint32Array.of(0, 0, indices.length, indices.length)
    const matrix: Matrix = { kind: 'sparse', rows: 3, cols: 0xfffffffe, indptr, indices, values }
    const pairs = Array.from(indices, (index) => ` ${index + 1}:0.25`).join('')
    expect(textOf(formatOnEngine(finest), linesOf(matrix))).toBe(`0 0 ä\n0.125${pairs}\n0.25\n`)
  })
})

it('the engine writes most numbers by itself, and leaves very small ones to the plain writer', () => {
  const short = Array.from({ length: 60 }, (_, i) => Number(`${i * 7919 - 99999}e-${i % 10}`))
  const long = short.with(19, 1 / 3).with(20, 1e-10 / 3)
  for (const [values, leftOver] of [
    [short, 0],
    [long, 1],
  ] as const) {
    const lines = linesOf(dense(values, 6))
    // A line is started once for the engine, and again where the plain writer has to write it.
    let begun = 0
    const counted: LibsvmLines = {
      ...lines,
      leading: (i) => {
        begun++
        return (lines.leading as (i: number) => string)(i)
      },
    }
    expect(textOf(formatOnEngine(finest), counted)).toBe(textOf(formatLines, lines))
    expect(begun).toBe(10 + leftOver)
  }
})

it('a piece lasts until the next but one is asked for', () => {
  // Every other row has a number that the engine leaves to others.
  const values = Array.from({ length: 40 }, (_, i) => (i % 4 === 0 ? 1e-10 / 3 : i / 16))
  const lines = linesOf(dense(values, 2))
  const expected = textOf(formatLines, lines)
  let text = ''
  let last: Uint8Array | undefined
  for (const piece of formatOnEngine({ ...finest, runs: 4 })(lines)) {
    if (last) text += decoder.decode(last)
    last = piece
  }
  expect(text + decoder.decode(last)).toBe(expected)
})

it('short texts are left to the plain writer', () => {
  const lines = linesOf(dense([1, 2, 3, 4], 2))
  expect(textOf(formatOnEngine(), lines)).toBe('0 0 ä 1:1 2:2\n0.125 1:3 2:4\n')
})
