import type { Label } from '../data/table/dataset.ts'
import type { LinearSvcModel } from './linear-svc-model.ts'
import type { Model } from './model.ts'
import type { SvcModel } from './svc-model.ts'

/** A model whose labels are known to be texts, or numbers: a classifier predicts such; other models are as they are. */
export type Labelled<M, L extends Label> =
  M extends SvcModel<infer S, Label>
    ? SvcModel<S, L>
    : M extends LinearSvcModel<Label>
      ? LinearSvcModel<L>
      : M

/** Any model of such labels: only classifiers predict texts. */
export type ModelOf<L extends Label> = [Label] extends [L]
  ? Model
  : L extends string
    ? SvcModel<unknown, L> | LinearSvcModel<L>
    : Labelled<Model, L>
