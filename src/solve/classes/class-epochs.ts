/**
 * Epochs of the sequential dual method for Crammer and Singer's machine, all α of one sample at a time; see
 * ../methods/crammer-singer.ts.
 */
import { allocate } from '../../base/allocate.ts'
import { countUp } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import type { SparseMatrix } from '../../data/matrix/matrix.ts'
import { squaredNorms } from '../../data/matrix/products.ts'
import { type CrammerSingerProblem, linearWeights } from '../../problems/linear-problem.ts'
import type { Due } from '../driver/pieces.ts'
import { copyFields, restoreFields } from '../driver/saved-fields.ts'
import { stepsPerSlice } from '../dual/kernel-expansion.ts'
import type { Epochs } from '../linear/coordinate-descent.ts'
import type { LinearRows } from '../linear/linear-rows.ts'
import { freeSamples, stepOnClassFace } from './class-face.ts'
import { simplexThreshold } from './class-newton.ts'

/**
 * Solve what is active to 1 first (or ten times the goal) before all samples come back. LIBLINEAR's rule. But they come back after so
 * many epochs in any case: on news20 (20 classes, C = 1), whose violations stay above 1 for long, the gap is 2e-2 after 7 s with that,
 * and 0.18 without. With 5 and 20 epochs it falls as fast.
 */
const FIRST_GOAL = 1
const EPOCHS_PER_RETURN = 10
/**
 * Iterations of a step on a face, at most, which is also what the first one is taken to need: one costs as much as an epoch, and what 300 of
 * them gained on news20 (C = 1) came from the epochs behind them.
 */
const MOST_ITERATIONS = 100

/** α, w, and the order in which samples and their classes are visited. */
export class ClassEpochs implements Epochs {
  readonly alpha: Float64Array
  /** The samples whose α move; the first `active` of them are visited, the others are shrunk. */
  readonly order: Uint32Array
  readonly visitsPerSlice: number
  active: number
  largest = 0
  changed = false
  /** Visits that steps on faces have cost; iterations of the last one, or how many the first is expected to take. */
  spent = 0
  private iterations = MOST_ITERATIONS

  private readonly problem: CrammerSingerProblem
  private readonly rows: SparseMatrix
  private readonly data: LinearRows
  /** w_m by feature: entry j·k + m is the weight of feature j for class m; the constant feature comes last. */
  readonly w: Float64Array
  readonly norms: Float64Array
  /** For each sample its classes, the first `activeClasses` of them active. */
  private readonly classOrder: Uint32Array
  private readonly activeClasses: Uint32Array
  /** Of the active classes of one sample: which they are, g (then D), and by how much α moves. */
  private readonly chosen: Uint32Array
  private readonly gradient: Float64Array
  private readonly change: Float64Array
  private position = 0
  /** What the active samples are solved to before all come back, and whether all were there in this epoch. */
  private goal: number
  private wholeEpoch = true
  /** Epochs since that was so. */
  private epochs = 0

  /** `data` are the same rows, held for passes over all classes. */
  constructor(problem: CrammerSingerProblem, tol: number, matrix: SparseMatrix, data: LinearRows) {
    const { samples, C, y, classes, constant } = problem
    const { rows, cols } = samples
    this.problem = problem
    this.visitsPerSlice = stepsPerSlice(problem, classes)
    this.rows = matrix
    this.data = data
    this.alpha = new Float64Array(rows * classes)
    this.w = allocate(Float64Array, (cols + 1) * classes)
    this.norms = squaredNorms(samples).map((norm) => norm + constant ** 2)
    this.classOrder = new Uint32Array(rows * classes)
    this.activeClasses = new Uint32Array(rows)
    this.chosen = new Uint32Array(classes)
    this.gradient = new Float64Array(classes)
    this.change = new Float64Array(classes)
    for (let i = 0; i < rows; i++) {
      for (let m = 0; m < classes; m++) this.classOrder[i * classes + m] = m
      if (this.norms[i] > 0) continue
      // Whatever w is, a sample at the origin costs its C: any α with α_iy = C_i is optimal.
      this.alpha[i * classes + y[i]] = C[i]
      this.alpha[i * classes + (y[i] === 0 ? 1 : 0)] = -C[i]
    }
    this.order = countUp(C.length).filter((i) => C[i] > 0 && this.norms[i] > 0)
    this.active = 0
    this.goal = Math.max(10 * tol, FIRST_GOAL)
    this.activateAll()
  }

