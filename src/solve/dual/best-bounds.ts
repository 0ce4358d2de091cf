/**
 * What a primal method has to show for itself: the best model it has met (lowest primal value, an upper bound of the
 * optimum) and the best dual point it has met (a lower bound). The two need not belong to the same iteration.
 */
import type { SvmProblem } from '../../problems/problem.ts'
import { copyFields, restoreFields } from '../driver/saved-fields.ts'
import type { SolverState } from '../driver/solver.ts'
import { expansionBias } from './kernel-expansion.ts'

/** See the header of the file. Hinge loss, bias regularised or none; starts at w = 0 and α = 0. */
export class BestBounds {
  readonly state: SolverState & { readonly beta: Float64Array }
  private readonly problem: SvmProblem
  private primal: number
  private dual = 0

  constructor(problem: SvmProblem) {
    const count = problem.y.length
    this.problem = problem
    this.primal = problem.C.reduce((a, b) => a + b, 0)
    this.state = {
      iteration: 0,
      alpha: new Float64Array(count),
      beta: new Float64Array(count),
      bias: 0,
      violation: Number.NaN,
    }
  }

  /** All that does not follow from the problem. */
  save() {
    const { primal, dual } = this
    const { iteration, alpha, beta, bias, violation } = this.state
    return { primal, dual, state: copyFields({ iteration, alpha, beta, bias, violation }) }
  }

  restore({ primal, dual, state }: ReturnType<BestBounds['save']>): void {
    this.primal = primal
    this.dual = dual
    restoreFields(this.state, state)
  }

  /** A model Σ beta_j k̃(x_j, ·) with its values at the samples. */
  offerModel(beta: Float64Array, values: Float64Array): void {
    const { y, C } = this.problem
    let squaredNorm = 0
    let loss = 0
    for (let i = 0; i < y.length; i++) {
      squaredNorm += beta[i] * values[i]
      const slack = 1 - y[i] * values[i]
      if (slack > 0) loss += C[i] * slack
    }
    const primal = 0.5 * squaredNorm + loss
    if (primal >= this.primal) return
    this.primal = primal
    this.state.beta.set(beta)
    this.state.bias = expansionBias(this.problem, beta)
  }

  /** A feasible α with ‖Σ α_j y_j k̃(x_j, ·)‖². */
  offerDual(alpha: Float64Array, squaredNorm: number): void {
    let sum = 0
    for (const a of alpha) sum += a
    const dual = 0.5 * squaredNorm - sum
    if (dual >= this.dual) return
    this.dual = dual
    this.state.alpha.set(alpha)
  }

  /** Counts an epoch; true when the gap is within tol of the primal value. */
  endEpoch(tol: number): boolean {
    const gap = this.primal + this.dual
    this.state.iteration++
    this.state.violation = gap > 0 ? gap / this.primal : 0
    return gap <= tol * this.primal
  }
}
