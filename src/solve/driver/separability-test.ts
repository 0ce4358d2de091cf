/**
 * Hard margins (C_i = ∞) whose classes cannot be separated: the dual then grows without end along a ray Qα = 0, but a
 * pair solver crawls along it. So the driver looks for proof. For balanced α >= 0 with s = Σα over the hard samples,
 * w/s is half the difference of two points in the convex hulls of the classes, hence no hyperplane has a margin above
 * ‖w‖/s. (Samples with finite C move w by at most R Σα_i, R being the radius of the data, and the balance by Σα_i.)
 */

import { expansionValues } from '../../certify/expansion-values.ts'
import { expansionCoefficients } from '../../problems/kernel-problem.ts'
import { dualKernel, type SvmProblem } from '../../problems/problem.ts'

/** A margin below this share of the data's radius is none: the kernel values in f32 that solvers step by do not show it. */
const LEAST_MARGIN = 1e-6

/** Tells whether a dual point proves that a hard-margin problem has no solution. */
export class SeparabilityTest {
  private readonly problem: SvmProblem
  private readonly radius: number

  private constructor(problem: SvmProblem) {
    this.problem = problem
    const largest = dualKernel(problem)
      .diagonal(problem.samples)
      .reduce((a, b) => Math.max(a, b), 0)
    this.radius = Math.sqrt(largest)
  }

  /** The test for a problem; undefined when no sample has a hard margin. */
  static for(problem: SvmProblem): SeparabilityTest | undefined {
    const hard = problem.loss === 'hinge' && problem.C.includes(Number.POSITIVE_INFINITY)
    return hard ? new SeparabilityTest(problem) : undefined
  }

  /** True when alpha proves that no margin above {@link LEAST_MARGIN} of the radius exists. */
  refutes(alpha: Float64Array): boolean {
    const { problem, radius } = this
    let hard = 0
    let soft = 0
    for (let i = 0; i < alpha.length; i++) {
      if (problem.C[i] === Number.POSITIVE_INFINITY) hard += alpha[i]
      else soft += alpha[i]
    }
    // ‖w‖ is worth computing only when the rest of the bound is small enough, and Σα large enough to be near a ray.
    if (2 * soft > LEAST_MARGIN * hard) return false
    const coefficients = expansionCoefficients(problem, alpha)
    const values = expansionValues(problem, coefficients)
    let square = 0
    let balance = 0
    for (let i = 0; i < alpha.length; i++) {
      square += coefficients[i] * values[i]
      balance += coefficients[i]
    }
    if (problem.bias === 'regularised') square += (problem.interceptScaling * balance) ** 2
    return Math.sqrt(Math.max(0, square)) + 2 * radius * soft < LEAST_MARGIN * radius * hard
  }
}
