/**
 * What a model decides beside its function: `--threshold`, from which decision value on the second of two classes is predicted, and
 * `--conformal`, the probability with which sets of classes, or intervals of a regression, hold the truth. `train`, `cv` and `tune`
 * find them on the folds; commands that use a model replace them or leave them out.
 */
import { DataError, ParameterError } from '../../base/errors.ts'
import type { Dataset, Label } from '../../data/table/dataset.ts'
import type { Learns } from '../../estimators/parts/estimator.ts'
import type { DecisionThreshold, ThresholdGoal, ThresholdScore } from '../../metrics/decision-threshold.ts'
import { isClassifier, type Model } from '../../models/model.ts'
import type { Conformal } from '../../models/model-parts.ts'
import { thresholdFromFolds, withThreshold } from '../../selection/calibrate/choose-threshold.ts'
import { type ConformalModel, withConformal } from '../../selection/calibrate/conformal.ts'
import { conformalFromFolds } from '../../selection/calibrate/conformal-from-folds.ts'
import type { ProtocolSettings } from '../../selection/score/protocols.ts'
import type { Estimator } from '../../selection/search/estimator.ts'
import { COMMAND } from '../report/failure.ts'
import { counted, number, percent } from '../report/output.ts'
import type { LateBar } from '../terminal/late-bar.ts'
import {
  defined,
  negatable,
  notApplicable,
  numberOption,
  numbersOf,
  type OptionSpec,
  switchOption,
} from './options.ts'

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

/** As `train` and `tune` take it. */
export const conformalOption: OptionSpec<number> = {
  ...numberOption(
    'let predict add sets of classes, or intervals for regression, that contain the true value with this probability, such as 0.9; calibrated on held-out samples of the folds',
    'level',
  ),
  allowed: 'a number above 0 and below 1',
  read(text) {
    const level = Number(text || Number.NaN)
    return level > 0 && level < 1 ? level : undefined
  },
}

/** As commands that use a model take it. */
export const setsOption = {
  conformal: negatable(
    switchOption(
      'add the set of classes, or the interval, if the model was trained with --conformal (the default)',
    ),
    'do not add sets or intervals',
  ),
}

/** The model with its sets or intervals, unless they are not wanted. */
export function modelWithSets(
  path: string,
  model: Model,
  { conformal }: { readonly conformal?: boolean },
): Model {
  if (conformal === true && !model.conformal) {
    throw new DataError(`${path}: the model has no sets or intervals; train it with --conformal LEVEL`)
  }
  return conformal === false && model.conformal
    ? withConformal(model as ConformalModel as never, undefined)
    : model
}

/** What a model's sets or intervals promise. */
export function conformalWords({ by, level, quantile, from, samples }: Conformal): string {
  const what = by === 'residuals' ? 'intervals' : 'sets of classes'
  const how =
    from === 'folds' ? `${counted(samples, 'sample')} of folds` : `${counted(samples, 'sample')} held out`
  if (quantile === Number.POSITIVE_INFINITY) {
    const all = by === 'residuals' ? 'are infinite' : 'contain all classes'
    return `${what} ${all}: ${counted(samples, 'sample')} are not enough for ${percent(level)}`
  }
  const width = by === 'residuals' ? ` of ±${number(quantile)}` : ''
  return `${what}${width} contain the true value with probability ${percent(level)} (from ${how})`
}

/** The flags that ask for it. */
interface DecisionFlags {
  readonly type?: string
  readonly threshold?: number | ThresholdGoal
  readonly conformal?: number
}

/** Refuses what the type of machine cannot have, before any data are read. */
export function checkDecisionFlags(flags: DecisionFlags, learns: Learns): void {
  const { type, threshold, conformal } = flags
  if (threshold !== undefined && learns !== 'classes') {
    throw notApplicable('threshold', `--type ${type}, which has no classes`)
  }
  if (conformal !== undefined && learns === 'normal') {
    throw notApplicable('conformal', `--type ${type}, which has neither classes nor targets`)
  }
}

/** Refuses what the data cannot have, before anything is trained. */
export function checkDecisionData({ threshold }: DecisionFlags, { labels }: Pick<Dataset, 'labels'>): void {
  const classes = new Set<Label>(labels).size
  if (threshold === undefined || classes === 2) return
  throw new ParameterError(COMMAND, '--threshold', `needs data of two classes, got ${classes}`)
}

/** What decisions are made from. */
interface DecisionWork {
  readonly flags: DecisionFlags & { readonly seed?: number; readonly threads?: number }
  readonly data: Dataset
  readonly protocol: ProtocolSettings
  /** Its decision values are what thresholds are about. */
  readonly estimator: Estimator
  /** What was trained, where that is more than the estimator: calibrated. */
  readonly trainer?: Estimator
  readonly signal?: AbortSignal | undefined
  readonly bar?: LateBar
}

/**
 * The model with what the flags ask for, found on samples of the folds that no model had seen; without what Ctrl-C came before.
 * `chosen` is the threshold, where it was chosen.
 */
export async function withDecisions<M extends Model>(
  model: M,
  { flags, data, protocol, estimator, trainer = estimator, signal, bar }: DecisionWork,
): Promise<{ readonly model: M; readonly chosen?: DecisionThreshold | undefined }> {
  const { threshold, conformal: level, seed, threads } = flags
  const settings = (title: string) => ({
    onProgress: (done: number, total: number) =>
      bar?.update(title, done / total, `${done} of ${total} folds`),
    ...{ protocol, ...defined({ signal, seed, threads }) },
  })
  const unlessStopped = <T>(work: Promise<T>): Promise<T | undefined> =>
    work.catch((error) => {
      if (signal?.aborted) return undefined
      throw error
    })
  let decided = model
  if (level !== undefined) {
    const found = await unlessStopped(conformalFromFolds(trainer, data, { level, ...settings('conformal') }))
    if (found) decided = withConformal(decided as ConformalModel as never, found)
  }
  if (threshold === undefined || !isClassifier(decided)) return { model: decided }
  if (typeof threshold === 'number') return { model: withThreshold(decided, threshold) }
  const chosen = await unlessStopped(thresholdFromFolds(estimator, data, threshold, settings('threshold')))
  return { model: chosen ? withThreshold(decided, chosen.threshold) : decided, chosen }
}
