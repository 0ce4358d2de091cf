/** Kernels: the built-in ones, combinators, functions of your own, and a test whether a function is a kernel. */

export { type CheckKernelOptions, checkKernel, type KernelCheck } from './kernels/check-kernel.ts'
export { exp, product, scale, shift, sum } from './kernels/combinators.ts'
export type { AnyKernel, Gamma, Kernel, KernelEvaluator, KernelSpec } from './kernels/kernel.ts'
export {
  type KernelFromSpecOptions,
  type KernelFunctions,
  kernelFromSpec,
} from './kernels/kernel-from-spec.ts'
export { type KernelSample, type KernelSamples, kernelMatrix, kernelValue } from './kernels/kernel-matrix.ts'
export { linear } from './kernels/linear.ts'
export { type PolynomialOptions, polynomial } from './kernels/polynomial.ts'
export { precomputed, precomputedSamples } from './kernels/precomputed.ts'
export { type RbfOptions, rbf } from './kernels/rbf.ts'
export { type SigmoidOptions, sigmoid } from './kernels/sigmoid.ts'
export { custom, featureMap, type NamedFunction, rankOne } from './kernels/user-kernels.ts'
