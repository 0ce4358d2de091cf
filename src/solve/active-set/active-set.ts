/**
 * The active-set method of assembly/dual/active-set.ts on a dual of ../../problems/general-dual.ts: its memory in the engine, the
 * kernel rows that it requires, its pauses and its snapshots. The method is described there.
 */
import type { Pieces } from '../../base/pieces.ts'
import type { Engine, EngineArray } from '../../engine/memory/engine.ts'
import { type FieldName, offsetOf, sizeOf } from '../../engine/memory/fields.ts'
import { ADVANCE_ENDS } from '../../engine/memory/structures.ts'
import type { GeneralForm } from '../../problems/general-form.ts'
import type { Due } from '../driver/pieces.ts'
import { restoreFields } from '../driver/saved-fields.ts'
import { StallWatch } from '../driver/stall-watch.ts'
import type { ExactRows } from './exact-rows.ts'

/** Multiply-adds between two looks at the clock: some milliseconds, at about 1e9 a second. */
const WORK_AT_ONCE = 4e6
/** Of tol: what the violation of all variables should come down to, so that an examination finds it below tol. */
const AIM = 0.5
/**
 * Cycles in a row without any move, and cycles without a gain, that show that rounding hides what is left. A cycle frees a tenth more
 * at most, so that two hundred have been through all that there are.
 */
const PATIENCE = 3
const GAIN_WINDOW = 200
/** Room beyond the most free variables that a run allows: cycles may free a tenth more before the driver looks. */
const SPARE_ROOM = 1.1
const LEAST_ROOM = 64

/** What {@link ActiveSet} keeps of itself. */
export type SavedActiveSet = ReturnType<ActiveSet['save']>

/** How a cycle ended: at the optimum, with more to do, in the middle (out of turns), or where nothing moves any more. */
export type CycleEnd = 'optimal' | 'open' | 'paused' | 'stuck'

/** How many variables are strictly inside their box (with a tube, inside a piece of it). */
export function countFree({ lower, upper, tube }: GeneralForm, beta: Float64Array): number {
  let free = 0
  for (let i = 0; i < beta.length; i++) {
    const b = beta[i]
    if (b > lower[i] && b < upper[i] && !(tube > 0 && b === 0)) free++
  }
  return free
}

/** See the header of the file. β and v = t − Kβ (exact at first) are changed in place at the end of each cycle or pause. */
export class ActiveSet {
  private readonly engine: Engine
  private readonly rows: ExactRows
  private readonly beta: Float64Array
  private readonly v: Float64Array
  private readonly tol: number
  private readonly due: Due
  private readonly watch = new StallWatch(GAIN_WINDOW)
  private cycles = 0
  /** Of the method: turns, work, violation, value, size, idle cycles, whether the kernel is indefinite. */
  private readonly report: Float64Array
  private readonly set: number
  private readonly state: number
  private readonly betaOnEngine: EngineArray<Float64Array>
  private readonly vOnEngine: EngineArray<Float64Array>

  /**
   * For at most `mostFree` free variables; memory is that of the engine, which the caller releases. `saved`: what {@link save} has
   * said of one like it; β and v are those of then.
   */
  constructor(
    engine: Engine,
    form: GeneralForm,
    beta: Float64Array,
    v: Float64Array,
    diagonal: Float64Array,
    rows: ExactRows,
    mostFree: number,
    tol: number,
    due: Due,
    saved?: SavedActiveSet,
  ) {
    const n = beta.length
    const { exports } = engine
    const copy = (values: Float64Array): EngineArray<Float64Array> => {
      const array = engine.array(Float64Array, n + 1)
      array.set(values)
      return array
    }
    this.engine = engine
    this.rows = rows
    this.beta = beta
    this.v = v
    this.tol = tol
    this.due = due
    this.betaOnEngine = copy(beta)
    this.vOnEngine = copy(v)
    const groups = form.groups && engine.array(Uint8Array, n)
    if (form.groups) groups?.set(form.groups)
    const room = 4 * Math.ceil(Math.min(n, LEAST_ROOM + SPARE_ROOM * mostFree) / 4)
    this.set = engine.allocate(exports.setBytes(n, room))
    this.state = exports.makeSet(
      this.set,
      n,
      n,
      room,
      0,
      copy(form.target).pointer,
      copy(form.lower).pointer,
      copy(form.upper).pointer,
      copy(diagonal).pointer,
      this.betaOnEngine.pointer,
      this.vOnEngine.pointer,
      groups?.pointer ?? 0,
      rows.pointers.pointer,
      form.tube,
      tol,
    )
    this.report = engine.view(Float64Array, this.state, sizeOf('ACTIVE_SET') / Float64Array.BYTES_PER_ELEMENT)
    if (saved) {
      engine.view(Uint8Array, this.state, saved.state.length).set(saved.state)
      this.cycles = saved.cycles
      restoreFields(this.watch, saved.watch)
    } else if (exports.beginSet(this.set) > room)
      throw new RangeError('more free variables than there is room for')
  }

  /** All that does not follow from the dual, β and v; to be taken between two cycles. */
  save() {
    const { engine, set, state, cycles } = this
    const bytes = engine.view(Uint8Array, state, engine.exports.stateBytes(set))
    return { state: bytes.slice(), cycles, watch: this.watch.save() }
  }

  /** Moves so far. */
  get turns(): number {
    return this.read('turns')
  }

  /** About how many multiply-adds they took, kernel rows not counted. */
  get work(): number {
    return this.read('work')
  }

  /** The largest m − M of a group, as of the last cycle. */
  get violation(): number {
    return this.read('violation')
  }

  /** The dual value, as of the last cycle. */
  get value(): number {
    return this.read('value')
  }

  /** How many variables are free. */
  get size(): number {
    return this.read('size')
  }

  /** Whether the kernel was seen not to be positive semidefinite: then this is not the way to go. */
  get isIndefinite(): boolean {
    return this.read('indefinite') !== 0
  }

  private read(field: FieldName<'ACTIVE_SET'>): number {
    return this.report[offsetOf('ACTIVE_SET', field) / Float64Array.BYTES_PER_ELEMENT]
  }

  /** Frees whoever wants to leave a bound, and moves until that ends inside the box, in at most `limit` turns. */
  *cycle(limit: number): Pieces<CycleEnd> {
    const { engine, set, rows, beta, v, watch } = this
    const { exports } = engine
    const lastTurn = this.turns + limit
    for (;;) {
      const end = exports.advanceSet(set, lastTurn - this.turns, WORK_AT_ONCE)
      if (end === ADVANCE_ENDS.rowsNeeded) rows.make(this.needed())
      const isOver = end === ADVANCE_ENDS.cycleEnded || end === ADVANCE_ENDS.outOfTurns
      if (!isOver && !this.due()) continue
      beta.set(this.betaOnEngine.subarray(0, beta.length))
      if (end === ADVANCE_ENDS.cycleEnded) {
        v.set(this.vOnEngine.subarray(0, v.length))
        if (this.violation <= AIM * this.tol) return 'optimal'
        const isIdle = this.read('idle') >= PATIENCE
        const stalls = watch.stalls(++this.cycles, this.value, this.violation)
        return isIdle || stalls || this.isIndefinite ? 'stuck' : 'open'
      }
      if (end === ADVANCE_ENDS.outOfTurns) return 'paused'
      yield
    }
  }

  /** The variables whose rows are needed. */
  private needed(): Uint32Array {
    const { engine, set } = this
    const pointer = engine.exports.neededRows(set)
    const [count] = engine.view(Uint32Array, pointer, 1)
    return engine.view(Uint32Array, pointer + 4, count)
  }
}
