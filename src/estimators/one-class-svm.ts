import { checkNumber } from '../base/check.ts'
import { DataError } from '../base/errors.ts'
import type { RowsInput } from '../data/matrix/matrix.ts'
import { sampleCount } from '../data/table/dataset.ts'
import type { TableInput } from '../data/table/table-shapes.ts'
import { isLabels, type LabelsInput } from '../data/table/to-dataset.ts'
import { OneClassModel } from '../models/one-class-model.ts'
import { makeOneClassProblem } from '../problems/kernel-problem.ts'
import type { FitHooks, FitOptions, Fitted, PreparedFit, Unlabelled } from './parts/estimator.ts'
import {
  KernelEstimator,
  type KernelEstimatorOptions,
  kernelEstimatorOptionNames,
  modelParts,
  singleExpansion,
} from './parts/kernel-estimator.ts'
import { asUnlabelled, type OneClassInput } from './parts/one-class-input.ts'
import { checkOptionNames } from './parts/option-names.ts'

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
export class OneClassSVM<S = never> extends KernelEstimator<S, Unlabelled<S>, OneClassModel<S>> {
  readonly learns = 'normal'
  /** The options that were passed to the constructor. */
  readonly options: OneClassSvmOptions<S>

  constructor(options: OneClassSvmOptions<S> = {}) {
    const who = 'OneClassSVM'
    checkOptionNames(who, options, ['nu', ...kernelEstimatorOptionNames])
    checkNumber(who, 'nu', options.nu ?? 0.5, { above: 0, max: 1 })
    super(who, options)
    this.options = options
  }

  override fit(
    rows: RowsInput | TableInput,
    labels: LabelsInput,
    options?: FitOptions,
  ): Promise<Fitted<OneClassModel<S>>>
  override fit(data: OneClassInput<S>, options?: FitOptions): Promise<Fitted<OneClassModel<S>>>
  override fit(
    data: OneClassInput<S>,
    ...[second, third]: [(FitOptions | LabelsInput)?, FitOptions?]
  ): Promise<Fitted<OneClassModel<S>>> {
    return super.fit(asUnlabelled(data), isLabels(second) ? third : second)
  }

  override fitSync(
    rows: RowsInput | TableInput,
    labels: LabelsInput,
    options?: FitOptions,
  ): Fitted<OneClassModel<S>>
  override fitSync(data: OneClassInput<S>, options?: FitOptions): Fitted<OneClassModel<S>>
  override fitSync(
    data: OneClassInput<S>,
    ...[second, third]: [(FitOptions | LabelsInput)?, FitOptions?]
  ): Fitted<OneClassModel<S>> {
    return super.fitSync(asUnlabelled(data), isLabels(second) ? third : second)
  }

  protected override prepare(dataset: Unlabelled<S>, fitOptions: FitHooks): PreparedFit<OneClassModel<S>> {
    const { solver, options: solverOptions } = this.chosen
    const training = this.trainingSamples(dataset)
    const { samples } = training
    if (sampleCount(samples) === 0) throw new DataError(`${this.who}: the data set has no samples`)
    const { weights } = dataset
    const problem = makeOneClassProblem({ samples, kernel: this.kernel, weights, nu: this.options.nu })
    return {
      task: { problem, solver, solverOptions, options: this.runOptions(fitOptions) },
      toModel: (solved) =>
        new OneClassModel<S>({
          ...modelParts(dataset, training, solved, { nu: problem.nu }),
          ...singleExpansion<S>(problem.kernel, samples, solved.alpha),
          bias: solved.biases[0],
        }),
    }
  }
}
