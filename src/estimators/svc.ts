import { type ClassifierOptions, KernelClassifier } from './parts/kernel-classifier.ts'
import type { KernelEstimatorOptions } from './parts/kernel-estimator.ts'
import type { SolverChoice } from './parts/solver-choice.ts'

/** Options of {@link SVC}; every one has a default. */
export interface SvcOptions<S = never> extends KernelEstimatorOptions<S>, ClassifierOptions {
  /** Penalty for margin violations, > 0; Infinity is a hard margin. Default 1. */
  readonly C?: number
  /**
   * The solver, optionally with its own settings. Default 'smo'. Solvers that cannot leave the bias free
   * (sdca, pegasos, subgradient) include it in the norm, as if every sample had one more feature, the constant 1.
   */
  readonly solver?: SolverChoice
}

/**
 * Kernel support vector classifier: for two classes it learns f(x) = Σ y_i α_i k(x_i, x) + b from
 * min ½‖w‖² + Σ C_i max(0, 1 − y_i f(x_i)); for more, one such function per pair of classes, and the pairs vote. The
 * constructor checks the parameters; {@link Estimator.fit} returns a model.
 *
 * @example
 * const model = await new SVC({ kernel: rbf({ gamma: 0.5 }), C: 10 }).fit(train)
 * model.predict([[0.3, 1.2]])
 */
export class SVC<S = never> extends KernelClassifier<S, SvcOptions<S>> {
  constructor(options: SvcOptions<S> = {}) {
    const numbers = { C: { above: 0, infinite: true } }
    super('SVC', options, { numbers, names: ['solver'] }, options?.solver)
  }

  protected override get rule(): { C: number } {
    return { C: this.options.C ?? 1 }
  }
}