  /** Begins at this α. */
  *startAt(alpha: Float64Array): Pieces {
    this.alpha.set(alpha)
    yield* this.refresh(() => false)
  }

  save(): object {
    const { alpha, order, w, classOrder, activeClasses } = this
    const { active, largest, changed, position, goal, wholeEpoch, epochs, spent, iterations } = this
    const arrays = { alpha, order, w, classOrder, activeClasses }
    const numbers = { active, largest, changed, position, goal, wholeEpoch, epochs, spent, iterations }
    return copyFields({ ...arrays, ...numbers })
  }

  restore(saved: object): void {
    restoreFields(this, saved)
  }

  start(): void {
    this.position = 0
    this.largest = 0
    this.changed = false
  }

  sweep(visits: number): boolean {
    const { order, activeClasses } = this
    for (let visit = 0; visit < visits && this.position < this.active; visit++) {
      const i = order[this.position]
      this.gradients(i)
      const violation = this.shrinkClasses(i)
      if (activeClasses[i] <= 1) {
        this.active--
        order[this.position] = order[this.active]
        order[this.active] = i
        continue
      }
      this.position++
      if (violation > this.largest) this.largest = violation
      if (violation > 0) this.project(i)
    }
    return this.position < this.active
  }

  end(aim: number): boolean {
    const solved = this.wholeEpoch && (this.largest <= aim || !this.changed)
    const isSettled = this.largest <= this.goal || !this.changed
    this.epochs = isSettled ? 0 : this.epochs + 1
    this.wholeEpoch = this.epochs % EPOCHS_PER_RETURN === 0
    if (this.wholeEpoch) this.activateAll()
    if (isSettled) this.goal = Math.max(this.goal / 2, aim)
    return solved
  }

  get faceVisits(): number {
    return this.iterations * freeSamples(this.problem, this).length
  }

  *face(due: Due): Pieces {
    const { problem, data } = this
    const free = freeSamples(problem, this)
    const { iterations } = yield* stepOnClassFace(problem, data, free, this, MOST_ITERATIONS, due)
    this.iterations = Math.max(1, iterations)
    this.spent += this.iterations * free.length
    this.activateAll()
  }

  values(): { primal: number; dual: number } {
    const { problem, alpha, w, chosen, gradient, activeClasses } = this
    const { C, y, classes } = problem
    let norm = 0
    for (const weight of w) norm += weight * weight
    let losses = 0
    let linear = 0
    for (let i = 0; i < C.length; i++) {
      if (C[i] === 0) continue
      const active = activeClasses[i]
      activeClasses[i] = classes
      this.gradients(i)
      activeClasses[i] = active
      let highest = Number.NEGATIVE_INFINITY
      let own = 0
      for (let a = 0; a < classes; a++) {
        if (gradient[a] > highest) highest = gradient[a]
        if (chosen[a] === y[i]) own = gradient[a]
      }
      losses += C[i] * (highest - own)
      linear += alpha[i * classes + y[i]]
    }
    return { primal: 0.5 * norm + losses, dual: 0.5 * norm - linear }
  }

  private activateAll(): void {
    this.active = this.order.length
    this.activeClasses.fill(this.problem.classes)
  }

  *refresh(due: Due): Pieces {
    const { problem, alpha, w, order } = this
    const { classes, samples } = problem
    const length = samples.cols + 1
    const rowMajor = linearWeights(problem, alpha)
    for (let m = 0; m < classes; m++) {
      for (let j = 0; j < length; j++) w[j * classes + m] = rowMajor[m * length + j]
    }
    this.activateAll()
    this.largest = 0
    for (const i of order) {
      this.gradients(i)
      this.largest = Math.max(this.largest, this.shrinkClasses(i))
      if (due()) yield
    }
  }

  /** Fills `chosen` and `gradient` with the active classes of sample i and their g. */
  private gradients(i: number): void {
    const { problem, w, chosen, gradient } = this
    const { samples, classes, y, constant } = problem
    const count = this.activeClasses[i]
    const start = i * classes
    for (let a = 0; a < count; a++) {
      const m = this.classOrder[start + a]
      chosen[a] = m
      gradient[a] = (m === y[i] ? 0 : 1) + constant * w[samples.cols * classes + m]
    }
    addProducts(this.rows, i, w, classes, chosen, count, gradient)
  }

