import type { Engine } from '../memory/engine.ts'
import { KERNEL_KINDS } from '../memory/structures.ts'

/** A kernel that the engine can evaluate, with all its parameters settled. */
export interface EngineKernel {
  readonly kind: keyof typeof KERNEL_KINDS
  readonly gamma: number
  readonly coef0: number
  readonly degree: number
}

/**
 * Puts a kernel into the engine's memory and returns where it is. `balanced`: whether coefficients of its values add up to 0 in all that
 * it is for.
 */
export function uploadKernel(engine: Engine, kernel: EngineKernel, balanced = false): number {
  return engine.structure('KERNEL', {
    ...kernel,
    kind: KERNEL_KINDS[kernel.kind],
    balanced: Number(balanced),
  })
}
