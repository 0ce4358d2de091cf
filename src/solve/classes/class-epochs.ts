/**
 * Epochs of the sequential dual method for Crammer and Singer's machine, all α of one sample at a time; see
 * ../methods/crammer-singer.ts.
 */
import { indicesWhere } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import type { CrammerSingerProblem } from '../../problems/linear-problem.ts'
import type { Due } from '../driver/pieces.ts'
import { copyFields, restoreFields } from '../driver/saved-fields.ts'
import { stepsPerSlice } from '../dual/kernel-expansion.ts'
import type { Epochs } from '../linear/coordinate-descent.ts'
import type { ClassSweepVectors, LinearRows } from '../rows/linear-rows.ts'
import { bestMultiple, type Multiple } from './best-multiple.ts'
import { countFree, stepOnClassFace } from './class-face.ts'
import { startFromCopies } from './copies-start.ts'

/**
 * Solve what is active to 1 first (or ten times the goal) before all samples come back. LIBLINEAR's rule. But they come back after so
 * many epochs in any case: on news20 (20 classes, C = 1), whose violations stay above 1 for long, the gap is 2e-2 after 7 s with that,
 * and 0.18 without. With 5 and 20 epochs it falls as fast.
 */
const FIRST_GOAL = 1
const EPOCHS_PER_RETURN = 10
/** Iterations of a step on a face, at most, and how many the first one is taken to need: one costs about as much as an epoch. */
const MOST_ITERATIONS = 1000
const FIRST_ITERATIONS = 100
/**
 * How near to α steps on faces are kept, see ./class-face.ts: the first one, and how that changes where of the free α so many came to bounds, or so
 * few. On 4,000 rows of news20 (C = 100) steps with 0.1 and 1 throughout leave gaps of 2.8e-4 and 3e-3 after 25 s, and with 0.01, which
 * on all rows leads nowhere at first, 1.8e-5 after 30 s.
 */
const NEARNESS = 1
const MANY_BOUND = 0.1
const FURTHER_OFF = 2
const FEW_BOUND = 0.04
const NEARER_BY = 8
const LEAST_NEARNESS = 2 ** -20

/** α, w, and the order in which samples and their classes are visited. */
export class ClassEpochs implements Epochs {
  readonly alpha: Float64Array
  /** The samples whose α move; the first `active` of them are visited, the others are shrunk. */
  readonly order: Uint32Array
  readonly visitsPerSlice: number
  readonly facesGoOn = true
  /** Visits that steps on faces have cost; iterations of the last one, or how many the first is expected to take. */
  spent = 0
  private iterations = FIRST_ITERATIONS
  private nearness = NEARNESS

  private readonly problem: CrammerSingerProblem
  private readonly rows: LinearRows
  /** w_m by feature: entry j·k + m is the weight of feature j for class m; the constant feature comes last. */
  readonly w: Float64Array
  readonly norms: Float64Array
  private readonly vectors: ClassSweepVectors
  /** f of all samples and classes. */
  private readonly f: Float64Array
  /** What the active samples are solved to before all come back, and whether all were there in this epoch. */
  private goal: number
  private wholeEpoch = true
  /** Epochs since that was so. */
  private epochs = 0

  constructor(problem: CrammerSingerProblem, tol: number, rows: LinearRows) {
    const { C, y, classes: k } = problem
    const { rows: count, cols } = rows
    this.problem = problem
    this.rows = rows
    this.visitsPerSlice = stepsPerSlice(problem, k)
    this.alpha = rows.vector(count * k)
    startFromCopies(problem, this.alpha)
    this.w = rows.vector((cols + 1) * k)
    this.f = rows.vector(count * k)
    this.norms = held(rows.vector(count), rows.squaredNorms)
    const movable = indicesWhere(count, (i) => C[i] > 0 && this.norms[i] > 0)
    this.order = held(rows.list(movable.length), movable)
    this.vectors = {
      k,
      ...{ order: this.order, counts: rows.list(3), y: held(rows.list(count), y) },
      ...{ price: held(rows.vector(count), C), norms: this.norms, alpha: this.alpha, w: this.w },
      ...{ classOrder: rows.list(count * k), activeClasses: rows.list(count), chosen: rows.list(k) },
      ...{ gradient: rows.vector(k), change: rows.vector(k), all: rows.vector(k), largest: rows.vector(1) },
    }
    for (let i = 0; i < count; i++) {
      for (let m = 0; m < k; m++) this.vectors.classOrder[i * k + m] = m
      if (this.norms[i] > 0) continue
      // Whatever w is, a sample at the origin costs its C: any α with α_iy = C_i is optimal.
      this.alpha.fill(0, i * k, i * k + k)
      this.alpha[i * k + y[i]] = C[i]
      this.alpha[i * k + (y[i] === 0 ? 1 : 0)] = -C[i]
    }
    this.goal = Math.max(10 * tol, FIRST_GOAL)
    this.activateAll()
  }

