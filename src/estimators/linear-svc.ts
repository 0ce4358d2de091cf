import { checkOneOf } from '../base/check.ts'
import { ParameterError } from '../base/errors.ts'
import type { Loss } from '../problems/problem.ts'
import { LinearClassifier, type LinearClassifierOptions } from './parts/linear-classifier.ts'
import {
  type ChosenLinearSolver,
  chooseLinearSolver,
  type LinearSolverChoice,
  type SolverChoice,
} from './parts/solver-choice.ts'

/** Options of {@link LinearSVC}; every one has a default. */
export interface LinearSvcOptions extends LinearClassifierOptions {
  /**
   * Method for more than two classes: each against the rest, or jointly by Crammer and Singer's machine, which has a hinge
   * loss and its own solver. Default 'ovr'.
   */
  readonly multiClass?: 'ovr' | 'crammer-singer'
  /** Penalty for margin violations, > 0; Infinity (hard margin) only with the hinge loss. Default 1. */
  readonly C?: number
  /** Default 'squared-hinge'. */
  readonly loss?: Loss
  /** The solver, optionally with its own settings. Default 'auto', which chooses by the problem. */
  readonly solver?: LinearSolverChoice | SolverChoice
}

/**
 * Linear support vector classifier: learns f(x) = ⟨w, x⟩ + b directly, with one such function per class if there are more
 * than two, in time proportional to the stored values of the data. Unlike {@link SVC} it keeps only w, regularises the bias,
 * and minimises the squared hinge loss by default.
 *
 * @example
 * const model = await new LinearSVC({ C: 0.1 }).fit(train)
 * model.coef
 */
export class LinearSVC extends LinearClassifier<LinearSvcOptions> {
  protected readonly loss: Loss
  protected readonly chosen: ChosenLinearSolver
  protected override readonly multiClass: 'ovr' | 'crammer-singer'

  constructor(options: LinearSvcOptions = {}) {
    const takesHardMargin = options?.loss === 'hinge' && (options.multiClass ?? 'ovr') === 'ovr'
    const names = ['loss', 'penalty', 'solver', 'classWeight', 'multiClass']
    super('LinearSVC', options, names, takesHardMargin)
    const { who, bias } = this
    const { loss = 'squared-hinge', penalty, C, multiClass = 'ovr' } = options
    checkOneOf(who, 'loss', loss, ['hinge', 'squared-hinge'])
    checkOneOf(who, 'multiClass', multiClass, ['ovr', 'crammer-singer'])
    if (penalty === 'l1' && loss === 'hinge') {
      throw new ParameterError(who, 'penalty', 'l2 with the hinge loss', penalty)
    }
    for (const name of ['loss', 'solver', 'penalty'] as const) {
      if (multiClass === 'crammer-singer' && options[name] !== undefined) {
        throw new ParameterError(who, name, "does not apply to multiClass 'crammer-singer'")
      }
    }
    if (multiClass === 'crammer-singer' && bias === 'free') {
      throw new ParameterError(who, 'bias', "regularised or none with multiClass 'crammer-singer'", bias)
    }
    this.loss = loss
    this.multiClass = multiClass
    // A hard margin has no primal value on the way: only the dual can be solved for.
    const { solver = C === Number.POSITIVE_INFINITY ? 'sdca' : 'auto' } = options
    this.chosen = chooseLinearSolver(who, solver, { loss, norm: penalty === 'l1' ? 1 : 2, bias })
  }
}
