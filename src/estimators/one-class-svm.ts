import { DataError } from '../base/errors.ts'
import { sampleCount } from '../data/table/dataset.ts'
import { OneClassModel } from '../models/one-class-model.ts'
import { makeOneClassProblem } from '../problems/kernel-problem.ts'
import type { FitHooks, PreparedFit, Unlabelled } from './parts/estimator.ts'
import { KernelEstimator, type KernelEstimatorOptions, singleExpansion } from './parts/kernel-estimator.ts'
import { asUnlabelled, type OneClassInput } from './parts/one-class-input.ts'
import { modelParts } from './parts/training-samples.ts'

/** Options of {@link OneClassSVM}; every one has a default. */
export interface OneClassSvmOptions<S = never> extends KernelEstimatorOptions<S> {
  /**
   * At most this fraction of the samples are outliers, and at least this fraction are support vectors; in (0, 1]. Default
   * 0.5.
   */
  readonly nu?: number
}

/**
 * Learns what is normal from unlabelled samples: f(x) = Σ α_i k(x_i, x) − ρ is positive where most of them lie. Labels are not
 * needed, and ignored.
 *
 * @example
 * const model = await new OneClassSVM({ nu: 0.05 }).fit(rows)
 * model.predict(rows) // +1 as the others, −1 an outlier
 */
export class OneClassSVM<S = never> extends KernelEstimator<
  S,
  Unlabelled<S>,
  OneClassModel<S>,
  OneClassSvmOptions<S>,
  OneClassInput<S>
> {
  readonly learns = 'normal'

  constructor(options: OneClassSvmOptions<S> = {}) {
    super('OneClassSVM', options, { numbers: { nu: { above: 0, max: 1 } } })
  }

  protected override datasetOf(data: OneClassInput<S>): Unlabelled<S> {
    return asUnlabelled(data)
  }

  protected override prepare(dataset: Unlabelled<S>, fitOptions: FitHooks): PreparedFit<OneClassModel<S>> {
    const training = this.trainingSamples(dataset)
    const { samples } = training
    if (sampleCount(samples) === 0) throw new DataError(`${this.who}: the data set has no samples`)
    const { weights } = dataset
    const problem = makeOneClassProblem({ samples, kernel: this.kernel, weights, nu: this.options.nu })
    return {
      task: { problem, ...this.chosen, options: this.runOptions(fitOptions) },
      toModel: (solved) =>
        new OneClassModel<S>({
          ...modelParts(dataset, training, solved, { nu: problem.nu }),
          ...singleExpansion<S>(problem.kernel, samples, solved.alpha),
          bias: solved.biases[0],
        }),
    }
  }
}
