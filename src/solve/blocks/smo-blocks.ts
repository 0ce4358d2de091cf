/**
 * SMO on blocks: what {@link smo} runs when the kernel is one the engine knows.
 *
 * Problem   the dual of ../../problems/general-dual.ts: any kernel machine with finite boxes.
 * Method    rounds. Each takes 512 to 1,024 variables, some kept from the round before, the others the worst violators of either
 *           side; solves the dual over these alone by second-order pairs; and updates v = t − Kβ of all active
 *           variables once, with the kernel rows of those that moved. Rows that are expensive to compute are cached. Idle
 *           variables are shrunk away in large groups and come back when the others are done; but not where all rows
 *           fit the cache, as that would save little.
 * Hard      where that takes many steps per sample, an active-set method with f64 rows continues from there (../active-set/active-set-run.ts).
 * Precision rows are f32, β and v f64. When the violation of the active variables is down to tol, the point is examined
 *           (../../certify/certifier.ts): v of all variables, computed from scratch, in f64 where it decides anything. Where
 *           that shows violators, rounds continue from these values: the error of f32 rows is then relative to the little
 *           that β still moves. Should that not halve the violation, the active-set method takes over, or the plain
 *           solver with f64 rows.
 * Threads   rows and updates are cut into tasks whose results do not depend on who computes them: the same bits on
 *           any number of threads.
 * Source    Osuna 1997, Joachims 1998 (working sets); Fan, Chen, Lin 2005 (pairs); ThunderSVM (blocks).
 */

import type { Pieces } from '../../base/pieces.ts'
import type { ViolationKnown } from '../../certify/certifier.ts'
import { isMatrix, type Matrix } from '../../data/matrix/matrix.ts'
import { squaredNorms } from '../../data/matrix/products.ts'
import type { EngineKernel } from '../../engine/matrix/engine-kernel.ts'
import { kernelWork } from '../../engine/matrix/engine-worth.ts'
import type { SamplesOnEngine } from '../../engine/matrix/samples-on-engine.ts'
import { giveEngine, takeEngine } from '../../engine/memory/engine.ts'
import { engineExists } from '../../engine/memory/engine-build.ts'
import { kernelForEngine, LARGEST_SINGLE, SMALLEST_SINGLE } from '../../kernels/kernel-for-engine.ts'
import type { GeneralDual } from '../../problems/general-dual.ts'
import type { ActiveSetRun, SavedTry } from '../active-set/active-set-run.ts'
import { showing } from '../driver/pieces.ts'
import { restoreFields } from '../driver/saved-fields.ts'
import type { SolverContext } from '../driver/solver.ts'
import { StallWatch } from '../driver/stall-watch.ts'
import type { GeneralEnd, GeneralRun, GeneralState } from '../dual/general-run.ts'
import { EngineDualPoint } from './engine-dual-point.ts'
import type { DualInEngine } from './stored-rows.ts'

/** A round need not do better than this much of the tolerance: below it, others than the working set decide. */
const ROUND_FLOOR = 0.5
/**
 * Steps of a round, at most: some hundred for each variable of the largest set, about 0.1 s. And for each variable of a small problem,
 * whose rounds cost little beside them.
 */
const STEPS_PER_ROUND = 100_000
const STEPS_PER_VARIABLE = 50
/** Steps between two looks at the clock: 1 µs each with a thousand variables, some milliseconds. */
const STEPS_AT_ONCE = 5000
/** Rounds without a gain that show that rounding hides what is left. */
const GAIN_WINDOW = 100
/**
 * Examinations in a row that may show neither a violation half as large as the one before nor a gain: one may be chance, as errors of
 * f32 rows are. A dual value that is lower by this share of itself is a gain: the errors of f32 rows are a thousandth of that, so
 * that the violation is that of variables which were left out.
 */
