import type { LinearSvcModel } from './linear-svc-model.ts'
import type { SvcModel } from './svc-model.ts'

/** Any trained model. */
export type Model = SvcModel<unknown> | LinearSvcModel
