import type { Engine } from '../memory/engine.ts'
import { KERNEL_BYTES, KERNEL_KINDS } from '../memory/layout.ts'

/** A kernel that the engine can evaluate, with all its parameters settled. */
export interface EngineKernel {
  readonly kind: keyof typeof KERNEL_KINDS
  readonly gamma: number
  readonly coef0: number
  readonly degree: number
}

/** Puts a kernel into the engine's memory and returns where it is. */
export function uploadKernel(engine: Engine, kernel: EngineKernel): number {
  const pointer = engine.allocate(KERNEL_BYTES)
  const view = new DataView(engine.memory.buffer, pointer, KERNEL_BYTES)
  view.setUint32(0, KERNEL_KINDS[kernel.kind], true)
  view.setUint32(4, kernel.degree, true)
  view.setFloat64(8, kernel.gamma, true)
  view.setFloat64(16, kernel.coef0, true)
  return pointer
}
