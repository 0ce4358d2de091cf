/**
 * Coordinate descent over features, in plain code: what {@link LinearRows} has of it, for PlainRows. assembly/linear/coordinates.ts does the
 * same, operation by operation.
 */
import { columnAt, type Matrix, rowStart } from '../../data/matrix/matrix.ts'
import type { CurvedColumns, FeatureList, QuadraticModel } from './linear-rows.ts'

/** As in assembly/linear/coordinates.ts: halvings of a step until the objective falls, and the part of the promised fall that it has to bring. */
const MOST_HALVINGS = 20
const ENOUGH = 0.01

/** See {@link LinearRows.gramEpochs}. */
export function gramEpochs(
  { penalised, v, w, d }: QuadraticModel,
  square: Float64Array,
  image: Float64Array,
  epochs: number,
  aim: number,
): number {
  const n = d.length
  let total = 0
  for (let epoch = 0; epoch < epochs; epoch++) {
    total = 0
    for (let j = 0; j < n; j++) {
      const penalty = j < penalised ? 1 : 0
      const slope = image[j] - v[j]
      const weight = w[j] + d[j]
      const violation = violationOf(weight, slope, penalty)
      if (violation === 0) continue
      total += violation
      const row = j * n
      if (!(square[row + j] > 0)) continue
      const step = stepOf(weight, slope, penalty, square[row + j])
      d[j] = step === -weight ? -w[j] : d[j] + step
      for (let k = 0; k < n; k++) image[k] += step * square[row + k]
    }
    if (total <= aim) break
  }
  return total
}

/** See {@link LinearRows.columnEpoch}. */
export function columnEpoch(
  matrix: Matrix,
  { penalised, v, w, d }: QuadraticModel,
  list: FeatureList,
  { pairs, floor, diagonal }: CurvedColumns,
  margin: number,
): number {
  const { order, active } = list
  let total = 0
  active[1] = 0
  for (let position = 0; position < active[0]; ) {
    const j = order[position]
    const penalty = j < penalised ? 1 : 0
    const slope = pairDot(matrix, j, pairs) + floor[j] * d[j] - v[j]
    const weight = w[j] + d[j]
    const violation = violationOf(weight, slope, penalty)
    if (diagonal[j] === 0) diagonal[j] = floor[j] + pairSquares(matrix, j, pairs)
    if (violation === 0) {
      if (weight === 0 && Math.abs(slope) < penalty - margin) leaveOut(list, position)
      else position++
      continue
    }
    position++
    total += violation
    if (!(diagonal[j] > 0)) continue
    const step = stepOf(weight, slope, penalty, diagonal[j])
    d[j] = step === -weight ? -w[j] : d[j] + step
    if (weight * (weight + step) <= 0) active[1]++
    const start = rowStart(matrix, j)
    for (let k = start; k < rowStart(matrix, j + 1); k++) {
      const i = columnAt(matrix, start, k)
      pairs[2 * i + 1] += step * matrix.values[k] * pairs[2 * i]
    }
  }
  return total
}

/** Σ x_ij times the second of pair i along row j, in four sums as `rowDotInFour` has them (../../data/matrix/products.ts). */
function pairDot(matrix: Matrix, j: number, pairs: Float64Array): number {
  const { values } = matrix
  const start = rowStart(matrix, j)
  const end = rowStart(matrix, j + 1)
  const whole = start + ((end - start) & ~3)
  const sums = [0, 0, 0, 0]
  for (let k = start; k < end; k++) {
    const own = k < whole ? (k - start) & 3 : 0
    sums[own] += values[k] * pairs[2 * columnAt(matrix, start, k) + 1]
  }
  return sums[0] + sums[1] + (sums[2] + sums[3])
}

/** Σ x_ij² times the first of pair i along row j. */
function pairSquares(matrix: Matrix, j: number, pairs: Float64Array): number {
  const start = rowStart(matrix, j)
  let sum = 0
  for (let k = start; k < rowStart(matrix, j + 1); k++) {
    const value = matrix.values[k]
    sum += value * value * pairs[2 * columnAt(matrix, start, k)]
  }
  return sum
}

/** See {@link LinearRows.lossEpoch}. */
export function lossEpoch(
  matrix: Matrix,
  { penalised, w }: Pick<QuadraticModel, 'penalised' | 'w'>,
  list: FeatureList,
  s: Float64Array,
  squares: Float64Array,
  margin: number,
): number {
  const { values } = matrix
  const { order, active } = list
  let total = 0
  for (let position = 0; position < active[0]; ) {
    const j = order[position]
    const penalty = j < penalised ? 1 : 0
    const start = rowStart(matrix, j)
    const end = rowStart(matrix, j + 1)
    let slope = 0
    let curvature = 0
    for (let k = start; k < end; k++) {
      const own = s[columnAt(matrix, start, k)]
      slope -= values[k] * Math.max(own, 0)
      curvature += own > 0 ? values[k] * values[k] : 0
    }
    const weight = w[j]
    const violation = violationOf(weight, slope, penalty)
    if (violation === 0) {
      if (weight === 0 && Math.abs(slope) < penalty - margin) leaveOut(list, position)
      else position++
      continue
    }
    position++
    total += violation
    if (!(curvature > 0)) continue
    let step = stepOf(weight, slope, penalty, curvature)
    let promised = slope * step + penalty * (Math.abs(weight + step) - Math.abs(weight))
    for (let halvings = 0; halvings < MOST_HALVINGS; halvings++) {
      const rise = penalty * (Math.abs(weight + step) - Math.abs(weight)) - ENOUGH * promised
      // No loss bends more than all samples would; where that is not enough, the losses themselves.
      let isLower = 0.5 * squares[j] * step * step + slope * step + rise <= 0
      if (!isLower) {
        let change = 0
        for (let k = start; k < end; k++) {
          const own = s[columnAt(matrix, start, k)]
          const before = Math.max(own, 0)
          const after = Math.max(own - step * values[k], 0)
          change += (after - before) * (after + before)
        }
        isLower = 0.5 * change + rise <= 0
      }
      if (isLower) {
        for (let k = start; k < end; k++) s[columnAt(matrix, start, k)] -= step * values[k]
        w[j] = step === -weight ? 0 : weight + step
        break
      }
      step *= 0.5
      promised *= 0.5
    }
  }
  return total
}

/** Takes the feature at a position from those that are active; the last of these takes its place. */
function leaveOut({ order, active }: FeatureList, position: number): void {
  const j = order[position]
  active[0]--
  order[position] = order[active[0]]
  order[active[0]] = j
}

/** How far the slope is from what keeps a weight; `penalty` is 1, or 0 where the norm leaves the weight out. */
function violationOf(weight: number, slope: number, penalty: number): number {
  if (weight > 0) return Math.abs(slope + penalty)
  if (weight < 0) return Math.abs(slope - penalty)
  return Math.max(Math.abs(slope) - penalty, 0)
}

/** The step to the least slope · s + ½ curvature · s² + penalty · |weight + s|. */
function stepOf(weight: number, slope: number, penalty: number, curvature: number): number {
  const rise = slope + penalty
  const fall = slope - penalty
  if (rise < curvature * weight) return -rise / curvature
  return fall > curvature * weight ? -fall / curvature : -weight
}
