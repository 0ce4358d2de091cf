import { squaredNorms } from '../data/matrix/products.ts'
import type { Samples } from '../data/table/dataset.ts'
import { products, squaredDistances } from '../engine/reference/reference.ts'
import type { Kernel, KernelEvaluator, KernelSpec } from './kernel.ts'
import { asVectors } from './vectors.ts'

/** Replaces `row[j]` by g(row[j]) for from <= j < to. */
export type RowMap = (row: Float64Array, from: number, to: number) => void

/** What {@link vectorKernel} needs to know. */
export interface VectorKernelParts {
  readonly spec: KernelSpec
  /** What the kernel is a function g of: ⟨x, z⟩ or ‖x − z‖². */
  readonly of: 'product' | 'distance'
  readonly apply: RowMap
  /** The kernel with its parameters settled from samples. Default: itself. */
  readonly resolve?: (samples: Samples<never>) => Kernel
}

/** A kernel over vectors of the form k(x, z) = g(⟨x, z⟩) or g(‖x − z‖²). */
export function vectorKernel({ spec, of, apply, resolve }: VectorKernelParts): Kernel {
  const kernel: Kernel = {
    spec,
    portable: true,
    dependsOnSamples: 'gamma' in spec && spec.gamma === 'scale',
    resolve: (samples) => (resolve ? resolve(samples) : kernel),
    between(a, b) {
      const queries = asVectors(spec.kind, a)
      const targets = a === b ? queries : asVectors(spec.kind, b)
      const { row } = of === 'product' ? products(queries, targets) : squaredDistances(queries, targets)
      return mappedRows({ rows: queries.rows, cols: targets.rows, row }, apply)
    },
    diagonal(samples) {
      const vectors = asVectors(spec.kind, samples)
      const isProduct = of === 'product'
      const values = isProduct ? squaredNorms(vectors) : new Float64Array(vectors.rows)
      // Every sample has the distance 0 to itself.
      apply(values, 0, isProduct ? values.length : 1)
      return isProduct ? values : values.fill(values[0])
    },
  }
  return kernel
}

/** The rows of another evaluator, each value k replaced by g(k). */
export function mappedRows(inner: KernelEvaluator, apply: RowMap): KernelEvaluator {
  const { rows, cols } = inner
  return {
    rows,
    cols,
    row(i, out, from = 0) {
      inner.row(i, out, from)
      apply(out, from, cols)
    },
  }
}
