/**
 * Dual coordinate descent for linear machines: one β at a time.
 *
 * Problem   the dual of ../../problems/linear-problem.ts with the norm ½‖w‖² and a bias that is regularised or none. Of losses that are
 *           not logistic, with G_i = ⟨w, x̃_i⟩ − z_i + D_i β_i the slope of the dual along β_i is G_i + ε where β_i > 0 and
 *           G_i − ε where β_i < 0; at 0 it is optimal while |G_i| <= ε, and at a bound while the slope points beyond it. How far
 *           that fails is the projected gradient.
 * Method    in each epoch, in a new random order (of large data: of blocks), minimise the dual over β_i alone. With H = ‖x̃_i‖² + D_i that is
 *             β_i ← clip(β_i − (G_i + ε)/H)   where that is > 0,   clip(β_i − (G_i − ε)/H)   where that is < 0,   else 0,
 *           and w ← w + (β_i − β_i^old) x̃_i.
 * Shrinking a sample at 0 or at a bound that the slope holds there by more than the projected gradient of the epoch before went
 *           to that side (of regression: to either side) is left out. A look at the gap computes f of all samples: those that are not
 *           held by more than the largest projected gradient of all come back. There is one when the others are solved.
 * Faces     where the gap falls so slowly that epochs would go on for longer than that takes, all β between bounds move together, by
 *           conjugate gradients (../linear/dual-face.ts); epochs go on from there.
 * Logistic  no β is ever at a bound: there are no samples to leave out and no faces. How a β_i moves is said in ../logistic/logistic-sweep.ts.
 * Free bias rounds of it, each with a bias that is regularised about some b: min over w, b' of ½‖w‖² + ½ b'² + losses of
 *           ⟨w, x⟩ + b + b'. There b' = Σ β_i, which vanishes at the solution: the secant method looks for that b. What is left of Σ β_i
 *           goes to the β between bounds.
 * Stop      the gap is within tol; it is looked at when, by its fall between the last two looks, it should be. With `liblinearEps`,
 *           LIBLINEAR's own rule ends it: the spread of the projected gradient over an epoch of all samples is within it (of
 *           regression: the sum of its absolute values, as a part of that of the first epoch).
 * Source    Hsieh, Chang, Lin, Keerthi, Sundararajan 2008; Ho, Lin 2012; logistic: Yu, Huang, Lin 2011; faces: Moré, Toraldo 1991.
 * Cost      a step O(non-zeros of the row); a look at the gap two passes; an iteration on a face two passes over its samples.
 */
import { checkBoolean, checkNumber } from '../../base/check.ts'
import { type LinearMachineProblem, termsOf } from '../../problems/linear-problem.ts'
import { showing } from '../driver/pieces.ts'
import type { Solver, SolverContext, SolverEnd, SolverState } from '../driver/solver.ts'
import { DualEpochs } from '../linear/dual-epochs.ts'
import { freeSamples } from '../linear/dual-face.ts'
import { FaceTurns } from '../linear/face-turns.ts'
import { isBalanced, LinearPoint } from '../linear/linear-point.ts'
import { LogisticEpochs } from '../logistic/logistic-epochs.ts'
import type { LinearRows } from '../rows/linear-rows.ts'
import { withRows } from '../rows/with-rows.ts'
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
  source: 'Hsieh et al. 2008; Ho, Lin 2012; Yu, Huang, Lin 2011',
  tasks: ['linear'],
  biasForms: ['regularised', 'none'],
  linearOnly: true,
  squaredLoss: true,
  logistic: true,
  unit: 'epoch',
  goal: 'gap',
  defaults: { tol: 1e-6, maxIter: () => 1_000_000 },
  options: { liblinearEps: 0, engine: true },

  run(problem, context, { liblinearEps, engine }) {
    checkNumber('dual-descent', 'liblinearEps', liblinearEps, { min: 0 })
    checkBoolean('dual-descent', 'engine', engine)
    const solve = function* (rows: LinearRows) {
      const point = new LinearPoint(problem, rows, context)
      yield* runDualDescent(problem, rows, point, context, { liblinearEps })
      return {}
    }
    return withRows(problem, engine, solve, { threads: context.threads })
  },
}

/** When to end beside the gap: LIBLINEAR's rule, or because others would be sooner. */
interface EndingRules {
  readonly liblinearEps?: number
  /**
   * Asked after each look at the gap, with the visits so far, or with what is left of the gap by an estimate. A run that rounding alone
   * moves gives up without it.
   */
  readonly givesUp?: (visits: number, left?: number) => boolean
}

