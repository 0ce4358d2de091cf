/** `hyperplane train --queue`: passes over shards are run by workers. */
import type { ShardStore } from '../../data/shards/shard-store.node.ts'
import type { CoordinatorState } from '../../distributed/coordinator.ts'
import { type QueueShardExecutor, queueShardExecutor } from '../../distributed/queue-shards.node.ts'
import { RedisBoard } from '../../distributed/redis-board.node.ts'
import { COMMAND } from '../report/failure.ts'
import { counted } from '../report/output.ts'
import { watchWorkers } from '../selection/watch-workers.ts'

/** A connection to workers. */
export interface ShardsOnQueue {
  readonly executor: QueueShardExecutor
  /** Who works, for the bar. */
  readonly words: () => string
  close(): Promise<void>
}

/** Connects to the queue. */
export async function shardsOnQueue(url: string, store: ShardStore): Promise<ShardsOnQueue> {
  const board = await RedisBoard.open(COMMAND, url)
  const watch = watchWorkers(board.address.shown)
  let last: CoordinatorState | undefined
  const onLook = (state: CoordinatorState): void => {
    last = state
    watch(state)
  }
  try {
    return {
      executor: await queueShardExecutor(board, store, { onLook }),
      words: () => (last ? `, ${counted(last.workers.length, 'worker')}` : ''),
      close: () => board.close(),
    }
  } catch (error) {
    await board.close()
    throw error
  }
}
