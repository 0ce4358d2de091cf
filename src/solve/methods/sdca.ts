/**
 * Stochastic dual coordinate ascent: one α at a time.
 *
 * Problem   the dual of ../../problems/problem.ts without a balance constraint (bias regularised, or none), hinge or
 *           squared hinge. With G_i = y_i f(x_i) − 1 + D_ii α_i the optimality conditions are
 *             G_i >= 0 where α_i = 0,   G_i <= 0 where α_i = U_i,   G_i = 0 in between;
 *           how far they fail is the projected gradient.
 * Method    in each epoch, in a new random order, minimise the dual over α_i alone:
 *             α_i ← clip(α_i − G_i / (K̃_ii + D_ii), 0, U_i),   f ← f + (α_i − α_i^old) y_i k̃(x_i, ·)
 *           f moves by the clipped change: that keeps w = Σ α_i y_i x_i, which the unclipped change of the slide in
 *           seed 004 does not. Where the curvature is not positive the better end of [0, U_i] is taken.
 * Shrinking a sample at a bound whose gradient points beyond every projected gradient of the epoch before is left
 *           out (as LIBLINEAR does) until the others are solved; then all come back.
 * Stop      the largest projected gradient over all samples is within tol, for an f computed afresh from α, and so is the
 *           gap (../driver/goal.ts). While the gap is wider, epochs go on to half the violation each time.
 * Model     the best so far, by primal value (../linear/best-model.ts). Without one, for a hard margin, that of α.
 * Source    Hsieh, Chang, Lin, Keerthi, Sundararajan 2008; seed 004.
 * Cost      a step O(non-zeros of the row) for the linear kernel, else O(n) and a kernel row for each α that moves.
 */

import { ParameterError } from '../../base/errors.ts'
import { giveEngine, takeEngine } from '../../engine/memory/engine.ts'
import { expansionCoefficients } from '../../problems/kernel-problem.ts'
import type { SvmProblem } from '../../problems/problem.ts'
import { allowedGap } from '../driver/goal.ts'
import { showing } from '../driver/pieces.ts'
import { restoreFields } from '../driver/saved-fields.ts'
import type { Solver, SolverContext, SolverRun, SolverState } from '../driver/solver.ts'
import { EPOCHS_WITHOUT_GAIN, StallWatch } from '../driver/stall-watch.ts'
import { expansionBias, expansionsOf, stepsPerSlice } from '../dual/kernel-expansion.ts'
import { BestModel } from '../linear/best-model.ts'
import { Coordinates, primalAndDual } from '../linear/coordinates.ts'
import { EngineCoordinates, isForEngine } from '../linear/engine-coordinates.ts'

/** Settings of {@link sdca}. */
export interface SdcaOptions {
  /** Leave out samples that look settled, for a while. Default true. */
  readonly shrinking: boolean
  /** Sweep on the WebAssembly engine where the kernel is linear and the data worth it. The result is the same. */
  readonly engine: boolean
}

/** See the head of the file. */
export const sdca: Solver<SdcaOptions> = {
  name: 'sdca',
  title: 'Stochastic dual coordinate ascent',
  source: 'Hsieh et al. 2008; seed 004',
  tasks: ['svc'],
  biasForms: ['regularised', 'none'],
  linearOnly: false,
  squaredHinge: true,
  unit: 'epoch',
  goal: 'both',
  defaults: { tol: 1e-3, maxIter: () => 100_000 },
  options: { shrinking: true, engine: true },

  *run(problem: SvmProblem, context, { shrinking, engine }) {
    for (const [name, value] of Object.entries({ shrinking, engine })) {
      if (typeof value !== 'boolean') throw new ParameterError('sdca', name, 'true or false', value)
    }
    // Who listens to each step wants them one at a time.
    if (!engine || context.onModelStep || !isForEngine(problem)) {
      const f = expansionsOf(problem, context.cacheBytes)()
      return yield* ascend(problem, context, new Coordinates(problem, f, shrinking, context.onModelStep))
    }
    const taken = takeEngine(1)
    const mark = taken.mark()
    try {
      return yield* ascend(problem, context, new EngineCoordinates(taken, problem, shrinking))
    } finally {
      giveEngine(taken, mark)
    }
  },
}

