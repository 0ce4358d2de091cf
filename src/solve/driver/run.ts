/**
 * Drives a solver: the one place that knows about time, limits, cancelling, progress and tracing.
 * `solveSync` runs to the end; `solve` works in slices of a few milliseconds and lets other tasks run in between.
 */
import { checkKnown, checkNumber, checkOneOf, type NumberRange } from '../../base/check.ts'
import { DataError, ParameterError } from '../../base/errors.ts'
import { inOneGo, inSlices, type Pieces } from '../../base/pieces.ts'
import { Random } from '../../base/random.ts'
import { slot } from '../../base/slot.ts'
import {
  type Certificate,
  lacksMargin,
  type Measures,
  type Solution,
  type StopReason,
} from '../../certify/certificate.ts'
import { Certifier, type Examination } from '../../certify/certifier.ts'
import { isRefuted } from '../../certify/definiteness.ts'
import { LinearCertifier } from '../../certify/linear/linear-measures.ts'
import { measure } from '../../certify/measure.ts'
import { sampleCount } from '../../data/table/dataset.ts'
import type { SamplesOnEngine } from '../../engine/matrix/samples-on-engine.ts'
import { availableThreads } from '../../engine/threads/thread-team.ts'
import { DEFAULT_CACHE_BYTES } from '../../kernels/row-cache.ts'
import { gapUnit } from '../../problems/linear-problem.ts'
import type { SmoStep } from '../dual/pair-step.ts'
import type { Checkpoint } from './checkpoint.ts'
import { allowedGap, isReached } from './goal.ts'
import type { ModelStep } from './model-step.ts'
import { isCutShort, keepResult, keepRun, savedRun } from './saved-run.ts'
import { SeparabilityTest } from './separability-test.ts'
import type { LinearStart, SolvableProblem, Solver, SolverEnd, SolverRun, SolverState } from './solver.ts'
import type { TraceOptions, TracePoint } from './trace.ts'

/** Argument of a progress callback, which is called about ten times per second. */
export interface Progress {
  readonly solver: string
  readonly iteration: number
  readonly seconds: number
  /** The solver's own measure of its distance to the goal (NaN while unknown). */
  readonly violation: number
  readonly tol: number
  /** The pair of classes that is being solved, from 0, and the number of pairs, if there are several. */
  readonly part?: { readonly number: number; readonly of: number }
}

/** Settings of a run that do not depend on the solver. */
export interface RunOptions {
  /** Seed of all random numbers of the run. Default 0. */
  readonly seed?: number
  /** Tolerance; each solver has its own default. */
  readonly tol?: number
  /** Maximum number of iterations, in the solver's own unit. */
  readonly maxIter?: number
  /** Limit on the solving time in seconds. */
  readonly timeLimit?: number
  /** Memory for kernel rows, in bytes. Default: a quarter of the free memory, at most 2 GB; 200 MB in browsers. */
  readonly cacheBytes?: number
  /**
   * Number of threads, including the calling one, for solvers that use several. Default: all cores. The result does not
   * depend on it.
   */
  readonly threads?: number
  /**
   * How the certificate is computed: `bounds` uses f64 only where error bounds require it, `all` uses it everywhere. Default
   * `bounds`.
   */
  readonly certify?: 'bounds' | 'all'
  readonly onProgress?: (progress: Progress) => void
  /** Ends the work and returns the best model so far, with the stop reason `aborted`. */
  readonly signal?: AbortSignal
  /** Where the run keeps its state regularly; a state that is there already is continued. */
  readonly checkpoint?: Checkpoint | undefined
  /** Starting point of linear machines: a similar model saves most iterations. The result is equally accurate from any start. */
  readonly start?: LinearStart | undefined
  readonly trace?: TraceOptions
  /** Called with every pair step of an SMO solver. The object is reused: copy what you keep. */
  readonly onStep?: (step: SmoStep) => void
  /**
   * Called with every step of a solver that does not work on pairs (subgradient, pegasos, sdca). The object is reused: copy what
   * you keep.
   */
  readonly onModelStep?: (step: ModelStep) => void
}

/** What the numbers among {@link RunOptions} may be: for estimators that hand them on, too. */
const RUN_NUMBERS: Readonly<Record<string, NumberRange>> = {
  tol: { above: 0 },
  maxIter: { min: 0, integer: true, infinite: true },
  timeLimit: { min: 0, infinite: true },
  cacheBytes: { min: 0 },
  threads: { min: 1, integer: true },
  seed: { integer: true },
}

/** Checks the numbers among {@link RunOptions} that are given. */
export function checkRunNumbers(who: string, options: object): void {
  for (const [name, range] of Object.entries(RUN_NUMBERS)) {
    const given = (options as Readonly<Record<string, unknown>>)[name]
    if (given !== undefined) checkNumber(who, name, given, range)
  }
}

