/** Trains what is on the plane, and evaluates it on a grid. */
import { type Label, makeDataset, type SamplePosition, type SvcModel } from '../../src/index.browser.ts'
import { nodesOf } from './grid.ts'
import { planeMatrix } from './kernel-grid.ts'
import { type Machines, scoresOf, trainMachines, winners } from './machines.ts'
import type { Jobs, Picture, PlaneData } from './messages.ts'

/** Trains on the points of the plane. */
export async function train(
  { data, settings, grid }: Jobs['train']['ask'],
  signal: AbortSignal,
): Promise<Picture> {
  const started = performance.now()
  const dataset = planeDataset(data)
  const machines = await trainMachines(dataset, settings, { signal })
  const trained = performance.now()
  const fields = scoresOf(machines, planeMatrix(nodesOf(grid))).map((values) => Float32Array.from(values))
  return {
    ...describeMachines(machines, scoresOf(machines, dataset.samples), data.classes, settings.tol),
    classes: machines.classes as readonly number[],
    grid,
    fields,
    trainMs: trained - started,
    fieldMs: performance.now() - trained,
  }
}

/** The points of the plane as a data set; labels are the numbers of the classes. */
export function planeDataset({ xy, classes }: PlaneData) {
  return makeDataset(planeMatrix(xy), classes)
}

/** What is said of the training samples; `scores` are the decision values at them. */
export function describeMachines(
  { classes, models }: Machines,
  scores: readonly Float64Array[],
  labels: ArrayLike<Label>,
  tol: number,
): Omit<Picture, 'classes' | 'grid' | 'fields' | 'trainMs' | 'fieldMs'> {
  const count = labels.length
  const coefficients = new Float64Array(count)
  for (const { supportIndices, dualCoef } of models) {
    supportIndices?.forEach((i, s) => {
      if (Math.abs(dualCoef[s]) > Math.abs(coefficients[i])) coefficients[i] = dualCoef[s]
    })
  }
  const own = Array.from(labels, (label) => classes.indexOf(label))
  const margins = Float64Array.from(own, (k, i) =>
    scores.length === 1 ? (k === 1 ? 1 : -1) * scores[0][i] : scores[k][i],
  )
  const right = winners(scores).filter((k, i) => k === own[i]).length
  return {
    kind: scores.length === 1 ? 'binary' : 'multi',
    coefficients,
    positions: Array.from(margins, (margin) => positionOf(margin, 2 * tol)),
    slacks: margins.map((margin) => Math.max(0, 1 - margin)),
    bias: models[0].bias,
    marginWidth: scores.length === 1 ? 2 / norm(models[0], scores[0]) : Number.NaN,
    score: right / count,
    certificates: models.map(({ certificate }) => certificate),
  }
}

/** ‖w‖ from ‖w‖² = Σ β_i (f(x_i) − b). */
function norm({ supportIndices, dualCoef, bias }: SvcModel, values: Float64Array): number {
  let squared = 0
  supportIndices?.forEach((i, s) => {
    squared += dualCoef[s] * (values[i] - bias)
  })
  return Math.sqrt(Math.max(0, squared))
}

function positionOf(margin: number, tol: number): SamplePosition {
  if (Math.abs(margin - 1) <= tol) return 'on-margin'
  if (margin > 1) return 'outside'
  return margin > 0 ? 'inside' : 'misclassified'
}
