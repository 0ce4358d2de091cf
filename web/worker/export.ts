/** Models as files that the command line reads. */
import { formatJsonModel, formatLibsvmModel, formatRangeFile } from '../../src/formats.ts'
import { type Scaler, SvcModel, SvrModel } from '../../src/index.browser.ts'
import { type FileModel, foldScaler, libsvmForm, rangesOf } from '../files/fold-scaler.ts'
import { fileModel } from '../files/own-file.ts'
import { learn } from './learn.ts'
import type { Jobs, ModelFiles } from './messages.ts'
import { planeDataset, splitHeldOut } from './train.ts'

/** The model of the plane, trained again, or the last one of the file. */
export async function exportModel(ask: Jobs['export']['ask'], signal: AbortSignal): Promise<ModelFiles> {
  if ('file' in ask) {
    const found = fileModel(ask.file)
    return found ? filesOf(found, ask.as) : {}
  }
  const model = await learn(planeDataset(splitHeldOut(ask.data).seen, ask.settings), ask.settings, { signal })
  return { [ask.as]: ask.as === 'json' ? formatJsonModel(model) : formatLibsvmModel(model) }
}

function filesOf(model: FileModel, as: Jobs['export']['ask']['as']): ModelFiles {
  if (as === 'json') return { json: formatJsonModel(model) }
  switch (libsvmForm(model)) {
    case 'folded':
      return { libsvm: formatLibsvmModel(foldScaler(model)) }
    case 'ranges': {
      const parts = { ...model, scaler: undefined }
      const plain = model instanceof SvcModel ? new SvcModel(parts as never) : new SvrModel(parts as never)
      return { libsvm: formatLibsvmModel(plain), ranges: formatRangeFile(rangesOf(model.scaler as Scaler)) }
    }
    default:
      return { libsvm: formatLibsvmModel(model) }
  }
}
