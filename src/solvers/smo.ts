/**
 * The default solver: SMO with second-order pairs and shrinking, as LIBSVM does it.
 *
 * Problem   the dual of ../problems/problem.ts with the hinge loss and a free bias.
 * Method    on blocks of samples with the WebAssembly engine where it knows the kernel (./smo-blocks.ts); otherwise, and
 *           when somebody listens to the steps, one pair at a time:
 *           each iteration minimises the dual over the pair of samples whose unclipped step gains most among those
 *           with the most violating sample of I_up. Every min(n, 1000) iterations samples that sit at a bound and
 *           could not move are shrunk away; once the violation among the rest is down to 10 tol, and again when they
 *           are optimal, all come back with their gradient reconstructed (./active-point.ts).
 * Precision kernel rows are f32, α and the gradient f64. So the method first solves the problem of the rounded
 *           kernel. Then the gradient is computed from scratch in f64, and steps go on from there over all samples:
 *           their rounding error is now relative to the little that α still moves. The same happens whenever a look
 *           at the current pair, every 1000 iterations, shows that its gradient has drifted by as much as the
 *           violation. Should such a round not halve the violation, the kernel is too ill-conditioned for f32 and
 *           the rows become f64.
 * Stop      m(α) − M(α) = b_low − b_up <= tol, in the gradient computed from scratch.
 * Bias      mean over the free support vectors, else the midpoint: see ./bias.ts.
 * Source    Fan, Chen, Lin 2005 (pairs); Chang, Lin 2011 (LIBSVM: shrinking, sections 4 and 5).
 * Cost      an iteration O(active samples) and two kernel rows, cached while they fit `cacheBytes`.
 */
import { checkOneOf } from '../base/check.ts'
import { ParameterError } from '../base/errors.ts'
import type { RowPrecision } from '../kernels/row-cache.ts'
import { ActivePoint } from './active-point.ts'
import { engineKernelOf, runBlocks } from './smo-blocks.ts'
import type { Solver, SolverState } from './solver.ts'

/** Settings of {@link smo}. */
export interface SmoOptions {
  /** Leave samples out while they are idle. It saves time when there are many of them, and never changes the result. */
  readonly shrinking: boolean
  /** Precision of kernel rows to begin with; f32 gives way to f64 where it is not enough. */
  readonly precision: RowPrecision
  /** Work on blocks with the WebAssembly engine where the problem allows it (./smo-blocks.ts). */
  readonly engine: boolean
}

/** Iterations between two looks at what f32 rows have done to the gradient. */
const DRIFT_PERIOD = 1000

/** See the head of the file. */
export const smo: Solver<SmoOptions> = {
  name: 'smo',
  title: 'SMO, second-order pairs and shrinking',
  source: 'Fan, Chen, Lin 2005; LIBSVM',
  biasForms: ['free'],
  linearOnly: false,
  squaredHinge: false,
  unit: 'pair',
  goal: 'violation',
  defaults: { tol: 1e-3, maxIter: (samples) => Math.max(10_000_000, 100 * samples) },
  options: { shrinking: true, precision: 'f32', engine: true },

  *run(problem, context, options) {
    const { name } = smo
    if (typeof options.shrinking !== 'boolean') {
      throw new ParameterError(name, 'shrinking', 'true or false', options.shrinking)
    }
    if (typeof options.engine !== 'boolean') {
      throw new ParameterError(name, 'engine', 'true or false', options.engine)
    }
    let precision = checkOneOf(name, 'precision', options.precision, ['f32', 'f64'])
    // Who listens to each step wants them one at a time, over all samples.
    const blocks = options.engine && precision === 'f32' && !context.onStep
    const kernel = blocks ? engineKernelOf(problem) : undefined
    if (kernel) {
      const end = yield* runBlocks(problem, context, kernel, options.shrinking)
      if (end) return end
      precision = 'f64'
    }
    const { tol } = context
    const count = problem.y.length
    const point = new ActivePoint(problem, context.cacheBytes, precision)
    const state: SolverState = {
      iteration: 0,
      alpha: point.alpha,
      get bias() {
        return point.bias
      },
      get violation() {
        return point.violation
      },
      get precision() {
        return point.precision
      },
    }
    const shrinkPeriod = Math.min(count, 1000)
    /** A few milliseconds' worth. */
    const iterationsPerYield = Math.min(1000, Math.max(1, Math.floor(200_000 / count)))
    let untilShrink = options.shrinking ? shrinkPeriod : Number.POSITIVE_INFINITY
    let mayUnshrink = true
    let violationBefore = Number.POSITIVE_INFINITY
    yield state
    for (;;) {
      if (--untilShrink === 0) {
        untilShrink = shrinkPeriod
        if (mayUnshrink && point.violation <= 10 * tol) {
          mayUnshrink = false
          point.unshrink()
        }
        point.shrink()
      }
      let found = point.findPair(tol)
      if (!found && point.shrunk) {
        point.unshrink()
        found = point.findPair(tol)
        untilShrink = 1
      }
      const drifted =
        found &&
        !point.fresh &&
        point.precision === 'f32' &&
        state.iteration % DRIFT_PERIOD === 0 &&
        point.drift() > point.violation / 2
      if (found && !drifted) {
        if (point.unbounded) return { unbounded: true }
        point.step.iteration = ++state.iteration
        point.accept()
        context.onStep?.(point.step)
        if (state.iteration >= context.pauseAt || state.iteration % iterationsPerYield === 0) yield state
        continue
      }
      if (!point.fresh) {
        const refresh = point.refresh(iterationsPerYield)
        while (!refresh.next().done) yield state
        point.findPair(tol)
        const halved = point.violation <= violationBefore / 2
        violationBefore = point.violation
        if (point.precision === 'f64') continue
        // Reconstructing gradients from f32 rows would undo what has just been gained.
        untilShrink = Number.POSITIVE_INFINITY
        if (halved) continue
      }
      if (point.violation <= tol || point.precision === 'f64') return { dualValues: point.values }
      point.useDoubleRows()
      if (options.shrinking) untilShrink = shrinkPeriod
    }
  },
}
