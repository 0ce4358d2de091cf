import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KernelEvaluator } from '../../src/kernels/kernel.ts'
import { linear } from '../../src/kernels/linear.ts'
import { polynomial } from '../../src/kernels/polynomial.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { cacheRows, RowCache } from '../../src/kernels/row-cache.ts'
import { someMatrix } from '../suites/matrices.ts'

/** A matrix whose entry (i, j) is 1000 i + j, and which counts how often each row is made. */
function counting(rows: number, cols = rows): KernelEvaluator & { readonly made: number[] } {
  const made: number[] = []
  return {
    rows,
    cols,
    made,
    row(i, out) {
      made.push(i)
      for (let j = 0; j < cols; j++) out[j] = 1000 * i + j
    },
  }
}

/** What a cache of `capacity` rows does, by the definition: a list in order of use. */
function leastRecentlyUsed(requests: readonly number[], capacity: number): number[] {
  const kept: number[] = []
  const made: number[] = []
  for (const i of requests) {
    const at = kept.indexOf(i)
    if (at >= 0) kept.splice(at, 1)
    else made.push(i)
    kept.push(i)
    if (kept.length > capacity) kept.shift()
  }
  return made
}

const precisions = ['f32', 'f64'] as const

describe.each(precisions)('RowCache %s', (precision) => {
  const bytes = precision === 'f32' ? 4 : 8

  it('makes each row once when all fit', () => {
    const evaluator = counting(6)
    const cache = new RowCache(evaluator, { cacheBytes: 6 * 6 * bytes, precision })
    expect([cache.rows, cache.cols, cache.capacity]).toEqual([6, 6, 6])
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 6; i++) {
        expect(Array.from(cache.row(i))).toEqual([0, 1, 2, 3, 4, 5].map((j) => 1000 * i + j))
      }
    }
    expect(evaluator.made).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('one byte less than the whole matrix holds one row less', () => {
    const cache = new RowCache(counting(6), { cacheBytes: 6 * 6 * bytes - 1, precision })
    expect(cache.capacity).toBe(5)
  })

  it.each([0, 1, 7])('keeps three rows when cacheBytes is far too small: %i', (cacheBytes) => {
    const evaluator = counting(5)
    const cache = new RowCache(evaluator, { cacheBytes, precision })
    expect(cache.capacity).toBe(3)
    const first = cache.row(4)
    const second = cache.row(1)
    cache.row(0)
    expect([first[4], second[1]]).toEqual([4004, 1001])
    for (const i of [4, 1, 0]) cache.row(i)
    expect(evaluator.made).toEqual([4, 1, 0])
    cache.row(2)
    cache.row(4)
    expect(evaluator.made).toEqual([4, 1, 0, 2, 4])
  })

  it.each([0, 1, 2, 3])('works on %i rows', (rows) => {
    const cache = new RowCache(counting(rows), { cacheBytes: 0, precision })
    expect(cache.capacity).toBe(rows)
    for (let i = 0; i < rows; i++) expect(cache.row(i).length).toBe(rows)
    expect(Array.from(cache.diagonal)).toEqual([0, 1001, 2002].slice(0, rows))
  })

  it('works on rows without columns', () => {
    expect(new RowCache(counting(4, 0), { precision }).row(3).length).toBe(0)
  })

  it('drops the least recently used row, whatever is asked (against the definition)', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 3, max: 9 }),
        fc.array(fc.nat({ max: 9 }), { maxLength: 60 }),
        (capacity, requests) => {
          const evaluator = counting(10)
          const cache = new RowCache(evaluator, { cacheBytes: capacity * 10 * bytes, precision })
          for (const i of requests) {
            const row = cache.row(i)
            if (row[0] !== 1000 * i || row[9] !== 1000 * i + 9) return false
          }
          expect(cache.capacity).toBe(capacity)
          expect(evaluator.made).toEqual(leastRecentlyUsed(requests, capacity))
          return true
        },
      ),
      { seed: 1 },
    )
  })

  it('takes memory only for rows that are asked for', () => {
    const rows = 200_000
    const cache = new RowCache(
      { rows, cols: rows, row: (i, out) => out.fill(i) },
      { cacheBytes: Number.POSITIVE_INFINITY, precision },
    )
    expect(cache.capacity).toBe(rows)
    expect([cache.row(7)[0], cache.row(199_999)[199_999], cache.row(7)[5]]).toEqual([7, 199_999, 7])
  })

  it('keeps rows apart across slabs', () => {
    const cols = 300_000
    const made: number[] = []
    const evaluator = {
      rows: 12,
      cols,
      row(i: number, out: Float64Array) {
        made.push(i)
        out.fill(i)
      },
    }
    const cache = new RowCache(evaluator, { cacheBytes: 12 * cols * bytes, precision })
    for (let i = 0; i < 12; i++) cache.row(i)
    for (let i = 0; i < 12; i++) expect([cache.row(i)[0], cache.row(i)[cols - 1]]).toEqual([i, i])
    expect(made).toHaveLength(12)
  })

  it('does not take a row for made whose kernel has thrown', () => {
    let fails = true
    const evaluator = {
      rows: 4,
      cols: 4,
      row(i: number, out: Float64Array) {
        if (fails) throw new Error('no value')
        out.fill(i)
      },
    }
    const cache = new RowCache(evaluator, { precision })
    expect(() => cache.row(3)).toThrow('no value')
    fails = false
    expect(Array.from(cache.row(3))).toEqual([3, 3, 3, 3])
  })
})

