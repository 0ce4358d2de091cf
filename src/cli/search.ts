/** The search itself: every cell judged on every fold, the best one chosen. */
import {
  type CellResult,
  chooseCell,
  DataError,
  type EstimatorSpec,
  estimatorMaker,
  estimatorSpec,
  evaluateCells,
  kFold,
  makeJob,
  makeScorer,
  type Params,
  type ResultStore,
  type ScoringName,
  type SVC,
  type SvcModel,
  sharedWorkExecutor,
  type TuningJob,
  threadExecutor,
  type VectorDataset,
} from '../index.node.ts'
import type { Grid } from './grid-options.ts'

/** What was asked for. */
export interface SearchRequest {
  readonly estimator: SVC
  readonly data: VectorDataset
  readonly grid: Grid
  readonly scoring: ScoringName
  readonly folds: number
  readonly seed: number
  readonly threads?: number | undefined
  /** Take the simplest cell within one standard error of the best. */
  readonly oneStandardError: boolean
  readonly store: ResultStore | undefined
  readonly signal: AbortSignal
  readonly onCell: (cell: CellResult) => void
}

/** What was found; without a model when it was stopped. */
export interface SearchResult {
  readonly cells: readonly CellResult[]
  readonly bestParams: Params
  readonly bestScore: number
  readonly model: SvcModel | undefined
}

/** The job of a search, for its journal. */
export function searchJob({
  estimator,
  data,
  folds,
  seed,
}: Omit<SearchRequest, 'store' | 'signal' | 'onCell'>): Promise<TuningJob> {
  return makeJob(data, estimatorSpec(estimator) as EstimatorSpec, { kind: 'k-fold', folds, seed }, [])
}

/** All combinations of the values of a grid. */
export function gridCells({ C, gamma }: Grid): Params[] {
  return C.flatMap((price) => (gamma ? gamma.map((width) => ({ C: price, gamma: width })) : [{ C: price }]))
}

/** Judges all cells, chooses, and trains the chosen one on all samples. Undefined when not one cell was done. */
export async function search(request: SearchRequest): Promise<SearchResult | undefined> {
  const { estimator, data, grid, folds, seed, threads, store, signal, onCell } = request
  const scorer = makeScorer(request.scoring)
  const make = estimatorMaker(estimator)
  const job = await searchJob(request)
  const work = { data, folds: kFold(data, { folds, seed }), cells: gridCells(grid), make, job }
  const own = threads === undefined ? {} : { threads }
  const executor = sharedWorkExecutor({ ...own, otherwise: threadExecutor(own) })
  const results = await evaluateCells(
    { ...work, job: { ...job, cells: work.cells.map((cell) => ({ ...cell })) } },
    scorer,
    { executor, store, signal, onCell },
  )
  const cells = results.filter((cell) => cell !== undefined)
  const best = chooseCell(cells, scorer, request.oneStandardError)
  if (!best) {
    const failure = cells.flatMap(({ failures = [] }) => failures)[0]
    if (failure) throw new DataError(`tune: every cell failed: ${failure.message}`)
    return undefined
  }
  const model = signal.aborted
    ? undefined
    : ((await make(best.params).fit(data, { signal })) as unknown as SvcModel)
  return { cells, bestParams: best.params, bestScore: best.mean, model }
}
