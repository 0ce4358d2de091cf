/** `--threshold`: from which decision value on the second of two classes is predicted. */
import { DataError } from '../../base/errors.ts'
import type { DecisionThreshold, ThresholdGoal, ThresholdScore } from '../../metrics/decision-threshold.ts'
import { isClassifier, type Model } from '../../models/model.ts'
import { withThreshold } from '../../selection/calibrate/choose-threshold.ts'
import { number, percent } from '../report/output.ts'
import { numberOption, numbersOf, type OptionSpec } from './options.ts'

const SCORES: readonly ThresholdScore[] = ['f1', 'accuracy', 'balanced-accuracy', 'mcc']
const GOALS = `${SCORES.join(', ')}, precision=P, recall=R (up to 1), cost=FP,FN or a number`

/** As `train` takes it: a number, or what to choose one by. */
export const chosenThresholdOption: OptionSpec<number | ThresholdGoal> = {
  value: 'goal',
  help: `decision value from which the second of two classes is predicted, stored in the model: a number, or a goal to reach on the held-out samples of 5 folds: ${GOALS}`,
  allowed: GOALS,
  read: readGoal,
}

/** As `cv` and `tune` take it: what to choose one by. */
export const reportedThresholdOption: OptionSpec<ThresholdGoal> = {
  value: 'goal',
  help: `choose the decision value from which the second of two classes is predicted, on held-out samples of the folds: ${SCORES.join(', ')}, precision=P, recall=R or cost=FP,FN`,
  allowed: `${SCORES.join(', ')}, precision=P, recall=R (up to 1) or cost=FP,FN`,
  choices: SCORES,
  read(text) {
    const goal = readGoal(text)
    return typeof goal === 'number' ? undefined : goal
  },
}

/** What a threshold does to the samples that it was chosen on. */
export function foldScores({ precision, recall, f1, accuracy }: DecisionThreshold) {
  return { precision, recall, f1, accuracy }
}

/** A threshold that was chosen, and what it does. */
export function thresholdWords({ threshold, precision, recall, f1 }: DecisionThreshold): string[] {
  return [
    `threshold ${number(threshold)}`,
    `  on samples not seen: precision ${percent(precision)}, recall ${percent(recall)}, F1 ${percent(f1)}`,
  ]
}

/** As commands that use a model take it. */
export const thresholdOption = {
  threshold: numberOption(
    'decision value from which the second of two classes is predicted (default: that of the model, if any)',
  ),
}

/** The model with the requested threshold in place of its own. */
export function modelWithThreshold(path: string, model: Model, threshold: number | undefined): Model {
  if (threshold === undefined) return model
  if (isClassifier(model) && model.classes.length === 2) return withThreshold(model, threshold)
  const what = isClassifier(model) ? `has ${model.classes.length} classes` : `is of type ${model.type}`
  throw new DataError(`${path}: --threshold needs a classifier of two classes, but this model ${what}`)
}

function readGoal(text: string): number | ThresholdGoal | undefined {
  const score = SCORES.find((name) => name === text)
  if (score) return { maximise: score }
  const [name, list, ...more] = text.split('=')
  const numbers = numbersOf(list ?? name)
  if (more.length > 0 || numbers.some(Number.isNaN)) return undefined
  if (list === undefined) return numbers.length === 1 ? numbers[0] : undefined
  const [first, second] = numbers
  if (name === 'cost' && numbers.length === 2 && first >= 0 && second >= 0) {
    return { cost: { falsePositive: first, falseNegative: second } }
  }
  if (numbers.length !== 1 || !(first > 0 && first <= 1)) return undefined
  return name === 'precision' ? { precision: first } : name === 'recall' ? { recall: first } : undefined
}
