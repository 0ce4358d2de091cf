/** {@link LinearRows} of a matrix in plain code: for small problems, where there is no engine, and to test the engine against. */
import { allocate } from '../../base/allocate.ts'
import { plainLoops } from '../../base/conjugate-gradients.ts'
import type { Pieces } from '../../base/pieces.ts'
import { columnAt, type Matrix, rowStart, storedValues } from '../../data/matrix/matrix.ts'
import { addRow, rowDotInFour, squaredNorms } from '../../data/matrix/products.ts'
import { conjugateSum, type LossTerms, lossSum, slopeAlong, slopes } from '../../problems/linear-loss.ts'
import { type LinearMachineProblem, termsOf } from '../../problems/linear-problem.ts'
import { classSweep } from '../classes/class-sweep.ts'
import type { Due } from '../driver/pieces.ts'
import { logisticSweep } from '../logistic/logistic-sweep.ts'
import {
  type ActiveClasses,
  type ClassMembers,
  type ClassSweepVectors,
  LinearRows,
  type ListedClasses,
  type LogisticVectors,
  type SweepState,
  type SweepVectors,
  Triangle,
} from './linear-rows.ts'
import { columnEpoch, gramEpochs, lossEpoch } from './plain-coordinates.ts'
import { gradientSpread, relist, sweep } from './plain-sweep.ts'
import { partsOf } from './row-parts.ts'

/** A pivot smaller than this part of its diagonal is rounding: its variable stays where it is. As in assembly/linear/gram.ts, to which this is the plain form. */
const LEAST_PIVOT = 1e-14
/** Stands for such a pivot: its square is still a double. As in assembly/dual/cholesky.ts. */
const HUGE = 1e150

/** See the header of the file. */
export class PlainRows extends LinearRows {
  private knownNorms: Float64Array | undefined

  constructor(matrix: Matrix, constant: number) {
    super(matrix, constant, storedValues(matrix))
  }

  of(matrix: Matrix, constant = this.constant): PlainRows {
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
    for (let i = 0; i < this.rows; i++) out[i] = rowDotInFour(this.matrix, i, w) + carried
  }

  combine(factors: Float64Array, out: Float64Array): void {
    this.inParts(this.rows, this.stored, out, (from, to, own) => {
      let total = 0
      for (let i = from; i < to; i++) {
        if (factors[i] === 0) continue
        addRow(this.matrix, i, factors[i], own)
        total += factors[i]
      }
      own[this.cols] += this.constant * total
    })
  }

  product(factors: Float64Array, x: Float64Array, out: Float64Array): void {
    const carried = this.constant * x[this.cols]
    this.inParts(this.rows, 2 * this.stored, out, (from, to, own) => {
      let total = 0
      for (let i = from; i < to; i++) {
        if (factors[i] === 0) continue
        const factor = factors[i] * (rowDotInFour(this.matrix, i, x) + carried)
        addRow(this.matrix, i, factor, own)
        total += factor
      }
      own[this.cols] += this.constant * total
    })
  }

  squares(factors: Float64Array, out: Float64Array): void {
    const { matrix, constant } = this
    this.inParts(this.rows, this.stored, out, (from, to, own) => {
      let total = 0
      for (let i = from; i < to; i++) {
        if (factors[i] === 0) continue
        const start = rowStart(matrix, i)
        for (let k = start; k < rowStart(matrix, i + 1); k++) {
          const value = matrix.values[k]
          own[columnAt(matrix, start, k)] += factors[i] * value * value
        }
        total += factors[i]
      }
      own[this.cols] += constant * constant * total
    })
  }

