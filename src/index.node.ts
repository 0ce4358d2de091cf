/** Hyperplane for Node: everything of `./index.ts`, and files and threads. */
import { totalmem } from 'node:os'
import { setMemoryBytes } from './data/codecs/growth-limit.ts'
import { setLineFormatter } from './data/libsvm/libsvm-lines.ts'
import { setPlainLineReader } from './data/libsvm/plain-lines.ts'
import { formatOnEngine } from './engine/text/format-lines.ts'
import { linesOnEngine } from './engine/text/parse-lines.ts'
import { checkpointFile } from './estimators/fitting/checkpoint-file.node.ts'
import { setFitRunner } from './estimators/fitting/fit-runner.ts'
import { setCheckpointFiles } from './estimators/fitting/kept-work.ts'
import { fitOnThread } from './parallel/fit-on-thread.node.ts'
import { useNodeResources } from './parallel/node-resources.node.ts'

setFitRunner(fitOnThread)
setCheckpointFiles(checkpointFile)
setMemoryBytes(Math.min(totalmem(), process.constrainedMemory() || totalmem()))
useNodeResources()
setPlainLineReader(linesOnEngine())
setLineFormatter(formatOnEngine())

export {
  checkWritable,
  type FileBefore,
  fileIdentity,
  type OutputPlace,
} from './data/files/output-place.node.ts'
export { readDataset } from './data/files/read-dataset.node.ts'
export { checkDatasetFormat, type WriteOptions, writeDataset } from './data/files/write-dataset.node.ts'
export { type FileContent, writeFileAtomically } from './data/files/write-file.node.ts'
export { type CheckpointFileOptions, checkpointFile } from './estimators/fitting/checkpoint-file.node.ts'
export * from './index.ts'
export type { ModelOutline } from './models/files/foreign-format.ts'
export { type ReadModelOptions, readModel } from './models/files/read-model.node.ts'
export {
  checkModelFormat,
  type ModelFormat,
  type WriteModelOptions,
  writeModel,
} from './models/files/write-model.node.ts'
export { fitOnThread } from './parallel/fit-on-thread.node.ts'
export { type ThreadExecutorOptions, threadExecutor } from './parallel/thread-executor.node.ts'
export { Journal } from './selection/search/journal.node.ts'
