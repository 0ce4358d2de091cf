import type { AnyKernel, DenseMatrix, KernelSpec, Samples } from '../../src/index.browser.ts'
import { kernelFromSpec, kernelMatrix } from '../../src/kernels.ts'
import { makeProblem } from '../../src/solvers.ts'
import { nodesOf } from './grid.ts'
import type { Grid } from './messages.ts'

/**
 * k(x_i, node) for every sample and every node, the kernel's parameters settled. With it the field of any
 * model over these samples is a sum, and the field after a step that moves two coefficients costs two rows: that is
 * what makes runs play smoothly.
 */
export function kernelGridOf(kernel: AnyKernel, samples: Samples, nodes: DenseMatrix): Float32Array {
  return Float32Array.from(kernelMatrix<unknown>(kernel, samples as DenseMatrix, nodes).values)
}

/** k(x_i, ·) on a grid for one of the samples; what depends on the data is settled by all of them. */
export function kernelFieldOf(spec: KernelSpec, xy: Float64Array, index: number, grid: Grid): Float32Array {
  const { kernel } = makeProblem({
    samples: planeMatrix(xy),
    kernel: kernelFromSpec(spec),
    y: Float64Array.from({ length: xy.length / 2 }, (_, i) => (i === index ? 1 : -1)),
    C: 1,
  })
  const one = planeMatrix(xy.slice(2 * index, 2 * index + 2))
  return kernelGridOf(kernel as AnyKernel, one, planeMatrix(nodesOf(grid)))
}

/** Points (x, y, x, y, …) as a matrix. */
export function planeMatrix(xy: Float64Array) {
  return { kind: 'dense', rows: xy.length / 2, cols: 2, values: xy } as const
}
