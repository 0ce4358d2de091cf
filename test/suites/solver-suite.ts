/**
 * What every solver must do, whatever its method. Values are recomputed here with plain loops (./naive-measures.ts);
 * nothing a solver or a certificate says about itself is believed. Accuracy on data is no criterion.
 */
import { describe, expect, test } from 'vitest'
import { generate } from '../../src/data/generators/generators.ts'
import { makeDataset } from '../../src/data/table/dataset.ts'
import { linear } from '../../src/kernels/linear.ts'
import { makeProblem, type SvmProblem } from '../../src/problems/problem.ts'
import { type SolveResult, solveSync } from '../../src/solve/driver/run.ts'
import type { Solver } from '../../src/solve/driver/solver.ts'
import { type NaiveMeasures, naiveKernelMatrix, naiveMeasures } from './naive-measures.ts'
import { type GoldenProblem, goldenProblems } from './solver-problems.ts'
import { Stopper, withFastClock } from './stopping.ts'

/** What a solver promises. */
export interface Expectation {
  /** Distance of the value from the optimum, relative to it. */
  readonly accuracy: number
  /** The value that counts: of dual solvers the dual, of primal solvers the primal. */
  readonly value: 'dual' | 'primal'
  /** Tolerance to run at. Default: the solver's default. */
  readonly tol?: number
  /** Whether it must say `converged`, and be right. */
  readonly converges: boolean
  /** The dual never rises from one iteration to the next. */
  readonly monotone: boolean
  /** The problems that are within its reach, and the iterations each may take; all, with its default limit, if absent. */
  readonly limit?: (golden: GoldenProblem, problem: SvmProblem) => number | undefined
  /** Options of the solver's own. */
  readonly options?: object
}

const matrices = new Map<string, readonly Float64Array[]>()

/** The naive kernel matrix of a golden problem, made once a bias form. */
function matrixOf(name: string, problem: SvmProblem): readonly Float64Array[] {
  const key = `${name} ${problem.bias}`
  const matrix = matrices.get(key) ?? naiveKernelMatrix(problem)
  matrices.set(key, matrix)
  return matrix
}

