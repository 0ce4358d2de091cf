import type { AnyKernel } from '../../src/kernels/kernel.ts'

/** A kernel that neither solvers nor the engine know, and that tells of each row before it computes it. */
export function watchedKernel(inner: AnyKernel, onRow: () => void): AnyKernel {
  const kernel: AnyKernel = {
    ...inner,
    spec: { kind: 'custom', name: 'watched' },
    resolve: () => kernel,
    between(a, b) {
      const evaluator = inner.between(a, b)
      return {
        rows: evaluator.rows,
        cols: evaluator.cols,
        row(i, out, from) {
          onRow()
          evaluator.row(i, out, from)
        },
      }
    },
  }
  return kernel
}
