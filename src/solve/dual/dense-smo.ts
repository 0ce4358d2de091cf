/**
 * SMO over a kernel matrix in memory, from any feasible point: for who solves nearly the same problem many times (a sample
 * less, a larger C) and has all of K and the solution before.
 *
 * Problem   min over β ½ βᵀKβ − tᵀβ, lower <= β <= upper, Σ β (of each group) as at the start: ../../problems/general-dual.ts
 *           without a tube.
 * Method    v = t − Kβ is kept up to date in f64. i has the largest v among those that may rise, j gains most among those
 *           that may fall (second order), in the group whose m − M is largest; δ = (v_i − v_j) / (K_ii + K_jj − 2 K_ij), clipped to both boxes, moves from j to i.
 * Stop      m − M = max v over those that may rise − min v over those that may fall <= tol, in every group.
 * Bias      mean of v over the free variables, else the middle between m and M: ./general-bias.ts.
 * Source    Fan, Chen, Lin 2005.
 * Cost      O(n) an iteration, nothing computed but the step; n² values of memory.
 */
import type { GeneralForm } from '../../problems/general-form.ts'
import { LOOKS_WITHOUT_GAIN, StallWatch, stepsPerLook } from '../driver/stall-watch.ts'
import { type GeneralBias, generalBias } from './general-bias.ts'
import { TAU } from './pair-step.ts'

/** A kernel matrix, row by row: n² values; and its diagonal, which is looked at too often to be picked out each time. */
export interface DenseKernel {
  readonly size: number
  readonly values: Float64Array
  readonly diagonal: Float64Array
}

/** Makes a {@link DenseKernel} of the values of a matrix. */
export function denseKernel(values: Float64Array): DenseKernel {
  const size = Math.sqrt(values.length)
  return { size, values, diagonal: Float64Array.from({ length: size }, (_, i) => values[i * size + i]) }
}

/** A point, changed in place: β feasible, and v = t − Kβ that belongs to it. */
export interface DensePoint {
  readonly beta: Float64Array
  readonly v: Float64Array
}

/** How a run ended. */
export interface DenseEnd extends GeneralBias {
  readonly iterations: number
  /** m − M; at most tol unless a limit was reached, or nothing was gained any more. */
  readonly violation: number
}

/** v = t − Kβ, from scratch. */
export function denseGradient(
  { size, values }: DenseKernel,
  target: Float64Array,
  beta: Float64Array,
): Float64Array {
  const v = target.slice()
  for (let j = 0; j < size; j++) {
    const c = beta[j]
    if (c === 0) continue
    const row = values.subarray(j * size, (j + 1) * size)
    for (let i = 0; i < size; i++) v[i] -= c * row[i]
  }
  return v
}

/** Moves `point` to the optimum within the box, or until rounding hides what is left, in at most `maxIter` steps. */
export function solveDense(
  { size, values, diagonal }: DenseKernel,
  box: Pick<GeneralForm, 'lower' | 'upper' | 'groups'>,
  { beta, v }: DensePoint,
  tol: number,
  maxIter: number,
): DenseEnd {
  const { lower, upper, groups } = box
  let { i, m, M } = worstExtremes(box, beta, v)
  const watch = new StallWatch(LOOKS_WITHOUT_GAIN)
  const period = stepsPerLook(size)
  // What the dual is above its value at the start: it falls.
  let value = 0
  for (let iterations = 0; ; iterations++) {
    const violation = m - M
    const stalls = iterations % period === 0 && watch.stalls(iterations / period, value, violation)
    if (!(violation > tol) || iterations >= maxIter || stalls) {
      const { bias, groupValues } = generalBias({ lower, upper, groups, target: v, tube: 0 }, beta, v)
      return { bias, groupValues, iterations, violation }
    }
    const rowI = values.subarray(i * size, (i + 1) * size)
    const diagonalI = diagonal[i]
    let j = -1
    let best = 0
    for (let k = 0; k < size; k++) {
      const gap = m - v[k]
      if (gap <= 0 || beta[k] <= lower[k] || (groups && groups[k] !== groups[i])) continue
      const curvature = diagonalI + diagonal[k] - 2 * rowI[k]
      const gain = (gap * gap) / (curvature > 0 ? curvature : TAU)
      if (gain > best) {
        best = gain
        j = k
      }
    }
    const rowJ = values.subarray(j * size, (j + 1) * size)
    const curvature = diagonalI + diagonal[j] - 2 * rowI[j]
    const [roomI, roomJ] = [upper[i] - beta[i], beta[j] - lower[j]]
    const step = Math.min((m - v[j]) / (curvature > 0 ? curvature : TAU), roomI, roomJ)
    value -= step * (m - v[j] - 0.5 * curvature * step)
    // At a bound exactly, not all but.
    beta[i] = step === roomI ? upper[i] : beta[i] + step
    beta[j] = step === roomJ ? lower[j] : beta[j] - step
    if (groups) {
      for (let k = 0; k < size; k++) v[k] -= step * (rowI[k] - rowJ[k])
      ;({ i, m, M } = worstExtremes(box, beta, v))
      continue
    }
    // One pass for the step and for the next choice of i.
    i = -1
    m = Number.NEGATIVE_INFINITY
    M = Number.POSITIVE_INFINITY
    for (let k = 0; k < size; k++) {
      const value = v[k] - step * (rowI[k] - rowJ[k])
      v[k] = value
      if (value > m && beta[k] < upper[k]) {
        m = value
        i = k
      }
      if (value < M && beta[k] > lower[k]) M = value
    }
  }
}

/** m, the variable i that has it, and M: of the group where they are farthest apart. */
function worstExtremes(
  { lower, upper, groups }: Pick<GeneralForm, 'lower' | 'upper' | 'groups'>,
  beta: Float64Array,
  v: Float64Array,
): { i: number; m: number; M: number } {
  let worst = { i: -1, m: Number.NEGATIVE_INFINITY, M: Number.POSITIVE_INFINITY }
  for (let group = 0; group < (groups ? 2 : 1); group++) {
    const found = { i: -1, m: Number.NEGATIVE_INFINITY, M: Number.POSITIVE_INFINITY }
    for (let k = 0; k < beta.length; k++) {
      if (groups && groups[k] !== group) continue
      if (v[k] > found.m && beta[k] < upper[k]) {
        found.m = v[k]
        found.i = k
      }
      if (v[k] < found.M && beta[k] > lower[k]) found.M = v[k]
    }
    if (group === 0 || found.m - found.M > worst.m - worst.M) worst = found
  }
  return worst
}
