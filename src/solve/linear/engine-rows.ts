/** {@link LinearRows} of a matrix in the engine's memory (assembly/linear/). Its vectors are there, too. */
import type { Pieces } from '../../base/pieces.ts'
import type { Matrix } from '../../data/matrix/matrix.ts'
import { type EngineMatrix, uploadExact } from '../../engine/matrix/engine-matrix.ts'
import type { SamplesOnEngine } from '../../engine/matrix/samples-on-engine.ts'
import type { Engine, EngineArray } from '../../engine/memory/engine.ts'
import { readFields, writeFields } from '../../engine/memory/fields.ts'
import { conjugateSum, type LossTerms, lossSum, slopeAlong, slopes } from '../../problems/linear-loss.ts'
import type { Due } from '../driver/pieces.ts'
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

/** Multiply-adds between two looks at the clock: about a millisecond. */
const WORK_PER_LOOK = 1e6
/** Rows that are added to a Gram matrix together: the matrix passes through the cache once for all of them. */
const LEAST_TOGETHER = 16

/** See the header of the file. */
export class EngineRows extends LinearRows {
  private readonly engine: Engine
  private readonly uploaded: EngineMatrix
  private readonly sweeps = new Map<SweepVectors, number>()
  /** The LOSSES of the call under way. */
  private readonly losses: number
  private readonly bend: EngineArray<Float64Array>

  constructor(engine: Engine, matrix: Matrix, constant: number) {
    const uploaded = uploadExact(engine, matrix)
    super(matrix, constant, uploaded.exact.length)
    this.engine = engine
    this.uploaded = uploaded
    this.bend = engine.array(Float64Array, 1)
    this.losses = engine.structure('LOSSES', {})
  }

  override get place(): SamplesOnEngine {
    return { engine: this.engine, samples: this.uploaded, origin: this.matrix, kernelPointer: 0 }
  }

  protected of(matrix: Matrix, constant = this.constant): EngineRows {
    return new EngineRows(this.engine, matrix, constant)
  }

  get squaredNorms(): Float64Array {
    const own = this.constant ** 2
    return this.uploaded.exactNorms.map((norm) => norm + own)
  }

  vector(length: number): Float64Array {
    return this.engine.array(Float64Array, length).fill(0)
  }

  list(length: number): Uint32Array {
    return this.engine.array(Uint32Array, length).fill(0)
  }

  mark(): number {
    return this.engine.mark()
  }

  release(mark: number): void {
    this.engine.release(mark)
  }

  values(w: Float64Array, out: Float64Array): void {
    const { uploaded, constant, rows } = this
    this.engine.exports.rowValues(uploaded.pointer, constant, at(w), 0, rows, at(out))
  }

  combine(factors: Float64Array, out: Float64Array): void {
    const { uploaded, constant, rows } = this
    out.fill(0)
    this.engine.exports.addRows(uploaded.pointer, constant, at(factors), 0, rows, at(out))
  }

  product(factors: Float64Array, x: Float64Array, out: Float64Array): void {
    const { uploaded, constant, rows } = this
    out.fill(0)
    this.engine.exports.addProducts(uploaded.pointer, constant, at(factors), 0, rows, at(x), at(out))
  }

  squares(factors: Float64Array, out: Float64Array): void {
    const { uploaded, constant, rows } = this
    out.fill(0)
    this.engine.exports.addSquares(uploaded.pointer, constant, at(factors), 0, rows, at(out))
  }

  classValues(w: Float64Array, k: number, out: Float64Array): void {
    const { uploaded, constant, rows } = this
    this.engine.exports.classValues(uploaded.pointer, constant, at(w), k, 0, rows, at(out))
  }

  classCombine(factors: Float64Array, k: number, out: Float64Array): void {
    const { uploaded, constant, rows } = this
    out.fill(0)
    this.engine.exports.addClassRows(uploaded.pointer, constant, at(factors), k, 0, rows, at(out))
  }

  classProduct(active: ActiveClasses, k: number, x: Float64Array, out: Float64Array): void {
    const { engine, uploaded, constant } = this
    const { count, samples, starts, classes, curvature } = active
    const list = (numbers: Uint32Array) => (numbers as EngineArray<Uint32Array>).pointer
    const mark = engine.mark()
    const sums = engine.array(Float64Array, k)
    out.fill(0)
    engine.exports.addClassProducts(
      uploaded.pointer,
      constant,
      list(samples),
      list(starts),
      list(classes),
      at(curvature),
      count,
      k,
      at(x),
      sums.pointer,
      at(out),
    )
    engine.release(mark)
  }

