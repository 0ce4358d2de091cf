/** Hyperplane for Node: everything of `./index.ts`, and files and threads. */
import './parallel/platform.node.ts'

export { readDataset } from './data/files/read-dataset.node.ts'
export { type WriteOptions, writeDataset } from './data/files/write-dataset.node.ts'
export { type CheckpointFileOptions, checkpointFile } from './estimators/fitting/checkpoint-file.node.ts'
export * from './index.ts'
export { type ReadModelOptions, readModel } from './models/files/read-model.node.ts'
export { type ModelFormat, type WriteModelOptions, writeModel } from './models/files/write-model.node.ts'
