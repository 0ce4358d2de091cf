/**
 * The linear systems of ./interior-descent.ts, (R + X̃ᵀ diag(h) X̃) d = rhs, by conjugate gradients: with the diagonal of the matrix as long as
 * that takes no longer than a factor, then with the factor of what matters of it: features that the rows bend more than R does, and rows that
 * matter to these. The others have the diagonal.
 */
import { conjugateGradients, type Preconditioner } from '../../base/conjugate-gradients.ts'
import { indicesWhere, pickNumbers } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import type { Due } from '../driver/pieces.ts'
import type { LinearRows } from '../rows/linear-rows.ts'
import { SparseFactor } from './sparse-factor.ts'

/** A feature matters where X̃ᵀ diag(h) X̃ has this part of R on the diagonal, or more; a row where h_i Σ_j x_ij² / A_jj is as much as this. */
const FEATURE_PART = 0.3
const ROW_PART = 0.01
/**
 * Multiply-adds that a factor is worth, and iterations with the diagonal where it would take more. One class of news20 takes factors of 3e9 at
 * first, which are a second, and of 1e8 at the end.
 */
const MOST_WORK = 4e9
const MOST_ITERATIONS = 5000
/** Iterations with a factor; they are a few, so that systems are solved to this part of the accuracy: steps are longer then. */
const MOST_FACTORED = 200
const FINER = 0.01

/** What a system is made of, and vectors to work with. */
export interface InteriorVectors {
  readonly own: LinearRows
  readonly h: Float64Array
  readonly R: Float64Array
  readonly rhs: Float64Array
  readonly d: Float64Array
  readonly product: Float64Array
  readonly diagonal: Float64Array
  readonly residual: Float64Array
  readonly direction: Float64Array
  readonly conditioned: Float64Array
}

/** See the header of the file. */
export class InteriorSystem {
  private readonly vectors: InteriorVectors
  private readonly due: Due
  private factor: Preconditioner | undefined

  constructor(vectors: InteriorVectors, due: Due) {
    const { own, h, R, diagonal } = vectors
    this.vectors = vectors
    this.due = due
    own.squares(h, diagonal)
    own.addScaled(1, R, diagonal)
  }

  /** Fills d, with the diagonal alone in `mostPlain` iterations at most, or not at all if `isFactored`. Returns whether it was solved with a factor. */
  *solve(accuracy: number, isFactored: boolean, mostPlain: number): Pieces<boolean> {
    const { own, h, R, rhs, d, product, diagonal, residual, direction, conditioned } = this.vectors
    let size = 0
    for (let b = 0; b < d.length; b++) if (diagonal[b] > 0) size += rhs[b] ** 2 / diagonal[b]
    const goal = accuracy ** 2 * size
    const times = (x: Float64Array, out: Float64Array) => {
      own.product(h, x, out)
      own.addProductsOf(1, R, x, out)
    }
    const system = { residual, direction, product, conditioned, loops: own, times }
    const plain = { ...system, condition: this.byDiagonal }
    d.fill(0)
    residual.set(rhs)
    if (!isFactored && (yield* conjugateGradients(plain, d, goal, mostPlain, this.due))) return false
    const condition = yield* this.factored()
    if (!condition) {
      yield* conjugateGradients(plain, d, goal, MOST_ITERATIONS, this.due)
      return false
    }
    d.fill(0)
    residual.set(rhs)
    yield* conjugateGradients({ ...system, condition }, d, FINER ** 2 * goal, MOST_FACTORED, this.due)
    return true
  }

  private readonly byDiagonal: Preconditioner = (r, z) => {
    const { diagonal } = this.vectors
    for (let b = 0; b < z.length; b++) z[b] = diagonal[b] > 0 ? r[b] / diagonal[b] : 0
  }

  /** With a factor; undefined where that is not worth it. */
  private *factored(): Pieces<Preconditioner | undefined> {
    if (this.factor) return this.factor
    const { own, h, R, diagonal } = this.vectors
    const last = own.cols
    const features = indicesWhere(last, (b) => diagonal[b] - R[b] > FEATURE_PART * R[b])
    const shares = own.weightedNorms(diagonal.map((value) => (value > 0 ? 1 / value : 0)))
    const samples = indicesWhere(own.rows, (i) => h[i] * shares[i] > ROW_PART)
    const all = Uint32Array.from([...features, last])
    const factor = new SparseFactor(own.part(samples, features))
    if (factor.price > MOST_WORK) return undefined
    yield* factor.factor(pickNumbers(h, samples), pickNumbers(R, all), this.due)
    this.factor = (r, z) => {
      this.byDiagonal(r, z)
      const side = pickNumbers(r, all)
      factor.solve(side)
      for (let b = 0; b < all.length; b++) z[all[b]] = side[b]
    }
    return this.factor
  }
}
