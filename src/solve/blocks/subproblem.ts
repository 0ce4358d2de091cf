/**
 * The dual over a working set alone, in the engine's memory; assembly/dual/pair-loop.ts solves it.
 *
 * K, v and the rates are f32 there. v is taken relative to the bias of its group as it is now: of the variables that decide
 * anything little is left then, and f32 resolves that to the seventh digit. What a round has moved is β, in f64; v in f64
 * follows it outside.
 */

import { type EngineMatrix, gatherRows, reserveCopy } from '../../engine/matrix/engine-matrix.ts'
import type { Engine, EngineArray } from '../../engine/memory/engine.ts'
import type { GeneralDual } from '../../problems/general-dual.ts'
import { fallOf, riseOf } from '../dual/rates.ts'
import type { StoredRows } from './stored-rows.ts'

/** The pair loop takes eight variables at a time, of one group. */
const LANES = 8
/** How many variables there may be beyond those of the set: they fill up the first group. */
export const MOST_FILLERS = LANES - 1

/** See the header of the file. */
export class Subproblem {
  /** Most variables it can be asked to hold. */
  readonly size: number
  /** Variables it holds: the first group, then the second, and between them fillers that cannot move. */
  count = 0
  /** Sample number of each variable. */
  readonly samples: EngineArray<Uint32Array>
  /** Position of each variable among the active ones. */
  readonly positions: Uint32Array
  /** β of each variable: what {@link solve} found. */
  readonly beta: EngineArray<Float64Array>
  /** β of each variable as it was loaded. */
  readonly before: Float64Array
  /** k(x, x) of each variable as the engine computes it in f32. */
  readonly computedDiagonal: Float64Array
  private readonly engine: Engine
  private readonly dual: GeneralDual
  private readonly kernel: number
  private readonly source: EngineMatrix
  private readonly diagonal: Float64Array
  private readonly matrix: EngineMatrix
  private readonly K: EngineArray<Float32Array>
  private readonly rows: EngineArray<Uint32Array>
  // Of kernel values that are moved: pointers to rows, and pairs of offsets.
  private readonly sources: EngineArray<Uint32Array>
  private readonly targets: EngineArray<Uint32Array>
  private readonly moves: EngineArray<Uint32Array>
  private readonly v: EngineArray<Float32Array>
  private readonly up: EngineArray<Float32Array>
  private readonly low: EngineArray<Float32Array>
  private readonly curvature: EngineArray<Float32Array>
  private readonly lower: EngineArray<Float64Array>
  private readonly upper: EngineArray<Float64Array>
  /** Values from row to row of K. */
  private stride = 0
  /** Where fillers begin, and where the second group does. */
  private fillers = 0
  private split = 0

  /** `diagonal` holds k(x, x) of every sample of `source`. */
  constructor(
    engine: Engine,
    dual: GeneralDual,
    kernel: number,
    source: EngineMatrix,
    diagonal: Float64Array,
    size: number,
  ) {
    this.engine = engine
    this.dual = dual
    this.kernel = kernel
    this.source = source
    this.diagonal = diagonal
    this.size = size
    const room = padded(dual.groups ? size + MOST_FILLERS : size)
    this.positions = new Uint32Array(room)
    this.samples = engine.array(Uint32Array, room)
    this.rows = engine.array(Uint32Array, room)
    this.sources = engine.array(Uint32Array, room)
    this.targets = engine.array(Uint32Array, room)
    this.moves = engine.array(Uint32Array, 2 * room)
    this.K = engine.array(Float32Array, room * room)
    this.beta = engine.array(Float64Array, room)
    this.before = new Float64Array(room)
    this.computedDiagonal = new Float64Array(room)
    this.v = engine.array(Float32Array, room)
    this.up = engine.array(Float32Array, room)
    this.low = engine.array(Float32Array, room)
    this.curvature = engine.array(Float32Array, room)
    this.lower = engine.array(Float64Array, room)
    this.upper = engine.array(Float64Array, room)
    const stored = largestRows(source, diagonal.length, room)
    this.matrix = reserveCopy(engine, source, room, stored)
  }

  /**
   * Takes the variables at these positions of `active`, a list of sample numbers; v and β are there for the taking, and the
   * bias of each group. The first of them were at these `slots` (ascending) the time before: what is known of their kernel
   * values stays, if there is room for it. `stored` rows may be able to tell others.
   */
  load(
    set: Uint32Array,
    setSize: number,
    slots: Uint32Array,
    active: Uint32Array,
    v: Float64Array,
    beta: Float64Array,
    biases: readonly number[],
    stored?: StoredRows,
  ): void {
    const strideBefore = this.stride
    this.arrange(set, setSize, active)
    const { samples, positions, K, rows, curvature, count, dual } = this
    const stride = padded(count)
    const known = dual.groups || stride > strideBefore ? 0 : slots.length
    if (!dual.groups) this.fillers = this.split = stride
    for (let a = 0; a < stride; a++) {
      const inside = a < count
      const moves = inside && this.canMove(a)
      const sample = samples[a]
      const own = moves ? beta[sample] : 0
      const lower = moves ? dual.lower[sample] : 0
      const upper = moves ? dual.upper[sample] : 0
      this.v[a] = moves ? v[positions[a]] - biases[a < this.split ? 0 : 1] : 0
      this.up[a] = riseOf(own, upper, dual.tube)
      this.low[a] = fallOf(own, lower, dual.tube)
      this.beta[a] = this.before[a] = own
      this.lower[a] = lower
      this.upper[a] = upper
      curvature[a] = inside ? this.diagonal[sample] : 1
      rows[a] = K.pointer + a * stride * 4
    }
    this.stride = stride
    this.keep(slots.subarray(0, known), strideBefore)
    if (stored?.square) {
      stored.square(samples, count, known, K, stride)
    } else {
      if (known === 0) this.computeAll()
      else if (known < count) this.compute(known)
      for (let a = known; a < count; a++) this.computedDiagonal[a] = K[a * stride + a]
    }
    for (let a = 0; a < count; a++) {
      K[a * stride + a] = curvature[a]
      if (count < stride) K.fill(0, a * stride + count, (a + 1) * stride)
    }
  }

