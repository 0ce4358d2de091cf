/**
 * What solvers of linear machines need of the samples: passes over the rows x̃_i = (x_i, s), the constant feature s last (0 where
 * there is no bias, 1 where it is free). Whoever holds the samples in another way (./plain-rows.ts, ./engine-rows.ts) extends this and
 * gets all solvers with it. Vectors over features have cols + 1 entries.
 */
import type { VectorLoops } from '../../base/conjugate-gradients.ts'
import type { Pieces } from '../../base/pieces.ts'
import { type Matrix, type SparseMatrix, selectRows, toSparse } from '../../data/matrix/matrix.ts'
import { selectColumns } from '../../data/matrix/select-columns.ts'
import { transposeInto } from '../../data/matrix/transpose.ts'
import type { SamplesOnEngine } from '../../engine/matrix/samples-on-engine.ts'
import type { LossTerms } from '../../problems/linear-loss.ts'
import type { LinearMachineProblem } from '../../problems/linear-problem.ts'
import type { Due } from '../driver/pieces.ts'
import { partsOf, type RowRange } from './row-parts.ts'

/** What the loss of a sample costs, in multiply-adds. */
const LOSS_WORK = 10

/** See the header of the file. */
export abstract class LinearRows implements VectorLoops {
  /** The rows x_i themselves, without the constant feature. */
  readonly matrix: Matrix
  readonly rows: number
  /** Features, the constant one not counted. */
  readonly cols: number
  /** s */
  readonly constant: number
  /** Values that are stored: what a pass costs. */
  readonly stored: number
  private knownMeanSquare: number | undefined
  private knownLossParts: readonly RowRange[] | undefined

  constructor(matrix: Matrix, constant: number, stored: number) {
    this.matrix = matrix
    this.rows = matrix.rows
    this.cols = matrix.cols
    this.constant = constant
    this.stored = stored
  }

  /** Values of each row, on average squared: what a row adds to a Gram matrix of columns costs half of it. */
  get meanSquare(): number {
    this.knownMeanSquare ??= meanSquareOf(this.matrix)
    return this.knownMeanSquare
  }

  /** The parts of sums over the losses of all samples. */
  protected get lossParts(): readonly RowRange[] {
    this.knownLossParts ??= partsOf(this.rows, LOSS_WORK * this.rows, 1)
    return this.knownLossParts
  }

  /**
   * Neighbours between the same two classes that {@link classProduct} works with together, at least: their rows must have as many
   * values as the vectors that this takes.
   */
  protected get leastRun(): number {
    return Math.ceil((2 * (this.cols + 1)) / (this.stored / this.rows + 1))
  }

  /** The same rows with some of the features alone, and the constant one. */
  columns(features: Uint32Array): LinearRows {
    return features.length === this.cols ? this : this.of(selectColumns(this.matrix, features))
  }

  /** Some of the rows alone. */
  some(list: Uint32Array): LinearRows {
    return this.of(selectRows(this.matrix, list))
  }

  /** Some of the rows with some of the features alone, and the constant one. */
  part(samples: Uint32Array, features: Uint32Array): LinearRows {
    return this.of(selectColumns(selectRows(this.matrix, samples), features))
  }

  /**
   * The columns, held in the same way: a row for each feature, the constant one last, and no constant feature of their own. Values of sample i
   * are multiplied by factors_i where these are given.
   */
  transposed(factors?: Float64Array): LinearRows {
    const columns = this.allColumns()
    const { indices, values } = columns
    if (factors) for (let k = 0; k < values.length; k++) values[k] *= factors[indices[k]]
    return this.of(columns, 0)
  }

  /** The columns as sparse rows, the constant feature last. */
  protected allColumns(): SparseMatrix {
    return this.columnsOfMatrix(toSparse(this.matrix))
  }

  private columnsOfMatrix(matrix: SparseMatrix): SparseMatrix {
    return this.withConstantRow(matrix.rows, matrix.indices.length, (...room) =>
      transposeInto(matrix, ...room),
    )
  }

