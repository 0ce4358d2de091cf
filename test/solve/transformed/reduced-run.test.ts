import { describe, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { toMatrix, toSparse } from '../../../src/data/matrix/matrix.ts'
import {
  type LinearMachineOptions,
  makeCrammerSinger,
  makeLinearMachine,
} from '../../../src/problems/linear-problem.ts'
import { solveSync } from '../../../src/solve/driver/run.ts'
import { crammerSinger } from '../../../src/solve/methods/crammer-singer.ts'
import { linearAuto } from '../../../src/solve/methods/linear-auto.ts'
import { expectClose } from '../../close.ts'

/** Noisy functions of a few of many features; every tenth sample is that before it once more, and one is at the origin. */
function wideData(count: number, features: number, scaled: (x: number, j: number) => number = (x) => x) {
  const random = new Random(5)
  const rows = Array.from({ length: count }, () => Array.from({ length: features }, () => random.normal()))
  const values = rows.map((row) => row[0] - 2 * row[1] + row[2] + 0.5 * random.normal())
  for (let i = 10; i < count; i += 10) rows[i] = rows[i - 1]
  rows[1].fill(0)
  return { samples: toMatrix(rows.map((row) => row.map(scaled))), values }
}

const signs = (values: readonly number[]) => values.map((v) => (v > 0 ? 1 : -1))
const tol = 1e-9

const machines: readonly (readonly [string, Partial<LinearMachineOptions>])[] = [
  ['hinge', { loss: 'hinge' }],
  ['hinge, free bias', { loss: 'hinge', bias: 'free' }],
  ['squared hinge, no bias', { loss: 'squared-hinge', bias: 'none' }],
  ['logistic', { loss: 'logistic', constant: 3 }],
  ['epsilon-insensitive', { loss: 'epsilon-insensitive', epsilon: 0.1 }],
]

describe('fewer samples than features', () => {
  const { samples, values } = wideData(40, 150)

  test.each(machines)('%s: what the rows themselves lead to', (_, options) => {
    const z = options.loss === 'epsilon-insensitive' ? values : signs(values)
    // Sparse rows are not reduced.
    const [reduced, plain] = [samples, toSparse(samples)].map((samples) =>
      solveSync(
        makeLinearMachine({ samples, loss: 'hinge', z, C: 0.01, ...options }),
        linearAuto,
        {},
        { tol },
      ),
    )
    expect(reduced.certificate.stopReason).toBe('converged')
    expect(Math.abs(reduced.certificate.primal - plain.certificate.primal)).toBeLessThan(
      2 * tol * plain.certificate.primal,
    )
    expect(reduced.weights).toHaveLength(151)
    expectClose(reduced.weights!, plain.weights!, 1e-4)
    expect(reduced.bias).toBe(reduced.weights!.at(-1))
  })

  test("Crammer and Singer's machine", () => {
    const y = values.map((v) => (v < -1 ? 0 : v < 1 ? 1 : 2))
    const [reduced, plain] = [samples, toSparse(samples)].map((samples) =>
      solveSync(makeCrammerSinger({ samples, y, classes: 3, C: 0.1 }), crammerSinger, {}, { tol }),
    )
    expect(reduced.certificate.stopReason).toBe('converged')
    expect(Math.abs(reduced.certificate.primal - plain.certificate.primal)).toBeLessThan(
      2 * tol * plain.certificate.primal,
    )
  })

  test('a start is a model of all features', () => {
    const problem = makeLinearMachine({ samples, loss: 'logistic', z: signs(values) })
    const { weights, alpha } = solveSync(problem, linearAuto, {}, { tol })
    const again = solveSync(problem, linearAuto, {}, { tol: 10 * tol, start: { weights: weights!, alpha } })
    expect(again.certificate).toMatchObject({ stopReason: 'converged', iterations: 0 })
  })
})

test('features far from 0, and a bias that is regularised: some tens of steps', () => {
  const { samples, values } = wideData(100, 1100, (x) => x + 100)
  const problem = makeLinearMachine({
    samples,
    loss: 'epsilon-insensitive',
    z: values,
    epsilon: 0.1,
    C: 0.01,
  })
  const { certificate } = solveSync(problem, linearAuto)
  expect(certificate.stopReason).toBe('converged')
  expect(certificate.iterations).toBeLessThan(200)
})

test("Crammer and Singer's machine with features from 1e-3 to 1e3", () => {
  const { samples, values } = wideData(80, 220, (x, j) => x * 10 ** ((j % 7) - 3))
  const y = values.map((v) => (v < -1 ? 0 : v < 1 ? 1 : 2))
  const { certificate } = solveSync(makeCrammerSinger({ samples, y, classes: 3, C: 1 }), crammerSinger)
  expect(certificate.stopReason).toBe('converged')
  expect(certificate.iterations).toBeLessThan(2000)
})
