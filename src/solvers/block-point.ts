/**
 * A point of the dual on the engine: α, v and kernel rows of the active samples, and the moves the block solver makes.
 *
 * v_i = y_i − Σ_j α_j y_j K_ij = −y_i ∂Φ/∂α_i is kept for the active samples, in their order. Samples that are shrunk
 * keep the v they had then, and the α that it belongs to: when they come back, only what has changed since is added.
 */

import type { Engine, EngineArray } from '../compute/engine.ts'
import type { EngineKernel } from '../compute/engine-kernel.ts'
import { uploadKernel } from '../compute/engine-kernel.ts'
import { type EngineMatrix, gatherRows, reserveCopy, uploadMatrix } from '../compute/engine-matrix.ts'
import { EngineRows } from '../compute/engine-rows.ts'
import type { Matrix } from '../data/matrix.ts'
import { expansionValues, signedAlpha } from '../problems/certificate.ts'
import type { SvmProblem } from '../problems/problem.ts'
import { type Extremes, findExtremes, ViolatorChoice } from './block-choice.ts'
import { BlockSubset } from './block-subset.ts'

/** Variables solved together. Chosen by measurement: 256 to 1,024 are within a few per cent of each other. */
const WORKING_SET = 512
/** Rows of the working set must fit into the cache, or into this much; but a set has at least so many variables. */
const LEAST_CACHE = 100e6
const LEAST_SET = 32
/** Values in a sample, on average, from which on making a row costs more than writing it to memory. */
const DEAR_FROM = 48
/** Least share of the active samples that must be idle for shrinking to pay. */
const SHRINK_FROM = 0.2
/** Samples on each side whose gradient is checked in f64. */
const CANDIDATES = 32

/** Samples shrunk at the same time: their v belongs to the α of that time. */
interface ShrunkGroup {
  readonly samples: Uint32Array
  readonly v: Float64Array
  readonly alphaThen: Float64Array
}

/** See the head of the file. */
export class BlockPoint {
  /** α by sample. */
  readonly alpha: Float64Array
  readonly extremes: Extremes = { m: Number.POSITIVE_INFINITY, M: Number.NEGATIVE_INFINITY }
  private readonly engine: Engine
  private readonly problem: SvmProblem
  private readonly diagonal: Float64Array
  private readonly kernel: number
  private readonly linear: boolean
  private readonly samples: EngineMatrix
  private readonly copy: EngineMatrix
  /** Undefined when rows are so cheap that keeping them does not pay. */
  private readonly rows: EngineRows | undefined
  private readonly choice: ViolatorChoice
  // The active samples: numbers and compact copies, `count` of them.
  private count: number
  private readonly active: Uint32Array
  private readonly v: EngineArray<Float64Array>
  private readonly activeAlpha: Float64Array
  private readonly activeY: Float64Array
  private readonly activeC: Float64Array
  private readonly taken: Uint8Array
  private readonly shrunk: ShrunkGroup[] = []
  // The working set: positions among the active samples.
  private setSize = 0
  private readonly set: Uint32Array
  private readonly subset: BlockSubset
  /** The active samples, in their order. */
  private columns: EngineMatrix
  // Scratch of updates: samples, pointers to their rows, and coefficients.
  private readonly changed: EngineArray<Uint32Array>
  private readonly pointers: EngineArray<Uint32Array>
  private readonly coefficients: EngineArray<Float64Array>