  /**
   * The columns of so many rows, of which `transposed` fills in all but the constant feature: nothing is stored of that where it is 0.
   */
  protected withConstantRow(
    rows: number,
    stored: number,
    transposed: (starts: Uint32Array, indices: Uint32Array, values: Float64Array) => void,
  ): SparseMatrix {
    const { cols, constant } = this
    const whole = stored + (constant === 0 ? 0 : rows)
    const indptr = this.list(cols + 2)
    const indices = this.list(whole)
    const values = this.vector(whole)
    transposed(indptr, indices, values)
    indptr[cols + 1] = whole
    for (let i = 0; stored + i < whole; i++) indices[stored + i] = i
    values.fill(constant, stored)
    return { kind: 'sparse', rows: cols + 1, cols: rows, indptr, indices, values }
  }

  /** Σ_j factors_j x̃_ij² of every row. */
  weightedNorms(factors: Float64Array): Float64Array {
    const { matrix, cols, constant } = this
    const norms = new Float64Array(matrix.rows).fill(constant * constant * factors[cols])
    const { values } = matrix
    for (let i = 0, k = 0; i < norms.length; i++) {
      if (matrix.kind === 'dense')
        for (let j = 0; j < cols; j++, k++) norms[i] += factors[j] * values[k] * values[k]
      else
        for (; k < matrix.indptr[i + 1]; k++) norms[i] += factors[matrix.indices[k]] * values[k] * values[k]
    }
    return norms
  }

  /** Where the engine has the samples, if it does, for whoever certifies a point. */
  get place(): SamplesOnEngine | undefined {
    return undefined
  }

  /** Other rows, held in the same way. */
  abstract of(matrix: Matrix, constant?: number): LinearRows
  /** ‖x̃_i‖² of every row. */
  abstract get squaredNorms(): Float64Array
  /** A vector where the passes can read and write it without copying; zeros. */
  abstract vector(length: number): Float64Array
  /** A list of numbers of rows, there too. */
  abstract list(length: number): Uint32Array
  /** Where memory ends now, and forgets what came behind it: vectors and triangles. */
  abstract mark(): number
  abstract release(mark: number): void
  /** out_i = ⟨x̃_i, w⟩ */
  abstract values(w: Float64Array, out: Float64Array): void
  /** out = Σ_i factors_i x̃_i; rows of factor 0 cost nothing. */
  abstract combine(factors: Float64Array, out: Float64Array): void
  /** out = Σ_i factors_i ⟨x̃_i, x⟩ x̃_i */
  abstract product(factors: Float64Array, x: Float64Array, out: Float64Array): void
  /** out_j = Σ_i factors_i x̃_ij² */
  abstract squares(factors: Float64Array, out: Float64Array): void
  /**
   * The same of k functions together, their weights by feature (j·k + m) and their values by row (i·k + m): out_im = ⟨x̃_i, w_m⟩,
   * out_m = Σ_i factors_im x̃_i, and out = Σ_i h_i (x̃_i x̃_iᵀ) ⊗ (1_S − 1_S 1_Sᵀ / |S|) x, which is quick where samples between the same
   * two classes follow one another (../classes/active-classes.ts).
   */
  abstract classValues(w: Float64Array, k: number, out: Float64Array): void
  abstract classCombine(factors: Float64Array, k: number, out: Float64Array): void
  /** The same of listed samples and classes alone: values and factors are in the order of the list of classes. */
  abstract listedValues(list: ListedClasses, k: number, w: Float64Array, out: Float64Array): void
  abstract listedCombine(list: ListedClasses, k: number, factors: Float64Array, out: Float64Array): void
  /** out_s = Σ_t ⟨x̃_i, x̃_l⟩ x_t over the places t of the same class as s, i and l being the samples that these are of. */
  abstract classGrams(members: ClassMembers, x: Float64Array, out: Float64Array): void
  abstract classProduct(active: ActiveClasses, k: number, x: Float64Array, out: Float64Array): void
  /** ⟨a, b⟩ of the first `count` entries, by default of all */
  abstract dot(a: Float64Array, b: Float64Array, count?: number): number
  /** to += factor · from */
  abstract addScaled(factor: number, from: Float64Array, to: Float64Array): void
  /** to = factor · to + from */
  abstract scaleAndAdd(factor: number, from: Float64Array, to: Float64Array): void
  /** to = factor · to + a ∘ b, entry by entry */
  abstract addProductsOf(factor: number, a: Float64Array, b: Float64Array, to: Float64Array): void
  /** values = 1 / (added + factor · values), and 1 where that is not above 0 */
  abstract invert(factor: number, added: Float64Array, values: Float64Array): void
  /** out = a − b; returns how many entries of it are not 0. */
  abstract difference(a: Float64Array, b: Float64Array, out: Float64Array): number
  /** How many entries are above 0. */
  abstract countPositive(values: Float64Array): number
  /** Losses of all rows where the passes can read them without copying, given or those of a problem; the four below are those of linear-loss.ts. */
  abstract terms(terms: LossTerms): LossTerms
  abstract termsOf(problem: LinearMachineProblem): LossTerms
  abstract slopes(terms: LossTerms, f: Float64Array, beta: Float64Array, curvature: Float64Array): number
  abstract lossSum(terms: LossTerms, f: Float64Array): number
  abstract conjugateSum(terms: LossTerms, beta: Float64Array): number
  abstract slopeAlong(
    terms: LossTerms,
    f: Float64Array,
    q: Float64Array,
    t: number,
  ): { readonly slope: number; readonly bend: number }
  /** A symmetric matrix of n rows; zeros. */
  abstract triangle(n: number): Triangle
  /** target += Σ_i factors_i x̃_i x̃_iᵀ */
  abstract addGram(factors: Float64Array, target: Triangle, due: Due): Pieces
  /** The same of several factors and targets, and the factors of several matrices. */
  *addGrams(factors: readonly Float64Array[], targets: readonly Triangle[], due: Due): Pieces {
    for (let m = 0; m < targets.length; m++) yield* this.addGram(factors[m], targets[m], due)
  }

