import type { Kernel } from './kernel.ts'
import { vectorKernel } from './vector-kernel.ts'

/** The linear kernel ⟨x, z⟩. */
export function linear(): Kernel {
  return vectorKernel({ spec: { kind: 'linear' }, of: 'product', apply: () => {} })
}
