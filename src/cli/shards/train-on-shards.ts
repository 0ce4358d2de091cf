/** `hyperplane train` on data that need not fit memory: turns them into shards, unless they are, and trains by passes. */
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ParameterError } from '../../base/errors.ts'
import { MANIFEST_NAME } from '../../data/shards/shard-manifest.ts'
import { ShardStore } from '../../data/shards/shard-store.node.ts'
import { sourceKey } from '../../data/shards/write-shards.node.ts'
import { fitOnShards, type ShardEstimator } from '../../estimators/fitting/fit-on-shards.node.ts'
import { readModel } from '../../models/files/read-model.node.ts'
import { checkModelFormat, type ModelFormat, writeModel } from '../../models/files/write-model.node.ts'
import type { Model } from '../../models/model.ts'
import type { ShardRunProgress } from '../../solve/shards/shard-run.ts'
import { cacheFolder } from '../options/cache-folder.ts'
import { checkFiles } from '../options/command-files.ts'
import { type DataFlags, readOptionsFrom } from '../options/data-options.ts'
import { defined, given, notApplicable } from '../options/options.ts'
import type { CommandEstimator, TrainingFlags } from '../options/training-options.ts'
import { COMMAND } from '../report/failure.ts'
import { CTRL_C_AND_TERM, Interrupted, untilInterrupted } from '../report/interrupt.ts'
import { count, notice, number, remark } from '../report/output.ts'
import { type TableFlags, tableOptionsFrom } from '../tables/table-options.ts'
import { LateBar } from '../terminal/late-bar.ts'
import { makeShards } from './make-shards.ts'
import { shardProgress, timeLeft } from './shard-progress.ts'
import { shardsOnQueue } from './shards-on-queue.ts'

/** Types that can be trained on shards. */
const TYPES: readonly string[] = [
  ...['svc', 'nu-svc', 'svr', 'one-class'],
  ...['linear-svc', 'linear-svr', 'logistic-regression'],
]
/** Flags that need all samples at a time. */
const REFUSED = [
  ...(['probability', 'threshold', 'conformal', 'trace', 'traceEvery', 'checkpoint'] as const),
  ...(['checkpointEvery', 'certify', 'groups', 'time', 'timeSeries', 'gap'] as const),
]
/** Megabytes unless given, for a folder of shards. */
const DEFAULT_MEMORY = 512
/** Below this there is no room for blocks worth reading. */
const LEAST_MEMORY = 16
/** Blocks take this part of the memory, as several are there at a time; more than 32 MB gain nothing. */
const BLOCK_SHARE = 1 / 16
const MOST_BLOCK_BYTES = 32e6

/** The options of `train`. */
type ShardFlags = TrainingFlags &
  TableFlags &
  DataFlags & {
    readonly memory?: number
    readonly shards?: string
    readonly rounds?: number
    readonly together?: number
    readonly queue?: string
    readonly start?: string
    readonly output?: string
    readonly format?: ModelFormat
  } & { readonly [name in (typeof REFUSED)[number]]?: unknown }

