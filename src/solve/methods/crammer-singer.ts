/**
 * Crammer and Singer's machine: the sequential dual method, all α of one sample at a time, and Newton's method where that crawls.
 *
 * Problem   the dual of Crammer–Singer in ../../problems/linear-problem.ts.
 * Method    in each epoch, in a new random order, minimise the dual over α_i1 … α_ik. With A = ‖x̃_i‖², g_m = ⟨w_m, x̃_i⟩ + e_im,
 *           c_m = C_i for m = y_i and 0 otherwise, and D_m = g_m + A (c_m − α_im) the solution is
 *             α_im ← c_m − max(0, D_m − θ) / A,   θ such that Σ_m max(0, D_m − θ) = A C_i,
 *           the projection onto a simplex (`simplexThreshold`). Then w_m ← w_m + (α_im − α_im^old) x̃_i.
 * Shrinking a class without room to rise (α_im = c_m) whose g_m is below that of every class with room is left out for
 *           this sample, and the sample when one class is left. All come back when the others are solved to a tolerance that
 *           is halved each time.
 * Newton    where the gap falls so slowly that epochs would go on for long, Newton's method on the primal (../linear/class-newton.ts)
 *           takes over from α, and finishes, but for what its rounding leaves to further epochs.
 * Two       classes have w_1 = −w_2 = ½v, where v is the machine of one function with the hinge loss and prices 2 C_i: half its value is
 *           that of this problem. Its methods (./linear-auto.ts) solve it.
 * Stop      the gap is within tol of the primal value, for w computed afresh from α (../linear/coordinate-descent.ts).
 * Source    Keerthi, Sundararajan, Chang, Hsieh, Lin 2008; shrinking as in LIBLINEAR; Newton's method as in ./newton.ts.
 * Cost      a visit O(non-zeros of the row × active classes).
 */
import { allocate } from '../../base/allocate.ts'
import { countUp } from '../../base/lists.ts'
import { inOneGo, type Pieces } from '../../base/pieces.ts'
import { type SparseMatrix, toSparse } from '../../data/matrix/matrix.ts'
import { squaredNorms } from '../../data/matrix/products.ts'
import { type CrammerSingerProblem, linearWeights, makeLinearMachine } from '../../problems/linear-problem.ts'
import type { Due } from '../driver/pieces.ts'
import { copyFields, restoreFields } from '../driver/saved-fields.ts'
import type { Solver, SolverContext, SolverRun, SolverState } from '../driver/solver.ts'
import { stepsPerSlice } from '../dual/kernel-expansion.ts'
import { ClassNewton, simplexThreshold } from '../linear/class-newton.ts'
import { MOST_FACTORED } from '../linear/class-system.ts'
import { descend, type Epochs } from '../linear/coordinate-descent.ts'
import type { LinearRows } from '../linear/linear-rows.ts'
import { SlowWatch } from '../linear/slow-watch.ts'
import { withRows } from '../linear/with-rows.ts'
import { linearAuto } from './linear-auto.ts'
import { SAFE } from './newton.ts'

/** Solve what is active to 1 first (or ten times the goal) before all samples come back. LIBLINEAR's rule. */
const FIRST_GOAL = 1
/**
 * Epochs continue while there are no more ahead than behind, or no more than these: about as many as Newton's method would take the time
 * of. Where multiply-adds are few, there may be as many as take a third of a second: on small sets of nearly separable classes
 * epochs finish first. With features too many for factors (../linear/class-system.ts) Newton's method is slow, as in
 * ./linear-auto.ts: there may be as many as take some twenty seconds. Never more than so many epochs.
 */
const EPOCHS_AHEAD = 100
const WORK_AHEAD = 2e8
const WIDE_WORK_AHEAD = 2e10
const MOST_EPOCHS_AHEAD = 1000
/**
 * The part of these that epochs have in any case: with ten classes of mnist the gap begins to fall after some twenty. With many features
 * they have more: on news20 (C = 1) Newton's method, which took over after a tenth, had a gap of 7e-2 left after 26 s.
 */
const FIRST_PART = 0.1
const WIDE_FIRST_PART = 0.5

