/**
 * Dual coordinate descent for linear machines: one β at a time.
 *
 * Problem   the dual of ../../problems/linear-problem.ts with the norm ½‖w‖², a bias that is regularised or none, and any loss but
 *           the logistic one. With G_i = ⟨w, x̃_i⟩ − z_i + D_i β_i the slope of the dual along β_i is G_i + ε where β_i > 0 and
 *           G_i − ε where β_i < 0; at 0 it is optimal while |G_i| <= ε, and at a bound while the slope points beyond it. How far
 *           that fails is the projected gradient.
 * Method    in each epoch, in a new random order (of large data: of blocks), minimise the dual over β_i alone. With H = ‖x̃_i‖² + D_i that is
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
import { showing } from '../driver/pieces.ts'
import type { Solver, SolverContext, SolverEnd, SolverState } from '../driver/solver.ts'
import { DualEpochs } from '../linear/dual-epochs.ts'
import { FaceTurns } from '../linear/face-turns.ts'
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
  /** Asked after each look at the gap, with the visits so far. A run that rounding alone moves gives up without it. */
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
    ...{ nextLook: 0, stillLooks: 0, lowest: Number.POSITIVE_INFINITY },
    ...{ aim: 0, isMeasured: true, isWithin: false },
  }
  const turns = new FaceTurns()
  const saved = () => ({ progress: { ...progress }, epochs: epochs.save(), turns: turns.save() })
  point.keep(dualDescent.name, {
    save: () => (progress.isWithin ? undefined : saved()),
    restore(kept) {
      const own = kept as ReturnType<typeof saved>
      Object.assign(progress, own.progress)
      epochs.restore(own.epochs)
      turns.restore(own.turns)
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
        const ahead = turns.look(visits, point.gap, point.dual, goal)
        progress.nextLook = visits + Math.min(LATEST_LOOK * visits, Math.max(SOONEST_LOOK * visits, ahead))
        if (!epochs.isMoving) return {}
        const isLower = point.dual + point.gap < progress.lowest - ROUNDING * Math.abs(point.dual)
        progress.stillLooks = isLower ? 0 : progress.stillLooks + 1
        progress.lowest = Math.min(progress.lowest, point.dual + point.gap)
        if (liblinearEps === 0 && progress.stillLooks > MOST_STILL_LOOKS) return { gaveUp: true }
        if (liblinearEps === 0 && turns.pays(epochs.faceVisits, ahead)) {
          progress.isMeasured = false
          yield* showing(point.state, epochs.face())
          turns.took(epochs.visits)
          progress.nextLook = epochs.visits + EPOCHS_PER_FACE * rows.rows
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
}

/** Looks at which neither value was lower by more than this part: then it is rounding that moves the β. */
const MOST_STILL_LOOKS = 10
const ROUNDING = 1e-13

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
