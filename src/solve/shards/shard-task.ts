/**
 * A machine to be trained on shards, as plain data: what a pass over a block needs to know beside the block. A linear machine of several
 * classes has a function per class, each against the rest; kernel machines are in ./kernel-task.ts.
 */
import { applyScaler, type Scaler } from '../../data/scaling/scaler.ts'
import type { ShardBlock } from '../../data/shards/shard-block.ts'
import { type LinearLoss, type LossTerms, lossTerms } from '../../problems/linear-loss.ts'

/** What machines of either kind have. */
export interface ShardTask {
  readonly C: number
  /** Half-width of the tube of regression. */
  readonly epsilon: number
  /** The label of each class, as blocks have it; absent for regression and one class. Of two the second is the positive one of a linear machine. */
  readonly classes?: readonly number[] | undefined
  /** What multiplies C, or the weight of a sample, for each class. */
  readonly classWeights?: readonly number[] | undefined
  readonly scaler?: Scaler | undefined
  readonly seed: number
}

/** A linear machine. With more than two classes, weights of classes are for their own functions only. */
export interface LinearShardTask extends ShardTask {
  readonly loss: LinearLoss
  /** The constant feature that carries the bias; 0 when there is none. */
  readonly constant: number
}

/** How many functions a task has. */
export function functionCount({ classes }: LinearShardTask): number {
  return classes && classes.length > 2 ? classes.length : 1
}

/** A block as a task sees it: its samples scaled. */
export function prepareBlock({ scaler }: Pick<ShardTask, 'scaler'>, block: ShardBlock): ShardBlock {
  return scaler ? { ...block, samples: applyScaler(scaler, block.samples) } : block
}

/** The losses of a block's samples for one function. */
export function termsOfBlock(
  task: LinearShardTask,
  { labels, weights }: ShardBlock,
  which: number,
): LossTerms {
  const { loss, C, epsilon, classes, classWeights } = task
  const prices = weights ? weights.map((weight) => C * weight) : new Float64Array(labels.length).fill(C)
  if (!classes) return lossTerms(loss, prices, labels, epsilon)
  const isPair = classes.length === 2
  const positive = classes[isPair ? 1 : which]
  const z = labels.map((label) => (label === positive ? 1 : -1))
  if (classWeights) {
    const [negative, own] = isPair ? classWeights : [1, classWeights[which]]
    for (let i = 0; i < z.length; i++) prices[i] *= z[i] > 0 ? own : negative
  }
  return lossTerms(loss, prices, z, epsilon)
}