/** Dual coordinate descent for Crammer and Singer's machine (Keerthi et al. 2008). */
export const crammerSinger: Solver<object, CrammerSingerProblem> = {
  name: 'crammer-singer',
  title: 'Sequential dual method',
  source: 'Keerthi et al. 2008',
  tasks: ['crammer-singer'],
  biasForms: ['regularised', 'none'],
  linearOnly: true,
  unit: 'epoch',
  goal: 'gap',
  defaults: { tol: 1e-6, maxIter: () => 100_000 },
  options: {},

  *run(problem, context) {
    const { C, classes } = problem
    if (classes === 2) return yield* runPair(problem, context)
    const matrix = toSparse(problem.samples)
    const atZero = C.reduce((sum, c) => sum + c, 0)
    // What a step gains is about its violation squared: epochs aim at this one first, and at less while the gap is wider.
    const tol = Math.sqrt(context.tol)
    const isWide = matrix.cols >= MOST_FACTORED
    const work = isWide ? WIDE_WORK_AHEAD : WORK_AHEAD
    const affordable = Math.min(MOST_EPOCHS_AHEAD, work / (matrix.values.length * classes + 1))
    const granted = matrix.rows * Math.max(EPOCHS_AHEAD, affordable)
    const allowedGap = (primal: number) => SAFE * context.allowedGap(primal)
    const own = { ...context, tol, allowedGap }
    const kept = context.resume as SavedRun | undefined
    let end = kept?.end
    if (!end) {
      const from = kept?.newton ?? (yield* epochs())
      if (!from) return {}
      end = yield* withRows(problem, true, (rows) => newton(rows, from))
      if (end.isReached) return {}
    }
    return yield* lastEpochs(end, kept?.end !== undefined)

    /** Epochs; where they give up, what Newton's method begins with. */
    function* epochs(): Generator<SolverState, SavedNewton | undefined, void> {
      const slow = new SlowWatch(granted, (isWide ? WIDE_FIRST_PART : FIRST_PART) * granted)
      const descent = descend(new ClassEpochs(problem, tol, matrix), atZero, own, { slow })
      try {
        for (let state: SolverState | undefined; ; ) {
          const { done, value } = descent.next()
          if (done) return value.gaveUp && state ? pickFields(state) : undefined
          state = value
          yield value
        }
      } finally {
        descent.return({})
      }
    }

    /** Newton's method from the best α, with the best model so far. */
    function* newton(rows: LinearRows, from: SavedNewton): Generator<SolverState, NewtonEnd, void> {
      const method = new ClassNewton(problem, rows, from, context.due)
      if (from.fields) method.restore(from.fields)
      const state: SolverState = {
        iteration: from.iteration,
        ...{ alpha: method.alpha, bias: 0, violation: Number.NaN },
        get weights() {
          return method.weights
        },
        snapshot() {
          const fields = method.save()
          return fields && { newton: { ...pickFields(state), fields } }
        },
      }
      const run = method.run((primal, gap) => gap <= allowedGap(primal))
      const before = from.iteration - method.steps
      yield state
      while (!run.next().done) {
        state.iteration = before + method.steps
        state.violation = (method.primal + method.dual) / method.primal
        yield state
      }
      const { alpha, weights, primal, dual } = method
      return {
        alpha,
        weights,
        primal,
        iteration: state.iteration,
        isReached: primal + dual <= allowedGap(primal),
      }
    }

    /** Rounding of its systems stopped Newton's method: epochs have none. They begin at its α, and its model stays until one is better. */
    function* lastEpochs(end: NewtonEnd, isResumed: boolean): SolverRun {
      const { alpha, weights, primal, iteration } = end
      const last = new ClassEpochs(problem, tol, matrix)
      if (!isResumed) inOneGo(last.startAt(alpha))
      const { resume: _, ...fresh } = own
      const descent = descend(last, primal, isResumed ? own : fresh, { iteration })
      const first = descent.next()
      if (first.done) return {}
      const state = first.value
      // The coefficients of the best model are 0 as long as it is that of Newton's method.
      const isOwn = () => state.beta?.some((entry) => entry !== 0) ?? true
      const shown = mirrored(state, {
        alpha: () => state.alpha,
        beta: () => (isOwn() ? state.beta : undefined),
        weights: () => (isOwn() ? undefined : weights),
        snapshot: () => ({ ...state.snapshot?.(), end }),
      })
      return yield* showingAs(shown, descent)
    }
  },
}

/** What is left of Newton's method: its α, its model and that model's value. */
interface NewtonEnd {
  readonly alpha: Float64Array
  readonly weights: Float64Array
  readonly primal: number
  readonly iteration: number
  readonly isReached: boolean
}