  constructor(engine: Engine, problem: SvmProblem, kernel: EngineKernel, cacheBytes: number) {
    const matrix = problem.samples as Matrix
    const { y, C } = problem
    const n = y.length
    this.engine = engine
    this.problem = problem
    this.diagonal = problem.kernel.diagonal(matrix)
    this.alpha = new Float64Array(n)
    this.count = n
    this.active = Uint32Array.from({ length: n }, (_, i) => i)
    this.activeAlpha = new Float64Array(n)
    this.activeY = y.slice()
    this.activeC = C.slice()
    this.taken = new Uint8Array(n)
    this.choice = new ViolatorChoice(n)
    engine.reserveScratch(matrix.cols)
    this.kernel = uploadKernel(engine, kernel)
    this.linear = kernel.kind === 'linear'
    this.samples = uploadMatrix(engine, matrix, kernel)
    this.copy = reserveCopy(engine, this.samples, n, this.samples.values.length)
    const affordable = Math.floor(Math.max(cacheBytes, LEAST_CACHE) / (4 * n))
    const size = Math.ceil(Math.min(n, WORKING_SET, Math.max(LEAST_SET, affordable)) / 4) * 4
    this.subset = new BlockSubset(engine, this.kernel, this.samples, this.diagonal, size)
    this.set = new Uint32Array(size)
    this.columns = this.samples
    this.changed = engine.array(Uint32Array, size)
    this.pointers = engine.array(Uint32Array, size)
    this.coefficients = engine.array(Float64Array, Math.max(size, n))
    this.v = engine.array(Float64Array, n + 8)
    this.v.set(y)
    if (this.samples.values.length > DEAR_FROM * n) {
      this.rows = new EngineRows(engine, this.kernel, this.samples, this.diagonal, cacheBytes, size)
    }
  }

  /** How far a round should go: rows that are kept are worth a closer solution than rows made in passing. */
  get roundGain(): number {
    return this.rows ? 0.1 : 0.3
  }

  /** m − M among the active samples; call {@link look} first. */
  get violation(): number {
    const { m, M } = this.extremes
    return Math.max(0, m - M)
  }

  get allActive(): boolean {
    return this.count === this.alpha.length
  }

  /** The midpoint between the extremes: the bias while nothing better is known. */
  get bias(): number {
    const { m, M } = this.extremes
    if (m === Number.NEGATIVE_INFINITY) return M === Number.POSITIVE_INFINITY ? 0 : M
    return M === Number.POSITIVE_INFINITY ? m : (m + M) / 2
  }

  /** Finds the extremes of v. */
  look(): void {
    findExtremes(this.view(), this.extremes)
  }

  /** Begins a round: chooses a working set and its subproblem. */
  begin(): void {
    this.chooseSet()
    this.subset.load(this.view(), this.set, this.setSize)
  }

  /** Solves the working set to `tol`, in at most `maxSteps` pair steps; returns how many it took. */
  advance(tol: number, maxSteps: number): number {
    const steps = this.subset.solve(tol, maxSteps)
    for (let a = 0; a < this.setSize; a++) this.alpha[this.subset.samples[a]] = this.subset.alpha[a]
    return steps
  }

  /**
   * Ends a round: v of all active samples follows the α of the working set. Rows that are dear to make are kept and
   * subtracted; cheap ones are made and used on the way, and never stored.
   */
  end(): void {
    const { set, setSize, subset, rows, changed, coefficients } = this
    let count = 0
    for (let a = 0; a < setSize; a++) {
      const i = set[a]
      const sample = subset.samples[a]
      const change = subset.alpha[a] - this.activeAlpha[i]
      if (change === 0) continue
      this.activeAlpha[i] = subset.alpha[a]
      const coefficient = this.activeY[i] * change
      coefficients[count] = coefficient
      changed[count++] = sample
      // The engine's own k(x, x) is the value with the largest error; stored rows hold the exact one.
      if (!rows) this.v[i] += coefficient * (subset.computedDiagonal[a] - this.diagonal[sample])
    }
    if (rows) {
      rows.require(changed, count)
      for (let a = 0; a < count; a++) this.pointers[a] = rows.pointer(changed[a])
      this.subtractRows(count)
    } else {
      this.accumulate(this.columns, this.count, this.v.pointer, changed.pointer, count)
    }
  }

  private view() {
    return { count: this.count, v: this.v, alpha: this.activeAlpha, y: this.activeY, C: this.activeC }
  }

