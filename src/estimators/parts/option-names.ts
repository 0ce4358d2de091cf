/** Options of estimators: which there are, and where others live that users of other libraries look for here. */
import { checkKnown } from '../../base/check.ts'

const KERNEL_PART = (name: string) => `it is part of the kernel, such as kernel: rbf({ ${name}: 0.5 })`
const SHAPE = (name: string) => `it is part of the kernel, such as kernel: polynomial({ ${name}: 2 })`
const ON_FIT = 'fit takes it, beside the data: fit(data, { onProgress })'

/** Names that no option has, and what takes their place. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  gamma: KERNEL_PART('gamma'),
  sigma: KERNEL_PART('sigma'),
  degree: SHAPE('degree'),
  coef0: SHAPE('coef0'),
  probability:
    'fitCalibrated(estimator, data) makes a model with probabilities, and tune has the option calibrate',
  threshold: 'chooseThreshold(model, data, { maximise: "f1" }) makes a model with one',
  kernel: 'this machine has none; SVC, SVR, NuSVC, NuSVR and OneClassSVM do',
  random_state: 'the option is called seed',
  randomState: 'the option is called seed',
  n_jobs: 'the option is called threads',
  nJobs: 'the option is called threads',
  cache_size: 'the option is called cacheBytes, in bytes',
  cacheSize: 'the option is called cacheBytes, in bytes',
  verbose: ON_FIT,
  onProgress: ON_FIT,
  signal: 'fit takes it, beside the data: fit(data, { signal })',
  warm_start: 'fit of linear machines takes a model to begin with: fit(data, { start: model })',
  fit_intercept: "the option of linear machines is called bias: 'regularised', 'free' or 'none'",
  fitIntercept: "the option of linear machines is called bias: 'regularised', 'free' or 'none'",
  dual: 'the option is called solver; auto chooses primal or dual methods',
  epsilon: 'SVR and LinearSVR have a tube; this machine has none',
  nu: 'NuSVC, NuSVR, OneClassSVM and LinearOneClass are ruled by nu; this machine is not',
  sample_weight: 'weights are part of the data: { samples, labels, weights }',
  sampleWeight: 'weights are part of the data: { samples, labels, weights }',
  normalize: "the option is called scaler: 'range' or 'standard'",
  standardize: "the option is called scaler: 'range' or 'standard'",
}

/** Throws where an option is not one of `known`; the message says where it lives, if it is one elsewhere. */
export function checkOptionNames(who: string, options: object, known: readonly string[]): void {
  checkKnown(who, options, known, ELSEWHERE)
}
