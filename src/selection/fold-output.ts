/** One fit on one fold: learn from one part, say something of each sample of the other. */
import { type Dataset, type Label, type Labels, sampleCount, selectSamples } from '../data/dataset.ts'
import type { Estimator, Predictor } from './estimator.ts'
import type { Judged } from './scoring.ts'
import { type Fold, labelsAreClasses, pickLabels } from './splits.ts'

/** What a model that never saw them says of the samples of a fold, in the order of `fold.test`. */
export interface FoldOutput {
  readonly predicted: Labels
  readonly decisions?: Float64Array | undefined
  /** Of more than two classes, the value of each pair: rows x pairs, where whoever fitted kept them. */
  readonly pairDecisions?: Float64Array | undefined
  readonly probabilities?: ArrayLike<number> | ArrayLike<ArrayLike<number>> | undefined
  /** Seconds of fitting and predicting. */
  readonly seconds: number
  /** Why the solver stopped, where the model says so. */
  readonly stopReason?: string | undefined
}

/** Fits on one side of a fold and predicts the other. A scaler of the estimator's sees the training side alone. */
export async function fitFold(
  estimator: Estimator,
  data: Dataset,
  fold: Fold,
  signal?: AbortSignal,
): Promise<FoldOutput> {
  const started = performance.now()
  const model = await estimator.fit(selectSamples(data, fold.train), signal ? { signal } : {})
  const output = outputOf(model, selectSamples(data, fold.test))
  return { ...output, seconds: (performance.now() - started) / 1000 }
}

/** What a model says of samples. */
export function outputOf(model: Predictor, { samples }: Dataset): Omit<FoldOutput, 'seconds'> {
  const count = sampleCount(samples)
  const decisions = model.decisionFunction?.(samples)
  const stopReason = model.certificate?.stopReason
  const single = decisions?.length === count ? decisions : undefined
  if (model.probability && model.predictProbability) {
    const flat = model.predictProbability(samples)
    const classes = flat.length / count
    const probabilities = Array.from({ length: count }, (_, i) =>
      flat.subarray(i * classes, (i + 1) * classes),
    )
    return { predicted: model.predict(samples), decisions: single, probabilities, stopReason }
  }
  const predicted = decisions && model.labelsOf ? model.labelsOf(decisions) : model.predict(samples)
  return { predicted, decisions: single, stopReason }
}

/** What a score needs to know of a fold. */
export function judgedOf(
  data: Dataset,
  test: Uint32Array,
  output: Omit<FoldOutput, 'seconds'>,
  classes: readonly Label[] | undefined,
): Judged {
  const { labels, weights } = data
  const { predicted, decisions, probabilities } = output
  return {
    truth: pickLabels(labels, test),
    predicted,
    decisions,
    probabilities,
    weights: weights && Float64Array.from(test, (i) => weights[i]),
    classes,
  }
}

/** All classes of a data set, ascending; undefined where its labels are targets of a regression. */
export function classesOf({ labels }: Dataset): readonly Label[] | undefined {
  if (!labelsAreClasses(labels)) return undefined
  if (labels instanceof Float64Array) return [...new Set(labels)].sort((a, b) => a - b)
  return [...new Set(labels)].sort()
}
