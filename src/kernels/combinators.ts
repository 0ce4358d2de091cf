/**
 * New kernels from old. If k, k1, k2 are positive semi-definite and a >= 0, so are
 *
 *   sum      k1 + k2 + …          scale    a · k
 *   product  k1 · k2 · …          shift    k + a          exp    e^k
 */
import { checkNumber } from '../base/check.ts'
import { ParameterError } from '../base/errors.ts'
import type { Kernel, KernelSpec } from './kernel.ts'
import { mappedRows, type RowMap } from './vector-kernel.ts'

/**
 * k1(x, z) + k2(x, z) + …
 *
 * @example
 * const kernel = sum(linear(), scale(rbf({ gamma: 1 }), 0.5))
 */
export function sum<S>(...kernels: readonly Kernel<S>[]): Kernel<S> {
  return combine('sum', kernels, (total, part, from, to) => {
    for (let j = from; j < to; j++) total[j] += part[j]
  })
}

/** k1(x, z) · k2(x, z) · … */
export function product<S>(...kernels: readonly Kernel<S>[]): Kernel<S> {
  return combine('product', kernels, (total, part, from, to) => {
    for (let j = from; j < to; j++) total[j] *= part[j]
  })
}

/** factor · k(x, z), factor >= 0. */
export function scale<S>(kernel: Kernel<S>, factor: number): Kernel<S> {
  checkNumber('scale', 'factor', factor, { min: 0 })
  return pointwise(
    kernel,
    (of) => ({ kind: 'scale', factor, of }),
    (row, from, to) => {
      for (let j = from; j < to; j++) row[j] *= factor
    },
  )
}

/** k(x, z) + offset, offset >= 0: the same as giving every sample one more, constant feature √offset. */
export function shift<S>(kernel: Kernel<S>, offset: number): Kernel<S> {
  checkNumber('shift', 'offset', offset, { min: 0 })
  return pointwise(
    kernel,
    (of) => ({ kind: 'shift', offset, of }),
    (row, from, to) => {
      for (let j = from; j < to; j++) row[j] += offset
    },
  )
}

/** e^k(x, z) */
export function exp<S>(kernel: Kernel<S>): Kernel<S> {
  return pointwise(
    kernel,
    (of) => ({ kind: 'exp', of }),
    (row, from, to) => {
      for (let j = from; j < to; j++) row[j] = Math.exp(row[j])
    },
  )
}

/** g(k(x, z)), where `apply` replaces `row[j]` by g(row[j]) for from <= j < to. */
function pointwise<S>(inner: Kernel<S>, describe: (of: KernelSpec) => KernelSpec, apply: RowMap): Kernel<S> {
  return {
    spec: describe(inner.spec),
    portable: inner.portable,
    dependsOnSamples: inner.dependsOnSamples ?? false,
    resolve: (samples) => pointwise(inner.resolve(samples), describe, apply),
    between: (a, b) => mappedRows(inner.between(a, b), apply),
    diagonal(samples) {
      const values = inner.diagonal(samples)
      apply(values, 0, values.length)
      return values
    },
  }
}

/** Several kernels folded into one, where `fold` takes a part into the total for from <= j < to. */
function combine<S>(
  kind: 'sum' | 'product',
  kernels: readonly Kernel<S>[],
  fold: (total: Float64Array, part: Float64Array, from: number, to: number) => void,
): Kernel<S> {
  if (kernels.length === 0) throw new ParameterError(kind, 'kernels', 'at least one', kernels)
  return {
    spec: { kind, of: kernels.map((kernel) => kernel.spec) },
    portable: kernels.every((kernel) => kernel.portable),
    dependsOnSamples: kernels.some((kernel) => kernel.dependsOnSamples),
    resolve: (samples) =>
      combine(
        kind,
        kernels.map((kernel) => kernel.resolve(samples)),
        fold,
      ),
    between(a, b) {
      const [first, ...others] = kernels.map((kernel) => kernel.between(a, b))
      const { rows, cols } = first
      const part = new Float64Array(others.length > 0 ? cols : 0)
      return {
        rows,
        cols,
        row(i, out, from = 0) {
          first.row(i, out, from)
          for (const other of others) {
            other.row(i, part, from)
            fold(out, part, from, cols)
          }
        },
      }
    },
    diagonal(samples) {
      const [values, ...others] = kernels.map((kernel) => kernel.diagonal(samples))
      for (const other of others) fold(values, other, 0, values.length)
      return values
    },
  }
}
