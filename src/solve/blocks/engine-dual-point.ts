/**
 * A point of the dual of ../../problems/general-dual.ts on the engine: β, v and kernel rows of the active variables, and the
 * moves the block solver makes.
 *
 * v = t − Kβ is kept for the active variables, in their order. Variables that are shrunk come back when the caller has computed v
 * of all of them anew.
 */

import type { Pieces } from '../../base/pieces.ts'
import type { Matrix } from '../../data/matrix/matrix.ts'
import type { EngineKernel } from '../../engine/matrix/engine-kernel.ts'
import { uploadKernel } from '../../engine/matrix/engine-kernel.ts'
import {
  type EngineMatrix,
  gatherRows,
  reserveCopy,
  uploadMatrix,
} from '../../engine/matrix/engine-matrix.ts'
import type { SamplesOnEngine } from '../../engine/matrix/samples-on-engine.ts'
import type { Engine, EngineArray } from '../../engine/memory/engine.ts'
import { EngineRows } from '../../engine/rows/engine-rows.ts'
import type { GeneralDual } from '../../problems/general-dual.ts'
import type { Due } from '../driver/pieces.ts'
import { copyFields } from '../driver/saved-fields.ts'
import type { SolverContext } from '../driver/solver.ts'
import { dualValue } from '../dual/dual-value.ts'
import { type GeneralBias, midpoint } from '../dual/general-bias.ts'
import { ActiveVariables } from './active-variables.ts'
import { hasRoomFor, rowsPerPiece, rowsToKeep, USUAL_SET, workingSetSize } from './block-size.ts'
import { GradientSums } from './gradient-sums.ts'
import { type Extremes, ViolatorChoice } from './select-working-set.ts'
import type { DualInEngine, StoredRows } from './stored-rows.ts'
import { Subproblem } from './subproblem.ts'

/** Variables that were in working sets before somebody looks for idle ones. */
const SHRINK_AFTER = 4 * USUAL_SET
/**
 * How many rows were made in passing, for each sample, before rows are kept: a problem this hard will ask for them again. Pages
 * of memory that are written for the first time can cost as much as making the values, so that easy problems do better without.
 */
const KEPT_AFTER = 1
/** Variables on each side of a group whose v is checked in f64. */
const CANDIDATES = 32

/** See the head of the file. */
export class EngineDualPoint {
  /** β by sample. */
  readonly beta: Float64Array
  /** The dual value, kept up to date from round to round. */
  value = 0
  /** Of each group; one where there are no groups. */
  readonly extremes: readonly Extremes[]
  private readonly due: Due
  private readonly rowsPerPiece: number
  private readonly dual: GeneralDual
  private readonly diagonal: Float64Array
  private readonly kernel: number
  private readonly samples: EngineMatrix
  private readonly copy: EngineMatrix
  /** Undefined while rows are made in passing. */
  private rows: StoredRows | undefined
  /** Rows made and not kept so far. */
  private passingRows = 0
  /** Whether rows are so cheap that they are made in passing to begin with. */
  private readonly isCheap: boolean
  private readonly cacheBytes: number
  private readonly sums: GradientSums
  private readonly choice: ViolatorChoice
  private readonly active: ActiveVariables
  // The working set: positions among the active variables, the oldest members first.
  setSize = 0
  private readonly set: Uint32Array
  /** Where those that stay in it were before. */
  private readonly slots: Uint32Array
  private readonly subset: Subproblem
  /** The samples of the active variables, in their order. */
  private columns: EngineMatrix
  // Scratch of updates: samples, pointers to their rows, and coefficients.
  private readonly changed: EngineArray<Uint32Array>
  private readonly coefficients: EngineArray<Float64Array>

