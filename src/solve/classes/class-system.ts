/**
 * The systems of Newton's method for Crammer and Singer's machine (./class-newton.ts): H p = −g with
 *
 *   H = 1 + s Σ_i h_i (x̃_i x̃_iᵀ) ⊗ (1_S − 1_S 1_Sᵀ / |S|),   S the classes of sample i whose multiplier is above 0.
 *
 * Conjugate gradients solve it. What makes their iterations few is the preconditioner:
 *
 *   whole     the factor of H itself, where all weights are few: as it was, for as long as iterations with it cost less than a part of a new
 *             one, and otherwise as it is; then there is nothing to iterate.
 *   blocks    the factors of H's blocks, one per class, as they were when they were last worked out: as in ../linear/newton-system.ts
 *             they serve until iterations with them have cost as much as new ones. Before there are any, the factor of the mean of all
 *             blocks takes their place, which costs as much as one: at w = 0, where each sample is between all classes, they are equal.
 *   rows      the factor of a matrix over the directions in which the samples bend H, |S| − 1 for each (./class-rows.ts), where
 *             these are so few that it costs less, or where iterations with blocks have cost as much for systems that it would have
 *             served. It follows directions that come and go for as long as these are few; then there is next to nothing to iterate.
 *   diagonal  the diagonal of H, where even the features of one class are many.
 *
 * Weights of a feature sum to 0 over the classes, in g and in p, which blocks and diagonal do not know, and rows round: the sum would
 * grow, though H hardly bends it, so it is taken out.
 */
import { conjugateGradients, type Preconditioner } from '../../base/conjugate-gradients.ts'
import { inOneGo, type Pieces } from '../../base/pieces.ts'
import { rowStart } from '../../data/matrix/matrix.ts'
import type { Due } from '../driver/pieces.ts'
import type { ActiveClasses, LinearRows, Triangle } from '../rows/linear-rows.ts'
import { ClassRows } from './class-rows.ts'

/** Weights up to which a matrix is factored: 1,500 take 9 MB and a tenth of a second. */
export const MOST_FACTORED = 1500
/** Values of all blocks and their factors, at most: 400 MB. */
const MOST_BLOCK_VALUES = 5e7
/** A factor by rows of earlier samples is tried for as long as this part of what a new one costs, and so many iterations. */
const STALE_PART = 0.2
const LEAST_STALE = 5
/** The same part for a factor of H itself. */
const STALE_WHOLE_PART = 0.4
/** Iterations of conjugate gradients, at most. */
const MOST_STEPS = 1000

/** The block of one class, its factor, the factors of rows that it is made of, and what is to be added to these. */
interface Block {
  readonly gram: Triangle
  readonly factor: Triangle
  readonly inGram: Float64Array
  readonly change: Float64Array
}

/** See the header of the file. Weights are kept by feature: entry j·k + m is that of feature j for class m. */
export class ClassSystem {
  /** Iterations of conjugate gradients so far. */
  steps = 0
  private readonly rows: LinearRows
  private readonly k: number
  private readonly n: number
  private readonly due: Due
  /** The factor of H, and its s, 0 while there is none. */
  private readonly whole: Triangle | undefined
  private wholeScale = 0
  private readonly gram: Triangle | undefined
  private readonly blocks: readonly Block[]
  /** The mean of the blocks, factored, and what is in use: it or the blocks; their s, 0 while there are none. */
  private readonly mean: Triangle | undefined
  private inUse: readonly Triangle[] = []
  private blockScale = 0
  private readonly byRows: ClassRows
  /** Whether the diagonal is too weak, or need not be tried. */
  private rowsServe: boolean
  private readonly factors: Float64Array
  private readonly vectors: Record<'residual' | 'direction' | 'product' | 'conditioned', Float64Array>

  constructor(rows: LinearRows, classes: number, due: Due) {
    const n = rows.cols + 1
    this.rows = rows
    this.k = classes
    this.n = n
    this.due = due
    const isWhole = classes * n <= MOST_FACTORED
    const hasBlocks = !isWhole && n <= MOST_FACTORED && classes * n * n <= MOST_BLOCK_VALUES
    this.whole = isWhole ? rows.triangle(classes * n) : undefined
    this.gram = isWhole ? rows.triangle(n) : undefined
    this.blocks = Array.from({ length: hasBlocks ? classes : 0 }, () => ({
      gram: rows.triangle(n),
      factor: rows.triangle(n),
      inGram: rows.vector(rows.rows),
      change: rows.vector(rows.rows),
    }))
    this.mean = hasBlocks ? rows.triangle(n) : undefined
    this.rowsServe = isWhole
    this.factors = rows.vector(rows.rows)
    const vector = () => rows.vector(classes * n)
    this.vectors = { residual: vector(), direction: vector(), product: vector(), conditioned: vector() }
    this.byRows = new ClassRows(rows, classes, due)
  }

