/**
 * What a kernel is. A kernel is made once (`rbf({ gamma: 0.5 })`), is described by plain data (`spec`), and makes
 * evaluators for pairs of sample sets. Solvers and models only ever ask for whole rows.
 */
import type { Samples } from '../data/table/dataset.ts'

/** Width of a kernel: a number, or scikit-learn's rules 'scale' = 1 / (d · Var X) and 'auto' = 1 / d. */
export type Gamma = number | 'scale' | 'auto'

/** A kernel as plain data, as stored in model files and sent to workers. */
export type KernelSpec =
  | { readonly kind: 'linear' }
  | { readonly kind: 'polynomial'; readonly gamma: Gamma; readonly coef0: number; readonly degree: number }
  | { readonly kind: 'rbf'; readonly gamma: Gamma }
  | { readonly kind: 'sigmoid'; readonly gamma: Gamma; readonly coef0: number }
  | { readonly kind: 'precomputed' }
  /** A user function: only its name is stored, so it must be passed again when a model is loaded. */
  | { readonly kind: 'custom'; readonly name: string }
  /** ⟨φ(x), φ(z)⟩ for an explicit φ of the user's. */
  | { readonly kind: 'feature-map'; readonly name: string }
  /** f(x) f(z) for a real user function. */
  | { readonly kind: 'rank-one'; readonly name: string }
  | { readonly kind: 'sum'; readonly of: readonly KernelSpec[] }
  | { readonly kind: 'product'; readonly of: readonly KernelSpec[] }
  | { readonly kind: 'scale'; readonly factor: number; readonly of: KernelSpec }
  | { readonly kind: 'shift'; readonly offset: number; readonly of: KernelSpec }
  | { readonly kind: 'exp'; readonly of: KernelSpec }

/** Kernel values between two fixed sample sets a and b, a row at a time. */
export interface KernelEvaluator {
  /** Samples in a. */
  readonly rows: number
  /** Samples in b. */
  readonly cols: number
  /**
   * `out[j] = k(a_i, b_j)` for every from <= j < cols (all of them unless `from` is given; what lies before it is
   * the evaluator's to leave or to fill with the same values). Allocates nothing.
   */
  row(i: number, out: Float64Array, from?: number): void
}

/** A kernel over samples of type S (vectors by default). */
export interface Kernel<S = never> {
  readonly spec: KernelSpec
  /** True if `spec` is enough to recreate the kernel (it contains no user function). */
  readonly portable: boolean
  /** True if `resolve` returns different kernels for different samples of the same width (gamma is 'scale'). Default: false. */
  readonly dependsOnSamples?: boolean
  /** The same kernel with everything that depends on data ('scale', 'auto') replaced by numbers. */
  resolve(samples: Samples<S>): Kernel<S>
  /** Prepares row evaluation between two sample sets (norms, mapped features …). */
  between(a: Samples<S>, b: Samples<S>): KernelEvaluator
  /** `k(x_i, x_i)` for every sample. */
  diagonal(samples: Samples<S>): Float64Array
}

/** A kernel over samples of any type. */
// biome-ignore lint/suspicious/noExplicitAny: a kernel consumes samples, so only `any` stands for every sample type.
export type AnyKernel = Kernel<any>
