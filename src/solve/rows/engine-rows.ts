/** {@link LinearRows} of a matrix in the engine's memory (assembly/linear/). Its vectors are there, too. */
import type { Pieces } from '../../base/pieces.ts'
import type { Matrix, SparseMatrix } from '../../data/matrix/matrix.ts'
import { type EngineMatrix, uploadExact } from '../../engine/matrix/engine-matrix.ts'
import type { SamplesOnEngine } from '../../engine/matrix/samples-on-engine.ts'
import type { Engine, EngineArray } from '../../engine/memory/engine.ts'
import { type FieldValues, readFields, writeFields } from '../../engine/memory/fields.ts'
import type { PassKind } from '../../engine/memory/jobs.ts'
import { conjugateSum, type LossTerms, lossSum, slopeAlong, slopes } from '../../problems/linear-loss.ts'
import { type LinearMachineProblem, termsOf } from '../../problems/linear-problem.ts'
import type { Due } from '../driver/pieces.ts'
import {
  type ActiveClasses,
  type ClassMembers,
  type ClassSweepVectors,
  type CurvedColumns,
  type FeatureList,
  LinearRows,
  type ListedClasses,
  type LogisticVectors,
  type QuadraticModel,
  type SweepState,
  type SweepVectors,
  Triangle,
} from './linear-rows.ts'
import { partsOf, type RowRange, WORK_PER_TASK } from './row-parts.ts'
import { type GramPart, SharedPasses } from './shared-passes.ts'

/** Multiply-adds between two looks at the clock: about a millisecond. */
const WORK_PER_LOOK = 1e6
/** Rows that are added to a Gram matrix together: the matrix passes through the cache once for all of them. */
const LEAST_TOGETHER = 16

/** What an entry of a triangle costs that is cleared and added, in entries of vectors: it may be beyond the cache. */
const WORTH_A_TRIANGLE = 4

/** See the header of the file. */
export class EngineRows extends LinearRows {
  private readonly engine: Engine
  private readonly uploaded: EngineMatrix
  private readonly passes: SharedPasses
  private readonly sweeps = new Map<SweepVectors, number>()
  /** The LOSSES of the call under way. */
  private readonly losses: number
  /** Two numbers of each of {@link lossParts}. */
  private readonly lossSums: EngineArray<Float64Array>

  constructor(engine: Engine, matrix: Matrix, constant: number) {
    const uploaded = uploadExact(engine, matrix)
    super(matrix, constant, uploaded.exact.length)
    this.engine = engine
    this.uploaded = uploaded
    this.passes = new SharedPasses(engine, uploaded.pointer, constant)
    this.losses = engine.structure('LOSSES', {})
    this.lossSums = engine.array(Float64Array, 2 * this.lossParts.length)
  }

  override get place(): SamplesOnEngine {
    return { engine: this.engine, samples: this.uploaded, origin: this.matrix, kernelPointer: 0 }
  }

  of(matrix: Matrix, constant = this.constant): EngineRows {
    return new EngineRows(this.engine, matrix, constant)
  }

  protected override allColumns(): SparseMatrix {
    const { engine, uploaded, rows, stored } = this
    if (uploaded.dense) return super.allColumns()
    return this.withConstantRow(rows, stored, (starts, indices, values) =>
      engine.exports.transpose(uploaded.pointer, rows, at(starts), at(indices), at(values)),
    )
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
    const { engine, rows, stored, uploaded, constant } = this
    const isShared = engine.threads > 1 && stored > WORK_PER_TASK
    if (isShared) this.passes.each('row-values', rows, stored, { x: at(w), out: at(out) })
    else engine.exports.rowValues(uploaded.pointer, constant, at(w), 0, rows, at(out))
  }