  dot(a: Float64Array, b: Float64Array, count = a.length): number {
    return this.engine.exports.dot(count, at(a), at(b))
  }

  scaleAndAdd(factor: number, from: Float64Array, to: Float64Array): void {
    this.engine.exports.scaleAndAdd(to.length, factor, at(from), at(to))
  }

  addProductsOf(factor: number, a: Float64Array, b: Float64Array, to: Float64Array): void {
    this.engine.exports.addProductsOf(to.length, factor, at(a), at(b), at(to))
  }

  invert(factor: number, added: Float64Array, values: Float64Array): void {
    this.engine.exports.invert(values.length, factor, at(added), at(values))
  }

  addScaled(factor: number, from: Float64Array, to: Float64Array): void {
    this.engine.exports.addScaled(to.length, factor, at(from), at(to))
  }

  difference(a: Float64Array, b: Float64Array, out: Float64Array): number {
    return this.engine.exports.difference(out.length, at(a), at(b), at(out))
  }

  countPositive(values: Float64Array): number {
    return this.engine.exports.countPositive(values.length, at(values))
  }

  terms(terms: LossTerms): LossTerms {
    const { engine } = this
    const [z, lower, upper, shift] = [terms.z, terms.lower, terms.upper, terms.shift].map((own) =>
      engine.copy(own),
    )
    return { ...terms, z, lower, upper, shift }
  }

  slopes(terms: LossTerms, f: Float64Array, beta: Float64Array, curvature: Float64Array): number {
    const losses = this.writeLosses(terms, f, beta, curvature)
    if (losses === undefined) return slopes(terms, f, beta, curvature)
    return this.engine.exports.lossSlopes(losses, at(f), at(beta), at(curvature))
  }

  lossSum(terms: LossTerms, f: Float64Array): number {
    const losses = this.writeLosses(terms, f)
    return losses === undefined ? lossSum(terms, f) : this.engine.exports.lossSum(losses, at(f))
  }

  conjugateSum(terms: LossTerms, beta: Float64Array): number {
    const losses = terms.isLogistic ? undefined : this.writeLosses(terms, beta)
    if (losses === undefined) return conjugateSum(terms, beta)
    return this.engine.exports.conjugateSum(losses, at(beta))
  }

  slopeAlong(
    terms: LossTerms,
    f: Float64Array,
    q: Float64Array,
    t: number,
  ): { readonly slope: number; readonly bend: number } {
    const losses = this.writeLosses(terms, f, q)
    if (losses === undefined) return slopeAlong(terms, f, q, t)
    const slope = this.engine.exports.slopeAlong(losses, at(f), at(q), t, this.bend.pointer)
    return { slope, bend: this.bend[0] }
  }

  /** Where the engine finds these losses; undefined unless they and the vectors are in its memory. */
  private writeLosses(terms: LossTerms, ...vectors: readonly Float64Array[]): number | undefined {
    const { isLogistic, z, lower, upper, shift, epsilon } = terms
    if (![z, lower, upper, shift, ...vectors].every((vector) => 'pointer' in vector)) return undefined
    writeFields(this.engine.memory, 'LOSSES', this.losses, {
      count: z.length,
      isLogistic: Number(isLogistic),
      ...{ z: at(z), lower: at(lower), upper: at(upper), shift: at(shift) },
      epsilon,
    })
    return this.losses
  }

  triangle(n: number): Triangle {
    return new EngineTriangle(this.engine, n)
  }

  *addGram(factors: Float64Array, target: Triangle, due: Due): Pieces {
    const { engine, uploaded, constant, rows } = this
    const { pointer } = target as EngineTriangle
    const mark = engine.mark()
    const list = engine.array(Uint32Array, rows) as EngineArray<Uint32Array>
    let count = 0
    for (let i = 0; i < rows; i++) if (factors[i] !== 0) list[count++] = i
    const block = Math.max(LEAST_TOGETHER, Math.ceil((2 * WORK_PER_LOOK) / (this.meanSquare + 1)))
    for (let from = 0; from < count; from += block) {
      const to = Math.min(count, from + block)
      engine.exports.addGram(uploaded.pointer, constant, at(factors), list.pointer, from, to, pointer)
      if (due()) yield
    }
    engine.release(mark)
  }

