import type { SingleLinearParts, TrainingSettings } from '../../models/model-parts.ts'
import type { LiblinearSolver } from '../../models/model-types.ts'
import type { LinearMachineProblem } from '../../problems/linear-problem.ts'
import type { Solved } from '../../solve/driver/solved.ts'
import type { Unlabelled } from './estimator.ts'
import { inputParts, type TrainingSamples, trainedWith } from './training-samples.ts'

/** What a model of one linear function is made of, except for the dual variables. */
export function linearFunctionParts(
  dataset: Unlabelled,
  training: TrainingSamples<LinearMachineProblem['samples']>,
  solved: Solved,
  settings: TrainingSettings,
  liblinearSolver: LiblinearSolver,
): SingleLinearParts {
  const weights = solved.weights as Float64Array
  const { cols } = training.samples
  return {
    coef: weights.slice(0, cols),
    bias: weights[cols],
    liblinearSolver,
    ...inputParts(dataset, training),
    certificates: solved.certificates,
    training: trainedWith(dataset, settings, solved),
  }
}
