/**
 * The default solver: SMO with second-order pairs and shrinking, as in LIBSVM.
 *
 * Problem   all five of ../../problems/kernel-problem.ts in the form of ../../problems/general-dual.ts: classification with the hinge loss
 *           and a free bias, ν-classification, one class, ε- and ν-regression.
 * Method    on blocks of samples with the WebAssembly engine where it knows the kernel (../blocks/smo-blocks.ts; small problems
 *           over their whole matrix, ../blocks/path-run.ts). Otherwise, and where there is a listener to the steps, one pair at
 *           a time (../dual/smo-pairs.ts): each iteration minimises the dual over the pair of samples whose unclipped step gains most among those
 *           with the most violating sample of I_up. Every min(n, 1000) iterations samples that sit at a bound and
 *           could not move are shrunk away; once the violation among the rest is down to 10 tol, and again when they
 *           are optimal, all come back with their gradient reconstructed (../dual/shrinking-point.ts). In ν problems both
 *           samples of a pair are of one class (or one half).
 *           Where that takes very many steps, both hand over to an active-set method (../active-set/active-set-run.ts).
 * Precision kernel rows are f32, α and the gradient f64. So the method first solves the problem of the rounded
 *           kernel. Then the gradient is computed from scratch in f64, and steps continue from there over all samples:
 *           their rounding error is now relative to the little that α still moves. The same happens whenever a look
 *           at the current pair, every 1000 iterations, shows that its gradient has drifted by as much as the
 *           violation. Should such a round not halve the violation, the kernel is too ill-conditioned for f32 and
 *           the rows become f64, made by the engine where it was at work (../blocks/exact-evaluator.ts).
 * Stop      m(α) − M(α) = b_low − b_up <= tol, in the gradient computed from scratch.
 * Bias      mean over the free support vectors, else the midpoint: see ../dual/general-bias.ts.
 * Source    Fan, Chen, Lin 2005 (pairs); Chang, Lin 2011 (LIBSVM: shrinking, sections 4 and 5); Scheinberg 2006
 *           (active sets).
 * Cost      an iteration O(active samples) and two kernel rows, cached while they fit `cacheBytes`.
 */
import { checkBoolean, checkOneOf } from '../../base/check.ts'
import { isRefuted } from '../../certify/definiteness.ts'
import type { Matrix } from '../../data/matrix/matrix.ts'
import { sampleCount } from '../../data/table/dataset.ts'
import type { AnyKernel, KernelEvaluator } from '../../kernels/kernel.ts'
import type { RowPrecision } from '../../kernels/row-cache.ts'
import { dualPointOf, generalDualOf } from '../../problems/general-form.ts'
import type { Problem } from '../../problems/kernel-problem.ts'
import { ActiveSetRun } from '../active-set/active-set-run.ts'
import { ExactEvaluator } from '../blocks/exact-evaluator.ts'
import { runPath } from '../blocks/path-run.ts'
import { type Examiner, engineKernelOf, runBlocks } from '../blocks/smo-blocks.ts'
import type { DualInEngine } from '../blocks/stored-rows.ts'
import type { FoundPoint } from '../driver/found-point.ts'
import type { Solver, SolverContext, SolverRun, SolverState } from '../driver/solver.ts'
import { EqualVariables } from '../dual/equal-variables.ts'
import type { GeneralRun, GeneralState } from '../dual/general-run.ts'
import { mostPairSteps } from '../dual/pair-step.ts'
import { restoreBalance } from '../dual/restore-balance.ts'
import { runPairs } from '../dual/smo-pairs.ts'

/** Settings of {@link smo}. */
export interface SmoOptions {
  /** Whether to use shrinking. It saves time, and never changes the result. */
  readonly shrinking: boolean
  /** Initial precision of kernel rows; f32 is replaced by f64 where it is not accurate enough. */
  readonly precision: RowPrecision
  /** Work on blocks with the WebAssembly engine where the problem allows it (../blocks/smo-blocks.ts). */
  readonly engine: boolean
}

