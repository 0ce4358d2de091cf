/**
 * SMO on the maximal violating pair.
 *
 * Problem   the dual of ../../problems/problem.ts with the hinge loss and a free bias.
 * Method    keep f_i = Σ_j α_j y_j K_ij − y_i for all samples. With
 *             I_up  = {i : α_i may move so that y_i α_i rises} = I_0 ∪ I_+,  b_up  = min f over I_up
 *             I_low = {i : α_i may move so that y_i α_i falls} = I_0 ∪ I_−,  b_low = max f over I_low
 *           the optimality conditions are b_low <= b_up. Step on the pair that violates them most, (i_low, i_up),
 *           until b_low <= b_up + 2τ with 2τ = tol; then f is computed once more from scratch before it is believed.
 * Bias      −b of the source, from the interval [b_up, b_low]: see ../dual/bias.ts.
 * Source    seed 000 (October 2013 course notes), after Keerthi, Shevade, Bhattacharyya, Murthy 2001.
 * Cost      an iteration O(n) and two kernel columns (cached; all of them are kept while they fit `cacheBytes`).
 */

import type { SvmProblem } from '../../problems/problem.ts'
import { showing } from '../driver/pieces.ts'
import type { Solver } from '../driver/solver.ts'
import { DualPoint, stateOf } from '../dual/dual-point.ts'
import { mostPairSteps } from '../dual/pair-step.ts'

/** SMO on the maximal violating pair (Keerthi et al. 2001): the method that is easiest to read. */
export const smoMvp: Solver = {
  name: 'smo-mvp',
  title: 'SMO, maximal violating pair',
  source: 'Keerthi et al. 2001; seed 000',
  tasks: ['svc'],
  biasForms: ['free'],
  unit: 'pair',
  goal: 'violation',
  defaults: { tol: 1e-3, maxIter: mostPairSteps },
  options: {},

  *run(problem: SvmProblem, context) {
    const point = new DualPoint(problem, context)
    const state = stateOf(point, context)
    yield state
    for (;;) {
      const { bUp, bLow, up, low } = point.interval()
      state.violation = Math.max(0, bLow - bUp)
      const optimal = state.violation <= context.tol
      if (optimal || !point.solve(low, up)) {
        if (yield* showing(state, point.refresh())) continue
        return {}
      }
      if (point.unbounded) return { unbounded: true }
      point.accept(++state.iteration)
      yield state
      if (!point.stalls()) continue
      yield* showing(state, point.refresh())
      return {}
    }
  },
}
