/** Scores on what was learned from and on what was not: their distance shows overfitting, their height underfitting. */
import { type Dataset, type Label, selectSamples } from '../../data/table/dataset.ts'
import type { FitOptions } from '../../estimators/parts/estimator.ts'
import type { Estimator } from '../search/estimator.ts'
import type { Fold } from '../split/splits.ts'
import { meanOf } from './evaluate-cells.ts'
import { judgedOf, outputOf } from './fold-output.ts'
import type { Scorer } from './scoring.ts'

/** A score of one fit, on both sides. */
export interface BothScores {
  readonly train: number
  readonly test: number
}

/** The mean over fits, on one side. */
export interface SideSummary {
  readonly scores: readonly number[]
  readonly mean: number
  readonly standardError: number
}

/** One fit: its scores, and how large a model it took how many steps to find, where the model says so. */
export interface FitOnFold {
  readonly scores: BothScores
  readonly supportVectors?: number | undefined
  readonly iterations?: number | undefined
}

/** Fits on one side of a fold and scores both. */
export async function fitBothSides(
  estimator: Estimator,
  data: Dataset,
  fold: Fold,
  scorer: Scorer,
  classes: readonly Label[] | undefined,
  options: Pick<FitOptions, 'signal' | 'checkpoint'> = {},
): Promise<FitOnFold> {
  const model = await estimator.fit(selectSamples(data, fold.train), options)
  options.signal?.throwIfAborted()
  const score = (side: Uint32Array): number =>
    scorer.score(judgedOf(data, side, outputOf(model, selectSamples(data, side)), classes))
  return {
    scores: { train: score(fold.train), test: score(fold.test) },
    supportVectors: model.supportCount,
    iterations: model.certificate?.iterations,
  }
}

/** Does `work`, as far as `signal` lets it. */
export async function untilAborted(
  signal: AbortSignal | undefined,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}

/** Means over fits, side by side. */
export function summarize(scores: readonly BothScores[]): {
  readonly train: SideSummary
  readonly test: SideSummary
} {
  const of = (side: keyof BothScores): SideSummary => {
    const own = scores.map((one) => one[side])
    return { scores: own, ...meanOf(own) }
  }
  return { train: of('train'), test: of('test') }
}
