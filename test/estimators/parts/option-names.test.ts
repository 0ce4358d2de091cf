import { expect, it } from 'vitest'
import { LinearSVC } from '../../../src/estimators/linear-svc.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { SVR } from '../../../src/estimators/svr.ts'

it.each([
  [SVC, { gamma: 0.5 }, 'got "gamma": it is part of the kernel, such as kernel: rbf({ gamma: 0.5 })'],
  [SVC, { degree: 2 }, 'such as kernel: polynomial({ degree: 2 })'],
  [SVC, { probability: true }, 'fitCalibrated(estimator, data) makes a model with probabilities'],
  [SVC, { random_state: 1 }, 'the option is called seed'],
  [SVC, { class_weight: 'balanced' }, 'got "class_weight" (did you mean classWeight?)'],
  [SVC, { max_iter: 5 }, 'got "max_iter" (did you mean maxIter?)'],
  [SVC, { decision_function_shape: 'ovo' }, '(did you mean decisionFunctionShape?)'],
  [SVC, { break_ties: true }, '(did you mean breakTies?)'],
  [SVC, { cache_size: 200 }, 'the option is called cacheBytes, in bytes'],
  [SVC, { c: 1 }, 'got "c" (did you mean C?)'],
  [SVC, { epsilon: 1 }, 'SVR and LinearSVR have a tube'],
  [SVC, { nu: 0.5 }, 'NuSVC, NuSVR, OneClassSVM and LinearOneClass are ruled by nu'],
  [SVC, { n_jobs: 4 }, 'the option is called threads'],
  [SVC, { verbose: true }, 'fit(data, { onProgress })'],
  [SVC, { kernel: 'rbf' }, 'must be a kernel such as rbf() or linear(), got "rbf": write kernel: rbf()'],
  [SVC, { kernel: 'poly' }, 'write kernel: polynomial()'],
  [SVC, { kernel: 'cosine' }, 'must be a kernel such as rbf() or linear(), got "cosine"'],
  [SVR, { gamma: 'scale' }, 'it is part of the kernel'],
  [LinearSVC, { kernel: 'linear' }, 'this machine has none; SVC, SVR'],
  [LinearSVC, { fit_intercept: false }, "the option of linear machines is called bias: 'regularised'"],
  [LinearSVC, { loss: 'squared_hinge' }, 'got "squared_hinge" (did you mean squared-hinge?)'],
  [LinearSVC, { intercept_scaling: 2 }, '(did you mean interceptScaling?)'],
] as const)('%o with %j says where that lives', (Estimator, options, message) => {
  expect(() => new Estimator(options as never)).toThrow(message)
})