  /**
   * The newer part of the last set stays, as its variables are rarely settled at once: a half where their rows are
   * there, a quarter where they would have to be made again.
   */
  private chooseSet(): void {
    const { set, taken, subset, extremes } = this
    const { size } = subset
    const kept = Math.min(this.setSize, this.rows ? size >> 1 : size >> 2)
    taken.fill(0, 0, this.count)
    set.copyWithin(0, this.setSize - kept, this.setSize)
    for (let a = 0; a < kept; a++) taken[set[a]] = 1
    const view = this.view()
    let filled = kept
    filled += this.choice.take('up', view, extremes, (size - kept) >> 1, taken, set, filled)
    filled += this.choice.take('low', view, extremes, size - filled, taken, set, filled)
    this.setSize = filled
    for (let a = 0; a < filled; a++) subset.samples[a] = this.active[set[a]]
  }

  /** v −= Σ coefficients · rows at `pointers`. */
  private subtractRows(count: number): void {
    if (count === 0) return
    this.engine.run({
      kind: 'subtract-rows',
      vector: this.v.pointer,
      from: 0,
      to: this.count,
      rows: this.pointers.pointer,
      coefficients: this.coefficients.pointer,
      count,
    })
  }

  /** vector[j] −= Σ_q coefficients[q] · k(x_j, query_q) for the first `length` rows of `columns`. */
  private accumulate(
    columns: EngineMatrix,
    length: number,
    vector: number,
    queries: number,
    count: number,
  ): void {
    if (count === 0) return
    this.engine.run({
      kind: 'accumulate',
      matrix: columns.pointer,
      kernel: this.kernel,
      from: 0,
      to: length,
      queryMatrix: this.samples.pointer,
      queries,
      count,
      coefficients: this.coefficients.pointer,
      vector,
    })
  }

  /** Leaves out the samples that sit at a bound and are beyond the extremes, if there are enough of them. */
  shrink(): void {
    const { active, activeAlpha, activeY, activeC, v, extremes, alpha } = this
    const kept = new Uint32Array(this.count)
    const idle = new Uint32Array(this.count)
    let keptCount = 0
    let idleCount = 0
    for (let i = 0; i < this.count; i++) {
      if (isIdle(activeAlpha[i], activeY[i], activeC[i], v[i], extremes)) idle[idleCount++] = i
      else kept[keptCount++] = i
    }
    if (idleCount < SHRINK_FROM * this.count || keptCount === 0) return
    const idleSamples = idle.subarray(0, idleCount)
    this.shrunk.push({
      samples: idleSamples.map((i) => active[i]),
      v: Float64Array.from(idleSamples, (i) => v[i]),
      alphaThen: alpha.slice(),
    })
    // The working set is kept by position: it becomes empty, and is chosen anew.
    this.setSize = 0
    const keptPositions = kept.subarray(0, keptCount)
    for (let k = 0; k < keptCount; k++) {
      const i = keptPositions[k]
      active[k] = active[i]
      activeAlpha[k] = activeAlpha[i]
      activeY[k] = activeY[i]
      activeC[k] = activeC[i]
      v[k] = v[i]
    }
    this.count = keptCount
    const isActive = new Uint8Array(alpha.length)
    for (let k = 0; k < keptCount; k++) isActive[active[k]] = 1
    gatherRows(this.samples, active, keptCount, this.copy)
    this.columns = this.copy
    this.rows?.restrict(keptPositions, this.copy, (sample) => isActive[sample] === 1)
  }

  /** Brings all samples back, their v brought up to date. */
  unshrink(): void {
    if (this.allActive) return
    const { alpha, problem, v, active } = this
    const all = new Float64Array(alpha.length)
    for (let k = 0; k < this.count; k++) all[active[k]] = v[k]
    for (const group of this.shrunk) this.bringUpToDate(group, all)
    this.shrunk.length = 0
    this.setSize = 0
    this.count = alpha.length
    this.activeAlpha.set(alpha)
    this.activeY.set(problem.y)
    this.activeC.set(problem.C)
    v.set(all)
    for (let i = 0; i < alpha.length; i++) active[i] = i
    this.columns = this.samples
    this.rows?.forget()
  }

