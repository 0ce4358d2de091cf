/** Prediction alone, of models in JSON, in plain code: without the engine, the least that a page can load. */
export { DataError, FormatError, HyperplaneError, ParameterError } from './base/errors.ts'
export type { DenseMatrix, Matrix, RowsInput, SparseMatrix } from './data/matrix/matrix.ts'
export type { Label, LabelOf, Labels, Predicted } from './data/table/dataset.ts'
export type { KernelFunctions } from './kernels/kernel-from-spec.ts'
export { BaseModel, type ModelInfo, type ModelRows } from './models/base-model.ts'
export type { Coupling } from './models/class-probabilities.ts'
export { ClassifierModel, type PredictOptions, type ProbabilityOptions } from './models/classifier-model.ts'
export { formatJsonModel } from './models/files/format-json-model.ts'
export { type ParseModelOptions, parseJsonModel } from './models/files/parse-json-model.ts'
export type { Labelled, ModelOf } from './models/labelled.ts'
export { LinearOneClassModel } from './models/linear-one-class-model.ts'
export { LinearSvcModel } from './models/linear-svc-model.ts'
export { LinearSvrModel } from './models/linear-svr-model.ts'
export type { DecisionOptions } from './models/machines/decision-options.ts'
export { inRowSlices, type RowSlicesOptions } from './models/machines/in-row-slices.ts'
export type { IntervalOptions, PredictedInterval } from './models/machines/interval-around.ts'
export { type AnyClassifier, isClassifier, type Model } from './models/model.ts'
export type {
  ClassifierParts,
  Conformal,
  DecisionShape,
  DensityMarks,
  KernelParts,
  LaplaceNoise,
  LinearParts,
  LinearSvcParts,
  ModelParts,
  OneClassParts,
  PairProbability,
  SingleKernelParts,
  SingleLinearParts,
  SvcParts,
  SvrParts,
  TrainingSettings,
} from './models/model-parts.ts'
export type { LiblinearSolver } from './models/model-types.ts'
export { OneClassModel } from './models/one-class-model.ts'
export { SingleKernelModel } from './models/single-kernel-model.ts'
export { SingleLinearModel } from './models/single-linear-model.ts'
export { type SvcDecisionOptions, SvcModel, type SvcPredictOptions } from './models/svc-model.ts'
export { SvrModel } from './models/svr-model.ts'