  *factorAll(matrices: readonly Triangle[], due: Due): Pieces {
    for (const matrix of matrices) yield* matrix.factor(due)
  }

  /** out_m = A_m⁻¹ x_m / scale, A_m the matrices that were factored, one for each of k functions; weights by feature (j·k + m). */
  solveAll(factored: readonly Triangle[], scale: number, x: Float64Array, out: Float64Array): void {
    const k = factored.length
    const side = new Float64Array(x.length / k)
    for (let m = 0; m < k; m++) {
      for (let j = 0; j < side.length; j++) side[j] = x[j * k + m] / scale
      factored[m].solve(side)
      for (let j = 0; j < side.length; j++) out[j * k + m] = side[j]
    }
  }

  /** target_ab = ⟨x̃_i, x̃_k⟩ for the rows i = list_a and k = list_b, count of them. */
  abstract rowGram(list: Uint32Array, count: number, target: Triangle, due: Due): Pieces
  /** A sweep of dual coordinate descent. */
  abstract sweep(vectors: SweepVectors, state: SweepState, steps: number): void
  /** The extremes and the sum of the projected gradients of all samples, those left out included, whose values are f. */
  abstract gradientSpread(vectors: SweepVectors, state: SweepState, f: Float64Array): void
  /** The order becomes the samples of these that have room to move and are not held by more than the state says. */
  abstract relist(vectors: SweepVectors, state: SweepState, f: Float64Array): void
  /** Some blocks of an epoch with the logistic loss; see ../logistic/logistic-sweep.ts. Samples that leave less than `least` of the gap stay. */
  abstract logisticSweep(vectors: LogisticVectors, from: number, to: number, least: number): void
  /** Up to `visits` further samples of an epoch of the sequential dual method; see ../classes/class-sweep.ts. */
  abstract classSweep(vectors: ClassSweepVectors, visits: number): void
  /**
   * Epochs of coordinate descent on a quadratic model, G as a square and image = G d; they end when the violations of one are within
   * `aim` in sum. Returns that sum.
   */
  abstract gramEpochs(
    model: QuadraticModel,
    square: Float64Array,
    image: Float64Array,
    epochs: number,
    aim: number,
  ): number
  /**
   * An epoch of the same over listed features, where these rows are the columns of the samples (see {@link transposed}). Entries of the
   * diagonal that are 0 are filled in. A feature that is 0 and held there by more than `margin` leaves the list.
   */
  abstract columnEpoch(
    model: QuadraticModel,
    list: FeatureList,
    curved: CurvedColumns,
    margin: number,
  ): number
  /**
   * The same on losses themselves, ½ Σ max(0, s_i)² + Σ |w_j|, where these rows are the columns of A, s falls by A w, and `squares`
   * has the squared norms of the columns.
   */
  abstract lossEpoch(
    model: Pick<QuadraticModel, 'penalised' | 'w'>,
    list: FeatureList,
    s: Float64Array,
    squares: Float64Array,
    margin: number,
  ): number
}

