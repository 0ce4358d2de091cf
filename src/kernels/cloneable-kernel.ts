import type { Kernel } from './kernel.ts'

/**
 * A kernel as models hold it: structured cloning copies what an object itself holds and refuses functions, so that they are
 * inherited, and the spec, of which the kernel can be made again, is its own.
 */
export function cloneableKernel<S>(kernel: Kernel<S>): Kernel<S> {
  const hasFunctions = Object.values(kernel).some((part) => typeof part === 'function')
  return hasFunctions ? Object.assign(Object.create(kernel), { spec: kernel.spec }) : kernel
}
