/** Drives the solvers of {@link LinearProblem}s: time, limits, cancelling, progress, trace and certificate; as ./run.ts. */
import { checkNumber } from '../../base/check.ts'
import { Random } from '../../base/random.ts'
import { inSlices } from '../../base/slices.ts'
import type { StopReason } from '../../certify/certificate.ts'
import { linearEvidence, measureLinear } from '../../certify/linear-measures.ts'
import { type LinearProblem, violationUnit } from '../../problems/linear-problem.ts'
import { crammerSinger } from '../methods/crammer-singer.ts'
import { svrDescent } from '../methods/svr-descent.ts'
import { allowedGap, isReached } from './goal.ts'
import type { LinearSolver, LinearState } from './linear-solver.ts'
import { type MonitoredRun, PROGRESS_INTERVAL_MS, type RunOptions, type SolveResult } from './run.ts'
import { isCutShort, keepResult, keepRun, savedRun } from './saved-run.ts'
import type { TracePoint } from './trace.ts'

/**
 * Settings of a run. `tol` (1e-4 unless given) bounds the largest violation, for regression as a part of the mean violation
 * at w = 0 (then the rule by which LIBLINEAR stops holds too), and the gap (./goal.ts). `maxIter` counts epochs.
 */
export type LinearRunOptions = Pick<
  RunOptions,
  'seed' | 'tol' | 'maxIter' | 'timeLimit' | 'onProgress' | 'signal' | 'checkpoint' | 'trace'
>

const DEFAULT_TOL = 1e-4
const DEFAULT_EPOCHS = 100_000

/**
 * Solves on the calling thread, to the end. `alpha` holds the dual variables of the problem; the bias is a weight among
 * others, which `linearParts` makes of them, or of `beta` where the best model is not that of `alpha` (`bias` is 0). The certificate's `tol` is in the unit of the violation.
 */
export function solveLinearSync(problem: LinearProblem, options: LinearRunOptions = {}): SolveResult {
  const run = new LinearRun(problem, options)
  while (!run.advance());
  return run.keepResult(run.finish())
}

/** As {@link solveLinearSync}, in short slices, so that timers, messages and the signal get their turn. */
export async function solveLinear(
  problem: LinearProblem,
  options: LinearRunOptions = {},
): Promise<SolveResult> {
  const run = new LinearRun(problem, options)
  await inSlices(() => run.advance())
  return run.keepResult(run.finish())
}

/** One run under way, as {@link MonitoredRun}. */
export class LinearRun implements Pick<MonitoredRun, 'advance' | 'finish' | 'keepResult'> {
  private readonly problem: LinearProblem
  private readonly options: LinearRunOptions
  private readonly solver: string
  /** In the unit of the violation. */
  private readonly tol: number
  private readonly allowedGap: (primal: number) => number
  private readonly maxIter: number
  private readonly timeLimit: number
  private readonly run: Generator<LinearState, void, void>
  private readonly random: Random
  private readonly trace: TracePoint[] = []
  private nextTrace: number
  private nextProgressMs = PROGRESS_INTERVAL_MS
  private spentMs = 0
  private state: LinearState | undefined
  private stop: StopReason | undefined

  constructor(problem: LinearProblem, options: LinearRunOptions) {
    const { tol = DEFAULT_TOL, maxIter = DEFAULT_EPOCHS, timeLimit = Number.POSITIVE_INFINITY } = options
    const solver = (problem.task === 'crammer-singer'
      ? crammerSinger
      : svrDescent) as unknown as LinearSolver<LinearProblem>
    const who = solver.name
    this.problem = problem
    this.options = options
    this.solver = who
    this.tol = checkNumber(who, 'tol', tol, { above: 0 }) * violationUnit(problem)
    this.maxIter = checkNumber(who, 'maxIter', maxIter, { min: 0, integer: true, infinite: true })
    this.timeLimit = checkNumber(who, 'timeLimit', timeLimit, { min: 0, infinite: true })
    const seed = checkNumber(who, 'seed', options.seed ?? 0, { integer: true })
    if (options.trace) checkNumber(who, 'trace.every', options.trace.every, { min: 1, integer: true })
    this.nextTrace = options.trace ? 0 : Number.POSITIVE_INFINITY
    this.allowedGap = (primal) => allowedGap('both', tol, primal)
    this.random = new Random(seed)
    const saved = savedRun(options.checkpoint)
    if (saved) {
      this.random.state = saved.random
      this.spentMs = saved.spentMs
      this.nextTrace = saved.nextTrace
      for (const point of saved.trace) this.trace.push(point)
    }
    this.run = solver.run(problem, {
      tol: this.tol,
      allowedGap: this.allowedGap,
      maxIter: this.maxIter,
      random: this.random,
      resume: saved?.solver,
    })
  }

