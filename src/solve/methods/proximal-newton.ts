/**
 * Proximal Newton steps, for linear machines that keep ‖w‖₁ small.
 *
 * Problem   one linear function with the norm ‖w‖₁ and a smooth loss (../../problems/linear-problem.ts), any form of the bias. With β̂
 *           and h of ../../problems/linear-loss.ts and v = X̃ᵀβ̂, w is optimal when v_j = sign w_j where w_j ≠ 0 and |v_j| <= 1
 *           elsewhere; a free bias has v_j = 0.
 * Method    each step minimises −⟨v, d⟩ + ½ dᵀ X̃ᵀ diag(h) X̃ d + ‖w + d‖₁ by coordinate descent (../l1/proximal-descent.ts), the more
 *           accurately the narrower the gap is, and goes along d: halved until the objective falls. For squared hinge losses and
 *           thousands of weights other than 0 there is descent on the losses themselves (../l1/loss-descent.ts), which ./linear-auto.ts calls, and which
 *           interior points (../l1/interior-descent.ts) end where C is large.
 * Free bias b moves to where Σ β̂_i = 0 in each step, so that β̂ is balanced.
 * Stop      t β̂ with t = min(1, 1/‖v‖∞) is a dual point; the gap to the best model is within tol.
 * Source    Yuan, Ho, Lin 2012; covariance updates: Friedman, Hastie, Tibshirani 2010.
 * Cost      a step: some passes over the data, and epochs over the features.
 */
import type { LinearMachineProblem } from '../../problems/linear-problem.ts'
import type { SolverContext, SolverEnd, SolverState } from '../driver/solver.ts'
import { LossDescent } from '../l1/loss-descent.ts'
import { ProximalDescent } from '../l1/proximal-descent.ts'
import type { LinearPoint } from '../linear/linear-point.ts'
import type { LinearRows } from '../rows/linear-rows.ts'
import { newtonMethod, SAFE } from './newton.ts'

/** Proximal Newton steps with coordinate descent, for linear machines with ‖w‖₁. */
export const proximalNewton = newtonMethod(
  {
    name: 'proximal-newton',
    title: 'Proximal Newton steps with coordinate descent',
    source: 'Yuan, Ho, Lin 2012; Friedman, Hastie, Tibshirani 2010',
    norms: [1],
  },
  runProximalNewton,
)

/** The name of the part that a snapshot has of {@link runLossDescent}. */
export const LOSS_DESCENT = 'loss-descent'

/** For squared hinge losses and many weights other than 0: from w = 0 on; `givesUp` is asked before each step with the multiply-adds so far. */
export function* runLossDescent(
  problem: LinearMachineProblem,
  rows: LinearRows,
  point: LinearPoint,
  { due, allowedGap }: Pick<SolverContext, 'due' | 'allowedGap'>,
  givesUp: (work: number) => boolean,
): Generator<SolverState, { readonly gaveUp: boolean }, void> {
  const mark = rows.mark()
  const descent = new LossDescent(problem, rows, point, due)
  point.keep(LOSS_DESCENT, descent)
  const run = descent.run(
    () => SAFE * allowedGap(point.primal),
    () => givesUp(descent.work),
  )
  let result = run.next()
  for (; !result.done; result = run.next()) yield point.state
  point.drop(LOSS_DESCENT)
  rows.release(mark)
  return { gaveUp: !result.value }
}

/** From the best model that is known; `givesUp` is asked before each step with the multiply-adds so far. */
export function* runProximalNewton(
  problem: LinearMachineProblem,
  rows: LinearRows,
  point: LinearPoint,
  { due, allowedGap }: Pick<SolverContext, 'due' | 'allowedGap'>,
  givesUp: (work: number) => boolean = () => false,
): Generator<SolverState, SolverEnd & { readonly gaveUp?: boolean }, void> {
  const descent = new ProximalDescent(problem, rows, point, due)
  point.keep(proximalNewton.name, descent)
  const goal = () => SAFE * allowedGap(point.primal)
  const run = descent.run(goal, () => givesUp(descent.work))
  yield point.state
  let result = run.next()
  for (; !result.done; result = run.next()) yield point.state
  point.drop(proximalNewton.name)
  return result.value ? {} : { gaveUp: true }
}
