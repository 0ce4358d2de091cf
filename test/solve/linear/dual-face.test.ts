import { describe, expect, test } from 'vitest'
import { inOneGo } from '../../../src/base/pieces.ts'
import { Random } from '../../../src/base/random.ts'
import { toMatrix } from '../../../src/data/matrix/matrix.ts'
import { conjugateSum, type LinearLoss } from '../../../src/problems/linear-loss.ts'
import { makeCrammerSinger, makeLinearMachine, termsOf } from '../../../src/problems/linear-problem.ts'
import { countFree, stepOnClassFace } from '../../../src/solve/classes/class-face.ts'
import { solveSync } from '../../../src/solve/driver/run.ts'
import { freeSamples, stepOnFace } from '../../../src/solve/linear/dual-face.ts'
import { dualDescent } from '../../../src/solve/methods/dual-descent.ts'
import { PlainRows } from '../../../src/solve/rows/plain-rows.ts'

const losses: LinearLoss[] = [
  ...(['hinge', 'squared-hinge'] as const),
  ...(['epsilon-insensitive', 'squared-epsilon-insensitive'] as const),
]

/** Samples with more features than there are samples, the last two of them the same row. */
function wideProblem(loss: LinearLoss, C: number) {
  const random = new Random(7)
  const rows = Array.from({ length: 40 }, () => Array.from({ length: 60 }, () => random.normal()))
  rows[39] = rows[38]
  const z = rows.map((_, i) => (i % 2 === 0 ? 1 : -1))
  return makeLinearMachine({ samples: toMatrix(rows), z, loss, C, epsilon: 0.1 })
}

describe.each(losses)('a step on a face, %s', (loss) => {
  test('lowers the dual by what it says, within the bounds, to where the face is flat', () => {
    const problem = wideProblem(loss, 0.2)
    const terms = termsOf(problem)
    const rows = new PlainRows(problem.samples, problem.constant)
    const random = new Random(3)
    // Of three, one is at 0, the others are inside.
    const beta = terms.z.map((sign, i) => (i % 3 === 0 ? 0 : 0.01 * sign * random.uniform()))
    const w = new Float64Array(rows.cols + 1)
    rows.combine(beta, w)
    const dual = () => 0.5 * w.reduce((sum, own) => sum + own * own, 0) + conjugateSum(terms, beta)
    const before = dual()
    const vectors = { ...terms, beta, w }
    const { gain } = inOneGo(stepOnFace(rows, vectors, freeSamples(vectors), 300, () => false))
    expect(gain).toBeGreaterThan(0)
    expect(before - dual()).toBeCloseTo(gain, 10)
    const again = new Float64Array(w.length)
    rows.combine(beta, again)
    expect(Math.max(...again.map((own, j) => Math.abs(own - w[j])))).toBeLessThan(1e-12)
    for (let i = 0; i < 40; i += 3) expect(beta[i]).toBe(0)
    // Whoever clipped nothing is at the minimum over the face: a second step gains next to nothing.
    const second = inOneGo(stepOnFace(rows, vectors, freeSamples(vectors), 300, () => false))
    expect(second.gain).toBeLessThan(0.5 * gain)
  })
})

test('nearly separable classes with a large C are solved within a thousand epochs', () => {
  const random = new Random(11)
  const count = 300
  // A common part makes all samples alike, which is what coordinates alone crawl on.
  const common = Array.from({ length: 400 }, () => random.normal())
  const rows = Array.from({ length: count }, () => common.map((own) => own + 0.3 * random.normal()))
  const z = rows.map((_, i) => (i % 2 === 0 ? 1 : -1))
  const problem = makeLinearMachine({ samples: toMatrix(rows), z, loss: 'squared-hinge', C: 1000 })
  const options = { tol: 1e-6, maxIter: 1000 }
  const engine = solveSync(problem, dualDescent, {}, options)
  const plain = solveSync(problem, dualDescent, { engine: false }, options)
  expect(engine.certificate.stopReason).toBe('converged')
  expect(plain.alpha).toEqual(engine.alpha)
})

describe("a step on a face of Crammer and Singer's dual", () => {
  const random = new Random(5)
  const [count, k] = [30, 4]
  const rows = Array.from({ length: count }, () => Array.from({ length: 50 }, () => random.normal()))
  const y = rows.map((_, i) => i % k)
  const problem = makeCrammerSinger({ samples: toMatrix(rows), y, classes: k, C: 0.05 })

  test('keeps every sample on its simplex, and lowers the dual by what it says', () => {
    const data = new PlainRows(problem.samples, problem.constant)
    const alpha = new Float64Array(count * k)
    // Of each sample the own class and one or two others share C, and one is at its bound.
    for (let i = 0; i < count; i++) {
      const others = [1, 2].slice(0, 1 + (i % 2)).map((step) => (y[i] + step) % k)
      for (const m of others) alpha[i * k + m] = (-0.5 * problem.C[i]) / others.length
      alpha[i * k + y[i]] = 0.5 * problem.C[i]
    }
    const w = new Float64Array((data.cols + 1) * k)
    data.classCombine(alpha, k, w)
    const vectors = { alpha, w, norms: data.squaredNorms }
    const dual = () => {
      let sum = 0.5 * w.reduce((total, own) => total + own * own, 0)
      for (let i = 0; i < count; i++) for (let m = 0; m < k; m++) if (m !== y[i]) sum += alpha[i * k + m]
      return sum
    }
    const before = dual()
    expect(countFree(problem, vectors)).toBe(count)
    const { gain, bound } = inOneGo(stepOnClassFace(problem, data, vectors, 0.01, 100, () => false))
    expect(gain).toBeGreaterThan(0)
    // Here every way leads to bounds, which are held; those that are left go on.
    expect(bound).toBeGreaterThan(0)
    expect(before - dual()).toBeCloseTo(gain, 10)
    const again = new Float64Array(w.length)
    data.classCombine(alpha, k, again)
    for (let j = 0; j < w.length; j++) expect(Math.abs(again[j] - w[j])).toBeLessThan(1e-12)
    for (let i = 0; i < count; i++) {
      const own = alpha.subarray(i * k, (i + 1) * k)
      expect(Math.abs(own.reduce((sum, entry) => sum + entry, 0))).toBeLessThan(1e-15)
      for (let m = 0; m < k; m++) expect(own[m]).toBeLessThanOrEqual(m === y[i] ? problem.C[i] : 0)
      // What was at its bound is not free.
      expect(own[(y[i] + 3) % k]).toBe(0)
    }
  })

  test('ends at the bounds, about C away, of samples that are equal but for their class', () => {
    const copies = toMatrix([
      [1, 2],
      [1, 2],
      [3, -1],
      [-2, 1],
    ])
    const own = makeCrammerSinger({ samples: copies, y: [0, 1, 0, 1], classes: 3, C: 10 })
    const data = new PlainRows(copies, own.constant)
    const alpha = new Float64Array(12)
    for (const i of [0, 1]) {
      alpha[3 * i + i] = 1
      alpha[3 * i + (1 - i)] = -1
    }
    const w = new Float64Array((data.cols + 1) * 3)
    data.classCombine(alpha, 3, w)
    const vectors = { alpha, w, norms: data.squaredNorms }
    const { gain, bound } = inOneGo(stepOnClassFace(own, data, vectors, 0.01, 100, () => false))
    expect(gain).toBeGreaterThan(0)
    expect(bound).toBeGreaterThan(0)
    expect([alpha[0], alpha[4]]).toEqual([10, 10])
  })
})
