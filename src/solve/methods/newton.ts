/**
 * Newton's method on the primal of linear machines.
 *
 * Problem   one linear function with the norm ½‖w‖² (../../problems/linear-problem.ts), any loss, any form of the bias.
 * Method    with u = (w, the weight of the constant feature), f = X̃u, β̂ and h of ../../problems/linear-loss.ts and R = 1, but 0
 *           for a free bias, the gradient is g = R u − X̃ᵀβ̂ and the (generalised) Hessian R + X̃ᵀ diag(h) X̃. Each step solves
 *             (R + X̃ᵀ diag(h) X̃) p = −g                     by conjugate gradients (../linear/newton-system.ts)
 *           and goes along p to where the slope vanishes, about: that slope is a sum over f and X̃p, without the data.
 * Kinks     the hinge and the ε-insensitive loss have no slope at the kink. There the augmented Lagrangian of the dual takes their
 *           place: losses L_i with −½ (δ/C_i)(β − c_i)² added to what they are the maximum of, which makes β̂_i continuous. They are
 *           minimised until the gradient's part of the gap is small, then c ← β̂, and the width δ becomes a half. In the end h is
 *           not 0 only for the samples in the kink, which are few.
 * Free bias b moves to where Σ β̂_i = e in each step, so that β̂ is a dual point.
 * Stop      β̂ is a dual point in every step; the gap between the best model and the best dual point is within tol. For smooth
 *           losses it is ½‖g‖².
 * Source    Mangasarian 2002; Keerthi, DeCoste 2005; Lin, Weng, Keerthi 2008; Hsia, Zhu, Lin 2017; augmented Lagrangian: Niu et al.
 *           2022.
 * Cost      a step: two passes over the data, and the system.
 */
import { checkBoolean } from '../../base/check.ts'
import type { LinearMachineProblem } from '../../problems/linear-problem.ts'
import type { Solver, SolverContext, SolverRun } from '../driver/solver.ts'
import { LinearPoint } from '../linear/linear-point.ts'
import { NewtonDescent } from '../linear/newton-descent.ts'
import type { LinearRows } from '../rows/linear-rows.ts'
import { withRows } from '../rows/with-rows.ts'
import { centredRun } from '../transformed/centred-run.ts'

/** Settings of {@link newton}. */
export interface NewtonOptions {
  /** Work in the WebAssembly engine where the data are worth it. */
  readonly engine: boolean
}

/** Goes on from the best that is known. */
type RunFromPoint = (
  problem: LinearMachineProblem,
  rows: LinearRows,
  point: LinearPoint,
  context: Pick<SolverContext, 'due' | 'allowedGap'>,
) => SolverRun

/** A method of Newton's kind for linear machines: any smooth loss, any form of the bias, a gap to reach. */
export function newtonMethod(
  { name, ...words }: Pick<Solver<NewtonOptions>, 'name' | 'title' | 'source' | 'norms'>,
  run: RunFromPoint,
): Solver<NewtonOptions, LinearMachineProblem> {
  return {
    name,
    ...words,
    tasks: ['linear'],
    biasForms: ['regularised', 'free', 'none'],
    linearOnly: true,
    squaredLoss: true,
    logistic: true,
    unit: 'step',
    goal: 'gap',
    defaults: { tol: 1e-6, maxIter: () => 10_000 },
    options: { engine: true },

    run(problem, context, { engine }) {
      checkBoolean(name, 'engine', engine)
      return centredRun(problem, context, (problem, context) =>
        withRows(
          problem,
          engine,
          (rows) => run(problem, rows, new LinearPoint(problem, rows, context), context),
          { threads: context.threads },
        ),
      )
    },
  }
}

/** Newton's method on the primal of linear machines with ½‖w‖², for any loss and form of the bias. */
export const newton = newtonMethod(
  {
    name: 'newton',
    title: "Newton's method on the primal",
    source: 'Keerthi, DeCoste 2005; Lin, Weng, Keerthi 2008; Niu et al. 2022',
  },
  runNewton,
)

/** Newton's method from the best that is known. */
export function* runNewton(
  problem: LinearMachineProblem,
  rows: LinearRows,
  point: LinearPoint,
  { due, allowedGap }: Pick<SolverContext, 'due' | 'allowedGap'>,
): SolverRun {
  const descent = new NewtonDescent(problem, rows, point, due)
  point.keep(newton.name, descent)
  const run = descent.run(() => point.gap <= SAFE * allowedGap(point.primal))
  yield point.state
  while (!run.next().done) yield point.state
  return {}
}

/** Solvers stop a little below the gap that is allowed: the certificate adds its error bars. */
export const SAFE = 0.9