const MOST_FRUITLESS = 2
const LEAST_GAIN = 1e-4
/** An error of f32 rows that is more than this much of the violation makes a long round pointless: it would chase the error. */
const LOST_FROM = 0.25
/**
 * Work of the whole kernel matrix, in multiply-adds, from which on threads may be started, some 20 ms of one; and from which on they
 * are taken to be worth it before anything is known of how hard the problem is: a fourth of a second of one.
 */
const WORTH_THREADS = 1e8
const SURELY_WORTH_THREADS = 1.2e9
/** How often the active set may take over where f32 rows give up: pairs after it begin at another point, and mostly get on. */
const MOST_TRIES = 3
/** Columns beyond which a query block would be too large to be worth it: 256 MB, 64 bytes for each. */
const MAX_COLUMNS = 4_000_000

/** The kernel of a dual as the engine takes it; undefined when the engine cannot solve this one. */
export function engineKernelOf(
  dual: Pick<GeneralDual, 'samples' | 'kernel' | 'lower' | 'upper'>,
): EngineKernel | undefined {
  const { samples, lower, upper } = dual
  if (!isMatrix(samples) || samples.cols > MAX_COLUMNS || samples.cols === 0) return undefined
  if (upper.includes(Number.POSITIVE_INFINITY) || lower.includes(Number.NEGATIVE_INFINITY)) return undefined
  return engineExists() && fitsSinglePrecision(dual) ? kernelForEngine(dual.kernel) : undefined
}

/** f32 has room for these kernel values and squared norms, and for what sums make of them. */
function fitsSinglePrecision({ samples, kernel }: Pick<GeneralDual, 'samples' | 'kernel'>): boolean {
  const matrix = samples as Matrix
  // Those of rbf are 1.
  const value = kernel.spec.kind === 'rbf' ? 1 : largestSize(kernel.diagonal(matrix))
  if (!(value > SMALLEST_SINGLE && value < LARGEST_SINGLE)) return false
  const largest = boundOf(matrix.values)
  return matrix.cols * largest ** 2 < LARGEST_SINGLE || largestSize(squaredNorms(matrix)) < LARGEST_SINGLE
}

/**
 * What no value exceeds in size: the largest one, or a millionth more. The upper halves of doubles are in the order of their sizes, and
 * comparing whole numbers is cheap: where V8 interprets a loop, every double is an object.
 */
function boundOf(values: Float64Array): number {
  const words = new Int32Array(values.buffer, values.byteOffset, 2 * values.length)
  let largest = 0
  for (let k = 1; k < words.length; k += 2) {
    const size = words[k] & 0x7fffffff
    if (size > largest) largest = size
  }
  return new Float64Array(Int32Array.of(-1, largest).buffer)[0]
}

function largestSize(values: Float64Array): number {
  let largest = 0
  for (let k = 0; k < values.length; k++) largest = Math.max(largest, Math.abs(values[k]))
  return largest
}

/**
 * How many threads a problem may have, and whether these are worth it from the start: starting them costs tens of milliseconds, by
 * when small problems are done.
 */
export function threadsFor(
  { samples, isDoubled }: Pick<GeneralDual, 'samples' | 'isDoubled'>,
  threads: number,
): readonly [threads: number, sure: boolean] {
  const { rows, values } = samples as Matrix
  const work = kernelWork(rows, rows, values.length) / (isDoubled ? 4 : 1)
  return [work < WORTH_THREADS ? 1 : threads, work >= SURELY_WORTH_THREADS]
}

/** Reports what is true of a point, as {@link SolverContext} has it; the samples are on the engine. */
export interface Examiner {
  examine(state: GeneralState, place: SamplesOnEngine): Pieces<ViolationKnown>
  certify(state: GeneralState, place: SamplesOnEngine): Pieces<unknown>
}

/** Whether a point is proven to be solved, or an error bar takes up the tolerance: that is as much as can be known. */
export function isSettled({ maxViolation, violationError }: ViolationKnown, tol: number): boolean {
  return maxViolation + violationError <= tol || (maxViolation <= tol && !(2 * violationError < tol))
}

