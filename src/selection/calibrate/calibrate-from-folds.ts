/** Calibration from what was said of the folds of a search: no further fit is needed. */
import { DataError } from '../../base/errors.ts'
import { fitLaplaceNoise } from '../../calibration/laplace-noise.ts'
import type { Dataset } from '../../data/table/dataset.ts'
import { pairCount } from '../../models/pairs.ts'
import { SvcModel } from '../../models/svc-model.ts'
import { SvrModel } from '../../models/svr-model.ts'
import type { FoldOutput } from '../score/fold-output.ts'
import type { Predictor } from '../search/estimator.ts'
import type { Fold } from '../split/splits.ts'
import { pairProbabilities } from './calibrate.ts'
import { gatherUnseen } from './unseen-values.ts'

/** How a model can be calibrated: probabilities of a kernel classifier, the noise of a kernel regression. */
export const calibrations = ['sigmoid', 'isotonic', 'laplace'] as const

/** See {@link calibrations}. */
export type Calibration = (typeof calibrations)[number]

/** How estimators of this library can be calibrated, by their names; all others cannot. */
export const calibrationsOf: Readonly<Partial<Record<string, readonly Calibration[]>>> = {
  svc: ['sigmoid', 'isotonic'],
  'nu-svc': ['sigmoid', 'isotonic'],
  svr: ['laplace'],
  'nu-svr': ['laplace'],
}

/** Whether there are values to calibrate by. */
export function canCalibrate(output: FoldOutput | undefined): boolean {
  return valuesOf(output) !== undefined
}

/** A model of all samples, calibrated by the outputs of models that had not seen the samples of their folds. */
export function calibrateFromFolds(
  model: Predictor,
  data: Dataset<unknown>,
  folds: readonly Fold[],
  outputs: readonly FoldOutput[],
  method: Calibration,
): Predictor {
  const { trace } = model as { trace?: unknown }
  if (model instanceof SvrModel && method === 'laplace') {
    const { values, seen } = gatherUnseen(data, folds, outputs.map(foundValues), 1)
    const targets = seen.labels as Float64Array
    const sigma = fitLaplaceNoise(values.map((value, i) => targets[i] - value))
    const parts = { ...model, bias: model.bias, probability: { method, sigma } }
    return Object.assign(new SvrModel(parts), { trace })
  }
  if (!(model instanceof SvcModel) || method === 'laplace') {
    throw new DataError(`tune: this model cannot be calibrated by ${method}`)
  }
  const pairs = pairCount(model.classes.length)
  const { values, seen } = gatherUnseen(data, folds, outputs.map(foundValues), pairs)
  const valueFor = (i: number, _other: number, pair: number) => values[i * pairs + pair]
  const probability = pairProbabilities('tune', valueFor, seen, model.classes, method)
  return Object.assign(new SvcModel({ ...model, probability }), { trace })
}

function foundValues(output: FoldOutput | undefined): Float64Array {
  const values = valuesOf(output)
  if (!values) throw new DataError('tune: this estimator has no values to calibrate with')
  return values
}

const valuesOf = (output: FoldOutput | undefined): Float64Array | undefined =>
  output?.pairDecisions ?? output?.decisions
