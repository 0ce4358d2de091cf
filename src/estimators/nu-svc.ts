import { checkNumber } from '../base/check.ts'
import {
  type ClassifierOptions,
  checkClassifierOptions,
  classifierOptionNames,
} from './parts/classifier-options.ts'
import { KernelClassifier } from './parts/kernel-classifier.ts'
import { type KernelEstimatorOptions, kernelEstimatorOptionNames } from './parts/kernel-estimator.ts'
import { checkOptionNames } from './parts/option-names.ts'

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
export class NuSVC<S = never> extends KernelClassifier<S> {
  override readonly options: NuSvcOptions<S>

  constructor(options: NuSvcOptions<S> = {}) {
    const who = 'NuSVC'
    checkOptionNames(who, options, ['nu', ...kernelEstimatorOptionNames, ...classifierOptionNames])
    checkNumber(who, 'nu', options.nu ?? 0.5, { above: 0, max: 1 })
    checkClassifierOptions(who, options)
    super(who, options)
    this.options = options
  }

  protected override get rule(): { nu: number } {
    return { nu: this.options.nu ?? 0.5 }
  }
}