/** A point that was examined, and whether kernel rows were kept then: sums of these are rounded in another order. */
interface Examined {
  readonly beta: Float64Array
  readonly hadRows: boolean
}

/** A run as a snapshot of it says. */
interface SavedBlocks {
  readonly counts: Readonly<
    Record<
      'rounds' | 'untilShrink' | 'violationBefore' | 'valueBefore' | 'aim' | 'fruitless' | 'tries',
      number
    >
  > & {
    readonly givesUp: boolean
  }
  readonly shown: object
  readonly point: ReturnType<EngineDualPoint['save']>
  readonly activeSet: ReturnType<ActiveSetRun['save']>
  readonly watch: ReturnType<StallWatch['save']>
  readonly savedTry: SavedTry | undefined
  /** Points that were examined: who examines the next one adds what has changed since, and must know them to the bit. */
  readonly examined: readonly Examined[]
}

/**
 * Runs to the end, or returns undefined when f32 rows cannot reach the tolerance; from a snapshot, where there is one to
 * `resume`. Samples may have a `place` already; others may have done some `iteration`s on the way to the start.
 */
export function* runBlocks(
  dual: GeneralDual,
  context: SolverContext,
  kernel: EngineKernel,
  shrinking: boolean,
  activeSet: ActiveSetRun,
  examiner: Examiner,
  resume?: object,
  place?: DualInEngine,
  iteration = 0,
): GeneralRun<GeneralEnd | undefined> {
  const { tol } = context
  const beta = dual.start ? dual.start.slice() : new Float64Array(dual.target.length)
  const state = {
    iteration,
    beta,
    bias: 0,
    ...(dual.groups && { groupValues: [0, 0] as [number, number] }),
    violation: Number.NaN,
    precision: 'f32' as 'f32' | 'f64',
    snapshot: undefined as (() => object) | undefined,
  }
  const saved = resume as SavedBlocks | undefined
  if (saved) {
    beta.set(saved.point.beta)
    Object.assign(state, saved.shown)
  }
  yield state
  const engine = place?.engine ?? takeEngine(...threadsFor(dual, context.threads))
  const mark = engine.mark()
  try {
    const point = new EngineDualPoint(engine, dual, beta, kernel, context, place)
    let watch = new StallWatch(GAIN_WINDOW)
    let rounds = 0
    let untilShrink = point.shrinkPeriod
    let violationBefore = Number.POSITIVE_INFINITY
    let valueBefore = Number.POSITIVE_INFINITY
    /** What the violation must come down to: below tol by the error bar of what can be known of it. */
    let aim = tol
    let fruitless = 0
    let tries = 0
    /** Whether pairs get no further. */
    let givesUp = false
    /** A try of the active set to continue with. */
    let savedTry: SavedTry | undefined
    const examined: Examined[] = []
    const snapshot = (tried = savedTry): SavedBlocks => {
      const { beta: _beta, snapshot: _snapshot, ...shown } = state
      const counts = { rounds, untilShrink, violationBefore, valueBefore, aim, fruitless, tries, givesUp }
      return {
        counts,
        shown,
        point: point.save(),
        activeSet: activeSet.save(),
        watch: watch.save(),
        savedTry: tried,
        examined: [...examined],
      }
    }
    if (saved) {
      for (const { beta, hadRows } of saved.examined) {
        yield* showing(state, examiner.examine({ ...state, beta }, point.onEngineThen(hadRows)))
        examined.push({ beta, hadRows })
      }
      point.restore(saved.point)
      activeSet.restore(saved.activeSet)
      restoreFields(watch, saved.watch)
      ;({ rounds, untilShrink, violationBefore, valueBefore, aim, fruitless, tries, givesUp } = saved.counts)
      savedTry = saved.savedTry
    } else yield* showing(state, point.prepare())
    state.snapshot = snapshot
    /** Whether violation or dual value, computed anew, have come down since that was done last. */
    const hasImproved = () => {
      const gains = valueBefore - point.value > LEAST_GAIN * Math.abs(point.value)
      const better = gains || point.violation < 0.5 * violationBefore
      violationBefore = point.violation
      valueBefore = point.value
      watch = new StallWatch(GAIN_WINDOW)
      rounds = 0
      return better
    }
    /** Computes v anew, for all variables. */
    const beginAnew = function* () {
      yield* showing(state, point.makeExact())
      point.look()
      return hasImproved()
    }
    // Ends: rounds lower the dual, or else begin anew, which halves the violation or gives up; that happens a few times.
    for (;;) {
      if (!savedTry) {
        point.look()
        state.violation = point.violation
        Object.assign(state, point.bias)
        givesUp = false
        if (point.violation <= aim) {
          const { onEngine } = point
          const known = yield* showing(state, examiner.examine(state, onEngine))
          const { values, maxViolation, violationError } = known
          examined.push({ beta: point.beta.slice(), hadRows: onEngine.kept !== undefined })
          point.accept(values)
          point.look()
          Object.assign(state, point.freeBias, { violation: maxViolation })
          if (isSettled(known, tol)) {
            // The certificate is that of the model with the bias from these values; what it needs is on the engine still.
            yield* showing(state, examiner.certify(state, point.onEngine))
            return {}
          }
          aim = Math.min(aim, tol - 2 * violationError)
          fruitless = hasImproved() ? 0 : fruitless + 1
          if (fruitless <= MOST_FRUITLESS) continue
          givesUp = true
        } else {
          if (shrinking && --untilShrink <= 0) {
            untilShrink = point.shrinkPeriod
            point.shrink()
          }
          const goal = Math.max(point.roundGain * point.violation, ROUND_FLOOR * aim)
          const before = state.iteration
          const mostSteps = Math.min(STEPS_PER_ROUND, STEPS_PER_VARIABLE * beta.length, activeSet.patience)
          point.begin()
          // A run cannot be resumed from within a round.
          state.snapshot = undefined
          for (;;) {
            const left = before + mostSteps - state.iteration
            const toPause = Math.min(context.pauseAt, context.maxIter) - state.iteration
            const limit = Math.min(left, toPause, STEPS_AT_ONCE)
            const taken = point.advance(goal, limit)
            state.iteration += taken
            if (taken < limit || taken === left) break
            if (taken < toPause && !context.due()) continue
            // A pause within a round: it continues as if nothing had been, so that tracing does not change the result.
            point.show()
            yield state
          }
          yield* showing(state, point.end())
          state.snapshot = snapshot
          // A round without a step, or one that never ends because steps only stir up errors: rounding hides what is left.
          const steps = state.iteration - before
          const lost = steps >= mostSteps && point.verify().error > LOST_FROM * point.violation
          const stalls = watch.stalls(++rounds, point.value, state.violation)
          givesUp = (steps === 0 || lost || stalls) && !(yield* beginAnew())
          activeSet.earn(steps, point.setSize)
        }
        if (givesUp && (tries++ === MOST_TRIES || !activeSet.canTry(point.beta))) return undefined
      }
      if (savedTry || givesUp || activeSet.isDue(point.beta, point.violation, () => point.countFree())) {
        if (!savedTry) yield* showing(state, point.makeExact())
        const v = point.allV()
        state.precision = 'f64'
        const run = activeSet.run(point.beta, v, state.iteration, givesUp, point.onEngine, savedTry)
        savedTry = undefined
        for (let next = run.next(); ; next = run.next()) {
          if (next.done && givesUp && !next.value) return undefined
          if (next.done) break
          const { save, ...shown } = next.value
          Object.assign(state, shown)
          state.snapshot = save && (() => snapshot(save()))
          yield state
        }
        state.snapshot = snapshot
        point.replaceV(v)
      }
      yield state
    }
  } finally {
    if (place) engine.release(mark)
    else giveEngine(engine, mark)
  }
}
