/**
 * One-vs-one: a two-class problem for every pair of classes, all over the same samples. For the pair (i, j) with i < j the
 * samples of class i come first and are positive.
 */
import type { Samples } from '../data/dataset.ts'
import { isMatrix, selectRows } from '../data/matrix.ts'
import type { AnyKernel } from '../kernels/kernel.ts'
import { makeNuSvcProblem, type NuSvcProblem } from './any-problem.ts'
import { type BiasForm, makeProblem, type SvmProblem } from './problem.ts'

/** See the head of the file. */
export interface PairwiseProblem {
  readonly task: 'pairs'
  readonly samples: Samples
  /** Its parameters settled for all samples. */
  readonly kernel: AnyKernel
  /** How many classes there are. */
  readonly classCount: number
  /** The class of each sample, counted from 0. */
  readonly classOf: Uint32Array
  /** C_i of each sample; with `nu` its weight. */
  readonly bounds: Float64Array
  /** Given, the pairs are ν problems. */
  readonly nu?: number | undefined
  readonly bias: BiasForm
}

/** All pairs of `classCount` classes: (0, 1), (0, 2), …, (1, 2), … */
export function classPairs(classCount: number): [first: number, second: number][] {
  const pairs: [number, number][] = []
  for (let i = 0; i < classCount; i++) {
    for (let j = i + 1; j < classCount; j++) pairs.push([i, j])
  }
  return pairs
}

/** The samples of a pair of classes: those of the first, then those of the second. */
export function rowsOfPair(classOf: Uint32Array, first: number, second: number): Uint32Array {
  const all = Uint32Array.from(classOf.keys())
  const rows = [...all.filter((i) => classOf[i] === first), ...all.filter((i) => classOf[i] === second)]
  return Uint32Array.from(rows)
}

/** The problem of one pair, over its own samples. */
export function pairProblem(
  problem: PairwiseProblem,
  [first, second]: readonly [number, number],
): SvmProblem | NuSvcProblem {
  const { kernel, classOf, bounds, nu, bias } = problem
  const rows = rowsOfPair(classOf, first, second)
  const samples = isMatrix(problem.samples)
    ? selectRows(problem.samples, rows)
    : Array.from(rows, (i) => (problem.samples as readonly unknown[])[i])
  const y = Float64Array.from(rows, (i) => (classOf[i] === first ? 1 : -1))
  const own = Float64Array.from(rows, (i) => bounds[i])
  return nu === undefined
    ? makeProblem({ samples, kernel, y, C: own, bias })
    : makeNuSvcProblem({ samples, kernel, y, weights: own, nu })
}