  /** β is where to start, and will be changed in place. With a `place` the samples are in the engine already. */
  constructor(
    engine: Engine,
    dual: GeneralDual,
    beta: Float64Array,
    kernel: EngineKernel,
    context: SolverContext,
    place?: DualInEngine,
  ) {
    const { cacheBytes, due } = context
    const matrix = dual.samples as Matrix
    const n = dual.target.length
    this.dual = dual
    this.diagonal = place?.diagonal ?? dual.kernel.diagonal(matrix)
    this.beta = beta
    this.due = due
    this.extremes = (dual.groups ? [0, 1] : [0]).map(() => ({
      m: Number.NEGATIVE_INFINITY,
      M: Number.POSITIVE_INFINITY,
      sum: 0,
      free: 0,
    }))
    engine.reserveScratch(matrix.cols)
    this.kernel = place?.kernelPointer ?? uploadKernel(engine, kernel)
    this.samples = place?.samples ?? uploadMatrix(engine, matrix, kernel)
    this.sums = new GradientSums(engine, dual, this.kernel, this.samples, due)
    // The w that a linear kernel goes through is not made of whole numbers: copies must have others too.
    const source = this.sums.linear ? { ...this.samples, integers: undefined } : this.samples
    this.copy = reserveCopy(engine, source, n, source.values.length)
    const size = workingSetSize(n, cacheBytes, place?.workingSet)
    this.subset = new Subproblem(engine, dual, this.kernel, this.samples, this.diagonal, size)
    this.set = new Uint32Array(size)
    this.slots = new Uint32Array(size)
    this.columns = this.samples
    this.changed = engine.array(Uint32Array, size)
    this.coefficients = engine.array(Float64Array, size)
    this.choice = new ViolatorChoice(engine, n)
    this.active = new ActiveVariables(engine, dual, beta)
    this.cacheBytes = cacheBytes
    if (this.sums.linear) this.rows = undefined
    else if (place) this.rows = place.makeRows(size)
    else this.rows = rowsToKeep(engine, this.kernel, this.samples, this.diagonal, cacheBytes, size)
    this.isCheap = !place && !this.sums.linear && !this.rows
    if (place) {
      this.setSize = Math.min(size >> 1, place.startingSet.length)
      this.set.set(place.startingSet.subarray(0, this.setSize))
    }
    this.rowsPerPiece = rowsPerPiece(this.samples, n)
  }

  /** The gradient to begin with, where that is not 0: to be called first. */
  *prepare(): Pieces {
    const { dual, beta } = this
    const { v } = this.active
    if (!dual.start) return
    yield* this.sums.subtract(this.samples, beta.length, v, beta)
    this.value = dualValue(dual, beta, v)
  }

  /** All that does not follow from the dual, between two rounds. Kernel values do: whoever needs them makes the same again. */
  save() {
    const { beta, value, passingRows, active, set, setSize } = this
    const keepsRows = this.rows !== undefined
    return {
      ...copyFields({
        beta,
        value,
        passingRows,
        keepsRows,
        active: active.samples.subarray(0, active.count),
        v: active.copyV(),
      }),
      set: set.slice(0, setSize),
    }
  }

  /** Goes on from what was saved, instead of {@link prepare}. */
  restore({
    beta,
    value,
    passingRows,
    keepsRows,
    active,
    v,
    set,
  }: ReturnType<EngineDualPoint['save']>): void {
    this.beta.set(beta)
    this.value = value
    this.setSize = set.length
    this.set.set(set)
    this.passingRows = passingRows
    this.active.restore(active, v)
    if (keepsRows) this.rows ??= this.makeRows()
    // All were active before: the position of a variable was its sample.
    if (!this.active.isAll) this.gatherActive(active)
  }

  /** How far a round should go (measured): the closer the cheaper an update, because rows are kept or not needed. */
  get roundGain(): number {
    return this.sums.linear ? 0.05 : this.rows ? 0.2 : 0.4
  }

  /** Rounds from one attempt to shrink to the next: the fewer, the larger the sets are. */
  get shrinkPeriod(): number {
    return Math.max(1, Math.floor(SHRINK_AFTER / Math.max(USUAL_SET, this.subset.size)))
  }

  /** The largest m − M among the active variables; call {@link look} first. */
  get violation(): number {
    return this.extremes.reduce((largest, { m, M }) => Math.max(largest, m - M), 0)
  }

  /** The midpoints between the extremes: the bias while nothing better is known. */
  get bias(): GeneralBias {
    const [first, second] = this.extremes.map(({ m, M }) => midpoint(m, M))
    if (second === undefined) return { bias: first }
    return { bias: (first + second) / 2, groupValues: [first, second] }
  }

