/** Data sets of any size in blocks, and training on them, for Node. */
import './parallel/platform.node.ts'

export type { ColumnStatistics } from './data/shards/column-statistics.ts'
export type { ShardBlock } from './data/shards/shard-block.ts'
export type { ShardEntry, ShardManifest } from './data/shards/shard-manifest.ts'
export { ShardStore } from './data/shards/shard-store.node.ts'
export { type ShardOptions, type ShardProgress, writeShards } from './data/shards/write-shards.node.ts'
export {
  fitOnShards,
  type ShardEstimator,
  type ShardFit,
  type ShardFitOptions,
} from './estimators/fitting/fit-on-shards.node.ts'
export { runShardPass } from './solve/shards/run-shard-pass.ts'
export {
  type BlockSource,
  InProcessExecutor,
  type ShardExecutor,
  type ShardKeep,
} from './solve/shards/shard-executor.ts'
export type { BlockStates, PassKind, ShardPass } from './solve/shards/shard-pass.ts'
export type { ShardRunProgress } from './solve/shards/shard-run.ts'
