/**
 * A step of the sequential dual method (../methods/crammer-singer.ts) that moves the free α of all samples together, as
 * ../linear/dual-face.ts does for machines of one function. With a_im = c_im − α_im >= 0, Σ_m a_im = C_i, those are free that have
 * a_im > 0, of samples with two or more of them. On this face the dual is quadratic, with the Hessian P (X̃X̃ᵀ ⊗ 1) P, where P takes
 * from the numbers of the free classes of each sample their mean, and makes the others 0. The way towards its minimum is projected onto
 * the simplex of each sample.
 */
import { conjugateGradients } from '../../base/conjugate-gradients.ts'
import type { Pieces } from '../../base/pieces.ts'
import type { CrammerSingerProblem } from '../../problems/linear-problem.ts'
import type { Due } from '../driver/pieces.ts'
import { FLAT, MOST_HALVINGS, RESIDUAL } from '../linear/dual-face.ts'
import type { LinearRows, ListedClasses } from '../rows/linear-rows.ts'
import { simplexThreshold } from './simplex.ts'

/** What a step changes, in place, and what it reads: α and w by feature (j·k + m), and ‖x̃_i‖² of each sample. */
export interface ClassVectors {
  readonly alpha: Float64Array
  readonly w: Float64Array
  readonly norms: Float64Array
}

/** How many samples have two free classes or more. */
export function countFree(
  { C, y, classes: k }: CrammerSingerProblem,
  { alpha, norms }: ClassVectors,
): number {
  let count = 0
  for (let i = 0; i < C.length; i++) {
    let free = 0
    for (let m = 0; m < k; m++) if (alpha[i * k + m] < (m === y[i] ? C[i] : 0)) free++
    if (free > 1 && norms[i] > 0) count++
  }
  return count
}

/** These samples, and their free classes. */
function freeClasses(problem: CrammerSingerProblem, rows: LinearRows, vectors: ClassVectors): ListedClasses {
  const { C, y, classes: k } = problem
  const { alpha, norms } = vectors
  const room = countFree(problem, vectors)
  const samples = rows.list(room)
  const starts = rows.list(room + 1)
  const classes = rows.list(room * k)
  let count = 0
  for (let i = 0; i < C.length; i++) {
    let end = starts[count]
    for (let m = 0; m < k; m++) if (alpha[i * k + m] < (m === y[i] ? C[i] : 0)) classes[end++] = m
    if (end - starts[count] < 2 || norms[i] === 0) continue
    samples[count++] = i
    starts[count] = end
  }
  return { count, samples, starts, classes }
}

/**
 * Goes towards the minimum over all free α, in `most` iterations at most; returns by how much the dual has fallen, and the iterations.
 */
export function* stepOnClassFace(
  problem: CrammerSingerProblem,
  rows: LinearRows,
  vectors: ClassVectors,
  most: number,
  due: Due,
): Pieces<{ readonly gain: number; readonly iterations: number }> {
  const { y, C, classes: k } = problem
  const { alpha, w, norms } = vectors
  const mark = rows.mark()
  const list = freeClasses(problem, rows, vectors)
  const { count, samples, starts, classes } = list
  const columns = rows.columnsOf(samples.slice(0, count))
  const entries = starts[count]
  const direction = rows.vector(entries)
  const product = rows.vector(entries)
  const residual = rows.vector(entries)
  const conditioned = rows.vector(entries)
  const step = rows.vector(entries)
  const moved = rows.vector(w.length)
  const spare = new Float64Array(k)
  let iterations = 0
  const bound = (i: number, m: number) => (m === y[i] ? C[i] : 0)

  /** Takes from the numbers of each sample their mean. */
  const project = (numbers: Float64Array) => {
    for (let a = 0; a < count; a++) {
      let sum = 0
      for (let s = starts[a]; s < starts[a + 1]; s++) sum += numbers[s]
      const mean = sum / (starts[a + 1] - starts[a])
      for (let s = starts[a]; s < starts[a + 1]; s++) numbers[s] -= mean
    }
  }
  const condition = (r: Float64Array, out: Float64Array) => {
    for (let a = 0; a < count; a++) {
      const norm = norms[samples[a]]
      for (let s = starts[a]; s < starts[a + 1]; s++) out[s] = r[s] / norm
    }
  }
  const times = (x: Float64Array, out: Float64Array) => {
    iterations++
    columns.columnProduct(list, k, x, out)
    project(out)
    let alone = 0
    for (let a = 0; a < count; a++) {
      const norm = norms[samples[a]]
      for (let s = starts[a]; s < starts[a + 1]; s++) alone += norm * x[s] * x[s]
    }
    if (rows.dot(x, out) <= FLAT * alone) out.fill(0)
  }
  /** Fills `change` with what so much of the step does to α, and changes α where it `stays`. */
  const goTo = (length: number, change: Float64Array, stays: boolean) => {
    for (let a = 0; a < count; a++) {
      const i = samples[a]
      const start = starts[a]
      const free = starts[a + 1] - start
      let least = 0
      for (let s = 0; s < free; s++) {
        const m = classes[start + s]
        const remaining = bound(i, m) - alpha[i * k + m] - length * step[start + s]
        spare[s] = remaining
        change[start + s] = remaining
        if (remaining < least) least = remaining
      }
      // What some lack is taken from those that have some.
      const theta = least < 0 ? simplexThreshold(spare, free, C[i]) : 0
      for (let s = start; s < start + free; s++) {
        const m = classes[s]
        const remaining = change[s]
        const next = remaining > theta ? bound(i, m) - (remaining - theta) : bound(i, m)
        change[s] = next - alpha[i * k + m]
        if (stays) alpha[i * k + m] = next
      }
    }
  }

  rows.listedValues(list, k, w, product)
  for (let a = 0; a < count; a++) {
    for (let s = starts[a]; s < starts[a + 1]; s++) {
      residual[s] = -product[s] - (classes[s] === y[samples[a]] ? 0 : 1)
    }
  }
  project(residual)
  condition(residual, conditioned)
  const goal = RESIDUAL * RESIDUAL * rows.dot(residual, conditioned)
  const system = { residual, direction, product, conditioned, times, condition, loops: rows }
  yield* conjugateGradients(system, step, goal, most, due)
  const change = direction
  let gain = 0
  for (let halvings = 0, length = 1; halvings <= MOST_HALVINGS && gain === 0; halvings++, length /= 2) {
    goTo(length, change, false)
    rows.listedCombine(list, k, change, moved)
    let rise = rows.dot(moved, w) + 0.5 * rows.dot(moved, moved)
    for (let a = 0; a < count; a++) {
      for (let s = starts[a]; s < starts[a + 1]; s++) if (classes[s] !== y[samples[a]]) rise += change[s]
    }
    if (!(rise < 0)) continue
    gain = -rise
    goTo(length, change, true)
    rows.addScaled(1, moved, w)
  }
  rows.release(mark)
  return { gain, iterations }
}
