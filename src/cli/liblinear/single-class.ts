/**
 * Data of one class alone. LIBLINEAR trains on them all the same: one function that should be positive on every sample, which
 * predicts the one class whatever it says. Estimators refuse such data; a drop-in command does not.
 */
import type { Certificate } from '../../certify/certificate.ts'
import type { VectorDataset } from '../../data/table/dataset.ts'
import { logisticProbability } from '../../estimators/parts/linear-classifier.ts'
import { liblinearSolvers } from '../../models/known-problems.ts'
import { LinearSvcModel } from '../../models/linear-svc-model.ts'
import { makeLinearMachine } from '../../problems/linear-problem.ts'
import { type Progress, solve } from '../../solve/driver/run.ts'
import { linearAuto } from '../../solve/methods/linear-auto.ts'
import type { LiblinearSettings } from './liblinear-settings.ts'

/** Whether all samples have the same class. */
export function hasSingleClass({ labels }: VectorDataset): boolean {
  const [first] = labels
  return (labels as Float64Array).every((label) => label === first)
}

/** What a line about a function says of it. */
export type Figures = Pick<Certificate, 'iterations' | 'primal' | 'dual' | 'supportVectors'>

/** See the header of the file. */
export async function fitSingleClass(
  settings: LiblinearSettings,
  dataset: VectorDataset,
  onProgress: (progress: Progress) => void,
): Promise<{ readonly model: LinearSvcModel; readonly figures: Figures }> {
  const { name, C, bias, constant, hasConstant, tol } = settings
  const { loss, norm } = liblinearSolvers[name]
  const { samples } = dataset
  const { rows, cols } = samples
  const label = (dataset.labels as Float64Array)[0] + 0
  const common = {
    features: cols,
    classes: [label],
    liblinearSolver: name,
    training: { bias, ...(hasConstant && { interceptScaling: constant }) },
  }
  if (name === 'MCSVM_CS') {
    // There is no other class to keep a distance from: w is 0.
    const parts = { coef: new Float64Array(cols), biases: new Float64Array(1) }
    const model = new LinearSvcModel({ ...common, ...parts, multiClass: 'crammer-singer' })
    return { model, figures: { iterations: 1, primal: 0, dual: 0, supportVectors: 0 } }
  }
  const problem = makeLinearMachine({
    ...{ samples, norm, bias, constant, loss: loss as 'hinge' },
    z: new Float64Array(rows).fill(1),
    C: C * (settings.weightsIn(dataset)[label] ?? 1),
  })
  const solved = await solve(problem, linearAuto, {}, { tol, onProgress })
  const weights = solved.weights as Float64Array
  const model = new LinearSvcModel({
    ...common,
    coef: weights.slice(0, cols),
    biases: weights.slice(cols),
    ...(loss === 'logistic' && { probability: logisticProbability(1) }),
  })
  return { model, figures: solved.certificate }
}
