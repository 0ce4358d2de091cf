/**
 * Kernel rows of a pair of classes, in two pieces: one value for each sample of the first class, one for each of the second.
 *
 *   row of x        [ k(x, first class) | k(x, second class) ]
 *
 * The piece with the class that x is of (own) is the same in all pairs of that class, and stays from pair to pair; the other
 * one (cross) occurs in no other pair and makes room at the end of this one. All samples of both classes have a column,
 * always: leaving some out for a while, as is done elsewhere, would make pieces that no other pair can use. Measured on
 * 30,000 digits: 7.4 s of CPU time with it, 5.0 s without.
 */
import { KERNEL_VALUE_WORK } from '../../base/kernel-work.ts'
import { countUp } from '../../base/lists.ts'
import { type EngineMatrix, gatherRows, reserveCopy } from '../matrix/engine-matrix.ts'
import type { Engine, EngineArray } from '../memory/engine.ts'
import { QUERIES } from '../memory/structures.ts'
import { ColumnPicker, putDiagonal, RowSlots, subtractRows } from './row-slots.ts'

/** Kinds of pieces. */
const OWN = 0
const CROSS = 1
const SIDES = [0, 1] as const
type Side = (typeof SIDES)[number]
/** Multiply-adds below which waking another thread takes longer than it helps: about a millisecond of one. */
const WORTH_SHARING = 1e7

/** A pair of classes in the engine; samples are counted within the pair, those of the first class first. */
export interface PairInEngine {
  /** Where the kernel is. */
  readonly kernel: number
  readonly samples: EngineMatrix
  /** Number of each sample among those of all classes. */
  readonly members: Uint32Array
  /** How many samples are of the first class. */
  readonly split: number
  /** k(x, x) of each sample. */
  readonly diagonal: Float64Array
}

/** The slots of all pairs: own and cross pieces of every sample. */
export class PairSlots {
  private readonly samples: number
  private readonly slots: RowSlots

  /** Room for pieces of `columns` values of this many samples: as many as fit `bytes`, but `least` of them. */
  constructor(engine: Engine, bytes: number, columns: number, least: number, samples: number) {
    this.samples = samples
    this.slots = new RowSlots(engine, { bytes, columns, least, keys: 2 * samples })
  }

  /** Where a piece is; 0 when it is not there. */
  find(kind: number, sample: number): number {
    return this.slots.find(kind * this.samples + sample)
  }

  /** Whether a piece is there; if so, it counts as used now. */
  use(kind: number, sample: number): boolean {
    return this.slots.use(kind * this.samples + sample) !== 0
  }

  /** Room for a piece that is not there. */
  take(kind: number, sample: number): number {
    return this.slots.take(kind * this.samples + sample)
  }

  /** Gives back the pieces of these samples. */
  drop(kind: number, samples: Uint32Array): void {
    for (const sample of samples) this.slots.drop(kind * this.samples + sample)
  }
}

/** See the header of the file. */
export class PairRows {
  private readonly engine: Engine
  private readonly pair: PairInEngine
  private readonly slots: PairSlots
  /** Multiply-adds of a kernel value. */
  private readonly valueWork: number
  private readonly wanted: EngineArray<Uint32Array>
  private readonly pointers: EngineArray<Uint32Array>
  private readonly picker: ColumnPicker
  // For values of a working set that are in no piece.
  private readonly block: EngineArray<Float32Array>
  private readonly blockColumns: EngineMatrix

  /** `largest`: how many rows will be required at the same time at most; `stored`: values that this many samples have at most. */
  constructor(engine: Engine, pair: PairInEngine, slots: PairSlots, largest: number, stored: number) {
    this.engine = engine
    this.pair = pair
    this.slots = slots
    this.valueWork = pair.samples.values.length / pair.members.length + KERNEL_VALUE_WORK
    this.wanted = engine.array(Uint32Array, largest)
    this.pointers = engine.array(Uint32Array, largest)
    this.picker = new ColumnPicker(engine, largest, largest)
    this.block = engine.array(Float32Array, largest * Math.ceil(largest / 4) * 4)
    this.blockColumns = reserveCopy(engine, pair.samples, largest, stored)
  }

  /** Gives back what is kept of samples whose class has no more pairs. */
  static drop(slots: PairSlots, samples: Uint32Array): void {
    slots.drop(OWN, samples)
  }

  /** Gives back what no other pair can use. */
  end(): void {
    this.slots.drop(CROSS, this.pair.members)
  }

  /** vector[j] −= Σ coefficients[a] · row of samples[a] at column j. */
  subtract(
    vector: EngineArray<Float64Array>,
    samples: EngineArray<Uint32Array>,
    coefficients: EngineArray<Float64Array>,
    count: number,
  ): void {
    const { slots, pointers } = this
    const { members } = this.pair
    this.require(samples, count)
    for (const side of SIDES) {
      const [from, to] = this.columnsOf(side)
      for (let a = 0; a < count; a++) {
        pointers[a] = slots.find(this.table(side, samples[a]), members[samples[a]])
      }
      subtractRows(this.engine, vector.pointer + 8 * from, to - from, pointers, coefficients, count)
    }
  }

  private columnsOf(side: Side): [from: number, to: number] {
    const { split, members } = this.pair
    return side === 0 ? [0, split] : [split, members.length]
  }

  private sideOf(sample: number): Side {
    return sample < this.pair.split ? 0 : 1
  }

  private table(side: Side, sample: number): number {
    return this.sideOf(sample) === side ? OWN : CROSS
  }

