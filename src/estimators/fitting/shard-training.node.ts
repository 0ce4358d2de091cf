/** What training on shards is made of, whatever the estimator, and what all estimators need to know of a sharded data set. */
import { DataError, ParameterError, show } from '../../base/errors.ts'
import type { Certificate } from '../../certify/certificate.ts'
import { measuredFeatures } from '../../data/preparation/column-preparation.ts'
import type { Scaler } from '../../data/scaling/scaler.ts'
import type { ShardStore } from '../../data/shards/shard-store.node.ts'
import type { Model } from '../../models/model.ts'
import type { ModelParts } from '../../models/model-parts.ts'
import type { ShardExecutor, ShardKeep } from '../../solve/shards/shard-executor.ts'
import type { ShardRunProgress } from '../../solve/shards/shard-run.ts'
import { type ClassWeight, weightsOf } from '../parts/class-targets.ts'
import { type ScalerChoice, scalerOfStatistics } from '../parts/scaler-choice.ts'

/** Settings of a run that do not come from the estimator. */
export interface ShardRunSettings {
  /** Names the run. */
  readonly run: string
  /** Rounds after which to stop. Default: as the estimator has it. */
  readonly rounds?: number | undefined
  readonly together: number
  /** Memory beside that of blocks. */
  readonly memoryBytes: number
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: ShardRunProgress) => void) | undefined
}

/** An estimator that is to be trained on one sharded data set. */
export interface ShardTraining {
  /** What decides the result, as plain data: the same key, the same bits. */
  key(settings: Pick<ShardRunSettings, 'together' | 'memoryBytes'>): unknown
  /** The model; undefined where it was stopped before there was one. */
  train(executor: ShardExecutor, keep: ShardKeep, settings: ShardRunSettings): Promise<Model | undefined>
}

/** Throws where an estimator has a setting that needs all samples at a time. */
export function refuseOnShards(who: string, { targetScaling, solver, C }: SettingsInMemory): void {
  if (targetScaling) {
    throw new ParameterError(who, 'targetScaling', 'does not apply to shards: scale the targets yourself')
  }
  if (solver !== undefined) throw new ParameterError(who, 'solver', 'does not apply to shards')
  if (C === Number.POSITIVE_INFINITY) throw new ParameterError(who, 'C', 'finite on shards', C)
}

interface SettingsInMemory {
  readonly targetScaling?: boolean
  readonly solver?: unknown
  readonly C?: number
}

/** What a model keeps of a sharded data set, its scaler and its certificates. */
export function shardModelParts(
  { manifest: { columns: features, featureNames, preparation } }: ShardStore,
  scaler: Scaler | undefined,
  solutions: readonly { readonly certificate: Certificate }[],
): ModelParts {
  const certificates = solutions.map(({ certificate }) => certificate)
  return { features, featureNames, preparation, scaler, certificates }
}

/** The classes of a classifier, as blocks have them, and their weights; nothing for others. Throws for labels that do not suit. */
export function classesOnShards(
  estimator: { readonly learns: string },
  { manifest, folder }: ShardStore,
  classWeight: ClassWeight | undefined,
): { readonly classes?: readonly number[]; readonly classWeights?: readonly number[] } {
  const { classes } = manifest
  if (estimator.learns === 'numbers' && manifest.labels === 'string') {
    throw new DataError(`${folder}: regression needs numeric labels`)
  }
  if (estimator.learns !== 'classes') return {}
  if (!classes) throw new DataError(`${folder}: the labels are numbers to be predicted, not classes`)
  if (classes.length === 1) {
    throw new DataError(`${folder}: all samples have the class ${show(classes[0])}; two classes are needed`)
  }
  const counts = classes.map((_, c) =>
    manifest.blocks.reduce((sum, block) => sum + (block.classes?.[c] ?? 0), 0),
  )
  return {
    classes: classes.map((label, c) => (typeof label === 'number' ? label : c)),
    classWeights: weightsOf(estimator.constructor.name, classes, counts, classWeight),
  }
}

/** The scaler of all samples, from what the manifest knows of them. */
export async function scalerOnShards(
  choice: ScalerChoice | undefined,
  store: ShardStore,
): Promise<Scaler | undefined> {
  if (choice === undefined) return undefined
  const { rows, layout, preparation } = store.manifest
  const measured = preparation && measuredFeatures(preparation)
  return scalerOfStatistics(choice, await store.statistics(), rows, layout === 'sparse', measured)
}
