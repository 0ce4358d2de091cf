/** Each problem in the common form of ./general-dual.ts, and its dual points in both forms. */

import { negated, productsOf, sumOf } from '../base/lists.ts'
import { isMatrix, stackRows } from '../data/matrix/matrix.ts'
import type { Samples } from '../data/table/dataset.ts'
import type { GeneralDual } from './general-dual.ts'
import type { Problem } from './kernel-problem.ts'

/** A {@link GeneralDual} without the samples. */
export type GeneralForm = Omit<GeneralDual, 'samples' | 'kernel' | 'isDoubled'>

/** The numbers of the common form; for classification with C the hinge loss and a free bias are taken for granted. */
export function generalForm(problem: Problem): GeneralForm {
  switch (problem.task) {
    case 'svc': {
      const { lower, upper } = signedBox(problem.y, problem.C)
      return { lower, upper, target: problem.y, tube: 0 }
    }
    case 'nu-svc': {
      const { y, weights, nu } = problem
      const groups = new Uint8Array(y.length)
      for (let i = 0; i < y.length; i++) if (!(y[i] > 0)) groups[i] = 1
      const half = (nu * sumOf(weights)) / 2
      const start = fill(y, weights, half)
      return { ...signedBox(y, weights), target: new Float64Array(y.length), tube: 0, groups, start }
    }
    case 'one-class': {
      const { weights, nu } = problem
      const count = weights.length
      const start = fill(new Float64Array(count).fill(1), weights, nu * sumOf(weights))
      const zeros = new Float64Array(count)
      return { lower: zeros, upper: weights, target: zeros, tube: 0, start }
    }
    case 'svr':
      return { lower: negated(problem.C), upper: problem.C, target: problem.z, tube: problem.epsilon }
    case 'nu-svr': {
      const { z, C, nu } = problem
      const count = z.length
      const signs = new Float64Array(2 * count).fill(1, 0, count).fill(-1, count)
      const bounds = twice(C)
      const groups = new Uint8Array(2 * count).fill(1, count)
      const start = fill(signs, bounds, (nu * sumOf(C)) / 2)
      return { ...signedBox(signs, bounds), target: twice(z), tube: 0, groups, start }
    }
  }
}

/** A problem in the form that solvers use. */
export function generalDualOf(problem: Problem): GeneralDual {
  const { kernel, task } = problem
  const isDoubled = task === 'nu-svr'
  const samples = isDoubled ? stackedTwice(problem.samples) : problem.samples
  return { samples, kernel, isDoubled, ...generalForm(problem) }
}

/** Writes the dual point of a problem that β stands for: α >= 0 for classifiers, β itself otherwise. */
export function dualPointOf(problem: Problem, beta: Float64Array, alpha: Float64Array): void {
  if (problem.task === 'svc' || problem.task === 'nu-svc') {
    for (let i = 0; i < beta.length; i++) alpha[i] = Math.abs(beta[i])
  } else {
    alpha.set(beta)
  }
}

/** β of a dual point: the other way. */
export function signedPointOf(problem: Problem, alpha: Float64Array): Float64Array {
  if (problem.task !== 'svc' && problem.task !== 'nu-svc') return alpha
  return productsOf(alpha, problem.y)
}

/** [0, bound] for sign +1, [−bound, 0] for −1. */
function signedBox(signs: Float64Array, bounds: Float64Array): { lower: Float64Array; upper: Float64Array } {
  const lower = new Float64Array(bounds.length)
  const upper = new Float64Array(bounds.length)
  for (let i = 0; i < bounds.length; i++) {
    if (signs[i] > 0) upper[i] = bounds[i]
    else lower[i] = -bounds[i]
  }
  return { lower, upper }
}

/** The first samples of each sign at their bound, until their sum is as large as requested on either side. */
export function fill(
  signs: Float64Array,
  bounds: Float64Array,
  positive: number,
  negative = positive,
): Float64Array {
  const filled = new Float64Array(bounds.length)
  let plus = positive
  let minus = negative
  // Once both sides have their sums, all others are 0.
  for (let i = 0; i < bounds.length && (plus > 0 || minus > 0); i++) {
    const taken = Math.min(bounds[i], signs[i] > 0 ? plus : minus)
    if (signs[i] > 0) plus -= taken
    else minus -= taken
    if (taken !== 0) filled[i] = signs[i] * taken
  }
  return filled
}

function twice(values: Float64Array): Float64Array {
  const both = new Float64Array(2 * values.length)
  both.set(values)
  both.set(values, values.length)
  return both
}

function stackedTwice(samples: Samples): Samples {
  if (!isMatrix(samples)) return [...samples, ...samples]
  return stackRows([samples, samples])
}
