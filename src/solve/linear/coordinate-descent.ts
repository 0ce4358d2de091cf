/**
 * Dual coordinate descent, as ../methods/sdca.ts, ../methods/svr-descent.ts and ../methods/crammer-singer.ts do it: epochs that
 * visit the samples in a new random order, until the largest violation is within tol for a model computed afresh, and the gap
 * is as narrow as it should be. While it is wider, epochs continue to half the violation each time. The best model so far is
 * kept beside α (./best-model.ts).
 */
import { inOneGo, type Pieces } from '../../base/pieces.ts'
import { type Due, showing } from '../driver/pieces.ts'
import { restoreFields } from '../driver/saved-fields.ts'
import type { SolverContext, SolverEnd, SolverState } from '../driver/solver.ts'
import { EPOCHS_WITHOUT_GAIN, StallWatch } from '../driver/stall-watch.ts'
import { BestModel } from './best-model.ts'
import { FaceTurns } from './face-turns.ts'
import type { SlowWatch } from './slow-watch.ts'

/** The epochs of a method, as {@link descend} goes through them. */
export interface Epochs {
  readonly alpha: Float64Array
  /** The samples whose variables move; the first `active` of them are visited. */
  readonly order: Uint32Array
  readonly active: number
  /** The largest violation seen in the last epoch, or by {@link refresh}; and whether anything has moved in this one. */
  readonly largest: number
  readonly changed: boolean
  /** A variable was seen to grow without end. */
  readonly unbounded?: boolean
  /** How many samples may be visited in a few milliseconds. */
  readonly visitsPerSlice: number
  /** All that does not follow from the problem. */
  save(): object
  restore(saved: object): void
  /** An epoch begins; the first one is number 1. */
  start(epoch: number): void
  /** Visits up to `visits` further samples; false when the epoch is over. */
  sweep(visits: number): boolean
  /** Ends an epoch that should have come down to `aim`; true when that was so for all samples. */
  end(aim: number): boolean
  /** Computes the model afresh from α, and with it the largest violation over all samples. */
  refresh(due: Due): Pieces
  /** A step that moves all free variables together; whether another one follows at the next look where it has narrowed the gap. */
  face?(due: Due): Pieces
  readonly facesGoOn?: boolean
  /** The visits that cost as much as it, about, and those of all such steps so far. */
  readonly faceVisits?: number
  readonly spent?: number
  /** Primal and dual value of α; the former may be that of a `multiple` of its model. */
  values(): { readonly primal: number; readonly multiple?: number; readonly dual: number }
  /**
   * The coefficients of the model that goes with α, and the bias of a model with such coefficients. Absent: α itself, and 0,
   * because the bias is a weight among others.
   */
  coefficients?(): Float64Array
  biasOf?(coefficients: Float64Array): number
}

/** How {@link descend} ends, and what came before it. */
export interface DescentOptions {
  /** Where it says at a look that epochs would take too long, the run gives up. */
  readonly slow?: SlowWatch
  /** Iterations of a method that came before. */
  readonly iteration?: number
  /** Whether the gap alone decides on the end, whatever the violation. */
  readonly byGap?: boolean
}

/**
 * See the header of the file. `atZero` is the primal value of w = 0; where it is infinite, the model is always that of α.
 */
