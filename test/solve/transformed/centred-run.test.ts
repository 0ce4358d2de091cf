import { describe, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { type Matrix, toMatrix, toSparse } from '../../../src/data/matrix/matrix.ts'
import { type LinearMachineOptions, makeLinearMachine } from '../../../src/problems/linear-problem.ts'
import { solveSync } from '../../../src/solve/driver/run.ts'
import { linearAuto } from '../../../src/solve/methods/linear-auto.ts'
import { newton } from '../../../src/solve/methods/newton.ts'
import { expectClose } from '../../close.ts'

const COUNT = 200
const FEATURES = 5
/** About so much beside deviations of 1, f64 leaves the values of a model 11 digits. */
const FAR = 2e4
const TOL = 1e-7

/** A noisy function of features about 0, or about FAR: of sparse rows the first two, which all samples have. */
function dataAbout(shift: number, isSparse: boolean) {
  const random = new Random(3)
  const rows = Array.from({ length: COUNT }, () =>
    Array.from({ length: FEATURES }, (_, j) =>
      isSparse && j > 1 && random.int(3) > 0 ? 0 : random.normal(),
    ),
  )
  const values = rows.map((row) => row[0] - 2 * row[1] + row[2] + 0.5 * random.normal())
  const moved = rows.map((row) => row.map((x, j) => x + (isSparse && j > 1 ? 0 : shift)))
  const samples: Matrix = isSparse ? toSparse(toMatrix(moved)) : toMatrix(moved)
  return { samples, values }
}

const machines: readonly (readonly [string, Partial<LinearMachineOptions>])[] = [
  ['hinge', { loss: 'hinge' }],
  ['squared hinge', { loss: 'squared-hinge' }],
  ['squared hinge, norm 1', { loss: 'squared-hinge', norm: 1 }],
  ['logistic', { loss: 'logistic' }],
  ['epsilon-insensitive', { loss: 'epsilon-insensitive', epsilon: 0.1 }],
]

describe.each([
  ['dense', false],
  ['sparse', true],
] as const)('features far from 0, and a free bias: %s', (_, isSparse) => {
  test.each(machines)('%s', (_, options) => {
    const problemAbout = (shift: number) => {
      const { samples, values } = dataAbout(shift, isSparse)
      const isClass = options.loss !== 'epsilon-insensitive'
      const z = isClass ? values.map((v) => (v > 0 ? 1 : -1)) : values
      return makeLinearMachine({ samples, loss: 'hinge', z, C: 100, bias: 'free', ...options })
    }
    const near = solveSync(problemAbout(0), linearAuto, {}, { tol: TOL })
    const far = solveSync(problemAbout(FAR), linearAuto, {}, { tol: TOL })
    expect(near.certificate.stopReason).toBe('converged')
    expect(far.certificate.stopReason).toBe('converged')
    // As many steps as without the shift, but for rounding.
    expect(far.certificate.iterations).toBeLessThanOrEqual(2 * near.certificate.iterations + 5)
    expect(Math.abs(far.certificate.primal - near.certificate.primal)).toBeLessThan(
      2e-9 * near.certificate.primal,
    )
    const [w, own] = [near, far].map(({ weights }) => weights!.subarray(0, FEATURES))
    expectClose(own, w, 1e-3)
    const taken = own.subarray(0, isSparse ? 2 : FEATURES).reduce((sum, x) => sum + FAR * x, 0)
    expect(far.bias).toBe(far.weights!.at(-1))
    expect(Math.abs(far.bias + taken - near.bias)).toBeLessThan(1e-3)
  })
})

test('a start is a model of the features as they are', () => {
  const { samples, values } = dataAbout(FAR, false)
  const z = values.map((v) => (v > 0 ? 1 : -1))
  const problem = makeLinearMachine({ samples, loss: 'logistic', z, bias: 'free' })
  const { weights, alpha } = solveSync(problem, newton, {}, { tol: 1e-10 })
  const again = solveSync(problem, newton, {}, { tol: 1e-8, start: { weights: weights!, alpha } })
  expect(again.certificate).toMatchObject({ stopReason: 'converged', iterations: 0 })
})
