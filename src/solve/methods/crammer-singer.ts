/**
 * Crammer and Singer's machine: the sequential dual method, all α of one sample at a time, and Newton's method where that crawls.
 *
 * Problem   the dual of Crammer–Singer in ../../problems/linear-problem.ts.
 * Method    in each epoch, in a new random order, minimise the dual over α_i1 … α_ik. With A = ‖x̃_i‖², g_m = ⟨w_m, x̃_i⟩ + e_im,
 *           c_m = C_i for m = y_i and 0 otherwise, and D_m = g_m + A (c_m − α_im) the solution is
 *             α_im ← c_m − max(0, D_m − θ) / A,   θ such that Σ_m max(0, D_m − θ) = A C_i,
 *           the projection onto a simplex (../classes/class-sweep.ts, on the engine where there is one). Then w_m ← w_m + (α_im − α_im^old) x̃_i.
 * Start     equal samples of several classes are between them already (../classes/copies-start.ts).
 * Shrinking a class without room to rise (α_im = c_m) whose g_m is below that of every class with room is left out for
 *           this sample, and the sample when one class is left. All come back when the others are solved to a tolerance that
 *           is halved each time.
 * Faces     where epochs would go on for longer than that takes, the free α of all samples move together, by conjugate gradients
 *           (../classes/class-face.ts); epochs go on from there, and further such steps for as long as they narrow the gap.
 * Newton    where the gap falls so slowly that epochs would go on for long, Newton's method on the primal (../classes/class-newton.ts)
 *           takes over from α, and finishes, but for what its rounding leaves to further epochs.
 * Two       classes have w_1 = −w_2 = ½v, where v is the machine of one function with the hinge loss and prices 2 C_i: half its value is
 *           that of this problem. Its methods (./linear-auto.ts) solve it.
 * Stop      the gap is within tol of the primal value, for w computed afresh from α (../linear/coordinate-descent.ts), and the multiple of
 *           it that has the lowest primal value (../classes/best-multiple.ts).
 * Source    Keerthi, Sundararajan, Chang, Hsieh, Lin 2008; shrinking as in LIBLINEAR; Newton's method as in ./newton.ts.
 * Cost      a visit O(non-zeros of the row × active classes).
 */
import { allocate } from '../../base/allocate.ts'
import { inOneGo } from '../../base/pieces.ts'
import { storedValues } from '../../data/matrix/matrix.ts'
import { type CrammerSingerProblem, makeLinearMachine } from '../../problems/linear-problem.ts'
import { ClassEpochs } from '../classes/class-epochs.ts'
import { ClassNewton } from '../classes/class-newton.ts'
import { MOST_KEPT } from '../classes/class-rows.ts'
import { MOST_FACTORED } from '../classes/class-system.ts'
import { shownRun } from '../driver/shown-run.ts'
import type { Solver, SolverContext, SolverRun, SolverState } from '../driver/solver.ts'
import { descend } from '../linear/coordinate-descent.ts'
import { SlowWatch } from '../linear/slow-watch.ts'
import type { LinearRows } from '../rows/linear-rows.ts'
import { withRows } from '../rows/with-rows.ts'
import { reducedRun } from '../transformed/reduced-run.ts'
import { linearAuto } from './linear-auto.ts'
import { SAFE } from './newton.ts'

/**
 * Epochs continue while there are no more ahead than behind, or no more than these: about as many as Newton's method would take the time
 * of, which is a few where a factor of all weights solves its systems. Where multiply-adds are few, there may be as many as take a tenth of a
 * second: on small sets of nearly separable classes epochs finish first. With features too many for factors (../classes/class-system.ts), and samples too (../classes/class-rows.ts), Newton's
 * method is slow, as in ./linear-auto.ts: there may be as many as take some twenty seconds. Never more than so many epochs.
 */
const EPOCHS_AHEAD = 100
const FEW_EPOCHS_AHEAD = 6
const WORK_AHEAD = 5e7
const WIDE_WORK_AHEAD = 2e10
const MOST_EPOCHS_AHEAD = 1000
/**
 * What epochs have in any case, as a part of these: with ten classes of mnist the gap begins to fall after some twenty. With many features
 * they have more than all: on news20 (C = 1) Newton's method, which took over at a gap of 2e-5, went to 6e-6 in 140 s.
 */
const FIRST_PART = 0.1
const WIDE_FIRST_PART = 2

/** Dual coordinate descent for Crammer and Singer's machine (Keerthi et al. 2008). */
export const crammerSinger: Solver<object, CrammerSingerProblem> = {
  name: 'crammer-singer',
  title: 'Sequential dual method',
  source: 'Keerthi et al. 2008',
  tasks: ['crammer-singer'],
  biasForms: ['regularised', 'none'],
  linearOnly: true,
  unit: 'epoch',
  goal: 'gap',
  defaults: { tol: 1e-6, maxIter: () => 100_000 },
  options: {},

  run: (problem, context) => reducedRun(problem, context, runClasses),
}

