import { checkNumber } from '../base/check.ts'
import {
  type ClassifierOptions,
  checkClassifierOptions,
  classifierOptionNames,
} from './parts/classifier-options.ts'
import { KernelClassifier } from './parts/kernel-classifier.ts'
import { type KernelEstimatorOptions, kernelEstimatorOptionNames } from './parts/kernel-estimator.ts'
import { checkOptionNames } from './parts/option-names.ts'

/** What {@link NuSVC} takes; every setting has a default. */
export interface NuSvcOptions<S = never> extends KernelEstimatorOptions<S>, ClassifierOptions {
  /**
   * At most this share of the samples are margin errors, at least this share support vectors, in (0, 1]; at most twice
   * the share of the smaller class of any pair. Class weights and sample weights count: shares are shares of the weight, and
   * a sample of weight 2 bounds its multiplier as two samples would. (LIBSVM ignores class weights here.) Default 0.5.
   */
  readonly nu?: number
}

/**
 * Kernel classifier that takes ν, a share of samples, in place of the price C. Otherwise as {@link SVC}: its model is the one
 * of an SVC whose C is one over the margin that ν leads to.
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
