/** Hyperplane for browsers and any other runtime: what training, choosing and using a model needs. */

export { DataError, FormatError, HyperplaneError, ParameterError } from './base/errors.ts'
export { Random } from './base/random.ts'
export type { Certificate, StopReason } from './certify/certificate.ts'
export { parseDataset, type ReadOptions } from './data/files/parse-dataset.ts'
export type { Generator, GeneratorOption } from './data/generators/generator.ts'
export { type GeneratorName, generate, generators } from './data/generators/generators.ts'
export {
  type DenseMatrix,
  type Matrix,
  type RowsInput,
  type SparseMatrix,
  toDense,
  toMatrix,
  toSparse,
} from './data/matrix/matrix.ts'
export { fitRangeScaler, type RangeScaler } from './data/scaling/range-scaler.ts'
export { applyScaler, type Scaler } from './data/scaling/scaler.ts'
export { fitStandardScaler, type StandardScaler } from './data/scaling/standard-scaler.ts'
export {
  type Dataset,
  type DatasetOptions,
  type Label,
  type Labels,
  makeDataset,
  makeSampleSet,
  type Samples,
  selectFeatures,
  selectSamples,
  type VectorDataset,
} from './data/table/dataset.ts'
export { type Split, type SplitOptions, trainTestSplit } from './data/table/split.ts'
export { chooseEngineBuild, type EngineBuild } from './engine/memory/engine-build.ts'
export { type EngineInfo, engineInfo } from './engine/memory/engine-info.ts'
export type { CheckpointChoice, CheckpointStore } from './estimators/fitting/kept-work.ts'
export { LinearOneClass, type LinearOneClassOptions } from './estimators/linear-one-class.ts'
export { LinearSVC, type LinearSvcOptions } from './estimators/linear-svc.ts'
export { LinearSVR, type LinearSvrOptions } from './estimators/linear-svr.ts'
export { LogisticRegression, type LogisticRegressionOptions } from './estimators/logistic-regression.ts'
export { NuSVC, type NuSvcOptions } from './estimators/nu-svc.ts'
export { NuSVR, type NuSvrOptions } from './estimators/nu-svr.ts'
export { OneClassSVM, type OneClassSvmOptions } from './estimators/one-class-svm.ts'
export type { ClassWeight } from './estimators/parts/class-targets.ts'
export type { Estimator, EstimatorOptions, FitOptions, Fitted } from './estimators/parts/estimator.ts'
export type { ClassifierOptions } from './estimators/parts/kernel-classifier.ts'
export type { KernelEstimator, KernelEstimatorOptions } from './estimators/parts/kernel-estimator.ts'
export type { OneClassInput } from './estimators/parts/one-class-input.ts'
export type { ScalerChoice } from './estimators/parts/scaler-choice.ts'
export type { SolverChoice } from './estimators/parts/solver-choice.ts'
export { SVC, type SvcOptions } from './estimators/svc.ts'
export { SVR, type SvrOptions } from './estimators/svr.ts'
export type { AnyKernel, Kernel, KernelSpec } from './kernels/kernel.ts'
export { linear } from './kernels/linear.ts'
export { polynomial } from './kernels/polynomial.ts'
export { rbf } from './kernels/rbf.ts'
export { sigmoid } from './kernels/sigmoid.ts'
export { accuracy } from './metrics/classification.ts'
export type { PredictOptions, ProbabilityOptions } from './models/classifier-model.ts'
export { modelFrom, parseModel } from './models/files/parse-model.ts'
export { LinearOneClassModel } from './models/linear-one-class-model.ts'
export { LinearSvcModel } from './models/linear-svc-model.ts'
export { LinearSvrModel } from './models/linear-svr-model.ts'
export type { DecisionOptions } from './models/machines/decision-options.ts'
export { inRowSlices } from './models/machines/in-row-slices.ts'
export { type AnyClassifier, isClassifier, type Model } from './models/model.ts'
export { OneClassModel } from './models/one-class-model.ts'
export { SvcModel } from './models/svc-model.ts'
export { SvrModel } from './models/svr-model.ts'
export { fitCalibrated } from './selection/calibrate/calibrate.ts'
export {
  type CrossValidateOptions,
  type CrossValidation,
  crossValidate,
} from './selection/score/cross-validate.ts'
export type { ScoringName } from './selection/score/scoring.ts'
export { type TuneOptions, type TuneResult, tune } from './selection/search/tune.ts'
export type { Progress } from './solve/driver/run.ts'
export type { SolverName } from './solve/methods/registry.ts'
export type { VerifyResult } from './verify/claims.ts'
export { type VerifyOptions, verify, verifySync } from './verify/verify.ts'
