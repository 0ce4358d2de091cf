import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineWriter } from '../../../src/data/text/line-writer.ts'
import { LONGEST_NUMBER_TEXT } from '../../../src/data/text/number-text.ts'
import { finite } from '../arbitrary.ts'

/** Numbers as they are written on their own, and as values of a row. */
function texts(numbers: readonly number[]): string[] {
  const writer = new LineWriter()
  const take = (): string => new TextDecoder().decode(writer.take())
  return numbers.map((value) => {
    writer.number(value)
    const own = take()
    writer.pairs({ kind: 'dense', rows: 1, cols: 1, values: Float64Array.of(value) }, 0, 1)
    expect(take()).toBe(value === 0 ? '\n' : ` 1:${own}\n`)
    expect(own.length).toBeLessThanOrEqual(LONGEST_NUMBER_TEXT)
    return own
  })
}

function check(numbers: readonly number[]): void {
  expect(texts(numbers)).toEqual(numbers.map((value) => (Object.is(value, -0) ? '-0' : String(value))))
}

test('whatever the double, the text is the one of String', () => {
  fc.assert(
    fc.property(fc.array(finite), (numbers) => check(numbers)),
    { numRuns: 2000, seed: 1 },
  )
})

test('decimals of any length, alone and next to others', () => {
  const decimal = fc
    .tuple(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), fc.integer({ min: 0, max: 24 }))
    .map(([digits, shift]) => Number(`${digits}e-${shift}`))
  fc.assert(
    fc.property(fc.array(fc.oneof(decimal, finite)), (numbers) => check(numbers)),
    { numRuns: 5000, seed: 2 },
  )
})

test('neighbours of short decimals are not taken for them', () => {
  const bits = new BigInt64Array(1)
  const double = new Float64Array(bits.buffer)
  const neighbours = [0.1, 0.3, 1, 9.5, 123.456, 999999.999999999, 1e-6, 0.000001234, 999999].flatMap(
    (value) =>
      [-2n, -1n, 0n, 1n, 2n].map((step) => {
        double[0] = value
        bits[0] += step
        return double[0]
      }),
  )
  check([...neighbours, ...neighbours.map((value) => -value)])
})

test('the edges of plain notation and of 15 digits', () => {
  check([
    0, -0, 1e-7, 9.99999e-7, 1e-6, 0.000001, 1e6, 999999.5, 1e15, 1e21, 1e22, 5e-324, 1.7976931348623157e308,
  ])
  check([
    0.12345678901234, 0.123456789012345, 0.1234567890123456, 12345.123456789, 12345.1234567891, 0.5, 100,
  ])
  check([0.99999999999999, 0.999999999999999, 0.9999999999999999, 999999.99999999, -1.2345678901234567e-100])
})

test('every so-many-th number of a list, with spaces between them', () => {
  const list = fc.array(fc.oneof(finite, fc.constantFrom(0, -0)))
  fc.assert(
    fc.property(list, fc.nat({ max: 5 }), fc.integer({ min: 1, max: 4 }), (numbers, from, step) => {
      const writer = new LineWriter()
      writer.numbers(numbers, from, step)
      const chosen = numbers.filter((_, k) => k >= from && (k - from) % step === 0)
      expect(new TextDecoder().decode(writer.take())).toBe(texts(chosen).join(' '))
    }),
    { numRuns: 500, seed: 3 },
  )
})
