/** The active-set method on all five duals, easy and hard: feasible, and optimal by a gradient computed afresh. */
import { describe, expect, it } from 'vitest'
import { generate } from '../../../src/data/generators/generators.ts'
import type { Matrix } from '../../../src/data/matrix/matrix.ts'
import { giveEngine, takeEngine } from '../../../src/engine/memory/engine.ts'
import type { AnyKernel } from '../../../src/kernels/kernel.ts'
import { linear } from '../../../src/kernels/linear.ts'
import { polynomial } from '../../../src/kernels/polynomial.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { sigmoid } from '../../../src/kernels/sigmoid.ts'
import type { GeneralDual } from '../../../src/problems/general-dual.ts'
import { ActiveSet, countFree } from '../../../src/solve/active-set/active-set.ts'
import { ExactRows } from '../../../src/solve/active-set/exact-rows.ts'
import {
  generalDuals,
  kernelMatrixOf,
  objectiveOf,
  solvePlainly,
  violationOf,
  vOf,
} from '../../suites/general-duals.ts'
import { someMatrix } from '../../suites/matrices.ts'

/** The same dual with all bounds, and the start, larger. */
function scaled(dual: GeneralDual, factor: number): GeneralDual {
  const times = (values: Float64Array) => values.map((value) => factor * value)
  const start = dual.start && times(dual.start)
  return { ...dual, lower: times(dual.lower), upper: times(dual.upper), ...(start && { start }) }
}

function solve(dual: GeneralDual, tol: number, limit = Number.POSITIVE_INFINITY, cacheBytes = 1e9) {
  const K = kernelMatrixOf(dual)
  const beta = dual.start ? dual.start.slice() : new Float64Array(dual.target.length)
  const v = vOf(dual, K, beta)
  const diagonal = Float64Array.from(K, (row, i) => row[i])
  const count = beta.length
  const engine = takeEngine(1)
  const mark = engine.mark()
  const rows = new ExactRows(engine, count, count, cacheBytes, (variables, pointers, wanted) => {
    for (let a = 0; a < wanted; a++) engine.view(Float64Array, pointers[a], count).set(K[variables[a]])
  })
  let looks = 0
  const due = () => ++looks % 3 === 0
  const set = new ActiveSet(engine, dual, beta, v, diagonal, rows, count, tol, due)
  const cycle = () => {
    const run = set.cycle(limit)
    for (;;) {
      const { done, value } = run.next()
      if (done) return value
    }
  }
  let end = cycle()
  for (let cycles = 0; (end === 'open' || end === 'paused') && cycles < 20_000; cycles++) end = cycle()
  const { turns, violation, isIndefinite } = set
  giveEngine(engine, mark)
  return { K, beta, v, set: { turns, violation, isIndefinite }, end }
}

function expectFeasible({ lower, upper, groups, start }: GeneralDual, beta: Float64Array): void {
  expect(beta.every((b, i) => lower[i] <= b && b <= upper[i])).toBe(true)
  const size = beta.reduce((sum, b) => sum + Math.abs(b), 1)
  for (const group of groups ? [0, 1] : [0]) {
    const sumOf = (values: Float64Array) =>
      values.reduce((sum, b, i) => (groups && groups[i] !== group ? sum : sum + b), 0)
    expect(Math.abs(sumOf(beta) - (start ? sumOf(start) : 0))).toBeLessThan(1e-10 * size)
  }
}

const kernels: [string, AnyKernel][] = [
  ['rbf', rbf({ gamma: 0.2 })],
  ['a narrow rbf', rbf({ gamma: 5 })],
  ['a wide rbf', rbf({ gamma: 1e-3 })],
  ['linear', linear()],
  ['polynomial', polynomial({ gamma: 0.2, coef0: 1, degree: 3 })],
]

