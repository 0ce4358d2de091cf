import { expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'

const draws = 20_000

test('the same seed gives the same numbers, another seed others', () => {
  const stream = (seed: number) => {
    const random = new Random(seed)
    return Array.from({ length: 8 }, () => random.uint32())
  }
  expect(stream(7)).toEqual(stream(7))
  const streams = [0, 1, -1, 7, 2 ** 32 + 7, Number.MAX_SAFE_INTEGER].map((seed) => stream(seed).join())
  expect(new Set(streams).size).toBe(streams.length)
})

test('uniform numbers fill [0, 1) evenly: chi-squared over 100 cells below its 0.999 quantile', () => {
  const random = new Random(3)
  const counts = new Array<number>(100).fill(0)
  for (let k = 0; k < draws; k++) {
    const value = random.uniform()
    expect(value >= 0 && value < 1).toBe(true)
    counts[Math.floor(value * 100)]++
  }
  expect(chiSquared(counts)).toBeLessThan(148.2)
})

test('whole numbers below n are all as likely', () => {
  const random = new Random(5)
  const counts = new Array<number>(7).fill(0)
  for (let k = 0; k < draws; k++) counts[random.int(7)]++
  expect(counts.reduce((sum, count) => sum + count)).toBe(draws)
  expect(chiSquared(counts)).toBeLessThan(22.5)
})

test('normal numbers have the moments of the normal distribution, within 4 standard errors', () => {
  const random = new Random(11)
  const values = Array.from({ length: draws }, () => random.normal())
  const moment = (power: number) => values.reduce((sum, value) => sum + value ** power, 0) / draws
  const error = 4 / Math.sqrt(draws)
  expect(Math.abs(moment(1))).toBeLessThan(error)
  expect(Math.abs(moment(2) - 1)).toBeLessThan(error * Math.sqrt(2))
  expect(Math.abs(moment(3))).toBeLessThan(error * Math.sqrt(15))
  expect(Math.abs(moment(4) - 3)).toBeLessThan(error * Math.sqrt(96))
})

test('shuffling keeps every item, and every order of three comes as often', () => {
  const random = new Random(13)
  const orders = new Map<string, number>()
  for (let k = 0; k < draws; k++) {
    const order = random.shuffle([1, 2, 3]).join('')
    orders.set(order, (orders.get(order) ?? 0) + 1)
  }
  expect([...orders.keys()].sort()).toEqual(['123', '132', '213', '231', '312', '321'])
  expect(chiSquared([...orders.values()])).toBeLessThan(20.5)
})

/** Σ (observed − expected)² / expected, where all are expected to be equal. */
function chiSquared(counts: readonly number[]): number {
  const expected = draws / counts.length
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}
