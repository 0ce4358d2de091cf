/**
 * One-vs-one: a two-class problem for every pair of classes, all over the same samples. For the pair (i, j) with i < j the
 * samples of class i come first and are positive.
 */
import { checkNumber } from '../base/check.ts'
import { joinArrays, pickNumbers, sumOf } from '../base/lists.ts'
import { lazyRows } from '../data/matrix/lazy-rows.ts'
import { isMatrix } from '../data/matrix/matrix.ts'
import type { Samples } from '../data/table/dataset.ts'
import type { AnyKernel } from '../kernels/kernel.ts'
import { checkFeasible, type NuSvcProblem } from './kernel-problem.ts'
import type { BiasForm, SvmProblem } from './problem.ts'

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
  for (let i = 0; i < classOf.length; i++) counts[classOf[i]]++
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

/**
 * The problems of all pairs, each over its own samples and made when it is requested. What belongs to a class is made and checked once:
 * with 26 classes, each sample is in 25 pairs.
 */
export class PairProblems {
  private readonly problem: PairwiseProblem
  /** See {@link membersOf}. */
  readonly members: readonly Uint32Array[]
  private readonly bounds: Float64Array[] = []
  private readonly weights: number[] = []

  constructor(
    problem: PairwiseProblem,
    members: readonly Uint32Array[] = membersOf(problem.classOf, problem.classCount),
  ) {
    this.problem = problem
    this.members = members
  }

  /** The bounds of the samples of a class. */
  boundsOf(c: number): Float64Array {
    this.bounds[c] ??= checkedBounds(this.problem, this.members[c])
    return this.bounds[c]
  }

  /** What they add up to. */
  weightOf(c: number): number {
    this.weights[c] ??= sumOf(this.boundsOf(c))
    return this.weights[c]
  }

  /** The problem of a pair. */
  of(pair: ClassPair): SvmProblem | NuSvcProblem {
    const { kernel, nu, bias, samples: all } = this.problem
    const [first, second] = pair
    const rows = rowsOfPair(this.members, pair)
    const samples = isMatrix(all)
      ? lazyRows(all, rows)
      : Array.from(rows, (i) => (all as readonly unknown[])[i])
    const y = new Float64Array(rows.length).fill(-1).fill(1, 0, this.members[first].length)
    const own = joinArrays(Float64Array, [this.boundsOf(first), this.boundsOf(second)])
    if (nu === undefined) {
      return { task: 'svc', samples, kernel, y, C: own, loss: 'hinge', bias, interceptScaling: 1 }
    }
    checkFeasible(nu, this.weightOf(first), this.weightOf(second))
    return { task: 'nu-svc', samples, kernel, y, weights: own, nu }
  }
}

/** The problem of one pair; `members` are those of {@link membersOf}. */
export function pairProblem(
  problem: PairwiseProblem,
  members: readonly Uint32Array[],
  pair: ClassPair,
): SvmProblem | NuSvcProblem {
  return new PairProblems(problem, members).of(pair)
}

function checkedBounds({ bounds, nu }: PairwiseProblem, rows: Uint32Array): Float64Array {
  const own = pickNumbers(bounds, rows)
  for (let k = 0; k < own.length; k++) {
    if (!(own[k] >= 0 && own[k] < Number.POSITIVE_INFINITY)) {
      checkNumber('problem', `bounds[${rows[k]}]`, own[k], { min: 0, infinite: nu === undefined })
    }
  }
  return own
}