/**
 * −⟨v, d⟩ + ½ dᵀ G d + Σ |w_j + d_j|, the sum over the first `penalised` features; see ../l1/proximal-descent.ts. The vectors here and
 * below are from {@link LinearRows.vector} and {@link LinearRows.list}.
 */
export interface QuadraticModel {
  readonly penalised: number
  readonly v: Float64Array
  readonly w: Float64Array
  readonly d: Float64Array
}

/**
 * Features in the order in which they have their turn; how many there are is the first entry of `active`. The second is how many signs
 * an epoch of {@link LinearRows.columnEpoch} has changed.
 */
export interface FeatureList {
  readonly order: Uint32Array
  readonly active: Uint32Array
}

/** G = X̃ᵀ diag(h) X̃ + diag(floor), and its diagonal; for each sample a pair, h_i and the entry of diag(h) X̃ d. */
export interface CurvedColumns {
  readonly pairs: Float64Array
  readonly floor: Float64Array
  readonly diagonal: Float64Array
}

/**
 * Samples between two classes or more: which they are, where their classes S, ascending, begin in the list, and h_i. The vectors are from
 * {@link LinearRows.vector} and {@link LinearRows.list}.
 */
export interface ActiveClasses extends ListedClasses {
  readonly curvature: Float64Array
}

/** Samples, and some of the classes of each. */
export interface ListedClasses {
  count: number
  readonly samples: Uint32Array
  readonly starts: Uint32Array
  readonly classes: Uint32Array
}

/** {@link ListedClasses} class by class: where the samples of each start, and their places in the list of classes. */
export interface ClassMembers {
  readonly samples: Uint32Array
  readonly starts: Uint32Array
  readonly places: Uint32Array
}

/** The same list class by class. */
export function membersOf(
  rows: LinearRows,
  { count, samples, starts, classes }: ListedClasses,
  k: number,
): ClassMembers {
  const entries = starts[count]
  const members = { samples: rows.list(entries), starts: rows.list(k + 1), places: rows.list(entries) }
  const ends = new Uint32Array(k + 1)
  for (let s = 0; s < entries; s++) ends[classes[s] + 1]++
  for (let m = 0; m < k; m++) ends[m + 1] += ends[m]
  members.starts.set(ends)
  for (let a = 0; a < count; a++) {
    for (let s = starts[a]; s < starts[a + 1]; s++) {
      const e = ends[classes[s]]++
      members.samples[e] = samples[a]
      members.places[e] = s
    }
  }
  return members
}

/** A symmetric matrix, and then its factor. */
export abstract class Triangle {
  readonly size: number
  /** Row after row; how they lie is its own affair. */
  readonly values: Float64Array

  constructor(size: number, values: Float64Array) {
    this.size = size
    this.values = values
  }

  /** Where row i starts. */
  protected abstract startOf(i: number): number

  clear(): void {
    this.values.fill(0)
  }

