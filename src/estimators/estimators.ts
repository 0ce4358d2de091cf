import { LinearOneClass } from './linear-one-class.ts'
import { LinearSVC } from './linear-svc.ts'
import { LinearSVR } from './linear-svr.ts'
import { LogisticRegression } from './logistic-regression.ts'
import { NuSVC } from './nu-svc.ts'
import { NuSVR } from './nu-svr.ts'
import { OneClassSVM } from './one-class-svm.ts'
import { LinearEstimator } from './parts/linear-estimator.ts'
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

/** The name of an estimator. */
export type EstimatorType = keyof typeof estimators

/** Whether the estimator of that name solves for w, and so has no kernel and no cache of its values. */
export function isLinearType(type: string): boolean {
  return estimators[type as EstimatorType]?.prototype instanceof LinearEstimator
}

/** Whether the models of the estimator of that name give probabilities without being calibrated. */
export function hasProbabilities(type: string): boolean {
  return type === ('logistic-regression' satisfies EstimatorType)
}
