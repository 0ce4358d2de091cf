/** Kernel estimators on a sharded data set: their task, and the model of its solutions. */
import { ParameterError } from '../../base/errors.ts'
import { countUp, pickNumbers } from '../../base/lists.ts'
import { pack } from '../../base/packing.ts'
import { isMatrix, type Matrix, selectRows } from '../../data/matrix/matrix.ts'
import { type Scaler, scaleValues } from '../../data/scaling/scaler.ts'
import type { ColumnStatistics } from '../../data/shards/column-statistics.ts'
import type { ShardStore } from '../../data/shards/shard-store.node.ts'
import { sha256Of } from '../../data/shards/write-shards.node.ts'
import { buildName } from '../../engine/memory/engine-build.ts'
import type { AnyKernel } from '../../kernels/kernel.ts'
import { rbf } from '../../kernels/rbf.ts'
import type { Model } from '../../models/model.ts'
import type { TrainingSettings } from '../../models/model-parts.ts'
import { OneClassModel } from '../../models/one-class-model.ts'
import { SvcModel } from '../../models/svc-model.ts'
import { SvrModel } from '../../models/svr-model.ts'
import { classPairs, membersOf, rowsOfPair } from '../../problems/pairwise-problem.ts'
import { SolvedBuilder } from '../../solve/driver/solved.ts'
import type { KernelStart } from '../../solve/dual/kernel-start.ts'
import { type KernelShardTask, taskKernel } from '../../solve/shards/kernel-task.ts'
import { type KernelShardSolution, solveKernelOnShards } from '../../solve/shards/solve-kernel-on-shards.ts'
import { NuSVC, type NuSvcOptions } from '../nu-svc.ts'
import { OneClassSVM } from '../one-class-svm.ts'
import { singleExpansion } from '../parts/kernel-estimator.ts'
import { pairExpansion } from '../parts/pair-expansion.ts'
import { SVC, type SvcOptions } from '../svc.ts'
import type { SVR, SvrOptions } from '../svr.ts'
import {
  classesOnShards,
  refuseOnShards,
  type ShardTraining,
  scalerOnShards,
  shardModelParts,
} from './shard-training.node.ts'

/** Kernel estimators that can be trained on shards. */
export type KernelShardEstimator = SVC | NuSVC | SVR | OneClassSVM

/** As of `smo`, and of LIBSVM. */
const DEFAULT_TOL = 1e-3
/** Rounds: a few dozen are many. */
const DEFAULT_ROUNDS = 1000
/** Share of the memory for kernel rows of one solution; the rest is for the samples of the set and of the support vectors. */
const CACHE_SHARE = 1 / 2

/** The settings of all of them. */
type Settings = SvcOptions & NuSvcOptions & SvrOptions

/** How a kernel estimator is trained on shards, from a model on. Throws a ParameterError for settings that need all samples at a time. */
export async function kernelTraining(
  estimator: KernelShardEstimator,
  store: ShardStore,
  model?: Model,
): Promise<ShardTraining> {
  const { tol = DEFAULT_TOL, timeLimit, threads, cacheBytes } = estimator.options as Settings
  const task = await taskOf(estimator, store)
  const start = model && startOf(task, store, model)
  const cacheOf = (memoryBytes: number) => cacheBytes ?? Math.floor(CACHE_SHARE * memoryBytes)
  return {
    key: ({ memoryBytes }) => [
      ...[task, tol, cacheOf(memoryBytes)],
      ...(start ? [sha256Of(pack(start))] : []),
    ],
    async train(executor, keep, { rounds = DEFAULT_ROUNDS, memoryBytes, ...settings }) {
      const own = { start, tol, rounds, timeLimit, threads, cacheBytes: cacheOf(memoryBytes) }
      const solution = await solveKernelOnShards(task, executor, keep, { ...settings, ...own })
      return solution && modelOf(estimator, store, task, solution)
    },
  }
}

async function taskOf(estimator: KernelShardEstimator, store: ShardStore): Promise<KernelShardTask> {
  const settings = estimator.options as Settings
  const { kernel = rbf(), C = 1, nu = 0.5, epsilon = 0.1, seed = 0 } = settings
  const who = estimator.constructor.name
  if (!kernel.portable || kernel.spec.kind === 'precomputed') {
    throw new ParameterError(
      who,
      'kernel',
      `${kernel.spec.kind} does not apply to shards: use a kernel of vectors without functions of your own`,
    )
  }
  refuseOnShards(who, settings)
  if (settings.maxIter !== undefined) {
    throw new ParameterError(who, 'maxIter', 'does not apply to shards: limit the rounds instead')
  }
  const scaler = await scalerOnShards(settings.scaler, store)
  return {
    type: typeOf(estimator),
    kernel: (await settled(kernel, store, scaler)).spec,
    ...{ C, nu, epsilon, seed, engine: buildName() },
    ...classesOnShards(estimator, store, settings.classWeight),
    ...(scaler && { scaler }),
  }
}

