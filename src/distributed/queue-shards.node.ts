/**
 * Shard passes over a queue: a job per block. The pass itself, which may hold all support vectors, goes once, under its hash; what a
 * block keeps from one pass to the next goes into the queue, so that any worker can continue with it.
 */
import { basename, dirname, join } from 'node:path'
import { DataError, HyperplaneError } from '../base/errors.ts'
import { pack } from '../base/packing.ts'
import type { ShardStore } from '../data/shards/shard-store.node.ts'
import { sha256Of } from '../data/shards/write-shards.node.ts'
import type { ShardExecutor } from '../solve/shards/shard-executor.ts'
import type { ShardPass } from '../solve/shards/shard-pass.ts'
import { type CoordinatorOptions, coordinate, type JobListener } from './coordinator.ts'
import type { PostedJob } from './job-board.ts'
import { type PassJob, unitId, unpackResult } from './job-message.ts'
import { unitHead } from './library-version.node.ts'
import type { RedisBoard } from './redis-board.node.ts'

/** Bytes of a pass at most: Redis takes values of 512 MB. */
const LARGEST_PASS = 5e8

/** An executor whose states are in a queue. */
export interface QueueShardExecutor extends ShardExecutor {
  /** Training is complete: removes all that its runs have left. */
  finish(): Promise<void>
}

/** Runs shard passes on the workers of a queue. */
export async function queueShardExecutor(
  board: RedisBoard,
  store: Pick<ShardStore, 'folder' | 'manifest'>,
  options: CoordinatorOptions = {},
): Promise<QueueShardExecutor> {
  const { manifest } = store
  const document = JSON.stringify(manifest)
  const manifestHash = await board.putDocument(document)
  const runs = new Set<string>()
  const jobOf = (run: string, pass: string, k: number): PassJob => {
    const { name, sha256, bytes } = manifest.blocks[k]
    return {
      ...unitHead(),
      kind: 'pass',
      ...{ run, pass, manifest: manifestHash, block: k },
      file: { name, path: join(store.folder, name), sha256, bytes },
    }
  }
  return {
    columns: manifest.columns,
    rows: manifest.blocks.map(({ rows }) => rows),
    async *run(pass: ShardPass, blocks: readonly number[], signal?: AbortSignal) {
      signal?.throwIfAborted()
      runs.add(pass.run)
      const packed = pack(pass)
      if (packed.length > LARGEST_PASS) {
        throw new DataError(
          `a pass of ${Math.ceil(packed.length / 1e6)} MB exceeds the limit of Redis (${LARGEST_PASS / 1e6} MB): the model has too many support vectors for a queue`,
        )
      }
      const hash = sha256Of(packed)
      const prepare = () => Promise.all([board.putDocument(document), board.putBytes('pass', hash, packed)])
      const jobs: PostedJob[] = await Promise.all(
        blocks.map(async (k) => {
          const data = jobOf(pass.run, hash, k)
          return { id: await unitId(data), data }
        }),
      )
      yield* inOrder(board, jobs, { subject: pass.run, prepare }, signal, options)
      await board.remove('pass', [hash])
    },
    async forget(run, names) {
      const keys = names.flatMap((name) => manifest.blocks.map(({ sha256 }) => stateName(run, sha256, name)))
      await board.remove('state', keys)
    },
    async finish() {
      for (const run of runs) await board.removeAll(`state:${run}:`)
      await board.remove('document', [manifestHash])
    },
  }
}

/** What a state of a block is called in the queue. */
export function stateName(run: string, block: string, name: string): string {
  return `${run}:${block}:${name}`
}

/** The folder and the name of a block: as workers may have it, wherever the folder is. */
export function blockPlace({ path, name }: { readonly path: string; readonly name: string }): string {
  return join(basename(dirname(path)), name)
}

/** Results in the order of the jobs, each as soon as those before it are there. */
async function* inOrder(
  board: RedisBoard,
  jobs: readonly PostedJob[],
  listener: Pick<JobListener, 'subject' | 'prepare'>,
  signal: AbortSignal | undefined,
  options: CoordinatorOptions,
): AsyncGenerator<object> {
  const results = new Map<string, object>()
  let failure: unknown
  let tell = (): void => {}
  const control = new AbortController()
  const whole = signal ? AbortSignal.any([signal, control.signal]) : control.signal
  const working = coordinate(
    board,
    jobs,
    {
      ...listener,
      signal: whole,
      onDone(id, bytes) {
        results.set(id, unpackResult(id, bytes))
        tell()
      },
      onFailed(_, reason) {
        failure ??= new HyperplaneError(reason)
        control.abort()
      },
    },
    options,
  )
    .catch((error) => {
      failure ??= error
    })
    .finally(() => tell())
  let isOver = false
  void working.then(() => {
    isOver = true
    tell()
  })
  try {
    for (const { id } of jobs) {
      while (!results.has(id)) {
        if (failure) throw failure
        signal?.throwIfAborted()
        if (isOver) throw new HyperplaneError(`job ${id.slice(0, 12)} ended without a result`)
        await new Promise<void>((resolve) => {
          tell = resolve
          if (isOver || failure || signal?.aborted) resolve()
        })
      }
      yield results.get(id) as object
      results.delete(id)
    }
  } finally {
    control.abort()
    await working
  }
}