/** What a run returns: the best point reached, how good it is, and the trace if one was requested. */
export interface SolveResult extends Solution {
  readonly certificate: Certificate
  readonly trace: readonly TracePoint[]
}

const defaultCacheBytes = slot(DEFAULT_CACHE_BYTES)
/** How often a progress callback is called: people do not read faster. */
export const PROGRESS_INTERVAL_MS = 100
/** Milliseconds after which a solver should let the driver look: half a frame of a page. */
const DUE_MS = 8
/** Iterations after which a hard margin is first doubted; then again whenever their number has doubled. */
const FIRST_DOUBT = 1000

/** Sets what `cacheBytes` is when it is not given: a share of the free memory, where that is known. */
export function setDefaultCacheBytes(bytes: number): void {
  defaultCacheBytes.install(bytes)
}

/** What `cacheBytes` is when it is not given. */
export function cacheBytesByDefault(): number {
  return defaultCacheBytes.current
}

/**
 * Solves on the calling thread, to the end. Of linear machines `weights` has the model, w and then b.
 *
 * @example
 * const y = train.labels as Float64Array
 * const problem = makeProblem({ samples: train.samples, kernel: rbf({ gamma: 1 }), y, C: 10 })
 * const { alpha, bias, certificate } = solveSync(problem, smo, {}, { tol: 1e-3 })
 */
export function solveSync<O extends object, P extends SolvableProblem>(
  problem: P,
  solver: Solver<O, P>,
  solverOptions: Partial<O> = {},
  options: RunOptions = {},
): SolveResult {
  return inOneGo(new MonitoredRun(problem, solver as AnySolver, solverOptions, options).toEnd())
}

/** Solves on the calling thread in short slices, so that timers, messages and the signal get their turn. */
export async function solve<O extends object, P extends SolvableProblem>(
  problem: P,
  solver: Solver<O, P>,
  solverOptions: Partial<O> = {},
  options: RunOptions = {},
): Promise<SolveResult> {
  return inSlices(new MonitoredRun(problem, solver as AnySolver, solverOptions, options).toEnd())
}

/** A solver of whatever problems. */
export type AnySolver = Solver<object, SolvableProblem>

/** One run: {@link toEnd} goes through it. */
export class MonitoredRun {
  private readonly problem: SolvableProblem
  private readonly solver: AnySolver
  private readonly options: RunOptions
  private readonly solverOptions: object
  /** The largest accepted violation, in the unit of the problem. */
  private readonly tol: number
  private readonly allowedGap: (primal: number) => number
  private readonly maxIter: number
  private readonly timeLimit: number
  private readonly threads: number
  private readonly separability: SeparabilityTest | undefined
  private readonly certifier: Certifier | LinearCertifier
  private readonly run: SolverRun
  private readonly context: { pauseAt: number; readonly random: Random }
  private readonly trace: TracePoint[] = []
  private nextTrace: number
  private nextDoubt = FIRST_DOUBT
  private nextProgressMs: number
  private spentMs = 0
  private resumedMs = 0
  private state: SolverState | undefined
  private end: SolverEnd = {}
  private stop: StopReason | undefined

  constructor(problem: SolvableProblem, solver: AnySolver, solverOptions: object, options: RunOptions) {
    const who = solver.name
    checkKnown(who, solverOptions, Object.keys(solver.options))
    checkSupport(problem, solver)
    this.problem = problem
    this.solver = solver
    this.options = options
    this.solverOptions = solverOptions
    checkRunNumbers(who, options)
    const { tol = solver.defaults.tol, cacheBytes = defaultCacheBytes.current, seed = 0 } = options
    this.tol = tol
    const unit = gapUnit(problem)
    this.allowedGap = (primal) => allowedGap(solver.goal, tol, primal, unit)
    this.maxIter = options.maxIter ?? solver.defaults.maxIter(sampleCount(problem.samples))
    this.timeLimit = options.timeLimit ?? Number.POSITIVE_INFINITY
    this.threads = options.threads ?? availableThreads()
    if (options.trace) checkNumber(who, 'trace.every', options.trace.every, { min: 1, integer: true })
    const all = checkOneOf(who, 'certify', options.certify ?? 'bounds', ['bounds', 'all']) === 'all'
    this.certifier =
      'kernel' in problem
        ? new Certifier(problem, { threads: this.threads, all, seed, tol })
        : new LinearCertifier(problem)
    this.separability = problem.task === 'svc' ? SeparabilityTest.for(problem) : undefined
    this.nextTrace = options.trace ? 0 : Number.POSITIVE_INFINITY
    this.nextProgressMs = options.onProgress ? PROGRESS_INTERVAL_MS : Number.POSITIVE_INFINITY
    const saved = savedRun(options.checkpoint)
    const context = {
      tol: this.tol,
      allowedGap: this.allowedGap,
      maxIter: this.maxIter,
      pauseAt: 0,
      due: () => performance.now() - this.resumedMs >= DUE_MS,
      // Solvers for w do not ask.
      examine: (solution: Solution, place?: SamplesOnEngine) =>
        (this.certifier as Certifier).examineViolation(solution, place),
      certify: (solution: Solution, place?: SamplesOnEngine) =>
        (this.certifier as Certifier).examine(solution, place),
      random: new Random(seed),
      resume: saved?.solver,
      start: options.start && checkedStart(who, problem, options.start),
      cacheBytes,
      threads: this.threads,
      onStep: options.onStep,
      onModelStep: options.onModelStep,
    }
    if (saved) {
      context.random.state = saved.random
      this.spentMs = saved.spentMs
      this.nextTrace = saved.nextTrace
      this.nextDoubt = saved.nextDoubt
      for (const point of saved.trace) this.trace.push(point)
    }
    this.context = context
    this.run = solver.run(problem, context, { ...solver.options, ...solverOptions })
  }

