import { describe, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { toMatrix, toSparse } from '../../../src/data/matrix/matrix.ts'
import { makeCrammerSinger } from '../../../src/problems/linear-problem.ts'
import { startFromCopies } from '../../../src/solve/classes/copies-start.ts'
import { solveSync } from '../../../src/solve/driver/run.ts'
import { crammerSinger } from '../../../src/solve/methods/crammer-singer.ts'

/** α for samples at these places, by sample. */
function startOf(places: readonly number[], y: readonly number[], C: readonly number[], classes = 3) {
  const samples = toMatrix(places.map((place) => [place, 1]))
  const problem = { ...makeCrammerSinger({ samples, y, classes, C: 1 }), C: Float64Array.from(C) }
  const alpha = new Float64Array(places.length * classes)
  startFromCopies(problem, alpha)
  return places.map((_, i) => Array.from(alpha.subarray(i * classes, (i + 1) * classes)))
}

describe('the start of equal samples', () => {
  test.each([
    { name: 'a pair', y: [0, 2], C: [1, 1], passed: 2 },
    { name: 'one of each class', y: [2, 0, 1], C: [1, 1, 1], passed: 3 },
    { name: 'a class with more than the others', y: [0, 0, 0, 1], C: [1, 1, 1, 1], passed: 2 },
    { name: 'other weights', y: [0, 1, 1, 2, 0], C: [0.3, 1.7, 0.2, 1.1, 0.4], passed: 3.6 },
    { name: 'one without weight', y: [0, 1, 2], C: [1, 0, 0.5], passed: 1 },
    { name: 'one class', y: [1, 1, 1], C: [1, 1, 1], passed: 0 },
  ])('$name: as much as leaves no trace in the model', ({ y, C, passed }) => {
    const rows = startOf(new Array(y.length).fill(7), y, C)
    for (const [i, own] of rows.entries()) {
      expect(own.reduce((sum, entry) => sum + entry, 0)).toBeCloseTo(0, 14)
      for (const [m, entry] of own.entries()) {
        expect(entry).toBeLessThanOrEqual(m === y[i] ? C[i] : 0)
        if (m === y[i]) expect(entry).toBeGreaterThanOrEqual(0)
      }
    }
    for (let m = 0; m < 3; m++) expect(rows.reduce((sum, own) => sum + own[m], 0)).toBeCloseTo(0, 14)
    expect(rows.reduce((sum, own, i) => sum + own[y[i]], 0)).toBeCloseTo(passed, 14)
  })

  test('leaves few epochs to go where C is large', () => {
    const random = new Random(3)
    const rows = Array.from({ length: 60 }, () => Array.from({ length: 90 }, () => random.normal()))
    const twice = [...rows, ...rows.slice(0, 20)]
    const y = twice.map((_, i) => (i + (i < 60 ? 0 : 1)) % 4)
    const problem = makeCrammerSinger({ samples: toSparse(toMatrix(twice)), y, classes: 4, C: 1000 })
    const { certificate } = solveSync(problem, crammerSinger, {}, { tol: 1e-6, maxIter: 1000 })
    expect(certificate.stopReason).toBe('converged')
    expect(certificate.iterations).toBeLessThan(200)
    // Two samples of a pair cannot lose less than 2 together.
    expect(certificate.primal).toBeGreaterThan(20 * 2 * 1000)
  })

  test('samples elsewhere begin at 0', () => {
    const rows = startOf([1, 2, 1, 3], [0, 1, 1, 0], [1, 1, 1, 1])
    expect(rows).toEqual([
      [1, -1, 0],
      [0, 0, 0],
      [-1, 1, 0],
      [0, 0, 0],
    ])
  })
})
