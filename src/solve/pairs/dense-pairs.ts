/**
 * One-vs-one for classes of few samples: every pair of two small classes over a kernel matrix of its own, in plain f64
 * code. Of thousands of pairs of a few samples each, what a pair costs beside its steps is what counts.
 *
 * Kernel    pairs come as (0, 1), (0, 2), …, (1, 2), …: the values between one class and all later ones are made together,
 *           those within a class once. No value is made twice.
 * Method    ../dual/dense-smo.ts; then v is computed from scratch, and steps go on should rounding have hidden anything.
 * Result    that of ../driver/run.ts, certificate and all.
 */

import { inOneGo } from '../../base/pieces.ts'
import { type Certificate, lacksMargin, type StopReason } from '../../certify/certificate.ts'
import { Certifier } from '../../certify/certifier.ts'
import { isRefuted } from '../../certify/definiteness.ts'
import { isMatrix, selectRows } from '../../data/matrix/matrix.ts'
import { type Samples, sampleCount } from '../../data/table/dataset.ts'
import type { KernelEvaluator } from '../../kernels/kernel.ts'
import { dualPointOf, generalForm } from '../../problems/general-form.ts'
import type { NuSvcProblem } from '../../problems/kernel-problem.ts'
import type { ClassPair, PairwiseProblem } from '../../problems/pairwise-problem.ts'
import type { SvmProblem } from '../../problems/problem.ts'
import { allowedGap, isReached } from '../driver/goal.ts'
import type { RunOptions, SolveResult } from '../driver/run.ts'
import type { Solver } from '../driver/solver.ts'
import { type DenseKernel, denseGradient, solveDense } from '../dual/dense-smo.ts'
import { smo } from '../methods/smo.ts'

/**
 * Samples of a small class, at most. CPU time of a first fit here and on the engine: 300 classes of 5 samples 3.4 and 9.5 s, 100 of 20
 * 1.6 and 1.8 s, 40 of 30 0.66 and 0.65 s, 10 of 25 0.19 and 0.11 s: V8 interprets what is here until it has been compiled.
 */
const SMALL_CLASS = 16
/** Steps after which a pair counts as hard: a few milliseconds. */
const MOST_STEPS = 20_000

const NO_TRACE: readonly never[] = []

/** See the header of the file. */
export class DensePairs {
  private readonly problem: PairwiseProblem
  private readonly members: readonly Uint32Array[]
  /** The samples of the small classes, class after class, and where each class starts; −1 for larger ones. */
  private readonly samples: Samples
  private readonly starts: Int32Array
  private evaluator: KernelEvaluator | undefined
  /** The values between the class whose turn it is and all samples. */
  private current = -1
  private readonly rows: readonly Float64Array[]
  /** The values within each class. */
  private readonly within: (Float64Array | undefined)[]
  /** The matrix of the pair at hand. */
  private readonly values = new Float64Array((2 * SMALL_CLASS) ** 2)
  private readonly diagonal = new Float64Array(2 * SMALL_CLASS)

  private constructor(problem: PairwiseProblem, members: readonly Uint32Array[]) {
    this.problem = problem
    this.members = members
    this.starts = new Int32Array(members.length).fill(-1)
    let count = 0
    members.forEach(({ length }, c) => {
      if (length > SMALL_CLASS) return
      this.starts[c] = count
      count += length
    })
    const order = new Uint32Array(count)
    members.forEach((list, c) => {
      if (this.starts[c] >= 0) order.set(list, this.starts[c])
    })
    this.samples = chosen(problem.samples, order)
    this.within = members.map(() => undefined)
    this.rows = Array.from({ length: SMALL_CLASS }, () => new Float64Array(count))
  }

  /**
   * Undefined where there are no two small classes, where another solver was requested or its course is to be observed,
   * for hard margins, which may have no solution, and for kernels that are not positive semi-definite: where those end depends
   * on the way.
   */
  static for(
    problem: PairwiseProblem,
    members: readonly Uint32Array[],
    solver: Solver<object>,
    { trace, onStep }: RunOptions,
  ): DensePairs | undefined {
    const small = members.filter(({ length }) => length <= SMALL_CLASS)
    const isHard = problem.bounds.includes(Number.POSITIVE_INFINITY)
    if (solver.name !== smo.name || trace || onStep || isHard || small.length < 2) return undefined
    if (isRefuted(problem)) return undefined
    return new DensePairs(problem, members)
  }

  /** Whether both classes are small. */
  has([first, second]: ClassPair): boolean {
    return this.starts[first] >= 0 && this.starts[second] >= 0
  }

