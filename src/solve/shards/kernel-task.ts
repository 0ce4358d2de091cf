/**
 * A kernel machine to be trained on shards, as plain data: what a pass over a block needs to know beside the block. With several
 * classes it has a function per pair of them, as ../../problems/pairwise-problem.ts has it.
 */
import { countUp, pickNumbers } from '../../base/lists.ts'
import { positiveOf } from '../../base/positive-class.ts'
import { selectRows } from '../../data/matrix/matrix.ts'
import type { ShardBlock } from '../../data/shards/shard-block.ts'
import type { AnyKernel, KernelSpec } from '../../kernels/kernel.ts'
import { kernelFromSpec } from '../../kernels/kernel-from-spec.ts'
import type { Problem } from '../../problems/kernel-problem.ts'
import { classPairs } from '../../problems/pairwise-problem.ts'
import type { ShardTask } from './shard-task.ts'

/** See the header of the file. */
export interface KernelShardTask extends ShardTask {
  readonly type: 'svc' | 'nu-svc' | 'svr' | 'one-class'
  /** Its parameters settled. */
  readonly kernel: KernelSpec
  readonly nu: number
  /** The build of the engine: others round in other ways. */
  readonly engine: string
}

/** The problem of one function over the samples of a block that it is about. */
export interface FunctionProblem {
  /** Their rows in the block. */
  readonly rows: Uint32Array
  readonly problem: Problem
}

/** How many functions a task has. */
export function kernelFunctionCount({ classes = [] }: KernelShardTask): number {
  return classes.length > 2 ? (classes.length * (classes.length - 1)) / 2 : 1
}

/** Whether the sums of dual variables are given, by ν. */
export function hasNu({ type }: KernelShardTask): boolean {
  return type === 'nu-svc' || type === 'one-class'
}

/** The kernel of a task. */
export function taskKernel({ kernel }: KernelShardTask): AnyKernel {
  return kernelFromSpec(kernel)
}

/** The problem of function `which` on a block whose samples are scaled. ν is as the task has it. */
export function functionProblem(
  task: KernelShardTask,
  kernel: AnyKernel,
  block: ShardBlock,
  which: number,
): FunctionProblem {
  const { type, classes, classWeights, C, nu, epsilon } = task
  const count = block.labels.length
  const price = type === 'svc' || type === 'svr' ? C : 1
  const bounds = new Float64Array(count).fill(price)
  if (block.weights) for (let i = 0; i < count; i++) bounds[i] *= block.weights[i]
  const { samples, labels } = block
  if (type === 'svr') {
    return { rows: countUp(count), problem: { task: type, samples, kernel, z: labels, C: bounds, epsilon } }
  }
  if (type === 'one-class' || !classes) {
    return {
      rows: countUp(count),
      problem: { task: 'one-class', samples, kernel, weights: bounds, nu },
    }
  }
  const pair = [...classPairs(classes.length)][which]
  const positive = positiveOf(pair[0], pair[1], classes.length)
  const labelsOfPair = pair.map((c) => classes[c])
  const isAll = classes.length === 2
  const rows = isAll ? countUp(count) : countUp(count).filter((i) => labelsOfPair.includes(labels[i]))
  const y = new Float64Array(rows.length)
  const own = isAll ? bounds : pickNumbers(bounds, rows)
  for (let i = 0; i < y.length; i++) {
    const isPositive = labels[rows[i]] === classes[positive]
    y[i] = isPositive ? 1 : -1
    const c = isPositive ? positive : pair[0] + pair[1] - positive
    if (classWeights) own[i] *= classWeights[c]
  }
  const chosen = isAll ? samples : selectRows(samples, rows)
  return {
    rows,
    problem:
      type === 'svc'
        ? { task: type, samples: chosen, kernel, y, C: own, loss: 'hinge', bias: 'free', interceptScaling: 1 }
        : { task: 'nu-svc', samples: chosen, kernel, y, weights: own, nu },
  }
}

/** Σ weights of the samples of a ν problem: of the positive ones (all of one class) and of the negative ones. */
export function weightSums(problem: Problem): readonly [positive: number, negative: number] {
  if (!('weights' in problem)) return [0, 0]
  const sums: [number, number] = [0, 0]
  for (const [i, weight] of problem.weights.entries()) {
    sums['y' in problem && problem.y[i] < 0 ? 1 : 0] += weight
  }
  return sums
}