/** A state that follows another one, with points of its own. */
function mirrored(
  state: SolverState,
  own: {
    readonly alpha: () => Float64Array
    readonly beta?: () => Float64Array | undefined
    readonly weights: () => Float64Array | undefined
    readonly snapshot: () => object | undefined
  },
): SolverState {
  return {
    get iteration() {
      return state.iteration
    },
    get violation() {
      return state.violation
    },
    bias: 0,
    get alpha() {
      return own.alpha()
    },
    get beta() {
      return own.beta?.()
    },
    get weights() {
      return own.weights()
    },
    snapshot: own.snapshot,
  }
}

/** The rest of a run, with `state` in place of its own. */
function* showingAs(state: SolverState, run: Generator<SolverState, object, void>): SolverRun {
  try {
    yield state
    while (!run.next().done) yield state
    return {}
  } finally {
    run.return({})
  }
}

function pickFields({ alpha, beta, iteration }: SolverState): SavedNewton {
  return { alpha: alpha.slice(), beta: beta?.slice(), iteration }
}

/** Two classes, by the machine of one function: the first class is +1. */
function* runPair(problem: CrammerSingerProblem, context: SolverContext): SolverRun {
  const { samples, C, y, constant } = problem
  const pair = makeLinearMachine({
    ...{ samples, constant, loss: 'hinge', bias: constant > 0 ? 'regularised' : 'none' },
    C: C.map((own) => 2 * own),
    z: Float64Array.from(y, (own) => (own === 0 ? 1 : -1)),
  })
  const allowedGap = (primal: number) => 2 * context.allowedGap(0.5 * primal)
  const run = linearAuto.run(pair, { ...context, allowedGap }, {})
  const first = run.next()
  if (first.done) return first.value
  const state = first.value
  const shown = mirrored(state, {
    alpha: () => bothClasses(state.alpha, 1),
    weights: () => state.weights && bothClasses(state.weights, state.weights.length),
    snapshot: () => state.snapshot?.(),
  })
  return yield* showingAs(shown, run)
}

/** ½ of each number for the first class and −½ for the second; `run` of them stand together. */
function bothClasses(values: Float64Array, run: number): Float64Array {
  const both = allocate(Float64Array, 2 * values.length)
  for (let i = 0; i < values.length; i++) {
    const place = 2 * run * Math.floor(i / run) + (i % run)
    both[place] = 0.5 * values[i]
    both[place + run] = -0.5 * values[i]
  }
  return both
}

/** What a snapshot holds: Newton's method, or what ../linear/coordinate-descent.ts keeps of epochs, with its end where it came before. */
interface SavedRun {
  readonly newton?: SavedNewton
  readonly end?: NewtonEnd
}

/** What the part by Newton's method begins with, or goes on from. */
interface SavedNewton {
  readonly alpha: Float64Array
  readonly beta: Float64Array | undefined
  readonly iteration: number
  readonly fields?: object
}

/** α, w, and the order in which samples and their classes are visited. */
class ClassEpochs implements Epochs {
  readonly alpha: Float64Array
  /** The samples whose α move; the first `active` of them are visited, the others are shrunk. */
  readonly order: Uint32Array
  readonly visitsPerSlice: number
  active: number
  largest = 0
  changed = false

  private readonly problem: CrammerSingerProblem
  private readonly rows: SparseMatrix
  /** w_m by feature: entry j·k + m is the weight of feature j for class m; the constant feature comes last. */
  private readonly w: Float64Array
  private readonly norms: Float64Array
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

  constructor(problem: CrammerSingerProblem, tol: number, matrix: SparseMatrix) {
    const { samples, C, y, classes, constant } = problem
    const { rows, cols } = samples
    this.problem = problem
    this.visitsPerSlice = stepsPerSlice(problem, classes)
    this.rows = matrix
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
    const { active, largest, changed, position, goal, wholeEpoch } = this
    const arrays = { alpha, order, w, classOrder, activeClasses }
    return copyFields({ ...arrays, active, largest, changed, position, goal, wholeEpoch })
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
    this.wholeEpoch = this.largest <= this.goal || !this.changed
    if (this.wholeEpoch) {
      this.activateAll()
      this.goal = Math.max(this.goal / 2, aim)
    }
    return solved
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
