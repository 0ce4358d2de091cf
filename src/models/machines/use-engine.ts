/** Lets kernel models predict on the engine, when this file is imported. */
import { withKernelSums } from '../../kernels/kernel-sums.ts'
import { machineSums } from './machine-sums.ts'

machineSums.install(withKernelSums)
