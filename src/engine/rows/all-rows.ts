/**
 * The whole kernel matrix in the engine's memory, for few samples: it takes half the time of its rows, as each value is made once,
 * and every value that a working set needs is there.
 */
import type { EngineMatrix } from '../matrix/engine-matrix.ts'
import type { Engine, EngineArray } from '../memory/engine.ts'
import { ColumnPicker, rowStride, subtractRows } from './row-slots.ts'

/** See the header of the file. */
export class AllRows {
  /** There is room for the rows of all samples. */
  readonly holdsAll = true
  /** Where the first row is, and bytes from row to row. */
  readonly first: number
  readonly stride: number
  private readonly engine: Engine
  private readonly count: number
  private readonly pointers: EngineArray<Uint32Array>
  private readonly picker: ColumnPicker

  /**
   * `largest`: how many rows are used at the same time at most. `diagonal`: k(x, x) of each sample, which f32 distances miss
   * by most.
   */
  constructor(engine: Engine, kernel: number, source: EngineMatrix, diagonal: Float64Array, largest: number) {
    const count = diagonal.length
    this.engine = engine
    this.count = count
    this.stride = rowStride(count)
    this.first = engine.allocate(count * this.stride)
    this.pointers = engine.array(Uint32Array, largest)
    this.picker = new ColumnPicker(engine, largest, largest)
    this.make(kernel, source)
    const values = engine.view(Float32Array, this.first, (count * this.stride) / 4)
    const next = this.stride / 4 + 1
    for (let i = 0; i < count; i++) values[i * next] = diagonal[i]
  }

  /** Each value once, k(x, y) = k(y, x). */
  private make(kernel: number, { pointer: matrix }: EngineMatrix): void {
    const { engine, count, first, stride } = this
    const mark = engine.mark()
    const samples = engine.array(Uint32Array, count)
    const rows = engine.array(Uint32Array, count)
    for (let i = 0; i < count; i++) {
      samples[i] = i
      rows[i] = first + i * stride
    }
    const queries = { queryMatrix: matrix, queries: samples.pointer, count }
    engine.run({ kind: 'kernel-matrix', matrix, kernel, ...queries, from: 0, rows: rows.pointer })
    engine.release(mark)
  }

  /** vector[j] −= Σ coefficients[a] · row of samples[a] at column j. */
  subtract(
    vector: EngineArray<Float64Array>,
    samples: EngineArray<Uint32Array>,
    coefficients: EngineArray<Float64Array>,
    count: number,
  ): void {
    const { pointers, first, stride } = this
    for (let a = 0; a < count; a++) pointers[a] = first + samples[a] * stride
    subtractRows(this.engine, vector.pointer, this.count, pointers, coefficients, count)
  }

  /** K[a][b] = k(samples[a], samples[b]), rows `stride` apart, for a, b < count unless both are below `known`. */
  square(
    samples: Uint32Array,
    count: number,
    known: number,
    K: EngineArray<Float32Array>,
    stride: number,
  ): void {
    const { picker, first } = this
    picker.begin(
      count,
      (c) => samples[c],
      (c) => 4 * c,
    )
    for (let a = known; a < count; a++) {
      picker.add(first + samples[a] * this.stride, K.pointer + 4 * a * stride)
    }
    picker.copy()
    this.engine.exports.mirror(stride, K.pointer, known, count)
  }
}
