import type { LinearOneClassModel } from './linear-one-class-model.ts'
import type { LinearSvcModel } from './linear-svc-model.ts'
import type { LinearSvrModel } from './linear-svr-model.ts'
import type { OneClassModel } from './one-class-model.ts'
import type { SvcModel } from './svc-model.ts'
import type { SvrModel } from './svr-model.ts'

/** Any trained classifier. */
export type AnyClassifier = SvcModel<unknown> | LinearSvcModel

/** Any trained model. */
export type Model =
  | AnyClassifier
  | SvrModel<unknown>
  | OneClassModel<unknown>
  | LinearSvrModel
  | LinearOneClassModel

/** Whether a model is a classifier. */
export function isClassifier(model: Model): model is AnyClassifier {
  return 'classes' in model
}