describe.each(Object.entries(generalDuals))('%s with free variables', (name, make) => {
  it.each(kernels)('%s: feasible and optimal for any C', (_, kernel) => {
    for (const factor of [1, 100, 1e5]) {
      const dual = scaled(make(3, someMatrix(7, name === 'ν-SVR' ? 60 : 120, 4), kernel), factor)
      for (const tol of [1e-3, 1e-5]) {
        const { K, beta, v, end, set } = solve(dual, tol)
        expect(end).toBe('optimal')
        expectFeasible(dual, beta)
        const violation = violationOf(dual, K, beta)
        expect(violation).toBeLessThanOrEqual(tol)
        expect(Math.abs(violation - set.violation)).toBeLessThan(1e-3 * tol + 1e-9)
        expect(Math.max(...vOf(dual, K, beta).map((x, i) => Math.abs(x - v[i])))).toBeLessThan(1e-3 * tol)
      }
    }
  })

  it('the point that pairs find', () => {
    const dual = make(5, someMatrix(11, 80, 3), rbf({ gamma: 0.5 }))
    const { K, beta } = solve(dual, 1e-6)
    const plain = solvePlainly(dual, K, 1e-6)
    const [mine, theirs] = [beta, plain].map((point) => objectiveOf(dual, K, point))
    expect(Math.abs(mine - theirs)).toBeLessThan(1e-9 * Math.abs(theirs) + 1e-9)
  })

  it('with every sample three times', () => {
    const once = someMatrix(13, 30, 3)
    const samples = {
      ...once,
      rows: 90,
      values: Float64Array.of(...once.values, ...once.values, ...once.values),
    }
    const dual = scaled(make(7, samples as Matrix, rbf({ gamma: 0.3 })), 1000)
    const { K, beta, end } = solve(dual, 1e-4)
    expect(end).toBe('optimal')
    expectFeasible(dual, beta)
    expect(violationOf(dual, K, beta)).toBeLessThanOrEqual(1e-4)
  })

  it('the same bits whether it pauses or not', () => {
    const dual = scaled(make(9, someMatrix(17, 60, 3), rbf({ gamma: 0.5 })), 100)
    const whole = solve(dual, 1e-4)
    const inPieces = solve(dual, 1e-4, 1)
    expect(inPieces.beta).toEqual(whole.beta)
    expect(inPieces.set.turns).toBe(whole.set.turns)
  })

  it('the same bits where few rows are kept', () => {
    const dual = scaled(make(9, someMatrix(17, 60, 3), rbf({ gamma: 0.5 })), 100)
    expect(solve(dual, 1e-4, Number.POSITIVE_INFINITY, 0).beta).toEqual(solve(dual, 1e-4).beta)
  })

  it('a kernel that is not positive does no harm', () => {
    const dual: GeneralDual = make(3, someMatrix(19, 60, 4), sigmoid({ gamma: 0.1, coef0: -0.5 }))
    const { K, beta, end, set } = solve(dual, 1e-3)
    if (end === 'stuck') expect(set.isIndefinite).toBe(true)
    else {
      expect(end).toBe('optimal')
      expect(violationOf(dual, K, beta)).toBeLessThanOrEqual(1e-3)
    }
    expectFeasible(dual, beta)
    const start = dual.start ?? new Float64Array(beta.length)
    expect(objectiveOf(dual, K, beta)).toBeLessThanOrEqual(objectiveOf(dual, K, start) + 1e-9)
  })
})

it('free are those inside the box, and with a tube inside a piece of it', () => {
  const box = {
    target: new Float64Array(4),
    lower: Float64Array.of(-1, -1, -1, -1),
    upper: Float64Array.of(1, 1, 1, 1),
  }
  const beta = Float64Array.of(-1, 0, 0.5, 1)
  expect(countFree({ ...box, tube: 0 }, beta)).toBe(2)
  expect(countFree({ ...box, tube: 0.1 }, beta)).toBe(1)
})

it('hard moons in few moves', () => {
  const { samples, labels } = generate('moons', { n: 400, noise: 0.3, seed: 1 })
  const y = labels as Float64Array
  const box = { lower: y.map((s) => (s > 0 ? 0 : -32768)), upper: y.map((s) => (s > 0 ? 32768 : 0)) }
  const dual: GeneralDual = { samples, kernel: rbf({ gamma: 8 }), target: y, tube: 0, ...box }
  const { K, beta, end, set } = solve(dual, 1e-6)
  expect(end).toBe('optimal')
  expect(violationOf(dual, K, beta)).toBeLessThanOrEqual(1e-6)
  expect(set.turns).toBeLessThan(20 * 400)
})
