import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NumberScanner } from '../../../src/data/text/number-scanner.ts'

const scanner = new NumberScanner()
const encoder = new TextEncoder()

function scan(text: string): number {
  return scanner.scan(encoder.encode(`${text}\n`), 0)
}

/** Texts of any length, with the point and the exponent anywhere. */
const decimal = fc
  .record({
    sign: fc.constantFrom('', '+', '-'),
    digits: fc.stringMatching(/^[0-9]{1,40}$/),
    point: fc.nat(41),
    exponent: fc.option(fc.integer({ min: -60, max: 60 })),
  })
  .map(({ sign, digits, point, exponent }) => {
    const at = Math.min(point, digits.length)
    const mantissa = point > digits.length ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`
    return `${sign}${mantissa}${exponent === null ? '' : `e${exponent}`}`
  })

test('every double comes back from its shortest text', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const text = Object.is(value, -0) ? '-0' : String(value)
      expect(scan(text)).toBe(value)
      expect(scanner.end).toBe(text.length)
    }),
    { numRuns: 5000, seed: 1 },
  )
})

test('any decimal text is rounded as Number rounds it', () => {
  fc.assert(
    fc.property(decimal, (text) => {
      expect(scan(text)).toBe(Number(text))
      expect(scanner.end).toBe(text.length)
    }),
    { numRuns: 20_000, seed: 2 },
  )
})

test('exact ties and their neighbours are rounded as Number rounds them', () => {
  // (2n + 1) / 2^(k + 1) lies half way between two doubles n / 2^k of 53 bits.
  fc.assert(
    fc.property(fc.bigInt(2n ** 52n, 2n ** 53n - 1n), fc.nat(8), (n, k) => {
      const digits = ((2n * n + 1n) * 5n ** BigInt(k + 1)).toString()
      const tie = `${digits.slice(0, -(k + 1))}.${digits.slice(-(k + 1))}`
      for (const text of [tie, `${tie}0001`, `${tie.slice(0, -1)}4999`]) expect(scan(text)).toBe(Number(text))
    }),
    { numRuns: 2000, seed: 3 },
  )
})

test.each([
  ['1.', 1],
  ['.5', 0.5],
  ['+1', 1],
  ['-0', -0],
  ['1E+3', 1000],
  ['0e999', 0],
  ['5e-324', 5e-324],
  ['2e-324', 0],
  ['9007199254740993', 9007199254740992],
  ['1e400', Number.POSITIVE_INFINITY],
  ['-1e400', Number.NEGATIVE_INFINITY],
])('%s', (text, value) => {
  expect(scan(text)).toBe(value)
})

test.each(['', '.', '+', '-', 'e5', 'abc', 'nan', 'inf', '1e', '1e+'])('%j is no number', (text) => {
  expect(scan(text)).toBeNaN()
})
