import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkKnown } from '../base/check.ts'
import { decompress, peek } from '../data/decompress.ts'
import { explainFileError } from '../data/file-error.node.ts'
import type { Model } from './model.ts'
import type { ParseModelOptions } from './parse-json-model.ts'
import { parseModel } from './parse-model.ts'

/** What {@link readModel} takes beside the path. */
export type ReadModelOptions = Pick<ParseModelOptions, 'functions'>

/**
 * Reads a model from a file (a path or file URL): our JSON, LIBSVM's or LIBLINEAR's text, told from the
 * content; plain or compressed with gzip, bzip2 or xz.
 */
export async function readModel(source: string | URL, options: ReadModelOptions = {}): Promise<Model> {
  checkKnown('readModel', options, ['functions'])
  const path = source instanceof URL ? fileURLToPath(source) : source
  try {
    const { head: bytes } = await peek(decompress(createReadStream(path), path), Number.POSITIVE_INFINITY)
    return parseModel(new TextDecoder().decode(bytes), { name: path, ...options })
  } catch (error) {
    throw explainFileError(path, error)
  }
}
