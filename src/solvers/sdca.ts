/**
 * Stochastic dual coordinate ascent: one α at a time.
 *
 * Problem   the dual of ../problems/problem.ts without a balance constraint (bias regularised, or none), hinge or
 *           squared hinge. With G_i = y_i f(x_i) − 1 + D_ii α_i the optimality conditions are
 *             G_i >= 0 where α_i = 0,   G_i <= 0 where α_i = U_i,   G_i = 0 in between;
 *           how far they fail is the projected gradient.
 * Method    in each epoch, in a new random order, minimise the dual over α_i alone:
 *             α_i ← clip(α_i − G_i / (K̃_ii + D_ii), 0, U_i),   f ← f + (α_i − α_i^old) y_i k̃(x_i, ·)
 *           f moves by the clipped change: that keeps w = Σ α_i y_i x_i, which the unclipped change of the slide in
 *           seed 004 does not. Where the curvature is not positive the better end of [0, U_i] is taken.
 * Shrinking a sample at a bound whose gradient points beyond every projected gradient of the epoch before is left
 *           out (as LIBLINEAR does) until the others are solved; then all come back.
 * Stop      the largest projected gradient over all samples is within tol, for an f computed afresh from α.
 * Source    Hsieh, Chang, Lin, Keerthi, Sundararajan 2008; seed 004.
 * Cost      a step O(non-zeros of the row) for the linear kernel, else O(n) and a kernel row for each α that moves.
 */
import { ParameterError } from '../base/errors.ts'
import { signedAlpha } from '../certify/expansion-values.ts'
import { giveEngine, takeEngine } from '../compute/engine.ts'
import type { SvmProblem } from '../problems/problem.ts'
import { Coordinates } from './coordinates.ts'
import { EngineCoordinates, isForEngine } from './engine-coordinates.ts'
import { expansionBias, expansionsOf, stepsPerSlice } from './expansion.ts'
import { showing } from './pieces.ts'
import type { Solver, SolverContext, SolverRun, SolverState } from './solver.ts'

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
  goal: 'violation',
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
  const { alpha, order } = coordinates
  const stepsBetweenYields = stepsPerSlice(problem)
  const state: SolverState = { iteration: 0, alpha, bias: 0, violation: Number.NaN }
  yield state
  for (;;) {
    context.random.shuffle(order.subarray(0, coordinates.active))
    coordinates.startEpoch(state.iteration + 1)
    while (coordinates.sweep(stepsBetweenYields)) {
      state.bias = expansionBias(problem, signedAlpha(problem, alpha))
      yield state
    }
    if (coordinates.unbounded) return { unbounded: true }
    const { changes } = coordinates
    state.violation = coordinates.endEpoch()
    const settled = state.violation <= context.tol || changes === 0
    const allActive = coordinates.active === order.length
    if (settled && !allActive) coordinates.activateAll()
    if (settled && allActive) {
      yield* showing(state, coordinates.refresh(context.due))
      state.violation = coordinates.largestProjectedGradient()
    }
    state.bias = expansionBias(problem, signedAlpha(problem, alpha))
    state.iteration++
    yield state
    if (settled && allActive && (state.violation <= context.tol || changes === 0)) {
      return { dualValues: coordinates.values().map((value) => value - state.bias) }
    }
  }
}
