/**
 * The systems of Newton's method for Crammer and Singer's machine (./class-newton.ts): H p = −g with
 *
 *   H = 1 + Σ_i h_i (x̃_i x̃_iᵀ) ⊗ (1_S − 1_S 1_Sᵀ / |S|),   S the classes of sample i whose multiplier is above 0.
 *
 * Two classes have weights of opposite signs: then H is 1 + Σ_i h_i x̃_i x̃_iᵀ for those of the first one.
 *
 * Where all weights are few H is factored. Otherwise conjugate gradients solve it, with the factors of H's blocks, one per class, as
 * their preconditioner; where even the features of one class are many, with its diagonal.
 */
import { conjugateGradients, type Preconditioner } from '../../base/conjugate-gradients.ts'
import { dotProduct } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import type { SparseMatrix } from '../../data/matrix/matrix.ts'
import type { Due } from '../driver/pieces.ts'
import type { LinearRows, Triangle } from './linear-rows.ts'

/** Weights up to which a matrix is factored: 1,500 take 9 MB and a tenth of a second. */
const MOST_FACTORED = 1500
/** Iterations of conjugate gradients, at most. */
const MOST_STEPS = 1000

/** The samples with two classes in S or more: which they are, where their classes begin in the list, and h_i. */
export interface ActiveClasses {
  count: number
  readonly samples: Uint32Array
  readonly starts: Uint32Array
  readonly classes: Uint32Array
  readonly curvature: Float64Array
}

/** See the header of the file. Weights are kept by feature: entry j·k + m is that of feature j for class m. */
export class ClassSystem {
  private readonly rows: LinearRows
  private readonly matrix: SparseMatrix
  private readonly k: number
  private readonly n: number
  private readonly due: Due
  private readonly whole: Triangle | undefined
  private readonly blocks: readonly Triangle[]
  private readonly gram: Triangle | undefined
  private readonly factors: Float64Array
  private readonly sums: Float64Array

  constructor(rows: LinearRows, matrix: SparseMatrix, classes: number, due: Due) {
    this.rows = rows
    this.matrix = matrix
    this.k = classes
    this.n = rows.cols + 1
    this.due = due
    // Weights that are to be solved for.
    const free = classes === 2 ? 1 : classes
    const isWhole = free * this.n <= MOST_FACTORED
    const hasBlocks = !isWhole && this.n <= MOST_FACTORED
    this.whole = isWhole ? rows.triangle(free * this.n) : undefined
    this.gram = isWhole && free > 1 ? rows.triangle(this.n) : undefined
    this.blocks = hasBlocks ? Array.from({ length: classes }, () => rows.triangle(this.n)) : []
    this.factors = rows.vector(rows.rows)
    this.sums = new Float64Array(classes)
  }

  /** Fills p with the solution; by conjugate gradients to `accuracy` in the norm of the preconditioner. */
  *solve(active: ActiveClasses, g: Float64Array, p: Float64Array, accuracy: number): Pieces {
    if (this.whole && this.k === 2) {
      yield* this.solvePair(active, this.whole, g, p)
      return
    }
    if (this.whole) {
      yield* this.factorWhole(active, this.whole)
      this.reorder(g, p, -1)
      this.whole.solve(p)
      this.reorder(p.slice(), p, 1, true)
      return
    }
    const condition = this.blocks.length > 0 ? yield* this.byBlocks(active) : this.byDiagonal(active)
    yield* this.iterate(active, g, p, condition, accuracy)
  }

  /** From weights by feature to weights by class, or back, times a factor. */
  private reorder(from: Float64Array, to: Float64Array, factor: number, isBack = false): void {
    const { k, n } = this
    for (let m = 0; m < k; m++) {
      for (let j = 0; j < n; j++) {
        if (isBack) to[j * k + m] = factor * from[m * n + j]
        else to[m * n + j] = factor * from[j * k + m]
      }
    }
  }

  /** Σ over the samples with both classes of h_i (1 − 1/|S|), or −h_i/|S| where they differ. */
  private fillFactors(
    { count, samples, starts, classes, curvature }: ActiveClasses,
    one: number,
    other: number,
  ): void {
    const { factors } = this
    factors.fill(0)
    for (let a = 0; a < count; a++) {
      let has = 0
      for (let s = starts[a]; s < starts[a + 1]; s++) if (classes[s] === one || classes[s] === other) has++
      const share = curvature[a] / (starts[a + 1] - starts[a])
      if (one === other && has === 1) factors[samples[a]] = curvature[a] - share
      else if (has === 2) factors[samples[a]] = -share
    }
  }

