/**
 * Dual coordinate descent for linear machines: one β at a time.
 *
 * Problem   the dual of ../../problems/linear-problem.ts with the norm ½‖w‖², a bias that is regularised or none, and any loss but
 *           the logistic one. With G_i = ⟨w, x̃_i⟩ − z_i + D_i β_i the slope of the dual along β_i is G_i + ε where β_i > 0 and
 *           G_i − ε where β_i < 0; at 0 it is optimal while |G_i| <= ε, and at a bound while the slope points beyond it. How far
 *           that fails is the projected gradient.
 * Method    in each epoch, in a new random order, minimise the dual over β_i alone. With H = ‖x̃_i‖² + D_i that is
 *             β_i ← clip(β_i − (G_i + ε)/H)   where that is > 0,   clip(β_i − (G_i − ε)/H)   where that is < 0,   else 0,
 *           and w ← w + (β_i − β_i^old) x̃_i.
 * Shrinking a sample at 0 or at a bound that the slope holds there by more than the projected gradient of the epoch before went
 *           to that side (of regression: to either side) is left out until the others are solved; then all come back.
 * Faces     where the gap falls so slowly that epochs would go on for longer than that takes, all β between bounds move together, by
 *           conjugate gradients (../linear/dual-face.ts); epochs go on from there.
 * Stop      the gap is within tol; it is looked at when, by its fall between the last two looks, it should be. With `liblinearEps`,
 *           LIBLINEAR's own rule ends it: the spread of the projected gradient over an epoch of all samples is within it (of
 *           regression: the sum of its absolute values, as a part of that of the first epoch).
 * Source    Hsieh, Chang, Lin, Keerthi, Sundararajan 2008; Ho, Lin 2012; faces: Moré, Toraldo 1991.
 * Cost      a step O(non-zeros of the row); a look at the gap two passes; an iteration on a face two passes over its samples.
 */
import { checkBoolean, checkNumber } from '../../base/check.ts'
import type { LinearMachineProblem } from '../../problems/linear-problem.ts'
import type { Solver, SolverContext, SolverEnd, SolverState } from '../driver/solver.ts'
import { DualEpochs } from '../linear/dual-epochs.ts'
import { LinearPoint } from '../linear/linear-point.ts'
import type { LinearRows } from '../linear/linear-rows.ts'
import { withRows } from '../linear/with-rows.ts'
import { SAFE } from './newton.ts'

/** Settings of {@link dualDescent}. */
export interface DualDescentOptions {
  /** Where above 0, LIBLINEAR's stopping rule with this -e ends the run, be the gap what it may. Default 0. */
  readonly liblinearEps: number
  /** Work in the WebAssembly engine where the data are worth it. The result is the same to the bit. */
  readonly engine: boolean
}

/** Dual coordinate descent for linear machines. */
export const dualDescent: Solver<DualDescentOptions, LinearMachineProblem> = {
  name: 'dual-descent',
  title: 'Dual coordinate descent',
  source: 'Hsieh et al. 2008; Ho, Lin 2012',
  tasks: ['linear'],
  biasForms: ['regularised', 'none'],
  linearOnly: true,
  squaredLoss: true,
  unit: 'epoch',
  goal: 'gap',
  defaults: { tol: 1e-6, maxIter: () => 100_000 },
  options: { liblinearEps: 0, engine: true },

  run(problem, context, { liblinearEps, engine }) {
    checkNumber('dual-descent', 'liblinearEps', liblinearEps, { min: 0 })
    checkBoolean('dual-descent', 'engine', engine)
    return withRows(problem, engine, function* (rows) {
      const point = new LinearPoint(problem, rows, context)
      yield point.state
      yield* runDualDescent(problem, rows, point, context, { liblinearEps })
      return {}
    })
  },
}

/** When to end beside the gap: LIBLINEAR's rule, or because others would be sooner. */
interface EndingRules {
  readonly liblinearEps?: number
  /** Asked after each look at the gap, with the visits so far. */
  readonly givesUp?: (visits: number) => boolean
}

