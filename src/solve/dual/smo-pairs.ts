/**
 * SMO one pair at a time, in plain code: what {@link smo} runs for kernels that the engine does not know, for hard margins,
 * when f32 is not enough, and where there is a listener to the steps. The method is described in ../methods/smo.ts.
 */
import type { RowPrecision } from '../../kernels/row-cache.ts'
import type { GeneralDual } from '../../problems/general-dual.ts'
import { countFree } from '../active-set/active-set.ts'
import type { ActiveSetRun } from '../active-set/active-set-run.ts'
import { showing } from '../driver/pieces.ts'
import { copyFields, restoreFields } from '../driver/saved-fields.ts'
import type { SolverContext } from '../driver/solver.ts'
import { LOOKS_WITHOUT_GAIN, StallWatch, stepsPerLook } from '../driver/stall-watch.ts'
import { dualityGap, dualValue } from './dual-value.ts'
import { finishDense } from './finish-dense.ts'
import type { GeneralRun, GeneralState } from './general-run.ts'
import { ShrinkingPoint } from './shrinking-point.ts'

/**
 * Iterations between two looks at what f32 rows have done to v, and at whether ../active-set/active-set-run.ts should take over. A look
 * costs about as much as an iteration, a pass over the variables: a thousandth of the time.
 */
const LOOK_PERIOD = 1000
/** Iterations between two times that idle variables are left out, at most; and the violation, in units of tol, at which all come back
 * once, so that the last steps are made with all of them. LIBSVM's numbers. */
const SHRINK_PERIOD = 1000
const UNSHRINK_AT = 10

