/** Would more data help? Scores by number of training samples, on the same test samples. */

import { checkKnown, checkNumber } from '../../base/check.ts'
import { ParameterError } from '../../base/errors.ts'
import { smallestOf } from '../../base/lists.ts'
import type { Dataset, Label } from '../../data/table/dataset.ts'
import type { Estimator } from '../search/estimator.ts'
import { inProcessExecutor } from '../search/executor.ts'
import { type Fold, pickLabels, thinned } from '../split/splits.ts'
import { foldsFor, learnsNumbers, scorersFor } from './evaluation-setup.ts'
import { chosenProtocol, type ProtocolChoice } from './protocols.ts'
import { type ScoreMean, scoreTrainAndTest, summarize } from './score-train-and-test.ts'
import type { Scoring } from './scoring.ts'

/** Options of {@link learningCurve}. */
export interface LearningCurveOptions extends ProtocolChoice {
  /**
   * Sizes of the training set: fractions in (0, 1], or numbers of samples above 1. Default: five fractions from 0.1 to 1.
   */
  readonly sizes?: readonly number[]
  /** 'accuracy' for classes, 'r2' for targets unless given. */
  readonly scoring?: Scoring
  readonly seed?: number
  /**
   * Ends the work and returns the finished sizes, with `complete: false`; if there are none, the promise is rejected with the
   * reason of the signal.
   */
  readonly signal?: AbortSignal
  /** Called with the number of finished fits and the total. */
  readonly onProgress?: (done: number, total: number) => void
}

/** One size of the training set. */
export interface LearningCurvePoint {
  readonly samples: number
  readonly train: ScoreMean
  readonly test: ScoreMean
}

/** The result of {@link learningCurve}. */
export interface LearningCurve {
  readonly scoring: string
  readonly points: readonly LearningCurvePoint[]
  /** False if `signal` ended the work before all sizes were finished. */
  readonly complete: boolean
}

/**
 * Fits on parts of each training side, smaller ones first, and scores both sides.
 *
 * @example
 * const { points } = await learningCurve(new SVC({ C: 10 }), train)
 */
export async function learningCurve(
  estimator: Estimator,
  data: Dataset<unknown>,
  options: LearningCurveOptions = {},
): Promise<LearningCurve> {
  const who = 'learningCurve'
  checkKnown(who, options, ['sizes', 'protocol', 'folds', 'scoring', 'seed', 'signal', 'onProgress'])
  const { sizes = [0.1, 0.325, 0.55, 0.775, 1], seed = 0, signal, onProgress } = options
  if (!Array.isArray(sizes) || sizes.length === 0)
    throw new ParameterError(who, 'sizes', 'a list of sizes', sizes)
  for (const size of sizes) checkNumber(who, 'sizes', size, { above: 0 })
  const scorers = scorersFor(who, estimator, data, options.scoring)
  const [scorer] = scorers
  const stratify = !learnsNumbers(estimator, data)
  const folds = foldsFor(who, estimator, data, chosenProtocol(who, data, options), seed, scorers)
  const most = smallestOf(folds.map(({ train }) => train.length))
  const counts = [...new Set(sizes.map((size) => countOf(who, size, most)))].sort((a, b) => a - b)
  const parts = counts.map((samples) =>
    folds.map(({ train, test }, f) => ({
      train: thinned(data, train, samples, { stratify, seed: seed + f }),
      test,
    })),
  )
  if (estimator.learns === 'classes') {
    for (const [k, own] of parts.entries()) checkClasses(who, data, own, counts[k])
  }
  const units = counts.flatMap((_, k) => folds.map((_, f) => ({ cell: 0, fold: k * folds.length + f })))
  const work = { data, folds: parts.flat(), cells: [{}], make: () => estimator }
  const executor = inProcessExecutor()
  const fits = await scoreTrainAndTest(work, units, scorer, { executor, signal, onProgress })
  const points = counts.slice(0, Math.floor(fits.length / folds.length)).map((samples, k) => ({
    samples,
    ...summarize(fits.slice(k * folds.length, (k + 1) * folds.length).map(({ scores }) => scores)),
  }))
  if (points.length === 0) signal?.throwIfAborted()
  return { scoring: scorer.name, points, complete: points.length === counts.length }
}

function countOf(who: string, size: number, most: number): number {
  const count = size <= 1 ? Math.max(2, Math.round(size * most)) : size
  return checkNumber(who, 'sizes', count, { min: 2, max: most, integer: true })
}

function checkClasses(
  who: string,
  { labels }: Dataset<unknown>,
  parts: readonly Fold[],
  samples: number,
): void {
  if (parts.every(({ train }) => new Set<Label>(pickLabels(labels, train)).size > 1)) return
  throw new ParameterError(who, 'sizes', 'large enough for two classes', samples)
}