  private bringUpToDate(group: ShrunkGroup, all: Float64Array): void {
    const { alpha, problem, engine, coefficients } = this
    const length = group.samples.length
    const mark = engine.mark()
    const vector = engine.array(Float64Array, length)
    const changed = engine.array(Uint32Array, alpha.length)
    let count = 0
    for (let j = 0; j < alpha.length; j++) {
      if (alpha[j] === group.alphaThen[j]) continue
      coefficients[count] = problem.y[j] * (alpha[j] - group.alphaThen[j])
      changed[count++] = j
    }
    vector.set(group.v)
    gatherRows(this.samples, group.samples, length, this.copy)
    this.accumulate(this.copy, length, vector.pointer, changed.pointer, count)
    for (let k = 0; k < length; k++) all[group.samples[k]] = vector[k]
    engine.release(mark)
  }

  /**
   * Checks in f64 the samples that decide the violation (all being active): v is computed exactly for those nearest to
   * the extremes and kept. Returns a bound of the true violation: what was not checked is allowed twice the
   * largest error that was seen, on either side.
   */
  verify(): { violation: number; error: number } {
    const { v, taken, extremes } = this
    const all = { m: Number.POSITIVE_INFINITY, M: Number.NEGATIVE_INFINITY }
    const list = new Uint32Array(2 * CANDIDATES)
    taken.fill(0)
    let found = this.choice.take('up', this.view(), all, CANDIDATES, taken, list, 0)
    found += this.choice.take('low', this.view(), all, CANDIDATES, taken, list, found)
    const exact = this.exactValues(list, found)
    let error = 0
    for (let a = 0; a < found; a++) {
      error = Math.max(error, Math.abs(exact[a] - v[list[a]]))
      v[list[a]] = exact[a]
    }
    this.look()
    return { violation: Math.max(0, extremes.m - extremes.M) + 4 * error, error }
  }

  /** About how many multiply-adds {@link makeExact} takes. */
  exactCost(): number {
    const { alpha, samples } = this
    if (this.linear) return 2 * samples.values.length
    const supportVectors = alpha.reduce((count, a) => (a > 0 ? count + 1 : count), 0)
    return supportVectors * (samples.values.length + 16 * alpha.length)
  }

  /** Computes v exactly for all samples (which must be active): through w when the kernel is linear. */
  makeExact(): void {
    const { problem, alpha } = this
    if (this.linear) {
      const values = expansionValues(problem, signedAlpha(problem, alpha))
      for (let i = 0; i < values.length; i++) this.v[i] = problem.y[i] - values[i]
    } else {
      this.v.set(this.exactValues(this.active, this.count))
    }
  }

  private exactValues(samples: Uint32Array, count: number): Float64Array {
    const { engine, alpha, problem, coefficients } = this
    const mark = engine.mark()
    const supportVectors = engine.array(Uint32Array, alpha.length)
    let found = 0
    for (let j = 0; j < alpha.length; j++) {
      if (alpha[j] === 0) continue
      supportVectors[found] = j
      coefficients[found++] = problem.y[j] * alpha[j]
    }
    const queries = engine.array(Uint32Array, count)
    queries.set(samples.subarray(0, count))
    const results = engine.array(Float64Array, count)
    engine.run({
      kind: 'exact',
      matrix: this.samples.pointer,
      kernel: this.kernel,
      samples: supportVectors.pointer,
      coefficients: coefficients.pointer,
      to: found,
      queryMatrix: this.samples.pointer,
      queries: queries.pointer,
      count,
      results: results.pointer,
    })
    const exact = Float64Array.from(results, (value, a) => problem.y[samples[a]] - value)
    engine.release(mark)
    return exact
  }

  /** Σ_j α_j y_j K_ij for every sample (all being active). */
  dualValues(): Float64Array {
    return this.problem.y.map((label, i) => label - this.v[i])
  }
}

function isIdle(alpha: number, y: number, C: number, v: number, { m, M }: Extremes): boolean {
  const rise = alpha < C
  const fall = alpha > 0
  const up = y > 0 ? rise : fall
  const low = y > 0 ? fall : rise
  if (up && low) return false
  if (up) return v < M
  return low ? v > m : true
}