  *rowGram(list: Uint32Array, count: number, target: Triangle, due: Due): Pieces {
    const { engine, uploaded, constant, cols } = this
    const mark = engine.mark()
    const listed = engine.copy(list.subarray(0, count))
    const dense = engine.array(Float64Array, cols + 1).fill(0) as EngineArray<Float64Array>
    const { pointer } = target as EngineTriangle
    const block = Math.ceil(WORK_PER_LOOK / ((count * this.stored) / this.rows + 1))
    for (let from = 0; from < count; from += block) {
      const to = Math.min(count, from + block)
      engine.exports.rowGram(uploaded.pointer, constant, listed.pointer, from, to, dense.pointer, pointer)
      if (due()) yield
    }
    engine.release(mark)
  }

  sweep(vectors: SweepVectors, state: SweepState, steps: number): void {
    const { engine, uploaded, constant } = this
    const { order, turns, block, beta, z, lower, upper, shift, curvature, w, epsilon } = vectors
    let pointer = this.sweeps.get(vectors)
    if (pointer === undefined) {
      pointer = engine.structure('SWEEP', {
        matrix: uploaded.pointer,
        ...{ order: at(order), turns: at(turns) },
        ...{ beta: at(beta), z: at(z), lower: at(lower), upper: at(upper) },
        ...{ shift: at(shift), curvature: at(curvature), w: at(w) },
        constant,
        epsilon,
      })
      this.sweeps.set(vectors, pointer)
    }
    writeFields(engine.memory, 'SWEEP', pointer, { ...state })
    engine.exports.sweep(pointer, block, steps)
    const { turn, active, changes, highest, lowest, total } = readFields(engine.memory, 'SWEEP', pointer)
    Object.assign(state, { turn, active, changes, highest, lowest, total })
  }

  logisticSweep(vectors: LogisticVectors, from: number, to: number, least: number): void {
    const { engine, uploaded, constant } = this
    const { order, turns, block, z, price, squares, beta, wanted, w, sums } = vectors
    engine.exports.logisticSweep(
      ...([uploaded.pointer, constant, at(order), order.length, at(turns), block, from, to] as const),
      ...([at(z), at(price), at(squares), at(beta), at(wanted), at(w), least, at(sums)] as const),
    )
  }

  gramEpochs(
    { penalised, v, w, d }: QuadraticModel,
    square: Float64Array,
    image: Float64Array,
    epochs: number,
    aim: number,
  ): number {
    const { exports } = this.engine
    return exports.gramEpochs(d.length, penalised, at(square), at(v), at(w), at(d), at(image), epochs, aim)
  }

  columnEpoch(
    { penalised, v, w, d }: QuadraticModel,
    { order, active }: FeatureList,
    { h, floor, diagonal }: CurvedColumns,
    image: Float64Array,
    margin: number,
  ): number {
    return this.engine.exports.columnEpoch(
      this.uploaded.pointer,
      penalised,
      at(order),
      at(active),
      at(v),
      at(w),
      at(d),
      at(h),
      at(floor),
      at(diagonal),
      at(image),
      margin,
    )
  }

  lossEpoch(
    { penalised, w }: Pick<QuadraticModel, 'penalised' | 'w'>,
    { order, active }: FeatureList,
    s: Float64Array,
    squares: Float64Array,
    price: number,
    margin: number,
  ): number {
    const { engine, uploaded } = this
    return engine.exports.lossEpoch(
      uploaded.pointer,
      penalised,
      at(order),
      at(active),
      at(w),
      at(s),
      at(squares),
      price,
      margin,
    )
  }
}

function at(vector: Float64Array | Uint32Array): number {
  return (vector as EngineArray<Float64Array>).pointer
}

class EngineTriangle extends Triangle {
  readonly pointer: number
  private readonly engine: Engine
  private readonly side: EngineArray<Float64Array>

  constructor(engine: Engine, size: number) {
    const values = engine.array(Float64Array, engine.exports.triangleBytes(size) / 8)
    super(size, values.fill(0))
    this.engine = engine
    this.pointer = values.pointer
    this.side = engine.array(Float64Array, size)
  }

  /** As `rowOf` of assembly/dual/cholesky.ts, in numbers. */
  protected startOf(i: number): number {
    const half = i >> 1
    return 2 * (i & 1 ? (half + 1) * (half + 1) : half * (half + 1))
  }

  *factor(due: Due): Pieces {
    const { engine, pointer, size } = this
    for (let from = 0; from < size; ) {
      const rows = 4 * Math.ceil(WORK_PER_LOOK / (4 * from * from + 4))
      const to = Math.min(size, from + rows)
      engine.exports.factorRows(pointer, size, from, to)
      from = to
      if (due()) yield
    }
  }

  solve(b: Float64Array): void {
    const { engine, pointer, size, side } = this
    side.set(b.subarray(0, size))
    engine.exports.solveFactored(pointer, size, side.pointer)
    b.set(side.subarray(0, size))
  }
}
