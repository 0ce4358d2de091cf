/** Linear estimators on a sharded data set: their task, and the model of its solutions. */
import { ParameterError } from '../../base/errors.ts'
import type { Scaler } from '../../data/scaling/scaler.ts'
import type { ShardStore } from '../../data/shards/shard-store.node.ts'
import { liblinearSolvers } from '../../models/known-problems.ts'
import { LinearSvcModel } from '../../models/linear-svc-model.ts'
import { LinearSvrModel } from '../../models/linear-svr-model.ts'
import type { Model } from '../../models/model.ts'
import type { TrainingSettings } from '../../models/model-parts.ts'
import type { LiblinearSolver } from '../../models/model-types.ts'
import { isSmooth, type LinearLoss } from '../../problems/linear-loss.ts'
import type { LinearShardTask } from '../../solve/shards/shard-task.ts'
import { type ShardSolution, solveOnShards } from '../../solve/shards/solve-on-shards.ts'
import type { LinearSVC, LinearSvcOptions } from '../linear-svc.ts'
import { LinearSVR, type LinearSvrOptions } from '../linear-svr.ts'
import { LogisticRegression } from '../logistic-regression.ts'
import { logisticProbability } from '../parts/linear-classifier.ts'
import { type LinearModel, linearStart } from '../parts/linear-start.ts'
import {
  classesOnShards,
  refuseOnShards,
  type ShardTraining,
  scalerOnShards,
  shardModelParts,
} from './shard-training.node.ts'

/** Linear estimators that can be trained on shards. */
export type LinearShardEstimator = LinearSVC | LogisticRegression | LinearSVR

/** Gap to reach, as a part of the primal value. */
const DEFAULT_TOL = 1e-6
/** Rounds: each lowers the gap by a factor on which the data decide, Newton's by ten and more. */
const DEFAULT_ROUNDS = 1000

/** Settings that need all samples at a time, and what there is instead. */
const REFUSED: Readonly<Record<string, { readonly value: unknown; readonly instead: string }>> = {
  multiClass: { value: 'crammer-singer', instead: 'there is ovr, each class against the rest' },
  keepDual: { value: true, instead: 'the dual variables stay beside the blocks while training' },
  bias: { value: 'free', instead: 'SVC with a linear kernel has a free bias' },
  penalty: { value: 'l1', instead: 'there is l2' },
}

/** How a linear estimator is trained on shards, from a model on. Throws a ParameterError for settings that need all samples at a time. */
export async function linearTraining(
  estimator: LinearShardEstimator,
  store: ShardStore,
  model?: Model,
): Promise<ShardTraining> {
  const { tol = DEFAULT_TOL, maxIter = DEFAULT_ROUNDS, timeLimit } = estimator.options as Settings
  const task = await taskOf(estimator, store)
  const start = model && startOf(estimator, store, task, model)
  return {
    key: (settings) => [task, settings.together, ...(start ? [start.map((own) => Array.from(own))] : [])],
    async train(executor, keep, { rounds = maxIter, ...settings }) {
      const options = { ...settings, start, tol, maxIter: rounds, timeLimit }
      const solutions = await solveOnShards(task, executor, keep, options)
      return modelOf(estimator, store, task, solutions)
    },
  }
}

/** The settings of all of them. */
type Settings = Omit<LinearSvcOptions & LinearSvrOptions, 'loss'>

async function taskOf(estimator: LinearShardEstimator, store: ShardStore): Promise<LinearShardTask> {
  const settings = estimator.options as Settings
  const { C = 1, epsilon = 0, interceptScaling = 1, seed = 0, bias = 'regularised' } = settings
  const who = estimator.constructor.name
  for (const [name, { value, instead }] of Object.entries(REFUSED)) {
    if (settings[name as keyof Settings] !== value) continue
    throw new ParameterError(who, name, `${value} needs all samples in memory; on shards ${instead}`)
  }
  refuseOnShards(who, settings)
  const scaler = await scalerOnShards(settings.scaler, store)
  return {
    ...{ loss: lossOf(estimator), C, epsilon, seed },
    constant: bias === 'none' ? 0 : interceptScaling,
    ...classesOnShards(estimator, store, settings.classWeight),
    ...(scaler && { scaler }),
  }
}

/** w̃ of each function as a model has it. */
function startOf(
  estimator: LinearShardEstimator,
  { manifest }: ShardStore,
  { scaler, constant }: LinearShardTask,
  model: Model,
): Float64Array[] {
  const { columns: cols, rows, layout, featureNames, classes } = manifest
  const { weights } = linearStart(
    model as LinearModel,
    estimator instanceof LinearSVR ? 'linear-svr' : 'linear-svc',
    {
      samples: { kind: layout, rows, cols },
      ...{ scaler, featureNames, settings: {}, who: 'fitOnShards' },
      ...(estimator.learns === 'classes' && classes && { classes }),
    },
  )
  return Array.from({ length: weights.length / (cols + 1) }, (_, which) => {
    const own = weights.slice(which * (cols + 1), (which + 1) * (cols + 1))
    own[cols] = constant > 0 ? own[cols] / constant : 0
    return own
  })
}

function lossOf(estimator: LinearShardEstimator): LinearLoss {
  if (estimator instanceof LinearSVR) return estimator.options.loss ?? 'epsilon-insensitive'
  if (estimator instanceof LogisticRegression) return 'logistic'
  return estimator.options.loss ?? 'squared-hinge'
}

function modelOf(
  estimator: LinearShardEstimator,
  store: ShardStore,
  task: LinearShardTask,
  solutions: readonly ShardSolution[],
): LinearSvcModel | LinearSvrModel {
  const { C, loss, epsilon, constant, scaler } = task
  const { manifest } = store
  const { columns } = manifest
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
  const own = shardModelParts(store, scaler as Scaler | undefined, solutions)
  const common = { ...own, liblinearSolver: liblinearNameOf(loss) }
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
