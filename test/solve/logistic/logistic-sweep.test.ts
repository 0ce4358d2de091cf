import { describe, expect, test } from 'vitest'
import '../../../src/engine/memory/all-builds.ts'
import { Random } from '../../../src/base/random.ts'
import { type Matrix, toMatrix, toSparse } from '../../../src/data/matrix/matrix.ts'
import { makeLinearMachine } from '../../../src/problems/linear-problem.ts'
import { solveSync } from '../../../src/solve/driver/run.ts'
import { LinearPoint } from '../../../src/solve/linear/linear-point.ts'
import { LogisticEpochs } from '../../../src/solve/logistic/logistic-epochs.ts'
import { expOfMinus } from '../../../src/solve/logistic/logistic-sweep.ts'
import { dualDescent } from '../../../src/solve/methods/dual-descent.ts'
import { linearAuto } from '../../../src/solve/methods/linear-auto.ts'
import { newton } from '../../../src/solve/methods/newton.ts'
import { PlainRows } from '../../../src/solve/rows/plain-rows.ts'

/** Random samples, some twice, one of them 0, with prices, one of them 0. */
function machine(count: number, width: number, C: number, store: (matrix: Matrix) => Matrix = toMatrix) {
  const random = new Random(9)
  const rows = Array.from({ length: count }, (_, i) =>
    Array.from({ length: width }, () => (i % 11 === 3 || random.uniform() < 0.7 ? 0 : random.normal())),
  )
  rows[5] = rows[4]
  const z = rows.map((row) => (row[0] - row[1] + random.normal() > 0 ? 1 : -1))
  const prices = rows.map((_, i) => (i === 7 ? 0 : C * (1 + (i % 3))))
  return makeLinearMachine({ samples: store(toMatrix(rows)), loss: 'logistic', z, C: prices })
}

test('e^−x to the last digits, from 1 to 0', () => {
  expect(expOfMinus(0)).toBe(1)
  expect(expOfMinus(1e6)).toBe(0)
  for (let x = 1e-12; x < 600; x *= 1.1) {
    expect(Math.abs(expOfMinus(x) / Math.exp(-x) - 1)).toBeLessThan(1e-16 * (4 + x))
  }
})

test('a step minimises the dual over its β: an epoch of one sample leaves nothing', () => {
  for (const C of [1e-4, 1, 1e4, 1e8]) {
    for (const features of [[0], [1e-3], [1], [30]]) {
      const samples = toMatrix([features])
      const problem = makeLinearMachine({ samples, loss: 'logistic', z: [-1], C, bias: 'none' })
      const rows = new PlainRows(samples, 0)
      const point = new LinearPoint(problem, rows, {})
      const epochs = new LogisticEpochs(rows, point, new Random(1), () => false)
      for (let epoch = 0; epoch < 12; epoch++) for (const _pause of epochs.epoch(0));
      epochs.measure()
      expect(Math.abs(point.gap)).toBeLessThanOrEqual(1e-13 * point.primal)
      expect(epochs.left).toBeLessThanOrEqual(1e-13 * point.primal)
    }
  }
})

describe('dual descent with the logistic loss', () => {
  test.each([0.01, 1, 10])('C = %d: certified, and at the optimum of Newton’s method', (C) => {
    for (const store of [toMatrix, toSparse]) {
      const problem = machine(60, 100, C, store)
      const own = solveSync(problem, dualDescent, {}, { tol: 1e-9 })
      const other = solveSync(problem, newton, {}, { tol: 1e-9 })
      expect(own.certificate.stopReason).toBe('converged')
      expect(Math.abs(own.certificate.primal / other.certificate.primal - 1)).toBeLessThanOrEqual(2e-9)
    }
  })

  test('a run from its own solution ends at once, and LIBLINEAR’s rule ends one early', () => {
    const problem = machine(120, 200, 1)
    const first = solveSync(problem, dualDescent, {}, { tol: 1e-9 })
    const start = { weights: first.weights as Float64Array, alpha: first.alpha }
    const again = solveSync(problem, dualDescent, {}, { tol: 1e-8, start })
    expect(again.certificate.iterations).toBeLessThanOrEqual(3)
    const [rough, fine] = [0.1, 0.001].map((liblinearEps) =>
      solveSync(problem, dualDescent, { liblinearEps }),
    )
    expect(rough.certificate.iterations).toBeLessThan(fine.certificate.iterations)
    expect(fine.certificate.primal).toBeLessThan(rough.certificate.primal)
  })

  test('many features: it is chosen; where it crawls, Newton’s method goes on from its point', () => {
    const solved = (C: number) => solveSync(machine(150, 1200, C, toSparse), linearAuto, {}, {})
    const quick = solved(0.1)
    expect(quick.certificate).toMatchObject({ stopReason: 'converged', solver: dualDescent.name })
    const slow = solved(1e6)
    expect(slow.certificate).toMatchObject({ stopReason: 'converged', solver: newton.name })
  })
})
