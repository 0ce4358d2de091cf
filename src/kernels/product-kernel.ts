import { squaredNorms } from '../data/matrix/products.ts'
import type { Samples } from '../data/table/dataset.ts'
import { products } from '../engine/reference/reference.ts'
import type { Kernel, KernelSpec } from './kernel.ts'
import { asVectors } from './vectors.ts'

/** What {@link productKernel} needs to know. */
export interface ProductKernelParts {
  readonly spec: KernelSpec
  /** Replaces `row[j]` by g(row[j]) for from <= j < to. */
  readonly apply: (row: Float64Array, from: number, to: number) => void
  /** The kernel with its parameters settled from samples; itself unless given. */
  readonly resolve?: (samples: Samples<never>) => Kernel
}

/** A kernel over vectors of the form k(x, z) = g(⟨x, z⟩). */
export function productKernel({ spec, apply, resolve }: ProductKernelParts): Kernel {
  const kernel: Kernel = {
    spec,
    portable: true,
    dependsOnSamples: 'gamma' in spec && spec.gamma === 'scale',
    resolve: (samples) => (resolve ? resolve(samples) : kernel),
    between(a, b) {
      const queries = asVectors(spec.kind, a)
      const targets = a === b ? queries : asVectors(spec.kind, b)
      const { rows } = queries
      const cols = targets.rows
      const inner = products(queries, targets)
      return {
        rows,
        cols,
        row(i, out, from = 0) {
          inner.row(i, out, from)
          apply(out, from, cols)
        },
      }
    },
    diagonal(samples) {
      const values = squaredNorms(asVectors(spec.kind, samples))
      apply(values, 0, values.length)
      return values
    },
  }
  return kernel
}
