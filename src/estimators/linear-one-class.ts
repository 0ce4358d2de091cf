import { DataError } from '../base/errors.ts'
import { LinearOneClassModel } from '../models/linear-one-class-model.ts'
import { makeLinearMachine } from '../problems/linear-problem.ts'
import type { PreparedFit, Unlabelled } from './parts/estimator.ts'
import {
  LinearEstimator,
  type LinearEstimatorOptions,
  type LinearFitHooks,
  linearFunctionParts,
} from './parts/linear-estimator.ts'
import { asUnlabelled, type OneClassInput } from './parts/one-class-input.ts'
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
export class LinearOneClass extends LinearEstimator<
  Unlabelled<never>,
  LinearOneClassModel,
  LinearOneClassOptions,
  OneClassInput
> {
  readonly learns = 'normal'
  private readonly chosen: ChosenLinearSolver

  constructor(options: LinearOneClassOptions = {}) {
    super('LinearOneClass', options, { numbers: { nu: { above: 0, max: 1 } }, names: ['solver'] }, 'free')
    const demand = { loss: 'one-class', norm: 2, bias: 'free' } as const
    this.chosen = chooseLinearSolver(this.who, options.solver ?? 'auto', demand)
  }

  protected override datasetOf(data: OneClassInput): Unlabelled<never> {
    return asUnlabelled(data)
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
    const place = { ...training, settings: { nu } }
    const options = this.runOptions(fitOptions, 'linear-one-class', place)
    return {
      task: { problem, ...this.chosen, options },
      toModel: (solved) =>
        new LinearOneClassModel({
          ...linearFunctionParts(dataset, training, solved, { nu }, 'ONECLASS_SVM'),
          ...this.kept([solved.alpha]),
        }),
    }
  }
}
