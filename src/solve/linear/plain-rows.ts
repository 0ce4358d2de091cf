/** {@link LinearRows} of a matrix in plain code: for small problems, where there is no engine, and to test the engine against. */
import { allocate } from '../../base/allocate.ts'
import { plainLoops } from '../../base/conjugate-gradients.ts'
import type { Pieces } from '../../base/pieces.ts'
import { type Matrix, rowStart, storedValues } from '../../data/matrix/matrix.ts'
import { addRow, squaredNorms } from '../../data/matrix/products.ts'
import { conjugateSum, type LossTerms, lossSum, slopeAlong, slopes } from '../../problems/linear-loss.ts'
import type { Due } from '../driver/pieces.ts'
import { logisticSweep } from '../logistic/logistic-sweep.ts'
import {
  type ActiveClasses,
  type CurvedColumns,
  type FeatureList,
  LinearRows,
  type LogisticVectors,
  type QuadraticModel,
  type SweepState,
  type SweepVectors,
  Triangle,
} from './linear-rows.ts'

/** A pivot smaller than this part of its diagonal is rounding: its variable stays where it is. As in assembly/linear/gram.ts, to which this is the plain form. */
const LEAST_PIVOT = 1e-14
/** Stands for such a pivot: its square is still a double. As in assembly/dual/cholesky.ts. */
const HUGE = 1e150
/** As in assembly/linear/coordinates.ts: halvings of a step until the objective falls, and the part of the promised fall that it has to bring. */
const MOST_HALVINGS = 20
const ENOUGH = 0.01

/** In the order of a sweep: a sample that has been left out in this epoch. */
const LEFT_OUT = 2 ** 32 - 1

/** See the header of the file. */
export class PlainRows extends LinearRows {
  private knownNorms: Float64Array | undefined

  constructor(matrix: Matrix, constant: number) {
    super(matrix, constant, storedValues(matrix))
  }

  protected of(matrix: Matrix, constant = this.constant): PlainRows {
    return new PlainRows(matrix, constant)
  }

  get squaredNorms(): Float64Array {
    const own = this.constant ** 2
    this.knownNorms ??= squaredNorms(this.matrix).map((norm) => norm + own)
    return this.knownNorms
  }

  vector(length: number): Float64Array {
    return allocate(Float64Array, length)
  }

  list(length: number): Uint32Array {
    return new Uint32Array(length)
  }

  /** Plain arrays are the runtime's to forget. */
  mark(): number {
    return 0
  }

  release(): void {}

  values(w: Float64Array, out: Float64Array): void {
    const carried = this.constant * w[this.cols]
    for (let i = 0; i < this.rows; i++) out[i] = rowDot(this.matrix, i, w) + carried
  }

  combine(factors: Float64Array, out: Float64Array): void {
    out.fill(0)
    let total = 0
    for (let i = 0; i < this.rows; i++) {
      if (factors[i] === 0) continue
      addRow(this.matrix, i, factors[i], out)
      total += factors[i]
    }
    out[this.cols] += this.constant * total
  }

  product(factors: Float64Array, x: Float64Array, out: Float64Array): void {
    const carried = this.constant * x[this.cols]
    out.fill(0)
    let total = 0
    for (let i = 0; i < this.rows; i++) {
      if (factors[i] === 0) continue
      const factor = factors[i] * (rowDot(this.matrix, i, x) + carried)
      addRow(this.matrix, i, factor, out)
      total += factor
    }
    out[this.cols] += this.constant * total
  }

  squares(factors: Float64Array, out: Float64Array): void {
    const { matrix, constant } = this
    out.fill(0)
    let total = 0
    for (let i = 0; i < this.rows; i++) {
      if (factors[i] === 0) continue
      const start = rowStart(matrix, i)
      for (let k = start; k < rowStart(matrix, i + 1); k++) {
        const value = matrix.values[k]
        out[columnAt(matrix, start, k)] += factors[i] * value * value
      }
      total += factors[i]
    }
    out[this.cols] += constant * constant * total
  }

