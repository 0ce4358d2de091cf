/**
 * A step of dual coordinate descent that moves all free β together: those between their bounds, and on one side of 0 where a tube makes
 * the two sides different. On this face the dual is a quadratic function; conjugate gradients go towards its minimum, and the way ends
 * where bounds keep the dual from falling further. Epochs before it find the face, epochs after it mend it (gradient projection with
 * conjugate gradients; Moré, Toraldo 1991). Where samples have more features than there are free ones, most faces are solved in one step.
 */
import { conjugateGradients } from '../../base/conjugate-gradients.ts'
import { dotProduct, pickNumbers } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import type { Due } from '../driver/pieces.ts'
import type { LinearRows, SweepVectors } from '../rows/linear-rows.ts'

/**
 * The residual that ends the conjugate gradients. On news20 (hinge and squared hinge, two classes) and imdb (hinge), C = 100, 0.1 and
 * 0.001 took as long within a fifth.
 */
const RESIDUAL = 0.01
/** A direction that bends less than this part of what its samples would alone is flat. */
export const FLAT = 1e-12
/** A step may be a millionth of the way: where clipping as many β as there are raises the dual, shorter ones only waste time. */
export const MOST_HALVINGS = 20

/** β, w = Σ β_i x̃_i over these and perhaps other samples, and what the dual is made of. */
export type DualVectors = Pick<SweepVectors, 'beta' | 'z' | 'lower' | 'upper' | 'shift' | 'w' | 'epsilon'>

/** The β that {@link stepOnFace} moves. */
export function freeSamples({
  beta,
  lower,
  upper,
  epsilon,
}: Pick<DualVectors, 'beta' | 'lower' | 'upper' | 'epsilon'>): Uint32Array {
  const free = new Uint32Array(beta.length)
  let count = 0
  for (let i = 0; i < beta.length; i++) {
    const own = beta[i]
    if (own > lower[i] && own < upper[i] && (epsilon === 0 || own !== 0)) free[count++] = i
  }
  return free.slice(0, count)
}

/**
 * Goes towards the minimum over the free β as far as that lowers the dual within the bounds, in `most` iterations at most; β and w are
 * changed in place. Returns by how much the dual has fallen, and the iterations.
 */
export function* stepOnFace(
  rows: LinearRows,
  { beta, z, lower, upper, shift, w, epsilon }: DualVectors,
  free: Uint32Array,
  most: number,
  due: Due,
): Pieces<{ readonly gain: number; readonly iterations: number }> {
  const count = free.length
  const mark = rows.mark()
  const own = rows.some(free)
  const direction = own.vector(count)
  const product = own.vector(count)
  const moved = own.vector(w.length)
  const shifts = pickNumbers(shift, free)
  const bends = own.squaredNorms.map((norm, k) => norm + shifts[k] || 1)
  const residual = new Float64Array(count)
  const step = new Float64Array(count)
  let iterations = 0
  own.values(w, product)
  for (let k = 0; k < count; k++) {
    const i = free[k]
    residual[k] = z[i] - product[k] - epsilon * Math.sign(beta[i]) - shift[i] * beta[i]
  }
  const condition = (r: Float64Array, out: Float64Array) => {
    for (let k = 0; k < count; k++) out[k] = r[k] / bends[k]
  }
  const times = (x: Float64Array, out: Float64Array) => {
    iterations++
    own.combine(x, moved)
    own.values(moved, out)
    let bend = 0
    let alone = 0
    for (let k = 0; k < count; k++) {
      out[k] += shifts[k] * x[k]
      bend += out[k] * x[k]
      alone += bends[k] * x[k] * x[k]
    }
    // Samples that are the same, or fewer features than samples: the way ends before rounding leads it.
    if (bend <= FLAT * alone) out.fill(0)
  }
  const conditioned = new Float64Array(count)
  condition(residual, conditioned)
  const goal = RESIDUAL * RESIDUAL * dotProduct(residual, conditioned)
  const vectors = { residual, direction, product, conditioned }
  yield* conjugateGradients({ ...vectors, times, condition }, step, goal, most, due)
  const change = direction
  /** β_i after so much of the step; it keeps its sign where a tube makes the two sides of 0 different. */
  const target = (k: number, length: number): number => {
    const i = free[k]
    const least = epsilon > 0 && beta[i] > 0 ? 0 : lower[i]
    const most = epsilon > 0 && beta[i] < 0 ? 0 : upper[i]
    return Math.min(most, Math.max(least, beta[i] + length * step[k]))
  }
  for (let halvings = 0, length = 1; halvings <= MOST_HALVINGS; halvings++, length /= 2) {
    for (let k = 0; k < count; k++) change[k] = target(k, length) - beta[free[k]]
    own.combine(change, moved)
    let rise = 0
    for (let j = 0; j < w.length; j++) rise += moved[j] * (w[j] + 0.5 * moved[j])
    for (let k = 0; k < count; k++) {
      const i = free[k]
      rise += (epsilon * Math.sign(beta[i]) - z[i] + shift[i] * (beta[i] + 0.5 * change[k])) * change[k]
    }
    if (!(rise < 0)) continue
    for (let j = 0; j < w.length; j++) w[j] += moved[j]
    for (let k = 0; k < count; k++) beta[free[k]] = target(k, length)
    rows.release(mark)
    return { gain: -rise, iterations }
  }
  rows.release(mark)
  return { gain: 0, iterations }
}
