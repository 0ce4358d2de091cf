import { LinearClassifier, type LinearClassifierOptions } from './parts/linear-classifier.ts'
import { linearEstimatorOptionNames } from './parts/linear-estimator.ts'
import { checkOptionNames } from './parts/option-names.ts'
import {
  type ChosenLinearSolver,
  chooseLinearSolver,
  type LinearSolverChoice,
} from './parts/solver-choice.ts'

/** What {@link LogisticRegression} takes; every setting has a default. */
export interface LogisticRegressionOptions extends LinearClassifierOptions {
  /** Which solver, with settings of its own if need be. Default 'auto', which takes the one that the problem asks for. */
  readonly solver?: LinearSolverChoice
}

/**
 * Logistic regression: learns f(x) = ⟨w, x⟩ + b from min ½‖w‖² + Σ C_i log(1 + e^(−y_i f(x_i))), or with ‖w‖₁, for more than two
 * classes one such function each against the rest. Its models give probabilities, 1 / (1 + e^−f) for two classes.
 *
 * @example
 * const model = await new LogisticRegression({ C: 10 }).fit(train)
 * model.predictProbability(test.samples)
 */
export class LogisticRegression extends LinearClassifier {
  /** The settings that were given. */
  readonly options: LogisticRegressionOptions
  protected readonly loss = 'logistic'
  protected readonly chosen: ChosenLinearSolver

  constructor(options: LogisticRegressionOptions = {}) {
    const who = 'LogisticRegression'
    checkOptionNames(who, options, [
      ...['C', 'penalty', 'solver', 'classWeight'],
      ...linearEstimatorOptionNames,
    ])
    super(who, options)
    this.options = options
    const { solver = 'auto', penalty } = options
    this.chosen = chooseLinearSolver(who, solver, {
      loss: 'logistic',
      norm: penalty === 'l1' ? 1 : 2,
      bias: this.bias,
    })
  }
}
