/**
 * Work over a queue, the parts that need nothing from their platform: jobs as checked plain data, and the coordinator, which
 * works with any board. What runs on BullMQ is added for Node.
 */
export {
  type CoordinatorOptions,
  type CoordinatorState,
  coordinate,
  type JobListener,
} from './distributed/coordinator.ts'
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
