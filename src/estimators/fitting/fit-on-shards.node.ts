/** Trains linear estimators on a sharded data set, block by block within bounded memory. */
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalJson } from '../../base/canonical-json.ts'
import { DataError, ParameterError, show } from '../../base/errors.ts'
import { writeFileAtomically } from '../../data/files/write-file.node.ts'
import type { Scaler } from '../../data/scaling/scaler.ts'
import type { ShardStore } from '../../data/shards/shard-store.node.ts'
import { sha256Of } from '../../data/shards/write-shards.node.ts'
import { LinearSvcModel } from '../../models/linear-svc-model.ts'
import { LinearSvrModel } from '../../models/linear-svr-model.ts'
import { type LiblinearSolver, liblinearSolvers, type TrainingSettings } from '../../models/model-parts.ts'
import { isSmooth, type LinearLoss } from '../../problems/linear-loss.ts'
import type { BiasForm } from '../../problems/problem.ts'
import { InProcessExecutor, type ShardExecutor, type ShardKeep } from '../../solve/shards/shard-executor.ts'
import type { ShardTask } from '../../solve/shards/shard-task.ts'
import {
  type ShardRunOptions,
  type ShardSolution,
  solveOnShards,
} from '../../solve/shards/solve-on-shards.ts'
import type { LinearSVC } from '../linear-svc.ts'
import { LinearSVR } from '../linear-svr.ts'
import { LogisticRegression } from '../logistic-regression.ts'
import { type ClassWeight, weightsOf } from '../parts/class-targets.ts'
import { logisticProbability } from '../parts/linear-classifier.ts'
import { type ScalerChoice, scalerOfStatistics } from '../parts/scaler-choice.ts'

/** Estimators that can be trained on shards. */
export type ShardEstimator = LinearSVC | LogisticRegression | LinearSVR

/** How {@link fitOnShards} works. */
export interface ShardFitOptions extends Pick<ShardRunOptions, 'signal' | 'onProgress'> {
  /** Memory to stay within, about; what the program takes of itself comes on top. */
  readonly memoryBytes: number
  /** Who runs the passes. Default: this process, block by block. */
  readonly executor?: ShardExecutor | undefined
  /** Blocks that descend from the same weights: see {@link ShardRunOptions}. */
  readonly together?: number | undefined
}

/** What was trained, and whether it is complete: else the state is kept, and the same call goes on from there. */
export interface ShardFit {
  readonly model: LinearSvcModel | LinearSvrModel
  readonly isComplete: boolean
}

/** Gap to reach, as a part of the primal value. */
const DEFAULT_TOL = 1e-6
/** Rounds: each lowers the gap by a factor on which the data decide, Newton's by ten and more. */
const DEFAULT_ROUNDS = 1000
/** Blocks in memory: one being read, one worked on, and one scaled or packed. */
const BLOCKS_IN_MEMORY = 3

/** Settings that no pass over blocks can serve, and what to do instead. */
const NEEDS_ALL_SAMPLES: Readonly<Record<string, { readonly value: unknown; readonly instead: string }>> = {
  multiClass: { value: 'crammer-singer', instead: 'use ovr, which tells each class from the rest' },
  keepDual: {
    value: true,
    instead: 'leave it out: verify recomputes what it can without the dual variables',
  },
  bias: { value: 'free', instead: 'use regularised, with a larger interceptScaling for a freer bias' },
  penalty: { value: 'l1', instead: 'use l2, or train with l1 on a part of the samples' },
}

/** See the head of the file. Throws a ParameterError for settings that need all samples at a time. */
export async function fitOnShards(
  estimator: ShardEstimator,
  store: ShardStore,
  options: ShardFitOptions,
): Promise<ShardFit> {
  const { manifest } = store
  const plan = await planOf(estimator, store)
  const { together = 1 } = options
  const run = sha256Of(new TextEncoder().encode(canonicalJson([plan.task, manifest, together])))
  const folder = join(store.folder, 'runs', run.slice(0, 16))
  await mkdir(folder, { recursive: true })
  const memoryBytes = options.memoryBytes - BLOCKS_IN_MEMORY * store.largestBlock
  if (memoryBytes < 0) {
    throw new DataError(
      `${store.folder}: blocks of ${Math.ceil(store.largestBlock / 1e6)} MB are too large for ` +
        `${options.memoryBytes / 1e6} MB of memory; make smaller ones (hyperplane shard --rows)`,
    )
  }
  const keep = keepIn(folder)
  const local = options.executor ? undefined : new InProcessExecutor(blocksOf(store), keep)
  const solutions = await solveOnShards(plan.task, options.executor ?? local!, keep, {
    ...plan.run,
    ...{ memoryBytes, together, run },
    signal: options.signal,
    onProgress: options.onProgress,
  })
  await local?.close()
  const stopped = ['aborted', 'time-limit']
  const isComplete = !solutions.some(({ certificate }) => stopped.includes(certificate.stopReason))
  if (isComplete) await rm(folder, { recursive: true, force: true })
  return { model: modelOf(estimator, store, plan, solutions), isComplete }
}

interface ShardPlan {
  readonly task: ShardTask
  readonly run: Pick<ShardRunOptions, 'tol' | 'maxIter' | 'timeLimit'>
}

