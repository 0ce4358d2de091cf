/** Accuracy over a grid of C and γ: on folds held out, and on the samples trained on. Far cells come first. */
import {
  accuracy,
  type Kernel,
  type KernelSpec,
  kernelFromSpec,
  makeDataset,
  SVC,
  selectSamples,
  stratifiedKFold,
} from '../../src/index.browser.ts'
import type { TuneSettings } from '../state/lab-state.ts'
import { planeMatrix } from './kernel-grid.ts'
import type { Jobs, TuneCell } from './messages.ts'

/** See the head of the file; every cell is said as soon as it is known. */
export async function tune(
  { data, settings, tune: grid }: Jobs['tune']['ask'],
  signal: AbortSignal,
  say: (cell: TuneCell) => void,
): Promise<null> {
  const dataset = makeDataset(planeMatrix(data.xy), data.classes)
  const folds = stratifiedKFold(dataset, { folds: grid.folds })
  for (const { row, column, C, gamma } of cellsOf(grid)) {
    const kernel = kernelFromSpec(withGamma(settings.kernel, gamma)) as Kernel
    const estimator = new SVC({ kernel, C, tol: settings.tol, threads: 1 })
    let validation = 0
    for (const { train, test } of folds) {
      const { samples, labels } = selectSamples(dataset, test)
      const model = await estimator.fit(selectSamples(dataset, train), { signal })
      validation += accuracy(labels, model.predict(samples)) / folds.length
    }
    const model = await estimator.fit(dataset, { signal })
    if (signal.aborted) break
    say({
      row,
      column,
      C,
      gamma,
      validation,
      training: accuracy(dataset.labels, model.predict(dataset.samples)),
    })
  }
  return null
}

/** C upwards in rows, γ to the right in columns; ordered so that the map fills evenly. */
function cellsOf({ C, gamma, steps }: TuneSettings): Omit<TuneCell, 'validation' | 'training'>[] {
  const at = ([from, to]: readonly [number, number], k: number) => from + ((to - from) * k) / (steps - 1)
  const cells = Array.from({ length: steps * steps }, (_, k) => {
    const [row, column] = [Math.floor(k / steps), k % steps]
    const round = (power: number) => Number((10 ** power).toPrecision(3))
    return { row, column, C: round(at(C, row)), gamma: round(at(gamma, column)) }
  })
  const coarseness = (k: number) => (k % 4 === 0 ? 0 : k % 2 === 0 ? 1 : 2)
  return cells.toSorted(
    (a, b) =>
      coarseness(a.row) + coarseness(a.column) - coarseness(b.row) - coarseness(b.column) ||
      a.row - b.row ||
      a.column - b.column,
  )
}

/** The kernel with another width, or a Gaussian where the kernel has none. */
function withGamma(kernel: KernelSpec, gamma: number): KernelSpec {
  return 'gamma' in kernel ? { ...kernel, gamma } : { kind: 'rbf', gamma }
}
