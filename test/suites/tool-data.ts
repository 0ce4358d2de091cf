/** Small data sets for comparisons with LIBSVM's and LIBLINEAR's commands. */
import { Random } from '../../src/base/random.ts'
import type { Matrix } from '../../src/data/matrix/matrix.ts'
import { makeDataset, type VectorDataset } from '../../src/data/table/dataset.ts'
import { kernelMatrix } from '../../src/kernels/kernel-matrix.ts'
import { precomputedSamples } from '../../src/kernels/precomputed.ts'
import { rbf } from '../../src/kernels/rbf.ts'

const COLS = 5

/** Overlapping clouds, a third of the values zero, samples of the classes in turn. */
export function clouds(seed: number, rows: number, labels: readonly number[]): VectorDataset {
  const centres = new Random(77)
  const middle = labels.map(() => Array.from({ length: COLS }, () => 0.8 * centres.normal()))
  const random = new Random(seed)
  const y = Array.from({ length: rows }, (_, i) => labels[i % labels.length])
  const x = y.map((_, i) =>
    middle[i % labels.length].map((at) => (random.uniform() < 0.33 ? 0 : at + random.normal())),
  )
  return makeDataset(x, y)
}

/** A smooth function and noise. */
export function curve(seed: number, rows: number): VectorDataset {
  const { samples } = clouds(seed, rows, [0])
  const random = new Random(seed + 1)
  const { values } = samples
  const y = Array.from(
    { length: rows },
    (_, i) => Math.sin(values[i * COLS]) + values[i * COLS + 1] / 2 + 0.1 * random.normal(),
  )
  return { samples, labels: Float64Array.from(y) }
}

/** The rows of the kernel matrix against the training samples, as precomputed kernels want them. */
export function kernelRows(rows: Matrix, train: Matrix): Matrix {
  return precomputedSamples(kernelMatrix(rbf({ gamma: 0.2 }), rows, train))
}
