import { freemem } from 'node:os'
import { useNodeThreads } from '../engine/threads/spawn-thread.node.ts'
import { setDefaultCacheBytes } from '../solve/driver/run.ts'

/** Lets solvers on this thread use what the machine has: helper threads, and a share of the free memory for rows. */
export function useNodeResources(): void {
  useNodeThreads()
  setDefaultCacheBytes(Math.min(2e9, freemem() / 4))
}
