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
  setDefaultCacheBytes(rowMemory())
}

/** Share of the free memory for kernel rows: samples, models and other programs need the rest. */
const FREE_SHARE = 1 / 4
/** Half of the 4 GB that the engine can address: samples and work space need the rest. */
const MOST_ROW_BYTES = 2e9

/** Bytes that kernel rows may take on this machine, all threads together. */
export function rowMemory(): number {
  return Math.min(MOST_ROW_BYTES, FREE_SHARE * freemem())
}
