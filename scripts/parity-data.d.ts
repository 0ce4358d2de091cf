import type { VectorDataset } from '../src/data/table/dataset.ts'
import type { KernelSpec } from '../src/kernels/kernel.ts'

export const parityKernels: Record<string, KernelSpec>
export const precomputedOf: KernelSpec
export const paritySettings: Record<'C' | 'nuSvc' | 'nuOneClass' | 'nuSvr' | 'epsilon', number>
export function parityData(
  generate: (name: string, options?: Record<string, number>) => VectorDataset,
  iris: { rows: number[][]; classes: string[] },
): Record<
  string,
  { rows: number[][]; labels: number[]; targets: number[]; weights: number[]; test: number[][] }
>
