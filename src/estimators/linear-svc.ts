import { checkOneOf } from '../base/check.ts'
import { ParameterError } from '../base/errors.ts'
import type { Loss } from '../problems/problem.ts'
import { checkPenalty, LinearClassifier, type LinearClassifierOptions } from './parts/linear-classifier.ts'
import { linearEstimatorOptionNames } from './parts/linear-estimator.ts'
import { checkOptionNames } from './parts/option-names.ts'
import {
  type ChosenLinearSolver,
  chooseLinearSolver,
  type LinearSolverChoice,
  type SolverChoice,
} from './parts/solver-choice.ts'

/** What {@link LinearSVC} takes; every setting has a default. */
export interface LinearSvcOptions extends LinearClassifierOptions {
  /**
   * How more than two classes are told apart: each from the rest, or all at once by Crammer and Singer's machine, which has
   * a hinge loss and a solver of its own. Default 'ovr'.
   */
  readonly multiClass?: 'ovr' | 'crammer-singer'
  /** Price of a margin violation, > 0; Infinity (hard margin) with the hinge loss only. Default 1. */
  readonly C?: number
  /** Default 'squared-hinge'. */
  readonly loss?: Loss
  /** Which solver, with settings of its own if need be. Default 'auto', which takes the one that the problem asks for. */
  readonly solver?: LinearSolverChoice | SolverChoice
}

/**
 * Linear support vector classifier: learns f(x) = ⟨w, x⟩ + b directly, for more than two classes one such function each, in
 * time proportional to the stored values of the data. Unlike {@link SVC} it keeps w alone, regularises the bias, and
 * minimises the squared hinge unless told otherwise.
 *
 * @example
 * const model = await new LinearSVC({ C: 0.1 }).fit(train)
 * model.coef
 */
export class LinearSVC extends LinearClassifier {
  /** The settings that were given. */
  readonly options: LinearSvcOptions
  protected readonly loss: Loss
  protected readonly chosen: ChosenLinearSolver
  protected override readonly multiClass: 'ovr' | 'crammer-singer'

  constructor(options: LinearSvcOptions = {}) {
    const who = 'LinearSVC'
    checkOptionNames(who, options, [
      ...['C', 'loss', 'penalty', 'solver', 'classWeight', 'multiClass'],
      ...linearEstimatorOptionNames,
    ])
    const { loss = 'squared-hinge', penalty, C, multiClass = 'ovr' } = options
    checkOneOf(who, 'loss', loss, ['hinge', 'squared-hinge'])
    checkOneOf(who, 'multiClass', multiClass, ['ovr', 'crammer-singer'])
    checkPenalty(who, loss, penalty)
    for (const name of ['loss', 'solver', 'penalty'] as const) {
      if (multiClass === 'crammer-singer' && options[name] !== undefined) {
        throw new ParameterError(who, name, "left out with multiClass 'crammer-singer'", options[name])
      }
    }
    super(who, options, loss === 'hinge' && multiClass === 'ovr')
    if (multiClass === 'crammer-singer' && this.bias === 'free') {
      throw new ParameterError(who, 'bias', "regularised or none with multiClass 'crammer-singer'", this.bias)
    }
    this.options = options
    this.loss = loss
    this.multiClass = multiClass
    // A hard margin has no primal value on the way: only the dual can be solved for.
    const { solver = C === Number.POSITIVE_INFINITY ? 'sdca' : 'auto' } = options
    this.chosen = chooseLinearSolver(who, solver, { loss, norm: penalty === 'l1' ? 1 : 2, bias: this.bias })
  }
}
