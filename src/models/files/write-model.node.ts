import { checkKnown, checkOneOf } from '../../base/check.ts'
import { DataError } from '../../base/errors.ts'
import { refuseOtherEndings } from '../../data/files/known-endings.ts'
import { writeFileAtomically } from '../../data/files/write-file.node.ts'
import { textOfPieces } from '../../data/libsvm/libsvm-lines.ts'
import type { Model } from '../model.ts'
import { type ModelOutline, refuseForLiblinear, refuseForLibsvm } from './foreign-format.ts'
import { formatJsonModel } from './format-json-model.ts'
import { liblinearModelBytes } from './format-liblinear-model.ts'
import { libsvmModelBytes } from './format-libsvm-model.ts'
import { refuseUnreadable } from './refuse-unreadable.ts'

/** Options for writing a model to a file. */
export interface WriteModelOptions {
  /**
   * Our JSON, which holds everything, LIBSVM's text, or LIBLINEAR's, for linear models. By default chosen by the file
   * extension: LIBSVM for .model, .libsvm and .svm, LIBLINEAR for .liblinear, JSON for others; extensions with another
   * meaning, such as .onnx and .csv, are rejected.
   */
  readonly format?: 'auto' | 'json' | 'libsvm' | 'liblinear'
}

/**
 * Writes a model to a file, compressed with gzip when the name ends in .gz. The file appears under its name only when
 * it is complete. A model that could not be read back is rejected, and nothing is written.
 *
 * @example
 * await writeModel('moons.json', model)
 * await writeModel('moons.model', model, { format: 'libsvm' })
 */
export async function writeModel(path: string, model: Model, options: WriteModelOptions = {}): Promise<void> {
  const format = checkModelFormat(path, options, model)
  refuseUnreadable(model)
  const content = contentOf(model, format)
  const isText = typeof content === 'string'
  if (/\.gz$/i.test(path))
    await writeFileAtomically(path, await zipped(isText ? content : textOfPieces(content)))
  else await writeFileAtomically(path, content)
}

/**
 * The format in which {@link writeModel} would write. Throws a DataError when it cannot hold models of the outline: before
 * one is trained, so that no work is lost.
 */
export function checkModelFormat(
  path: string,
  options: WriteModelOptions,
  outline?: ModelOutline,
): ModelFormat {
  checkKnown('writeModel', options, ['format'])
  const asked = checkOneOf('writeModel', 'format', options.format ?? 'auto', formats)
  if (/\.(bz2|xz)$/i.test(path)) throw new DataError(`${path}: models can be written plain or as .gz only`)
  const format = asked === 'auto' ? formatOf(path) : asked
  if (outline && format === 'libsvm') refuseForLibsvm(outline)
  if (outline && format === 'liblinear') refuseForLiblinear(outline)
  return format
}

const formats = ['auto', 'json', 'libsvm', 'liblinear'] as const

/** A format that models can be written in. */
export type ModelFormat = Exclude<(typeof formats)[number], 'auto'>

function formatOf(path: string): ModelFormat {
  const advice = 'allowed: .json, .model (LIBSVM) and .liblinear, or set the format'
  refuseOtherEndings(path, 'models', ['json', 'model', 'libsvm', 'svm', 'liblinear'], advice)
  if (/\.liblinear(\.gz)?$/i.test(path)) return 'liblinear'
  return /\.(model|libsvm|svm)(\.gz)?$/i.test(path) ? 'libsvm' : 'json'
}

function contentOf(model: Model, format: ModelFormat): string | Iterable<Uint8Array> {
  if (format === 'libsvm') return libsvmModelBytes(model)
  return format === 'liblinear' ? liblinearModelBytes(model) : formatJsonModel(model)
}

/** Node's zlib is loaded only where something is compressed: it is part of no start. */
async function zipped(text: string): Promise<Uint8Array> {
  const [{ gzip }, { promisify }] = await Promise.all([import('node:zlib'), import('node:util')])
  return promisify(gzip)(text)
}
