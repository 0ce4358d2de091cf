import { checkNumber } from '../base/check.ts'
import { ParameterError, show } from '../base/errors.ts'
import type { Matrix } from '../data/matrix/matrix.ts'
import type { Samples } from '../data/table/dataset.ts'
import type { Gamma } from './kernel.ts'
import { asVectors } from './vectors.ts'

/** Returns `gamma` when it is a finite number >= 0, 'scale' or 'auto'; throws a ParameterError otherwise. */
export function checkGamma(who: string, gamma: unknown): Gamma {
  if (gamma === 'scale' || gamma === 'auto') return gamma
  if (typeof gamma !== 'number') throw new ParameterError(who, 'gamma', "a number, 'scale' or 'auto'", gamma)
  return checkNumber(who, 'gamma', gamma, { min: 0 })
}

/** The number that `gamma` stands for on these samples. */
export function resolveGamma(who: string, gamma: Gamma, samples: Samples): number {
  if (typeof gamma === 'number') return gamma
  const matrix = asVectors(who, samples)
  const divisor = gamma === 'auto' ? matrix.cols : matrix.cols * variance(matrix)
  return checkNumber(who, `gamma ('${gamma}' on these samples)`, divisor === 0 ? 1 : 1 / divisor, { min: 0 })
}

/** The number itself, for evaluation; a rule must have been settled by `resolve` before. */
export function settledGamma(who: string, gamma: Gamma): number {
  if (typeof gamma === 'number') return gamma
  throw new ParameterError(who, 'gamma', `is ${show(gamma)}: call kernel.resolve(samples) first`)
}

/** Variance over all entries of the matrix, zeros included, in two passes; exactly 0 when all are equal. */
function variance(matrix: Matrix): number {
  const { values } = matrix
  const total = matrix.rows * matrix.cols
  const zeros = total - values.length
  if (total === 0) return 0
  const reference = zeros > 0 ? 0 : values[0]
  let sum = 0
  let constant = true
  for (let k = 0; k < values.length; k++) {
    sum += values[k]
    if (values[k] !== reference) constant = false
  }
  if (constant) return 0
  const mean = sum / total
  let squares = zeros * mean * mean
  for (let k = 0; k < values.length; k++) squares += (values[k] - mean) ** 2
  return squares / total
}
