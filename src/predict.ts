/** Prediction alone: models and their formats, without solvers, and the part of the engine that predicts. */
import './engine/memory/prediction-build.ts'
import './models/machines/use-engine.ts'
import './models/machines/use-tables.ts'

export { formatLiblinearModel } from './models/files/format-liblinear-model.ts'
export { formatLibsvmModel } from './models/files/format-libsvm-model.ts'
export {
  type LiblinearModel,
  type ParseLiblinearModelOptions,
  parseLiblinearModel,
} from './models/files/parse-liblinear-model.ts'
export {
  type LibsvmModel,
  type ParseLibsvmModelOptions,
  parseLibsvmModel,
} from './models/files/parse-libsvm-model.ts'
export { type ModelFromOptions, modelFrom, parseModel } from './models/files/parse-model.ts'
export * from './predict-plain.ts'