  combine(factors: Float64Array, out: Float64Array): void {
    const { engine, uploaded, constant } = this
    const own = at(factors)
    this.sum(...(['row-sums', this.stored, out, { factors: own }] as const), ({ from, to }, sum) =>
      engine.exports.addRows(uploaded.pointer, constant, own, from, to, sum),
    )
  }

  product(factors: Float64Array, x: Float64Array, out: Float64Array): void {
    const { engine, uploaded, constant } = this
    const [own, by] = [at(factors), at(x)]
    this.sum(
      ...(['row-products', 2 * this.stored, out, { factors: own, x: by }] as const),
      ({ from, to }, sum) => engine.exports.addProducts(uploaded.pointer, constant, own, from, to, by, sum),
    )
  }

  squares(factors: Float64Array, out: Float64Array): void {
    const { engine, uploaded, constant } = this
    const own = at(factors)
    this.sum(...(['row-squares', this.stored, out, { factors: own }] as const), ({ from, to }, sum) =>
      engine.exports.addSquares(uploaded.pointer, constant, own, from, to, sum),
    )
  }

  /** out = a sum over all rows. */
  private sum(
    kind: PassKind,
    work: number,
    out: Float64Array,
    fields: Partial<FieldValues<'PASS'>>,
    add: (range: RowRange, out: number) => void,
  ): void {
    this.passes.sum(kind, this.rows, work, here(out), () => fields, add)
  }

  classValues(w: Float64Array, k: number, out: Float64Array): void {
    const fields = { k, samples: 0, x: at(w), out: at(out) }
    this.passes.each('class-values', this.rows, k * (this.stored + this.rows), fields)
  }

  classCombine(factors: Float64Array, k: number, out: Float64Array): void {
    const fields = { k, samples: 0, factors: at(factors) }
    this.passes.sum('class-rows', this.rows, k * this.stored, here(out), () => fields)
  }

  listedValues(list: ListedClasses, k: number, w: Float64Array, out: Float64Array): void {
    const { count, starts } = list
    const work = starts[count] * (this.stored / this.rows + 1)
    this.passes.each('class-values', count, work, { ...listed(list, k), x: at(w), out: at(out) })
  }

  listedCombine(list: ListedClasses, k: number, factors: Float64Array, out: Float64Array): void {
    const { count, starts } = list
    const work = (starts[count] * this.stored) / this.rows
    const fields = { ...listed(list, k), factors: at(factors) }
    this.passes.sum('class-rows', count, work, here(out), () => fields)
  }

  classGrams({ samples, starts, places }: ClassMembers, x: Float64Array, out: Float64Array): void {
    const { engine, rows, cols, stored } = this
    const classes = starts.length - 1
    const work = (2 * starts[classes] * stored) / rows
    this.passes.sum('class-products', classes, work, here(out), () => ({
      ...{ samples: at(samples), starts: at(starts), classes: at(places), factors: 0 },
      ...{ x: at(x), sums: engine.allocate(8 * cols) },
    }))
  }

