import { checkBoolean, checkOneOf } from '../../base/check.ts'
import { ParameterError } from '../../base/errors.ts'
import type { DecisionShape } from '../../models/model-parts.ts'
import { type ClassWeight, checkClassWeight } from './class-targets.ts'

/** Options of kernel classifiers. */
export interface ClassifierOptions {
  /** Factors of C for each class. Default: 1 for all. */
  readonly classWeight?: ClassWeight
  /** Shape of the decision function for more than two classes: one score per class, or one value per pair. Default 'ovr'. */
  readonly decisionFunctionShape?: DecisionShape
  /** Let scores, rather than the order of the classes, break ties between votes. Default false. */
  readonly breakTies?: boolean
}

/** Names of {@link ClassifierOptions}. */
export const classifierOptionNames = ['classWeight', 'decisionFunctionShape', 'breakTies'] as const

/** Checks {@link ClassifierOptions}. */
export function checkClassifierOptions(who: string, options: ClassifierOptions): void {
  const { classWeight, decisionFunctionShape = 'ovr', breakTies = false } = options
  checkClassWeight(who, classWeight)
  checkOneOf(who, 'decisionFunctionShape', decisionFunctionShape, ['ovr', 'ovo'])
  checkBoolean(who, 'breakTies', breakTies)
  if (breakTies && decisionFunctionShape === 'ovo') {
    throw new ParameterError(who, 'breakTies', "false with decisionFunctionShape 'ovo'", breakTies)
  }
}