  /** Whether there is a factor of all weights. */
  get isWhole(): boolean {
    return this.whole !== undefined
  }

  /** Whether there is one of all weights, or one for each class. */
  get hasFactors(): boolean {
    return this.isWhole || this.blocks.length > 0
  }

  /** What it has learnt of the curvature: factors follow from it. */
  save() {
    const { whole, wholeScale, blocks, mean, inUse, blockScale, rowsServe, byRows } = this
    return {
      ...{ whole: whole?.values.slice(), wholeScale },
      ...{ blockScale, rowsServe, byRows: byRows.save(), isMean: inUse[0] === mean },
      mean: mean?.values.slice(),
      blocks: blocks.map(({ gram, inGram }) => ({ gram: gram.values.slice(), inGram: inGram.slice() })),
    }
  }

  restore(saved: ReturnType<ClassSystem['save']>): void {
    const { whole, wholeScale, blockScale, rowsServe, byRows, isMean, mean, blocks } = saved
    if (whole) this.whole?.values.set(whole)
    this.wholeScale = wholeScale
    for (const [m, { gram, inGram }] of blocks.entries()) {
      this.blocks[m].gram.values.set(gram)
      this.blocks[m].inGram.set(inGram)
    }
    if (mean) this.mean?.values.set(mean)
    if (blockScale > 0 && isMean) this.useMean(blockScale)
    else if (blockScale > 0) inOneGo(this.factorGrams(blockScale))
    this.rowsServe = rowsServe
    this.byRows.restore(byRows)
  }

  /** Fills p with the solution for s = `scale`; by conjugate gradients to `accuracy` in the norm of the preconditioner. */
  *solve(active: ActiveClasses, scale: number, g: Float64Array, p: Float64Array, accuracy: number): Pieces {
    const { byRows } = this
    const rowsCost = byRows.cost(active)
    p.fill(0)
    if (this.whole && !(rowsCost < this.costOfWhole(active))) {
      yield* this.solveByWhole(active, scale, g, p, accuracy, this.whole)
      return
    }
    if (byRows.take(active)) {
      const most = Math.max(LEAST_STALE, Math.floor((STALE_PART * rowsCost) / byRows.costOfStep(active)))
      const done = yield* this.iterateByRows(active, scale, g, p, accuracy, most)
      // Rounding of the columns might lead uphill.
      if (done && this.rows.dot(g, p) < 0) return
    }
    const perStep = this.costOfStep(active)
    const blocks = this.blocks.length > 0 ? this.costOfBlocks(active) : Number.POSITIVE_INFINITY
    const isDue = byRows.isDue(active)
    const takesRows = rowsCost < blocks || isDue
    const free = Math.min(MOST_STEPS, Math.floor(Math.min(rowsCost, blocks) / perStep))
    if (this.mean && !takesRows && this.blockScale === 0) yield* this.factorMean(active, scale, this.mean)
    const first = isDue ? undefined : this.firstTry(active, scale, takesRows)
    const before = this.steps
    if (first && free > 0) {
      const done = yield* this.iterate(active, scale, g, p, first, accuracy, free)
      if (done || (!takesRows && this.blocks.length === 0)) {
        byRows.spend(active, (this.steps - before) * perStep)
        return
      }
    }
    if (takesRows) {
      this.rowsServe = true
      yield* byRows.factor(active, scale)
      byRows.take(active)
      yield* this.iterateByRows(active, scale, g, p, accuracy, MOST_STEPS)
      return
    }
    yield* this.factorBlocks(active, scale)
    yield* this.iterate(active, scale, g, p, this.byBlocks(), accuracy, MOST_STEPS)
    byRows.spend(active, (this.steps - before) * perStep)
  }

  /** By the factor of H as it was, for as long as that takes a part of what a new one costs; or by a new one. */
  private *solveByWhole(
    active: ActiveClasses,
    scale: number,
    g: Float64Array,
    p: Float64Array,
    accuracy: number,
    whole: Triangle,
  ): Pieces {
    const most = Math.floor((STALE_WHOLE_PART * this.costOfWhole(active)) / this.costOfStep(active))
    if (this.wholeScale > 0 && most >= LEAST_STALE) {
      const done = yield* this.iterate(active, scale, g, p, this.byWhole(whole), accuracy, most)
      if (done) return
    }
    yield* this.factorWhole(active, scale, whole)
    this.byWhole(whole)(g, p)
    for (let j = 0; j < p.length; j++) p[j] = -p[j]
  }