  classProduct(active: ActiveClasses, k: number, x: Float64Array, out: Float64Array): void {
    const { engine, rows, cols, stored } = this
    const { count, starts, curvature } = active
    const work = (2 * starts[count] * stored) / rows
    const room = 8 * (k + 2 * (cols + 1))
    this.passes.sum('class-products', count, work, here(out), () => ({
      ...listed(active, k),
      ...{ factors: at(curvature), x: at(x), size: this.leastRun, sums: engine.allocate(room) },
    }))
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

  termsOf(problem: LinearMachineProblem): LossTerms {
    return termsOf(problem, this.engine)
  }

  slopes(terms: LossTerms, f: Float64Array, beta: Float64Array, curvature: Float64Array): number {
    const { exports } = this.engine
    const losses = this.writeLosses(terms, f, beta, curvature)
    if (losses === undefined) return slopes(terms, f, beta, curvature)
    const [x, out, bends] = [at(f), at(beta), at(curvature)]
    const fields = { losses, x, out, curvature: bends }
    return this.lossPass('loss-slopes', fields, ({ from, to }) =>
      exports.lossSlopes(losses, x, out, bends, from, to),
    ).sum
  }

  lossSum(terms: LossTerms, f: Float64Array): number {
    const { exports } = this.engine
    const losses = this.writeLosses(terms, f)
    if (losses === undefined) return lossSum(terms, f)
    const x = at(f)
    return this.lossPass('loss-sums', { losses, x }, ({ from, to }) => exports.lossSum(losses, x, from, to))
      .sum
  }

  conjugateSum(terms: LossTerms, beta: Float64Array): number {
    const losses = this.writeLosses(terms, beta)
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
    const { exports } = this.engine
    const [x, factors] = [at(f), at(q)]
    const { sum: slope, bend } = this.lossPass(
      ...(['line-slopes', { losses, x, factors, scale: t }] as const),
      ({ from, to }, bends) => exports.slopeAlong(losses, x, factors, t, from, to, bends),
    )
    return { slope, bend }
  }

  private lossPass(
    kind: PassKind,
    fields: Partial<FieldValues<'PASS'>>,
    own: (range: RowRange, second: number) => number,
  ): { readonly sum: number; readonly bend: number } {
    return this.passes.losses(kind, this.lossParts, this.lossSums, fields, own)
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
    return new EngineTriangle(this, this.engine, n)
  }

  addGram(factors: Float64Array, target: Triangle, due: Due): Pieces {
    return this.addGrams([factors], [target], due)
  }

  /** Several are a task each; one is cut into parts that are added in their order, each with a triangle of its own but the first. */
  override *addGrams(factors: readonly Float64Array[], targets: readonly Triangle[], due: Due): Pieces {
    const { engine, rows } = this
    const mark = engine.mark()
    const lists = factors.map((own) => {
      const samples = engine.array(Uint32Array, rows).pointer
      return { samples, count: engine.exports.listNonZero(rows, at(own), samples) }
    })
    const block = Math.max(LEAST_TOGETHER, Math.ceil((2 * WORK_PER_LOOK) / (this.meanSquare + 1)))
    const part = (m: number, triangle: Triangle, range: RowRange): GramPart => ({
      ...{ samples: lists[m].samples, factors: at(factors[m]), triangle: pointerOf(triangle), ...range },
    })
    if (lists.length > 1) {
      const all = lists.map(({ count }, m) => part(m, targets[m], { from: 0, to: count }))
      yield* this.passes.grams(all, block, due)
    } else {
      const [{ count }] = lists
      const [target] = targets
      const work = 0.5 * count * this.meanSquare
      const ranges = partsOf(count, work, WORTH_A_TRIANGLE * target.values.length)
      const triangles = ranges.map((_, p) => (p === 0 ? target : this.triangle(target.size)))
      const parts = ranges.map((range, p) => part(0, triangles[p], range))
      yield* this.passes.grams(parts, block, due)
      for (const { values } of triangles.slice(1)) this.addScaled(1, values, target.values)
    }
    engine.release(mark)
  }

  override *factorAll(matrices: readonly Triangle[], due: Due): Pieces {
    const [{ size }] = matrices
    for (const [from, to] of factorSlices(size)) {
      this.passes.run(
        'factors',
        matrices.map((matrix) => ({ from, to, size, triangle: pointerOf(matrix) })),
      )
      if (due()) yield
    }
  }

  override solveAll(factored: readonly Triangle[], scale: number, x: Float64Array, out: Float64Array): void {
    const { engine } = this
    const k = factored.length
    const mark = engine.mark()
    const passes = factored.map((matrix, m) => ({
      ...{ k, from: m, x: at(x), out: at(out), sums: engine.allocate(8 * matrix.size), scale },
      ...{ size: matrix.size, triangle: pointerOf(matrix) },
    }))
    this.passes.run('solves', passes)
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
    this.inSweep(vectors, state, (pointer) => this.engine.exports.sweep(pointer, vectors.block, steps))
  }

  gradientSpread(vectors: SweepVectors, state: SweepState, f: Float64Array): void {
    this.inSweep(vectors, state, (pointer) => this.engine.exports.gradientSpread(pointer, at(f), f.length))
  }

  relist(vectors: SweepVectors, state: SweepState, f: Float64Array): void {
    this.inSweep(vectors, state, (pointer) => this.engine.exports.relist(pointer, at(f), f.length))
  }

  /** Calls the engine with vectors and state where it reads and writes them. */
  private inSweep(vectors: SweepVectors, state: SweepState, call: (pointer: number) => void): void {
    const { engine, uploaded, constant } = this
    const { order, turns, beta, z, lower, upper, shift, curvature, w, epsilon } = vectors
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
    call(pointer)
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

  classSweep(vectors: ClassSweepVectors, visits: number): void {
    const { engine, uploaded, constant } = this
    const { k, order, counts, y, price, norms, alpha, w, classOrder, activeClasses } = vectors
    const { chosen, gradient, change, all, largest } = vectors
    engine.exports.classSweep(
      ...([
        uploaded.pointer,
        constant,
        k,
        at(order),
        at(counts),
        visits,
        at(y),
        at(price),
        at(norms),
      ] as const),
      ...([at(alpha), at(w), at(classOrder), at(activeClasses)] as const),
      ...([at(chosen), at(gradient), at(change), at(all), at(largest)] as const),
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
    { pairs, floor, diagonal }: CurvedColumns,
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
      at(pairs),
      at(floor),
      at(diagonal),
      margin,
    )
  }

  lossEpoch(
    { penalised, w }: Pick<QuadraticModel, 'penalised' | 'w'>,
    { order, active }: FeatureList,
    s: Float64Array,
    squares: Float64Array,
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
      margin,
    )
  }
}

function listed({ samples, starts, classes }: ListedClasses, k: number) {
  return { k, samples: at(samples), starts: at(starts), classes: at(classes) }
}

/** A vector of these rows is in the engine's memory. */
function here(vector: Float64Array): EngineArray<Float64Array> {
  return vector as EngineArray<Float64Array>
}

function at(vector: Float64Array | Uint32Array): number {
  return (vector as EngineArray<Float64Array>).pointer
}

function pointerOf(triangle: Triangle): number {
  return (triangle as EngineTriangle).pointer
}

/** Rows of a triangle that are factored between two looks at the clock. */
function* factorSlices(size: number): Generator<readonly [from: number, to: number]> {
  for (let from = 0; from < size; ) {
    const to = Math.min(size, from + 4 * Math.ceil(WORK_PER_LOOK / (4 * from * from + 4)))
    yield [from, to]
    from = to
  }
}

class EngineTriangle extends Triangle {
  readonly pointer: number
  private readonly rows: EngineRows
  private readonly engine: Engine
  private readonly side: EngineArray<Float64Array>

  constructor(rows: EngineRows, engine: Engine, size: number) {
    const values = engine.array(Float64Array, engine.exports.triangleBytes(size) / 8)
    super(size, values.fill(0))
    this.rows = rows
    this.engine = engine
    this.pointer = values.pointer
    this.side = engine.array(Float64Array, size)
  }

  /** As `rowOf` of assembly/dual/cholesky.ts, in numbers. */
  protected startOf(i: number): number {
    const half = i >> 1
    return 2 * (i & 1 ? (half + 1) * (half + 1) : half * (half + 1))
  }

  factor(due: Due): Pieces {
    return this.rows.factorAll([this], due)
  }

  solve(b: Float64Array): void {
    const { engine, pointer, size, side } = this
    side.set(b.subarray(0, size))
    engine.exports.solveFactored(pointer, size, side.pointer)
    b.set(side.subarray(0, size))
  }
}
