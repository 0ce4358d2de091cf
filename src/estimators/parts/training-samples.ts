import { DataError } from '../../base/errors.ts'
import { isMatrix, type Matrix, type RowsInput, toMatrix } from '../../data/matrix/matrix.ts'
import {
  applyPreparation,
  type ColumnPreparation,
  fitPreparation,
  measuredFeatures,
  preparedNames,
} from '../../data/preparation/column-preparation.ts'
import { applyScaler, type Scaler } from '../../data/scaling/scaler.ts'
import { type RawSamples, type Samples, sampleCount } from '../../data/table/dataset.ts'
import { isTable, type Table } from '../../data/table/table.ts'
import type { AnyKernel } from '../../kernels/kernel.ts'
import type { ModelParts, TrainingSettings } from '../../models/model-parts.ts'
import type { Solved } from '../../solve/driver/solved.ts'
import type { Unlabelled } from './estimator.ts'
import { fitScaler, type ScalerChoice } from './scaler-choice.ts'

/** The samples as the solver sees them, and what made them so: the preparation of a table, and the scaler. */
export interface TrainingSamples<P extends Samples = Samples> {
  readonly samples: P
  readonly preparation?: ColumnPreparation | undefined
  readonly scaler: Scaler | undefined
}

/** What every model says of the data it was trained on, of the problem, and of how well it was solved. */
export function modelParts(
  dataset: Unlabelled,
  training: TrainingSamples,
  solved: Solved,
  settings: TrainingSettings,
): ModelParts {
  return {
    ...inputParts(dataset, training),
    certificates: solved.certificates,
    training: trainedWith(dataset, settings, solved),
  }
}

/** What a model keeps of how it was trained: the settings, and what can be said of the data without them. */
function trainedWith(
  dataset: Unlabelled,
  { classWeight, ...settings }: TrainingSettings,
  { beta, weights }: Solved,
): TrainingSettings {
  return {
    ...settings,
    ...(classWeight !== undefined && { classWeight }),
    samples: sampleCount(dataset.samples),
    ...(dataset.weights && { weighted: true }),
    ...((beta || weights) && { fromDual: false }),
  }
}

/** What a model keeps of its input: how rows become what the solver saw. */
export function inputParts(
  dataset: Unlabelled,
  { samples, preparation, scaler }: TrainingSamples,
): Pick<ModelParts, 'features' | 'featureNames' | 'preparation' | 'scaler'> {
  return {
    features: isMatrix(samples) ? samples.cols : undefined,
    featureNames: preparation ? preparedNames(preparation) : dataset.featureNames,
    preparation,
    scaler,
  }
}

/** Samples that a reader has checked, and that nobody changes. */
const trusted = new WeakSet<object>()

/** Has samples that were read from a file taken as they are: to check them again takes a short command a twentieth of its time. */
export function trustSamples(samples: Matrix): void {
  trusted.add(samples)
}

/** The vectors of a data set, checked, prepared where they are a table, and scaled. */
export function trainingVectors(
  { samples }: { readonly samples: RawSamples },
  choice: ScalerChoice | undefined,
): TrainingSamples<Matrix> {
  const preparation = isTable(samples) ? fitPreparation(samples) : undefined
  const matrix = preparation
    ? applyPreparation(preparation, samples as never)
    : trusted.has(samples)
      ? (samples as Matrix)
      : toMatrix(samples as RowsInput)
  if (choice === undefined) return { samples: matrix, preparation, scaler: undefined }
  const scaler = fitScaler(choice, matrix, preparation && measuredFeatures(preparation))
  return { samples: applyScaler(scaler, matrix), preparation, scaler }
}

/** Other samples as the vectors of a training set were made. */
export function asTrained({ preparation, scaler }: TrainingSamples, samples: Matrix | Table): Matrix {
  const matrix = preparation ? applyPreparation(preparation, samples as Table) : (samples as Matrix)
  return scaler ? applyScaler(scaler, matrix) : matrix
}

/** The samples of a data set for a kernel: vectors, unless the kernel takes anything and got a list. */
export function trainingSamples(
  who: string,
  dataset: Unlabelled,
  kernel: AnyKernel,
  choice: ScalerChoice | undefined,
): TrainingSamples {
  const { samples } = dataset
  if (isMatrix(samples) || isTable(samples) || kernel.portable) return trainingVectors(dataset, choice)
  if (choice !== undefined) throw new DataError(`${who}: samples that are not a matrix cannot be scaled`)
  return { samples, scaler: undefined }
}
