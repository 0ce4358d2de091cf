/** Models as files that the command line reads. */
import { formatJsonModel, formatLibsvmModel } from '../../src/formats.ts'
import { learn } from './learn.ts'
import type { Jobs, ModelFiles } from './messages.ts'
import { fileModel } from './own-file.ts'
import { planeDataset } from './train.ts'

/** The model of the plane, trained again, or the last one of the file. */
export async function exportModel(ask: Jobs['export']['ask'], signal: AbortSignal): Promise<ModelFiles> {
  const model =
    'file' in ask ? fileModel() : await learn(planeDataset(ask.data, ask.settings), ask.settings, { signal })
  const json = formatJsonModel(model)
  try {
    return { json, libsvm: formatLibsvmModel(model) }
  } catch (error) {
    return { json, libsvmProblem: (error as Error).message }
  }
}