  /** Makes sure that both pieces of these samples are there; they stay while no more than `largest` are requested. */
  require(samples: Uint32Array, count: number): void {
    const { slots } = this
    const { members } = this.pair
    const missing: number[][] = [[], []]
    for (const side of SIDES) {
      for (let a = 0; a < count; a++) {
        const sample = samples[a]
        if (!slots.use(this.table(side, sample), members[sample])) missing[side].push(sample)
      }
    }
    for (const side of SIDES) this.make(side, missing[side])
  }

  private make(side: Side, missing: readonly number[]): void {
    const { slots, wanted, pointers } = this
    const { members, diagonal } = this.pair
    const [from, to] = this.columnsOf(side)
    const starts = missing.map((sample) => slots.take(this.table(side, sample), members[sample]))
    missing.forEach((sample, a) => {
      wanted[a] = sample
      // Where sample 0 would be. Below 0 this wraps around, and back again when the engine adds 4 · from.
      pointers[a] = starts[a] - 4 * from
    })
    this.compute(missing.length, this.pair.samples, from, to)
    const values = new Float32Array(this.engine.memory.buffer)
    const padded = from + Math.ceil((to - from) / 4) * 4
    missing.forEach((sample, a) => {
      const row = starts[a] / 4 - from
      // An update goes by twos: what lies behind the last column must be 0.
      for (let c = to; c < padded; c++) values[row + c] = 0
      if (this.sideOf(sample) === side) putDiagonal(this.engine, starts[a], sample - from, diagonal[sample])
    })
  }

  /** Rows of `wanted` at `pointers`. */
  private compute(count: number, columns: EngineMatrix, from: number, to: number): void {
    if (count === 0 || from === to) return
    this.engine.run({
      kind: 'kernel-rows',
      matrix: columns.pointer,
      kernel: this.pair.kernel,
      from,
      to,
      queryMatrix: this.pair.samples.pointer,
      queries: this.wanted.pointer,
      count,
      rows: this.pointers.pointer,
      parts: count >= 4 * QUERIES ? 1 : 8,
      alone: this.valueWork * count * (to - from) < WORTH_SHARING,
    })
  }

  /**
   * K[a][b] = k(samples[a], samples[b]), rows `stride` apart, for a, b < count unless both are below `known`: read from
   * pieces that are there, the others computed.
   */
  square(
    samples: Uint32Array,
    count: number,
    known: number,
    K: EngineArray<Float32Array>,
    stride: number,
  ): void {
    // Places in the set by sample, so that pieces are read in the order of memory.
    const places = countUp(count).sort((a, b) => samples[a] - samples[b])
    const second = places.findIndex((a) => this.sideOf(samples[a]) === 1)
    const split = second < 0 ? count : second
    const sides = [places.subarray(0, split), places.subarray(split)]
    for (const side of SIDES) {
      const own = sides[side]
      this.fillNew(samples, own, own, side, known, K, stride)
      this.fillNew(samples, own, sides[1 - side], side, known, K, stride)
    }
    this.engine.exports.mirror(stride, K.pointer, known, count)
  }

  /** K[a][b] for a of `rows`, all of one side, that are not known, and b of `columns`. */
  private fillNew(
    samples: Uint32Array,
    rows: Uint32Array,
    columns: Uint32Array,
    side: Side,
    known: number,
    K: EngineArray<Float32Array>,
    stride: number,
  ): void {
    const { slots, picker } = this
    const { members } = this.pair
    const table = rows === columns ? OWN : CROSS
    const columnSide = (table === OWN ? side : 1 - side) as Side
    const without: number[] = []
    this.beginPick(columns, samples, columnSide, 4)
    for (const a of rows) {
      if (a < known) continue
      const source = slots.find(table, members[samples[a]])
      if (source === 0) without.push(a)
      else picker.add(source, K.pointer + 4 * a * stride)
    }
    picker.copy()
    if (without.length === 0) return
    const others: number[] = []
    this.beginPick(without, samples, side, 4 * stride)
    for (const b of columns) {
      const source = slots.find(table, members[samples[b]])
      if (source === 0) others.push(b)
      else picker.add(source, K.pointer + 4 * b)
    }
    picker.copy()
    // Between two classes, those new to both sides are computed from the first one's side.
    const isMirrored = table === CROSS && side === 1
    const left = isMirrored ? others.filter((b) => b < known) : others
    this.computeBlock(samples, without, left, K, stride)
    if (!isMirrored) return
    for (const b of others) {
      if (b < known) continue
      for (let r = 0; r < without.length; r++) K[without[r] * stride + b] = K[b * stride + without[r]]
    }
  }

  /** Begins to pick, out of pieces with the columns of `side`, the values at these places; they go `step` bytes apart. */
  private beginPick(places: ArrayLike<number>, samples: Uint32Array, side: Side, step: number): void {
    const [from] = this.columnsOf(side)
    this.picker.begin(
      places.length,
      (c) => samples[places[c]] - from,
      (c) => step * places[c],
    )
  }

  private computeBlock(
    samples: Uint32Array,
    rows: readonly number[],
    columns: readonly number[],
    K: EngineArray<Float32Array>,
    stride: number,
  ): void {
    if (rows.length === 0 || columns.length === 0) return
    const { block, wanted, pointers, blockColumns } = this
    const width = Math.ceil(columns.length / 4) * 4
    rows.forEach((a, r) => {
      wanted[r] = samples[a]
      pointers[r] = block.pointer + 4 * r * width
    })
    const chosen = columns.map((b) => samples[b])
    gatherRows(this.pair.samples, chosen, columns.length, blockColumns)
    this.compute(rows.length, blockColumns, 0, columns.length)
    for (let r = 0; r < rows.length; r++) {
      const to = rows[r] * stride
      const from = r * width
      for (let c = 0; c < columns.length; c++) K[to + columns[c]] = block[from + c]
    }
  }
}