  classValues(w: Float64Array, k: number, out: Float64Array): void {
    const { matrix, constant, rows, cols } = this
    for (let i = 0; i < rows; i++) {
      const to = i * k
      for (let m = 0; m < k; m++) out[to + m] = constant * w[cols * k + m]
      const start = rowStart(matrix, i)
      for (let e = start; e < rowStart(matrix, i + 1); e++) {
        const value = matrix.values[e]
        const own = columnAt(matrix, start, e) * k
        for (let m = 0; m < k; m++) out[to + m] += value * w[own + m]
      }
    }
  }

  classCombine(factors: Float64Array, k: number, out: Float64Array): void {
    out.fill(0)
    for (let i = 0; i < this.rows; i++) {
      for (let m = 0; m < k; m++)
        if (factors[i * k + m] !== 0) this.addToClass(i, factors[i * k + m], k, m, out)
    }
  }

  /** Adds a multiple of row i to the weights of class m. */
  private addToClass(i: number, factor: number, k: number, m: number, out: Float64Array): void {
    const { matrix, constant, cols } = this
    const start = rowStart(matrix, i)
    for (let e = start; e < rowStart(matrix, i + 1); e++) {
      out[columnAt(matrix, start, e) * k + m] += factor * matrix.values[e]
    }
    out[cols * k + m] += factor * constant
  }

  classProduct(active: ActiveClasses, k: number, x: Float64Array, out: Float64Array): void {
    const { matrix, constant, cols } = this
    const { count, samples, starts, classes, curvature } = active
    const sums = new Float64Array(k)
    out.fill(0)
    for (let a = 0; a < count; a++) {
      const i = samples[a]
      const start = rowStart(matrix, i)
      const end = rowStart(matrix, i + 1)
      const size = starts[a + 1] - starts[a]
      let mean = 0
      for (let s = 0; s < size; s++) {
        const m = classes[starts[a] + s]
        let sum = constant * x[cols * k + m]
        for (let e = start; e < end; e++) sum += matrix.values[e] * x[columnAt(matrix, start, e) * k + m]
        sums[s] = sum
        mean += sum / size
      }
      for (let s = 0; s < size; s++) {
        this.addToClass(i, curvature[a] * (sums[s] - mean), k, classes[starts[a] + s], out)
      }
    }
  }

  dot(a: Float64Array, b: Float64Array, count = a.length): number {
    return rowDot({ kind: 'dense', rows: 1, cols: count, values: a }, 0, b)
  }

  readonly addScaled = plainLoops.addScaled
  readonly scaleAndAdd = plainLoops.scaleAndAdd

  addProductsOf(factor: number, a: Float64Array, b: Float64Array, to: Float64Array): void {
    for (let i = 0; i < to.length; i++) to[i] = factor * to[i] + a[i] * b[i]
  }

  invert(factor: number, added: Float64Array, values: Float64Array): void {
    for (let i = 0; i < values.length; i++) {
      const own = added[i] + factor * values[i]
      values[i] = own > 0 ? 1 / own : 1
    }
  }

  difference(a: Float64Array, b: Float64Array, out: Float64Array): number {
    let count = 0
    for (let i = 0; i < out.length; i++) {
      out[i] = a[i] - b[i]
      if (out[i] !== 0) count++
    }
    return count
  }

  countPositive(values: Float64Array): number {
    let count = 0
    for (const value of values) if (value > 0) count++
    return count
  }

  terms(terms: LossTerms): LossTerms {
    return terms
  }

  readonly slopes = slopes
  readonly lossSum = lossSum
  readonly conjugateSum = conjugateSum
  readonly slopeAlong = slopeAlong

  triangle(n: number): PlainTriangle {
    return new PlainTriangle(n)
  }

