/**
 * The method that a linear machine requires.
 *
 * Method    Newton's method (./newton.ts) where its systems are small (few features) or, of smooth losses, well-conditioned (several
 *           samples per feature), for one class, or where the loss is logistic and the bias free. Otherwise dual coordinate descent
 *           (./dual-descent.ts), which is the quickest where data are wide and sparse and C is not large. It is watched: where the gap
 *           falls slowly, Newton's method has turns of its own (../linear/newton-turns.ts), from the point that was reached, and all of them
 *           where epochs would go on for long.
 *           Where ‖w‖₁ is kept small, proximal Newton steps (./proximal-newton.ts), watched in the same way. Where they are slow,
 *           and the loss is the squared hinge with thousands of weights other than 0, descent on the losses themselves, with interior points at the end; otherwise, or where
 *           that does not end either, Newton steps on a smoothed norm or on working sets of features (./l1-newton.ts).
 *           Features far from 0 with a free bias (../transformed/centred-run.ts), and more features than samples (../transformed/reduced-run.ts), are
 *           first brought into coordinates that suit these methods.
 * Stop      as theirs. The certificate names the method that finished.
 */
import { placesOfNonZeros } from '../../base/lists.ts'
import { isSmooth } from '../../problems/linear-loss.ts'
import type { LinearMachineProblem } from '../../problems/linear-problem.ts'
import { showing, showingAll } from '../driver/pieces.ts'
import type { Solver, SolverContext, SolverEnd, SolverRun, SolverState } from '../driver/solver.ts'
import { hasManyWeights } from '../l1/loss-descent.ts'
import { usesGram } from '../l1/proximal-descent.ts'
import { suits } from '../l1/smooth-descent.ts'
import { LinearPoint } from '../linear/linear-point.ts'
import { NewtonTurns } from '../linear/newton-turns.ts'
import { SlowWatch } from '../linear/slow-watch.ts'
import type { LinearRows } from '../rows/linear-rows.ts'
import { withRows } from '../rows/with-rows.ts'
import { centredRun } from '../transformed/centred-run.ts'
import { reducedRun } from '../transformed/reduced-run.ts'
import { dualDescent, runDualDescent, runFreeDescent } from './dual-descent.ts'
import { l1Newton, runL1Newton } from './l1-newton.ts'
import { newton, runNewton, SAFE } from './newton.ts'
import { LOSS_DESCENT, proximalNewton, runLossDescent, runProximalNewton } from './proximal-newton.ts'

/** Features up to which Newton's method comes first: its systems are solved by a factor of this many rows. */
const FEW_FEATURES = 1000
/**
 * Samples per feature from which on Newton's method comes first where the loss is smooth. Measured with the squared hinge loss on random sparse
 * problems of 20,000 samples: with 3 and more per feature it takes a twentieth to a half of the time of dual descent for C = 0.01 and 1,
 * and ends in 0.05 to 1.6 s for C = 100, where dual descent takes 5 s and more. With 2 and fewer and C = 100 it has not ended after 6 s on
 * some where dual descent takes 0.8 s.
 */
const TALL = 3
/**
 * Epochs go on while there are no more ahead than behind, or no more multiply-adds than these: about twenty seconds. The estimate is
 * too long by several times where the last samples settle together: news20 with the hinge loss and C = 100 ends after 3 s, where
 * Newton's method, asked at 3e9, took over 30.
 */
const WORK_AHEAD = 2e10
/**
 * The part of these that epochs have in any case: where C is large the gap may begin to fall only after some steps on faces. One class
 * of news20 (C = 100, squared hinge) ends after 1 s, where Newton's method, asked at the first stall, left a gap of 2e-3 after 20 s.
 */
const FIRST_PART = 0.25

/**
 * The same in epochs with the logistic loss, which Newton's method is quicker to solve: with C = 1 and 100 it takes as long as 60 to 200 on
 * news20 and random sparse problems. Where a row adds little to small systems it takes as long as 5 to 50, and comes first.
 */
const LOGISTIC_EPOCHS = 60

