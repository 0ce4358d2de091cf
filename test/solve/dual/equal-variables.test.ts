/** One variable in place of several equal ones: the same optimum, and a feasible point to go back to. */
import { describe, expect, it } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { generalDualOf } from '../../../src/problems/general-form.ts'
import type { Problem } from '../../../src/problems/kernel-problem.ts'
import { solveSync } from '../../../src/solve/driver/run.ts'
import { EqualVariables } from '../../../src/solve/dual/equal-variables.ts'
import { smo } from '../../../src/solve/methods/smo.ts'
import { kernelMatrixOf, objectiveOf } from '../../suites/general-duals.ts'
import { singleMachine } from '../../torture/random-machines.ts'
import { problemOf, samplesOf } from '../../torture/solve-machine.ts'
import type { SingleMachine } from '../../torture/true-measures.ts'

const tasks = ['svc', 'nu-svc', 'one-class', 'svr', 'nu-svr'] as const

/** 60 samples, each ten times with one of two targets and bounds of its own; `noise` makes all samples different. */
function repeated(task: SingleMachine['task'], noise = 0): Problem {
  const random = new Random(4)
  const few = Float64Array.from({ length: 120 }, () => random.normal())
  const rows = 600
  const values = Float64Array.from({ length: 2 * rows }, (_, k) => few[k % 120] + noise * random.normal())
  const isClasses = task === 'svc' || task === 'nu-svc'
  const y = Float64Array.from({ length: rows }, (_, i) => {
    const side = few[2 * (i % 60)] > 0 === i % 7 > 0 ? 1 : -1
    return isClasses ? side : 0.3 * side + few[2 * (i % 60) + 1]
  })
  const factors = Float64Array.from({ length: rows }, (_, i) => (i % 5) / 2)
  const nu = task === 'svc' || task === 'svr' ? 0 : 0.3
  const ground = {
    points: { rows, cols: 2, values },
    kernel: { kind: 'rbf' as const, gamma: 0.7 },
    C: 1,
    factors,
  }
  const machine = singleMachine(ground, { task, y, nu, epsilon: task === 'svr' ? 0.1 : 0 })
  return problemOf(machine, samplesOf(ground.points, false))
}

function merged(problem: Problem) {
  const given = generalDualOf(problem)
  const equal = EqualVariables.of(given) as EqualVariables
  return { given, equal }
}

/** Sums of each set. */
function sumsOf({ setOf, firsts }: EqualVariables, beta: Float64Array): Float64Array {
  const sums = new Float64Array(firsts.length)
  beta.forEach((value, i) => {
    sums[setOf[i]] += value
  })
  return sums
}

describe.each(tasks)('%s', (task) => {
  it('sets are equal samples with equal targets, of one group', () => {
    const { given, equal } = merged(repeated(task))
    const count = given.target.length
    expect(equal.firsts.length).toBeLessThanOrEqual(task === 'nu-svr' ? 240 : 120)
    expect(equal.firsts.length).toBeGreaterThanOrEqual(60)
    const { values, cols } = given.samples as unknown as { values: Float64Array; cols: number }
    for (let i = 0; i < count; i++) {
      const first = equal.firsts[equal.setOf[i]]
      expect(given.target[i]).toBe(given.target[first])
      expect(given.groups?.[i]).toBe(given.groups?.[first])
      expect([...values.subarray(i * cols, (i + 1) * cols)]).toEqual([
        ...values.subarray(first * cols, (first + 1) * cols),
      ])
    }
  })

  it('what is spread is feasible, has the same value, and few variables between their bounds', () => {
    const { given, equal } = merged(repeated(task))
    const random = new Random(2)
    const { lower, upper } = equal.dual
    const sums = lower.map((low, s) => {
      const share = [0, 1, random.uniform()][random.int(3)]
      return share === 1 ? upper[s] : share === 0 ? low : low + share * (upper[s] - low)
    })
    const beta = new Float64Array(given.target.length)
    equal.spread(sums, beta)
    const partial = new Uint32Array(sums.length)
    beta.forEach((value, i) => {
      expect(value).toBeGreaterThanOrEqual(given.lower[i])
      expect(value).toBeLessThanOrEqual(given.upper[i])
      if (value !== 0 && value !== given.lower[i] && value !== given.upper[i]) partial[equal.setOf[i]]++
      // At a bound of its set, at its own bound exactly.
      if (sums[equal.setOf[i]] === upper[equal.setOf[i]] && upper[equal.setOf[i]] > 0) {
        expect(value).toBe(given.upper[i])
      }
      if (sums[equal.setOf[i]] === lower[equal.setOf[i]] && lower[equal.setOf[i]] < 0) {
        expect(value).toBe(given.lower[i])
      }
    })
    expect(Math.max(...partial)).toBeLessThanOrEqual(1)
    sumsOf(equal, beta).forEach((sum, s) => {
      expect(Math.abs(sum - sums[s])).toBeLessThanOrEqual(1e-12 * (1 + Math.abs(sums[s])))
    })
    const whole = objectiveOf(given, kernelMatrixOf(given), beta)
    const small = objectiveOf(equal.dual, kernelMatrixOf(equal.dual), sums)
    expect(Math.abs(whole - small)).toBeLessThan(1e-9 * (1 + Math.abs(small)))
  })

  it('the optimum is that of all variables: samples moved apart by 1e-9 are not merged', () => {
    const apart = repeated(task, 1e-9)
    expect(EqualVariables.of(generalDualOf(apart))).toBeUndefined()
    const one = solveSync(repeated(task), smo, {}, { tol: 1e-7 })
    const other = solveSync(apart, smo, {}, { tol: 1e-7 })
    expect(one.certificate.stopReason).toBe('converged')
    expect(other.certificate.stopReason).toBe('converged')
    const size = 1 + Math.abs(other.certificate.dual)
    expect(Math.abs(one.certificate.dual - other.certificate.dual)).toBeLessThan(1e-5 * size)
    expect(one.certificate.supportVectors).toBeLessThanOrEqual(other.certificate.supportVectors)
  })
})

it('is not worth it for few variables, or few that are equal', () => {
  const few = generalDualOf(repeated('svc'))
  expect(EqualVariables.of({ ...few, target: few.target.subarray(0, 400) })).toBeUndefined()
  expect(EqualVariables.of(generalDualOf(repeated('svc', 1e-3)))).toBeUndefined()
})

it.each([1, 3])('finds a few equal neighbours among 2,000 rows, %i columns', (cols) => {
  const random = new Random(9)
  const rows = 2000
  const values = Float64Array.from({ length: rows * cols }, () => random.normal())
  // Every sixteenth row is the one before it once more.
  for (let i = 15; i < rows; i += 16) values.copyWithin(i * cols, (i - 1) * cols, i * cols)
  const y = new Float64Array(rows).fill(1)
  const kernel = { kind: 'rbf' as const, gamma: 1 }
  const ground = { points: { rows, cols, values }, kernel, C: 1, factors: new Float64Array(rows).fill(1) }
  const machine = singleMachine(ground, { task: 'svr', y, nu: 0, epsilon: 0.1 })
  const equal = EqualVariables.of(generalDualOf(problemOf(machine, samplesOf(ground.points, false))))
  expect(equal?.firsts.length).toBe(rows - rows / 16)
})
