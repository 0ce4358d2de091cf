/** Models as files that the command line reads. */
import { formatJsonModel, formatLibsvmModel } from '../../src/index.browser.ts'
import { trainMachines } from './machines.ts'
import type { Jobs, ModelFiles } from './messages.ts'
import { fileMachines } from './own-file.ts'
import { planeDataset } from './train.ts'

/** The model of the plane, trained again, or the last one of the file. */
export async function exportModel(ask: Jobs['export']['ask'], signal: AbortSignal): Promise<ModelFiles> {
  const { models } =
    'file' in ask ? fileMachines() : await trainMachines(planeDataset(ask.data), ask.settings, { signal })
  if (models.length > 1) {
    throw new Error(
      'models of more than two classes are one model a class here; take two classes to save one',
    )
  }
  const [model] = models
  const json = formatJsonModel(model)
  try {
    return { json, libsvm: formatLibsvmModel(model) }
  } catch (error) {
    return { json, libsvmProblem: (error as Error).message }
  }
}