  /** Moves the kernel values of the variables at these slots (ascending) to the front: nothing is written before it is read. */
  private keep(slots: Uint32Array, strideBefore: number): void {
    const { K, stride, sources, targets, moves, computedDiagonal } = this
    for (let a = 0; a < slots.length; a++) {
      sources[a] = K.pointer + 4 * slots[a] * strideBefore
      targets[a] = K.pointer + 4 * a * stride
      moves[2 * a] = 4 * slots[a]
      moves[2 * a + 1] = 4 * a
      computedDiagonal[a] = computedDiagonal[slots[a]]
    }
    const { length } = slots
    this.engine.exports.pickColumns(sources.pointer, targets.pointer, length, moves.pointer, length)
  }

  /** Kernel values of all variables among themselves, each computed once. */
  private computeAll(): void {
    const { engine, samples, rows, count } = this
    gatherRows(this.source, samples, count, this.matrix)
    engine.run({
      kind: 'kernel-matrix',
      matrix: this.matrix.pointer,
      kernel: this.kernel,
      queryMatrix: this.source.pointer,
      queries: samples.pointer,
      count,
      rows: rows.pointer,
    })
  }

  /** Those of all variables but the first `known` among themselves. */
  private compute(known: number): void {
    const { K, samples, rows, count, stride } = this
    // Computing this small matrix is several times cheaper than picking it out of rows that lie far apart.
    gatherRows(this.source, samples, count, this.matrix)
    this.engine.run({
      kind: 'kernel-rows',
      matrix: this.matrix.pointer,
      kernel: this.kernel,
      from: 0,
      to: count,
      queryMatrix: this.source.pointer,
      queries: samples.pointer + 4 * known,
      count: count - known,
      rows: rows.pointer + 4 * known,
      parts: 1,
    })
    this.engine.exports.mirror(stride, K.pointer, known, count)
  }

  /** Whether a variable is one of the set: not a filler. */
  canMove(a: number): boolean {
    return a < this.fillers || a >= this.split
  }

  /** Puts the first group first, a multiple of the lanes. */
  private arrange(set: Uint32Array, setSize: number, active: Uint32Array): void {
    const { positions, samples } = this
    const { groups } = this.dual
    let count = 0
    if (groups) {
      for (let a = 0; a < setSize; a++) if (groups[active[set[a]]] === 0) positions[count++] = set[a]
      this.fillers = count
      while (count % LANES > 0) positions[count++] = set[0]
      this.split = count
      for (let a = 0; a < setSize; a++) if (groups[active[set[a]]] !== 0) positions[count++] = set[a]
    } else {
      positions.set(set.subarray(0, setSize))
      count = setSize
    }
    for (let a = 0; a < count; a++) samples[a] = active[positions[a]]
    this.count = count
  }

  /** Solves what was loaded to `tol`, in at most `maxSteps` pair steps; returns how many it took. */
  solve(tol: number, maxSteps: number): number {
    const { stride } = this
    const steps = this.engine.exports.runPairLoop(
      stride,
      this.split,
      this.K.pointer,
      4 * stride,
      this.v.pointer,
      this.up.pointer,
      this.low.pointer,
      this.curvature.pointer,
      this.beta.pointer,
      this.lower.pointer,
      this.upper.pointer,
      this.dual.tube,
      tol,
      maxSteps,
    )
    return steps < 0 ? -1 - steps : steps
  }
}

/** Up to whole cache lines of f32. */
function padded(count: number): number {
  return Math.ceil(count / 16) * 16
}

/** Most values that `size` rows can hold together. */
export function largestRows(matrix: EngineMatrix, rows: number, size: number): number {
  if (matrix.dense) return size * matrix.cols
  const lengths = new Uint32Array(rows)
  for (let i = 0; i < rows; i++) lengths[i] = matrix.indptr[i + 1] - matrix.indptr[i]
  lengths.sort()
  const most = lengths.subarray(Math.max(0, rows - size)).reduce((sum, length) => sum + length, 0)
  // A row may be there several times: fillers.
  return most + (rows > 0 ? MOST_FILLERS * lengths[rows - 1] : 0)
}
