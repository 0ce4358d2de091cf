/**
 * Who runs shard passes ({@link ShardPass}): this process, threads, or workers behind a queue. Each implementation gives the same
 * bits, because a pass on a block is a pure function, and results come back in the order in which blocks were requested.
 */
import type { ShardBlock } from '../../data/shards/shard-block.ts'
import { runShardPass } from './run-shard-pass.ts'
import type { BlockStates, ShardPass } from './shard-pass.ts'

/** Blocks to be read in turn. */
export interface BlockSource {
  readonly columns: number
  /** Samples of each block. */
  readonly rows: readonly number[]
  /** Reads a block. What it returns lasts until the next but one is requested. */
  block(k: number): Promise<ShardBlock>
}

/** Where values are kept by name; whatever is there was kept wholly. */
export interface ShardKeep {
  load(name: string): Promise<Uint8Array | undefined>
  save(name: string, value: Uint8Array): Promise<void>
  remove(name: string): Promise<void>
}

/** Runs shard passes: in this process, on threads, or on workers behind a queue. */
export interface ShardExecutor {
  readonly columns: number
  /** Samples of each block. */
  readonly rows: readonly number[]
  /** Runs a pass on the listed blocks; the results come in the order of that list, whoever computed them when. */
  run(pass: ShardPass, blocks: readonly number[], signal?: AbortSignal): AsyncIterable<object>
  /** States of these names, of all blocks of a run, are not requested again. */
  forget(run: string, names: readonly string[]): Promise<void>
}

/** Runs passes one block after the other in this process, the next block being read meanwhile. */
export class InProcessExecutor implements ShardExecutor {
  readonly columns: number
  readonly rows: readonly number[]
  private readonly source: BlockSource
  private readonly keep: ShardKeep
  private readonly threads: number | undefined
  private ahead: { readonly k: number; readonly block: Promise<ShardBlock> } | undefined

  /** `keep` holds the states of blocks. */
  constructor(source: BlockSource, keep: ShardKeep, threads?: number) {
    this.columns = source.columns
    this.rows = source.rows
    this.source = source
    this.keep = keep
    this.threads = threads
  }

  async *run(pass: ShardPass, blocks: readonly number[], signal?: AbortSignal): AsyncGenerator<object> {
    for (const [at, k] of blocks.entries()) {
      signal?.throwIfAborted()
      const block = await this.take(k)
      // After the last block of a list another list is likely to continue with the next one.
      this.readAhead(blocks[at + 1] ?? (k + 1) % this.rows.length)
      yield await runShardPass(pass, block, k, this.statesOf(k), this.threads)
    }
  }

  async forget(_run: string, names: readonly string[]): Promise<void> {
    for (const name of names) {
      for (let k = 0; k < this.rows.length; k++) await this.keep.remove(`${name}-${k}`)
    }
  }

  /** Waits for a block that is being read, so that nothing stays open. */
  async close(): Promise<void> {
    await Promise.allSettled([this.ahead?.block])
  }

  private async take(k: number): Promise<ShardBlock> {
    const { ahead } = this
    if (ahead?.k === k) return ahead.block
    await this.close()
    return this.source.block(k)
  }

  private readAhead(k: number): void {
    // The only block there is stays where it is.
    if (this.ahead?.k === k) return
    const block = this.source.block(k)
    // The error is thrown where the block is awaited; until then it must not count as unhandled.
    block.catch(() => {})
    this.ahead = { k, block }
  }

  private statesOf(k: number): BlockStates {
    const { keep } = this
    return {
      load: (name) => keep.load(`${name}-${k}`),
      save: (name, value) => keep.save(`${name}-${k}`, value),
    }
  }
}