/** Epochs from the best dual point that is known. */
export function* runDualDescent(
  problem: LinearMachineProblem,
  rows: LinearRows,
  point: LinearPoint,
  { random, due, allowedGap }: Pick<SolverContext, 'random' | 'due' | 'allowedGap'>,
  { liblinearEps = 0, givesUp }: EndingRules,
): Generator<SolverState, SolverEnd & { readonly gaveUp?: boolean }, void> {
  const epochs = new DualEpochs(problem, rows, point, random, due)
  const progress = {
    ...{ nextLook: 0, lookedAt: 0, gapThen: Number.NaN },
    ...{ aim: 0, isMeasured: true, isWithin: false },
    ...{ dualThen: Number.NaN, nextFace: 0 },
  }
  const saved = () => ({ progress: { ...progress }, epochs: epochs.save() })
  point.keep(dualDescent.name, {
    save: () => (progress.isWithin ? undefined : saved()),
    restore(kept) {
      Object.assign(progress, (kept as ReturnType<typeof saved>).progress)
      epochs.restore((kept as ReturnType<typeof saved>).epochs)
    },
  })
  try {
    for (;;) {
      progress.isWithin = true
      const epoch = epochs.epoch()
      while (!epoch.next().done) yield point.state
      point.advance()
      progress.isMeasured = false
      if (progress.aim === 0) progress.aim = BACK_AT * epochs.largest
      if (liblinearEps > 0 && epochs.hasSettled(liblinearEps)) {
        if (!epochs.bringBack()) return {}
      } else if (epochs.largest <= progress.aim) {
        epochs.bringBack()
        progress.aim = BACK_AT * epochs.largest
      }
      if (epochs.visits >= progress.nextLook || !epochs.isMoving) {
        epochs.measure()
        progress.isMeasured = true
        point.state.violation = point.relativeGap
        const goal = SAFE * allowedGap(point.primal)
        if (liblinearEps === 0 && point.gap <= goal) return {}
        const { visits } = epochs
        const fallOfDual = (progress.dualThen - point.dual) / (visits - progress.lookedAt)
        const fall = Math.log(progress.gapThen / point.gap) / (visits - progress.lookedAt)
        const ahead = fall > 0 ? Math.log(point.gap / goal) / fall : Number.POSITIVE_INFINITY
        progress.nextLook = visits + Math.min(LATEST_LOOK * visits, Math.max(SOONEST_LOOK * visits, ahead))
        progress.lookedAt = visits
        progress.gapThen = point.gap
        progress.dualThen = point.dual
        if (!epochs.isMoving) return {}
        const cost = epochs.faceVisits
        if (liblinearEps === 0 && visits >= Math.max(cost, progress.nextFace) && ahead > cost) {
          yield* face(fallOfDual)
        }
        if (givesUp?.(epochs.visits)) return { gaveUp: true }
      }
      progress.isWithin = false
      yield point.state
    }
  } finally {
    point.drop(dualDescent.name)
    // Stopped from outside, the latest may be the best.
    if (!progress.isMeasured) epochs.measure()
  }

  /** A step on the present face, after epochs in which the dual fell by so much per visit. */
  function* face(fallOfDual: number): Generator<SolverState, void, void> {
    const { visits } = epochs
    const step = epochs.face()
    progress.isMeasured = false
    let result = step.next()
    for (; !result.done; result = step.next()) yield point.state
    const cost = epochs.visits - visits
    progress.nextLook = epochs.visits + EPOCHS_PER_FACE * point.terms.z.length
    // Where epochs do better, they have as much time as the step took: at most half of it is lost.
    progress.nextFace = result.value < fallOfDual * cost ? epochs.visits + cost : 0
  }
}

/**
 * Epochs between two steps on faces. On news20 (hinge and squared hinge, two classes) and imdb (hinge), C = 100, 3 took from as long to
 * two fifths longer, 30 from a tenth less to two fifths longer.
 */
const EPOCHS_PER_FACE = 10

/**
 * Samples that are left out come back when the projected gradient has fallen to this part of what it was then. Tried on reuters, w8a and
 * a9a: 0.03 took from a tenth fewer to a third more epochs, 0.3 from a quarter fewer to 7 % more.
 */
const BACK_AT = 0.1
/**
 * From one look at the gap to the next the visits grow by a tenth to a half: a look costs about an epoch. Tried on the same:
 * from 0.03 and from 0.3 on took as long.
 */
const SOONEST_LOOK = 0.1
const LATEST_LOOK = 0.5
