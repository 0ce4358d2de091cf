/** Accuracy over a grid of C and γ: on folds held out, and on the samples trained on. Far cells come first. */

import { type Kernel, SVC } from '../../src/index.browser.ts'
import { kernelFromSpec } from '../../src/kernels.ts'
import {
  estimatorMaker,
  evaluateCells,
  makeScorer,
  sharedWorkExecutor,
  stratifiedKFold,
} from '../../src/selection.ts'
import type { TuneSettings } from '../state/lab-state.ts'
import { axisValues } from '../tune/axis.ts'
import type { Jobs, TuneCell } from './messages.ts'
import { labThreads } from './threads.ts'
import { planeDataset } from './train.ts'

/** See the header of the file; every cell is reported as soon as it is known. */
export async function tune(
  { data, settings, tune: grid }: Jobs['tune']['ask'],
  signal: AbortSignal,
  say: (cell: TuneCell) => void,
): Promise<null> {
  const dataset = planeDataset(data, settings)
  const kernel = 'gamma' in settings.kernel ? settings.kernel : ({ kind: 'rbf', gamma: 1 } as const)
  const all = Uint32Array.from({ length: dataset.samples.rows }, (_, i) => i)
  const folds = stratifiedKFold(dataset, { folds: grid.folds })
  const places = cellsOf(grid)
  const work = {
    data: dataset,
    // Accuracy on the training samples shows how far a model can overfit: one more fold.
    folds: [...folds, { train: all, test: all }],
    cells: places.map(({ C, gamma }) => ({ C, gamma })),
    make: estimatorMaker(new SVC({ kernel: kernelFromSpec(kernel) as Kernel, tol: settings.tol })),
    job: undefined,
  }
  await evaluateCells(work, makeScorer('accuracy'), {
    // One matrix of distances for all widths, prices and folds.
    executor: sharedWorkExecutor({ threads: labThreads }),
    signal,
    onCell({ params, scores, failures }) {
      if (failures) throw new Error(failures[0].message)
      const place = places.find(({ C, gamma }) => C === params.C && gamma === params.gamma)
      const validation = scores.slice(0, folds.length).reduce((sum, score) => sum + score / folds.length, 0)
      if (place) say({ ...place, validation, training: scores[folds.length] })
    },
  })
  return null
}

/** C upwards in rows, γ to the right in columns; ordered so that the map fills evenly. */
function cellsOf({ C, gamma, steps }: TuneSettings): Omit<TuneCell, 'validation' | 'training'>[] {
  const prices = axisValues(C, steps)
  const widths = axisValues(gamma, steps)
  const cells = prices.flatMap((price, row) =>
    widths.map((width, column) => ({ row, column, C: price, gamma: width })),
  )
  const coarseness = (k: number) => (k % 4 === 0 ? 0 : k % 2 === 0 ? 1 : 2)
  return cells.toSorted(
    (a, b) =>
      coarseness(a.row) + coarseness(a.column) - coarseness(b.row) - coarseness(b.column) ||
      a.row - b.row ||
      a.column - b.column,
  )
}
