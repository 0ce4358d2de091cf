/** Work over a queue for Node: everything of `./distributed.ts`, on BullMQ and Redis. */
import './parallel/platform.node.ts'

export {
  DataShelf,
  type DataShelfOptions,
  fileReference,
  type ShelfCounts,
} from './distributed/data-shelf.node.ts'
export { type QueueAddress, queueAddress } from './distributed/queue-address.node.ts'
export {
  type DocumentBoard,
  type QueueExecutorOptions,
  queueExecutor,
} from './distributed/queue-executor.node.ts'
export { QueueScores } from './distributed/queue-scores.node.ts'
export { QueueWorker, type QueueWorkerOptions, type WorkerCounts } from './distributed/queue-worker.node.ts'
export { type QueueStatus, RedisBoard } from './distributed/redis-board.node.ts'
export * from './distributed.ts'