function* runClasses(problem: CrammerSingerProblem, context: SolverContext): SolverRun {
  const { C, classes } = problem
  if (classes === 2) return yield* runPair(problem, context)
  const { rows: count, cols } = problem.samples
  const atZero = C.reduce((sum, c) => sum + c, 0)
  // What a step gains is about its violation squared: epochs aim at this one first, and at less while the gap is wider.
  const tol = Math.sqrt(context.tol)
  const isWide = cols >= MOST_FACTORED && count * (classes - 1) > MOST_KEPT
  const work = isWide ? WIDE_WORK_AHEAD : WORK_AHEAD
  const affordable = Math.min(MOST_EPOCHS_AHEAD, work / (storedValues(problem.samples) * classes + 1))
  const isSmall = classes * (cols + 1) <= MOST_FACTORED
  const granted = count * Math.max(isSmall ? FEW_EPOCHS_AHEAD : EPOCHS_AHEAD, affordable)
  const allowedGap = (primal: number) => SAFE * context.allowedGap(primal)
  const own = { ...context, tol, allowedGap }
  const kept = context.resume as SavedRun | undefined
  // Newton's systems are worth the engine however few the values are.
  return yield* withRows(problem, true, solve, { fewest: 0, threads: context.threads })

  function* solve(rows: LinearRows): SolverRun {
    let end = kept?.end
    if (!end) {
      const from = kept?.newton ?? (yield* epochs(rows))
      if (!from) return {}
      end = yield* newton(rows, from)
      if (end.isReached) return {}
    }
    return yield* lastEpochs(rows, end, kept?.end !== undefined)
  }

  /** Epochs; where they give up, what Newton's method begins with. */
  function* epochs(rows: LinearRows): Generator<SolverState, SavedNewton | undefined, void> {
    const slow = new SlowWatch(granted, (isWide ? WIDE_FIRST_PART : FIRST_PART) * granted)
    const descent = descend(new ClassEpochs(problem, tol, rows), atZero, own, { slow, byGap: true })
    try {
      for (let state: SolverState | undefined; ; ) {
        const { done, value } = descent.next()
        if (done) return value.gaveUp && state ? pickFields(state) : undefined
        state = value
        yield value
      }
    } finally {
      descent.return({})
    }
  }

  /** Newton's method from the best α, with the best model so far. */
  function* newton(rows: LinearRows, from: SavedNewton): Generator<SolverState, NewtonEnd, void> {
    const method = new ClassNewton(problem, rows, from, context.due)
    if (from.fields) method.restore(from.fields)
    const state: SolverState = {
      iteration: from.iteration,
      ...{ alpha: method.alpha, bias: 0, violation: Number.NaN },
      get weights() {
        return method.weights
      },
      snapshot() {
        const fields = method.save()
        return fields && { newton: { ...pickFields(state), fields } }
      },
    }
    const run = method.run((primal, gap) => gap <= allowedGap(primal))
    const before = from.iteration - method.steps
    yield state
    while (!run.next().done) {
      state.iteration = before + method.steps
      state.violation = (method.primal + method.dual) / method.primal
      yield state
    }
    const { alpha, weights, primal, dual } = method
    return {
      alpha,
      weights,
      primal,
      iteration: state.iteration,
      isReached: primal + dual <= allowedGap(primal),
    }
  }

  /** Rounding of its systems stopped Newton's method: epochs have none. They begin at its α, and its model stays until one is better. */
  function* lastEpochs(rows: LinearRows, end: NewtonEnd, isResumed: boolean): SolverRun {
    const { alpha, weights, primal, iteration } = end
    const last = new ClassEpochs(problem, tol, rows)
    if (!isResumed) inOneGo(last.startAt(alpha))
    const { resume: _, ...fresh } = own
    const descent = descend(last, primal, isResumed ? own : fresh, { iteration, byGap: true })
    // The coefficients of the best model are 0 as long as it is that of Newton's method.
    const isOwn = ({ beta }: SolverState) => beta?.some((entry) => entry !== 0) ?? true
    const shown = yield* shownRun(descent, {
      beta: (own) => (isOwn(own) ? own.beta : undefined),
      weights: (own) => (isOwn(own) ? undefined : weights),
      snapshot: (own) => () => ({ ...own.snapshot?.(), end }),
    })
    return shown.end
  }
}

/** What is left of Newton's method: its α, its model and that model's value. */
interface NewtonEnd {
  readonly alpha: Float64Array
  readonly weights: Float64Array
  readonly primal: number
  readonly iteration: number
  readonly isReached: boolean
}

function pickFields({ alpha, beta, iteration }: SolverState): SavedNewton {
  return { alpha: alpha.slice(), beta: beta?.slice(), iteration }
}

/** Two classes, by the machine of one function: the first class is +1. */
function* runPair(problem: CrammerSingerProblem, context: SolverContext): SolverRun {
  const { samples, C, y, constant } = problem
  const pair = makeLinearMachine({
    ...{ samples, constant, loss: 'hinge', bias: constant > 0 ? 'regularised' : 'none' },
    C: C.map((own) => 2 * own),
    z: Float64Array.from(y, (own) => (own === 0 ? 1 : -1)),
  })
  const allowedGap = (primal: number) => 2 * context.allowedGap(0.5 * primal)
  // What is certified is a point of both classes.
  const inner = linearAuto.run(pair, { ...context, allowedGap, *certify() {} }, {})
  const shown = yield* shownRun(inner, {
    alpha: ({ alpha }) => bothClasses(alpha, 1),
    weights: ({ weights }) => weights && bothClasses(weights, weights.length),
    ...{ bias: () => 0, method: () => undefined },
  })
  return shown.end
}

/** ½ of each number for the first class and −½ for the second; `run` of them stand together. */
function bothClasses(values: Float64Array, run: number): Float64Array {
  const both = allocate(Float64Array, 2 * values.length)
  for (let i = 0; i < values.length; i++) {
    const place = 2 * run * Math.floor(i / run) + (i % run)
    both[place] = 0.5 * values[i]
    both[place + run] = -0.5 * values[i]
  }
  return both
}

/** What a snapshot holds: Newton's method, or what ../linear/coordinate-descent.ts keeps of epochs, with its end where it came before. */
interface SavedRun {
  readonly newton?: SavedNewton
  readonly end?: NewtonEnd
}

/** What the part by Newton's method begins with, or goes on from. */
interface SavedNewton {
  readonly alpha: Float64Array
  readonly beta: Float64Array | undefined
  readonly iteration: number
  readonly fields?: object
}
