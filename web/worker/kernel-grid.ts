import type { AnyKernel } from '../../src/index.browser.ts'
import { kernelMatrix } from '../../src/kernels.ts'
import { nodesOf } from './grid.ts'
import type { Grid } from './messages.ts'

/**
 * k(x_i, node) for every sample and every node of a grid, the kernel's parameters settled. With it the field of any
 * model over these samples is a sum, and the field after a step that moves two coefficients costs two rows: that is
 * what makes runs play smoothly.
 */
export function kernelGridOf(kernel: AnyKernel, xy: Float64Array, grid: Grid): Float32Array {
  const nodes = nodesOf(grid)
  const matrix = kernelMatrix<unknown>(kernel, planeMatrix(xy), planeMatrix(nodes))
  return Float32Array.from(matrix.values)
}

/** Points (x, y, x, y, …) as a matrix. */
export function planeMatrix(xy: Float64Array) {
  return { kind: 'dense', rows: xy.length / 2, cols: 2, values: xy } as const
}
