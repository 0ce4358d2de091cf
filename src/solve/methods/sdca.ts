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
 *           gap (../linear/coordinate-descent.ts).
 * Model     the best so far, by primal value; for a hard margin, which has no primal value on the way, that of α.
 * Source    Hsieh, Chang, Lin, Keerthi, Sundararajan 2008; seed 004.
 * Cost      a step O(non-zeros of the row) for the linear kernel, else O(n) and a kernel row for each α that moves.
 */
import { checkBoolean } from '../../base/check.ts'
import type { SvmProblem } from '../../problems/problem.ts'
import type { Solver } from '../driver/solver.ts'
import { expansionsOf } from '../dual/kernel-expansion.ts'
import { descend } from '../linear/coordinate-descent.ts'
import { Coordinates } from '../linear/coordinates.ts'

/** Settings of {@link sdca}. */
export interface SdcaOptions {
  /** Whether to use shrinking. Default true. */
  readonly shrinking: boolean
}

/** Dual coordinate ascent in random order (Hsieh et al. 2008), for both losses. */
export const sdca: Solver<SdcaOptions> = {
  name: 'sdca',
  title: 'Stochastic dual coordinate ascent',
  source: 'Hsieh et al. 2008; seed 004',
  tasks: ['svc'],
  biasForms: ['regularised', 'none'],
  squaredLoss: true,
  unit: 'epoch',
  goal: 'both',
  defaults: { tol: 1e-3, maxIter: () => 100_000 },
  options: { shrinking: true },

  run(problem: SvmProblem, context, { shrinking }) {
    checkBoolean('sdca', 'shrinking', shrinking)
    const atZero = problem.C.reduce((sum, c) => sum + c, 0)
    const f = expansionsOf(problem, context.cacheBytes)()
    return descend(new Coordinates(problem, f, shrinking, context.onModelStep), atZero, context)
  },
}
