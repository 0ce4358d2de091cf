/**
 * Kernel rows kept in memory. Solvers ask for the same rows again and again; the least recently used one makes room
 * when the budget is full (../engine/rows/row-store.ts). Memory is taken in slabs as it is needed, never all together.
 */
import { checkKnown, checkNumber, checkOneOf } from '../base/check.ts'
import { DataError } from '../base/errors.ts'
import type { Samples } from '../data/table/dataset.ts'
import { RowStore } from '../engine/rows/row-store.ts'
import type { Kernel, KernelEvaluator } from './kernel.ts'

/** How kernel values are stored: f32 is half the memory, and what LIBSVM does. */
export type RowPrecision = 'f32' | 'f64'

/** A stored row. */
export type CachedRow<P extends RowPrecision> = P extends 'f32' ? Float32Array : Float64Array

/** Options of {@link RowCache}. */
export interface RowCacheOptions<P extends RowPrecision> {
  /** Memory for rows; three rows are kept however small it is. Infinity keeps them all. Default 200 MiB. */
  readonly cacheBytes?: number
  readonly precision: P
  /** `k(x_i, x_i)` for every sample, where it is known; read from the rows otherwise. */
  readonly diagonal?: Float64Array
}

/** A returned row must survive while two further ones are fetched. */
const LEAST_ROWS = 3
/** Rows are allocated together, in pieces of this size. */
const SLAB_BYTES = 4 * 2 ** 20
/** As many rows in f64 as LIBSVM keeps in f32 by default: twice its 100 MB. */
export const DEFAULT_CACHE_BYTES = 200e6

/** The rows of a kernel matrix, computed on demand and kept while they fit. */
export class RowCache<P extends RowPrecision> {
  readonly precision: P
  /** Rows and columns of the kernel matrix. */
  readonly rows: number
  readonly cols: number
  /** Rows that are kept at the same time. */
  readonly capacity: number

  private readonly evaluator: KernelEvaluator
  /** Computed rows pass through here when they are rounded to f32. */
  private readonly scratch: Float64Array
  private readonly rowsPerSlab: number
  /** One view per slot; slots come into being in order, a slab of them at a time. */
  private readonly slots: CachedRow<P>[] = []
  private readonly store: RowStore
  private knownDiagonal: Float64Array | undefined

  constructor(evaluator: KernelEvaluator, options: RowCacheOptions<P>) {
    checkKnown('RowCache', options, ['cacheBytes', 'precision', 'diagonal'])
    this.precision = checkOneOf<P>('RowCache', 'precision', options.precision, ['f32', 'f64'] as P[])
    const cacheBytes = checkNumber('RowCache', 'cacheBytes', options.cacheBytes ?? DEFAULT_CACHE_BYTES, {
      min: 0,
      infinite: true,
    })
    const { rows, cols } = evaluator
    const rowBytes = Math.max(1, cols * (this.precision === 'f32' ? 4 : 8))
    this.evaluator = evaluator
    this.rows = rows
    this.cols = cols
    this.capacity = Math.min(rows, Math.max(LEAST_ROWS, Math.floor(cacheBytes / rowBytes)))
    this.rowsPerSlab = Math.max(1, Math.floor(SLAB_BYTES / rowBytes))
    this.scratch = new Float64Array(this.precision === 'f32' ? cols : 0)
    this.store = new RowStore(rows, this.capacity)
    if (options.diagonal) this.knownDiagonal = this.checkedDiagonal(options.diagonal)
  }

  /** Row i. It stays as it is until two further rows have been requested; do not write to it. */
  row(i: number): CachedRow<P> {
    let slot = this.store.use(i)
    if (slot < 0) {
      slot = this.store.take(i)
      if (slot === this.slots.length) this.addSlab()
      try {
        this.compute(i, this.slots[slot])
      } catch (error) {
        this.store.drop(i)
        throw error
      }
    }
    return this.slots[slot]
  }

  /** `k(x_i, x_i)` for every sample, rounded as the rows are. */
  get diagonal(): Float64Array {
    this.knownDiagonal ??= this.checkedDiagonal(
      Float64Array.from({ length: this.rows }, (_, i) => this.row(i)[i]),
    )
    return this.knownDiagonal
  }

  private addSlab(): void {
    const { cols } = this
    const count = Math.min(this.rowsPerSlab, this.capacity - this.slots.length)
    const slab = this.precision === 'f32' ? new Float32Array(count * cols) : new Float64Array(count * cols)
    for (let r = 0; r < count; r++) this.slots.push(slab.subarray(r * cols, (r + 1) * cols) as CachedRow<P>)
  }

  private compute(i: number, slot: Float32Array | Float64Array): void {
    if (slot instanceof Float64Array) {
      this.evaluator.row(i, slot)
    } else {
      this.evaluator.row(i, this.scratch)
      slot.set(this.scratch)
    }
  }

  /** A kernel is largest on its diagonal, so where that is finite every value is. */
  private checkedDiagonal(given: Float64Array): Float64Array {
    const diagonal = this.precision === 'f32' ? Float64Array.from(given, Math.fround) : given
    const bad = diagonal.findIndex((value) => !Number.isFinite(value))
    if (bad >= 0) {
      const how = Number.isFinite(given[bad]) ? `${given[bad]}, too large for f32` : `${given[bad]}`
      throw new DataError(`the kernel of sample ${bad} with itself is ${how}; scale the data or the kernel`)
    }
    return diagonal
  }
}

/** A cache over the kernel matrix of one sample set. */
export function cacheRows<S, P extends RowPrecision>(
  kernel: Kernel<S>,
  samples: Samples<S>,
  options: RowCacheOptions<P>,
): RowCache<P> {
  return new RowCache(kernel.between(samples, samples), { diagonal: kernel.diagonal(samples), ...options })
}
