/** What `train`, `cv` and `tune` add to a classifier or a regression by its folds: a threshold, sets of classes, intervals. */
import { ParameterError } from '../../base/errors.ts'
import type { Dataset, Label } from '../../data/table/dataset.ts'
import type { Learns } from '../../estimators/parts/estimator.ts'
import type { DecisionThreshold, ThresholdGoal } from '../../metrics/decision-threshold.ts'
import { isClassifier, type Model } from '../../models/model.ts'
import { thresholdFromFolds, withThreshold } from '../../selection/calibrate/choose-threshold.ts'
import { type ConformalModel, withConformal } from '../../selection/calibrate/conformal.ts'
import { conformalFromFolds } from '../../selection/calibrate/conformal-from-folds.ts'
import type { ProtocolSettings } from '../../selection/score/protocols.ts'
import type { Estimator } from '../../selection/search/estimator.ts'
import { defined, notApplicable } from '../options/options.ts'
import { COMMAND } from '../report/failure.ts'
import type { LateBar } from '../terminal/late-bar.ts'

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
