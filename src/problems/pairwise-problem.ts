/**
 * One-vs-one: a two-class problem for every pair of classes, all over the same samples. For the pair (i, j) with i < j the
 * samples of class i come first and are positive.
 */
import { pickNumbers } from '../base/lists.ts'
import { lazyRows } from '../data/matrix/lazy-rows.ts'
import { isMatrix } from '../data/matrix/matrix.ts'
import type { Samples } from '../data/table/dataset.ts'
import type { AnyKernel } from '../kernels/kernel.ts'
import { makeNuSvcProblem, type NuSvcProblem } from './kernel-problem.ts'
import { type BiasForm, makeProblem, type SvmProblem } from './problem.ts'

/** See the header of the file. */
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

/** Two classes, the first number being the smaller one. */
export type ClassPair = readonly [first: number, second: number]

/** All pairs of `classCount` classes: (0, 1), (0, 2), …, (1, 2), … */
export function* classPairs(classCount: number): Generator<ClassPair, void, void> {
  for (let i = 0; i < classCount; i++) {
    for (let j = i + 1; j < classCount; j++) yield [i, j]
  }
}

/** The samples of each class, in their order. */
export function membersOf(classOf: Uint32Array, classCount: number): Uint32Array[] {
  const counts = new Uint32Array(classCount)
  for (const c of classOf) counts[c]++
  const members = Array.from(counts, (count) => new Uint32Array(count))
  const filled = new Uint32Array(classCount)
  for (let i = 0; i < classOf.length; i++) members[classOf[i]][filled[classOf[i]]++] = i
  return members
}

/** The samples of a pair of classes: those of the first, then those of the second. */
export function rowsOfPair(members: readonly Uint32Array[], [first, second]: ClassPair): Uint32Array {
  const rows = new Uint32Array(members[first].length + members[second].length)
  rows.set(members[first])
  rows.set(members[second], members[first].length)
  return rows
}

/** The problem of one pair, over its own samples; `members` are those of {@link membersOf}. */
export function pairProblem(
  problem: PairwiseProblem,
  members: readonly Uint32Array[],
  pair: ClassPair,
): SvmProblem | NuSvcProblem {
  const { kernel, bounds, nu, bias } = problem
  const rows = rowsOfPair(members, pair)
  const samples = isMatrix(problem.samples)
    ? lazyRows(problem.samples, rows)
    : Array.from(rows, (i) => (problem.samples as readonly unknown[])[i])
  const y = new Float64Array(rows.length).fill(-1).fill(1, 0, members[pair[0]].length)
  const own = pickNumbers(bounds, rows)
  return nu === undefined
    ? makeProblem({ samples, kernel, y, C: own, bias })
    : makeNuSvcProblem({ samples, kernel, y, weights: own, nu })
}