/**
 * The same for proximal Newton steps, in passes over the data: ten steps, or twenty, take about half of it. Fewer where steps on a smoothed norm
 * (../l1/smooth-descent.ts) follow: they take 100 to 600.
 */
const PROXIMAL_PASSES = 500
const PASSES_BEFORE_SMOOTH = 200
/** Squared losses over the matrix of the features: the digit 1 of mnist as it is (C = 100) takes 1,300, and steps on a smoothed norm take four times as long. */
const PASSES_OVER_GRAM = 2500
/** After this part of these, a relative gap of more than so much says that descent on the losses is the better way, where there is one. */
const FAR_PART = 0.25
const FAR = 0.5
/** Passes over the data that descent on squared hinge losses has: news20 and imdb with C = 100 take about 6,000. */
const DESCENT_PASSES = 12_000

/** See the header of the file. */
export const linearAuto: Solver<object, LinearMachineProblem> = {
  name: 'auto',
  title: 'The method that the problem asks for',
  source: 'newton, dual-descent, proximal-newton, l1-newton',
  tasks: ['linear'],
  biasForms: ['regularised', 'free', 'none'],
  linearOnly: true,
  squaredLoss: true,
  norms: [1, 2],
  logistic: true,
  unit: 'step',
  goal: 'gap',
  defaults: { tol: 1e-6, maxIter: () => 1_000_000 },
  options: {},

  run: (problem, context) =>
    centredRun(problem, context, (problem, context) => reducedRun(problem, context, runAuto)),
}

function runAuto(problem: LinearMachineProblem, context: SolverContext): SolverRun {
  return withRows(
    problem,
    true,
    function* (rows) {
      const mark = rows.mark()
      const point = new LinearPoint(problem, rows, context)
      const state: SolverState & { method: string } = Object.assign(point.state, { method: newton.name })
      const end = yield* solve(problem, rows, point, state, context)
      point.dropAll()
      rows.release(mark)
      // The engine has the samples: the certificate need not read them in plain loops. Its vectors take the place of the solver's.
      if (rows.place) yield* showing(state, context.certify(state, rows.place))
      return end
    },
    { threads: context.threads },
  )
}

/** What proximal Newton steps have in any case, in passes over the data. */
function proximalPasses(rows: LinearRows, { terms, state }: LinearPoint): number {
  if (!terms.isLogistic && usesGram(rows, terms)) return PASSES_OVER_GRAM
  return suits(rows, terms, placesOfNonZeros(state.weights).length) ? PASSES_BEFORE_SMOOTH : PROXIMAL_PASSES
}

/** The methods one after the other, until one ends. */
function* solve(
  problem: LinearMachineProblem,
  rows: LinearRows,
  point: LinearPoint,
  state: SolverState & { method: string },
  context: SolverContext,
): Generator<SolverState, SolverEnd, void> {
  if (context.start && point.gap <= SAFE * context.allowedGap(point.primal)) {
    yield state
    return {}
  }
  if (problem.norm === 1) {
    const isDescending = point.resumes(LOSS_DESCENT)
    const isWide = () => problem.loss === 'squared-hinge' && hasManyWeights(point.state.weights)
    state.method = proximalNewton.name
    if (!isDescending && !point.resumes(l1Newton.name)) {
      const granted = PROXIMAL_PASSES * rows.stored
      const watch = new SlowWatch(granted, granted)
      const isFar = (work: number) => work > FAR_PART * granted && point.relativeGap > FAR && isWide()
      const ends = yield* watched(rows, point, context, watch, (givesUp) =>
        runProximalNewton(problem, rows, point, context, (work) => {
          watch.granted = watch.least = proximalPasses(rows, point) * rows.stored
          return isFar(work) || givesUp(work)
        }),
      )
      if (ends) return {}
    }
    if (isDescending || (isWide() && !point.resumes(l1Newton.name))) {
      const most = DESCENT_PASSES * rows.stored
      const { gaveUp } = yield* runLossDescent(problem, rows, point, context, (work) => work > most)
      if (!gaveUp) return {}
    }
    state.method = l1Newton.name
    return yield* runL1Newton(problem, rows, point, context)
  }
  const granted = grantedVisits(problem, rows)
  const isDualFirst = granted > 0 && (point.resumes(TURNS) || !point.resumes(newton.name))
  return yield* isDualFirst
    ? runInTurns(problem, rows, point, state, context, granted)
    : runNewton(problem, rows, point, context)
}

