/** Tables for Node: everything of `./tables.ts`, and files, on the threads and in the memory of the machine. */
import './parallel/platform.node.ts'

export { type FileSource, readTable } from './data/files/read-dataset.node.ts'
export * from './tables.ts'