  /** The whole run, and what it has reached; kept for good, unless it could have become another result with more time. */
  *toEnd(): Pieces<SolveResult> {
    while (!this.advance()) yield
    const reached = yield* this.finish()
    const result = isLost(this.problem, reached) ? yield* this.orStart(reached) : reached
    const { checkpoint } = this.options
    if (checkpoint && !isCutShort(this.stop)) keepResult(checkpoint, result)
    return result
  }

  /** What was reached, or where the run began if that model is better. */
  private *orStart(reached: SolveResult): Pieces<SolveResult> {
    const { checkpoint, trace, onProgress, onStep, onModelStep, ...options } = this.options
    const none = { ...options, maxIter: 0 }
    const start = yield* new MonitoredRun(this.problem, this.solver, this.solverOptions, none).toEnd()
    if (!(start.certificate.primal < reached.certificate.primal)) return reached
    const { stopReason, iterations, seconds } = reached.certificate
    return {
      ...start,
      trace: reached.trace,
      certificate: { ...start.certificate, stopReason, iterations, seconds },
    }
  }

  /** Lets the solver work until its next yield; true when the run is over. */
  private advance(): boolean {
    this.resumedMs = performance.now()
    const { done, value } = this.run.next()
    this.spentMs += performance.now() - this.resumedMs
    if (done) {
      this.end = value as SolverEnd
      return true
    }
    this.state = value as SolverState
    this.stop = this.reasonToStop(this.state)
    this.report(this.state)
    const nextDoubt = this.separability ? this.nextDoubt : Number.POSITIVE_INFINITY
    this.context.pauseAt = Math.min(this.nextTrace, this.maxIter, nextDoubt)
    this.keep(this.state)
    return this.stop !== undefined
  }

  /** Measures what was reached, in pieces too: the rows of a certificate may take as long as many steps. */
  private *finish(): Pieces<SolveResult> {
    // A run that was stopped from outside gives back what it holds.
    this.run.return({})
    const state = this.state as SolverState
    const { goal } = this.solver
    const found: Omit<Examination, 'values' | 'isFeasible'> & Partial<Examination> =
      yield* this.certifier.examine(state)
    const reached = isReached(found, goal, this.tol, this.allowedGap(found.primal))
    const { values: _, isFeasible: __, ...examined } = found
    const stopReason = this.end.unbounded ? 'unbounded' : reached ? 'converged' : (this.stop ?? 'stalled')
    if (stopReason !== 'unbounded') this.checkNumbers(state, examined)
    if (this.options.trace && this.trace.at(-1)?.iteration !== state.iteration) this.record(state)
    return {
      alpha: state.alpha,
      bias: state.bias,
      ...(state.beta && { beta: state.beta }),
      ...(state.weights && { weights: state.weights }),
      ...(state.width !== undefined && { width: state.width }),
      trace: this.trace,
      certificate: {
        ...examined,
        stopReason,
        iterations: state.iteration,
        seconds: this.spentMs / 1000,
        solver: state.method ?? this.solver.name,
        tol: this.tol,
        proves: 'kernel' in this.problem && isRefuted(this.problem) ? 'stationary-point' : 'optimum',
        ...(state.precision && { precision: state.precision }),
        ...(state.width !== undefined && { width: state.width }),
        ...(this.problem.task === 'nu-svc' &&
          lacksMargin(state.width ?? 0, this.tol) && { noMargin: true as const }),
      },
    }
  }

