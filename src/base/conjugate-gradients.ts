/** Conjugate gradients for A x = b, A symmetric and positive definite, with a preconditioner. */
import { dotProduct } from './lists.ts'
import type { Pieces } from './pieces.ts'

/** Loops over the vectors of a system; who has them in the memory of an engine has such loops there, too. */
export interface VectorLoops {
  /** ⟨a, b⟩ */
  dot(a: Float64Array, b: Float64Array): number
  /** to += factor · from */
  addScaled(factor: number, from: Float64Array, to: Float64Array): void
  /** to = factor · to + from */
  scaleAndAdd(factor: number, from: Float64Array, to: Float64Array): void
}

/** The same in plain code. */
export const plainLoops: VectorLoops = {
  dot: dotProduct,
  addScaled(factor, from, to) {
    for (let i = 0; i < to.length; i++) to[i] += factor * from[i]
  },
  scaleAndAdd(factor, from, to) {
    for (let i = 0; i < to.length; i++) to[i] = factor * to[i] + from[i]
  },
}

/** Fills z with what a matrix near A⁻¹ makes of r. */
export type Preconditioner = (r: Float64Array, z: Float64Array) => void

/** A, a preconditioner, and the vectors to work with; `residual` holds b − A x. */
export interface ConjugateSystem {
  readonly times: (x: Float64Array, out: Float64Array) => void
  readonly condition: Preconditioner
  readonly residual: Float64Array
  readonly direction: Float64Array
  readonly product: Float64Array
  readonly conditioned: Float64Array
  readonly loops?: VectorLoops
}

/**
 * Continues from x until ⟨r, z⟩ is at most `goal`, or for `most` steps. True when it is there, or where A is flat along the way, beyond
 * which there is nothing to be had.
 */
export function* conjugateGradients(
  {
    times,
    condition,
    residual: r,
    direction: d,
    product: q,
    conditioned: z,
    loops = plainLoops,
  }: ConjugateSystem,
  x: Float64Array,
  goal: number,
  most: number,
  due: () => boolean,
): Pieces<boolean> {
  condition(r, z)
  d.set(z)
  let size = loops.dot(r, z)
  for (let step = 0; step < most; step++) {
    if (!(size > goal)) return true
    times(d, q)
    const bend = loops.dot(d, q)
    if (!(bend > 0)) return true
    const length = size / bend
    loops.addScaled(length, d, x)
    loops.addScaled(-length, q, r)
    condition(r, z)
    const next = loops.dot(r, z)
    loops.scaleAndAdd(next / size, z, d)
    size = next
    if (due()) yield
  }
  return !(size > goal)
}
