import { slot } from '../../base/slot.ts'
import type { withKernelSums } from '../../kernels/kernel-sums.ts'

/** How kernel machines reach the engine; undefined in programs without it, where plain code does everything. */
export const machineSums = slot<typeof withKernelSums | undefined>(undefined)