  /**
   * The violation of sample i, with the classes that need not be looked at moved behind the active ones, in `classOrder` as
   * in `chosen` and `gradient`.
   */
  private shrinkClasses(i: number): number {
    const { problem, alpha, chosen, gradient, classOrder } = this
    const { classes, y, C } = problem
    const start = i * classes
    let count = this.activeClasses[i]
    let highest = Number.NEGATIVE_INFINITY
    let lowest = Number.POSITIVE_INFINITY
    for (let a = 0; a < count; a++) {
      const m = chosen[a]
      if (gradient[a] > highest) highest = gradient[a]
      if (gradient[a] < lowest && alpha[start + m] < (m === y[i] ? C[i] : 0)) lowest = gradient[a]
    }
    for (let a = 0; a < count; ) {
      const m = chosen[a]
      if (gradient[a] >= lowest || alpha[start + m] < (m === y[i] ? C[i] : 0)) {
        a++
        continue
      }
      count--
      chosen[a] = chosen[count]
      gradient[a] = gradient[count]
      classOrder[start + a] = chosen[a]
      classOrder[start + count] = m
    }
    this.activeClasses[i] = count
    return highest - lowest
  }

  /** Minimises the dual over the active α of sample i. */
  private project(i: number): void {
    const { problem, alpha, chosen, gradient, change, w, norms } = this
    const { samples, classes, y, C, constant } = problem
    const count = this.activeClasses[i]
    const start = i * classes
    const A = norms[i]
    // Only differences of g matter. Taken from the highest, they keep the digits that A · C, tiny for a short sample, is added to.
    let highest = Number.NEGATIVE_INFINITY
    for (let a = 0; a < count; a++) highest = Math.max(highest, gradient[a])
    for (let a = 0; a < count; a++) {
      const m = chosen[a]
      gradient[a] = gradient[a] - highest + A * ((m === y[i] ? C[i] : 0) - alpha[start + m])
      change[a] = gradient[a]
    }
    const theta = simplexThreshold(change, count, A * C[i])
    let moved = 0
    for (let a = 0; a < count; a++) {
      const m = chosen[a]
      const bound = m === y[i] ? C[i] : 0
      const next = gradient[a] > theta ? bound - (gradient[a] - theta) / A : bound
      const difference = next - alpha[start + m]
      if (difference === 0) continue
      alpha[start + m] = next
      w[samples.cols * classes + m] += difference * constant
      chosen[moved] = m
      change[moved++] = difference
    }
    if (moved === 0) return
    addMultiples(this.rows, i, w, classes, chosen, moved, change)
    this.changed = true
  }
}

/**
 * out[a] += ⟨x_i, w of class chosen[a]⟩ for the first `count` classes; w is kept by feature. Four classes at a time, their
 * sums in registers: written out, as in ../../engine/reference/reference.ts, which says what other forms cost.
 */
function addProducts(
  { indptr, indices, values }: SparseMatrix,
  i: number,
  w: Float64Array,
  classes: number,
  chosen: Uint32Array,
  count: number,
  out: Float64Array,
): void {
  const start = indptr[i]
  const end = indptr[i + 1]
  let a = 0
  for (; a + 4 <= count; a += 4) {
    const m0 = chosen[a]
    const m1 = chosen[a + 1]
    const m2 = chosen[a + 2]
    const m3 = chosen[a + 3]
    let sum0 = out[a]
    let sum1 = out[a + 1]
    let sum2 = out[a + 2]
    let sum3 = out[a + 3]
    for (let k = start; k < end; k++) {
      const value = values[k]
      const row = indices[k] * classes
      sum0 += value * w[row + m0]
      sum1 += value * w[row + m1]
      sum2 += value * w[row + m2]
      sum3 += value * w[row + m3]
    }
    out[a] = sum0
    out[a + 1] = sum1
    out[a + 2] = sum2
    out[a + 3] = sum3
  }
  for (; a < count; a++) {
    const m = chosen[a]
    let sum = out[a]
    for (let k = start; k < end; k++) sum += values[k] * w[indices[k] * classes + m]
    out[a] = sum
  }
}

/** w of class chosen[a] += change[a] · x_i for the first `count` classes. */
function addMultiples(
  { indptr, indices, values }: SparseMatrix,
  i: number,
  w: Float64Array,
  classes: number,
  chosen: Uint32Array,
  count: number,
  change: Float64Array,
): void {
  const start = indptr[i]
  const end = indptr[i + 1]
  for (let a = 0; a < count; a++) {
    const m = chosen[a]
    const factor = change[a]
    for (let k = start; k < end; k++) w[indices[k] * classes + m] += factor * values[k]
  }
}
