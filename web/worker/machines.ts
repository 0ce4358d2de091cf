/**
 * Classifiers for any number of classes: one machine for two, one against the rest for each of more. The class whose
 * machine has the highest value wins.
 */
import {
  type Dataset,
  type FitOptions,
  type Fitted,
  type Kernel,
  kernelFromSpec,
  type Matrix,
  SVC,
  type SvcModel,
} from '../../src/index.browser.ts'
import type { Settings } from '../state/lab-state.ts'

/** How a machine is trained beyond what {@link Settings} say. */
export interface MachineOptions extends FitOptions {
  readonly scaler?: 'range' | 'standard' | undefined
}

/** The machines of a classifier: one for two classes, else one a class. */
export interface Machines {
  readonly classes: readonly number[]
  readonly models: readonly Fitted<SvcModel>[]
}

/** Trains on samples whose labels are the numbers of their classes. */
export async function trainMachines(
  samples: Matrix,
  labels: ArrayLike<number>,
  settings: Settings,
  { scaler, ...fitOptions }: MachineOptions,
): Promise<Machines> {
  const classes = [...new Set(Array.from(labels))].sort((a, b) => a - b)
  if (classes.length < 2) throw new Error('two classes are needed: add points of another class')
  const estimator = new SVC(svcOptions(settings, scaler))
  if (classes.length === 2) {
    const data: Dataset<never> = { samples, labels: Float64Array.from(labels) }
    return { classes, models: [await estimator.fit(data, fitOptions)] }
  }
  const models: Fitted<SvcModel>[] = []
  for (const one of classes) {
    const against = Float64Array.from(labels, (label) => (label === one ? 1 : -1))
    models.push(await estimator.fit({ samples, labels: against }, fitOptions))
    if (fitOptions.signal?.aborted) break
  }
  return { classes, models }
}

/** What {@link SVC} takes for these settings. */
export function svcOptions({ C, kernel, solver, tol }: Settings, scaler?: 'range' | 'standard') {
  return { C, kernel: kernelFromSpec(kernel) as Kernel, solver, tol, ...(scaler && { scaler }) }
}

/** The class of each row: by sign for two classes, else the one with the highest value. */
export function winners(
  { classes }: Pick<Machines, 'classes'>,
  values: readonly ArrayLike<number>[],
): number[] {
  if (values.length === 1) return Array.from(values[0], (value) => classes[value > 0 ? 1 : 0])
  return Array.from(values[0], (_, i) => {
    let best = 0
    for (let k = 1; k < values.length; k++) if (values[k][i] > values[best][i]) best = k
    return classes[best]
  })
}