/** Epochs from the best dual point that is known. */
export function* runDualDescent(
  problem: LinearMachineProblem,
  rows: LinearRows,
  point: LinearPoint,
  context: Pick<SolverContext, 'random' | 'due' | 'allowedGap'>,
  rules: EndingRules,
): Generator<SolverState, SolverEnd & { readonly gaveUp?: boolean }, void> {
  if (problem.loss === 'logistic') return yield* runLogisticDescent(rows, point, context, rules)
  const { random, due, allowedGap } = context
  const { liblinearEps = 0, givesUp } = rules
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
    yield point.state
    for (;;) {
      progress.isWithin = true
      const epoch = epochs.epoch()
      while (!epoch.next().done) yield point.state
      point.advance()
      progress.isMeasured = false
      if (progress.aim === 0) progress.aim = BACK_AT * epochs.largest
      if (liblinearEps > 0 && epochs.hasSettled(liblinearEps)) {
        if (!epochs.bringBack()) return {}
      }
      const isDone = epochs.largest <= progress.aim && epochs.isShrunk
      if (epochs.visits >= progress.nextLook || isDone || !epochs.isMoving) {
        const { isMoving } = epochs
        epochs.measure()
        progress.aim = BACK_AT * epochs.largest
        progress.isMeasured = true
        point.state.violation = point.relativeGap
        const goal = SAFE * allowedGap(point.primal)
        if (liblinearEps === 0 && point.gap <= goal) return {}
        const { visits } = epochs
        const ahead = turns.look(visits, point.gap, point.dual, goal)
        const soonest = (epochs.active * Math.log(point.gap / goal)) / Math.log(MOST_FALL)
        const expected = Math.min(LATEST_LOOK * visits, Math.max(SOONEST_LOOK * visits, ahead))
        const untilLook = Math.max(soonest, expected)
        progress.nextLook = visits + untilLook
        if (!isMoving) return { gaveUp: true }
        const isLower = point.dual + point.gap < progress.lowest - ROUNDING * Math.abs(point.dual)
        progress.stillLooks = isLower ? 0 : progress.stillLooks + 1
        progress.lowest = Math.min(progress.lowest, point.dual + point.gap)
        if (liblinearEps === 0 && progress.stillLooks > MOST_STILL_LOOKS) return { gaveUp: true }
        if (liblinearEps === 0 && turns.pays(epochs.faceVisits, ahead)) {
          progress.isMeasured = false
          yield* showing(point.state, epochs.face())
          turns.took(epochs.visits)
          progress.nextLook = epochs.visits + Math.min(EPOCHS_PER_FACE * rows.rows, untilLook)
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

/** Epochs with the logistic loss. The gap is looked at when, by what the samples left of it, it should be within tol. */
function* runLogisticDescent(
  rows: LinearRows,
  point: LinearPoint,
  { random, due, allowedGap }: Pick<SolverContext, 'random' | 'due' | 'allowedGap'>,
  { liblinearEps = 0, givesUp }: EndingRules,
): Generator<SolverState, SolverEnd & { readonly gaveUp?: boolean }, void> {
  const epochs = new LogisticEpochs(rows, point, random, due)
  // The gap after an epoch is about what was left before it times the rate at which that falls, and what looks have shown beyond that.
  const progress = {
    ...{ epoch: 0, leftBefore: Number.NaN, beyond: 1, nextLook: FIRST_LOOK },
    ...{ stillLooks: 0, isMeasured: true, isWithin: false },
  }
  const saved = () => ({ progress: { ...progress }, epochs: epochs.save() })
  point.keep(dualDescent.name, {
    save: () => (progress.isWithin ? undefined : saved()),
    restore(kept) {
      const own = kept as ReturnType<typeof saved>
      Object.assign(progress, own.progress)
      epochs.restore(own.epochs)
    },
  })
  try {
    yield point.state
    for (;;) {
      progress.isWithin = true
      const goal = SAFE * allowedGap(point.primal)
      // Of the first epoch nothing is known: all β are 0.
      const epoch = epochs.epoch(
        progress.epoch > 0 && liblinearEps === 0 ? (NEGLIGIBLE * goal) / rows.rows : 0,
      )
      while (!epoch.next().done) yield point.state
      point.advance()
      progress.epoch++
      progress.isMeasured = false
      if (liblinearEps > 0 && epochs.largest <= liblinearEps) return {}
      const fallen = epochs.left * Math.min(1, epochs.left / progress.leftBefore)
      if (progress.epoch > 1) progress.leftBefore = epochs.left
      if (fallen * progress.beyond <= goal || progress.epoch >= progress.nextLook) {
        const before = point.gap
        epochs.measure()
        progress.isMeasured = true
        point.state.violation = point.relativeGap
        if (liblinearEps === 0 && point.gap <= SAFE * allowedGap(point.primal)) return {}
        progress.nextLook = Math.max(FIRST_LOOK, Math.ceil((1 + LATEST_LOOK) * progress.epoch))
        progress.beyond = Math.max(1, point.gap / fallen)
        progress.stillLooks = point.gap < before ? 0 : progress.stillLooks + 1
        if (liblinearEps === 0 && progress.stillLooks > MOST_STILL_LOOKS) return { gaveUp: true }
      }
      const isAsked = progress.epoch === FIRST_RATE || progress.epoch % EPOCHS_PER_RATE === 0
      if (isAsked && givesUp?.(progress.epoch * rows.rows, epochs.left)) return { gaveUp: true }
      progress.isWithin = false
      yield point.state
    }
  } finally {
    point.drop(dualDescent.name)
    if (!progress.isMeasured) epochs.measure()
  }
}

/** Epochs after which there is a look at the gap in any case. */
const FIRST_LOOK = 16
/** What the samples leave of the gap falls unevenly: its rate is taken over so many epochs, the first time over one, from this epoch on. */
const EPOCHS_PER_RATE = 4
const FIRST_RATE = 3
/** Samples whose part of the gap is less than this part of the part that is allowed them stay where they are: together they leave less than that. */
const NEGLIGIBLE = 0.01

/**
 * Rounds of epochs for a free bias; see the header of the file. `watch` makes the rule by which a round gives up, from its own point. There
 * are no snapshots meanwhile.
 */
export function* runFreeDescent(
  problem: LinearMachineProblem,
  rows: LinearRows,
  point: LinearPoint,
  context: Pick<SolverContext, 'random' | 'due' | 'allowedGap'>,
  watch: (own: LinearPoint) => (visits: number) => boolean,
): Generator<SolverState, { readonly gaveUp: boolean }, void> {
  const { state } = point
  const terms = termsOf(problem)
  const regularised: LinearMachineProblem = { ...problem, bias: 'regularised', constant: rows.constant }
  const allowedGap = (primal: number) => ROUND_PART * context.allowedGap(primal)
  const start = { weights: state.weights.slice(), alpha: state.alpha.slice() }
  const last = rows.cols
  let b = start.weights[last]
  let before = { b: Number.NaN, step: Number.NaN }
  for (let round = 0; round < MOST_ROUNDS; round++) {
    start.weights[last] = 0
    const mark = rows.mark()
    const iterations = state.iteration
    const own = new LinearPoint(regularised, rows, { start }, { ...terms, z: terms.z.map((z) => z - b) })
    const run = runDualDescent(regularised, rows, own, { ...context, allowedGap }, { givesUp: watch(own) })
    let next = run.next()
    try {
      for (; !next.done; next = run.next()) {
        state.iteration = iterations + own.state.iteration
        yield state
      }
    } finally {
      // Stopped from outside, it still offers what it has.
      run.return({})
      state.iteration = iterations + own.state.iteration
      start.weights.set(own.state.weights)
      start.alpha.set(own.state.alpha)
      rows.release(mark)
      const step = start.weights[last]
      start.weights[last] = b + step
      offerBalanced(rows, point, start.weights, start.alpha)
      // b' is a function of b that falls, by less than b rises: where it is 0 by this round and the one before.
      const fall = (before.step - step) / (b - before.b)
      before = { b, step }
      b += fall > LEAST_FALL && fall < 1 ? step / fall : step
    }
    state.violation = point.relativeGap
    if (point.gap <= SAFE * context.allowedGap(point.primal)) return { gaveUp: false }
    if (next.done && next.value.gaveUp) return { gaveUp: true }
  }
  return { gaveUp: true }
}

/** The part of the gap that a round may leave, and rounds at most: a secant method gains orders of magnitude in each, or nothing. */
const ROUND_PART = 0.5
const MOST_ROUNDS = 20
/** A slope of b' beneath it is what rounds leave of the gap rather than a slope. */
const LEAST_FALL = 1e-3

/** A model, and its dual point, whose Σ β_i becomes 0: each β between bounds takes an equal part of what is left, as far as these allow. */
function offerBalanced(
  rows: LinearRows,
  point: LinearPoint,
  weights: Float64Array,
  alpha: Float64Array,
): void {
  const { lower, upper, epsilon } = point.terms
  const mark = rows.mark()
  const u = rows.vector(weights.length)
  const f = rows.vector(alpha.length)
  const beta = rows.vector(alpha.length)
  u.set(weights)
  rows.values(u, f)
  point.offerModel(u, f)
  beta.set(alpha)
  const free = freeSamples({ beta, lower, upper, epsilon })
  let excess = beta.reduce((sum, own) => sum + own, 0)
  for (let k = 0; k < free.length; k++) {
    const i = free[k]
    const moved = Math.min(upper[i], Math.max(lower[i], beta[i] - excess / (free.length - k)))
    excess -= beta[i] - moved
    beta[i] = moved
  }
  rows.combine(beta, u)
  if (isBalanced(beta, 0)) point.offerDual(beta, u)
  rows.release(mark)
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
 * There is a look when the projected gradient has fallen to this part of what it was at the last one. When all samples had
 * their turn again then, instead of those that are not held, on reuters, w8a and a9a: 0.03 took from a tenth fewer to a third more epochs, 0.3 from a quarter fewer to 7 % more.
 */
const BACK_AT = 0.1
/**
 * An epoch divides the gap by this at most, with few exceptions: before that there is no look. On imdb and random sparse problems this saves a
 * tenth to two fifths of all passes for C = 0.01 and 1. 100 saves less; 5 saves more on some and costs up to a fifth on others.
 */
const MOST_FALL = 10
/**
 * From one look at the gap to the next the visits grow by a tenth to a half: a look costs about an epoch. Tried on the same:
 * from 0.03 and from 0.3 on took as long.
 */
const SOONEST_LOOK = 0.1
const LATEST_LOOK = 0.5
