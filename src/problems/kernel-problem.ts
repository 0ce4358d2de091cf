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
import { numbersOf, type SvmProblem, spread } from './problem.ts'

interface KernelProblem {
  readonly samples: Samples
  /** Its parameters settled. */
  readonly kernel: AnyKernel
}

/** Two classes; ν is an upper bound on the fraction of margin errors and a lower bound on the fraction of support vectors. */
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

/** The task of a problem. */
export type Task = Problem['task']

/** What every problem is made of. */
interface ProblemOptions {
  readonly samples: Samples
  readonly kernel: AnyKernel
}

interface NuOptions extends ProblemOptions {
  readonly weights?: number | ArrayLike<number>
  readonly nu?: number
}

interface RegressionOptions extends ProblemOptions {
  readonly z: ArrayLike<number>
  readonly C?: number | ArrayLike<number>
}

/** Makes a {@link NuSvcProblem}; rejects a ν that is infeasible for the smaller class. */
export function makeNuSvcProblem(options: NuOptions & { readonly y: ArrayLike<number> }): NuSvcProblem {
  const shared = weighted('NuSVC', options)
  const { weights, nu } = shared
  const count = weights.length
  const y = numbersOf(options.y)
  if (y.length !== count) throw new DataError(`${count} samples but ${y.length} labels`)
  const sums = { positive: 0, negative: 0 }
  for (let i = 0; i < count; i++) {
    if (y[i] !== 1 && y[i] !== -1) throw new DataError(`y[${i}] must be +1 or -1, got ${y[i]}`)
    sums[y[i] > 0 ? 'positive' : 'negative'] += weights[i]
  }
  checkFeasible(nu, sums.positive, sums.negative)
  return { task: 'nu-svc', ...shared, y }
}

/** Throws unless two classes of these weights can hold ν. */
export function checkFeasible(nu: number, first: number, second: number): void {
  const largest = largestNu(first, second)
  if (nu <= largest) return
  const allowed = `at most ${Number(largest.toPrecision(6))}, twice the share of the smaller class`
  throw new ParameterError('NuSVC', 'nu', allowed, nu)
}

/** The largest ν that two classes of these weights can hold; what rounding takes away of it is given back. */
export function largestNu(first: number, second: number): number {
  return Math.min(1, ((2 * Math.min(first, second)) / (first + second)) * (1 + 4 * Number.EPSILON))
}

/** Makes a {@link OneClassProblem}. */
export function makeOneClassProblem(options: NuOptions): OneClassProblem {
  return { task: 'one-class', ...weighted('OneClassSVM', options) }
}

/** Makes an {@link SvrProblem}. */
export function makeSvrProblem(options: RegressionOptions & { readonly epsilon?: number }): SvrProblem {
  const { epsilon = 0.1 } = options
  checkNumber('SVR', 'epsilon', epsilon, { min: 0 })
  return { task: 'svr', ...regression(options), epsilon }
}

/** Makes a {@link NuSvrProblem}. */
export function makeNuSvrProblem(options: RegressionOptions & { readonly nu?: number }): NuSvrProblem {
  const nu = checkedNu('NuSVR', options.nu)
  return { task: 'nu-svr', ...regression(options), nu }
}

/** What the two problems with sample weights share. */
function weighted(who: string, options: NuOptions): Omit<OneClassProblem, 'task'> {
  const { samples, kernel } = options
  const count = countOf(samples)
  const nu = checkedNu(who, options.nu)
  const weights = checkedSpread('weights', options.weights ?? 1, count)
  return { samples, kernel: kernel.resolve(samples), weights, nu }
}

/** What the two regressions share. */
function regression({ samples, kernel, z, C = 1 }: RegressionOptions): Omit<SvrProblem, 'task' | 'epsilon'> {
  const count = countOf(samples)
  const checked = { z: targets(z, count), C: checkedSpread('C', C, count) }
  return { samples, kernel: kernel.resolve(samples), ...checked }
}

function countOf(samples: Samples): number {
  const count = sampleCount(samples)
  if (count === 0) throw new DataError('a problem needs at least one sample, got none')
  return count
}

function checkedNu(who: string, nu = 0.5): number {
  return checkNumber(who, 'nu', nu, { above: 0, max: 1 })
}

function targets(z: ArrayLike<number>, count: number): Float64Array {
  if (z.length !== count) throw new DataError(`${count} samples but ${z.length} targets`)
  const values = numbersOf(z)
  const bad = values.findIndex((value) => !Number.isFinite(value))
  if (bad >= 0) throw new DataError(`target ${bad} must be a finite number, got ${values[bad]}`)
  return values
}

function checkedSpread(which: string, given: number | ArrayLike<number>, count: number): Float64Array {
  const values = spread(given, count, which)
  let sum = 0
  for (let i = 0; i < count; i++) {
    const value = values[i]
    if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) {
      checkNumber('problem', `${which}[${i}]`, value, { min: 0 })
    }
    sum += value
  }
  if (sum === 0) throw new DataError('all samples have weight 0')
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
      const coefficients = new Float64Array(count)
      for (let i = 0; i < count; i++) coefficients[i] = alpha[i] + alpha[i + count]
      return coefficients
    }
    default:
      return alpha
  }
}
