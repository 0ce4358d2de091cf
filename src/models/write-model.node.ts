import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { checkKnown, checkOneOf } from '../base/check.ts'
import { DataError } from '../base/errors.ts'
import { writeFileAtomically } from '../data/write-file.node.ts'
import { formatJsonModel } from './format-json-model.ts'
import { formatLiblinearModel } from './format-liblinear-model.ts'
import { formatLibsvmModel, libsvmModelBytes } from './format-libsvm-model.ts'
import type { Model } from './model.ts'

/** How a model is to be written to a file. */
export interface WriteModelOptions {
  /**
   * Our JSON, which holds everything, LIBSVM's text, or LIBLINEAR's, for linear models. By default what the ending of the
   * name says: LIBSVM for .model, .libsvm and .svm, LIBLINEAR for .liblinear, JSON for any other.
   */
  readonly format?: 'auto' | 'json' | 'libsvm' | 'liblinear'
}

/**
 * Writes a model to a file, compressed with gzip when the name ends in .gz. The file appears under its name only when
 * it is complete.
 */
export async function writeModel(path: string, model: Model, options: WriteModelOptions = {}): Promise<void> {
  checkKnown('writeModel', options, ['format'])
  const asked = checkOneOf('writeModel', 'format', options.format ?? 'auto', formats)
  if (/\.(bz2|xz)$/i.test(path)) throw new DataError(`${path}: models can be written plain or as .gz only`)
  const format = asked === 'auto' ? formatOf(path) : asked
  if (/\.gz$/i.test(path)) await writeFileAtomically(path, await promisify(gzip)(textOf(model, format)))
  else await writeFileAtomically(path, format === 'libsvm' ? libsvmModelBytes(model) : textOf(model, format))
}

const formats = ['auto', 'json', 'libsvm', 'liblinear'] as const

type ModelFormat = Exclude<(typeof formats)[number], 'auto'>

function formatOf(path: string): ModelFormat {
  if (/\.liblinear(\.gz)?$/i.test(path)) return 'liblinear'
  return /\.(model|libsvm|svm)(\.gz)?$/i.test(path) ? 'libsvm' : 'json'
}

function textOf(model: Model, format: ModelFormat): string {
  if (format === 'libsvm') return formatLibsvmModel(model)
  return format === 'liblinear' ? formatLiblinearModel(model) : formatJsonModel(model)
}
