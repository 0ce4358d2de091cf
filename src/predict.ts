/** Prediction alone: models and their formats, without solvers. */
export { DataError, FormatError, HyperplaneError, ParameterError } from './base/errors.ts'
export type { Label, Labels } from './data/dataset.ts'
export type { DenseMatrix, Matrix, RowsInput, SparseMatrix } from './data/matrix.ts'
export type { KernelFunctions } from './kernels/kernel-from-spec.ts'
export { ClassifierModel, type ModelInfo, type ModelRows } from './models/classifier-model.ts'
export { formatJsonModel } from './models/format-json-model.ts'
export { formatLibsvmModel } from './models/format-libsvm-model.ts'
export type { JsonNumber } from './models/json-numbers.ts'
export type { DecisionOptions } from './models/kernel-decision.ts'
export { LinearSvcModel } from './models/linear-svc-model.ts'
export type { Model } from './models/model.ts'
export type {
  LinearSvcDocument,
  MachineDocument,
  ModelDocument,
  SamplesDocument,
  SvcDocument,
} from './models/model-document.ts'
export type { ClassifierParts, LinearSvcParts, ProbabilityParts, SvcParts } from './models/model-parts.ts'
export { type ParseModelOptions, parseJsonModel } from './models/parse-json-model.ts'
export { type ParseLibsvmModelOptions, parseLibsvmModel } from './models/parse-libsvm-model.ts'
export { parseModel } from './models/parse-model.ts'
export { SvcModel } from './models/svc-model.ts'
