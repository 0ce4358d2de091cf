/**
 * SMO one pair at a time, in plain code: what {@link smo} runs for kernels that the engine does not know, for hard margins,
 * when f32 is not enough, and when somebody listens to the steps. The method is told in ./smo.ts.
 */
import type { RowPrecision } from '../kernels/row-cache.ts'
import type { BoxDual } from '../problems/box-dual.ts'
import { ActivePoint } from './active-point.ts'
import type { BoxRun, BoxState } from './box-run.ts'
import { FreeRun } from './free-run.ts'
import { showing } from './pieces.ts'
import type { SolverContext } from './solver.ts'

/** Iterations between two looks at what f32 rows have done to v. */
const DRIFT_PERIOD = 1000

/** Iterations between two looks at whether ./free-run.ts should take over. */
const LOOK_PERIOD = 1000
/** Work of a pair step for each variable, in multiply-adds. */
const STEP_WORK = 4

/** Runs to the end; `stepsBefore` were taken on the way to where the dual says to start. */
export function* runPairs(
  dual: BoxDual,
  context: SolverContext,
  precision: RowPrecision,
  shrinking: boolean,
  stepsBefore = 0,
): BoxRun {
  const { tol, due } = context
  const count = dual.target.length
  const point = new ActivePoint(dual, context.cacheBytes, precision)
  let iteration = stepsBefore
  const state: BoxState = {
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
  const freeRun = new FreeRun(dual, context)
  const shrinkPeriod = Math.min(count, 1000)
  let untilShrink = shrinking ? shrinkPeriod : Number.POSITIVE_INFINITY
  let sinceLook = 0
  let mayUnshrink = true
  let violationBefore = Number.POSITIVE_INFINITY
  yield state
  if (!point.fresh) yield* showing(state, point.refresh(due))
  for (;;) {
    if (--untilShrink === 0) {
      untilShrink = shrinkPeriod
      if (mayUnshrink && point.violation <= 10 * tol) {
        mayUnshrink = false
        yield* showing(state, point.unshrink(due))
      }
      point.shrink()
    }
    if (++sinceLook === LOOK_PERIOD) {
      sinceLook = 0
      freeRun.earn(LOOK_PERIOD, LOOK_PERIOD * STEP_WORK * count)
      if (freeRun.isDue(point.beta)) {
        yield* showing(state, point.refresh(due))
        const run = freeRun.run(point.beta, point.v, iteration, false)
        for (let next = run.next(); !next.done; next = run.next()) {
          iteration = next.value.iteration
          point.violation = next.value.violation
          yield state
        }
        point.acceptBeta()
        yield* showing(state, point.refresh(due))
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
      iteration % DRIFT_PERIOD === 0 &&
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
    if (point.violation <= tol || point.precision === 'f64') return { values: point.values }
    point.useDoubleRows()
    if (shrinking) untilShrink = shrinkPeriod
  }
}
