import { joinArrays, pickNumbers } from '../../base/lists.ts'
import { type Matrix, selectRows, stackRows } from '../matrix/matrix.ts'

/** The rows of a block. */
export interface ShardBlock {
  readonly samples: Matrix
  /** Labels, or positions of classes where labels are strings. */
  readonly labels: Float64Array
  readonly weights?: Float64Array | undefined
}

/** The chosen rows of a block. */
export function selectBlock({ samples, labels, weights }: ShardBlock, rows: ArrayLike<number>): ShardBlock {
  return {
    samples: selectRows(samples, rows),
    labels: pickNumbers(labels, rows),
    ...(weights && { weights: pickNumbers(weights, rows) }),
  }
}

/** The rows of several blocks, one below the other. */
export function stackBlocks(blocks: readonly ShardBlock[]): ShardBlock {
  const join = (pick: (block: ShardBlock) => Float64Array) => joinArrays(Float64Array, blocks.map(pick))
  return {
    samples: stackRows(blocks.map(({ samples }) => samples)),
    labels: join(({ labels }) => labels),
    ...(blocks[0].weights && { weights: join(({ weights }) => weights!) }),
  }
}
