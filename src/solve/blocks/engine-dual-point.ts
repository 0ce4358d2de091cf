/**
 * A point of the dual of ../../problems/general-dual.ts on the engine: β, v and kernel rows of the active variables, and the
 * moves the block solver makes.
 *
 * v = t − Kβ is kept for the active variables, in their order. Variables that are shrunk come back when the caller has computed v
 * of all of them anew.
 */

import { KERNEL_VALUE_WORK } from '../../base/kernel-work.ts'
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
import { rowsInOrder } from '../../engine/matrix/place-rows.ts'
import type { SamplesOnEngine } from '../../engine/matrix/samples-on-engine.ts'
import type { Engine } from '../../engine/memory/engine.ts'
import { EngineRows } from '../../engine/rows/engine-rows.ts'
import type { GeneralDual } from '../../problems/general-dual.ts'
import type { Due } from '../driver/pieces.ts'
import { copyFields } from '../driver/saved-fields.ts'
import type { SolverContext } from '../driver/solver.ts'
import { dualValue } from '../dual/dual-value.ts'
import { type GeneralBias, midpoint } from '../dual/general-bias.ts'
import { ActiveVariables, type Extremes } from './active-variables.ts'
import { hasRoomFor, rowsPerPiece, rowsToKeep, USUAL_SET, workingSetSize } from './block-size.ts'
import { GradientSums } from './gradient-sums.ts'
import { Halves } from './halves.ts'
import type { DualInEngine, StoredRows } from './stored-rows.ts'
import { WorkingSet } from './working-set.ts'

/**
 * Variables that were in working sets before somebody looks for idle ones. A quarter and four times as many took as long on 4,000 and
 * 5,000 samples of moons, a9a, cod-rna, ijcnn1 and cpusmall.
 */
const SHRINK_AFTER = 4 * USUAL_SET
/**
 * How many rows were made in passing, for each sample, before rows are kept: a problem this hard will ask for them again. Pages
 * of memory that are written for the first time can cost as much as making the values, so that easy problems do better without. On the
 * same, 0.25 took a tenth longer (a9a 40 %), 4 as long.
 */
const KEPT_AFTER = 1
/**
 * How many values of rows are subtracted, for each multiply-add that rows without the idle columns would take to make, before these are
 * left out although there is room for all: by then as much was spent as that costs. A value takes 4 ns to make with 10 features,
 * 26 multiply-adds, and 0.45 ns to subtract.
 */
const RESTRICT_AFTER = 0.3
/** Variables on each side of a group whose v is checked in f64. With 8 and 128, a9a (8,000 samples) and covtype (6,000) took as long. */
const CANDIDATES = 32

