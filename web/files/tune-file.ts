/** The tuner of the library on the samples of the file that are not held out. */
import { defaultGrid, type Grid, sharedWorkExecutor, tune } from '../../src/selection.ts'
import { classEstimator, targetEstimator } from '../worker/learn.ts'
import { labThreads } from '../worker/threads.ts'
import type { FileCell, FileJobs, FileTuned, FileTuneRequest } from './file-messages.ts'
import { dividedFile, learnOptions } from './own-file.ts'

/** See the header of the file; every fit is reported as soon as it is done. */
export async function tuneFile(
  request: FileTuneRequest,
  signal: AbortSignal,
  say: (news: FileJobs['tuneFile']['news']) => void,
): Promise<FileTuned> {
  const { settings, search, scoring, folds } = request
  const { train } = dividedFile(request)
  const make = settings.problem === 'svr' ? targetEstimator : classEstimator
  const estimator = make(settings, learnOptions(request))
  const whole = defaultGrid(estimator)
  const grid = search === 'quick' ? everyOther(whole) : whole
  const count = search === 'halving' ? undefined : cellsIn(grid) + (search === 'quick' ? around(grid) : 0)
  const total = count === undefined ? {} : { total: count * folds }
  const scores = new Map<string, number[]>()
  let done = 0
  const { bestParams, cells } = await tune(estimator, train, {
    ...{ grid, folds, scoring, signal, refit: false },
    search: search === 'quick' ? 'adaptive' : search,
    // One finer look: half a step of every other value leads back to the values of the whole grid.
    ...(search === 'quick' && { rounds: 1 }),
    executor: sharedWorkExecutor({ threads: labThreads }),
    // Cells share their work fold by fold, and are done near the end, nearly all at a time: fits show the progress.
    store: {
      get: () => undefined,
      add(params, _fold, { score }) {
        const key = JSON.stringify(params)
        const own = [...(scores.get(key) ?? []), score]
        scores.set(key, own)
        say({ cell: { params: params as FileCell['params'], ...meanOf(own) }, done: ++done, ...total })
      },
    },
  })
  return { best: bestParams as FileCell['params'], cells: cells.map(plainCell) }
}

/** The mean of some scores and its standard error, as the library has them. */
function meanOf(scores: readonly number[]): Omit<FileCell, 'params'> {
  const k = scores.length
  const mean = scores.reduce((sum, score) => sum + score, 0) / k
  const squares = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0)
  return { scores, mean, standardError: k > 1 ? Math.sqrt(squares / (k - 1) / k) : 0 }
}

function plainCell({
  params,
  scores,
  mean,
  standardError,
}: Omit<FileCell, 'params'> & { readonly params: object }): FileCell {
  return { params: params as FileCell['params'], scores: [...scores], mean, standardError }
}

function everyOther(grid: Grid): Grid {
  return Object.fromEntries(
    Object.entries(grid).map(([name, values]) => [name, values.filter((_, k) => k % 2 === 0)]),
  )
}

function cellsIn(grid: Grid): number {
  return Object.values(grid).reduce((count, { length }) => count * length, 1)
}

/** Neighbours of a cell: a step down, none or up in each parameter. */
function around(grid: Grid): number {
  return 3 ** Object.keys(grid).length - 1
}
