import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placesOfNonZeros } from '../../src/base/lists.ts'
import { gatherTerms } from '../../src/certify/expansion-terms.ts'

/** Sums of one sign by row, with a map. */
function naiveSums(of: readonly number[], rowOf: readonly number[], sign: number): Map<number, number> {
  const sums = new Map<number, number>()
  of.forEach((c, j) => {
    if (sign * c > 0) sums.set(rowOf[j], (sums.get(rowOf[j]) ?? 0) + Math.abs(c))
  })
  return sums
}

test('terms of each sign are those of a map from rows to sums, each row once', () => {
  const sample = fc.record({ c: fc.integer({ min: -3, max: 3 }), row: fc.nat({ max: 5 }) })
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 20 }), fc.boolean(), (samples, shared) => {
      const of = samples.map(({ c }) => c)
      const rowOf = samples.map(({ row }, j) => (shared ? row : j))
      const { rows, coefficients, positive } = gatherTerms(
        placesOfNonZeros(Float64Array.from(of)),
        Float64Array.from(of),
        shared ? Uint32Array.from(rowOf) : undefined,
      )
      expect(coefficients).toHaveLength(rows.length)
      for (const [sign, from, to] of [
        [1, 0, positive],
        [-1, positive, rows.length],
      ]) {
        const found = Array.from(rows.subarray(from, to), (row, k) => [row, coefficients[from + k]])
        expect(found).toEqual([...naiveSums(of, rowOf, sign)])
      }
    }),
    { seed: 4 },
  )
})
