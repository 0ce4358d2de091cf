import { DataError } from '../../base/errors.ts'
import { isMatrix, type Matrix, type RowsInput, toMatrix } from '../../data/matrix/matrix.ts'
import { applyScaler, type Scaler } from '../../data/scaling/scaler.ts'
import { type Samples, sampleCount } from '../../data/table/dataset.ts'
import type { AnyKernel } from '../../kernels/kernel.ts'
import type { TrainingSettings } from '../../models/model-parts.ts'
import type { Solved } from '../../solve/driver/solved.ts'
import type { Unlabelled } from './estimator.ts'
import { fitScaler, type ScalerChoice } from './scaler-choice.ts'

/** The samples as the solver sees them, and the scaler that made them so. */
export interface TrainingSamples<P extends Samples = Samples> {
  readonly samples: P
  readonly scaler: Scaler | undefined
}

/** What a model keeps of how it was trained: the settings, and what can be said of the data without them. */
export function trainedWith(
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

/** The vectors of a data set, checked and scaled. */
export function trainingVectors(
  dataset: Unlabelled,
  choice: ScalerChoice | undefined,
): TrainingSamples<Matrix> {
  const matrix = toMatrix(dataset.samples as RowsInput)
  if (choice === undefined) return { samples: matrix, scaler: undefined }
  const scaler = fitScaler(choice, matrix)
  return { samples: applyScaler(scaler, matrix), scaler }
}

/** The samples of a data set for a kernel: vectors, unless the kernel takes anything and got a list. */
export function trainingSamples(
  who: string,
  dataset: Unlabelled,
  kernel: AnyKernel,
  choice: ScalerChoice | undefined,
): TrainingSamples {
  if (isMatrix(dataset.samples) || kernel.portable) return trainingVectors(dataset, choice)
  if (choice !== undefined) throw new DataError(`${who}: samples that are not a matrix cannot be scaled`)
  return { samples: dataset.samples, scaler: undefined }
}
