/** Trains estimators on a sharded data set, block by block within bounded memory, or wherever an executor runs passes. */
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalJson } from '../../base/canonical-json.ts'
import { checkNumber } from '../../base/check.ts'
import { DataError, ParameterError } from '../../base/errors.ts'
import { writeFileAtomically } from '../../data/files/write-file.node.ts'
import type { ShardStore } from '../../data/shards/shard-store.node.ts'
import { sha256Of } from '../../data/shards/write-shards.node.ts'
import type { Model } from '../../models/model.ts'
import {
  type BlockSource,
  InProcessExecutor,
  type ShardExecutor,
  type ShardKeep,
} from '../../solve/shards/shard-executor.ts'
import type { ShardRunProgress } from '../../solve/shards/shard-run.ts'
import { LinearSVC } from '../linear-svc.ts'
import { LinearSVR } from '../linear-svr.ts'
import { LogisticRegression } from '../logistic-regression.ts'
import { NuSVC } from '../nu-svc.ts'
import { OneClassSVM } from '../one-class-svm.ts'
import { SVC } from '../svc.ts'
import { SVR } from '../svr.ts'
import { type KernelShardEstimator, kernelTraining } from './kernel-on-shards.node.ts'
import { type LinearShardEstimator, linearTraining } from './linear-on-shards.node.ts'
import type { ShardTraining } from './shard-training.node.ts'

/** Estimators that can be trained on shards. */
export type ShardEstimator = LinearShardEstimator | KernelShardEstimator

/** How {@link fitOnShards} works. */
export interface ShardFitOptions {
  /** Approximate memory limit, in addition to what Node itself takes. */
  readonly memoryBytes: number
  /** Where the passes over blocks run. Default: in this process, one after the other. */
  readonly executor?: ShardExecutor | undefined
  /** Maximum number of rounds. Default 1000. */
  readonly rounds?: number | undefined
  /**
   * Blocks of a linear machine that descend from the same weights, so that as many workers can do it at a time. The bits of
   * the result depend on it. Default 1: each continues from the one before, which takes fewest rounds where one process does
   * it all.
   */
  readonly together?: number | undefined
  /**
   * A model of the same type to start from, for example trained on other data or with other settings. It saves rounds and
   * does not change the optimum.
   */
  readonly start?: Model | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: ShardRunProgress) => void) | undefined
}

/** What was trained, and whether it is complete: else the state is kept, and the same call continues from there. */
export interface ShardFit {
  readonly model: Model
  readonly isComplete: boolean
}

/** Blocks in memory: one being read, one worked on, and one scaled or packed. */
const BLOCKS_IN_MEMORY = 3

/** Fits an estimator to a sharded data set by passes over its blocks. Throws a ParameterError for settings that need all samples at a time. */
export async function fitOnShards(
  estimator: ShardEstimator,
  store: ShardStore,
  options: ShardFitOptions,
): Promise<ShardFit> {
  const { manifest } = store
  const { together = 1, rounds, signal, onProgress } = options
  checkNumber('fitOnShards', 'together', together, { min: 1, integer: true })
  if (rounds !== undefined) checkNumber('fitOnShards', 'rounds', rounds, { min: 1, integer: true })
  const training = await trainingOf(estimator, store, options.start)
  const memoryBytes = options.memoryBytes - BLOCKS_IN_MEMORY * store.largestBlock
  if (memoryBytes < 0) {
    throw new DataError(
      `${store.folder}: blocks of ${Math.ceil(store.largestBlock / 1e6)} MB are too large for ` +
        `${options.memoryBytes / 1e6} MB of memory; make smaller ones (hyperplane shard --rows)`,
    )
  }
  const key = canonicalJson([training.key({ together, memoryBytes }), manifest])
  const run = sha256Of(new TextEncoder().encode(key))
  const folder = join(store.folder, 'runs', run.slice(0, 16))
  await mkdir(folder, { recursive: true })
  const keep = keepIn(folder)
  const local = options.executor ? undefined : new InProcessExecutor(blocksOf(store), keep)
  const settings = { run, rounds, together, memoryBytes, signal, onProgress }
  const model = await training.train(options.executor ?? local!, keep, settings)
  await local?.close()
  if (!model) {
    signal?.throwIfAborted()
    throw new DataError(`${store.folder}: the time limit ended training before there was a model`)
  }
  const certificates = model.certificates ?? []
  const isComplete = !certificates.some(({ stopReason }) => ['aborted', 'time-limit'].includes(stopReason))
  if (isComplete) await rm(folder, { recursive: true, force: true })
  return { model, isComplete }
}

function trainingOf(
  estimator: ShardEstimator,
  store: ShardStore,
  start: Model | undefined,
): Promise<ShardTraining> {
  const linearTypes = [LinearSVC, LogisticRegression, LinearSVR]
  const kernelTypes = [SVC, NuSVC, SVR, OneClassSVM]
  const isOneOf = (types: readonly (abstract new (...options: never[]) => unknown)[]) =>
    types.some((Type) => estimator instanceof Type)
  if (isOneOf(linearTypes)) {
    return linearTraining(estimator as LinearShardEstimator, store, start)
  }
  if (isOneOf(kernelTypes)) {
    return kernelTraining(estimator as KernelShardEstimator, store, start)
  }
  const types = [...linearTypes, ...kernelTypes].map(({ name }) => name)
  throw new ParameterError('fitOnShards', 'estimator', `one of ${types.join(', ')}`, estimator)
}

/** The blocks of a store, read into two buffers in turn. */
function blocksOf(store: ShardStore): BlockSource {
  const buffers = [0, 1].map(() => new Uint8Array(store.largestBlock))
  let asked = 0
  return {
    columns: store.manifest.columns,
    rows: store.manifest.blocks.map(({ rows }) => rows),
    block: (k: number) => store.block(k, buffers[asked++ % 2]),
  }
}

/** Values as files of a folder, each replaced as a whole. */
function keepIn(folder: string): ShardKeep {
  return {
    load: (name) => readFile(join(folder, name)).catch(() => undefined),
    save: (name, value) => writeFileAtomically(join(folder, name), value),
    remove: (name) => rm(join(folder, name), { force: true }),
  }
}
