import { type ClassifierOptions, KernelClassifier } from './parts/kernel-classifier.ts'
import type { KernelEstimatorOptions } from './parts/kernel-estimator.ts'

/** Options of {@link NuSVC}; every one has a default. */
export interface NuSvcOptions<S = never> extends KernelEstimatorOptions<S>, ClassifierOptions {
  /**
   * At most this fraction of the samples are margin errors, and at least this fraction are support vectors; in (0, 1], and at
   * most twice the fraction of the smaller class of any pair. Class weights and sample weights count: these are fractions of
   * the total weight, and a sample of weight 2 counts as two samples. (LIBSVM ignores class weights here.) Default 0.5.
   */
  readonly nu?: number
}

/**
 * Kernel classifier with ν, a fraction of the samples, instead of the penalty C. Otherwise like {@link SVC}: its model is
 * that of an SVC with C = 1 / ρ, where ρ is the margin that ν leads to.
 *
 * @example
 * const model = await new NuSVC({ nu: 0.1 }).fit(train)
 */
export class NuSVC<S = never> extends KernelClassifier<S, NuSvcOptions<S>> {
  constructor(options: NuSvcOptions<S> = {}) {
    super('NuSVC', options, { numbers: { nu: { above: 0, max: 1 } } })
  }

  protected override get rule(): { nu: number } {
    return { nu: this.options.nu ?? 0.5 }
  }
}
