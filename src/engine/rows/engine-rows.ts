/**
 * Kernel rows in the engine's memory: made 16 at a time on all threads, kept while there is room, the least recently
 * used ones given up first. A row holds one f32 for each column: the samples that are active at the moment.
 */
import { countUp } from '../../base/lists.ts'
import type { EngineMatrix } from '../matrix/engine-matrix.ts'
import type { Engine, EngineArray } from '../memory/engine.ts'
import { QUERIES } from '../memory/structures.ts'

const NONE = -1
/** Rows that are moved at most when columns go: moving an old row costs as much as making a new one. */
const MOVED_ROWS = 1024

/** Rows of the kernel matrix by sample number. */
export class EngineRows {
  private readonly engine: Engine
  private readonly kernel: number
  private readonly source: EngineMatrix
  private columns: EngineMatrix
  private columnCount: number
  private readonly base: number
  private readonly bytes: number
  private stride = 0
  private capacity = 0
  private used = 0
  private readonly slotOf: Int32Array
  private owner = new Int32Array(0)
  /** A list of slots from the most to the least recently used, as links; the last entry is the list's head. */
  private next = new Int32Array(0)
  private previous = new Int32Array(0)
  private readonly wanted: EngineArray<Uint32Array>
  private readonly pointers: EngineArray<Uint32Array>
  /** Column of each sample, −1 for those without. */
  private readonly columnOf: Int32Array
  private readonly diagonal: Float64Array
  /** Whether there is room for the rows of all samples. */
  readonly holdsAll: boolean
  /** Rows computed so far. */
  computed = 0

  /** `largest`: how many rows will be required at once at most. `diagonal`: k(x, x) of each sample. */
  constructor(
    engine: Engine,
    kernel: number,
    source: EngineMatrix,
    diagonal: Float64Array,
    bytes: number,
    largest: number,
  ) {
    const samples = diagonal.length
    this.engine = engine
    this.kernel = kernel
    this.source = source
    this.columns = source
    this.columnCount = samples
    this.slotOf = new Int32Array(samples).fill(NONE)
    this.columnOf = new Int32Array(countUp(samples))
    this.diagonal = diagonal
    this.wanted = engine.array(Uint32Array, largest)
    this.pointers = engine.array(Uint32Array, largest)
    const budget = Math.min(bytes, samples * strideFor(samples), engine.spareBytes)
    this.bytes = Math.max(budget, largest * strideFor(samples))
    this.holdsAll = this.bytes >= samples * strideFor(samples)
    this.base = engine.allocate(this.bytes)
    this.setColumns(source, samples)
  }

  /** vector[j] −= Σ coefficients[a] · row of samples[a] at column j. */
  subtract(
    vector: EngineArray<Float64Array>,
    samples: EngineArray<Uint32Array>,
    coefficients: EngineArray<Float64Array>,
    count: number,
  ): void {
    this.require(samples, count)
    for (let a = 0; a < count; a++) this.pointers[a] = this.pointer(samples[a])
    this.engine.run({
      kind: 'subtract-rows',
      vector: vector.pointer,
      from: 0,
      to: this.columnCount,
      rows: this.pointers.pointer,
      coefficients: coefficients.pointer,
      count,
    })
  }

  /** Where the row of a sample is; it must have been required. */
  pointer(sample: number): number {
    return this.base + this.slotOf[sample] * this.stride
  }

  /** Drops all rows; from now on they have a column for every sample. */
  forget(): void {
    this.slotOf.fill(NONE)
    this.used = 0
    for (let i = 0; i < this.columnOf.length; i++) this.columnOf[i] = i
    this.setColumns(this.source, this.columnOf.length)
  }

  private setColumns(columns: EngineMatrix, columnCount: number): void {
    this.columns = columns
    this.columnCount = columnCount
    this.stride = strideFor(columnCount)
    this.capacity = Math.min(this.slotOf.length, Math.floor(this.bytes / this.stride))
    this.owner = new Int32Array(this.capacity).fill(NONE)
    this.next = new Int32Array(this.capacity + 1).fill(this.capacity)
    this.previous = new Int32Array(this.capacity + 1).fill(this.capacity)
  }

