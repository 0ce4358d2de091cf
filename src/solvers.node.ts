/** Problems and solvers for Node: everything of `./solvers.ts`, on the threads and in the memory of the machine. */
import './parallel/platform.node.ts'

export * from './solvers.ts'
