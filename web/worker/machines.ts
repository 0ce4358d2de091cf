/**
 * Classifiers for any number of classes: one machine for two, one against the rest for each of more. The class whose
 * machine has the highest value wins.
 */
import {
  type FitOptions,
  type Fitted,
  type Kernel,
  kernelFromSpec,
  type Label,
  type Matrix,
  SVC,
  type SvcModel,
  type VectorDataset,
} from '../../src/index.browser.ts'
import type { Settings } from '../state/lab-state.ts'

/** How a machine is trained beyond what {@link Settings} say. */
export interface MachineOptions extends FitOptions {
  readonly scaler?: 'range' | 'standard' | undefined
}

/** The machines of a classifier: one for two classes, else one a class. */
export interface Machines {
  /** Ascending. */
  readonly classes: readonly Label[]
  readonly models: readonly Fitted<SvcModel>[]
}

/** Trains a classifier. */
export async function trainMachines(
  dataset: VectorDataset,
  settings: Settings,
  { scaler, ...fitOptions }: MachineOptions,
): Promise<Machines> {
  const classes = classesOf(dataset.labels)
  if (classes.length < 2) throw new Error('two classes are needed: add points of another class')
  const estimator = new SVC(svcOptions(settings, scaler))
  if (classes.length === 2) return { classes, models: [await estimator.fit(dataset, fitOptions)] }
  const models: Fitted<SvcModel>[] = []
  for (const one of classes) {
    const labels = Float64Array.from(dataset.labels as ArrayLike<Label>, (label) => (label === one ? 1 : -1))
    models.push(await estimator.fit({ ...dataset, labels }, fitOptions))
    if (fitOptions.signal?.aborted) break
  }
  return { classes, models }
}

/** What {@link SVC} takes for these settings. */
function svcOptions({ C, kernel, solver, tol }: Settings, scaler?: 'range' | 'standard') {
  return { C, kernel: kernelFromSpec(kernel) as Kernel, solver, tol, ...(scaler && { scaler }) }
}

/** The labels that occur, ascending. */
export function classesOf(labels: ArrayLike<Label>): Label[] {
  return [...new Set(Array.from(labels))].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
}

/** The decision values at some rows: one list for two classes, else one a class. */
export function scoresOf({ models }: { readonly models: readonly SvcModel[] }, rows: Matrix): Float64Array[] {
  return models.map((model) => model.decisionFunction(rows))
}

/** The class of each row, by number: by sign for two classes, else the one with the highest value. */
export function winners(scores: readonly ArrayLike<number>[]): number[] {
  if (scores.length === 1) return Array.from(scores[0], (value) => (value > 0 ? 1 : 0))
  return Array.from(scores[0], (_, i) => {
    let best = 0
    for (let k = 1; k < scores.length; k++) if (scores[k][i] > scores[best][i]) best = k
    return best
  })
}