  /** out = a sum over `count` rows, in parts that are added in their order. */
  private inParts(
    count: number,
    work: number,
    out: Float64Array,
    add: (from: number, to: number, own: Float64Array) => void,
  ): void {
    const [{ to }, ...others] = partsOf(count, work, out.length)
    out.fill(0)
    add(0, to, out)
    for (const range of others) {
      const own = new Float64Array(out.length)
      add(range.from, range.to, own)
      plainLoops.addScaled(1, own, out)
    }
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

  listedValues(
    { count, samples, starts, classes }: ListedClasses,
    k: number,
    w: Float64Array,
    out: Float64Array,
  ): void {
    for (let a = 0; a < count; a++) {
      for (let s = starts[a]; s < starts[a + 1]; s++) out[s] = this.classValue(samples[a], w, k, classes[s])
    }
  }

  listedCombine(
    { count, samples, starts, classes }: ListedClasses,
    k: number,
    factors: Float64Array,
    out: Float64Array,
  ): void {
    out.fill(0)
    for (let a = 0; a < count; a++) {
      for (let s = starts[a]; s < starts[a + 1]; s++)
        this.addToClass(samples[a], factors[s], k, classes[s], out)
    }
  }

  classGrams({ samples, starts, places }: ClassMembers, x: Float64Array, out: Float64Array): void {
    const { matrix, constant, cols } = this
    const sums = new Float64Array(cols)
    for (let m = 0; m + 1 < starts.length; m++) {
      sums.fill(0)
      let total = 0
      for (let e = starts[m]; e < starts[m + 1]; e++) {
        const factor = x[places[e]]
        addRow(matrix, samples[e], factor, sums)
        total += factor
      }
      const carried = constant * constant * total
      for (let e = starts[m]; e < starts[m + 1]; e++) {
        out[places[e]] = rowDotInFour(matrix, samples[e], sums) + carried
      }
    }
  }

  /** ⟨x̃_i, w_m⟩ */
  private classValue(i: number, w: Float64Array, k: number, m: number): number {
    const { matrix, constant, cols } = this
    const start = rowStart(matrix, i)
    let sum = constant * w[cols * k + m]
    for (let e = start; e < rowStart(matrix, i + 1); e++) {
      sum += matrix.values[e] * w[columnAt(matrix, start, e) * k + m]
    }
    return sum
  }

  classProduct(active: ActiveClasses, k: number, x: Float64Array, out: Float64Array): void {
    out.fill(0)
    for (let a = 0; a < active.count; ) {
      const end = endOfRun(active, a)
      if (end - a >= this.leastRun) {
        this.addRunProducts(active, a, end, k, x, out)
        a = end
      } else
        for (const next = Math.max(end, a + 1); a < next; a++) this.addSampleProduct(active, a, k, x, out)
    }
  }

  /** Of samples between the same two classes: only the difference of their weights counts. */
  private addRunProducts(
    { samples, starts, classes, curvature }: ActiveClasses,
    from: number,
    to: number,
    k: number,
    x: Float64Array,
    out: Float64Array,
  ): void {
    const { matrix, constant, cols } = this
    const m = classes[starts[from]]
    const l = classes[starts[from] + 1]
    const difference = new Float64Array(cols + 1)
    const added = new Float64Array(cols + 1)
    for (let j = 0; j <= cols; j++) difference[j] = x[j * k + m] - x[j * k + l]
    const carried = constant * difference[cols]
    let total = 0
    for (let a = from; a < to; a++) {
      const factor = 0.5 * curvature[a] * (rowDotInFour(matrix, samples[a], difference) + carried)
      addRow(matrix, samples[a], factor, added)
      total += factor
    }
    added[cols] = constant * total
    for (let j = 0; j <= cols; j++) {
      out[j * k + m] += added[j]
      out[j * k + l] -= added[j]
    }
  }

  private addSampleProduct(
    { samples, starts, classes, curvature }: ActiveClasses,
    a: number,
    k: number,
    x: Float64Array,
    out: Float64Array,
  ): void {
    const i = samples[a]
    const size = starts[a + 1] - starts[a]
    const sums = new Float64Array(size)
    let mean = 0
    for (let s = 0; s < size; s++) {
      sums[s] = this.classValue(i, x, k, classes[starts[a] + s])
      mean += sums[s] / size
    }
    for (let s = 0; s < size; s++) {
      this.addToClass(i, curvature[a] * (sums[s] - mean), k, classes[starts[a] + s], out)
    }
  }

  dot(a: Float64Array, b: Float64Array, count = a.length): number {
    return rowDotInFour({ kind: 'dense', rows: 1, cols: count, values: a }, 0, b)
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

  termsOf(problem: LinearMachineProblem): LossTerms {
    return termsOf(problem)
  }

  slopes(terms: LossTerms, f: Float64Array, beta: Float64Array, curvature: Float64Array): number {
    let sum = 0
    for (const { from, to } of this.lossParts) {
      const [own, bends] = [beta, curvature].map((vector) => vector.subarray(from, to))
      sum += slopes(termsBetween(terms, from, to), f.subarray(from, to), own, bends)
    }
    return sum
  }

  lossSum(terms: LossTerms, f: Float64Array): number {
    let sum = 0
    for (const { from, to } of this.lossParts)
      sum += lossSum(termsBetween(terms, from, to), f.subarray(from, to))
    return sum
  }

  readonly conjugateSum = conjugateSum

  slopeAlong(
    terms: LossTerms,
    f: Float64Array,
    q: Float64Array,
    t: number,
  ): { readonly slope: number; readonly bend: number } {
    const sums = { slope: 0, bend: 0 }
    for (const { from, to } of this.lossParts) {
      const own = termsBetween(terms, from, to)
      const { slope, bend } = slopeAlong(own, f.subarray(from, to), q.subarray(from, to), t)
      sums.slope += slope
      sums.bend += bend
    }
    return sums
  }

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
      for (let b = 0; b <= a; b++)
        values[rowOf(a) + b] = constant * constant + rowDotInFour(matrix, list[b], dense)
      dense.fill(0)
      if (due()) yield
    }
  }

