/**
 * The working set of a round, in the engine's memory: assembly/dual/working-set.ts chooses it and makes of it the dual over these
 * variables alone, assembly/dual/pair-loop.ts solves that.
 *
 * K, v and the rates are f32 there. v is taken relative to the bias of its group as it is now: of the variables that decide
 * anything little is left then, and f32 resolves that to the seventh digit. What a round has moved is β, in f64; v in f64
 * follows it outside.
 */

import { type EngineMatrix, gatherRows, reserveCopy } from '../../engine/matrix/engine-matrix.ts'
import type { Engine, EngineArray } from '../../engine/memory/engine.ts'
import { type FieldName, type FieldValues, offsetOf, sizeOf } from '../../engine/memory/fields.ts'
import type { GeneralDual } from '../../problems/general-dual.ts'
import type { StoredRows } from './stored-rows.ts'

/** How many variables there may be beyond those of the set: they fill up the first group, for a loop that takes eight at a time. */
export const MOST_FILLERS = 7

/** What a working set is taken from: where the arrays of all variables are. */
export type VariablesOnEngine = Pick<
  FieldValues<'ROUND'>,
  'active' | 'v' | 'up' | 'low' | 'groups' | 'extremes' | 'beta' | 'lower' | 'upper' | 'diagonal'
>

/** See the header of the file. */
export class WorkingSet {
  /** Most variables it can hold. */
  readonly size: number
  /** Samples whose β has changed, and by how much: what {@link listChanges} has found. */
  readonly changed: EngineArray<Uint32Array>
  readonly coefficients: EngineArray<Float64Array>
  private readonly engine: Engine
  private readonly kernel: number
  private readonly source: EngineMatrix
  private readonly tube: number
  private readonly matrix: EngineMatrix
  private readonly K: EngineArray<Float32Array>
  /** Sample number of each variable, in the order of the pair loop. */
  private readonly samples: EngineArray<Uint32Array>
  /** Positions among the active variables, the oldest members first. */
  private readonly set: EngineArray<Uint32Array>
  /** Where ROUND is, its words, and what the pair loop takes of it. */
  private readonly round: number
  private readonly words: Uint32Array
  private readonly fields: FieldValues<'ROUND'>

  /** For a dual whose samples are `source`, and whose arrays are where `variables` says. */
  constructor(
    engine: Engine,
    dual: GeneralDual,
    kernel: number,
    source: EngineMatrix,
    variables: VariablesOnEngine,
    size: number,
  ) {
    const { length } = dual.target
    this.engine = engine
    this.kernel = kernel
    this.source = source
    this.size = size
    this.tube = dual.tube
    const room = padded(dual.groups ? size + MOST_FILLERS : size)
    const words = (count = room) => engine.allocate(4 * count)
    const doubles = (count = room) => engine.allocate(8 * count)
    this.changed = engine.array(Uint32Array, room)
    this.coefficients = engine.array(Float64Array, room)
    this.samples = engine.array(Uint32Array, room)
    this.set = engine.array(Uint32Array, room)
    this.K = engine.array(Float32Array, room * room)
    const taken = engine.array(Uint8Array, length)
    taken.fill(0)
    this.fields = {
      ...variables,
      tube: dual.tube,
      keys: doubles(length),
      positions: words(length),
      taken: taken.pointer,
      size,
      set: this.set.pointer,
      slots: words(),
      setSize: 0,
      count: 0,
      stride: 0,
      fillers: 0,
      split: 0,
      setPositions: words(),
      setSamples: this.samples.pointer,
      k: this.K.pointer,
      rows: words(),
      setV: words(),
      setUp: words(),
      setLow: words(),
      setDiagonal: words(),
      setBeta: doubles(),
      setBefore: doubles(),
      setLower: doubles(),
      setUpper: doubles(),
      computedDiagonal: doubles(),
      changed: this.changed.pointer,
      coefficients: this.coefficients.pointer,
    }
    this.round = engine.structure('ROUND', this.fields)
    this.words = engine.view(Uint32Array, this.round, sizeOf('ROUND') / 4)
    this.matrix = reserveCopy(engine, source, room, largestRows(source, length, room))
  }

  /** A number that ROUND holds. */
  private count(field: FieldName<'ROUND'>): number {
    return this.words[offsetOf('ROUND', field) / 4]
  }

  /** The positions that it holds, the oldest members first. */
  get positions(): Uint32Array {
    return this.set.subarray(0, this.count('setSize'))
  }

  /** Makes it hold the variables at these positions. */
  set positions(list: Uint32Array) {
    this.set.set(list)
    this.words[offsetOf('ROUND', 'setSize') / 4] = list.length
  }

  /** Makes it hold none: what is kept by position is no use where positions have changed. */
  clear(): void {
    this.words[offsetOf('ROUND', 'setSize') / 4] = 0
  }

  /** Of `active` variables the `most` nearest to the extremes, as many of each side and group: their positions. */
  nearest(active: number, most: number): Uint32Array {
    const { engine } = this
    const mark = engine.mark()
    const list = engine.array(Uint32Array, most)
    const found = engine.exports.fillSet(this.round, active, list.pointer, most, 0, 1)
    engine.release(mark)
    return list.slice(0, found)
  }

  /**
   * Chooses variables among `active` ones, and makes all that the pair loop needs of them. Of those that stay, kernel values among
   * themselves stay too, if there is room for them; `stored` rows may be able to tell others.
   */
  begin(active: number, biases: readonly number[], stored?: StoredRows): void {
    const { round, samples, K } = this
    const { exports } = this.engine
    const kept = exports.chooseSet(round, active)
    const known = exports.loadSet(round, kept, biases[0], biases[1] ?? 0)
    const count = this.count('count')
    if (stored?.square) stored.square(samples, count, known, K, this.count('stride'))
    else if (known < count) this.compute(known, count)
    exports.finishSet(round, known, Number(!stored?.square))
  }

  /** Kernel values of all variables among themselves, but for the first `known`, which have them: each computed once. */
  private compute(known: number, count: number): void {
    const { engine, samples, fields } = this
    // Computing this small matrix is several times cheaper than picking it out of rows that lie far apart.
    gatherRows(this.source, samples, count, this.matrix)
    engine.run({
      kind: 'kernel-matrix',
      matrix: this.matrix.pointer,
      kernel: this.kernel,
      queryMatrix: this.source.pointer,
      queries: samples.pointer,
      from: known,
      count,
      rows: fields.rows,
    })
  }

  /** Solves what was loaded to `tol`, in at most `maxSteps` pair steps; returns how many it took. */
  solve(tol: number, maxSteps: number): number {
    const { fields } = this
    const stride = this.count('stride')
    const steps = this.engine.exports.runPairLoop(
      stride,
      this.count('split'),
      fields.k,
      4 * stride,
      fields.setV,
      fields.setUp,
      fields.setLow,
      fields.setDiagonal,
      fields.setBeta,
      fields.setLower,
      fields.setUpper,
      this.tube,
      tol,
      maxSteps,
    )
    return steps < 0 ? -1 - steps : steps
  }

  /** Lets β of all samples know what it has reached. */
  store(): void {
    this.engine.exports.storeSet(this.round)
  }

  /** Half of what the dual falls by, as v before and after the changes has it; the tube's part comes with the first. */
  halfGain(when: 'before' | 'after'): number {
    return this.engine.exports.halfGain(this.round, when === 'before' ? this.tube : 0)
  }

  /** Lists whose β has changed in {@link changed}; returns how many. `made`: kernel rows of these are made in passing. */
  listChanges(made: boolean): number {
    return this.engine.exports.listChanges(this.round, Number(made))
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