function* ascend(problem: SvmProblem, context: SolverContext, coordinates: Coordinates): SolverRun {
  const { order } = coordinates
  const { tol, due } = context
  const stepsBetweenYields = stepsPerSlice(problem)
  const state = new SdcaState(problem, coordinates)
  const watch = new StallWatch(EPOCHS_WITHOUT_GAIN)
  let looks = 0
  /** What the violation should come down to. */
  let aim = tol
  /** Whether an epoch has begun; and how it went, if it was the last one. */
  let isWithin = false
  let end: 'solved' | 'stalled' | undefined
  const snapshot = () => {
    const { iteration, violation, isMeasured, best } = state
    const counts = { iteration, violation, isMeasured, looks, aim, isWithin, end }
    return { counts, coordinates: coordinates.save(), best: best?.save(), watch: watch.save() }
  }
  state.snapshot = snapshot
  if (context.resume) {
    const { counts, ...kept } = context.resume as ReturnType<typeof snapshot>
    coordinates.restore(kept.coordinates)
    if (state.best && kept.best) restoreFields(state.best, kept.best)
    restoreFields(watch, kept.watch)
    ;({ looks, aim, isWithin, end } = counts)
    ;({ iteration: state.iteration, violation: state.violation, isMeasured: state.isMeasured } = counts)
  }
  yield state
  try {
    while (!end) {
      if (!isWithin) {
        context.random.shuffle(order.subarray(0, coordinates.active))
        coordinates.startEpoch(state.iteration + 1)
        state.startEpoch()
        isWithin = true
      }
      while (coordinates.sweep(stepsBetweenYields)) yield state
      isWithin = false
      if (coordinates.unbounded) return { unbounded: true }
      const { changes } = coordinates
      state.violation = coordinates.endEpoch()
      const settled = state.violation <= aim || changes === 0
      const allActive = coordinates.active === order.length
      if (settled && !allActive) coordinates.activateAll()
      if (settled && allActive) {
        yield* showing(state, coordinates.refresh(due))
        state.violation = coordinates.largestProjectedGradient()
      }
      state.iteration++
      const isDue = state.best?.isDue(state.iteration, coordinates.active)
      const isLast = state.iteration === context.maxIter
      let isSolved = false
      let stalls = false
      if (isDue || isLast || (settled && allActive)) {
        const { primal, dual } = state.measure()
        const isNarrow = primal + dual <= allowedGap('both', tol, primal)
        isSolved = settled && allActive && state.violation <= tol && isNarrow
        if (isSolved) state.best?.acceptLatest()
        stalls = watch.stalls(++looks, dual, state.violation)
      }
      if (isSolved || (settled && allActive && changes === 0)) end = 'solved'
      else if (stalls) end = 'stalled'
      if (settled && allActive) aim /= 2
      yield state
    }
    return {}
  } finally {
    // Stopped from outside, the latest model may be the best one.
    if (!state.isMeasured) state.measure()
  }
}

/** α, and the best model. */
class SdcaState implements SolverState {
  iteration = 0
  violation = Number.NaN
  isMeasured = true
  snapshot: (() => object) | undefined
  readonly best: BestModel | undefined
  private readonly problem: SvmProblem
  private readonly coordinates: Coordinates

  constructor(problem: SvmProblem, coordinates: Coordinates) {
    const count = problem.C.length
    this.problem = problem
    this.coordinates = coordinates
    const atZero = problem.C.reduce((a, b) => a + b, 0)
    if (Number.isFinite(atZero)) this.best = new BestModel(atZero, count, count)
  }

  get alpha(): Float64Array {
    return this.coordinates.alpha
  }

  get beta(): Float64Array | undefined {
    return this.best?.beta
  }

  get bias(): number {
    return this.beta ? expansionBias(this.problem, this.beta) : this.latestBias
  }

  /** The bias that belongs to α. */
  get latestBias(): number {
    return expansionBias(this.problem, expansionCoefficients(this.problem, this.alpha))
  }

  /** α will move. */
  startEpoch(): void {
    this.isMeasured = false
    this.best?.startEpoch()
  }

  /** Offers the latest model. */
  measure(): { primal: number; dual: number } {
    const { problem, alpha } = this
    const measured = primalAndDual(problem, alpha, this.coordinates.values())
    this.isMeasured = true
    this.best?.offer(this.iteration, measured.primal, expansionCoefficients(problem, alpha))
    return measured
  }
}
