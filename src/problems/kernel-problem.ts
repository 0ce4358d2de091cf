/**
 * The five problems of kernel machines. Two-class classification with C is in ./problem.ts; here are the others. With
 * g(x) = ⟨w, φ(x)⟩, weights w_i >= 0 and W = Σ w_i:
 *
 *   ν-SVC       min ½‖w‖² − ν W ρ + Σ w_i max(0, ρ − y_i (g(x_i) + b))            over w, b and the margin ρ
 *   one class   min ½‖w‖² − ν W ρ + Σ w_i max(0, ρ − g(x_i))                      over w and ρ = −b
 *   ε-SVR       min ½‖w‖² + Σ C_i max(0, |z_i − g(x_i) − b| − ε)                  over w, b
 *   ν-SVR       min ½‖w‖² + ν ε Σ C_i + Σ C_i max(0, |z_i − g(x_i) − b| − ε)       over w, b and the half-width ε
 *
 * Their duals in common form: ./general-dual.ts. Sources: Schölkopf et al. 2000 and 2001, Vapnik 1998; scaled as in LIBSVM.
 */

import { checkNumber } from '../base/check.ts'
import { DataError, ParameterError } from '../base/errors.ts'
import { productsOf } from '../base/lists.ts'
import { type Samples, sampleCount } from '../data/table/dataset.ts'
import type { AnyKernel } from '../kernels/kernel.ts'
import { type SvmProblem, spread } from './problem.ts'

interface KernelProblem {
  readonly samples: Samples
  /** Its parameters settled. */
  readonly kernel: AnyKernel
}

/** Two classes; ν bounds the share of margin errors from above and that of support vectors from below. */
export interface NuSvcProblem extends KernelProblem {
  readonly task: 'nu-svc'
  /** +1 or −1 for each sample. */
  readonly y: Float64Array
  readonly weights: Float64Array
  readonly nu: number
}

/** What is normal; ν bounds the share of outliers. */
export interface OneClassProblem extends KernelProblem {
  readonly task: 'one-class'
  readonly weights: Float64Array
  readonly nu: number
}

/** Regression with a tube of half-width ε in which errors cost nothing. */
export interface SvrProblem extends KernelProblem {
  readonly task: 'svr'
  /** What to predict, for each sample. */
  readonly z: Float64Array
  readonly C: Float64Array
  readonly epsilon: number
}

/** Regression that finds the width of its tube; ν bounds the share of samples outside it. */
export interface NuSvrProblem extends KernelProblem {
  readonly task: 'nu-svr'
  readonly z: Float64Array
  readonly C: Float64Array
  readonly nu: number
}

/** Any of the five. */
export type Problem = SvmProblem | NuSvcProblem | OneClassProblem | SvrProblem | NuSvrProblem

/** What a problem is about. */
export type Task = Problem['task']

/** Makes a {@link NuSvcProblem}; refuses ν that the smaller class cannot hold. */
export function makeNuSvcProblem(options: {
  readonly samples: Samples
  readonly kernel: AnyKernel
  readonly y: ArrayLike<number>
  readonly weights?: number | ArrayLike<number>
  readonly nu?: number
}): NuSvcProblem {
  const { samples, nu = 0.5 } = options
  const count = countOf(samples)
  checkNu('NuSVC', nu)
  const y = Float64Array.from(options.y)
  if (y.length !== count) throw new DataError(`${count} samples but ${y.length} labels`)
  const weights = checkedSpread('weights', options.weights ?? 1, count)
  const sums = { positive: 0, negative: 0 }
  for (let i = 0; i < count; i++) {
    if (y[i] !== 1 && y[i] !== -1) throw new DataError(`y[${i}] must be +1 or -1, got ${y[i]}`)
    sums[y[i] > 0 ? 'positive' : 'negative'] += weights[i]
  }
  const largest = largestNu(sums.positive, sums.negative)
  if (!(nu <= largest)) {
    const allowed = `at most ${Number(largest.toPrecision(6))}, twice the share of the smaller class`
    throw new ParameterError('NuSVC', 'nu', allowed, nu)
  }
  return { task: 'nu-svc', samples, kernel: options.kernel.resolve(samples), y, weights, nu }
}