/** Runs the suite for one solver. */
export function solverSuite(title: string, solver: Solver, expectation: Expectation): void {
  const { options = {}, tol = solver.defaults.tol } = expectation
  const bias = solver.biasForms[0]
  const suitable = goldenProblems.filter(({ kernel }) => !solver.linearOnly || kernel.kind === 'linear')

  describe(title, () => {
    describe('reaches the optimum', () => {
      for (const golden of suitable) {
        const problem = golden.problem(bias)
        const maxIter = expectation.limit
          ? expectation.limit(golden, problem)
          : solver.defaults.maxIter(golden.samples)
        if (maxIter === undefined) continue
        test(golden.name, () => {
          const result = solveSync(problem, solver, options, { tol, maxIter })
          const naive = naiveMeasures(problem, matrixOf(golden.name, problem), result)
          expectFeasible(problem, naive)
          expectTrueCertificate(problem, result, naive)
          if (expectation.converges) expect(result.certificate.stopReason).toBe('converged')
          expectNear(golden, problem, naive, expectation)
        })
      }
    })

    test('says converged only when it is', () => {
      for (const golden of suitable.slice(0, 3)) {
        const problem = golden.problem(bias)
        for (const maxIter of [0, 1, 3]) {
          const { certificate, ...result } = solveSync(problem, solver, options, { tol, maxIter })
          const naive = naiveMeasures(problem, matrixOf(golden.name, problem), result)
          const distance = solver.goal === 'gap' ? naive.gap / naive.primal : naive.violation
          expect(certificate.iterations).toBeLessThanOrEqual(maxIter)
          if (distance > tol * 1.001) expect(certificate.stopReason).toBe('iteration-limit')
          else expect(certificate.stopReason).toBe('converged')
        }
      }
    })

    test('a run with the same seed gives the same bits', () => {
      const problem = overlapping(bias)
      const limits = { tol, maxIter: 500, seed: 11 }
      const first = solveSync(problem, solver, options, limits)
      const second = solveSync(problem, solver, options, limits)
      expect(second.alpha).toEqual(first.alpha)
      expect(second.bias).toBe(first.bias)
      expect(second.beta).toEqual(first.beta)
      expect(second.certificate.iterations).toBe(first.certificate.iterations)
    })

    test('a trace starts at 0, keeps to its interval, and ends at the end', () => {
      const problem = overlapping(bias)
      const limits = { tol, maxIter: 40, seed: 3 }
      const plain = solveSync(problem, solver, options, limits)
      const traced = solveSync(problem, solver, options, { ...limits, trace: { every: 7, snapshots: true } })
      const { trace, certificate } = traced
      expect(traced.alpha).toEqual(plain.alpha)
      expect(trace[0].iteration).toBe(0)
      expect(trace.at(-1)?.iteration).toBe(certificate.iterations)
      expect(trace.at(-1)?.dual).toBeCloseTo(certificate.dual, 9)
      expect(trace.at(-1)?.alpha).toEqual(traced.alpha)
      expect(trace.at(-1)?.bias).toBe(traced.bias)
      const matrix = naiveKernelMatrix(problem)
      trace.forEach((point, k) => {
        if (k < trace.length - 1) expect(point.iteration).toBe(7 * k)
        if (k > 0) expect(point.seconds).toBeGreaterThanOrEqual(trace[k - 1].seconds)
        expect(point.alpha).toBeInstanceOf(Float64Array)
        const alpha = point.alpha as Float64Array
        const { beta } = point
        const naive = naiveMeasures(problem, matrix, {
          ...{ alpha, bias: point.bias as number },
          ...(beta && { beta }),
        })
        expectFeasible(problem, naive)
        expectClose(point.dual, naive.dual)
        expectClose(point.violation, naive.violation)
        expect(point.supportVectors).toBe(alpha.filter((a) => a > 0).length)
        if (expectation.value === 'dual') expectClose(point.primal, naive.primal)
        expectClose(point.gap, point.primal + point.dual)
      })
    })

    test.runIf(expectation.monotone)('the dual never rises', () => {
      for (const golden of suitable.filter(({ samples }) => samples <= 200)) {
        const trace = { every: 1 }
        const result = solveSync(golden.problem(bias), solver, options, { tol, maxIter: 300, trace })
        for (let k = 1; k < result.trace.length; k++) {
          const before = result.trace[k - 1].dual
          // Kernel rows in f32 decide steps; their rounding may show in the last digits.
          expect(result.trace[k].dual).toBeLessThanOrEqual(before + 1e-9 * Math.abs(before))
        }
      }
    })

    test('stops for a signal and for the clock, and returns a feasible point', () => {
      const problem = overlapping(bias)
      const matrix = naiveKernelMatrix(problem)
      const aborted = solveSync(problem, solver, options, { tol: 1e-12, signal: AbortSignal.abort() })
      expect(aborted.certificate).toMatchObject({ stopReason: 'aborted', iterations: 0 })
      const late = solveSync(problem, solver, options, { tol: 1e-12, timeLimit: 0 })
      expect(late.certificate).toMatchObject({ stopReason: 'time-limit', iterations: 0 })
      // In the middle of its work: at the third time that the driver looks, with a clock by which every look is due.
      const stopper = new Stopper(2)
      const cut = withFastClock(() =>
        solveSync(problem, solver, options, { tol: 1e-300, signal: stopper.signal }),
      )
      expect(cut.certificate.stopReason).toBe('aborted')
      expect(stopper.looks).toBe(3)
      for (const result of [aborted, late, cut]) {
        expectFeasible(problem, naiveMeasures(problem, matrix, result))
      }
    })

    test('a class of weight 0 is left out', () => {
      const { samples, labels } = generate('blobs', { n: 40, spread: 3, seed: 5 })
      const y = labels as Float64Array
      const C = y.map((label) => (label > 0 ? 1 : 0))
      const problem = makeProblem({ samples, kernel: linear(), y, C, bias })
      const result = solveSync(problem, solver, options, { tol })
      const naive = naiveMeasures(problem, naiveKernelMatrix(problem), result)
      expectFeasible(problem, naive)
      expect(result.alpha.every((a, i) => a === 0 || y[i] > 0)).toBe(true)
      expect(result.certificate.stopReason).toBe('converged')
    })

    test('duplicates with opposite labels', () => {
      const rows = [
        [0, 1],
        [0, 1],
        [2, 0],
        [2, 0],
        [-1, 0],
        [3, 1],
      ]
      const { samples, labels } = makeDataset(rows, [1, -1, 1, -1, -1, 1])
      const y = labels as Float64Array
      const problem = makeProblem({ samples, kernel: linear(), y, C: 2, bias })
      const result = solveSync(problem, solver, options, { tol })
      const naive = naiveMeasures(problem, naiveKernelMatrix(problem), result)
      expectFeasible(problem, naive)
      expectTrueCertificate(problem, result, naive)
      expect(result.certificate.stopReason).toBe('converged')
    })
  })
}

