import type { DenseMatrix, RowsInput } from '../data/matrix/matrix.ts'
import type { Samples } from '../data/table/dataset.ts'
import type { Kernel } from './kernel.ts'

/** Samples as callers may pass them: anything that makes rows where the kernel is one over vectors. */
export type KernelSamples<S> = Samples<S> | ([S] extends [never] ? RowsInput : never)

/** One sample as callers may pass it: numbers where the kernel is one over vectors. */
export type KernelSample<S> = [S] extends [never] ? ArrayLike<number> : S

/**
 * All kernel values between two sample sets: entry (i, j) is k(a_i, b_j).
 *
 * With one set, k is taken to be symmetric and half of the work is saved, and gamma 'scale' or 'auto' is settled on
 * that set. With two sets it must have been settled before (`kernel.resolve(training samples)`).
 *
 * @example
 * const { values, cols } = kernelMatrix(rbf({ gamma: 1 }), [[0, 0], [1, 0]])
 */
export function kernelMatrix<S>(kernel: Kernel<S>, a: KernelSamples<S>, b?: KernelSamples<S>): DenseMatrix {
  const samples = a as Samples<S>
  const symmetric = b === undefined
  const evaluator = symmetric
    ? kernel.resolve(samples).between(samples, samples)
    : kernel.between(samples, b as Samples<S>)
  const { rows, cols } = evaluator
  const values = new Float64Array(rows * cols)
  for (let i = 0; i < rows; i++) {
    evaluator.row(i, values.subarray(i * cols, (i + 1) * cols), symmetric ? i : 0)
  }
  if (symmetric) mirror(values, rows)
  return { kind: 'dense', rows, cols, values }
}

/** Copies the upper triangle to the lower, in blocks, so that the columns it reads stay in the processor's cache. */
function mirror(values: Float64Array, n: number): void {
  const block = 32
  for (let top = 0; top < n; top += block) {
    for (let left = 0; left <= top; left += block) {
      for (let i = top; i < Math.min(top + block, n); i++) {
        for (let j = left; j < Math.min(left + block, i); j++) values[i * n + j] = values[j * n + i]
      }
    }
  }
}

/** k(x, z) for one pair of samples. */
export function kernelValue<S>(kernel: Kernel<S>, x: KernelSample<S>, z: KernelSample<S>): number {
  const out = new Float64Array(1)
  kernel.between([x] as unknown as Samples<S>, [z] as unknown as Samples<S>).row(0, out)
  return out[0]
}
