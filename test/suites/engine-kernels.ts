/** Kernels as the engine takes them, their definitions, and its builds. */
import { Random } from '../../src/base/random.ts'
import type { DenseMatrix } from '../../src/data/matrix/matrix.ts'
import type { EngineKernel } from '../../src/engine/matrix/engine-kernel.ts'
import { chooseEngineBuild, type EngineBuild } from '../../src/engine/memory/engine-build.ts'
import { someMatrix } from './matrices.ts'

/** One of each kind, and an even and an odd power. */
export const engineKernels: readonly EngineKernel[] = [
  { kind: 'linear', gamma: 0, coef0: 0, degree: 0 },
  { kind: 'polynomial', gamma: 0.3, coef0: 0.5, degree: 3 },
  { kind: 'polynomial', gamma: 0.3, coef0: -0.2, degree: 4 },
  { kind: 'rbf', gamma: 0.1, coef0: 0, degree: 0 },
  { kind: 'sigmoid', gamma: 0.1, coef0: 0.3, degree: 0 },
]

/** k(x, z) by definition; the shorter row ends in zeros. */
export function naiveKernel(kernel: EngineKernel, x: readonly number[], z: readonly number[]): number {
  let product = 0
  let distance = 0
  for (let k = 0; k < Math.max(x.length, z.length); k++) {
    product += (x[k] ?? 0) * (z[k] ?? 0)
    distance += ((x[k] ?? 0) - (z[k] ?? 0)) ** 2
  }
  if (kernel.kind === 'linear') return product
  if (kernel.kind === 'rbf') return Math.exp(-kernel.gamma * distance)
  const t = kernel.gamma * product + kernel.coef0
  return kernel.kind === 'sigmoid' ? Math.tanh(t) : t ** kernel.degree
}

/** A matrix the engine stores sparsely: most values are zero. */
export function mostlyZeros(seed: number, rows: number, cols: number): DenseMatrix {
  const random = new Random(seed)
  const matrix = someMatrix(seed, rows, cols)
  return { ...matrix, values: matrix.values.map((value) => (random.uniform() < 0.7 ? 0 : value)) }
}

/** The same with one number for all that is not zero: the engine counts. */
export function zerosAnd(one: number, seed: number, rows: number, cols: number): DenseMatrix {
  const matrix = mostlyZeros(seed, rows, cols)
  return { ...matrix, values: matrix.values.map((value) => (value === 0 ? 0 : one)) }
}

/** The same with decimals of three digits: the engine computes in whole numbers. */
export function decimals(seed: number, rows: number, cols: number): DenseMatrix {
  const matrix = mostlyZeros(seed, rows, cols)
  return { ...matrix, values: matrix.values.map((value) => Math.round(value * 1000) / 1000) }
}

/** Every other column is empty: the engine leaves them out and stores the others densely. */
export function halfEmpty(seed: number, rows: number, cols: number): DenseMatrix {
  const matrix = someMatrix(seed, rows, cols)
  return { ...matrix, values: matrix.values.map((value, k) => ((k % cols) % 2 === 1 ? 0 : value)) }
}

/** Makers of matrices that the engine stores in different ways. */
export const engineStorages = [
  ['dense', someMatrix],
  ['dense but for empty columns', halfEmpty],
  ['sparse', mostlyZeros],
  ['binary', (seed: number, rows: number, cols: number) => zerosAnd(1, seed, rows, cols)],
  ['one-valued', (seed: number, rows: number, cols: number) => zerosAnd(0.18257, seed, rows, cols)],
  ['decimal', decimals],
] as const

/** What `use` gives with engines of one build. Call `chooseEngineBuild(undefined)` when done. */
export function onBuild<R>(build: EngineBuild, use: () => R): R {
  chooseEngineBuild(build)
  return use()
}
