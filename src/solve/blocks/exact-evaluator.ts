/**
 * Kernel rows in f64 that the engine makes, for plain code that requests them one at a time. Eight cost the engine little more than one,
 * so each request makes those of the samples beside it, too: sums over all support vectors ask for them next.
 */
import type { Matrix } from '../../data/matrix/matrix.ts'
import { type EngineKernel, uploadKernel } from '../../engine/matrix/engine-kernel.ts'
import { uploadMatrix } from '../../engine/matrix/engine-matrix.ts'
import { rowsInOrder } from '../../engine/matrix/place-rows.ts'
import { type Engine, type EngineArray, giveEngine, takeEngine } from '../../engine/memory/engine.ts'
import { EXACT_QUERIES } from '../../engine/memory/structures.ts'
import type { KernelEvaluator } from '../../kernels/kernel.ts'
import { type RowWriter, rowsOnEngine } from '../active-set/exact-rows.ts'

/** See the header of the file. It holds an engine until it is closed. */
export class ExactEvaluator implements KernelEvaluator {
  readonly rows: number
  readonly cols: number
  private readonly engine: Engine
  private readonly mark: number
  private readonly write: RowWriter
  /** The samples whose rows are there, from `first` on, and where these are. */
  private readonly wanted: EngineArray<Uint32Array>
  private readonly pointers: EngineArray<Uint32Array>
  private readonly made: readonly Float64Array[]
  private first = Number.NaN

  /** Between all samples of the matrix, which may be listed several times, one list after the other. */
  constructor(matrix: Matrix, lists: number, kernel: EngineKernel, threads: number) {
    this.rows = lists * matrix.rows
    this.cols = this.rows
    this.engine = takeEngine(threads, false)
    const { engine } = this
    this.mark = engine.mark()
    engine.reserveScratch(matrix.cols)
    const kernelPointer = uploadKernel(engine, kernel)
    const samples = uploadMatrix(engine, matrix, kernel, rowsInOrder)
    this.write = rowsOnEngine({ engine, kernelPointer, samples }, matrix.rows)
    this.wanted = engine.array(Uint32Array, EXACT_QUERIES)
    this.pointers = engine.array(Uint32Array, EXACT_QUERIES)
    const places = Array.from({ length: EXACT_QUERIES }, () => engine.array(Float64Array, matrix.rows))
    this.pointers.set(places.map(({ pointer }) => pointer))
    this.made = places
  }

  row(i: number, out: Float64Array): void {
    const { made } = this
    const count = made[0].length
    const sample = i % count
    const first = sample - (sample % EXACT_QUERIES)
    if (first !== this.first) {
      this.first = Number.NaN
      const length = Math.min(EXACT_QUERIES, count - first)
      for (let k = 0; k < length; k++) this.wanted[k] = first + k
      this.write(this.wanted, this.pointers, length)
      this.first = first
    }
    for (let at = 0; at < this.cols; at += count) out.set(made[sample - first], at)
  }

  close(): void {
    giveEngine(this.engine, this.mark)
  }
}