/** See the header of the file. */
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
  /** Kept rows that were subtracted since they last had all columns. */
  private subtractedRows = 0
  /** Whether rows are so cheap that they are made in passing to begin with. */
  private readonly isCheap: boolean
  private readonly cacheBytes: number
  private readonly sums: GradientSums
  private readonly active: ActiveVariables
  private readonly set: WorkingSet
  /** Where the variables come twice. */
  private readonly halves: Halves | undefined
  /** The samples of the active variables, in their order. */
  private columns: EngineMatrix

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
    this.samples = place?.samples ?? uploadMatrix(engine, matrix, kernel, rowsInOrder)
    this.sums = new GradientSums(engine, dual, this.kernel, this.samples, due)
    // The w that a linear kernel goes through is not made of whole numbers: copies must have others too.
    const source = this.sums.linear ? { ...this.samples, integers: undefined } : this.samples
    this.copy = reserveCopy(engine, source, n, source.values.length)
    this.columns = this.samples
    this.active = new ActiveVariables(engine, dual, beta)
    this.halves = dual.isDoubled ? new Halves(engine, n / 2) : undefined
    const diagonal = engine.array(Float64Array, n)
    diagonal.set(this.diagonal)
    const variables = { ...this.active.onEngine, diagonal: diagonal.pointer }
    const size = workingSetSize(n, cacheBytes, place?.workingSet)
    this.set = new WorkingSet(engine, dual, this.kernel, this.samples, variables, size)
    this.cacheBytes = cacheBytes
    if (this.sums.linear) this.rows = undefined
    else if (place) this.rows = place.makeRows(size)
    else this.rows = rowsToKeep(engine, this.kernel, this.samples, this.diagonal, cacheBytes, size)
    this.isCheap = !place && !this.sums.linear && !this.rows
    if (place) this.set.positions = place.startingSet.subarray(0, size >> 1)
    this.rowsPerPiece = rowsPerPiece(this.samples, n)
  }

  /** The gradient to begin with, where that is not 0: to be called first. */
  *prepare(): Pieces {
    const { dual, beta, halves } = this
    const { v } = this.active
    if (!dual.start) return
    if (halves) {
      yield* this.sums.subtract(this.samples, halves.count, halves.begin(), halves.together(beta))
      halves.addTo(v)
    } else yield* this.sums.subtract(this.samples, beta.length, v, beta)
    this.value = dualValue(dual, beta, v)
  }

  /** All that does not follow from the dual, between two rounds. Kernel values do: whoever needs them makes the same again. */
  save() {
    const { beta, value, passingRows, subtractedRows, active, set } = this
    const keepsRows = this.rows !== undefined
    return {
      ...copyFields({
        beta,
        value,
        passingRows,
        subtractedRows,
        keepsRows,
        active: active.samples.subarray(0, active.count),
        v: active.copyV(),
      }),
      set: set.positions.slice(),
    }
  }

  /** Goes on from what was saved, instead of {@link prepare}. */
  restore({
    beta,
    value,
    passingRows,
    subtractedRows,
    keepsRows,
    active,
    v,
    set,
  }: ReturnType<EngineDualPoint['save']>): void {
    this.beta.set(beta)
    this.value = value
    this.set.positions = set
    this.passingRows = passingRows
    this.subtractedRows = subtractedRows
    this.active.restore(active, v)
    if (keepsRows) this.rows ??= this.makeRows()
    // All were active before: the position of a variable was its sample.
    if (!this.active.isAll) this.gatherActive(active)
  }

  /**
   * How far a round should go: the closer the cheaper an update, because rows are kept or not needed. Half as far as these shares
   * took as long within 20 % on the same, twice as far up to 35 % longer.
   */
  get roundGain(): number {
    return this.sums.linear ? 0.05 : this.rows ? 0.2 : 0.4
  }

  /** Rounds from one attempt to shrink to the next: the fewer, the larger the sets are. */
  get shrinkPeriod(): number {
    return Math.max(1, Math.floor(SHRINK_AFTER / Math.max(USUAL_SET, this.set.size)))
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

  /** How many variables are inside their box (with a tube, inside a piece of it). Those that are left out are not. */
  countFree(): number {
    this.look()
    return this.extremes.reduce((all, { free }) => all + free, 0)
  }

  /** Variables of the working set. */
  get setSize(): number {
    return this.set.positions.length
  }

  /** Finds the extremes of v. */
  look(): void {
    this.extremes.forEach((extremes, group) => {
      this.active.findExtremes(group, extremes)
    })
  }

  /** Begins a round: chooses a working set, and makes what it takes to solve it. */
  begin(): void {
    const biases = this.extremes.map(({ m, M }) => midpoint(m, M))
    this.set.begin(this.active.count, biases, this.rows)
  }

  /** Solves the working set to `tol`, in at most `maxSteps` pair steps; returns how many it took. */
  advance(tol: number, maxSteps: number): number {
    return this.set.solve(tol, maxSteps)
  }

  /** Lets {@link beta} know what the working set has reached, within a round. */
  show(): void {
    this.set.store()
    this.active.showBeta()
  }

  /**
   * Ends a round: v of all active variables follows the β of the working set. Rows that are expensive to compute are kept and
   * subtracted; cheap ones are made and used on the way, and never stored; linear kernels need none.
   */
  *end(): Pieces {
    const { rows, active, set } = this
    const { changed, coefficients } = set
    const made = !rows && !this.sums.linear
    this.show()
    const gain = set.halfGain('before')
    const count = set.listChanges(made)
    if (count === 0) return
    if (rows) {
      for (let a = 0; a < count && rows.require; a += this.rowsPerPiece) {
        const some = changed.subarray(a, Math.min(count, a + this.rowsPerPiece))
        rows.require(some, some.length)
        if (this.due()) yield
      }
      rows.subtract(active.v, changed, coefficients, count)
      this.subtractedRows += count
    } else {
      yield* this.subtractMade(count)
    }
    this.value -= gain + set.halfGain('after')
    if (made) this.passingRows += count
    this.keepRows()
  }

  /** Subtracts rows that are made in passing, of the first `count` samples that have changed. */
  private *subtractMade(count: number): Pieces {
    const { active, columns, sums, halves } = this
    const { changed, coefficients } = this.set
    const half = halves && active.isAll ? halves.begin() : undefined
    const [length, vector] = halves && half ? [halves.count, half] : [active.count, active.v]
    yield* sums.subtractListed(columns, length, vector, changed, coefficients, count)
    if (half) halves?.addTo(active.v)
  }

  /**
   * Rows that are made and used in passing are kept after all once that was done often, and those of the active variables find
   * room: the problem is a hard one, and reading a row is several times faster than making it.
   */
  private keepRows(): void {
    const { active, beta, set, cacheBytes } = this
    if (this.rows || !this.isCheap || this.passingRows < KEPT_AFTER * beta.length) return
    if (!hasRoomFor(active.count, set.size, cacheBytes)) return
    this.rows = this.makeRows()
    if (!active.isAll) {
      this.rows.restrict?.(active.samples.subarray(0, active.count), this.copy, () => false)
    }
  }

  private makeRows(): StoredRows {
    const { samples, kernel, diagonal, cacheBytes, set } = this
    return new EngineRows(samples.engine, kernel, samples, diagonal, cacheBytes, set.size)
  }

  /** Leaves out the variables that could move neither way if they wanted to, if there are enough of them. */
  shrink(): void {
    if (this.rows && (!this.rows.restrict || (this.rows.holdsAll && !this.paysToRestrict()))) return
    const kept = this.active.shrink()
    if (!kept) return
    // The working set is kept by position: it becomes empty, and is chosen anew.
    this.set.clear()
    this.gatherActive(kept)
  }

  /** Whether leaving out columns of rows that are all there pays: those of support vectors will be made once more. */
  private paysToRestrict(): boolean {
    const { beta, samples, subtractedRows } = this
    let support = 0
    for (let i = 0; i < beta.length; i++) if (beta[i] !== 0) support++
    const valueWork = samples.values.length / beta.length + KERNEL_VALUE_WORK
    return subtractedRows >= RESTRICT_AFTER * valueWork * support
  }

  /** Samples and rows of the active variables, which had these positions (ascending) among those before. */
  private gatherActive(kept: Uint32Array): void {
    const { samples, count } = this.active
    gatherRows(this.samples, samples, count, this.copy)
    this.columns = this.copy
    if (!this.rows?.restrict) return
    const isActive = new Uint8Array(this.beta.length)
    for (let k = 0; k < count; k++) isActive[samples[k]] = 1
    this.rows.restrict(kept, this.copy, (sample) => isActive[sample] === 1)
  }

  /** Takes g = Kβ from whoever has computed it: all variables are active again. */
  accept(g: Float64Array): void {
    const wereAll = this.active.isAll
    this.value = this.active.takeAll(g)
    if (wereAll) return
    this.subtractedRows = 0
    this.set.clear()
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
    const list = this.set.nearest(active.count, 2 * CANDIDATES * extremes.length)
    const found = list.length
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
    const kept = isWhole ? { subtract: rows.subtract.bind(rows), atATime: this.set.size } : undefined
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