  /** The bias as the free variables see it, and where there is none the midpoint; see ../dual/general-bias.ts. */
  get freeBias(): GeneralBias {
    const [first, second] = this.extremes.map(({ m, M, sum, free }) =>
      free > 0 ? sum / free : midpoint(m, M),
    )
    if (second === undefined) return { bias: first }
    return { bias: (first + second) / 2, groupValues: [first, second] }
  }

  /** Finds the extremes of v. */
  look(): void {
    this.extremes.forEach((extremes, group) => {
      this.choice.findExtremes(this.active, group, extremes)
    })
  }

  /** Begins a round: chooses a working set and its subproblem. */
  begin(): void {
    const kept = this.chooseSet()
    const slots = this.slots.subarray(0, kept)
    const biases = this.extremes.map(({ m, M }) => midpoint(m, M))
    const { samples, v } = this.active
    this.subset.load(this.set, this.setSize, slots, samples, v, this.beta, biases, this.rows)
  }

  /** Solves the working set to `tol`, in at most `maxSteps` pair steps; returns how many it took. */
  advance(tol: number, maxSteps: number): number {
    return this.subset.solve(tol, maxSteps)
  }

  /** Lets {@link beta} know what the working set has reached, within a round. */
  show(): void {
    const { subset } = this
    const { count, samples, beta } = subset
    for (let a = 0; a < count; a++) if (subset.canMove(a)) this.beta[samples[a]] = beta[a]
  }

  /**
   * Ends a round: v of all active variables follows the β of the working set. Rows that are dear to make are kept and
   * subtracted; cheap ones are made and used on the way, and never stored; linear kernels need none.
   */
  *end(): Pieces {
    const { rows, changed, coefficients, active } = this
    const made = !rows && !this.sums.linear
    this.show()
    const { count, gain } = this.listChanges(made)
    if (count === 0) return
    if (rows) {
      for (let a = 0; a < count && rows.require; a += this.rowsPerPiece) {
        const some = changed.subarray(a, Math.min(count, a + this.rowsPerPiece))
        rows.require(some, some.length)
        if (this.due()) yield
      }
      rows.subtract(active.v, changed, coefficients, count)
    } else {
      yield* this.sums.subtractListed(this.columns, active.count, active.v, changed, coefficients, count)
    }
    this.value -= this.gainAfter(gain)
    if (made) this.passingRows += count
    this.keepRows()
  }

  /** Lists the samples whose β has changed; returns their number and the first part of what that gains. */
  private listChanges(made: boolean): { readonly count: number; readonly gain: number } {
    const { subset, changed, coefficients, active } = this
    const { v } = active
    const { tube } = this.dual
    let count = 0
    // Of v = t − Kβ before and after a change δ the dual falls by ½ δᵀ(v + v'), but for the tube.
    let gain = 0
    for (let a = 0; a < subset.count; a++) {
      const change = subset.beta[a] - subset.before[a]
      if (change === 0) continue
      const i = subset.positions[a]
      const sample = subset.samples[a]
      active.setRates(i)
      coefficients[count] = change
      changed[count++] = sample
      gain += (change * v[i]) / 2 + tube * (Math.abs(subset.before[a]) - Math.abs(subset.beta[a]))
      // The engine's own k(x, x) is the value with the largest error; stored rows hold the exact one.
      if (made) v[i] += change * (subset.computedDiagonal[a] - this.diagonal[sample])
    }
    return { count, gain }
  }

  /** The second part, added to the first. */
  private gainAfter(first: number): number {
    const { subset } = this
    const { v } = this.active
    let gain = first
    for (let a = 0; a < subset.count; a++) {
      const change = subset.beta[a] - subset.before[a]
      if (change !== 0) gain += (change * v[subset.positions[a]]) / 2
    }
    return gain
  }

  /**
   * Rows that are made and used in passing are kept after all once that was done often, and those of the active variables find
   * room: the problem is a hard one, and reading a row is several times faster than making it.
   */
  private keepRows(): void {
    const { active, beta, subset, cacheBytes } = this
    if (this.rows || !this.isCheap || this.passingRows < KEPT_AFTER * beta.length) return
    if (!hasRoomFor(active.count, subset.size, cacheBytes)) return
    this.rows = this.makeRows()
    if (!active.isAll) {
      this.rows.restrict?.(active.samples.subarray(0, active.count), this.copy, () => false)
    }
  }

