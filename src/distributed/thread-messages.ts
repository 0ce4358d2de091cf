/** Messages between a worker of a queue and the threads that do its jobs. All of them survive a structured clone. */
import type { ShardManifest } from '../data/shards/shard-manifest.ts'
import type { PackedError } from '../parallel/error-transfer.ts'
import type { CellsJob, PassJob, SearchDocument } from './job-message.ts'

/** To the thread: one job, or a state that it requested. */
export type ThreadCommand = CellsCommand | PassCommand | StateAnswer

/** Cells of a search. */
export interface CellsCommand {
  readonly kind: 'cells'
  readonly id: string
  readonly job: CellsJob
  readonly search: SearchDocument
  /** Where the data are on this machine; checked. */
  readonly path: string
}

/** A pass over a block. */
export interface PassCommand {
  readonly kind: 'pass'
  readonly id: string
  readonly job: PassJob
  readonly pass: Uint8Array
  readonly manifest: ShardManifest
  /** Where the block is on this machine; checked. */
  readonly path: string
}

/** What was kept under a name, or that it is kept now. */
export interface StateAnswer {
  readonly kind: 'state'
  readonly name: string
  readonly value: Uint8Array | undefined
  readonly error?: string
}

/** From the thread: what came of the job, or a state that it needs or leaves. */
export type ThreadReport =
  | { readonly kind: 'done'; readonly result: Uint8Array }
  | { readonly kind: 'failed'; readonly error: PackedError }
  | { readonly kind: 'load'; readonly name: string }
  | { readonly kind: 'save'; readonly name: string; readonly value: Uint8Array }
