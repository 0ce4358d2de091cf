import { checkNumber } from '../base/check.ts'
import { DataError } from '../base/errors.ts'
import type { RowsInput } from '../data/matrix/matrix.ts'
import type { TableInput } from '../data/table/table-shapes.ts'
import { isLabels, type LabelsInput } from '../data/table/to-dataset.ts'
import { LinearOneClassModel } from '../models/linear-one-class-model.ts'
import { makeLinearMachine } from '../problems/linear-problem.ts'
import type { Fitted, PreparedFit, Unlabelled } from './parts/estimator.ts'
import {
  LinearEstimator,
  type LinearEstimatorOptions,
  type LinearFitHooks,
  type LinearFitOptions,
  linearEstimatorOptionNames,
} from './parts/linear-estimator.ts'
import { linearFunctionParts } from './parts/linear-function.ts'
import { asUnlabelled, type OneClassInput } from './parts/one-class-input.ts'
import { checkOptionNames } from './parts/option-names.ts'
import {
  type ChosenLinearSolver,
  chooseLinearSolver,
  type LinearSolverChoice,
} from './parts/solver-choice.ts'

/** Options of {@link LinearOneClass}; every one has a default. */
export interface LinearOneClassOptions extends Omit<LinearEstimatorOptions, 'bias' | 'interceptScaling'> {
  /**
   * At most this fraction of the samples are outliers, and at least this fraction are support vectors; in (0, 1]. Default
   * 0.5.
   */
  readonly nu?: number
  /** The solver, optionally with its own settings. Default 'auto', which chooses by the problem. */
  readonly solver?: LinearSolverChoice
}

/**
 * Learns what is normal from unlabelled samples, with one linear function: f(x) = ⟨w, x⟩ − ρ is positive where most of them
 * lie. Like {@link OneClassSVM} with the linear kernel, but with w instead of kernel values. Labels are not needed, and
 * ignored.
 *
 * @example
 * const model = await new LinearOneClass({ nu: 0.05 }).fit(rows)
 * model.predict(rows) // +1 as the others, −1 an outlier
 */
export class LinearOneClass extends LinearEstimator<Unlabelled<never>, LinearOneClassModel> {
  readonly learns = 'normal'
  /** The options that were passed to the constructor. */
  readonly options: LinearOneClassOptions
  private readonly chosen: ChosenLinearSolver

  constructor(options: LinearOneClassOptions = {}) {
    const who = 'LinearOneClass'
    const names = linearEstimatorOptionNames.filter((name) => name !== 'bias' && name !== 'interceptScaling')
    checkOptionNames(who, options, ['nu', 'solver', ...names])
    checkNumber(who, 'nu', options.nu ?? 0.5, { above: 0, max: 1 })
    super(who, { ...options, bias: 'free' })
    this.options = options
    this.chosen = chooseLinearSolver(who, options.solver ?? 'auto', {
      loss: 'one-class',
      norm: 2,
      bias: 'free',
    })
  }

  override fit(
    rows: RowsInput | TableInput,
    labels: LabelsInput,
    options?: LinearFitOptions,
  ): Promise<Fitted<LinearOneClassModel>>
  override fit(data: OneClassInput, options?: LinearFitOptions): Promise<Fitted<LinearOneClassModel>>
  override fit(
    data: OneClassInput,
    ...[second, third]: [(LinearFitOptions | LabelsInput)?, LinearFitOptions?]
  ): Promise<Fitted<LinearOneClassModel>> {
    return super.fit(asUnlabelled(data), isLabels(second) ? third : second)
  }

  override fitSync(
    rows: RowsInput | TableInput,
    labels: LabelsInput,
    options?: LinearFitOptions,
  ): Fitted<LinearOneClassModel>
  override fitSync(data: OneClassInput, options?: LinearFitOptions): Fitted<LinearOneClassModel>
  override fitSync(
    data: OneClassInput,
    ...[second, third]: [(LinearFitOptions | LabelsInput)?, LinearFitOptions?]
  ): Fitted<LinearOneClassModel> {
    return super.fitSync(asUnlabelled(data), isLabels(second) ? third : second)
  }

  protected override prepare(
    dataset: Unlabelled<never>,
    fitOptions: LinearFitHooks,
  ): PreparedFit<LinearOneClassModel> {
    const { nu = 0.5 } = this.options
    const training = this.trainingVectors(dataset)
    const { samples } = training
    if (samples.rows === 0) throw new DataError('LinearOneClass: the data set has no samples')
    const problem = makeLinearMachine({ samples, loss: 'one-class', C: dataset.weights ?? 1, nu })
    const { solver, options: solverOptions } = this.chosen
    const place = { ...training, settings: { nu } }
    const options = this.runOptions(fitOptions, 'linear-one-class', place)
    return {
      task: { problem, solver, solverOptions, options },
      toModel: (solved) =>
        new LinearOneClassModel({
          ...linearFunctionParts(dataset, training, solved, { nu }, 'ONECLASS_SVM'),
          ...this.kept([solved.alpha]),
        }),
    }
  }
}