  /**
   * Rows lose all columns but the kept ones (positions, ascending). Only rows used lately, of samples for which `keep`
   * is true, are worth moving; the others are dropped.
   */
  restrict(kept: Uint32Array, columns: EngineMatrix, keep: (sample: number) => boolean): void {
    const { owner, previous, capacity } = this
    // From the least to the most recently used, so that using them again in this order restores the order.
    const order: number[] = []
    for (let slot = previous[capacity]; slot !== capacity; slot = previous[slot]) order.push(slot)
    const survivors = order.slice(-MOVED_ROWS).filter((slot) => keep(owner[slot]))
    const moved = new Map(survivors.sort((a, b) => a - b).map((slot, place) => [slot, place]))
    this.moveRows(moved, kept)
    const owners = owner
    this.renumberColumns(kept)
    this.slotOf.fill(NONE)
    this.setColumns(columns, kept.length)
    this.used = moved.size
    for (const slot of order) {
      const to = moved.get(slot)
      if (to === undefined) continue
      this.owner[to] = owners[slot]
      this.slotOf[owners[slot]] = to
      this.link(to)
    }
  }

  /** Every value goes to a place that was read before, as slots and columns are both taken in ascending order. */
  private moveRows(moved: ReadonlyMap<number, number>, kept: Uint32Array): void {
    const { engine, base, stride } = this
    const mark = engine.mark()
    const sources = engine.array(Uint32Array, moved.size)
    const targets = engine.array(Uint32Array, moved.size)
    const columns = engine.array(Uint32Array, 2 * kept.length)
    const newStride = strideFor(kept.length)
    for (const [slot, place] of moved) {
      sources[place] = base + slot * stride
      targets[place] = base + place * newStride
    }
    for (let c = 0; c < kept.length; c++) {
      columns[2 * c] = 4 * kept[c]
      columns[2 * c + 1] = 4 * c
    }
    engine.exports.pickColumns(sources.pointer, targets.pointer, moved.size, columns.pointer, kept.length)
    engine.release(mark)
  }

  private renumberColumns(kept: Uint32Array): void {
    const { columnOf } = this
    const newColumn = new Int32Array(this.columnCount).fill(NONE)
    for (let c = 0; c < kept.length; c++) newColumn[kept[c]] = c
    for (let i = 0; i < columnOf.length; i++) if (columnOf[i] !== NONE) columnOf[i] = newColumn[columnOf[i]]
  }

  /** Makes sure that the rows of these samples are there; they stay while no more than `largest` are asked for. */
  require(samples: Uint32Array, count: number): void {
    const { slotOf, wanted, pointers } = this
    let missing = 0
    for (let a = 0; a < count; a++) {
      const sample = samples[a]
      if (slotOf[sample] === NONE) wanted[missing++] = sample
      else this.touch(slotOf[sample])
    }
    for (let a = 0; a < missing; a++) {
      const slot = this.freeSlot()
      this.owner[slot] = wanted[a]
      slotOf[wanted[a]] = slot
      this.link(slot)
      pointers[a] = this.base + slot * this.stride
    }
    this.compute(missing, this.columns, this.columnCount)
    this.computed += missing
  }

  private compute(count: number, columns: EngineMatrix, columnCount: number): void {
    if (count === 0) return
    this.engine.run({
      kind: 'kernel-rows',
      matrix: columns.pointer,
      kernel: this.kernel,
      from: 0,
      to: columnCount,
      queryMatrix: this.source.pointer,
      queries: this.wanted.pointer,
      count,
      rows: this.pointers.pointer,
      // Many blocks of queries share well already; a few are cut into parts so that all threads have some.
      parts: count >= 8 * QUERIES ? 1 : 8,
    })
    // The diagonal is known exactly, and it is where f32 distances err most: a small difference of large norms.
    const memory = new Float32Array(this.engine.memory.buffer)
    for (let a = 0; a < count; a++) {
      const column = this.columnOf[this.wanted[a]]
      if (column !== NONE) memory[(this.pointers[a] >>> 2) + column] = this.diagonal[this.wanted[a]]
    }
  }

  private freeSlot(): number {
    if (this.used < this.capacity) return this.used++
    const slot = this.previous[this.capacity]
    this.slotOf[this.owner[slot]] = NONE
    this.unlink(slot)
    return slot
  }

  private touch(slot: number): void {
    this.unlink(slot)
    this.link(slot)
  }

  private link(slot: number): void {
    const { next, previous, capacity } = this
    const first = next[capacity]
    next[slot] = first
    previous[slot] = capacity
    previous[first] = slot
    next[capacity] = slot
  }

  private unlink(slot: number): void {
    const { next, previous } = this
    next[previous[slot]] = next[slot]
    previous[next[slot]] = previous[slot]
  }
}

/** Bytes from row to row: padded to whole cache lines. */
function strideFor(columns: number): number {
  return Math.ceil(columns / 16) * 64
}