/** SMO with second-order pairs and shrinking (Fan, Chen, Lin 2005), on the engine where that pays: the default of `SVC`. */
export const smo: Solver<SmoOptions> = {
  name: 'smo',
  title: 'SMO, second-order pairs and shrinking',
  source: 'Fan, Chen, Lin 2005; LIBSVM',
  tasks: ['svc', 'nu-svc', 'one-class', 'svr', 'nu-svr'],
  biasForms: ['free'],
  unit: 'pair',
  goal: 'violation',
  defaults: { tol: 1e-3, maxIter: mostPairSteps },
  options: { shrinking: true, precision: 'f32', engine: true },

  run: (problem, context, options) => runSmo(problem, context, options),
}

/**
 * {@link smo}, started at a feasible point in signed variables (../../problems/general-dual.ts) that may be near the
 * solution.
 */
export function smoFrom(start: Float64Array): Solver<SmoOptions> {
  return { ...smo, run: (problem, context, options) => runSmo(problem, context, options, undefined, start) }
}

/** {@link smo}, where others have found what may be the solution: it is examined first. */
export function smoAt(found: FoundPoint): Solver<SmoOptions> {
  return {
    ...smo,
    run: (problem, context, options) => runSmo(problem, context, options, undefined, undefined, found),
  }
}

/** Runs {@link smo}; where the samples have a `place` in the engine, on blocks there. */
export function* runSmo(
  problem: Problem,
  context: SolverContext,
  options: SmoOptions,
  place?: DualInEngine,
  begin?: Float64Array,
  found?: FoundPoint,
): SolverRun {
  const { name } = smo
  const shrinking = checkBoolean(name, 'shrinking', options.shrinking)
  checkBoolean(name, 'engine', options.engine)
  const precision = checkOneOf(name, 'precision', options.precision, ['f32', 'f64'])
  const dual = { ...generalDualOf(problem), ...(begin && { start: begin }) }
  // Who listens to each step wants them one at a time, over all samples.
  const blocks = options.engine && precision === 'f32' && !context.onStep
  const kernel = place?.kernel ?? (blocks ? engineKernelOf(dual) : undefined)
  const resume = context.resume as SavedSmo | undefined
  const [savedBlocks, savedPairs] = [resume?.blocks, resume?.pairs]
  if (!kernel) {
    const run = runPairs(dual, context, precision, shrinking, new ActiveSetRun(dual, context), savedPairs)
    return yield* inDualForm(problem, 'pairs', run)
  }
  // With a linear kernel no rows are made that could be saved, and hardly any from what may be the solution.
  const equal = place || found || kernel.kind === 'linear' ? undefined : EqualVariables.of(dual)
  let blocksDual = equal?.dual ?? dual
  const reached: { state?: SmoState } = {}
  let activeSet: ActiveSetRun | undefined
  if (!savedPairs) {
    const rowOf = equal?.setOf.subarray(0, sampleCount(problem.samples))
    const examiner: Examiner = {
      *examine(state, on) {
        const point = new SmoState(problem, 'blocks', state, equal)
        const known = yield* context.examine(point, { ...on, rowOf })
        return { ...known, values: valuesOfVariables(known.values, state.beta.length, equal) }
      },
      certify: (state, on) =>
        context.certify(new SmoState(problem, 'blocks', state, equal), { ...on, rowOf }),
    }
    const onStart = (state: SmoState) => {
      reached.state = state
    }
    let iteration = 0
    if (!place && !begin && !savedBlocks && !isRefuted(problem)) {
      const path = runPath(blocksDual, context, kernel, examiner, found)
      if (yield* inDualForm(problem, 'blocks', path, equal, onStart)) return {}
      iteration = reached.state?.iteration ?? 0
      if (iteration > 0 || found) blocksDual = { ...blocksDual, start: reached.state?.own }
    }
    activeSet = new ActiveSetRun(blocksDual, context)
    const run = runBlocks(
      blocksDual,
      context,
      kernel,
      shrinking,
      activeSet,
      examiner,
      savedBlocks,
      place,
      iteration,
    )
    const end = yield* inDualForm(problem, 'blocks', run, equal, onStart)
    if (end) return end
  }
  // f32 rows could not get any further: f64 rows continue from there.
  const { state } = reached
  const start = state && { beta: state.signed, iteration: state.iteration }
  const pairsActiveSet = (!equal && activeSet) || new ActiveSetRun(dual, context)
  const lists = dual.isDoubled ? 2 : 1
  const evaluator = new ExactEvaluator(problem.samples as Matrix, lists, kernel, context.threads)
  try {
    const exact = { ...dual, kernel: evaluatedBy(evaluator, dual.kernel) }
    const run = runPairs(exact, context, 'f64', shrinking, pairsActiveSet, savedPairs, start)
    return yield* inDualForm(problem, 'pairs', run)
  } finally {
    evaluator.close()
  }
}

