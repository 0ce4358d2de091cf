/** Model selection for Node: everything of `./selection.ts`, on the threads and in the memory of the machine. */
import './parallel/platform.node.ts'

export { type ThreadExecutorOptions, threadExecutor } from './parallel/thread-executor.node.ts'
export { Journal } from './selection/search/journal.node.ts'
export * from './selection.ts'
