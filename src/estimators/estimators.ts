import { LinearOneClass } from './linear-one-class.ts'
import { LinearSVC } from './linear-svc.ts'
import { LinearSVR } from './linear-svr.ts'
import { LogisticRegression } from './logistic-regression.ts'
import { NuSVC } from './nu-svc.ts'
import { NuSVR } from './nu-svr.ts'
import { OneClassSVM } from './one-class-svm.ts'
import { SVC } from './svc.ts'
import { SVR } from './svr.ts'

/** All estimators, by the type of the models that they train; logistic regression trains models of type linear-svc. */
export const estimators = {
  svc: SVC,
  'nu-svc': NuSVC,
  svr: SVR,
  'nu-svr': NuSVR,
  'one-class': OneClassSVM,
  'linear-svc': LinearSVC,
  'linear-svr': LinearSVR,
  'linear-one-class': LinearOneClass,
  'logistic-regression': LogisticRegression,
} as const
