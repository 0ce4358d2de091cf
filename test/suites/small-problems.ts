/** Small random problems with one C a sample, some of them 0. */
import { Random } from '../../src/base/random.ts'
import { type Matrix, toDense, toMatrix } from '../../src/data/matrix/matrix.ts'
import type { AnyKernel } from '../../src/kernels/kernel.ts'
import { linear } from '../../src/kernels/linear.ts'
import { makeProblem, type ProblemOptions, type SvmProblem } from '../../src/problems/problem.ts'

/** A problem whose samples are vectors. */
export type VectorProblem = SvmProblem & { readonly samples: Matrix }

/** What may be chosen about a {@link smallProblem}. */
export interface SmallProblemOptions extends Partial<Omit<ProblemOptions, 'samples' | 'y' | 'kernel'>> {
  readonly kernel?: AnyKernel
  readonly count?: number
  readonly features?: number
  readonly store?: (matrix: Matrix) => Matrix
}

/** Two overlapping classes; C_i is 0 for the third sample and spread over [0.2, 2] for the others unless given. */
export function smallProblem(seed: number, options: SmallProblemOptions = {}): VectorProblem {
  const { kernel = linear(), count = 10, features = 3, store = (matrix) => matrix, ...rest } = options
  const random = new Random(seed)
  const y = Float64Array.from({ length: count }, (_, i) => (i % 2 === 0 ? 1 : -1))
  const rows = Array.from(y, (label) => Array.from({ length: features }, () => 0.6 * label + random.normal()))
  const C = Float64Array.from({ length: count }, (_, i) => (i === 2 ? 0 : 0.2 + 1.8 * random.uniform()))
  const samples = store(toMatrix(rows))
  return { ...makeProblem({ samples, y, kernel, C, ...rest }), samples }
}

/** The samples of a problem as plain rows. */
export function rowsOf({ samples }: VectorProblem): number[][] {
  const { rows, cols, values } = toDense(samples)
  return Array.from({ length: rows }, (_, i) => [...values.subarray(i * cols, (i + 1) * cols)])
}
