/** `hyperplane tune --queue`: the cells are evaluated by workers; what is known is kept in the queue until the search is complete. */
import type { Dataset } from '../../data/table/dataset.ts'
import { fileReference } from '../../distributed/data-shelf.node.ts'
import type { ReadSettings } from '../../distributed/job-message.ts'
import { queueExecutor } from '../../distributed/queue-executor.node.ts'
import { QueueScores } from '../../distributed/queue-scores.node.ts'
import { RedisBoard } from '../../distributed/redis-board.node.ts'
import type { ResultStore } from '../../selection/score/evaluate-cells.ts'
import type { ProtocolSettings } from '../../selection/score/protocols.ts'
import type { ScoringName } from '../../selection/score/scoring.ts'
import type { Estimator } from '../../selection/search/estimator.ts'
import type { Executor } from '../../selection/search/executor.ts'
import type { Grid } from '../../selection/search/search-cells.ts'
import type { TuningJob } from '../../selection/search/tuning-job.ts'
import { type DataFlags, readOptionsFrom } from '../options/data-options.ts'
import { COMMAND } from '../report/failure.ts'
import { type TableFlags, tableOptionsFrom } from '../tables/table-options.ts'
import type { SearchProgress } from './search-progress.ts'
import { watchWorkers } from './watch-workers.ts'

/** What is searched. */
export interface SearchRequest {
  /** The file of the data. */
  readonly path: string
  readonly estimator: Estimator
  readonly data: Dataset
  readonly grid: Grid
  readonly scoring: ScoringName
  readonly protocol: ProtocolSettings
}

/** A search over a queue. */
export interface QueueSearch {
  readonly executor: Executor
  readonly scores: QueueScores
  close(): Promise<void>
}

/** Connects to the queue. */
export async function searchOnQueue(
  url: string,
  { path, scoring }: SearchRequest,
  {
    job,
    journal,
    flags,
    progress,
  }: {
    readonly job: TuningJob
    readonly journal: ResultStore | undefined
    readonly flags: DataFlags & TableFlags
    readonly progress: SearchProgress
  },
): Promise<QueueSearch> {
  const board = await RedisBoard.open(COMMAND, url)
  try {
    const scores = await QueueScores.open(board, job, scoring, journal)
    const { threads: _, ...read } = { ...readOptionsFrom(flags), ...tableOptionsFrom(flags) }
    const onLook = watchWorkers(board.address.shown)
    const executor = queueExecutor(board, {
      file: await fileReference(path),
      read: read as ReadSettings,
      cacheBytes: scores.cacheBytes,
      onLook(state) {
        onLook(state)
        progress.look(state)
      },
    })
    return { executor, scores, close: () => board.close() }
  } catch (error) {
    await board.close()
    throw error
  }
}
