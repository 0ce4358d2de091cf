import { checkKnown } from '../../base/check.ts'
import { joinArrays } from '../../base/lists.ts'
import { nextTask, SLICE_MS } from '../../base/pieces.ts'
import { type RowsInput, toMatrix } from '../../data/matrix/matrix.ts'
import { type Samples, sampleCount } from '../../data/table/dataset.ts'
import type { ModelRows } from '../base-model.ts'
import { someRows } from './row-blocks.ts'

/** Options of {@link inRowSlices}. */
export interface RowSlicesOptions {
  /** Ends the work; the promise is rejected with the reason of the signal. */
  readonly signal?: AbortSignal
}

/** Rows of the first slice; later ones have as many as take about {@link SLICE_MS}. */
const FIRST_ROWS = 256

/**
 * Calls a function of rows, such as `predict`, on slices of the rows, and lets timers, messages and requests run in between:
 * for large batches on a thread that must not block. The values equal those of a single call, up to rounding.
 *
 * @example
 * const labels = await inRowSlices(rows, (some) => model.predict(some), { signal })
 */
export function inRowSlices<R extends Float64Array | readonly unknown[]>(
  rows: RowsInput,
  call: (rows: RowsInput) => R,
  options?: RowSlicesOptions,
): Promise<R>
/** The same for samples that are not vectors. */
export function inRowSlices<R extends Float64Array | readonly unknown[], S>(
  rows: readonly S[],
  call: (rows: readonly S[]) => R,
  options?: RowSlicesOptions,
): Promise<R>
export async function inRowSlices<R extends Float64Array | readonly unknown[]>(
  rows: ModelRows<unknown>,
  call: (rows: never) => R,
  options: RowSlicesOptions = {},
): Promise<R> {
  checkKnown('inRowSlices', options, ['signal'])
  const { signal } = options
  const samples: Samples = Array.isArray(rows) ? rows : toMatrix(rows as RowsInput)
  const count = sampleCount(samples)
  const parts: R[] = []
  for (let from = 0, size = FIRST_ROWS; from === 0 || from < count; ) {
    signal?.throwIfAborted()
    const to = Math.min(count, from + size)
    const started = performance.now()
    parts.push(call(someRows(samples, from, to) as never))
    // At most twice as many as the last time: the first calls are slow.
    size = Math.max(1, Math.min(2 * size, Math.floor((size * SLICE_MS) / (performance.now() - started))))
    from = Math.max(to, 1)
    if (to < count) await nextTask()
  }
  signal?.throwIfAborted()
  const isNumbers = parts[0] instanceof Float64Array
  return (isNumbers ? joinArrays(Float64Array, parts as Float64Array[]) : parts.flat()) as R
}