  /** What is not a number is no solution. With a hard margin the primal value is infinite until the classes are separated. */
  private checkNumbers({ bias }: SolverState, { primal, dual, gap }: Measures): void {
    const { problem } = this
    const isHard = 'C' in problem && problem.C.includes(Number.POSITIVE_INFINITY)
    for (const [name, value] of Object.entries({ primal, dual, gap, bias })) {
      if (Number.isFinite(value) || (isHard && !Number.isNaN(value))) continue
      throw new DataError(
        `${this.solver.name}: the ${name} of the solution is ${value}: the values of the samples, or C, are too large to ` +
          "compute with; scale the data (scaler: 'standard')",
      )
    }
  }

  private keep(state: SolverState): void {
    const { checkpoint } = this.options
    if (!checkpoint) return
    keepRun(checkpoint, state, this.stop, () => {
      const { spentMs, nextTrace, nextDoubt, trace } = this
      return { random: this.context.random.state, spentMs, nextTrace, nextDoubt, trace }
    })
  }

  private reasonToStop(state: SolverState): StopReason | undefined {
    if (this.options.signal?.aborted) return 'aborted'
    if (state.iteration >= this.maxIter) return 'iteration-limit'
    if (this.spentMs >= this.timeLimit * 1000) return 'time-limit'
    if (this.separability && state.iteration >= this.nextDoubt) {
      this.nextDoubt = 2 * state.iteration
      if (this.separability.refutes(state.alpha)) return 'unbounded'
    }
    return undefined
  }

  private report(state: SolverState): void {
    if (state.iteration >= this.nextTrace) {
      const { every } = this.options.trace as TraceOptions
      this.nextTrace = (Math.floor(state.iteration / every) + 1) * every
      this.record(state)
    }
    if (this.spentMs >= this.nextProgressMs) {
      this.nextProgressMs = this.spentMs + PROGRESS_INTERVAL_MS
      this.options.onProgress?.({
        solver: this.solver.name,
        iteration: state.iteration,
        seconds: this.spentMs / 1000,
        violation: state.violation,
        tol: this.tol,
      })
    }
  }

  private record(state: SolverState): void {
    const { primal, dual, gap, maxViolation, supportVectors } = measure(this.problem, state, this.threads)
    this.trace.push({
      iteration: state.iteration,
      seconds: this.spentMs / 1000,
      primal,
      dual,
      gap,
      violation: maxViolation,
      supportVectors,
      ...(this.options.trace?.snapshots && {
        alpha: state.alpha.slice(),
        bias: state.bias,
        ...(state.beta && { beta: state.beta.slice() }),
        ...(state.weights && { weights: state.weights.slice() }),
      }),
    })
  }
}

/**
 * Whether a run that begins with f = 0 has ended where even that could be better: its dual value, 0 then, is not below 0 for
 * certain. Kernel values of 1e17 and more do that; the sums of a gradient have no digit left.
 */
function isLost({ task }: SolvableProblem, { certificate }: SolveResult): boolean {
  const { stopReason, dual, evidence } = certificate
  const beginsWithZero = task === 'svc' || task === 'svr' || task === 'nu-svr'
  return stopReason === 'stalled' && beginsWithZero && dual + (evidence?.dualError ?? 0) > 0
}

/** What a run may begin with: as many numbers as the problem has, all of them finite. */
function checkedStart(who: string, problem: SolvableProblem, start: LinearStart): LinearStart {
  if (problem.task !== 'linear') {
    throw new ParameterError(
      who,
      'start',
      `does not apply to ${problem.task}: only linear machines of one function take it`,
    )
  }
  const { rows, cols } = problem.samples
  const { weights, alpha } = start
  for (const [name, values, length] of [
    ['weights', weights, cols + 1],
    ['alpha', alpha, rows],
  ] as const) {
    if (values && values.length !== length) {
      throw new ParameterError(who, `start.${name}`, `${length} numbers`, values.length)
    }
    const bad = values ? values.findIndex((value) => !Number.isFinite(value)) : -1
    if (bad >= 0) throw new ParameterError(who, `start.${name}[${bad}]`, 'finite', values?.[bad])
  }
  return start
}

function checkSupport(problem: SolvableProblem, solver: AnySolver): void {
  if (!solver.tasks.includes(problem.task)) {
    throw new ParameterError(solver.name, 'problem', `one of ${solver.tasks.join(', ')}`, problem.task)
  }
  if (solver.linearOnly && 'kernel' in problem && problem.kernel.spec.kind !== 'linear') {
    throw new ParameterError(solver.name, 'kernel', 'linear', problem.kernel.spec.kind)
  }
  if (problem.task !== 'svc') return
  if (!solver.biasForms.includes(problem.bias)) {
    throw new ParameterError(solver.name, 'bias', `one of ${solver.biasForms.join(', ')}`, problem.bias)
  }
  if (problem.loss === 'squared-hinge' && !solver.squaredLoss) {
    throw new ParameterError(solver.name, 'loss', 'hinge', problem.loss)
  }
}
