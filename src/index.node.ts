/** Hyperplane for Node: everything of `./index.ts`, and files and threads. */
import { totalmem } from 'node:os'
import { formatOnEngine } from './compute/format-on-engine.ts'
import { linesOnEngine } from './compute/lines-on-engine.ts'
import { setMemoryBytes } from './data/expansion.ts'
import { setLineFormatter } from './data/libsvm-lines.ts'
import { setPlainLineReader } from './data/plain-lines.ts'
import { checkpointFile } from './estimators/checkpoint-file.node.ts'
import { setFitRunner } from './estimators/fit-runner.ts'
import { setCheckpointFiles } from './estimators/kept-work.ts'
import { fitOnThread } from './parallel/fit-on-thread.node.ts'
import { useNodeResources } from './parallel/node-resources.node.ts'

setFitRunner(fitOnThread)
setCheckpointFiles(checkpointFile)
setMemoryBytes(Math.min(totalmem(), process.constrainedMemory() || totalmem()))
useNodeResources()
setPlainLineReader(linesOnEngine())
setLineFormatter(formatOnEngine())

export { checkWritable, type FileBefore, fileIdentity, type OutputPlace } from './data/output-place.node.ts'
export { readDataset } from './data/read-dataset.node.ts'
export { checkDatasetFormat, type WriteOptions, writeDataset } from './data/write-dataset.node.ts'
export { type FileContent, writeFileAtomically } from './data/write-file.node.ts'
export { type CheckpointFileOptions, checkpointFile } from './estimators/checkpoint-file.node.ts'
export * from './index.ts'
export type { ModelOutline } from './models/foreign-format.ts'
export { type ReadModelOptions, readModel } from './models/read-model.node.ts'
export {
  checkModelFormat,
  type ModelFormat,
  type WriteModelOptions,
  writeModel,
} from './models/write-model.node.ts'
export { fitOnThread } from './parallel/fit-on-thread.node.ts'
export { type ThreadExecutorOptions, threadExecutor } from './parallel/thread-executor.node.ts'
export { Journal } from './selection/journal.node.ts'
