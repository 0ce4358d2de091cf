/** File formats for Node: everything of `./formats.ts`, on the threads and in the memory of the machine. */
import './parallel/platform.node.ts'

export * from './formats.ts'