  /**
   * Solves a pair; with a reason to stop, takes no step. Returns undefined for one that takes very many steps: it is not for
   * this method.
   */
  solve(
    problem: SvmProblem | NuSvcProblem,
    pair: ClassPair,
    { tol = smo.defaults.tol, maxIter = Number.POSITIVE_INFINITY, seed = 0, certify }: RunOptions,
    stop: StopReason | undefined,
  ): SolveResult | undefined {
    const started = performance.now()
    const form = generalForm(problem)
    const { target } = form
    const kernel = this.kernelOf(pair)
    const beta = form.start ?? new Float64Array(target.length)
    const most = stop ? 0 : Math.min(MOST_STEPS, maxIter)
    let v = denseGradient(kernel, target, beta)
    let iterations = 0
    let end = solveDense(kernel, form, { beta, v }, tol, most)
    while (end.iterations > 0) {
      iterations += end.iterations
      v = denseGradient(kernel, target, beta)
      end = solveDense(kernel, form, { beta, v }, tol, most - iterations)
    }
    if (end.violation > tol && !stop && iterations < maxIter) return undefined
    const seconds = (performance.now() - started) / 1000
    const alpha = new Float64Array(beta.length)
    dualPointOf(problem, beta, alpha)
    const { bias, groupValues } = end
    const width = groupValues ? (groupValues[1] - groupValues[0]) / 2 : undefined
    const certifier = new Certifier(problem, { threads: 1, all: certify === 'all', seed, tol })
    const found = inOneGo(certifier.examine({ alpha, bias, width }))
    const isSolved = isReached(found, smo.goal, tol, allowedGap(smo.goal, tol, found.primal))
    if (!isSolved && !stop && iterations < maxIter) return undefined
    // Spelled out: copying one object into another takes longer than solving a pair of a few samples.
    const certificate: Certificate = {
      primal: found.primal,
      dual: found.dual,
      gap: found.gap,
      maxViolation: found.maxViolation,
      supportVectors: found.supportVectors,
      boundedSupportVectors: found.boundedSupportVectors,
      evidence: found.evidence,
      stopReason: isSolved ? 'converged' : (stop ?? 'iteration-limit'),
      iterations,
      seconds,
      solver: smo.name,
      tol,
      proves: 'optimum',
      precision: 'f64',
    }
    if (width === undefined) return { alpha, bias, trace: NO_TRACE, certificate }
    const own = lacksMargin(width, tol) ? ({ width, noMargin: true } as const) : { width }
    return { alpha, bias, width, trace: NO_TRACE, certificate: Object.assign(certificate, own) }
  }

  /** The kernel matrix of a pair: it holds until the next one is requested. */
  private kernelOf([first, second]: ClassPair): DenseKernel {
    if (first !== this.current) this.begin(first)
    const { values, diagonal, rows } = this
    const { length: a } = this.members[first]
    const { length: b } = this.members[second]
    const size = a + b
    const inFirst = this.withinOf(first)
    const inSecond = this.withinOf(second)
    const at = this.starts[second]
    for (let i = 0; i < a; i++) {
      for (let j = 0; j < a; j++) values[i * size + j] = inFirst[i * a + j]
      for (let j = 0; j < b; j++) {
        const value = rows[i][at + j]
        values[i * size + a + j] = value
        values[(a + j) * size + i] = value
      }
    }
    for (let i = 0; i < b; i++) {
      for (let j = 0; j < b; j++) values[(a + i) * size + a + j] = inSecond[i * b + j]
    }
    for (let i = 0; i < size; i++) diagonal[i] = values[i * size + i]
    return { size, values, diagonal }
  }

  /** Makes the values between a class and those that come after it. */
  private begin(c: number): void {
    const { samples, starts, rows, problem } = this
    this.evaluator ??= problem.kernel.between(samples, samples)
    for (let i = 0; i < this.members[c].length; i++) this.evaluator.row(starts[c] + i, rows[i], starts[c])
    this.current = c
  }

  private withinOf(c: number): Float64Array {
    let values = this.within[c]
    if (!values) {
      const own = chosen(this.problem.samples, this.members[c])
      const size = sampleCount(own)
      const evaluator = this.problem.kernel.between(own, own)
      values = new Float64Array(size * size)
      for (let i = 0; i < size; i++) evaluator.row(i, values.subarray(i * size, (i + 1) * size))
      this.within[c] = values
    }
    return values
  }
}

function chosen(samples: Samples, rows: Uint32Array): Samples {
  return isMatrix(samples) ? selectRows(samples, rows) : Array.from(rows, (i) => samples[i])
}