/** A kernel whose rows between all samples of a problem are made by `evaluator`. */
function evaluatedBy(evaluator: KernelEvaluator, kernel: AnyKernel): AnyKernel {
  return {
    spec: kernel.spec,
    portable: kernel.portable,
    resolve: (samples) => kernel.resolve(samples),
    between: () => evaluator,
    diagonal: (samples) => kernel.diagonal(samples),
  }
}

/** What a snapshot is of: one of the two ways of the method. */
type Way = 'blocks' | 'pairs'
type SavedSmo = { readonly [way in Way]?: object }

/** A run in signed variables, seen from outside: with the dual variables of the problem. */
function* inDualForm<End>(
  problem: Problem,
  way: Way,
  run: GeneralRun<End>,
  equal?: EqualVariables,
  onStart?: (state: SmoState) => void,
): Generator<SolverState, End, void> {
  try {
    const first = run.next()
    if (first.done) return first.value
    const state = new SmoState(problem, way, first.value, equal)
    onStart?.(state)
    yield state
    for (;;) {
      const { done, value } = run.next()
      if (done) return value
      yield state
    }
  } finally {
    // Stopped from outside, it gives back what it holds.
    run.return(undefined as End)
  }
}

/** g of each variable, from that of each sample: ν-SVR has two variables per sample, equal ones are taken together. */
function valuesOfVariables(g: Float64Array, count: number, equal: EqualVariables | undefined): Float64Array {
  const { length } = g
  if (!equal && count === length) return g
  const values = new Float64Array(count)
  for (let k = 0; k < count; k++) {
    const i = equal ? equal.firsts[k] : k
    values[k] = g[i < length ? i : i - length]
  }
  return values
}

class SmoState implements SolverState {
  private readonly problem: Problem
  private readonly way: Way
  private readonly box: GeneralState
  private readonly equal: EqualVariables | undefined
  private readonly point: Float64Array

  constructor(problem: Problem, way: Way, box: GeneralState, equal?: EqualVariables) {
    this.problem = problem
    this.way = way
    this.box = box
    this.equal = equal
    this.point = new Float64Array(equal ? equal.setOf.length : box.beta.length)
  }

  /** The variables of the run, a set of equal ones each. */
  get own(): Float64Array {
    return this.box.beta
  }

  /** All variables in signed form. */
  get signed(): Float64Array {
    if (!this.equal) return this.box.beta
    const all = new Float64Array(this.point.length)
    this.equal.spread(this.box.beta, all)
    return all
  }

  get iteration(): number {
    return this.box.iteration
  }

  get alpha(): Float64Array {
    const { problem, point } = this
    dualPointOf(problem, this.signed, point)
    if (problem.task === 'svc' && problem.bias === 'free') restoreBalance(problem.y, problem.C, point)
    return point
  }

  get bias(): number {
    return this.box.bias
  }

  /** The values of the groups are b ∓ ρ in ν-SVC, b ± ε in ν-SVR. */
  get width(): number | undefined {
    const { groupValues } = this.box
    if (!groupValues) return undefined
    const half = (groupValues[0] - groupValues[1]) / 2
    return this.problem.task === 'nu-svc' ? -half : half
  }

  get violation(): number {
    return this.box.violation
  }

  get precision(): 'f32' | 'f64' {
    return this.box.precision
  }

  snapshot(): SavedSmo | undefined {
    const saved = this.box.snapshot?.()
    return saved && { [this.way]: saved }
  }
}
