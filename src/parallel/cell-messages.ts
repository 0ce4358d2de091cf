/** Messages to and from a thread that works on a selection. All of them survive a structured clone. */
import type { Dataset } from '../data/table/dataset.ts'
import type { FoldOutput } from '../selection/score/fold-output.ts'
import type { TuningJob } from '../selection/search/tuning-job.ts'
import type { PackedError } from './error-transfer.ts'

/** To the thread. The data come once; units name the job that they are of. */
export type CellCommand =
  | { readonly kind: 'job'; readonly id: number; readonly job: TuningJob; readonly data: Dataset<unknown> }
  | { readonly kind: 'unit'; readonly id: number; readonly cell: number; readonly fold: number }

/** From the thread: that it is there, then what came of each unit it was given. */
export type CellReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly output: FoldOutput }
  | { readonly kind: 'failed'; readonly error: PackedError }