  private *iterateByRows(
    active: ActiveClasses,
    scale: number,
    g: Float64Array,
    p: Float64Array,
    accuracy: number,
    most: number,
  ): Pieces<boolean> {
    const { rows, byRows } = this
    const mark = rows.mark()
    const done = yield* this.iterate(active, scale, g, p, byRows.condition(active), accuracy, most)
    rows.release(mark)
    return done
  }

  /** What is there already, or costs next to nothing; not the diagonal where rows will do and it has been too weak before. */
  private firstTry(active: ActiveClasses, scale: number, takesRows: boolean): Preconditioner | undefined {
    if (this.blockScale > 0) return this.byBlocks()
    const isWeak = takesRows && this.rowsServe
    return this.blocks.length > 0 || isWeak ? undefined : this.byDiagonal(active, scale)
  }

  /** What the ways cost in multiply-adds, by measured times: prices as in ../linear/newton-system.ts. */
  private costOfWhole({ count, starts }: ActiveClasses): number {
    return starts[count] * this.rows.meanSquare + (this.k * this.n) ** 3 / 36
  }

  private costOfStep({ count, starts }: ActiveClasses): number {
    const { k, n, rows } = this
    const conditioning = this.blocks.length > 0 ? (k * n * n) / 3 : k * n
    return 2 * starts[count] * (rows.stored / rows.rows + 1) + conditioning
  }

  /** Weights by class of weights by feature, times a factor; and back. */
  private reordered(from: Float64Array, factor: number): Float64Array {
    const { k, n } = this
    const to = new Float64Array(from.length)
    for (let m = 0; m < k; m++) for (let j = 0; j < n; j++) to[m * n + j] = factor * from[j * k + m]
    return to
  }

  private reorder(from: Float64Array, to: Float64Array): void {
    const { k, n } = this
    for (let m = 0; m < k; m++) for (let j = 0; j < n; j++) to[j * k + m] = from[m * n + j]
  }

  /** Of the samples with both classes, h_i (1 − 1/|S|), or −h_i/|S| where they differ; returns how many there are. */
  private fillFactors(
    { count, samples, starts, classes, curvature }: ActiveClasses,
    one: number,
    other: number,
  ): number {
    const { factors } = this
    let found = 0
    factors.fill(0)
    for (let a = 0; a < count; a++) {
      let has = 0
      for (let s = starts[a]; s < starts[a + 1]; s++) if (classes[s] === one || classes[s] === other) has++
      if (has < (one === other ? 1 : 2)) continue
      const share = curvature[a] / (starts[a + 1] - starts[a])
      factors[samples[a]] = one === other ? curvature[a] - share : -share
      found++
    }
    return found
  }

  private *factorWhole(active: ActiveClasses, scale: number, whole: Triangle): Pieces {
    const { k, n, rows, factors, due } = this
    const gram = this.gram as Triangle
    for (let m = 0; m < k; m++) {
      for (let l = 0; l <= m; l++) {
        this.fillFactors(active, m, l)
        gram.clear()
        yield* rows.addGram(factors, gram, due)
        for (let j = 0; j < n; j++) {
          const own = gram.row(j)
          const target = whole.row(m * n + j)
          for (let i = 0; i <= j; i++) target[l * n + i] = own[i]
          if (l < m) for (let i = 0; i < j; i++) whole.row(m * n + i)[l * n + j] = own[i]
        }
      }
    }
    whole.addDiagonal(new Float64Array(k * n).fill(1 / scale))
    yield* whole.factor(due)
    this.wholeScale = scale
  }

  private costOfBlocks(active: ActiveClasses): number {
    const { k, n, rows, blocks, factors } = this
    let changed = 0
    for (let m = 0; m < k; m++) {
      const found = this.fillFactors(active, m, m)
      changed += Math.min(found, rows.difference(factors, blocks[m].inGram, blocks[m].change))
    }
    return 0.5 * changed * rows.meanSquare + (k * n ** 3) / 36
  }

