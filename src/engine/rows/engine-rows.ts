/**
 * Kernel rows in the engine's memory: made 16 at a time on all threads, kept while there is room. A row holds one f32 for each
 * column: the samples that are active at the moment.
 */
import { countUp } from '../../base/lists.ts'
import type { EngineMatrix } from '../matrix/engine-matrix.ts'
import type { Engine, EngineArray } from '../memory/engine.ts'
import { QUERIES } from '../memory/structures.ts'
import { ColumnPicker, RowSlots, subtractRows } from './row-slots.ts'

const NONE = -1
/**
 * Rows that are moved at most when columns go: as many as the largest working set has. Moving an old row costs as much as making
 * a new one.
 */
const MOVED_ROWS = 1024

/** Rows of the kernel matrix by sample number. */
export class EngineRows {
  /** Whether there is room for the rows of all samples. */
  readonly holdsAll: boolean
  private readonly engine: Engine
  private readonly kernel: number
  private readonly source: EngineMatrix
  private columns: EngineMatrix
  private columnCount: number
  private readonly slots: RowSlots
  private readonly wanted: EngineArray<Uint32Array>
  private readonly pointers: EngineArray<Uint32Array>
  /** Column of each sample, −1 for those without. */
  private readonly columnOf: Int32Array
  private readonly diagonal: Float64Array

  /** `largest`: how many rows will be required at the same time at most. `diagonal`: k(x, x) of each sample. */
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
    this.columnOf = new Int32Array(countUp(samples))
    this.diagonal = diagonal
    this.wanted = engine.array(Uint32Array, largest)
    this.pointers = engine.array(Uint32Array, largest)
    this.slots = new RowSlots(engine, { bytes, columns: samples, least: largest, keys: samples })
    this.holdsAll = this.slots.capacity >= samples
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
    subtractRows(this.engine, vector.pointer, this.columnCount, this.pointers, coefficients, count)
  }

  /** Where the row of a sample is; it must have been required. */
  pointer(sample: number): number {
    return this.slots.find(sample)
  }

  /** Drops all rows; from now on they have a column for every sample. */
  forget(): void {
    for (let i = 0; i < this.columnOf.length; i++) this.columnOf[i] = i
    this.columns = this.source
    this.columnCount = this.columnOf.length
    this.slots.resize(this.columnCount, [])
  }

  /**
   * Rows lose all columns but the kept ones (positions, ascending). Only rows used lately, of samples for which `keep`
   * is true, are worth moving; the others are dropped.
   */
  restrict(kept: Uint32Array, columns: EngineMatrix, keep: (sample: number) => boolean): void {
    const { engine } = this
    const survivors = this.slots.keysByUse().slice(-MOVED_ROWS).filter(keep)
    const mark = engine.mark()
    const picker = new ColumnPicker(engine, survivors.length, kept.length)
    picker.begin(
      kept.length,
      (c) => kept[c],
      (c) => 4 * c,
    )
    // Every value goes to a place that was read before, as slots and columns are both taken in ascending order.
    for (const { from, to } of this.slots.resize(kept.length, survivors)) picker.add(from, to)
    picker.copy()
    engine.release(mark)
    this.renumberColumns(kept)
    this.columns = columns
    this.columnCount = kept.length
  }

  private renumberColumns(kept: Uint32Array): void {
    const { columnOf } = this
    const newColumn = new Int32Array(this.columnCount).fill(NONE)
    for (let c = 0; c < kept.length; c++) newColumn[kept[c]] = c
    for (let i = 0; i < columnOf.length; i++) if (columnOf[i] !== NONE) columnOf[i] = newColumn[columnOf[i]]
  }

  /** Makes sure that the rows of these samples are there; they stay while no more than `largest` are requested. */
  require(samples: Uint32Array, count: number): void {
    const { slots, wanted, pointers } = this
    let missing = 0
    for (let a = 0; a < count; a++) if (slots.use(samples[a]) === 0) wanted[missing++] = samples[a]
    if (missing === 0) return
    for (let a = 0; a < missing; a++) pointers[a] = slots.take(wanted[a])
    this.engine.run({
      kind: 'kernel-rows',
      matrix: this.columns.pointer,
      kernel: this.kernel,
      from: 0,
      to: this.columnCount,
      queryMatrix: this.source.pointer,
      queries: wanted.pointer,
      count: missing,
      rows: pointers.pointer,
      // Many blocks of queries share well already; a few are cut into parts so that all threads have some.
      parts: missing >= 8 * QUERIES ? 1 : 8,
    })
    this.putDiagonals(missing)
  }

  /** Puts k(x, x) into the first `count` rows that were wanted, as ./row-slots.ts does. */
  private putDiagonals(count: number): void {
    const { wanted, pointers, columnOf, diagonal } = this
    const values = new Float32Array(this.engine.memory.buffer)
    for (let a = 0; a < count; a++) {
      const column = columnOf[wanted[a]]
      if (column !== NONE) values[pointers[a] / 4 + column] = diagonal[wanted[a]]
    }
  }
}
