/** Conjugate gradients for A x = b, A symmetric and positive definite, with a preconditioner. */
import { dotProduct } from './lists.ts'
import type { Pieces } from './pieces.ts'

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
}

/**
 * Continues from x until ⟨r, z⟩ is at most `goal`, or for `most` steps. True when it is there, or where A is flat along the way, beyond
 * which there is nothing to be had.
 */
export function* conjugateGradients(
  { times, condition, residual: r, direction: d, product: q, conditioned: z }: ConjugateSystem,
  x: Float64Array,
  goal: number,
  most: number,
  due: () => boolean,
): Pieces<boolean> {
  condition(r, z)
  d.set(z)
  let size = dotProduct(r, z)
  for (let step = 0; step < most; step++) {
    if (!(size > goal)) return true
    times(d, q)
    const bend = dotProduct(d, q)
    if (!(bend > 0)) return true
    const length = size / bend
    for (let j = 0; j < x.length; j++) {
      x[j] += length * d[j]
      r[j] -= length * q[j]
    }
    condition(r, z)
    const next = dotProduct(r, z)
    const turn = next / size
    for (let j = 0; j < x.length; j++) d[j] = z[j] + turn * d[j]
    size = next
    if (due()) yield
  }
  return !(size > goal)
}