/** Dual descent, with turns of Newton's method where it seems slow; that has the rest where dual descent gives up. */
function* runInTurns(
  problem: LinearMachineProblem,
  rows: LinearRows,
  point: LinearPoint,
  state: SolverState & { method: string },
  context: SolverContext,
  granted: number,
): Generator<SolverState, SolverEnd, void> {
  const { allowedGap, due } = context
  const isLogistic = problem.loss === 'logistic'
  const isFree = problem.bias === 'free'
  const turns = new NewtonTurns(problem, rows, point, due, () => SAFE * allowedGap(point.primal))
  let isKept = false
  const keepNewton = () => {
    if (!isKept) point.keep(newton.name, turns.descent())
    isKept = true
  }
  // Rounds of a free bias give back all memory that was taken since they began.
  if (isFree) turns.descent()
  if (point.resumes(newton.name)) keepNewton()
  const ruleOf = (own: LinearPoint, watch: SlowWatch) => {
    return (visits: number, left = own.gap) => {
      const isSlow = watch.isSlow(visits, left, allowedGap(own.primal))
      if (!isLogistic) turns.look(visits, watch.ahead)
      return isSlow
    }
  }
  const watch = () => new SlowWatch(granted, isLogistic ? 0 : FIRST_PART * granted)
  let epochs: ReturnType<typeof runDualDescent>
  if (isFree) epochs = runFreeDescent(problem, rows, point, context, (own) => ruleOf(own, watch()))
  else {
    const kept = watch()
    point.keep(WATCH, kept)
    point.keep(TURNS, turns)
    epochs = runDualDescent(problem, rows, point, context, { givesUp: ruleOf(point, kept) })
  }
  state.method = dualDescent.name
  try {
    for (;;) {
      const { done, value } = epochs.next()
      if (done && !value.gaveUp) return {}
      if (done) break
      yield state
      if (!turns.isTurn) continue
      state.method = newton.name
      if (!isFree) keepNewton()
      if (yield* showingAll(state, turns.take())) return {}
      state.method = dualDescent.name
    }
  } finally {
    // Stopped from outside, or ended by the other, it still offers what it has.
    epochs.return({})
  }
  point.drop(WATCH)
  point.drop(TURNS)
  state.method = newton.name
  keepNewton()
  yield* showingAll(state, turns.rest())
  return {}
}

/** Visits that dual descent may have ahead of it; 0 where Newton's method comes first. */
function grantedVisits({ loss, bias, balance }: LinearMachineProblem, rows: LinearRows): number {
  const { rows: count, cols, stored } = rows
  const isLogistic = loss === 'logistic'
  const isTall = isSmooth(loss) && count >= TALL * cols
  if (balance !== 0 || cols <= FEW_FEATURES || isTall || (isLogistic && bias === 'free')) return 0
  return isLogistic ? LOGISTIC_EPOCHS * count : (WORK_AHEAD * count) / (stored + 1)
}

/** Parts of snapshots. */
const WATCH = 'watch'
const TURNS = 'turns'

/** Runs a method until it ends, or `watch` finds it slow, in memory that is given back then. Returns whether it ended. */
function* watched(
  rows: LinearRows,
  point: LinearPoint,
  { allowedGap }: Pick<SolverContext, 'allowedGap'>,
  watch: SlowWatch,
  run: (
    givesUp: (work: number, left?: number) => boolean,
  ) => Generator<SolverState, { readonly gaveUp?: boolean }, void>,
): Generator<SolverState, boolean, void> {
  const mark = rows.mark()
  point.keep(WATCH, watch)
  const { gaveUp } = yield* run((work, left = point.gap) =>
    watch.isSlow(work, left, allowedGap(point.primal)),
  )
  rows.release(mark)
  point.drop(WATCH)
  return !gaveUp
}
