import { expect, it } from 'vitest'
import { ExactSum } from '../../src/certify/exact-sum.ts'

function sumOf(terms: readonly number[]): number {
  const sum = new ExactSum()
  for (const term of terms) sum.add(term)
  return sum.value
}

it('keeps what additions lose', () => {
  expect(sumOf([])).toBe(0)
  expect(sumOf([1e16, 1, -1e16])).toBe(1)
  expect(sumOf([1, 1e100, 1, -1e100])).toBe(2)
  const tenths = Array.from({ length: 1e6 }, () => 0.1)
  expect(sumOf(tenths)).toBe(1e5)
  expect(tenths.reduce((a, b) => a + b)).not.toBe(1e5)
})

it('is infinite or no number where a sum is', () => {
  expect(sumOf([1, Number.POSITIVE_INFINITY, 2])).toBe(Number.POSITIVE_INFINITY)
  expect(sumOf([1, Number.NEGATIVE_INFINITY, 2])).toBe(Number.NEGATIVE_INFINITY)
  expect(sumOf([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])).toBeNaN()
  expect(sumOf([1, Number.NaN])).toBeNaN()
})
