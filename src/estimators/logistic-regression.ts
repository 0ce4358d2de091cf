import { LinearClassifier, type LinearClassifierOptions } from './parts/linear-classifier.ts'
import {
  type ChosenLinearSolver,
  chooseLinearSolver,
  type LinearSolverChoice,
} from './parts/solver-choice.ts'

/** Options of {@link LogisticRegression}; every one has a default. */
export interface LogisticRegressionOptions extends LinearClassifierOptions {
  /** The solver, optionally with its own settings. Default 'auto', which chooses by the problem. */
  readonly solver?: LinearSolverChoice
}

/**
 * Logistic regression: learns f(x) = ⟨w, x⟩ + b from min ½‖w‖² + Σ C_i log(1 + e^(−y_i f(x_i))), or with ‖w‖₁, with one such
 * function per class against the rest if there are more than two. Its models have probabilities, 1 / (1 + e^−f) for two
 * classes.
 *
 * @example
 * const model = await new LogisticRegression({ C: 10 }).fit(train)
 * model.predictProbability(test.samples)
 */
export class LogisticRegression extends LinearClassifier<LogisticRegressionOptions> {
  protected readonly loss = 'logistic'
  protected readonly chosen: ChosenLinearSolver

  constructor(options: LogisticRegressionOptions = {}) {
    super('LogisticRegression', options, ['penalty', 'solver', 'classWeight'])
    const { who, bias } = this
    const { solver = 'auto', penalty } = options
    this.chosen = chooseLinearSolver(who, solver, { loss: 'logistic', norm: penalty === 'l1' ? 1 : 2, bias })
  }
}
