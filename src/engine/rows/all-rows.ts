/**
 * All kernel rows at once, for few samples that have many values: k(x, y) = k(y, x) is computed once, so that the whole
 * matrix takes half the time of its rows; and every value that a working set needs is there.
 */

import type { EngineMatrix } from '../matrix/engine-matrix.ts'
import type { Engine, EngineArray } from '../memory/engine.ts'

/** See the head of the file. */
export class AllRows {
  private readonly engine: Engine
  private readonly samples: number
  /** Where the row of each sample is. */
  private readonly starts: EngineArray<Uint32Array>
  private readonly pointers: EngineArray<Uint32Array>
  // Of values that are picked: where rows of them go, and pairs of offsets.
  private readonly targets: EngineArray<Uint32Array>
  private readonly columns: EngineArray<Uint32Array>

  /** `diagonal`: k(x, x) of each sample; `largest`: how many rows will be required at once at most. */
  constructor(engine: Engine, kernel: number, source: EngineMatrix, diagonal: Float64Array, largest: number) {
    const count = diagonal.length
    this.engine = engine
    this.samples = count
    this.starts = engine.array(Uint32Array, count)
    this.pointers = engine.array(Uint32Array, largest)
    this.targets = engine.array(Uint32Array, largest)
    this.columns = engine.array(Uint32Array, 2 * largest)
    const base = engine.allocate(AllRows.bytesFor(count))
    for (let i = 0; i < count; i++) this.starts[i] = base + i * strideFor(count)
    const mark = engine.mark()
    const samples = engine.array(Uint32Array, count)
    for (let i = 0; i < count; i++) samples[i] = i
    engine.run({
      kind: 'kernel-matrix',
      matrix: source.pointer,
      kernel,
      queryMatrix: source.pointer,
      queries: samples.pointer,
      count,
      rows: this.starts.pointer,
    })
    engine.release(mark)
    // The diagonal is known exactly, and it is where f32 distances err most: a small difference of large norms.
    const values = new Float32Array(engine.memory.buffer)
    for (let i = 0; i < count; i++) values[(this.starts[i] >>> 2) + i] = diagonal[i]
  }

  /** The memory that the rows of so many samples take. */
  static bytesFor(samples: number): number {
    return samples * strideFor(samples)
  }

  /** vector[j] −= Σ coefficients[a] · row of samples[a] at column j. */
  subtract(
    vector: EngineArray<Float64Array>,
    samples: EngineArray<Uint32Array>,
    coefficients: EngineArray<Float64Array>,
    count: number,
  ): void {
    const { pointers, starts } = this
    for (let a = 0; a < count; a++) pointers[a] = starts[samples[a]]
    this.engine.run({
      kind: 'subtract-rows',
      vector: vector.pointer,
      from: 0,
      to: this.samples,
      rows: pointers.pointer,
      coefficients: coefficients.pointer,
      count,
    })
  }

  /** K[a][b] = k(samples[a], samples[b]), rows `stride` apart, for a, b < count unless both are below `known`. */
  square(
    samples: Uint32Array,
    count: number,
    known: number,
    K: EngineArray<Float32Array>,
    stride: number,
  ): void {
    const { pointers, starts, targets, columns } = this
    for (let a = known; a < count; a++) {
      pointers[a - known] = starts[samples[a]]
      targets[a - known] = K.pointer + 4 * a * stride
    }
    for (let b = 0; b < count; b++) {
      columns[2 * b] = 4 * samples[b]
      columns[2 * b + 1] = 4 * b
    }
    const { exports } = this.engine
    exports.pickColumns(pointers.pointer, targets.pointer, count - known, columns.pointer, count)
    exports.mirror(stride, K.pointer, known, count)
  }
}

/** Bytes from row to row: padded to whole cache lines. */
function strideFor(samples: number): number {
  return Math.ceil(samples / 16) * 64
}