  private makeRows(): StoredRows {
    const { samples, kernel, diagonal, cacheBytes, subset } = this
    return new EngineRows(samples.engine, kernel, samples, diagonal, cacheBytes, subset.size)
  }

  /**
   * Every other variable of the last set stays, as they are rarely settled at once: some of either side, some new and some
   * old. Both sides of each group share the rest. Returns how many stay.
   */
  private chooseSet(): number {
    const { set, subset, slots } = this
    const kept = Math.min(this.setSize, subset.size >> 1)
    for (let a = 0; a < kept; a++) {
      const slot = Math.floor(((a + 0.5) * this.setSize) / kept)
      slots[a] = slot
      set[a] = set[slot]
    }
    this.setSize = this.choice.fill(this.active, this.extremes, set, kept)
    return kept
  }

  /** Leaves out the variables that could move neither way if they wanted to, if there are enough of them. */
  shrink(): void {
    if (this.rows && (!this.rows.restrict || this.rows.holdsAll)) return
    const kept = this.active.shrink(this.extremes)
    if (!kept) return
    // The working set is kept by position: it becomes empty, and is chosen anew.
    this.setSize = 0
    this.gatherActive(kept)
  }

  /** Samples and rows of the active variables, which had these positions (ascending) among those before. */
  private gatherActive(kept: Uint32Array): void {
    const { samples, count } = this.active
    const isActive = new Uint8Array(this.beta.length)
    for (let k = 0; k < count; k++) isActive[samples[k]] = 1
    gatherRows(this.samples, samples, count, this.copy)
    this.columns = this.copy
    this.rows?.restrict?.(kept, this.copy, (sample) => isActive[sample] === 1)
  }

  /** Takes g = Kβ from whoever has computed it: all variables are active again. */
  accept(g: Float64Array): void {
    const wereAll = this.active.isAll
    this.value = this.active.takeAll(g)
    if (wereAll) return
    this.setSize = 0
    this.columns = this.samples
    this.rows?.forget?.()
  }

  /**
   * Checks in f64 the variables that decide the violation: v is computed exactly for those nearest to the extremes and
   * kept. Returns a bound of the true violation (of all, when all are active): what was not checked is allowed twice
   * the largest error that was seen, on either side.
   */
  verify(): { violation: number; error: number } {
    const { active, extremes } = this
    const { v } = active
    const list = new Uint32Array(2 * CANDIDATES * extremes.length)
    const all = extremes.map(() => ({ m: Number.POSITIVE_INFINITY, M: Number.NEGATIVE_INFINITY }))
    const found = this.choice.fill(active, all, list, 0)
    const samples = list.map((position) => active.samples[position])
    const exact = this.sums.exactOf(samples, found, this.beta)
    let error = 0
    for (let a = 0; a < found; a++) {
      const own = this.dual.target[samples[a]] - exact[a]
      error = Math.max(error, Math.abs(own - v[list[a]]))
      v[list[a]] = own
    }
    this.look()
    return { violation: this.violation + 4 * error, error }
  }

  /** Computes v of all variables in f64; all are active then. */
  *makeExact(): Pieces {
    this.accept(yield* this.sums.exactValues(this.beta))
  }

  /** The samples and the kernel, for others to compute with. */
  get onEngine(): SamplesOnEngine {
    const { rows, samples, kernel } = this
    // Rows of which some columns were left out are of no use to others, and cheap ones not where they would give way.
    const isWhole = rows !== undefined && this.active.isAll && (rows.holdsAll || !this.isCheap)
    const kept = isWhole ? { subtract: rows.subtract.bind(rows), atATime: this.slots.length } : undefined
    return { engine: samples.engine, kernelPointer: kernel, samples, kept }
  }

  /** The same, as it was when an earlier point was examined: with kept rows, or without any. To be called before {@link restore}. */
  onEngineThen(hadRows: boolean): SamplesOnEngine {
    if (hadRows) this.rows ??= this.makeRows()
    return hadRows ? this.onEngine : { ...this.onEngine, kept: undefined }
  }

  /** v of every variable (all being active), after β was changed from outside. */
  replaceV(v: Float64Array): void {
    this.value = this.active.replaceV(v)
  }

  /** v of every variable (all being active). */
  allV(): Float64Array {
    return this.active.copyV()
  }
}
