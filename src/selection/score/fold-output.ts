/** One fit on one fold: learn from one part, say something of each sample of the other. */
import {
  type Dataset,
  type Label,
  type Labels,
  sampleCount,
  selectSamples,
} from '../../data/table/dataset.ts'
import type { FitOptions } from '../../estimators/parts/estimator.ts'
import { defaultLabelOrder, PairVotes, pairCount } from '../../models/pairs.ts'
import { SvcModel } from '../../models/svc-model.ts'
import type { FoundPoint } from '../../solve/driver/found-point.ts'
import type { Estimator, Predictor } from '../search/estimator.ts'
import { type Fold, labelsAreClasses, pickLabels } from '../split/splits.ts'
import type { ScoreInput } from './scoring.ts'

/** Predictions of a model for the test samples of a fold, in the order of `fold.test`. */
export interface FoldOutput {
  readonly predicted: Labels
  readonly decisions?: Float64Array | undefined
  /** For more than two classes: the value of each pair (rows x pairs), for machines with one function per pair. */
  readonly pairDecisions?: Float64Array | undefined
  /** For more than two classes: the value of each class (rows x classes), for machines with one function per class. */
  readonly classDecisions?: Float64Array | undefined
  readonly probabilities?: ArrayLike<number> | ArrayLike<ArrayLike<number>> | undefined
  /** Seconds of fitting and predicting. */
  readonly seconds: number
  /** Stop reason, number of steps and number of support vectors, if the model has them. */
  readonly stopReason?: string | undefined
  readonly iterations?: number | undefined
  readonly supportVectors?: number | undefined
  /** The result of each problem, for cells that share work: one per pair of classes, or one. */
  readonly problems?: readonly SolvedProblem[] | undefined
  /** The solutions of these, where they were requested. */
  readonly found?: readonly FoundPoint[] | undefined
  /** Whether the solution was started from that for a smaller C. */
  readonly isWarm?: boolean | undefined
  /** The same for the training samples, in the order of `fold.train`, if they are scored too. */
  readonly seen?: Omit<FoldOutput, 'seconds' | 'seen'> | undefined
}

/** The solution of a problem in numbers. */
export interface SolvedProblem {
  readonly iterations: number
  readonly dual: number
  readonly bias: number
  /** ρ of ν-SVC, ε of ν-SVR; 0 elsewhere. */
  readonly width: number
  /** Σ |β| */
  readonly size: number
  readonly supportVectors: number
  readonly boundedSupportVectors: number
}

/** What a fit on a fold is told; `start` is for linear machines. */
type FoldFitOptions = Pick<FitOptions, 'signal' | 'checkpoint'> & { readonly start?: object }

/**
 * Fits on one side of a fold and predicts the other, or both. A scaler of the estimator's sees the training side alone.
 */
export async function fitOnFold(
  estimator: Estimator,
  data: Dataset<unknown>,
  fold: Fold,
  options: FoldFitOptions = {},
  withTraining = false,
): Promise<{ readonly model: Predictor; readonly output: FoldOutput }> {
  const started = performance.now()
  const train = selectSamples(data, fold.train)
  const model = await estimator.fit(train as Dataset, options)
  const output = {
    ...outputOf(model, selectSamples(data, fold.test)),
    ...(withTraining && !options.signal?.aborted && { seen: outputOf(model, train) }),
    supportVectors: model.supportCount,
    iterations: model.certificate?.iterations,
    seconds: (performance.now() - started) / 1000,
  }
  return { model, output }
}

/** What a model says of samples. */
export function outputOf(model: Predictor, { samples }: Dataset<unknown>): Omit<FoldOutput, 'seconds'> {
  const count = sampleCount(samples)
  const stopReason = model.certificate?.stopReason
  const k = model.classes?.length ?? 0
  if (model instanceof SvcModel && k > 2 && !model.probability) {
    const pairDecisions = model.decisionFunction(samples as never, { decisionFunctionShape: 'ovo' })
    const shown = model.decisionFunctionShape === 'ovo' ? pairDecisions : scoresOfPairs(pairDecisions, k)
    return { predicted: model.labelsOf(shown), pairDecisions, stopReason }
  }
  const decisions = model.decisionFunction?.(samples)
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
  if (k === 2 && decisions?.length === 2 * count) {
    const ahead = Float64Array.from({ length: count }, (_, i) => decisions[2 * i + 1] - decisions[2 * i])
    return { predicted, decisions: ahead, stopReason }
  }
  const classDecisions = k > 2 && decisions?.length === count * k ? decisions : undefined
  return { predicted, decisions: single, classDecisions, stopReason }
}

/** A score for each of k classes from the values of their pairs: rows x classes. */
function scoresOfPairs(values: Float64Array, k: number): Float64Array {
  const votes = new PairVotes(k, defaultLabelOrder(k))
  const pairs = pairCount(k)
  const scores = new Float64Array((values.length / pairs) * k)
  for (let i = 0; i * k < scores.length; i++) votes.score(values, i * pairs, scores, i * k)
  return scores
}

/** What was said of the samples of all folds, one after the other. */
export function joinOutputs(outputs: readonly FoldOutput[]): Omit<FoldOutput, 'seconds'> {
  const values = (name: 'decisions' | 'pairDecisions' | 'classDecisions'): Float64Array | undefined =>
    outputs.every((output) => output[name])
      ? Float64Array.from(outputs.flatMap((output) => Array.from(output[name] as Float64Array)))
      : undefined
  const said = outputs.flatMap(({ predicted }) => Array.from<Label>(predicted))
  return {
    predicted: typeof said[0] === 'number' ? Float64Array.from(said as number[]) : (said as string[]),
    decisions: values('decisions'),
    pairDecisions: values('pairDecisions'),
    classDecisions: values('classDecisions'),
    ...(outputs.every(({ probabilities }) => probabilities) && {
      probabilities: outputs.flatMap(({ probabilities }) => Array.from(probabilities as ArrayLike<number[]>)),
    }),
  }
}

/** What a score needs to know of a fold. */
export function scoreInputOf(
  data: Dataset<unknown>,
  test: Uint32Array,
  output: Omit<FoldOutput, 'seconds'>,
  classes: readonly Label[] | undefined,
): ScoreInput {
  const { labels, weights } = data
  const { predicted, decisions, probabilities, pairDecisions, classDecisions } = output
  const k = classes?.length ?? 0
  return {
    truth: pickLabels(labels, test),
    predicted,
    decisions,
    probabilities,
    // Most scores have no use for it.
    get classScores() {
      if (classDecisions?.length === test.length * k) return classDecisions
      if (pairDecisions?.length === test.length * pairCount(k)) return scoresOfPairs(pairDecisions, k)
      if (k <= 2 || typeof probabilities?.[0] !== 'object') return undefined
      return Float64Array.from((probabilities as ArrayLike<number>[]).flatMap((row) => Array.from(row)))
    },
    weights: weights && Float64Array.from(test, (i) => weights[i]),
    classes,
  }
}

/** All classes of a data set, ascending; undefined where its labels are targets of a regression. */
export function classesOf({ labels }: Dataset<unknown>): readonly Label[] | undefined {
  if (!labelsAreClasses(labels)) return undefined
  if (labels instanceof Float64Array) return [...new Set(labels)].sort((a, b) => a - b)
  return [...new Set(labels)].sort()
}
