/**
 * Primal values of models that keep w alone, from the problem and the samples. Notation: ../problems/problem.ts and
 * ../problems/linear-problem.ts.
 */

import { primalValue } from '../certify/svc-measures.ts'
import type { Matrix } from '../data/matrix/matrix.ts'
import { matrixTimes } from '../data/matrix/products.ts'
import { lossSum } from '../problems/linear-loss.ts'
import { type CrammerSingerProblem, type LinearMachineProblem, termsOf } from '../problems/linear-problem.ts'
import type { SvmProblem } from '../problems/problem.ts'

/** f(x) = ⟨coef, x⟩ + bias. */
export interface LinearFunction {
  readonly coef: Float64Array
  readonly bias: number
}

/** Problems whose model may be w alone, one function each; Crammer–Singer has one per class. */
export type WeightsProblem = SvmProblem | LinearMachineProblem | CrammerSingerProblem

/** s: the constant feature that carries a regularised bias; 0 where there is none. */
export function constantOf(problem: WeightsProblem): number {
  if (problem.task === 'svc') return problem.bias === 'regularised' ? problem.interceptScaling : 0
  return problem.constant
}

/** The primal value of a model. */
export function weightsValue(problem: WeightsProblem, functions: readonly LinearFunction[]): number {
  const [first] = functions
  const constant = constantOf(problem)
  switch (problem.task) {
    case 'svc':
      return primalValue(problem, squaredNorm(first, constant), products(problem, first), first.bias)
    case 'linear': {
      const { norm, balance } = problem
      const values = products(problem, first).map((value) => value + first.bias)
      const regulariser = norm === 2 ? 0.5 * squaredNorm(first, constant) : absoluteSum(first, constant)
      return regulariser + balance * first.bias + lossSum(termsOf(problem), values)
    }
    case 'crammer-singer': {
      const { C, y } = problem
      const values = functions.map((one) => products(problem, one).map((value) => value + one.bias))
      let total = 0.5 * functions.reduce((sum, one) => sum + squaredNorm(one, constant), 0)
      for (let i = 0; i < y.length; i++) {
        const own = values[y[i]][i]
        let highest = own
        for (let m = 0; m < values.length; m++) if (m !== y[i]) highest = Math.max(highest, values[m][i] + 1)
        total += C[i] * (highest - own)
      }
      return total
    }
  }
}

/** ⟨coef, x_i⟩ of every sample; sparse samples may be wider or narrower than the model. */
function products({ samples }: Pick<WeightsProblem, 'samples'>, { coef }: LinearFunction): Float64Array {
  const matrix = samples as Matrix
  if (matrix.cols <= coef.length) return matrixTimes(matrix, coef)
  const padded = new Float64Array(matrix.cols)
  padded.set(coef)
  return matrixTimes(matrix, padded)
}

/** ‖w‖², with the weight of the constant feature that carries the bias; `constant` 0: there is none. */
function squaredNorm({ coef, bias }: LinearFunction, constant: number): number {
  const norm = coef.reduce((sum, weight) => sum + weight * weight, 0)
  return constant > 0 ? norm + (bias / constant) ** 2 : norm
}

/** ‖w‖₁, with the weight of the constant feature that carries the bias; `constant` 0: there is none. */
function absoluteSum({ coef, bias }: LinearFunction, constant: number): number {
  const norm = coef.reduce((sum, weight) => sum + Math.abs(weight), 0)
  return constant > 0 ? norm + Math.abs(bias) / constant : norm
}
