/** Equal slots in the engine's memory for rows of f32, kept by a {@link RowStore}; and what is done with such rows. */
import type { Engine, EngineArray } from '../memory/engine.ts'
import { RowStore } from './row-store.ts'

/** Bytes from row to row of this many f32: padded to whole cache lines. */
export function rowStride(columns: number): number {
  return Math.ceil(columns / 16) * 64
}

/** Options of {@link RowSlots}. */
export interface SlotOptions {
  /** Memory for rows, unless the engine has less to spare. */
  readonly bytes: number
  /** Values of a row. */
  readonly columns: number
  /** How many rows there is room for at least. */
  readonly least: number
  /** Rows are known by numbers below this. */
  readonly keys: number
}

/** See the header of the file. Rows are known by their pointers. */
export class RowSlots {
  private readonly base: number
  private readonly bytes: number
  private readonly keys: number
  private stride: number
  private store: RowStore

  constructor(engine: Engine, { bytes, columns, least, keys }: SlotOptions) {
    this.keys = keys
    this.stride = rowStride(columns)
    const rows = Math.min(keys, Math.floor(Math.min(bytes, engine.spareBytes) / this.stride))
    this.bytes = Math.max(least, rows) * this.stride
    this.base = engine.allocate(this.bytes)
    this.store = this.emptyStore()
  }

  private emptyStore(): RowStore {
    return new RowStore(this.keys, Math.min(this.keys, Math.floor(this.bytes / Math.max(1, this.stride))))
  }

  /** Rows that are kept at the same time. */
  get capacity(): number {
    return this.store.capacity
  }

  /** Where a row is; 0 when it is not there. */
  find(key: number): number {
    return this.pointer(this.store.find(key))
  }

  /** The same; if it is there, it counts as used now. */
  use(key: number): number {
    return this.pointer(this.store.use(key))
  }

  /** Room for a row that is not there. */
  take(key: number): number {
    return this.pointer(this.store.take(key))
  }

  /** Gives a row up, if it is there. */
  drop(key: number): void {
    this.store.drop(key)
  }

  /** The keys of all rows, from the least to the most recently used one. */
  keysByUse(): number[] {
    return this.store.keysByUse()
  }

  /**
   * From now on rows have this many values. The rows of `kept` get slots again, in the order of memory, and stay as recently
   * used as they are; all others are gone. Returns what has to be moved, ascending: pointers before and after.
   */
  resize(columns: number, kept: readonly number[]): { from: number; to: number }[] {
    const before = this.store
    const from = [...kept].sort((a, b) => before.find(a) - before.find(b))
    const sources = from.map((key) => this.find(key))
    this.stride = rowStride(columns)
    this.store = this.emptyStore()
    const moves = from.map((key, k) => ({ from: sources[k], to: this.take(key) }))
    for (const key of kept) this.store.use(key)
    return moves
  }

  private pointer(slot: number): number {
    return slot < 0 ? 0 : this.base + slot * this.stride
  }
}

/** Puts k(x, x) into a row: it is known exactly, and f32 distances err most there, small differences of large norms. */
export function putDiagonal(engine: Engine, row: number, column: number, value: number): void {
  new Float32Array(engine.memory.buffer, row + 4 * column, 1)[0] = value
}

/** vector −= Σ coefficients[a] · the row at pointers[a], for so many columns; the vector is known by its pointer. */
export function subtractRows(
  engine: Engine,
  vector: number,
  columns: number,
  pointers: EngineArray<Uint32Array>,
  coefficients: EngineArray<Float64Array>,
  count: number,
): void {
  const lists = { rows: pointers.pointer, coefficients: coefficients.pointer, count }
  engine.run({ kind: 'subtract-rows', vector, from: 0, to: columns, ...lists })
}

/** Copies the same columns of several rows to other places. */
export class ColumnPicker {
  private readonly engine: Engine
  private readonly sources: EngineArray<Uint32Array>
  private readonly targets: EngineArray<Uint32Array>
  private readonly offsets: EngineArray<Uint32Array>
  private width = 0
  private count = 0

  /** For this many rows and columns at most. */
  constructor(engine: Engine, rows: number, columns: number) {
    this.engine = engine
    this.sources = engine.array(Uint32Array, rows)
    this.targets = engine.array(Uint32Array, rows)
    this.offsets = engine.array(Uint32Array, 2 * columns)
  }

  /** Begins with no rows, and with `count` columns: number c goes from value from(c) of a row to byte to(c) of its target. */
  begin(count: number, from: (c: number) => number, to: (c: number) => number): void {
    this.width = count
    this.count = 0
    for (let c = 0; c < count; c++) {
      this.offsets[2 * c] = 4 * from(c)
      this.offsets[2 * c + 1] = to(c)
    }
  }

  /** Adds a row: pointers. */
  add(source: number, target: number): void {
    this.sources[this.count] = source
    this.targets[this.count++] = target
  }

  /** Copies, row after row and column after column. */
  copy(): void {
    const { sources, targets, offsets, count, width } = this
    this.engine.exports.pickColumns(sources.pointer, targets.pointer, count, offsets.pointer, width)
  }
}
