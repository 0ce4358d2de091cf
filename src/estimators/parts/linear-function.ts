import type { Dataset } from '../../data/table/dataset.ts'
import type { LiblinearSolver, SingleLinearParts, TrainingSettings } from '../../models/model-parts.ts'
import type { LinearMachineProblem } from '../../problems/linear-problem.ts'
import type { Solved } from '../../solve/driver/solved.ts'
import type { Unlabelled } from './estimator.ts'
import { type TrainingSamples, trainedWith } from './training-samples.ts'

/** What a model of one linear function is made of, but for the dual variables. */
export function linearFunctionParts(
  dataset: Unlabelled & Pick<Partial<Dataset>, 'featureNames'>,
  { samples, scaler }: TrainingSamples<LinearMachineProblem['samples']>,
  solved: Solved,
  settings: TrainingSettings,
  liblinearSolver: LiblinearSolver,
): SingleLinearParts {
  const weights = solved.weights as Float64Array
  return {
    coef: weights.slice(0, samples.cols),
    bias: weights[samples.cols],
    liblinearSolver,
    features: samples.cols,
    featureNames: dataset.featureNames,
    scaler,
    certificates: solved.certificates,
    training: trainedWith(dataset, settings, solved),
  }
}
