import { freemem } from 'node:os'
import { base64Bytes } from '../engine/memory/engine-build.ts'
import { useNodeThreads } from '../engine/threads/spawn-thread.node.ts'
import { setDefaultCacheBytes } from '../solve/driver/run.ts'

/**
 * Lets solvers on this thread use what the machine has: helper threads, a share of the free memory for rows, and Node's
 * decoder for the engine.
 */
export function useNodeResources(): void {
  useNodeThreads()
  base64Bytes.install((text) => Buffer.from(text, 'base64'))
  setDefaultCacheBytes(Math.min(2e9, freemem() / 4))
}
