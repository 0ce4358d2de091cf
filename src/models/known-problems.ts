/** The problems behind models, as LIBSVM and LIBLINEAR know them. */
import type { LinearLoss } from '../problems/linear-loss.ts'
import type { LiblinearSolver, ModelType } from './model-types.ts'

/** Of each type of model, its name in LIBSVM's files, and the settings that state its problem. */
export const knownProblems = {
  svc: { libsvm: 'c_svc', settings: ['C'] },
  'nu-svc': { libsvm: 'nu_svc', settings: ['nu'] },
  svr: { libsvm: 'epsilon_svr', settings: ['C', 'epsilon'] },
  'nu-svr': { libsvm: 'nu_svr', settings: ['C', 'nu'] },
  'one-class': { libsvm: 'one_class', settings: ['nu'] },
  'linear-svc': { libsvm: 'c_svc', settings: ['C', 'loss'] },
  'linear-svr': { libsvm: 'epsilon_svr', settings: ['C', 'epsilon', 'loss'] },
  'linear-one-class': { libsvm: 'one_class', settings: ['nu'] },
} as const satisfies Record<ModelType, object>

/**
 * LIBLINEAR's problems by its names, in the order of its numbers: the type of model, the loss, the norm of w that is added to it,
 * and whether the primal problem is solved, so that the bias may be left out of the norm (-R).
 */
export const liblinearSolvers = {
  L2R_LR: { type: 'linear-svc', loss: 'logistic', norm: 2, primal: true },
  L2R_L2LOSS_SVC_DUAL: { type: 'linear-svc', loss: 'squared-hinge', norm: 2, primal: false },
  L2R_L2LOSS_SVC: { type: 'linear-svc', loss: 'squared-hinge', norm: 2, primal: true },
  L2R_L1LOSS_SVC_DUAL: { type: 'linear-svc', loss: 'hinge', norm: 2, primal: false },
  MCSVM_CS: { type: 'linear-svc', loss: 'hinge', norm: 2, primal: false },
  L1R_L2LOSS_SVC: { type: 'linear-svc', loss: 'squared-hinge', norm: 1, primal: true },
  L1R_LR: { type: 'linear-svc', loss: 'logistic', norm: 1, primal: true },
  L2R_LR_DUAL: { type: 'linear-svc', loss: 'logistic', norm: 2, primal: false },
  L2R_L2LOSS_SVR: { type: 'linear-svr', loss: 'squared-epsilon-insensitive', norm: 2, primal: true },
  L2R_L2LOSS_SVR_DUAL: { type: 'linear-svr', loss: 'squared-epsilon-insensitive', norm: 2, primal: false },
  L2R_L1LOSS_SVR_DUAL: { type: 'linear-svr', loss: 'epsilon-insensitive', norm: 2, primal: false },
  ONECLASS_SVM: { type: 'linear-one-class', loss: undefined, norm: 2, primal: false },
} as const satisfies Record<
  LiblinearSolver,
  { type: ModelType; loss: LinearLoss | undefined; norm: 1 | 2; primal: boolean }
>
