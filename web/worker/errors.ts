/** Training and test error along one parameter. */
import type { Settings } from '../state/lab-state.ts'
import { axisValues } from '../tune/axis.ts'
import { learnClasses } from './learn.ts'
import type { ErrorCurve, Jobs } from './messages.ts'
import { describeClasses, planeDataset, splitHeldOut } from './train.ts'

/** Powers of ten from which to which, and how many places: those of the sliders. */
const axes = { C: [-3, 5], gamma: [-3, 3] } as const
const PLACES = 17

/** See the header of the file: shares of wrong predictions. */
export async function errors(
  { data, settings, along }: Jobs['errors']['ask'],
  signal: AbortSignal,
): Promise<ErrorCurve> {
  const { seen, unseen } = splitHeldOut(data)
  const training = planeDataset(seen, settings)
  const test = planeDataset(unseen, settings)
  const x = Float64Array.from(axisValues(axes[along], PLACES))
  const found = { x, training: x.map(() => Number.NaN), test: x.map(() => Number.NaN) }
  for (let k = 0; k < x.length; k++) {
    const model = await learnClasses(training, at(settings, along, x[k]), { signal })
    signal.throwIfAborted()
    found.training[k] = 1 - describeClasses(model, training, settings.tol).score
    found.test[k] = 1 - describeClasses(model, test, settings.tol).score
  }
  return found
}

function at(settings: Settings, along: 'C' | 'gamma', value: number): Settings {
  if (along === 'C') return { ...settings, C: value }
  return { ...settings, kernel: { ...settings.kernel, gamma: value } as Settings['kernel'] }
}