/** The settings of either estimator that matter here. */
interface Settings {
  readonly C?: number
  readonly loss?: LinearLoss
  readonly epsilon?: number
  readonly classWeight?: ClassWeight
  readonly multiClass?: string
  readonly bias?: BiasForm
  readonly penalty?: string
  readonly interceptScaling?: number
  readonly scaler?: ScalerChoice
  readonly solver?: unknown
  readonly keepDual?: boolean
  readonly tol?: number
  readonly maxIter?: number
  readonly timeLimit?: number
  readonly seed?: number
}

async function planOf(estimator: ShardEstimator, store: ShardStore): Promise<ShardPlan> {
  const settings = estimator.options as Settings
  const { C = 1, epsilon = 0, interceptScaling = 1, seed = 0, scaler } = settings
  const { bias = 'regularised' } = settings
  const { tol = DEFAULT_TOL, maxIter = DEFAULT_ROUNDS, timeLimit } = settings
  const who = estimator.constructor.name
  const { manifest, folder } = store
  for (const [name, { value, instead }] of Object.entries(NEEDS_ALL_SAMPLES)) {
    if (settings[name as keyof Settings] !== value) continue
    throw new ParameterError(who, name, `${value} needs all samples in memory; on shards ${instead}`)
  }
  const { solver = 'auto' } = settings
  if (solver !== 'auto') throw new ParameterError(who, 'solver', 'auto on shards', solver)
  if (C === Number.POSITIVE_INFINITY) throw new ParameterError(who, 'C', 'finite on shards', C)
  const loss = lossOf(estimator)
  const isClassifier = estimator.learns === 'classes'
  const { classes } = manifest
  if (isClassifier && !classes)
    throw new DataError(`${folder}: the labels are numbers to be predicted, not classes`)
  if (isClassifier && classes?.length === 1) {
    throw new DataError(`${folder}: all samples have the class ${show(classes[0])}; two classes are needed`)
  }
  if (!isClassifier && manifest.labels === 'string') {
    throw new DataError(`${folder}: a regression needs numbers as labels`)
  }
  const counts = (classes ?? []).map((_, c) =>
    manifest.blocks.reduce((sum, block) => sum + (block.classes?.[c] ?? 0), 0),
  )
  const isSparse = manifest.layout === 'sparse'
  const scaling = scaler && scalerOfStatistics(scaler, await store.statistics(), manifest.rows, isSparse)
  return {
    task: {
      ...{ loss, C, epsilon, seed },
      constant: bias === 'none' ? 0 : interceptScaling,
      ...(isClassifier && {
        classes: classes!.map((label, c) => (typeof label === 'number' ? label : c)),
        classWeights: weightsOf(who, classes!, counts, settings.classWeight),
      }),
      ...(scaling && { scaler: scaling }),
    },
    run: { tol, maxIter, timeLimit },
  }
}

function lossOf(estimator: ShardEstimator): LinearLoss {
  if (estimator instanceof LinearSVR) return estimator.options.loss ?? 'epsilon-insensitive'
  if (estimator instanceof LogisticRegression) return 'logistic'
  return estimator.options.loss ?? 'squared-hinge'
}

/** The blocks of a store, read into two buffers in turn. */
function blocksOf(store: ShardStore) {
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

function modelOf(
  estimator: ShardEstimator,
  { manifest }: ShardStore,
  { task }: ShardPlan,
  solutions: readonly ShardSolution[],
): LinearSvcModel | LinearSvrModel {
  const { C, loss, epsilon, constant, scaler } = task
  const { columns } = manifest
  const certificates = solutions.map(({ certificate }) => certificate)
  const coef = new Float64Array(solutions.length * columns)
  const biases = Float64Array.from(solutions, ({ weights }) => constant * weights[columns])
  for (const [m, { weights }] of solutions.entries()) coef.set(weights.subarray(0, columns), m * columns)
  const training: TrainingSettings = {
    ...{ C, loss, bias: constant > 0 ? 'regularised' : 'none' },
    ...(constant > 0 && { interceptScaling: constant }),
    samples: manifest.rows,
    ...(manifest.weighted && { weighted: true }),
    fromDual: false,
  }
  const common = {
    features: columns,
    featureNames: manifest.featureNames,
    scaler: scaler as Scaler | undefined,
    certificates,
    liblinearSolver: liblinearNameOf(loss),
  }
  if (estimator instanceof LinearSVR) {
    return new LinearSvrModel({ ...common, coef, bias: biases[0], training: { ...training, epsilon } })
  }
  const { classWeight } = estimator.options
  return new LinearSvcModel({
    ...common,
    ...{ coef, biases, multiClass: 'ovr', classes: manifest.classes! },
    ...(loss === 'logistic' && { probability: logisticProbability(solutions.length) }),
    training: { ...training, ...(classWeight !== undefined && { classWeight }) },
  })
}

/** The solver of LIBLINEAR for the same problem: of those, the one that goes about it the same way. */
function liblinearNameOf(loss: LinearLoss): LiblinearSolver {
  const names = Object.keys(liblinearSolvers) as LiblinearSolver[]
  return names.find((name) => {
    const { loss: own, norm, primal } = liblinearSolvers[name]
    return own === loss && norm === 2 && primal === isSmooth(loss) && name !== 'MCSVM_CS'
  })!
}
