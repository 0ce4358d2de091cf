/** Trains what is on the plane, and evaluates it on a grid. */
import type { Fitted, SamplePosition, SvcModel } from '../../src/index.browser.ts'
import { nodesOf } from './grid.ts'
import { planeMatrix } from './kernel-grid.ts'
import { type Machines, trainMachines, winners } from './machines.ts'
import type { Grid, Jobs, Picture } from './messages.ts'

/** Trains on the points of the plane. */
export async function train(
  { data, settings, grid }: Jobs['train']['ask'],
  signal: AbortSignal,
): Promise<Picture> {
  const started = performance.now()
  const samples = planeMatrix(data.xy)
  const machines = await trainMachines(samples, data.classes, settings, { signal })
  const trained = performance.now()
  const fields = fieldsOf(machines.models, grid)
  const values = machines.models.map((model) => model.decisionFunction(samples))
  return {
    ...describeMachines(machines, values, data.classes, settings.tol),
    grid,
    fields,
    trainMs: trained - started,
    fieldMs: performance.now() - trained,
  }
}

function fieldsOf(models: readonly Fitted<SvcModel>[], grid: Grid): Float32Array[] {
  const nodes = planeMatrix(nodesOf(grid))
  return models.map((model) => Float32Array.from(model.decisionFunction(nodes)))
}

/** What is said of the training samples; `values` are the decision values of each machine at the samples. */
export function describeMachines(
  { classes, models }: Machines,
  values: readonly Float64Array[],
  labels: ArrayLike<number>,
  tol: number,
): Omit<Picture, 'grid' | 'fields' | 'trainMs' | 'fieldMs'> {
  const count = labels.length
  const coefficients = new Float64Array(count)
  for (const { supportIndices, dualCoef } of models) {
    supportIndices?.forEach((i, s) => {
      if (Math.abs(dualCoef[s]) > Math.abs(coefficients[i])) coefficients[i] = dualCoef[s]
    })
  }
  const margins = Float64Array.from(labels, (label, i) =>
    models.length === 1 ? (label === classes[1] ? 1 : -1) * values[0][i] : values[classes.indexOf(label)][i],
  )
  const predicted = winners({ classes }, values)
  const right = predicted.filter((label, i) => label === labels[i]).length
  return {
    kind: models.length === 1 ? 'binary' : 'multi',
    classes,
    coefficients,
    positions: Array.from(margins, (margin) => positionOf(margin, 2 * tol)),
    slacks: margins.map((margin) => Math.max(0, 1 - margin)),
    bias: models[0].bias,
    marginWidth: models.length === 1 ? 2 / norm(models[0], values[0]) : Number.NaN,
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
