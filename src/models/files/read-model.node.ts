import { constants } from 'node:buffer'
import { fileURLToPath } from 'node:url'
import { checkKnown, checkNumber } from '../../base/check.ts'
import { FormatError } from '../../base/errors.ts'
import { decompress, peek } from '../../data/codecs/decompress.ts'
import type { GrowthOptions } from '../../data/codecs/growth-limit.ts'
import { openBytes } from '../../data/files/file-chunks.node.ts'
import { explainFileError } from '../../data/files/file-error.node.ts'
import type { Label } from '../../data/table/dataset.ts'
import type { ModelOf } from '../labelled.ts'
import type { ParseModelOptions } from './parse-json-model.ts'
import { parseModel } from './parse-model.ts'

/** Options of {@link readModel}. */
export type ReadModelOptions = Pick<ParseModelOptions, 'functions'> & GrowthOptions

/**
 * Reads a model from a file (a path or file URL): our JSON, LIBSVM's or LIBLINEAR's text, detected from the
 * content; plain or compressed with gzip, bzip2 or xz.
 *
 * @example
 * const model = await readModel('moons.json')
 * model.predict(rows)
 * const named = await readModel<string>('plants.json') // predicts texts
 */
export async function readModel<L extends Label = Label>(
  source: string | URL,
  options: ReadModelOptions = {},
): Promise<ModelOf<L>> {
  checkKnown('readModel', options, ['functions', 'maxBytes'])
  const { functions, maxBytes } = options
  if (maxBytes !== undefined) checkNumber('readModel', 'maxBytes', maxBytes, { min: 0, infinite: true })
  const path = source instanceof URL ? fileURLToPath(source) : source
  try {
    const { bytes: source } = await openBytes(path)
    const chunks = decompress(source, { name: path, maxBytes })
    const { head: bytes } = await peek(chunks, constants.MAX_STRING_LENGTH + 1)
    if (bytes.length > constants.MAX_STRING_LENGTH) {
      throw new FormatError(`the model is larger than ${constants.MAX_STRING_LENGTH} bytes`, { file: path })
    }
    return parseModel<L>(new TextDecoder().decode(bytes), { name: path, functions })
  } catch (error) {
    throw explainFileError(path, error)
  }
}