/** The largest ν that two classes of these weights can hold; what rounding takes away of it is given back. */
export function largestNu(first: number, second: number): number {
  return Math.min(1, ((2 * Math.min(first, second)) / (first + second)) * (1 + 4 * Number.EPSILON))
}

/** Makes a {@link OneClassProblem}. */
export function makeOneClassProblem(options: {
  readonly samples: Samples
  readonly kernel: AnyKernel
  readonly weights?: number | ArrayLike<number>
  readonly nu?: number
}): OneClassProblem {
  const { samples, nu = 0.5 } = options
  const count = countOf(samples)
  checkNu('OneClassSVM', nu)
  const weights = checkedSpread('weights', options.weights ?? 1, count)
  return { task: 'one-class', samples, kernel: options.kernel.resolve(samples), weights, nu }
}

/** Makes an {@link SvrProblem}. */
export function makeSvrProblem(options: {
  readonly samples: Samples
  readonly kernel: AnyKernel
  readonly z: ArrayLike<number>
  readonly C?: number | ArrayLike<number>
  readonly epsilon?: number
}): SvrProblem {
  const { samples, epsilon = 0.1 } = options
  const count = countOf(samples)
  checkNumber('SVR', 'epsilon', epsilon, { min: 0 })
  const z = targets(options.z, count)
  const C = checkedSpread('C', options.C ?? 1, count)
  return { task: 'svr', samples, kernel: options.kernel.resolve(samples), z, C, epsilon }
}

/** Makes a {@link NuSvrProblem}. */
export function makeNuSvrProblem(options: {
  readonly samples: Samples
  readonly kernel: AnyKernel
  readonly z: ArrayLike<number>
  readonly C?: number | ArrayLike<number>
  readonly nu?: number
}): NuSvrProblem {
  const { samples, nu = 0.5 } = options
  const count = countOf(samples)
  checkNu('NuSVR', nu)
  const z = targets(options.z, count)
  const C = checkedSpread('C', options.C ?? 1, count)
  return { task: 'nu-svr', samples, kernel: options.kernel.resolve(samples), z, C, nu }
}

function countOf(samples: Samples): number {
  const count = sampleCount(samples)
  if (count === 0) throw new DataError('a problem needs at least one sample, got none')
  return count
}

function checkNu(who: string, nu: number): void {
  checkNumber(who, 'nu', nu, { above: 0, max: 1 })
}

function targets(z: ArrayLike<number>, count: number): Float64Array {
  if (z.length !== count) throw new DataError(`${count} samples but ${z.length} targets`)
  const values = Float64Array.from(z)
  const bad = values.findIndex((value) => !Number.isFinite(value))
  if (bad >= 0) throw new DataError(`target ${bad} must be a finite number, got ${values[bad]}`)
  return values
}

function checkedSpread(which: string, given: number | ArrayLike<number>, count: number): Float64Array {
  const values = spread(given, count, which)
  for (let i = 0; i < count; i++) checkNumber('problem', `${which}[${i}]`, values[i], { min: 0 })
  if (!values.some((value) => value > 0)) throw new DataError('all samples have weight 0')
  return values
}

/** The coefficient of each sample in the kernel expansion g(x) = Σ c_i k(x_i, x) of a dual point. */
export function expansionCoefficients(problem: Problem, alpha: Float64Array): Float64Array {
  switch (problem.task) {
    case 'svc':
    case 'nu-svc':
      return productsOf(alpha, problem.y)
    case 'nu-svr': {
      const count = problem.z.length
      return Float64Array.from({ length: count }, (_, i) => alpha[i] + alpha[i + count])
    }
    default:
      return alpha
  }
}
