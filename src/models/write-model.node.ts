import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { checkKnown, checkOneOf } from '../base/check.ts'
import { DataError } from '../base/errors.ts'
import { writeFileAtomically } from '../data/write-file.node.ts'
import { formatJsonModel } from './format-json-model.ts'
import { formatLibsvmModel, libsvmModelBytes } from './format-libsvm-model.ts'
import type { Model } from './model.ts'

/** How a model is to be written to a file. */
export interface WriteModelOptions {
  /**
   * Our JSON, which holds everything, or LIBSVM's text. By default what the ending of the name says: LIBSVM for
   * .model, .libsvm and .svm, JSON for any other.
   */
  readonly format?: 'auto' | 'json' | 'libsvm'
}

/**
 * Writes a model to a file, compressed with gzip when the name ends in .gz. The file appears under its name only when
 * it is complete.
 */
export async function writeModel(path: string, model: Model, options: WriteModelOptions = {}): Promise<void> {
  checkKnown('writeModel', options, ['format'])
  const format = checkOneOf('writeModel', 'format', options.format ?? 'auto', ['auto', 'json', 'libsvm'])
  if (/\.(bz2|xz)$/i.test(path)) throw new DataError(`${path}: models can be written plain or as .gz only`)
  const libsvm = format === 'auto' ? /\.(model|libsvm|svm)(\.gz)?$/i.test(path) : format === 'libsvm'
  if (/\.gz$/i.test(path)) {
    const text = libsvm ? formatLibsvmModel(model) : formatJsonModel(model)
    await writeFileAtomically(path, await promisify(gzip)(text))
  } else await writeFileAtomically(path, libsvm ? libsvmModelBytes(model) : formatJsonModel(model))
}