/** The support vectors of a model of the same type, and α of each function: in proportion to C where that is another one. */
function startOf(task: KernelShardTask, { manifest }: ShardStore, model: Model): KernelStart {
  const { type, C, classes } = task
  const who = 'fitOnShards'
  if (model.type !== type || !('supportVectors' in model) || !isMatrix(model.supportVectors)) {
    throw new ParameterError(who, 'start', `a model of type ${type} of vectors`, model.type)
  }
  const { supportVectors: vectors, dualCoef, training } = model as SvcModel | SvrModel
  const ratio = (type === 'svc' || type === 'svr') && training?.C ? C / training.C : 1
  if (!classes) return { vectors: vectors as Matrix, alphas: [dualCoef.map((own) => ratio * own)] }
  const { classes: known, supportCounts } = model as SvcModel
  if (String(known) !== String(manifest.classes)) {
    throw new ParameterError(who, 'start', `a model of the classes ${manifest.classes}`, `${known}`)
  }
  const count = dualCoef.length / (classes.length - 1)
  const classOf = Uint32Array.from(known.flatMap((_, c) => new Array<number>(supportCounts[c]).fill(c)))
  const alphas = Array.from(classPairs(classes.length), ([first, second]) =>
    Float64Array.from(classOf, (c, s) => {
      // As SvcParts has it: row j − 1 for vectors of class i, row i for those of class j.
      const row = c === first ? second - 1 : c === second ? first : undefined
      return row === undefined ? 0 : ratio * Math.abs(dualCoef[row * count + s])
    }),
  )
  return { vectors: vectors as Matrix, labels: Float64Array.from(classOf, (c) => classes[c]), alphas }
}

function typeOf(estimator: KernelShardEstimator): KernelShardTask['type'] {
  if (estimator instanceof SVC) return 'svc'
  if (estimator instanceof NuSVC) return 'nu-svc'
  return estimator instanceof OneClassSVM ? 'one-class' : 'svr'
}

/** The kernel with what depends on the data settled: two rows that vary as much as all samples do stand for these. */
async function settled(kernel: AnyKernel, store: ShardStore, scaler: Scaler | undefined): Promise<AnyKernel> {
  const { rows, columns } = store.manifest
  const deviation = kernel.dependsOnSamples
    ? Math.sqrt(varianceOf(await store.statistics(), rows, scaler))
    : 0
  const values = new Float64Array(2 * columns).fill(deviation, 0, columns).fill(-deviation, columns)
  return kernel.resolve({ kind: 'dense', rows: 2, cols: columns, values })
}

/** The variance of all entries of the samples, scaled: a scaler takes a column to another by a straight line. */
function varianceOf(statistics: ColumnStatistics, rows: number, scaler: Scaler | undefined): number {
  const { min, max, mean, deviations } = statistics
  const count = mean.length
  const scaled = (values: Float64Array) => {
    const images = values.slice()
    if (scaler) scaleValues(scaler, images, countUp(count))
    return images
  }
  const [low, high, means] = [min, max, mean].map(scaled)
  const centre = means.reduce((sum, value) => sum + value, 0) / count
  let squares = 0
  for (let j = 0; j < count; j++) {
    const slope = max[j] > min[j] ? (high[j] - low[j]) / (max[j] - min[j]) : 0
    squares += deviations[j] * slope * slope + rows * (means[j] - centre) ** 2
  }
  return count === 0 ? 0 : squares / (rows * count)
}

function modelOf(
  estimator: KernelShardEstimator,
  store: ShardStore,
  task: KernelShardTask,
  { set, functions }: KernelShardSolution,
): Model {
  const { manifest } = store
  const starts: number[] = []
  for (const { rows } of manifest.blocks) starts.push((starts.at(-1) ?? 0) + rows)
  const serial = (i: number) => (set.blocks[i] === 0 ? 0 : starts[set.blocks[i] - 1]) + set.rows[i]
  const used = countUp(set.rows.length)
    .filter((i) => functions.some(({ alpha }) => alpha[i] !== 0))
    .sort((a, b) => serial(a) - serial(b))
  const samples = selectRows(set.samples, used)
  const kernel = taskKernel(task)
  const { type, scaler, C, nu, epsilon } = task
  const training: TrainingSettings = {
    ...(type === 'svc' || type === 'svr' ? { C } : { nu }),
    ...(type === 'svr' && { epsilon }),
    samples: manifest.rows,
    ...(manifest.weighted && { weighted: true }),
  }
  const common = shardModelParts(store, scaler, functions)
  const numbered = <E extends { readonly supportIndices: Uint32Array }>(expansion: E) => ({
    ...expansion,
    supportIndices: expansion.supportIndices.map((s) => serial(used[s])),
  })
  if (!task.classes) {
    const [{ alpha, bias }] = functions
    const expansion = numbered(singleExpansion<never>(kernel, samples, pickNumbers(alpha, used)))
    const parts = { ...common, training, ...expansion, bias }
    return type === 'svr' ? new SvrModel({ ...parts, type }) : new OneClassModel(parts)
  }
  const { classWeight, decisionFunctionShape, breakTies } = estimator.options as Settings
  const { classes } = task
  const classCount = classes.length
  const classOf = Uint32Array.from(used, (i) => classes.indexOf(set.labels[i]))
  const members = membersOf(classOf, classCount)
  const builder = new SolvedBuilder(functions.length)
  for (const [p, pair] of [...classPairs(classCount)].entries()) {
    const all = pickNumbers(functions[p].alpha, used)
    const alpha = classCount === 2 ? all : pickNumbers(all, rowsOfPair(members, pair))
    builder.add({ ...functions[p], alpha, trace: [] })
  }
  return new SvcModel({
    ...common,
    type: type === 'svc' ? 'svc' : 'nu-svc',
    classes: manifest.classes!,
    ...{ decisionFunctionShape, breakTies },
    training: { ...training, ...(classWeight !== undefined && { classWeight }), bias: 'free' },
    ...numbered(pairExpansion<never>({ kernel, samples, classOf, classCount, solved: builder.solved })),
  })
}
