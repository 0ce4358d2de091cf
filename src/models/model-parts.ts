/** What models are made of, apart from the classes that predict with them. */
import type { Label, Samples } from '../data/dataset.ts'
import type { Scaler } from '../data/scaler.ts'
import type { Kernel } from '../kernels/kernel.ts'
import type { Certificate } from '../problems/certificate.ts'

/** What every two-class model holds. */
export interface ClassifierParts {
  /** The two labels as they were given; f(x) > 0 means the second one. */
  readonly classes: readonly [negative: Label, positive: Label]
  /** b in f(x) = … + b. LIBSVM's `rho` is −bias. */
  readonly bias: number
  /** Columns of the training data; unknown for models that LIBSVM trained, whose files do not say. */
  readonly features?: number | undefined
  readonly featureNames?: readonly string[] | undefined
  /** Applied to rows before anything else. */
  readonly scaler?: Scaler | undefined
  /** How good the solution behind the model is; absent when a file did not say. */
  readonly certificate?: Certificate | undefined
}

/** What a kernel classifier is made of. */
export interface SvcParts<S = never> extends ClassifierParts {
  /** The kernel, its parameters settled. */
  readonly kernel: Kernel<S>
  /** The support vectors, scaled. With the precomputed kernel: their serial numbers, as one column. */
  readonly supportVectors: Samples<S>
  /** y_i α_i of each support vector. */
  readonly dualCoef: Float64Array
  /** Which training samples the support vectors are, counted from 0; absent when a file did not say. */
  readonly supportIndices?: Uint32Array | undefined
  /** Kept from files that have it; predictions do not use it. */
  readonly probability?: ProbabilityParts | undefined
}

/** Platt's sigmoid of LIBSVM's `-b 1`: P(positive | x) = 1 / (1 + exp(a · f(x) + b)). */
export interface ProbabilityParts {
  readonly a: number
  readonly b: number
}

/** What a linear classifier is made of. */
export interface LinearSvcParts extends ClassifierParts {
  /** w: one weight a feature (of the scaled rows, when there is a scaler). */
  readonly coef: Float64Array
}