  private *factorBlocks(active: ActiveClasses, scale: number): Pieces {
    const { k, rows, blocks, factors, due } = this
    for (let m = 0; m < k; m++) {
      const { gram, inGram, change } = blocks[m]
      const found = this.fillFactors(active, m, m)
      if (rows.difference(factors, inGram, change) >= found) {
        gram.clear()
        change.set(factors)
      }
      inGram.set(factors)
    }
    yield* rows.addGrams(
      blocks.map(({ change }) => change),
      blocks.map(({ gram }) => gram),
      due,
    )
    yield* this.factorGrams(scale)
  }

  private *factorGrams(scale: number): Pieces {
    const { n, rows, blocks, due } = this
    const ridge = new Float64Array(n).fill(1 / scale)
    for (const { gram, factor } of blocks) {
      factor.copy(gram)
      factor.addDiagonal(ridge)
    }
    yield* rows.factorAll(
      blocks.map(({ factor }) => factor),
      due,
    )
    this.inUse = blocks.map(({ factor }) => factor)
    this.blockScale = scale
  }

  private *factorMean(active: ActiveClasses, scale: number, mean: Triangle): Pieces {
    const { count, samples, starts, curvature } = active
    const { k, n, rows, factors, due } = this
    factors.fill(0)
    for (let a = 0; a < count; a++) {
      factors[samples[a]] = (curvature[a] * (starts[a + 1] - starts[a] - 1)) / k
    }
    yield* rows.addGram(factors, mean, due)
    mean.addDiagonal(new Float64Array(n).fill(1 / scale))
    yield* mean.factor(due)
    this.useMean(scale)
  }

  private useMean(scale: number): void {
    const mean = this.mean as Triangle
    this.inUse = Array.from({ length: this.k }, () => mean)
    this.blockScale = scale
  }

  private byWhole(whole: Triangle): Preconditioner {
    const scale = this.wholeScale
    return (r, z) => {
      const side = this.reordered(r, 1 / scale)
      whole.solve(side)
      this.reorder(side, z)
    }
  }

  private byBlocks(): Preconditioner {
    const { rows, inUse, blockScale } = this
    return (r, z) => rows.solveAll(inUse, blockScale, r, z)
  }

  private byDiagonal(active: ActiveClasses, scale: number): Preconditioner {
    const { count, samples, starts, classes, curvature } = active
    const { k, n, rows } = this
    const { matrix } = rows
    const diagonal = new Float64Array(n * k).fill(1)
    const square = rows.constant ** 2
    for (let a = 0; a < count; a++) {
      const i = samples[a]
      const start = rowStart(matrix, i)
      const share = scale * curvature[a] * (1 - 1 / (starts[a + 1] - starts[a]))
      for (let s = starts[a]; s < starts[a + 1]; s++) {
        const m = classes[s]
        for (let e = start; e < rowStart(matrix, i + 1); e++) {
          const j = matrix.kind === 'dense' ? e - start : matrix.indices[e]
          diagonal[j * k + m] += share * matrix.values[e] ** 2
        }
        diagonal[(n - 1) * k + m] += share * square
      }
    }
    return (r, z) => {
      for (let j = 0; j < z.length; j++) z[j] = r[j] / diagonal[j]
    }
  }

  /** Conjugate gradients from p on; true when it is as accurate as requested. */
  private *iterate(
    active: ActiveClasses,
    scale: number,
    g: Float64Array,
    p: Float64Array,
    preconditioner: Preconditioner,
    accuracy: number,
    most: number,
  ): Pieces<boolean> {
    const { vectors, rows, k } = this
    const condition: Preconditioner = (r, z) => {
      preconditioner(r, z)
      subtractMeans(z, k)
    }
    const { residual, direction, product, conditioned } = vectors
    const times = (x: Float64Array, out: Float64Array) => {
      this.steps++
      rows.classProduct(active, k, x, out)
      rows.scaleAndAdd(scale, x, out)
    }
    direction.set(p)
    times(direction, product)
    for (let j = 0; j < g.length; j++) residual[j] = -g[j] - product[j]
    condition(g, conditioned)
    const goal = accuracy * accuracy * rows.dot(g, conditioned)
    return yield* conjugateGradients({ ...vectors, times, condition, loops: rows }, p, goal, most, this.due)
  }
}

/** Takes from the k weights of each feature their mean. */
function subtractMeans(weights: Float64Array, k: number): void {
  for (let start = 0; start < weights.length; start += k) {
    let sum = 0
    for (let m = start; m < start + k; m++) sum += weights[m]
    for (let m = start; m < start + k; m++) weights[m] -= sum / k
  }
}
