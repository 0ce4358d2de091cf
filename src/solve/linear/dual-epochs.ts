/**
 * Epochs of dual coordinate descent for a linear machine; see ../methods/dual-descent.ts. It continues from the best dual
 * point.
 */
import type { Pieces } from '../../base/pieces.ts'
import type { Random } from '../../base/random.ts'
import { isTubeLoss, type LossTerms } from '../../problems/linear-loss.ts'
import type { LinearMachineProblem } from '../../problems/linear-problem.ts'
import type { Due } from '../driver/pieces.ts'
import { copyFields, restoreFields } from '../driver/saved-fields.ts'
import type { LinearRows, SweepState, SweepVectors } from '../rows/linear-rows.ts'
import { freeSamples, stepOnFace } from './dual-face.ts'
import type { LinearPoint } from './linear-point.ts'

/** Values that a call of a sweep reads and writes, about: a millisecond of work. */
const WORK_PER_CALL = 1e6
/**
 * Iterations of a step on a face, at most, and what the first one is taken to need. On news20 (hinge and squared hinge, two classes) and imdb (hinge), C = 100,
 * at most 100 and 1,000 took up to a third longer; the residual ends most steps after 50 to 250.
 */
const MOST_ITERATIONS = 300
const FIRST_ITERATIONS = 100

/**
 * Where rows take more room than the cache of a core (megabytes), samples have their turn in blocks of neighbours, the blocks in random
 * order: rows in any order are waited for. On random sparse rows (30,000 x 60,000) and on news20, a visit takes a quarter less time with blocks of
 * 32, a fifth with 8, and epochs gain as much within a few per cent.
 */
const CACHED_VALUES = 1e5
const BLOCK = 32

/** Samples that have their turn together. */
export function blockSize({ stored }: LinearRows): number {
  return stored > CACHED_VALUES ? BLOCK : 1
}

/** Samples that a call of a sweep visits. */
export function samplesPerCall({ stored, rows }: LinearRows): number {
  return Math.ceil(WORK_PER_CALL / (stored / rows + 4))
}

/** See the header of the file. */
export class DualEpochs {
  /** Samples visited so far, and those whose rows were read for steps on faces. */
  visits = 0
  /** Iterations of the last step on a face, or how many the first one is expected to take. */
  private iterations = FIRST_ITERATIONS
  private readonly movable: Uint32Array
  private readonly rows: LinearRows
  private readonly point: LinearPoint
  private readonly random: Random
  private readonly due: Due
  private readonly vectors: SweepVectors
  private readonly f: Float64Array
  private readonly state: SweepState
  private readonly perCall: number
  private firstTotal = Number.NaN
  private readonly isTube: boolean

  constructor(problem: LinearMachineProblem, rows: LinearRows, point: LinearPoint, random: Random, due: Due) {
    const { terms, state } = point
    const copy = (values: Float64Array) => {
      const copied = rows.vector(values.length)
      copied.set(values)
      return copied
    }
    this.movable = movableSamples(terms)
    const order = rows.list(this.movable.length)
    order.set(this.movable)
    const block = blockSize(rows)
    const beta = copy(state.alpha)
    const w = rows.vector(rows.cols + 1)
    rows.combine(beta, w)
    this.isTube = isTubeLoss(problem.loss)
    this.rows = rows
    this.point = point
    this.random = random
    this.due = due
    this.f = rows.vector(rows.rows)
    this.vectors = {
      order,
      turns: rows.list(Math.ceil(order.length / block)),
      block,
      beta,
      z: copy(terms.z),
      lower: copy(terms.lower),
      upper: copy(terms.upper),
      shift: copy(terms.shift),
      curvature: copy(curvatures(rows.squaredNorms, terms)),
      w,
      epsilon: terms.epsilon,
    }
    this.perCall = samplesPerCall(rows)
    this.state = {
      turn: 0,
      active: order.length,
      changes: 0,
      heldAtZero: Number.POSITIVE_INFINITY,
      heldAtBound: Number.POSITIVE_INFINITY,
      ...{ highest: 0, lowest: 0, total: 0 },
    }
  }

  /** All that does not follow from the problem. */
  save() {
    const { visits, iterations, firstTotal, state, vectors } = this
    const { order, beta, w } = vectors
    return { visits, iterations, firstTotal, state: { ...state }, ...copyFields({ order, beta, w }) }
  }

