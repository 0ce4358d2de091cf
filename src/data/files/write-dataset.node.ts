import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { checkKnown, checkOneOf } from '../../base/check.ts'
import { DataError } from '../../base/errors.ts'
import { type CsvWriteOptions, csvText } from '../csv/csv-writer.ts'
import { type LibsvmWriteOptions, libsvmBytes } from '../libsvm/libsvm-writer.ts'
import type { VectorDataset } from '../table/dataset.ts'
import { formatFromName } from './data-format.ts'
import { refuseOtherEndings } from './known-endings.ts'
import { writeFileAtomically } from './write-file.node.ts'

/** Options for writing a data set to a file. */
export interface WriteOptions extends LibsvmWriteOptions, CsvWriteOptions {
  /** By default chosen by the file extension, else LIBSVM. */
  readonly format?: 'auto' | 'libsvm' | 'csv' | 'tsv'
}

const optionNames = ['format', 'indexBase', 'delimiter', 'header', 'labelColumn', 'weightColumn']

/**
 * Writes a data set to a file as LIBSVM text, CSV or TSV, compressed with gzip when the name ends in .gz. The file
 * appears under its name only when it is complete.
 *
 * @example
 * await writeDataset('moons.libsvm.gz', generate('moons', { n: 400 }))
 */
export async function writeDataset(
  path: string,
  dataset: VectorDataset,
  options: WriteOptions = {},
): Promise<void> {
  const { format = 'auto', indexBase, ...csv } = options
  checkKnown('writeDataset', options, optionNames)
  const chosen = checkDatasetFormat(path, format)
  const pieces =
    chosen === 'libsvm'
      ? libsvmBytes(dataset, { indexBase })
      : csvText(dataset, { ...(chosen === 'tsv' && { delimiter: '\t' }), ...csv })
  await writeFileAtomically(path, /\.gz$/i.test(path) ? gzipped(pieces) : pieces)
}

/** The format in which {@link writeDataset} would write. Throws where the name of the file requires one that it cannot. */
export function checkDatasetFormat(
  path: string,
  format: NonNullable<WriteOptions['format']> = 'auto',
): 'libsvm' | 'csv' | 'tsv' {
  checkOneOf('writeDataset', 'format', format, ['auto', 'libsvm', 'csv', 'tsv'])
  const chosen = format === 'auto' ? (formatFromName(path) ?? 'libsvm') : format
  if (chosen === 'parquet' || /\.(bz2|xz)$/i.test(path)) {
    throw new DataError(`${path}: only LIBSVM text, CSV and TSV can be written, plain or as .gz`)
  }
  if (format === 'auto') {
    const advice = 'allowed: .libsvm, .csv and .tsv, or set the format'
    refuseOtherEndings(path, 'data', ['libsvm', 'svm', 'svmlight', 'csv', 'tsv'], advice)
  }
  return chosen
}

function gzipped(pieces: Iterable<string | Uint8Array>): AsyncIterable<Uint8Array> {
  // An error of the pieces reaches whoever reads the compressed bytes.
  return pipeline(Readable.from(copied(pieces)), createGzip(), () => {})
}

/** Copies of pieces that would be overwritten: streams hold on to several at a time. */
function* copied(pieces: Iterable<string | Uint8Array>): Generator<string | Uint8Array> {
  for (const piece of pieces) yield typeof piece === 'string' ? piece : piece.slice()
}
