/** Messages between a worker of a queue and the threads that do its jobs. All of them survive a structured clone. */
import type { PackedError } from '../parallel/error-transfer.ts'
import type { CellsJob, SearchDocument } from './job-message.ts'

/** To the thread: one job. */
export type ThreadCommand = {
  readonly kind: 'cells'
  readonly id: string
  readonly job: CellsJob
  readonly search: SearchDocument
  /** Where the data are on this machine; checked. */
  readonly path: string
}

/** From the thread: what came of it. */
export type ThreadReport =
  | { readonly kind: 'done'; readonly result: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'failed'; readonly error: PackedError }
