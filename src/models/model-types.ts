/** The types of models, and LIBLINEAR's names for the problems behind linear ones. What these problems are: ./known-problems.ts. */

/** All types of models. */
export const modelTypes = [
  'svc',
  'nu-svc',
  'svr',
  'nu-svr',
  'one-class',
  'linear-svc',
  'linear-svr',
  'linear-one-class',
] as const

/** The type of a model, as its file names it. */
export type ModelType = (typeof modelTypes)[number]

/** LIBLINEAR's names for its problems, by the type of model that they lead to. */
export const liblinearNames = {
  'linear-svc': [
    'L2R_LR',
    'L2R_L2LOSS_SVC_DUAL',
    'L2R_L2LOSS_SVC',
    'L2R_L1LOSS_SVC_DUAL',
    'MCSVM_CS',
    'L1R_L2LOSS_SVC',
    'L1R_LR',
    'L2R_LR_DUAL',
  ],
  'linear-svr': ['L2R_L2LOSS_SVR', 'L2R_L2LOSS_SVR_DUAL', 'L2R_L1LOSS_SVR_DUAL'],
  'linear-one-class': ['ONECLASS_SVM'],
} as const satisfies Partial<Record<ModelType, readonly string[]>>

/** LIBLINEAR's names for the problems it solves. */
export type LiblinearSolver = (typeof liblinearNames)[keyof typeof liblinearNames][number]
