/** The dual over a working set alone, in the engine's memory; assembly/subset.ts solves it. */
import type { Engine, EngineArray } from '../compute/engine.ts'
import { type EngineMatrix, gatherRows, reserveCopy } from '../compute/engine-matrix.ts'
import type { ActiveView } from './block-choice.ts'

/** See the head of the file. */
export class BlockSubset {
  /** Most variables it can hold. */
  readonly size: number
  /** Sample number of each variable. */
  readonly samples: EngineArray<Uint32Array>
  /** α of each variable: what {@link solve} found. */
  readonly alpha: EngineArray<Float64Array>
  /** k(x, x) of each variable as the engine computes it in f32. */
  readonly computedDiagonal: Float64Array
  private readonly engine: Engine
  private readonly kernel: number
  private readonly source: EngineMatrix
  private readonly diagonal: Float64Array
  private readonly matrix: EngineMatrix
  private readonly K: EngineArray<Float32Array>
  private readonly rows: EngineArray<Uint32Array>
  private readonly v: EngineArray<Float64Array>
  private readonly y: EngineArray<Float64Array>
  private readonly C: EngineArray<Float64Array>
  private readonly curvature: EngineArray<Float64Array>
  private readonly up: EngineArray<Float64Array>
  private readonly low: EngineArray<Float64Array>
  private padded = 0

  /** `size` must be a multiple of 4; `diagonal` holds k(x, x) of every sample of `source`. */
  constructor(engine: Engine, kernel: number, source: EngineMatrix, diagonal: Float64Array, size: number) {
    this.engine = engine
    this.kernel = kernel
    this.source = source
    this.diagonal = diagonal
    this.size = size
    this.samples = engine.array(Uint32Array, size)
    this.rows = engine.array(Uint32Array, size)
    this.K = engine.array(Float32Array, size * size)
    this.alpha = engine.array(Float64Array, size)
    this.computedDiagonal = new Float64Array(size)
    this.v = engine.array(Float64Array, size)
    this.y = engine.array(Float64Array, size)
    this.C = engine.array(Float64Array, size)
    this.curvature = engine.array(Float64Array, size)
    this.up = engine.array(Float64Array, size)
    this.low = engine.array(Float64Array, size)
    this.matrix = reserveCopy(engine, source, size, largestRows(source, diagonal.length, size))
  }

  /** Takes `count` variables, whose sample numbers are in `samples` already, from these positions of `active`. */
  load(active: ActiveView, positions: Uint32Array, count: number): void {
    const { samples, K, rows, curvature } = this
    const padded = Math.ceil(count / 4) * 4
    for (let a = 0; a < padded; a++) {
      const inside = a < count
      const i = positions[a]
      // The padding cannot move.
      this.v[a] = inside ? active.v[i] : 0
      this.alpha[a] = inside ? active.alpha[i] : 0
      this.y[a] = inside ? active.y[i] : 1
      this.C[a] = inside ? active.C[i] : 0
      curvature[a] = inside ? this.diagonal[samples[a]] : 1
      rows[a] = K.pointer + a * padded * 4
    }
    // Computing this small matrix again is several times cheaper than picking it out of rows that lie far apart.
    gatherRows(this.source, samples, count, this.matrix)
    this.engine.run({
      kind: 'kernel-rows',
      matrix: this.matrix.pointer,
      kernel: this.kernel,
      from: 0,
      to: count,
      queryMatrix: this.source.pointer,
      queries: samples.pointer,
      count,
      rows: rows.pointer,
      parts: 1,
    })
    for (let a = 0; a < count; a++) {
      this.computedDiagonal[a] = K[a * padded + a]
      K[a * padded + a] = curvature[a]
      K.fill(0, a * padded + count, (a + 1) * padded)
    }
    this.padded = padded
  }

  /** Solves what was loaded to `tol`, in at most `maxSteps` pair steps; returns how many it took. */
  solve(tol: number, maxSteps: number): number {
    return this.engine.exports.solveSubset(
      this.padded,
      this.K.pointer,
      this.v.pointer,
      this.alpha.pointer,
      this.y.pointer,
      this.C.pointer,
      this.curvature.pointer,
      this.up.pointer,
      this.low.pointer,
      tol,
      maxSteps,
    )
  }
}

/** Most values that `size` rows can hold together. */
function largestRows(matrix: EngineMatrix, rows: number, size: number): number {
  if (matrix.dense) return size * matrix.cols
  const lengths = Uint32Array.from({ length: rows }, (_, i) => matrix.indptr[i + 1] - matrix.indptr[i]).sort()
  return lengths.subarray(Math.max(0, rows - size)).reduce((sum, length) => sum + length, 0)
}