  /** Row i up to the diagonal, to be read and written. */
  row(i: number): Float64Array {
    const start = this.startOf(i)
    return this.values.subarray(start, start + i + 1)
  }

  copy(from: Triangle): void {
    this.values.set(from.values)
  }

  /** Adds to the diagonal. */
  addDiagonal(values: Float64Array): void {
    for (let i = 0; i < this.size; i++) this.values[this.startOf(i) + i] += values[i]
  }

  /** Replaces the matrix by its Cholesky factor; pivots that are rounding alone hold their variables where they are. */
  abstract factor(due: Due): Pieces
  /** Replaces b by x of A x = b, A the matrix that was factored. */
  abstract solve(b: Float64Array): void
}

/** The squared number of values of a row, on average. */
function meanSquareOf(matrix: Matrix): number {
  if (matrix.kind === 'dense') return matrix.cols ** 2
  let sum = 0
  for (let i = 0; i < matrix.rows; i++) sum += (matrix.indptr[i + 1] - matrix.indptr[i]) ** 2
  return sum / matrix.rows
}

/** The vectors of a sweep; see ../methods/dual-descent.ts. They are from {@link LinearRows.vector} and {@link LinearRows.list}. */
export interface SweepVectors {
  /** The samples that may move, ascending; those that are not left out come first. Blocks of neighbours have their turns in an order of their own. */
  readonly order: Uint32Array
  readonly turns: Uint32Array
  readonly block: number
  readonly beta: Float64Array
  readonly z: Float64Array
  readonly lower: Float64Array
  readonly upper: Float64Array
  /** D_i */
  readonly shift: Float64Array
  /** ‖x̃_i‖² + D_i */
  readonly curvature: Float64Array
  readonly w: Float64Array
  readonly epsilon: number
}

/** Where a sweep stands. */
export interface SweepState {
  /** The next of the turns, where the active part of the order ends, and how many β have moved. */
  turn: number
  active: number
  changes: number
  /** Slopes that hold a sample at β = 0, or at its other bound, by more than this leave it out. */
  heldAtZero: number
  heldAtBound: number
  /** Extremes of the projected gradient so far, signed as the labels are, and the sum of its absolute values. */
  highest: number
  lowest: number
  total: number
}

/** The vectors of epochs with the logistic loss; see ../logistic/logistic-sweep.ts. They are from {@link LinearRows.vector} and {@link LinearRows.list}. */
export interface LogisticVectors
  extends Pick<SweepVectors, 'order' | 'turns' | 'block' | 'beta' | 'z' | 'w'> {
  /** C_i */
  readonly price: Float64Array
  /** ‖x̃_i‖² */
  readonly squares: Float64Array
  /** y_i m_i: the value of f at which β_i is what the loss asks for. */
  readonly wanted: Float64Array
  /** What the samples visited so far left of the gap, and the largest |m_i − v|. */
  readonly sums: Float64Array
}

/** The vectors of epochs over all α of each sample; see ../classes/class-sweep.ts. They are from {@link LinearRows.vector} and {@link LinearRows.list}. */
export interface ClassSweepVectors {
  readonly k: number
  /** The samples that may move; those that are not left out come first. */
  readonly order: Uint32Array
  /** The next place in the order, where its active part ends, and 1 as soon as anything has moved. */
  readonly counts: Uint32Array
  readonly y: Uint32Array
  /** C_i */
  readonly price: Float64Array
  /** ‖x̃_i‖² */
  readonly norms: Float64Array
  readonly alpha: Float64Array
  /** w by feature (j·k + m) */
  readonly w: Float64Array
  /** For each sample its classes, the first `activeClasses` of them active. */
  readonly classOrder: Uint32Array
  readonly activeClasses: Uint32Array
  /** Room for k numbers each: classes, g of these, by how much α moves, and the products of a row with all. */
  readonly chosen: Uint32Array
  readonly gradient: Float64Array
  readonly change: Float64Array
  readonly all: Float64Array
  /** The largest violation so far. */
  readonly largest: Float64Array
}
