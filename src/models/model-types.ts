/** The types of models. */

/** Of each type, its name in LIBSVM's files, and the settings that state its problem. */
export const modelTypes = {
  svc: { libsvm: 'c_svc', settings: ['C'] },
  'nu-svc': { libsvm: 'nu_svc', settings: ['nu'] },
  svr: { libsvm: 'epsilon_svr', settings: ['C', 'epsilon'] },
  'nu-svr': { libsvm: 'nu_svr', settings: ['C', 'nu'] },
  'one-class': { libsvm: 'one_class', settings: ['nu'] },
  'linear-svc': { libsvm: 'c_svc', settings: ['C', 'loss'] },
  'linear-svr': { libsvm: 'epsilon_svr', settings: ['C', 'epsilon', 'loss'] },
  'linear-one-class': { libsvm: 'one_class', settings: ['nu'] },
} as const

/** The type of a model, as its file names it. */
export type ModelType = keyof typeof modelTypes
