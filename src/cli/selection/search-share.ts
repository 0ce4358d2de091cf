/** `hyperplane tune --shard k/n`: a share of the cells of a search, for clusters that start n processes and have no queue. */
import type { Dataset } from '../../data/table/dataset.ts'
import { evaluateCells, type ResultStore } from '../../selection/score/evaluate-cells.ts'
import { foldsFor, scorersFor } from '../../selection/score/evaluation-setup.ts'
import type { ProtocolSettings } from '../../selection/score/protocols.ts'
import type { ScoringName } from '../../selection/score/scoring.ts'
import type { Estimator } from '../../selection/search/estimator.ts'
import { estimatorMaker, type Params } from '../../selection/search/estimator-params.ts'
import type { Executor, SelectionWork, Unit } from '../../selection/search/executor.ts'
import type { TuningJob } from '../../selection/search/tuning-job.ts'

/** The k-th of n shares; k counts from 1. */
export interface Share {
  readonly number: number
  readonly of: number
}

/** Reads `3/20`; undefined where that is not one. */
export function parseShare(text: string): Share | undefined {
  const match = /^(\d{1,9})\/(\d{1,9})$/.exec(text)
  const share = { number: Number(match?.[1]), of: Number(match?.[2]) }
  return share.number >= 1 && share.number <= share.of ? share : undefined
}

/** What came of a share. */
export interface ShareResult {
  readonly done: number
  readonly failed: number
  readonly total: number
  readonly complete: boolean
}

/** Evaluates the units of a share, and tells the store. */
export async function evaluateShare(
  search: {
    readonly estimator: Estimator
    readonly data: Dataset
    readonly cells: readonly Params[]
    readonly scoring: ScoringName
    readonly protocol: ProtocolSettings
    readonly seed: number
    readonly job: TuningJob
  },
  share: Share,
  options: {
    readonly store: ResultStore
    readonly executor: Executor
    readonly signal: AbortSignal
    readonly onProgress: (done: number, total: number) => void
  },
): Promise<ShareResult> {
  const { estimator, data, cells, scoring, protocol, seed, job } = search
  const { store, signal, onProgress } = options
  const who = 'tune'
  const scorers = scorersFor(who, estimator, data, scoring)
  const folds = foldsFor(who, estimator, data, protocol, seed, scorers)
  const make = estimatorMaker(estimator)
  cells.forEach(make)
  const work: SelectionWork = { data, folds, cells, make, job }
  const own = unitsOfShare(work, options.executor, share)
  const isKnown = ({ cell, fold }: Unit): boolean => store.get(cells[cell], fold) !== undefined
  const all = folds.flatMap((_, fold) => cells.map((_, cell) => ({ cell, fold }))).filter(own)
  let done = all.filter(isKnown).length
  let failed = 0
  await evaluateCells(work, scorers[0], {
    ...{ store, signal },
    executor: {
      ...options.executor,
      run: (given, units, hooks) =>
        options.executor.run(given, units.filter(own), {
          ...hooks,
          onResult(result) {
            // Units that others need are computed again.
            if (!isKnown(result)) onProgress(++done, all.length)
            hooks.onResult(result)
          },
          onFailure(failure) {
            failed++
            hooks.onFailure(failure)
          },
        }),
    },
  })
  return { done, failed, total: all.length, complete: done + failed >= all.length }
}

/** Groups that share their work are dealt out in turn; the same whoever deals, whatever is known already. */
function unitsOfShare(work: SelectionWork, executor: Executor, share: Share): (unit: Unit) => boolean {
  const names = work.cells.map((_, cell) => executor.together?.(work, cell) ?? `cell ${cell}`)
  const places = new Map([...new Set(names)].map((name, place) => [name, place]))
  return ({ cell, fold }) =>
    ((places.get(names[cell]) as number) * work.folds.length + fold) % share.of === share.number - 1
}
