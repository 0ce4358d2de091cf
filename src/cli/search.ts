/** The search itself, as the flags ask for it. */
import {
  type CellResult,
  type EstimatorSpec,
  estimatorSpec,
  makeJob,
  type ParameterRange,
  type ResultStore,
  type ScoringName,
  type SVC,
  type SvcModel,
  type searchNames,
  sharedWorkExecutor,
  type TuneResult,
  type TuningJob,
  tune,
  type VectorDataset,
} from '../index.node.ts'
import type { TunedValues } from './grid-options.ts'

/** What was asked for. */
export interface SearchRequest {
  readonly estimator: SVC
  readonly data: VectorDataset
  readonly grid: TunedValues
  readonly search: (typeof searchNames)[number]
  /** Cells to draw in a random search; undefined leaves it to the library. */
  readonly draw?: number | undefined
  readonly scoring: ScoringName
  readonly folds: number
  readonly seed: number
  readonly threads?: number | undefined
  readonly oneStandardError: boolean
  readonly calibrate?: 'sigmoid' | 'isotonic' | undefined
}

/** The job of a search, for its journal: what scores belong to, whatever the cells. */
export function searchJob({ estimator, data, folds, seed }: SearchRequest): Promise<TuningJob> {
  return makeJob(data, estimatorSpec(estimator) as EstimatorSpec, { kind: 'k-fold', folds, seed }, [])
}

/** Searches, chooses, and trains the chosen cell on all samples. */
export function runSearch(
  request: SearchRequest,
  store: ResultStore | undefined,
  signal: AbortSignal,
  onCell: (cell: CellResult) => void,
): Promise<TuneResult<SvcModel>> {
  const { estimator, data, grid, search, draw, scoring, folds, seed, threads, calibrate } = request
  const drawn = search === 'random' || (search === 'halving' && draw !== undefined)
  return tune<SvcModel>(estimator, data, {
    ...(drawn ? { ranges: rangesOf(grid) } : { grid: { ...grid } }),
    search,
    scoring,
    folds,
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
function rangesOf(
  grid: TunedValues,
): Readonly<Record<string, ParameterRange | readonly (number | string)[]>> {
  return Object.fromEntries(
    Object.entries(grid).map(([name, values]: [string, readonly (number | string)[]]) => {
      const numbers = values.filter((value) => typeof value === 'number')
      const [from, to] = [Math.min(...numbers), Math.max(...numbers)]
      return [name, numbers.length < values.length || from === to ? values : { from, to }]
    }),
  )
}