/** See the header of the file. `report` says what was trained. */
export async function trainOnShards<F extends ShardFlags>(
  flags: F,
  path: string,
  trainer: CommandEstimator,
  report: (flags: F, model: Model, rows: number, cols: number) => void,
): Promise<void> {
  const { type = 'svc', memory = DEFAULT_MEMORY, rounds, output, format } = flags
  if (!TYPES.includes(type)) {
    throw new ParameterError(COMMAND, '--type', `one of ${TYPES.join(', ')} for training on shards`, type)
  }
  const [ignored] = Object.keys(given<ShardFlags, (typeof REFUSED)[number]>(flags, REFUSED))
  if (ignored) throw notApplicable(ignored, 'training on shards')
  if (!(memory >= LEAST_MEMORY)) throw new ParameterError(COMMAND, '--memory', `>= ${LEAST_MEMORY}`, memory)
  for (const [name, value] of Object.entries({ rounds, together: flags.together })) {
    if (value !== undefined && !(Number.isInteger(value) && value >= 1)) {
      throw new ParameterError(COMMAND, `--${name}`, 'a whole number >= 1', value)
    }
  }
  if (path === '-')
    throw new ParameterError(COMMAND, '--memory', 'needs a file, because stdin cannot be read twice')
  await checkFiles({ '<data>': path, '--start': flags.start }, { '--output': output })
  const asFormat = defined({ format })
  if (output !== undefined) checkModelFormat(output, asFormat)
  const start = flags.start === undefined ? undefined : await readModel(flags.start)
  const memoryBytes = 1e6 * memory
  const bar = new LateBar('reading', path)
  try {
    await untilInterrupted(async (signal) => {
      const store = await openShards(flags, path, memoryBytes, bar, signal)
      remark(flags, `training on ${store.manifest.blocks.length} blocks in ${store.folder}`)
      const estimator = trainer as unknown as ShardEstimator
      const queue = flags.queue === undefined ? undefined : await shardsOnQueue(flags.queue, store)
      const onProgress = passProgress(bar, queue?.words)
      const { blocks } = store.manifest
      const settings = {
        ...{ memoryBytes, rounds, start, signal, onProgress },
        together: flags.together ?? (queue ? blocks.length : 1),
        ...(queue && { executor: queue.executor }),
      }
      const { model, isComplete } = await fitOnShards(estimator, store, settings)
        .then(async (fit) => {
          if (fit.isComplete) await queue?.executor.finish()
          return fit
        })
        .finally(() => queue?.close())
      bar.stop()
      if (output !== undefined) await writeModel(output, model, asFormat)
      report(flags, model, store.manifest.rows, store.manifest.columns)
      if (!isComplete) notice(`state kept in ${store.folder}: the same command resumes from there`)
    }, CTRL_C_AND_TERM)
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error
    throw new Interrupted('stopped before training started; the same command resumes from there')
  } finally {
    bar.stop()
  }
}

/** The shards of a folder, or of a file: those that are there, or new ones. */
async function openShards(
  flags: ShardFlags,
  path: string,
  memoryBytes: number,
  bar: LateBar,
  signal: AbortSignal,
): Promise<ShardStore> {
  if ((await stat(path).catch(() => undefined))?.isDirectory()) {
    if (flags.shards !== undefined) throw notApplicable('shards', 'data that are already shards')
    return ShardStore.open(path)
  }
  const read = { ...readOptionsFrom(flags), ...tableOptionsFrom(flags) }
  const blockBytes = Math.min(MOST_BLOCK_BYTES, BLOCK_SHARE * memoryBytes)
  const seed = flags.seed ?? 0
  const key = JSON.stringify([
    await sourceKey(path).catch(() => path),
    { ...read, threads: 0 },
    blockBytes,
    seed,
  ])
  const name = createHash('sha256').update(key).digest('hex').slice(0, 16)
  const folder = join(flags.shards ?? cacheFolder('shards'), name)
  const isThere = await stat(join(folder, MANIFEST_NAME)).catch(() => undefined)
  if (!isThere) {
    remark(flags, `writing shards to ${folder}`)
    const onProgress = shardProgress(bar)
    await makeShards(path, folder, flags, { blockBytes, seed, memoryBytes, signal, onProgress })
  }
  return ShardStore.open(folder)
}

/** Shows how far training has come, as ../terminal/training-progress.ts does: by the powers of ten of the gap, or the violation. */
function passProgress(bar: LateBar, workers?: () => string): (progress: ShardRunProgress) => void {
  const left = timeLeft()
  let first = Number.NaN
  let furthest = 0
  return ({ solver, goal, left: distance, tol, rounds, passes, block, blocks, done, functions }) => {
    if (Number.isNaN(first)) first = distance
    const within = Math.log(first / distance) / Math.log(first / tol)
    if (Number.isFinite(within)) furthest = Math.min(1, Math.max(furthest, (done + within) / functions))
    const which = functions > 1 ? `, ${done} of ${functions} functions` : ''
    const words = `${goal} ${number(distance, 2)}, round ${count(rounds)}, pass ${count(passes + 1)}: block ${block} of ${blocks}`
    bar.update(solver, furthest, `${words}${which}${workers?.() ?? ''}${left(furthest)}`)
  }
}