  *addGram(factors: Float64Array, { values: sums }: Triangle, due: Due): Pieces {
    const { matrix, constant, cols } = this
    const { values } = matrix
    const last = rowOf(cols)
    for (let i = 0; i < this.rows; i++) {
      const factor = factors[i]
      if (factor === 0) continue
      const start = rowStart(matrix, i)
      const end = rowStart(matrix, i + 1)
      for (let k = start; k < end; k++) {
        const scaled = factor * values[k]
        if (scaled === 0) continue
        const column = columnAt(matrix, start, k)
        const row = rowOf(column)
        if (matrix.kind === 'dense') {
          for (let m = start; m <= k; m++) sums[row + m - start] += scaled * values[m]
        } else {
          // Columns ascend within a row.
          const { indices } = matrix
          for (let m = start; m <= k; m++) sums[row + indices[m]] += scaled * values[m]
        }
        sums[last + column] += constant * scaled
      }
      sums[last + cols] += constant * constant * factor
      if (due()) yield
    }
  }

  *rowGram(list: Uint32Array, count: number, target: Triangle, due: Due): Pieces {
    const { matrix, constant, cols } = this
    const { values } = target
    const dense = new Float64Array(cols + 1)
    for (let a = 0; a < count; a++) {
      addRow(matrix, list[a], 1, dense)
      for (let b = 0; b <= a; b++) values[rowOf(a) + b] = constant * constant + rowDot(matrix, list[b], dense)
      dense.fill(0)
      if (due()) yield
    }
  }

  sweep(vectors: SweepVectors, state: SweepState, steps: number): void {
    const { matrix, constant, cols } = this
    const { order, turns, block, beta, z, lower, upper, shift, curvature, w, epsilon } = vectors
    const { active, heldAtZero, heldAtBound } = state
    let { turn, changes, highest, lowest, total } = state
    const blocks = Math.ceil(active / block)
    for (let visits = 0; visits < steps && turn < blocks; turn++) {
      const from = turns[turn] * block
      const to = Math.min(active, from + block)
      visits += to - from
      for (let place = from; place < to; place++) {
        const i = order[place]
        const old = beta[i]
        const low = lower[i]
        const high = upper[i]
        const gradient = rowDot(matrix, i, w) + constant * w[cols] - z[i] + shift[i] * old
        // The slopes of the dual for a rise and for a fall of β_i.
        const rise = gradient + (old >= 0 ? epsilon : -epsilon)
        const fall = gradient + (old > 0 ? epsilon : -epsilon)
        const isHeldDown = rise > (low === 0 ? heldAtZero : heldAtBound)
        const isHeldUp = -fall > (low === 0 ? heldAtBound : heldAtZero)
        if (
          (old === low && isHeldDown) ||
          (old === high && isHeldUp) ||
          (old === 0 && isHeldDown && isHeldUp)
        ) {
          order[place] = LEFT_OUT
          continue
        }
        const projected = old < high && rise < 0 ? rise : old > low && fall > 0 ? fall : 0
        if (projected === 0) continue
        // Of classes, the sign is that of the label, as LIBLINEAR has it.
        const signed = low === 0 ? projected : high === 0 ? -projected : projected
        if (signed > highest) highest = signed
        if (signed < lowest) lowest = signed
        total += Math.abs(projected)
        const ifPositive = old - (gradient + epsilon) / curvature[i]
        const ifNegative = old - (gradient - epsilon) / curvature[i]
        const moved =
          ifPositive > 0 ? Math.min(high, ifPositive) : ifNegative < 0 ? Math.max(low, ifNegative) : 0
        if (moved === old) continue
        beta[i] = moved
        addRow(matrix, i, moved - old, w)
        w[cols] += (moved - old) * constant
        changes++
      }
    }
    const left = turn < blocks ? active : closeUp(order, active)
    Object.assign(state, { turn, active: left, changes, highest, lowest, total })
  }

  logisticSweep(vectors: LogisticVectors, from: number, to: number, least: number): void {
    const { matrix, constant, cols } = this
    const { w } = vectors
    const valueAt = (i: number) => rowDot(matrix, i, w) + constant * w[cols]
    const add = (i: number, factor: number) => {
      addRow(matrix, i, factor, w)
      w[cols] += factor * constant
    }
    logisticSweep(vectors, valueAt, add, from, to, least)
  }

