/** Runs shard passes (./shard-pass.ts), whoever made them. */
import { DataError, show } from '../../base/errors.ts'
import type { ShardBlock } from '../../data/shards/shard-block.ts'
import { runKernelMeasure, runKernelSolve, runKernelWeights } from './kernel-pass.ts'
import { runLinearPass } from './linear-pass.ts'
import { type BlockStates, PASS_VERSION, type PassKind, type ShardPass } from './shard-pass.ts'

const runners: Readonly<
  Record<
    PassKind,
    (
      body: never,
      block: ShardBlock,
      k: number,
      states: BlockStates,
      threads: number | undefined,
    ) => Promise<object>
  >
> = {
  linear: runLinearPass,
  'kernel-weights': runKernelWeights,
  'kernel-solve': runKernelSolve,
  'kernel-measure': runKernelMeasure,
}

/** Runs a pass on block k; the threads change nothing of the result. */
export function runShardPass(
  { kind, body }: ShardPass,
  block: ShardBlock,
  k: number,
  states: BlockStates,
  threads?: number,
): Promise<object> {
  return runners[kind](body as never, block, k, states, threads)
}

/** A pass that came from elsewhere, or a DataError that says why it cannot be run here. */
export function checkShardPass(value: unknown): ShardPass {
  const { version, kind, run, body } = (value ?? {}) as Partial<ShardPass>
  if (version !== PASS_VERSION) {
    throw new DataError(
      `the shard pass has version ${version}, but this program runs version ${PASS_VERSION}: install the same version everywhere`,
    )
  }
  if (typeof kind !== 'string' || !Object.hasOwn(runners, kind)) {
    throw new DataError(
      `the kind of the shard pass must be one of ${Object.keys(runners).join(', ')}, got ${show(kind)}`,
    )
  }
  if (typeof run !== 'string' || typeof body !== 'object' || body === null) {
    throw new DataError('the shard pass has no run or no body')
  }
  return { version, kind, run, body }
}
