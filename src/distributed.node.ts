/** Work over a queue, for Node: jobs as checked plain data, the coordinator, and BullMQ on Redis. */
import './parallel/platform.node.ts'

export {
  type CoordinatorOptions,
  type CoordinatorState,
  coordinate,
  type JobListener,
} from './distributed/coordinator.ts'
export {
  DataShelf,
  type DataShelfOptions,
  fileReference,
  type ShelfCounts,
} from './distributed/data-shelf.node.ts'
export type { JobBoard, JobState, PostedJob, WorkerNote } from './distributed/job-board.ts'
export {
  type CellsJob,
  type CellsResult,
  type FileReference,
  MESSAGE_VERSION,
  type PassJob,
  packResult,
  parseSearch,
  parseUnit,
  type ReadSettings,
  RefusalError,
  type SearchDocument,
  type UnitJob,
  unitId,
  unpackResult,
} from './distributed/job-message.ts'
export { type QueueAddress, queueAddress } from './distributed/queue-address.node.ts'
export {
  type DocumentBoard,
  type QueueExecutorOptions,
  queueExecutor,
} from './distributed/queue-executor.node.ts'
export { QueueScores } from './distributed/queue-scores.node.ts'
export { type QueueShardExecutor, queueShardExecutor } from './distributed/queue-shards.node.ts'
export { QueueWorker, type QueueWorkerOptions, type WorkerCounts } from './distributed/queue-worker.node.ts'
export { type QueueStatus, RedisBoard } from './distributed/redis-board.node.ts'
