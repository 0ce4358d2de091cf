/**
 * The path over C: scores and support vectors as margin violations become more expensive. The values of C are the cells of a
 * search
 * (./shared-work.ts): where cells share their work, each solution is the start of the next; elsewhere each C is fitted on
 * its own.
 */

import { checkKnown, checkNumber } from '../../base/check.ts'
import { ParameterError } from '../../base/errors.ts'
import { contentFingerprint } from '../../base/fingerprint.ts'
import type { Dataset } from '../../data/table/dataset.ts'
import { fitJob } from '../../estimators/fitting/fit-job.ts'
import { type CheckpointChoice, keeping } from '../../estimators/fitting/kept-work.ts'
import { rememberedCacheBytes } from '../../solve/driver/solve-task.ts'
import { foldsFor, scorersFor } from '../score/evaluation-setup.ts'
import { chosenProtocol, type ProtocolChoice } from '../score/protocols.ts'
import {
  type ScoredFit,
  type ScoreMean,
  scoreTrainAndTest,
  summarize,
} from '../score/score-train-and-test.ts'
import { isBetter, type Scoring } from '../score/scoring.ts'
import { estimatorMaker, type Tunable } from '../search/estimator-params.ts'
import { sharedWorkExecutor } from './shared-work.ts'

/** Options of {@link cPath}. */
export interface CPathOptions extends ProtocolChoice {
  /** The values of C. Default: 2^−5, 2^−3 … 2^15. */
  readonly C?: readonly number[]
  readonly scoring?: Scoring
  readonly seed?: number
  /**
   * Ends the work and returns the finished folds, with `complete: false`; if there are none, the promise is rejected with the
   * reason of the signal.
   */
  readonly signal?: AbortSignal
  /** Called with the number of solutions found and the total. */
  readonly onProgress?: (done: number, total: number) => void
  /** Where to save the state regularly; the same call resumes from it. See `fit`. */
  readonly checkpoint?: CheckpointChoice | undefined
  /** Memory for matrices, in bytes. Default: a quarter of the free memory, 2 GB at most. */
  readonly cacheBytes?: number
}

/** One value of C. */
export interface CPathPoint {
  readonly C: number
  readonly train: ScoreMean
  readonly test: ScoreMean
  /** Mean over the folds; undefined of models that have none, such as linear ones. */
  readonly supportVectors?: number | undefined
  /**
   * Steps of the solver, all folds together. On a warm path they start from the solution before, and count pairs alone: 0
   * where linear systems led there.
   */
  readonly iterations?: number | undefined
}

/** The result of {@link cPath}. */
export interface CPath {
  readonly scoring: string
  readonly points: readonly CPathPoint[]
  /** The C of the best mean on samples not seen; the smallest, where several are best. */
  readonly bestC: number
  /** Whether solutions were started from those for smaller C; otherwise each C was fitted on its own. */
  readonly warm: boolean
  /** False if `signal` ended the work before all folds were finished. */
  readonly complete: boolean
}

/**
 * Follows the path over C on every fold.
 *
 * @example
 * const { points } = await cPath(new SVC({ kernel: rbf({ gamma: 1 }) }), train)
 */
export async function cPath(
  tunable: Tunable,
  data: Dataset<unknown>,
  options: CPathOptions = {},
): Promise<CPath> {
  const who = 'cPath'
  checkKnown(who, options, [
    'C',
    'protocol',
    'folds',
    'scoring',
    'seed',
    'signal',
    'onProgress',
    'cacheBytes',
    'checkpoint',
  ])
  const { seed = 0, signal, onProgress, cacheBytes } = options
  const given = options.C ?? Array.from({ length: 11 }, (_, k) => 2 ** (2 * k - 5))
  if (!Array.isArray(given) || given.length === 0)
    throw new ParameterError(who, 'C', 'a list of numbers', given)
  const values = [...new Set(given.map((C) => checkNumber(who, 'each C', C, { above: 0 })))].sort(
    (a, b) => a - b,
  )
  const scorers = scorersFor(who, tunable, data, options.scoring)
  const [scorer] = scorers
  const folds = foldsFor(who, tunable, data, chosenProtocol(who, data, options), seed, scorers)
  const work = { data, folds, cells: values.map((C) => ({ C })), make: estimatorMaker(tunable) }
  const units = folds.flatMap((_, fold) => values.map((_, cell) => ({ cell, fold })))
  const job = () => ({
    work: 'path',
    ...fitJob(tunable, data),
    folds: contentFingerprint(folds),
    values,
    scoring: scorer.name,
    ...(cacheBytes !== undefined && { cacheBytes }),
  })
  const fits = await keeping(options.checkpoint, job, (checkpoint) => {
    const executor = sharedWorkExecutor({ cacheBytes: rememberedCacheBytes(cacheBytes, checkpoint) })
    return scoreTrainAndTest(work, units, scorer, { executor, signal, onProgress, checkpoint })
  })
  const done = Math.floor(fits.length / values.length)
  if (done === 0) signal?.throwIfAborted()
  const onFolds = (k: number) => Array.from({ length: done }, (_, f) => fits[f * values.length + k])
  const points = values.map((C, k) => pointOf(C, onFolds(k)))
  const best = points.reduce((first, one) => (isBetter(scorer, one.test.mean, first.test.mean) ? one : first))
  return {
    scoring: scorer.name,
    points,
    bestC: best.C,
    warm: fits.some(({ isWarm }) => isWarm),
    complete: done === folds.length,
  }
}

function pointOf(C: number, folds: readonly ScoredFit[]): CPathPoint {
  const total = (name: 'supportVectors' | 'iterations'): number =>
    folds.reduce((sum, fold) => sum + (fold[name] ?? Number.NaN), 0)
  return {
    C,
    ...summarize(folds.map(({ scores }) => scores)),
    ...(folds[0].supportVectors !== undefined && { supportVectors: total('supportVectors') / folds.length }),
    ...(folds[0].iterations !== undefined && { iterations: total('iterations') }),
  }
}
