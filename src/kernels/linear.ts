import type { Kernel } from './kernel.ts'
import { productKernel } from './product-kernel.ts'

/** The linear kernel ⟨x, z⟩. */
export function linear(): Kernel {
  return productKernel({ spec: { kind: 'linear' }, apply: () => {} })
}
