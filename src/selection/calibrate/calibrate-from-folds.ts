/** Calibration from what was said of the folds of a search: no further fit is needed. */
import { DataError } from '../../base/errors.ts'
import { fitLaplaceNoise } from '../../calibration/laplace-noise.ts'
import { type Dataset, sampleCount, selectSamples } from '../../data/table/dataset.ts'
import { pairCount } from '../../models/pairs.ts'
import { SvcModel } from '../../models/svc-model.ts'
import { SvrModel } from '../../models/svr-model.ts'
import type { FoldOutput } from '../score/fold-output.ts'
import type { Predictor } from '../search/estimator.ts'
import type { Fold } from '../split/splits.ts'
import { pairProbabilities } from './calibrate.ts'

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
  data: Dataset,
  folds: readonly Fold[],
  outputs: readonly FoldOutput[],
  method: Calibration,
): Predictor {
  const { trace } = model as { trace?: unknown }
  if (model instanceof SvrModel && method === 'laplace') {
    const { values, seen } = outOfFold(data, folds, outputs, 1)
    const targets = seen.labels as Float64Array
    const sigma = fitLaplaceNoise(values.map((value, i) => targets[i] - value))
    const parts = { ...model, bias: model.bias, probability: { method, sigma } }
    return Object.assign(new SvrModel(parts), { trace })
  }
  if (!(model instanceof SvcModel) || method === 'laplace') {
    throw new DataError(`tune: this model cannot be calibrated by ${method}`)
  }
  const pairs = pairCount(model.classes.length)
  const { values, seen } = outOfFold(data, folds, outputs, pairs)
  const probability = pairProbabilities((i, _other, pair) => values[i * pairs + pair], seen, method)
  return Object.assign(new SvcModel({ ...model, probability }), { trace })
}

/** So many values for every sample that was held out, by the first model that had not seen it. */
function outOfFold(data: Dataset, folds: readonly Fold[], outputs: readonly FoldOutput[], width: number) {
  const count = sampleCount(data.samples)
  const all = new Float64Array(count * width)
  const done = new Uint8Array(count)
  folds.forEach(({ test }, f) => {
    const values = valuesOf(outputs[f])
    if (!values) throw new DataError('tune: this estimator gives no values to calibrate by')
    test.forEach((i, k) => {
      if (done[i]) return
      done[i] = 1
      all.set(values.subarray(k * width, (k + 1) * width), i * width)
    })
  })
  const covered = Uint32Array.from(done.keys()).filter((i) => done[i] === 1)
  const values = new Float64Array(covered.length * width)
  covered.forEach((i, k) => {
    values.set(all.subarray(i * width, (i + 1) * width), k * width)
  })
  return { values, seen: selectSamples(data, covered) }
}

const valuesOf = (output: FoldOutput | undefined): Float64Array | undefined =>
  output?.pairDecisions ?? output?.decisions