  get active(): number {
    return this.vectors.counts[1]
  }

  get changed(): boolean {
    return this.vectors.counts[2] > 0
  }

  get largest(): number {
    return this.vectors.largest[0]
  }

  /** Begins at this α. */
  *startAt(alpha: Float64Array): Pieces {
    this.alpha.set(alpha)
    yield* this.refresh()
  }

  save() {
    const { goal, wholeEpoch, epochs, spent, iterations, nearness } = this
    const { order, counts, alpha, w, classOrder, activeClasses, largest } = this.vectors
    return {
      numbers: { goal, wholeEpoch, epochs, spent, iterations, nearness },
      vectors: copyFields({ order, counts, alpha, w, classOrder, activeClasses, largest }),
    }
  }

  restore(saved: object): void {
    const { numbers, vectors } = saved as ReturnType<ClassEpochs['save']>
    restoreFields(this, numbers)
    restoreFields(this.vectors, vectors)
  }

  start(): void {
    const { counts, largest } = this.vectors
    counts[0] = 0
    counts[2] = 0
    largest[0] = 0
  }

  sweep(visits: number): boolean {
    this.rows.classSweep(this.vectors, visits)
    const [position, active] = this.vectors.counts
    return position < active
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
    return this.iterations * countFree(this.problem, this)
  }

  *face(due: Due): Pieces {
    const free = countFree(this.problem, this)
    const { problem, rows, nearness } = this
    const step = yield* stepOnClassFace(problem, rows, this, nearness, MOST_ITERATIONS, due)
    this.iterations = Math.max(1, step.iterations)
    if (step.gain === 0 || step.bound > MANY_BOUND) this.nearness *= FURTHER_OFF
    else if (step.bound < FEW_BOUND) this.nearness = Math.max(LEAST_NEARNESS, nearness / NEARER_BY)
    this.spent += this.iterations * free
    this.activateAll()
  }

  values(): Multiple & { dual: number } {
    const { problem, rows, alpha, w, f } = this
    const { C, y, classes: k } = problem
    rows.classValues(w, k, f)
    const square = rows.dot(w, w)
    let linear = 0
    for (let i = 0; i < C.length; i++) if (C[i] > 0) linear += alpha[i * k + y[i]]
    return { ...bestMultiple(problem, f, square), dual: 0.5 * square - linear }
  }

  private activateAll(): void {
    this.vectors.counts[1] = this.order.length
    this.vectors.activeClasses.fill(this.problem.classes)
  }

  *refresh(): Pieces {
    const { problem, rows, alpha, w, f, order } = this
    const { C, y, classes: k } = problem
    rows.classCombine(alpha, k, w)
    yield
    rows.classValues(w, k, f)
    this.activateAll()
    let largest = 0
    for (const i of order) {
      let highest = Number.NEGATIVE_INFINITY
      let lowest = Number.POSITIVE_INFINITY
      for (let m = 0; m < k; m++) {
        const g = f[i * k + m] + (m === y[i] ? 0 : 1)
        if (g > highest) highest = g
        if (g < lowest && alpha[i * k + m] < (m === y[i] ? C[i] : 0)) lowest = g
      }
      largest = Math.max(largest, highest - lowest)
    }
    this.vectors.largest[0] = largest
  }
}

function held<T extends Float64Array | Uint32Array>(room: T, values: ArrayLike<number>): T {
  room.set(values)
  return room
}
