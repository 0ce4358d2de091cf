/** The search itself, as the flags ask for it. */

import type { VectorDataset } from '../../data/table/dataset.ts'
import type { Model } from '../../models/model.ts'
import type { Calibration } from '../../selection/calibrate/calibrate-from-folds.ts'
import type { CellResult, ResultStore } from '../../selection/score/evaluate-cells.ts'
import type { ProtocolSettings } from '../../selection/score/protocols.ts'
import type { ScoringName } from '../../selection/score/scoring.ts'
import type { Estimator as AnyEstimator } from '../../selection/search/estimator.ts'
import { type EstimatorSpec, estimatorSpec } from '../../selection/search/estimator-params.ts'
import type { Grid, Ranges } from '../../selection/search/search-cells.ts'
import { type searchNames, type TuneResult, tune } from '../../selection/search/tune.ts'
import { makeJob, type TuningJob } from '../../selection/search/tuning-job.ts'
import { sharedWorkExecutor } from '../../selection/share/shared-work.ts'

/** What was asked for. */
export interface SearchRequest {
  readonly estimator: AnyEstimator
  readonly data: VectorDataset
  readonly grid: Grid
  readonly search: (typeof searchNames)[number]
  /** Cells to draw in a random search; undefined leaves it to the library. */
  readonly draw?: number | undefined
  readonly scoring: ScoringName
  readonly protocol: ProtocolSettings
  readonly seed: number
  readonly threads?: number | undefined
  readonly oneStandardError: boolean
  readonly calibrate?: Calibration | undefined
}

/** The job of a search, for its journal: what scores belong to, whatever the cells. */
export function searchJob({ estimator, data, protocol, seed }: SearchRequest): Promise<TuningJob> {
  return makeJob(data, estimatorSpec(estimator) as EstimatorSpec, { ...protocol, seed }, [])
}

/** Searches, chooses, and trains the chosen cell on all samples. */
export function runSearch(
  request: SearchRequest,
  store: ResultStore | undefined,
  signal: AbortSignal,
  onCell: (cell: CellResult) => void,
): Promise<TuneResult<Model>> {
  const { estimator, data, grid, search, draw, scoring, protocol, seed, threads, calibrate } = request
  const drawn = search === 'random' || (search === 'halving' && draw !== undefined)
  return tune<Model>(estimator, data, {
    ...(drawn ? { ranges: rangesOf(grid) } : { grid: { ...grid } }),
    search,
    scoring,
    folds: protocol,
    seed,
    signal,
    onCell,
    oneStandardError: request.oneStandardError,
    ...(store && { store }),
    ...(draw !== undefined && { budget: { cells: draw } }),
    ...(calibrate && { calibrate }),
    ...(threads !== undefined && { executor: sharedWorkExecutor({ threads }) }),
  })
}

/** What to draw from: anything between the smallest and the largest value; words as they are. */
function rangesOf(grid: Grid): Ranges {
  return Object.fromEntries(
    Object.entries(grid).map(([name, values]) => {
      const numbers = values.filter((value) => typeof value === 'number')
      const [from, to] = [Math.min(...numbers), Math.max(...numbers)]
      if (numbers.length < values.length || from === to) return [name, values]
      return [name, { from, to, scale: from > 0 ? 'log' : 'linear' }]
    }),
  )
}