  sweep(vectors: SweepVectors, state: SweepState, steps: number): void {
    sweep(this.matrix, this.constant, vectors, state, steps)
  }

  gradientSpread(vectors: SweepVectors, state: SweepState, f: Float64Array): void {
    gradientSpread(vectors, state, f)
  }

  relist(vectors: SweepVectors, state: SweepState, f: Float64Array): void {
    relist(vectors, state, f)
  }

  logisticSweep(vectors: LogisticVectors, from: number, to: number, least: number): void {
    const { matrix, constant, cols } = this
    const { w } = vectors
    const valueAt = (i: number) => rowDotInFour(matrix, i, w) + constant * w[cols]
    const add = (i: number, factor: number) => {
      addRow(matrix, i, factor, w)
      w[cols] += factor * constant
    }
    logisticSweep(vectors, valueAt, add, from, to, least)
  }

  classSweep(vectors: ClassSweepVectors, visits: number): void {
    classSweep(this.matrix, this.constant, vectors, visits)
  }

  gramEpochs(...of: Parameters<LinearRows['gramEpochs']>): number {
    return gramEpochs(...of)
  }

  columnEpoch(...of: Parameters<LinearRows['columnEpoch']>): number {
    return columnEpoch(this.matrix, ...of)
  }

  lossEpoch(...of: Parameters<LinearRows['lossEpoch']>): number {
    return lossEpoch(this.matrix, ...of)
  }
}

/** Where the samples that begin at place a and are between the same two classes end; a itself where it is between others. */
function endOfRun({ count, starts, classes }: ActiveClasses, a: number): number {
  const first = starts[a]
  if (starts[a + 1] - first !== 2) return a
  let end = a + 1
  for (; end < count; end++) {
    const start = starts[end]
    if (starts[end + 1] - start !== 2) break
    if (classes[start] !== classes[first] || classes[start + 1] !== classes[first + 1]) break
  }
  return end
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

/** The losses of some of the samples. */
function termsBetween(terms: LossTerms, from: number, to: number): LossTerms {
  const [z, lower, upper, shift] = [terms.z, terms.lower, terms.upper, terms.shift].map((vector) =>
    vector.subarray(from, to),
  )
  return { ...terms, z, lower, upper, shift }
}
