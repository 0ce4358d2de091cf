import type { EngineKernel } from '../engine/matrix/engine-kernel.ts'
import type { AnyKernel } from './kernel.ts'

/**
 * Kernel values and squared norms that f32 has room for, from 1.2e-38 to 3.4e38: sums of a hundred million of the largest, and products
 * of the smallest with 1e-12 (what a curvature is at least), are still within that range.
 */
export const LARGEST_SINGLE = 1e30
/** See {@link LARGEST_SINGLE}. */
export const SMALLEST_SINGLE = 1e-25

/** A kernel as the engine takes it; undefined when it is not one that the engine knows, or not settled yet. */
export function kernelForEngine({ spec }: AnyKernel): EngineKernel | undefined {
  if ('gamma' in spec && typeof spec.gamma !== 'number') return undefined
  switch (spec.kind) {
    case 'linear':
      return { kind: 'linear', gamma: 0, coef0: 0, degree: 0 }
    case 'rbf':
      return { kind: 'rbf', gamma: spec.gamma as number, coef0: 0, degree: 0 }
    case 'polynomial':
      return { kind: 'polynomial', gamma: spec.gamma as number, coef0: spec.coef0, degree: spec.degree }
    case 'sigmoid':
      return { kind: 'sigmoid', gamma: spec.gamma as number, coef0: spec.coef0, degree: 0 }
    default:
      return undefined
  }
}