  restore({ visits, iterations, firstTotal, state, order, beta, w }: ReturnType<DualEpochs['save']>): void {
    Object.assign(this.state, state)
    restoreFields(this.vectors, { order, beta, w })
    this.visits = visits
    this.iterations = iterations
    this.firstTotal = firstTotal
  }

  /** One epoch over the samples that are not left out. */
  *epoch(): Pieces {
    const { rows, vectors, state, random } = this
    Object.assign(state, { turn: 0, changes: 0, highest: 0, lowest: 0, total: 0 })
    const turns = vectors.turns.subarray(0, Math.ceil(state.active / vectors.block))
    for (let turn = 0; turn < turns.length; turn++) turns[turn] = turn
    random.shuffle(turns)
    this.visits += state.active
    while (state.turn < turns.length) {
      rows.sweep(vectors, state, this.perCall)
      if (this.due()) yield
    }
    this.setHeld()
    if (Number.isNaN(this.firstTotal)) this.firstTotal = state.total
  }

  /** The visits that cost as much as a step on the present face, about. */
  get faceVisits(): number {
    return this.iterations * freeSamples(this.vectors).length
  }

  /** A step on the present face. */
  *face(): Pieces {
    const { rows, vectors, due } = this
    const free = freeSamples(vectors)
    const { iterations } = yield* stepOnFace(rows, vectors, free, MOST_ITERATIONS, due)
    this.iterations = Math.max(1, iterations)
    this.visits += this.iterations * free.length
    rows.values(vectors.w, this.f)
    this.relist()
  }

  /** The samples that are not left out. */
  get active(): number {
    return this.state.active
  }

  /** Whether samples are left out. */
  get isShrunk(): boolean {
    return this.state.active < this.vectors.order.length
  }

  /** The largest projected gradient of the epoch, or of all samples where they were measured since. */
  get largest(): number {
    return Math.max(this.state.highest, -this.state.lowest)
  }

  /** Whether anything has moved in the epoch, or some samples are left out: if not, no epoch changes anything any more. */
  get isMoving(): boolean {
    return this.state.changes > 0 || this.isShrunk
  }

  /** LIBLINEAR's rule: the spread of the projected gradient for classes, its sum as a part of the first for regression. */
  hasSettled(eps: number): boolean {
    const { highest, lowest, total } = this.state
    return this.isTube ? total <= eps * this.firstTotal : highest - lowest <= eps
  }

  /** Whether samples were left out, which have their turn again from now on. */
  bringBack(): boolean {
    const { state, vectors } = this
    if (!this.isShrunk) return false
    vectors.order.set(this.movable)
    state.active = vectors.order.length
    state.heldAtZero = Number.POSITIVE_INFINITY
    state.heldAtBound = Number.POSITIVE_INFINITY
    return true
  }

  /** Offers the model and the dual point, computed afresh: two passes. Samples that are not held where they are any more come back. */
  measure(): void {
    const { rows, vectors, point, f } = this
    rows.combine(vectors.beta, vectors.w)
    rows.values(vectors.w, f)
    point.offerModel(vectors.w, f)
    point.offerDual(vectors.beta, vectors.w)
    this.relist()
  }

  /** The samples that have their turn are those that are not held by more than the projected gradient of any, by their values f. */
  private relist(): void {
    const { rows, vectors, state, f } = this
    rows.gradientSpread(vectors, state, f)
    this.setHeld()
    rows.relist(vectors, state, f)
  }

  /** Of classes, β = 0 is left where the projected gradient is highest, and the other bound where it is lowest. */
  private setHeld(): void {
    const { state } = this
    const [atZero, atBound] = this.isTube ? [this.largest, this.largest] : [state.highest, -state.lowest]
    state.heldAtZero = atZero > 0 ? atZero : Number.POSITIVE_INFINITY
    state.heldAtBound = atBound > 0 ? atBound : Number.POSITIVE_INFINITY
  }
}

/** The samples whose β has room to move. */
export function movableSamples({ lower, upper }: LossTerms): Uint32Array {
  const movable = new Uint32Array(lower.length)
  let count = 0
  for (let i = 0; i < lower.length; i++) if (upper[i] > lower[i]) movable[count++] = i
  return movable.subarray(0, count)
}

/** ‖x̃_i‖² + D_i. A row of zeros has no curvature where the loss has none: any step will do, its bounds end it. */
function curvatures(squaredNorms: Float64Array, { shift }: LossTerms): Float64Array {
  const sums = new Float64Array(shift.length)
  for (let i = 0; i < sums.length; i++) sums[i] = squaredNorms[i] + shift[i] || Number.MIN_VALUE
  return sums
}