  gramEpochs(
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

  columnEpoch(
    { penalised, v, w, d }: QuadraticModel,
    list: FeatureList,
    { h, floor, diagonal }: CurvedColumns,
    image: Float64Array,
    margin: number,
  ): number {
    const { matrix } = this
    const { order, active } = list
    let total = 0
    for (let position = 0; position < active[0]; ) {
      const j = order[position]
      const penalty = j < penalised ? 1 : 0
      const slope = rowDot(matrix, j, image) + floor[j] * d[j] - v[j]
      const weight = w[j] + d[j]
      const violation = violationOf(weight, slope, penalty)
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
      const start = rowStart(matrix, j)
      for (let k = start; k < rowStart(matrix, j + 1); k++) {
        const i = columnAt(matrix, start, k)
        image[i] += step * matrix.values[k] * h[i]
      }
    }
    return total
  }

  lossEpoch(
    { penalised, w }: Pick<QuadraticModel, 'penalised' | 'w'>,
    list: FeatureList,
    s: Float64Array,
    squares: Float64Array,
    price: number,
    margin: number,
  ): number {
    const { matrix } = this
    const { values } = matrix
    const { order, active } = list
    let total = 0
    for (let position = 0; position < active[0]; ) {
      const j = order[position]
      const penalty = j < penalised ? price : 0
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
}

/** Takes those left out from the first `count` of the order; returns how many there are then. */
function closeUp(order: Uint32Array, count: number): number {
  let kept = 0
  for (let place = 0; place < count; place++) if (order[place] !== LEFT_OUT) order[kept++] = order[place]
  return kept
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

/** ⟨x_i, w⟩ in four sums, of every fourth value each, as assembly/linear/rows.ts adds it up. */
function rowDot(matrix: Matrix, i: number, w: Float64Array): number {
  const { values } = matrix
  const start = rowStart(matrix, i)
  const end = rowStart(matrix, i + 1)
  const whole = start + ((end - start) & ~3)
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let k = start
  if (matrix.kind === 'dense') {
    for (let j = 0; k < whole; k += 4, j += 4) {
      a += values[k] * w[j]
      b += values[k + 1] * w[j + 1]
      c += values[k + 2] * w[j + 2]
      d += values[k + 3] * w[j + 3]
    }
    for (; k < end; k++) a += values[k] * w[k - start]
  } else {
    const { indices } = matrix
    for (; k < whole; k += 4) {
      a += values[k] * w[indices[k]]
      b += values[k + 1] * w[indices[k + 1]]
      c += values[k + 2] * w[indices[k + 2]]
      d += values[k + 3] * w[indices[k + 3]]
    }
    for (; k < end; k++) a += values[k] * w[indices[k]]
  }
  return a + b + (c + d)
}

function columnAt(matrix: Matrix, start: number, k: number): number {
  return matrix.kind === 'dense' ? k - start : matrix.indices[k]
}

/** Where row i of a packed lower triangle starts. */
function rowOf(i: number): number {
  return (i * (i + 1)) / 2
}

/** A symmetric matrix, packed row behind row. */
export class PlainTriangle extends Triangle {
  constructor(size: number, values: Float64Array = allocate(Float64Array, rowOf(size))) {
    super(size, values)
  }

  protected startOf(i: number): number {
    return rowOf(i)
  }

  *factor(due: Due): Pieces {
    const { values: L, size } = this
    for (let i = 0; i < size; i++) {
      const row = rowOf(i)
      for (let j = 0; j <= i; j++) {
        const other = rowOf(j)
        let sum = L[row + j]
        for (let k = 0; k < j; k++) sum -= L[row + k] * L[other + k]
        if (j < i) L[row + j] = sum / L[other + j]
        else L[row + i] = sum > LEAST_PIVOT * L[row + i] ? Math.sqrt(sum) : HUGE
      }
      if (due()) yield
    }
  }

  solve(b: Float64Array): void {
    const { values: L, size } = this
    for (let i = 0; i < size; i++) {
      const row = rowOf(i)
      let sum = b[i]
      for (let k = 0; k < i; k++) sum -= L[row + k] * b[k]
      b[i] = sum / L[row + i]
    }
    for (let i = size - 1; i >= 0; i--) {
      const row = rowOf(i)
      b[i] /= L[row + i]
      for (let k = 0; k < i; k++) b[k] -= b[i] * L[row + k]
    }
  }
}