  private *solvePair(active: ActiveClasses, factor: Triangle, g: Float64Array, p: Float64Array): Pieces {
    const { n, rows, factors, due } = this
    factors.fill(0)
    for (let a = 0; a < active.count; a++) factors[active.samples[a]] = active.curvature[a]
    factor.clear()
    yield* rows.addGram(factors, factor, due)
    factor.addDiagonal(new Float64Array(n).fill(1))
    yield* factor.factor(due)
    const side = Float64Array.from({ length: n }, (_, j) => -g[2 * j])
    factor.solve(side)
    for (let j = 0; j < n; j++) {
      p[2 * j] = side[j]
      p[2 * j + 1] = -side[j]
    }
  }

  private *factorWhole(active: ActiveClasses, whole: Triangle): Pieces {
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
    whole.addDiagonal(new Float64Array(k * n).fill(1))
    yield* whole.factor(due)
  }

  private *byBlocks(active: ActiveClasses): Pieces<Preconditioner> {
    const { k, n, rows, factors, blocks, due } = this
    for (let m = 0; m < k; m++) {
      this.fillFactors(active, m, m)
      blocks[m].clear()
      yield* rows.addGram(factors, blocks[m], due)
      blocks[m].addDiagonal(new Float64Array(n).fill(1))
      yield* blocks[m].factor(due)
    }
    const side = new Float64Array(n)
    return (r, z) => {
      for (let m = 0; m < k; m++) {
        for (let j = 0; j < n; j++) side[j] = r[j * k + m]
        blocks[m].solve(side)
        for (let j = 0; j < n; j++) z[j * k + m] = side[j]
      }
    }
  }

  private byDiagonal({ count, samples, starts, classes, curvature }: ActiveClasses): Preconditioner {
    const { k, n } = this
    const { indptr, indices, values } = this.matrix
    const diagonal = new Float64Array(n * k).fill(1)
    const square = this.rows.constant ** 2
    for (let a = 0; a < count; a++) {
      const i = samples[a]
      const share = curvature[a] * (1 - 1 / (starts[a + 1] - starts[a]))
      for (let s = starts[a]; s < starts[a + 1]; s++) {
        const m = classes[s]
        for (let e = indptr[i]; e < indptr[i + 1]; e++)
          diagonal[indices[e] * k + m] += share * values[e] * values[e]
        diagonal[(n - 1) * k + m] += share * square
      }
    }
    return (r, z) => {
      for (let j = 0; j < z.length; j++) z[j] = r[j] / diagonal[j]
    }
  }

  private *iterate(
    active: ActiveClasses,
    g: Float64Array,
    p: Float64Array,
    condition: Preconditioner,
    accuracy: number,
  ): Pieces {
    const vectors = {
      residual: g.map((own) => -own),
      ...{ direction: g.slice(), product: g.slice(), conditioned: g.slice() },
    }
    const times = (x: Float64Array, out: Float64Array) => this.times(active, x, out)
    p.fill(0)
    condition(g, vectors.conditioned)
    const goal = accuracy * accuracy * dotProduct(g, vectors.conditioned)
    yield* conjugateGradients({ ...vectors, times, condition }, p, goal, MOST_STEPS, this.due)
  }

  /** out = H x */
  private times(
    { count, samples, starts, classes, curvature }: ActiveClasses,
    x: Float64Array,
    out: Float64Array,
  ): void {
    const { k, n, sums } = this
    const { indptr, indices, values } = this.matrix
    const { constant } = this.rows
    const last = (n - 1) * k
    out.set(x)
    for (let a = 0; a < count; a++) {
      const i = samples[a]
      const start = starts[a]
      const size = starts[a + 1] - start
      let mean = 0
      for (let s = 0; s < size; s++) {
        const m = classes[start + s]
        let sum = constant * x[last + m]
        for (let e = indptr[i]; e < indptr[i + 1]; e++) sum += values[e] * x[indices[e] * k + m]
        sums[s] = sum
        mean += sum / size
      }
      for (let s = 0; s < size; s++) {
        const m = classes[start + s]
        const factor = curvature[a] * (sums[s] - mean)
        for (let e = indptr[i]; e < indptr[i + 1]; e++) out[indices[e] * k + m] += factor * values[e]
        out[last + m] += factor * constant
      }
    }
  }
}