it('f32 rounds to the nearest f32, f64 keeps every bit; the diagonal is rounded as the rows are', () => {
  const samples = someMatrix(5, 6, 4)
  const kernel = linear()
  const exact = cacheRows(kernel, samples, { precision: 'f64' })
  const rounded = cacheRows(kernel, samples, { precision: 'f32' })
  expect(rounded.row(2)).toBeInstanceOf(Float32Array)
  expect(exact.row(2)).toBeInstanceOf(Float64Array)
  for (let i = 0; i < 6; i++) {
    expect(Array.from(rounded.row(i))).toEqual(Array.from(exact.row(i), Math.fround))
    expect(rounded.diagonal[i]).toBe(rounded.row(i)[i])
    expect(exact.diagonal[i]).toBe(exact.row(i)[i])
  }
})

it('reads the diagonal from the rows where it was not given', () => {
  const samples = someMatrix(6, 5, 3)
  const cache = new RowCache(linear().between(samples, samples), { cacheBytes: 0, precision: 'f64' })
  expect(cache.diagonal).toEqual(linear().diagonal(samples))
})

it('refuses a diagonal that is not finite, or not finite in f32', () => {
  const large = { ...someMatrix(7, 3, 2), values: Float64Array.of(1, 1, 1e10, 1e10, 1, 1) }
  const quartic = polynomial({ gamma: 1, degree: 4 })
  expect(() => cacheRows(quartic, large, { precision: 'f32' })).toThrow(
    'the kernel of sample 1 with itself is 1.6e+81, too large for f32; scale the data or the kernel',
  )
  expect(cacheRows(quartic, large, { precision: 'f64' }).diagonal[0]).toBe(16)
  expect(() => cacheRows(polynomial({ gamma: 1, degree: 16 }), large, { precision: 'f64' })).toThrow(
    'the kernel of sample 1 with itself is Infinity; scale the data or the kernel',
  )
})

it('refuses options it cannot use', () => {
  const evaluator = rbf({ gamma: 1 }).between(someMatrix(1, 2, 2), someMatrix(1, 2, 2))
  expect(() => new RowCache(evaluator, { cacheBytes: -1, precision: 'f32' })).toThrow(
    'RowCache: cacheBytes must be >= 0, got -1',
  )
  expect(() => new RowCache(evaluator, { precision: 'f16' as 'f32' })).toThrow(
    'RowCache: precision must be one of f32, f64, got "f16"',
  )
  expect(() => new RowCache(evaluator, { precision: 'f32', bytes: 1 } as { precision: 'f32' })).toThrow(
    'RowCache: option must be one of cacheBytes, precision, diagonal, got "bytes"',
  )
})