export function* descend(
  epochs: Epochs,
  atZero: number,
  context: SolverContext,
  { slow, iteration = 0, byGap = false }: DescentOptions = {},
): Generator<SolverState, SolverEnd & { readonly gaveUp?: boolean }, void> {
  const { tol, allowedGap, maxIter, random, resume, due } = context
  const { alpha, order, visitsPerSlice } = epochs
  const best = Number.isFinite(atZero) ? new BestModel(atZero, alpha.length, order.length) : undefined
  const watch = new StallWatch(EPOCHS_WITHOUT_GAIN)
  const turns = new FaceTurns(epochs.facesGoOn)
  const progress = {
    /** Primal values worked out, and whether that of the latest model is among them. */
    looks: 0,
    isMeasured: true,
    /** Visits of samples so far. */
    visits: 0,
    /** What the violation should come down to. */
    aim: tol,
    /** Whether an epoch has started, and whether it was the last one. */
    isWithin: false,
    isOver: false,
  }
  const coefficients = () => epochs.coefficients?.() ?? alpha
  const state: SolverState = {
    iteration,
    alpha,
    violation: Number.NaN,
    get beta() {
      return best?.beta
    },
    get bias() {
      return epochs.biasOf?.(best?.beta ?? coefficients()) ?? 0
    },
    snapshot: () => saved(),
  }
  const saved = () => {
    const { iteration, violation } = state
    const counts = { iteration, violation }
    return {
      ...{ counts, progress: { ...progress }, epochs: epochs.save() },
      ...{ best: best?.save(), watch: watch.save(), slow: slow?.save(), turns: turns.save() },
    }
  }
  const measure = () => {
    const values = epochs.values()
    best?.offer(state.iteration, values.primal, coefficients(), values.multiple)
    progress.isMeasured = true
    return values
  }
  if (resume) {
    const kept = resume as ReturnType<typeof saved>
    Object.assign(state, kept.counts)
    Object.assign(progress, kept.progress)
    epochs.restore(kept.epochs)
    if (best && kept.best) restoreFields(best, kept.best)
    restoreFields(watch, kept.watch)
    if (kept.slow) slow?.restore(kept.slow)
    turns.restore(kept.turns)
  }
  yield state
  try {
    while (!progress.isOver) {
      if (!progress.isWithin) {
        random.shuffle(order.subarray(0, epochs.active))
        epochs.start(state.iteration + 1)
        best?.startEpoch()
        progress.isMeasured = false
        progress.isWithin = true
      }
      while (epochs.sweep(visitsPerSlice)) yield state
      progress.isWithin = false
      if (epochs.unbounded) return { unbounded: true }
      const { changed } = epochs
      const settled = epochs.end(progress.aim)
      if (settled) yield* showing(state, epochs.refresh(due))
      state.violation = epochs.largest
      state.iteration++
      progress.visits += epochs.active
      const isDue = best?.isDue(state.iteration, epochs.active)
      let isSolved = false
      let stalls = false
      if (settled || isDue || state.iteration === maxIter) {
        let { primal, dual } = measure()
        const isNarrow = () => primal + dual <= allowedGap(primal)
        const decides = byGap && isNarrow()
        if (decides && !settled) {
          inOneGo(epochs.refresh(due))
          state.violation = epochs.largest
          ;({ primal, dual } = measure())
        }
        const lowest = best?.primal ?? primal
        isSolved = (decides || (settled && state.violation <= tol)) && isNarrow()
        if (isSolved) best?.acceptLatest()
        else if (slow?.isSlow(progress.visits + (epochs.spent ?? 0), lowest + dual, allowedGap(lowest)))
          return { gaveUp: true }
        else if (epochs.face && epochs.faceVisits !== undefined) {
          const visits = progress.visits + (epochs.spent ?? 0)
          const ahead = turns.look(visits, lowest + dual, dual, allowedGap(lowest))
          if (turns.pays(epochs.faceVisits, ahead)) {
            yield* showing(state, epochs.face(due))
            turns.took(progress.visits + (epochs.spent ?? 0))
            progress.isMeasured = false
          }
        }
        stalls = watch.stalls(++progress.looks, dual, state.violation)
      }
      progress.isOver = stalls || isSolved || (settled && !changed)
      if (settled) progress.aim /= 2
      yield state
    }
    return {}
  } finally {
    // Stopped from outside, the latest model may be the best one.
    if (!progress.isMeasured) measure()
    // The memory of the epochs may be given to others.
    Object.assign(state, { alpha: alpha.slice() })
  }
}