/** Runs to the end, from where another run has got to if that is given; or from a snapshot, where there is one to `resume`. */
export function* runPairs(
  dual: GeneralDual,
  context: SolverContext,
  precision: RowPrecision,
  shrinking: boolean,
  activeSet: ActiveSetRun,
  resume?: object,
  reached?: Pick<GeneralState, 'beta' | 'iteration'>,
): GeneralRun {
  const { tol, due } = context
  const count = dual.target.length
  const from = reached ? { ...dual, start: reached.beta.slice() } : dual
  const point = new ShrinkingPoint(from, context.cacheBytes, precision)
  let iteration = reached?.iteration ?? 0
  const state: GeneralState = {
    beta: point.beta,
    get iteration() {
      return iteration
    },
    get bias() {
      return point.bias.bias
    },
    get groupValues() {
      return point.bias.groupValues
    },
    get violation() {
      return point.violation
    },
    get precision() {
      return point.precision
    },
  }
  const shrinkPeriod = Math.min(count, SHRINK_PERIOD)
  let untilShrink = shrinking ? shrinkPeriod : Number.POSITIVE_INFINITY
  let sinceLook = 0
  /** Each look at the gain computes v of all variables afresh. */
  const gainPeriod = stepsPerLook(count)
  let untilGainLook = gainPeriod
  let watch = new StallWatch(LOOKS_WITHOUT_GAIN)
  let gainLooks = 0
  let mayTryActiveSet = true
  let mayUnshrink = true
  let violationBefore = Number.POSITIVE_INFINITY
  /** Where rounding leads steps astray an earlier point, if only β = 0, is better than the last one. */
  const best = { gap: Number.POSITIVE_INFINITY, beta: new Float64Array(count) }
  const keepBest = (beta: Float64Array, v: Float64Array) => {
    const gap = dualityGap(dual, beta, v)
    if (!(gap < best.gap)) return
    best.gap = gap
    best.beta.set(beta)
  }
  const snapshot = () => {
    const counts = {
      untilShrink,
      sinceLook,
      untilGainLook,
      gainLooks,
      mayTryActiveSet,
      mayUnshrink,
      violationBefore,
    }
    const kept = {
      point: point.save(),
      activeSet: activeSet.save(),
      watch: watch.save(),
      best: copyFields(best),
    }
    return { iteration, counts, ...kept }
  }
  const saved = resume as ReturnType<typeof snapshot> | undefined
  if (saved) {
    iteration = saved.iteration
    ;({ untilShrink, sinceLook, untilGainLook, gainLooks } = saved.counts)
    ;({ mayTryActiveSet, mayUnshrink, violationBefore } = saved.counts)
    point.restore(saved.point)
    activeSet.restore(saved.activeSet)
    restoreFields(watch, saved.watch)
    restoreFields(best, saved.best)
  }
  yield state
  if (!saved && !point.fresh) yield* showing(state, point.refresh(due))
  if (!saved && !dual.start) keepBest(best.beta, dual.target)
  state.snapshot = snapshot
  function* useActiveSet(unlimited: boolean): Generator<GeneralState, void, void> {
    const run = activeSet.run(point.beta, point.v, iteration, unlimited)
    state.snapshot = undefined
    for (let next = run.next(); !next.done; next = run.next()) {
      iteration = next.value.iteration
      point.violation = next.value.violation
      yield state
    }
    point.acceptBeta()
    yield* showing(state, point.refresh(due))
    state.snapshot = snapshot
  }
  function* moveTo(beta: Float64Array): Generator<GeneralState, void, void> {
    point.beta.set(beta)
    point.acceptBeta()
    yield* showing(state, point.refresh(due))
  }
  /** Where rows of f64 have stalled: one more attempt, and then the best point that there was. */
  function* endAtBest(): Generator<GeneralState, void, void> {
    state.snapshot = undefined
    keepBest(point.beta, point.v)
    const last = finishDense(dual, point.beta, tol, context.maxIter - iteration)
    if (last) {
      iteration += last.iterations
      yield* moveTo(last.beta)
      keepBest(point.beta, point.v)
    }
    if (best.gap < dualityGap(dual, point.beta, point.v)) yield* moveTo(best.beta)
  }
  // Ends: steps lower the dual; where they do not, rows become f64, then the active set is tried, and that was it.
  for (;;) {
    if (--untilGainLook === 0) {
      untilGainLook = gainPeriod
      yield* showing(state, point.refresh(due))
      point.findPair(tol)
      keepBest(point.beta, point.v)
      if (watch.stalls(++gainLooks, dualValue(dual, point.beta, point.v), point.violation)) {
        if (point.precision === 'f32') {
          point.useDoubleRows()
        } else if (mayTryActiveSet && activeSet.canTry(point.beta)) {
          mayTryActiveSet = false
          yield* useActiveSet(true)
        } else {
          yield* endAtBest()
          return {}
        }
        watch = new StallWatch(LOOKS_WITHOUT_GAIN)
        gainLooks = 0
      }
    }
    if (--untilShrink === 0) {
      untilShrink = shrinkPeriod
      if (mayUnshrink && point.violation <= UNSHRINK_AT * tol) {
        mayUnshrink = false
        yield* showing(state, point.unshrink(due))
      }
      point.shrink()
    }
    if (++sinceLook === LOOK_PERIOD) {
      sinceLook = 0
      activeSet.earn(LOOK_PERIOD, count)
      if (activeSet.isDue(point.beta, point.violation, () => countFree(dual, point.beta))) {
        yield* showing(state, point.refresh(due))
        yield* useActiveSet(false)
      }
    }
    let found = point.findPair(tol)
    if (!found && point.shrunk) {
      yield* showing(state, point.unshrink(due))
      found = point.findPair(tol)
      untilShrink = 1
    }
    const drifted =
      found &&
      !point.fresh &&
      point.precision === 'f32' &&
      iteration % LOOK_PERIOD === 0 &&
      point.drift() > point.violation / 2
    if (found && !drifted) {
      if (point.unbounded) return { unbounded: true }
      point.step.iteration = ++iteration
      point.accept()
      context.onStep?.(point.step)
      if (iteration >= context.pauseAt || due()) yield state
      continue
    }
    if (!point.fresh) {
      yield* showing(state, point.refresh(due))
      point.findPair(tol)
      const halved = point.violation <= violationBefore / 2
      violationBefore = point.violation
      if (point.precision === 'f64') continue
      // Reconstructing v from f32 rows would undo what has just been gained.
      untilShrink = Number.POSITIVE_INFINITY
      if (halved) continue
    }
    if (point.violation <= tol) return {}
    if (point.precision === 'f64') {
      yield* endAtBest()
      return {}
    }
    point.useDoubleRows()
    if (shrinking) untilShrink = shrinkPeriod
  }
}
