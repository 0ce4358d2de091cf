/** A small model of every type, with the data it was trained on. */
import { makeDataset, selectSamples } from '../../src/data/table/dataset.ts'
import { LinearSVC } from '../../src/estimators/linear-svc.ts'
import { LinearSVR } from '../../src/estimators/linear-svr.ts'
import { NuSVC } from '../../src/estimators/nu-svc.ts'
import { NuSVR } from '../../src/estimators/nu-svr.ts'
import { OneClassSVM } from '../../src/estimators/one-class-svm.ts'
import { SVC } from '../../src/estimators/svc.ts'
import { SVR } from '../../src/estimators/svr.ts'
import { linear } from '../../src/kernels/linear.ts'
import { polynomial } from '../../src/kernels/polynomial.ts'
import { precomputed } from '../../src/kernels/precomputed.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { sigmoid } from '../../src/kernels/sigmoid.ts'
import type { Model } from '../../src/models/model.ts'
import { clouds, curve, kernelRows } from '../suites/tool-data.ts'

export const two = clouds(1, 80, [-1, 1])
export const three = clouds(2, 90, [1, 2, 3])
export const line = curve(3, 80)
/** The same rows, with a weight each. */
export const weighted = {
  ...two,
  weights: Float64Array.from({ length: 80 }, (_, i) => 0.5 + (i % 4)),
}
export const named = makeDataset(
  three.samples,
  Array.from(three.labels as Float64Array, (label) => ['ant', 'bee', 'cow'][label - 1]),
  { featureNames: ['a', 'b', 'c', 'd', 'e'] },
)
const twice = selectSamples(
  two,
  Array.from({ length: 160 }, (_, i) => i % 80),
)
const gram = { ...two, samples: kernelRows(two.samples, two.samples) }

const kernels = {
  linear: linear(),
  poly: polynomial({ degree: 2, coef0: 1, gamma: 0.3 }),
  rbf: rbf({ gamma: 0.2 }),
  sigmoid: sigmoid({ gamma: 0.05, coef0: -0.2 }),
}

interface Fitter<D> {
  fitSync(data: D): Model
}

function trained<D>(name: string, estimator: Fitter<D>, data: D) {
  return { name, model: estimator.fitSync(data), data: data as typeof two }
}

/** Models that keep support vectors and are dual points. */
export const kernelModels = [
  ...Object.entries(kernels).map(([name, kernel]) => trained(`svc ${name}`, new SVC({ kernel, C: 2 }), two)),
  ...Object.entries(kernels).map(([name, kernel]) =>
    trained(`one-class ${name}`, new OneClassSVM({ kernel, nu: 0.2 }), two),
  ),
  ...Object.entries(kernels).map(([name, kernel]) => trained(`svr ${name}`, new SVR({ kernel, C: 3 }), line)),
  trained('svc precomputed', new SVC({ kernel: precomputed(), C: 2 }), gram),
  trained('svc of three', new SVC({ C: 2, classWeight: { 2: 3 } }), three),
  trained('svc balanced', new SVC({ C: 2, classWeight: 'balanced' }), three),
  trained('svc scaled', new SVC({ C: 2, scaler: 'standard' }), three),
  trained('svc named', new SVC({ C: 2, scaler: 'range' }), named),
  trained('svc weighted', new SVC({ C: 2 }), weighted),
  trained('svc twice', new SVC({ C: 2 }), twice),
  trained('svc sdca', new SVC({ C: 2, solver: 'sdca' }), two),
  trained('svc working-set', new SVC({ C: 2, solver: 'working-set' }), two),
  trained('svc hard', new SVC({ C: Number.POSITIVE_INFINITY, kernel: rbf({ gamma: 2 }) }), two),
  trained('svc unsolved', new SVC({ C: 2, maxIter: 20 }), two),
  trained('nu-svc', new NuSVC({ nu: 0.4 }), two),
  trained('nu-svc of three', new NuSVC({ nu: 0.3 }), three),
  trained('one-class weighted', new OneClassSVM({ nu: 0.3 }), weighted),
  trained('nu-svr', new NuSVR({ C: 3, nu: 0.3 }), line),
]

/** Models that keep w, and their dual variables. */
export const linearModels = [
  trained('linear-svc', new LinearSVC({ C: 2 }), two),
  trained('linear-svc hinge', new LinearSVC({ C: 2, loss: 'hinge', interceptScaling: 3 }), weighted),
  trained('linear-svc of three', new LinearSVC({ C: 2, classWeight: 'balanced' }), three),
  trained('linear-svc without bias', new LinearSVC({ bias: 'none', scaler: 'range' }), named),
  trained('crammer-singer', new LinearSVC({ multiClass: 'crammer-singer', classWeight: { 1: 2 } }), three),
  trained('linear-svr', new LinearSVR({ C: 2, epsilon: 0.1, interceptScaling: 3 }), line),
  trained('linear-svr squared', new LinearSVR({ loss: 'squared-epsilon-insensitive', bias: 'none' }), line),
]
