/**
 * A step of the sequential dual method (../methods/crammer-singer.ts) that moves the free α of all samples together, as
 * ../linear/dual-face.ts does for machines of one function. With a_im = c_im − α_im >= 0, Σ_m a_im = C_i, those are free that have
 * a_im > 0, of samples with two or more of them. On this face the dual is quadratic, with the Hessian P (X̃X̃ᵀ ⊗ 1) P, where P takes
 * from the numbers of the free classes of each sample their mean, and makes the others 0. The way towards its minimum is projected onto
 * the simplex of each sample.
 */
import { conjugateGradients } from '../../base/conjugate-gradients.ts'
import { dotProduct } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import type { CrammerSingerProblem } from '../../problems/linear-problem.ts'
import type { Due } from '../driver/pieces.ts'
import { FLAT, MOST_HALVINGS, RESIDUAL } from '../linear/dual-face.ts'
import type { LinearRows } from '../linear/linear-rows.ts'
import { simplexThreshold } from './class-newton.ts'

/** What a step changes, in place, and what it reads: α and w by feature (j·k + m), and ‖x̃_i‖² of each sample. */
export interface ClassVectors {
  readonly alpha: Float64Array
  readonly w: Float64Array
  readonly norms: Float64Array
}

/** The samples with two free classes or more. */
export function freeSamples(
  { C, y, classes: k }: CrammerSingerProblem,
  { alpha, norms }: ClassVectors,
): Uint32Array {
  const samples: number[] = []
  for (let i = 0; i < C.length; i++) {
    let free = 0
    for (let m = 0; m < k; m++) if (alpha[i * k + m] < (m === y[i] ? C[i] : 0)) free++
    if (free > 1 && norms[i] > 0) samples.push(i)
  }
  return Uint32Array.from(samples)
}

/**
 * Goes towards the minimum over the free α of these samples, in `most` iterations at most; returns by how much the dual has fallen, and
 * the iterations.
 */
export function* stepOnClassFace(
  problem: CrammerSingerProblem,
  rows: LinearRows,
  samples: Uint32Array,
  { alpha, w, norms }: ClassVectors,
  most: number,
  due: Due,
): Pieces<{ readonly gain: number; readonly iterations: number }> {
  const { y, C, classes: k } = problem
  const count = samples.length
  const mark = rows.mark()
  const own = rows.some(samples)
  const direction = own.vector(count * k)
  const product = own.vector(count * k)
  const moved = own.vector(w.length)
  const residual = new Float64Array(count * k)
  const conditioned = new Float64Array(count * k)
  const step = new Float64Array(count * k)
  const isFree = new Uint8Array(count * k)
  const spare = new Float64Array(k)
  let iterations = 0
  const bound = (i: number, m: number) => (m === y[i] ? C[i] : 0)
  for (let a = 0; a < count; a++) {
    const i = samples[a]
    for (let m = 0; m < k; m++) isFree[a * k + m] = Number(alpha[i * k + m] < bound(i, m))
  }

  const project = (numbers: Float64Array) => {
    for (let start = 0; start < numbers.length; start += k) {
      let free = 0
      let sum = 0
      for (let s = start; s < start + k; s++) {
        if (!isFree[s]) continue
        free++
        sum += numbers[s]
      }
      for (let s = start; s < start + k; s++) numbers[s] = isFree[s] ? numbers[s] - sum / free : 0
    }
  }
  const condition = (r: Float64Array, out: Float64Array) => {
    for (let a = 0; a < count; a++) {
      const norm = norms[samples[a]]
      for (let s = a * k; s < (a + 1) * k; s++) out[s] = r[s] / norm
    }
  }
  const times = (x: Float64Array, out: Float64Array) => {
    iterations++
    own.classCombine(x, k, moved)
    own.classValues(moved, k, out)
    project(out)
    let alone = 0
    for (let a = 0; a < count; a++) {
      const norm = norms[samples[a]]
      for (let s = a * k; s < (a + 1) * k; s++) alone += norm * x[s] * x[s]
    }
    if (dotProduct(x, out) <= FLAT * alone) out.fill(0)
  }
  /** Fills `change` with what so much of the step does to α, and changes α where it `stays`. */
  const goTo = (length: number, change: Float64Array, stays: boolean) => {
    for (let a = 0; a < count; a++) {
      const i = samples[a]
      let least = 0
      for (let m = 0; m < k; m++) {
        const remaining = bound(i, m) - alpha[i * k + m] - length * step[a * k + m]
        spare[m] = remaining
        change[a * k + m] = remaining
        if (remaining < least) least = remaining
      }
      // Classes that are not free have 0 left, and stay there: what others lack is taken from those that have some.
      const theta = least < 0 ? simplexThreshold(spare, k, C[i]) : 0
      for (let m = 0; m < k; m++) {
        const s = a * k + m
        const remaining = change[s]
        const isLeft = isFree[s] && remaining > theta
        const next = isLeft ? bound(i, m) - (remaining - theta) : bound(i, m)
        change[s] = next - alpha[i * k + m]
        if (stays) alpha[i * k + m] = next
      }
    }
  }

  // The engine reads and writes vectors of its own.
  moved.set(w)
  own.classValues(moved, k, product)
  for (let a = 0; a < count; a++) {
    for (let m = 0; m < k; m++) residual[a * k + m] = -product[a * k + m] - (m === y[samples[a]] ? 0 : 1)
  }
  project(residual)
  condition(residual, conditioned)
  const goal = RESIDUAL * RESIDUAL * dotProduct(residual, conditioned)
  const vectors = { residual, direction, product, conditioned }
  yield* conjugateGradients({ ...vectors, times, condition }, step, goal, most, due)
  const change = direction
  let gain = 0
  for (let halvings = 0, length = 1; halvings <= MOST_HALVINGS && gain === 0; halvings++, length /= 2) {
    goTo(length, change, false)
    own.classCombine(change, k, moved)
    let rise = 0
    for (let j = 0; j < w.length; j++) rise += moved[j] * (w[j] + 0.5 * moved[j])
    for (let a = 0; a < count; a++) {
      for (let m = 0; m < k; m++) if (m !== y[samples[a]]) rise += change[a * k + m]
    }
    if (!(rise < 0)) continue
    gain = -rise
    goTo(length, change, true)
    for (let j = 0; j < w.length; j++) w[j] += moved[j]
  }
  rows.release(mark)
  return { gain, iterations }
}
