/**
 * The contract of solvers for {@link LinearProblem}s, much as that of ./solver.ts: a generator that keeps its state up to
 * date and yields it every few milliseconds and after each epoch; it returns when its own rule says that it is done, or
 * when nothing changes any more. ./run-linear.ts drives it, and judges afterwards from a certificate computed afresh.
 * All go through epochs in the same way: {@link descend}.
 */
import type { Random } from '../../base/random.ts'
import { storedValues } from '../../data/matrix/matrix.ts'
import { type LinearProblem, weightVectors } from '../../problems/linear-problem.ts'
import { BestModel } from '../linear/best-model.ts'
import { restoreFields } from './saved-fields.ts'
import { EPOCHS_WITHOUT_GAIN, StallWatch } from './stall-watch.ts'

/** What a linear solver shows of itself while it runs. One object a run, updated in place. */
export interface LinearState {
  /** Epochs done. */
  iteration: number
  /** The dual variables of the problem. */
  readonly alpha: Float64Array
  /** The best model so far (../linear/best-model.ts), given as α is, where it is another one. */
  readonly beta?: Float64Array | undefined
  /** The largest violation of the last epoch, in the problem's own unit; NaN while there is none. */
  violation: number
  /** All that the run would need to go on from here; undefined in the middle of something. */
  snapshot?: (() => object | undefined) | undefined
}

/** What a linear solver gets beside the problem. */
export interface LinearContext {
  /** The largest violation to leave, in the problem's own unit. */
  readonly tol: number
  /** The largest gap to leave, for this primal value. */
  readonly allowedGap: (primal: number) => number
  /** The driver stops after this epoch. */
  readonly maxIter: number
  readonly random: Random
  /** What a snapshot of a run like this one has said: go on from there, in the same steps. */
  readonly resume?: object | undefined
}

/** One solver: its name and how it runs. */
export interface LinearSolver<P extends LinearProblem> {
  readonly name: string
  run(problem: P, context: LinearContext): Generator<LinearState, void, void>
}

/** The epochs of a method, as {@link descend} goes through them. */
export interface Epochs {
  readonly alpha: Float64Array
  /** The samples whose variables move; the first `active` of them are visited. */
  readonly order: Uint32Array
  readonly active: number
  /** The largest violation seen in this epoch, and whether anything has moved. */
  readonly largest: number
  readonly changed: boolean
  /** All that does not follow from the problem; {@link restoreFields} puts it back. */
  save(): object
  start(): void
  /** Visits up to `visits` further samples; false when the epoch is over. */
  sweep(visits: number): boolean
  /** Ends an epoch that should have come down to `aim`; true when that was so for all samples. */
  end(aim: number): boolean
  /** Computes w afresh from α, and with it the largest violation over all samples. */
  refresh(): void
  /** Primal and dual value of α. */
  values(): { readonly primal: number; readonly dual: number }
}

/**
 * Epochs until the largest violation is within tol for a w computed afresh, and the gap is as narrow as it should be; while it
 * is wider, the violation is halved each time. `atZero` is the primal value of w = 0.
 */
export function* descend(
  problem: LinearProblem,
  epochs: Epochs,
  atZero: number,
  { tol, allowedGap, maxIter, random, resume }: LinearContext,
): Generator<LinearState, void, void> {
  const { alpha, order } = epochs
  const best = new BestModel(atZero, alpha.length, order.length)
  const state = {
    iteration: 0,
    alpha,
    violation: Number.NaN,
    get beta() {
      return best.beta
    },
    snapshot: () => saved(),
  }
  const watch = new StallWatch(EPOCHS_WITHOUT_GAIN)
  let looks = 0
  const visits = visitsPerSlice(problem)
  let isMeasured = true
  const measure = () => {
    const { primal, dual } = epochs.values()
    best.offer(state.iteration, primal, alpha)
    isMeasured = true
    return { primal, dual }
  }
  let aim = tol
  /** Whether an epoch has begun, and whether it was the last one. */
  let isWithin = false
  let isOver = false
  const saved = () => {
    const { iteration, violation } = state
    const counts = { iteration, violation, looks, isMeasured, aim, isWithin, isOver }
    return { counts, epochs: epochs.save(), best: best.save(), watch: watch.save() }
  }
  if (resume) {
    const { counts, ...kept } = resume as ReturnType<typeof saved>
    restoreFields(epochs, kept.epochs)
    restoreFields(best, kept.best)
    restoreFields(watch, kept.watch)
    ;({ looks, isMeasured, aim, isWithin, isOver } = counts)
    state.iteration = counts.iteration
    state.violation = counts.violation
  }
  yield state
  try {
    while (!isOver) {
      if (!isWithin) {
        random.shuffle(order.subarray(0, epochs.active))
        epochs.start()
        best.startEpoch()
        isMeasured = false
        isWithin = true
      }
      while (epochs.sweep(visits)) yield state
      isWithin = false
      const { changed } = epochs
      const settled = epochs.end(aim)
      if (settled) epochs.refresh()
      state.violation = epochs.largest
      state.iteration++
      const isDue = best.isDue(state.iteration, epochs.active)
      let isSolved = false
      let stalls = false
      if (settled || isDue || state.iteration === maxIter) {
        const { primal, dual } = measure()
        isSolved = settled && state.violation <= tol && primal + dual <= allowedGap(primal)
        if (isSolved) best.acceptLatest()
        stalls = watch.stalls(++looks, dual, state.violation)
      }
      isOver = stalls || isSolved || (settled && !changed)
      if (settled) aim /= 2
      yield state
    }
  } finally {
    // Stopped from outside, the latest model may be the best one.
    if (!isMeasured) measure()
  }
}

/** Multiplications that take a few milliseconds. */
const WORK_PER_SLICE = 4e6

/** How many samples a solver may visit in a few milliseconds: then it should yield. */
function visitsPerSlice(problem: LinearProblem): number {
  const { samples } = problem
  const width = storedValues(samples) / samples.rows
  return Math.max(1, Math.floor(WORK_PER_SLICE / (2 * (width + 10) * weightVectors(problem))))
}