  /** Lets the solver work until its next yield; true when the run is over. */
  advance(): boolean {
    const started = performance.now()
    const { done, value } = this.run.next()
    this.spentMs += performance.now() - started
    if (done) return true
    const state = value as LinearState
    this.state = state
    this.report(state)
    if (this.options.signal?.aborted) this.stop = 'aborted'
    else if (state.iteration >= this.maxIter) this.stop = 'iteration-limit'
    else if (this.spentMs >= this.timeLimit * 1000) this.stop = 'time-limit'
    this.keep(state)
    return this.stop !== undefined
  }

  /** Measures what was reached. */
  finish(): SolveResult {
    // Stopped from outside, it has a last look at the model.
    this.run.return()
    const state = this.state as LinearState
    const measures = measureLinear(this.problem, state.alpha, state.beta)
    const evidence = linearEvidence(this.problem, state.alpha, state.beta, measures)
    const reached = isReached({ ...measures, evidence }, 'both', this.tol, this.allowedGap(measures.primal))
    if (this.options.trace && this.trace.at(-1)?.iteration !== state.iteration) this.record(state)
    return {
      alpha: state.alpha,
      ...(state.beta && { beta: state.beta }),
      bias: 0,
      trace: this.trace,
      certificate: {
        ...measures,
        evidence,
        stopReason: reached ? 'converged' : (this.stop ?? 'stalled'),
        iterations: state.iteration,
        seconds: this.spentMs / 1000,
        solver: this.solver,
        tol: this.tol,
        proves: 'optimum',
      },
    }
  }

  /** Keeps a result for good, unless it could have become another one with more time. */
  keepResult(result: SolveResult): SolveResult {
    const { checkpoint } = this.options
    if (checkpoint && !isCutShort(this.stop)) keepResult(checkpoint, result)
    return result
  }

  private keep(state: LinearState): void {
    const { checkpoint } = this.options
    if (!checkpoint) return
    keepRun(checkpoint, state, this.stop, () => {
      const { spentMs, nextTrace, trace } = this
      return { random: this.random.state, spentMs, nextTrace, trace }
    })
  }

  private report(state: LinearState): void {
    const { trace, onProgress } = this.options
    if (trace && state.iteration >= this.nextTrace) {
      this.nextTrace = (Math.floor(state.iteration / trace.every) + 1) * trace.every
      this.record(state)
    }
    if (onProgress && this.spentMs >= this.nextProgressMs) {
      this.nextProgressMs = this.spentMs + PROGRESS_INTERVAL_MS
      const { iteration, violation } = state
      onProgress({
        solver: this.solver,
        iteration,
        seconds: this.spentMs / 1000,
        violation,
        tol: this.tol,
      })
    }
  }

  private record({ iteration, alpha, beta }: LinearState): void {
    const { primal, dual, gap, maxViolation, supportVectors } = measureLinear(this.problem, alpha, beta)
    this.trace.push({
      iteration,
      seconds: this.spentMs / 1000,
      primal,
      dual,
      gap,
      violation: maxViolation,
      supportVectors,
      ...(this.options.trace?.snapshots && { alpha: alpha.slice(), ...(beta && { beta: beta.slice() }) }),
    })
  }
}