/** Two clouds that overlap: no quick end for any solver. */
function overlapping(bias: SvmProblem['bias']): SvmProblem {
  const { samples, labels } = generate('blobs', { n: 60, spread: 8, box: 4, seed: 12 })
  return makeProblem({ samples, kernel: linear(), y: labels as Float64Array, C: 1, bias })
}

/** Within the box exactly; balanced to rounding when the bias is free. */
function expectFeasible(problem: SvmProblem, naive: NaiveMeasures): void {
  expect(naive.outside).toBeLessThanOrEqual(0)
  if (problem.bias === 'free') expect(naive.imbalance).toBeLessThanOrEqual(1e-10)
}

/** The certificate says what the plain loops say, and its parts agree with each other. */
function expectTrueCertificate(problem: SvmProblem, result: SolveResult, naive: NaiveMeasures): void {
  const { certificate, alpha, beta } = result
  expectClose(certificate.dual, naive.dual)
  expectClose(certificate.primal, naive.primal)
  expectClose(certificate.gap, naive.gap, 1e-9 * Math.abs(naive.primal))
  expectClose(certificate.maxViolation, naive.violation)
  expect(certificate.supportVectors).toBe(alpha.filter((a) => a > 0).length)
  expect(certificate.boundedSupportVectors).toBe(alpha.filter((a, i) => a > 0 && a >= problem.C[i]).length)
  // Weak duality; and conditions that hold within v for one bias leave a gap of at most v for each unit of C.
  const rounding = 1e-9 * Math.abs(naive.primal)
  expect(naive.gap).toBeGreaterThanOrEqual(-rounding)
  if (problem.bias === 'free' && !beta) {
    const totalC = problem.C.reduce((sum, c) => sum + c, 0)
    expect(naive.gap).toBeLessThanOrEqual(naive.violation * totalC + rounding)
  }
}

function expectNear(
  golden: GoldenProblem,
  problem: SvmProblem,
  naive: NaiveMeasures,
  { accuracy, value }: Expectation,
): void {
  const { svc, linearSvc } = golden.optimum
  const found = value === 'dual' ? -naive.dual : naive.primal
  if (problem.bias !== 'free') expect(linearSvc.converged).toBe(true)
  expectClose(found, problem.bias === 'free' ? -svc.dual : linearSvc.primal, 0, accuracy)
}

function expectClose(actual: number, expected: number, absolute = 1e-8, relative = 1e-8): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(absolute + relative * Math.abs(expected))
}
