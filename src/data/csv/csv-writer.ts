import { allocate } from '../../base/allocate.ts'
import { checkKnown } from '../../base/check.ts'
import { DataError, ParameterError, show } from '../../base/errors.ts'
import { copyRow } from '../matrix/matrix.ts'
import type { VectorDataset } from '../table/dataset.ts'
import { textFromNumber } from '../text/number-text.ts'

/** How CSV text is to be written. */
export interface CsvWriteOptions {
  /** Character between fields. Default: a comma. */
  readonly delimiter?: string
  /** Whether to write a first line with the column names. Default: if the features have names. */
  readonly header?: boolean
  /** Name of the label column, which is the last. Default: `label`. */
  readonly labelColumn?: string
  /** Name of the weight column, which stands before the labels when there are weights. Default: `weight`. */
  readonly weightColumn?: string
}

/** Long enough that writing a piece costs more than starting to. */
const pieceLength = 1 << 16

/**
 * A data set as CSV: the features, then the weights if there are any, then the label. Every number is the shortest
 * text that reads back as the same double.
 */
export function formatCsv(dataset: VectorDataset, options: CsvWriteOptions = {}): string {
  return [...csvText(dataset, options)].join('')
}

/** The text of {@link formatCsv} piece by piece, each a number of whole records. */
export function* csvText(dataset: VectorDataset, options: CsvWriteOptions = {}): Generator<string> {
  checkKnown('formatCsv', options, ['delimiter', 'header', 'labelColumn', 'weightColumn'])
  const { delimiter = ',', header = dataset.featureNames !== undefined } = options
  if (typeof delimiter !== 'string' || delimiter.length !== 1 || /["\r\n]/.test(delimiter)) {
    throw new ParameterError('formatCsv', 'delimiter', 'one character, no quote or newline', delimiter)
  }
  const { samples, labels, weights } = dataset
  const field = fieldWriter(delimiter)
  let piece = header ? `${columnNames(dataset, options).map(field).join(delimiter)}\n` : ''
  const row = allocate(Float64Array, samples.cols)
  for (let i = 0; i < samples.rows; i++) {
    copyRow(samples, i, row)
    for (let j = 0; j < row.length; j++) piece += textFromNumber(row[j]) + delimiter
    if (weights) piece += textFromNumber(weights[i]) + delimiter
    const label = labels[i]
    piece += `${typeof label === 'number' ? textFromNumber(label) : field(label)}\n`
    if (piece.length >= pieceLength) {
      yield piece
      piece = ''
    }
  }
  yield piece
}

function columnNames(dataset: VectorDataset, options: CsvWriteOptions): string[] {
  const { labelColumn = 'label', weightColumn = 'weight' } = options
  const { cols } = dataset.samples
  const features = dataset.featureNames ?? Array.from({ length: cols }, (_, j) => `x${j + 1}`)
  const others = dataset.weights ? [weightColumn, labelColumn] : [labelColumn]
  const taken = others.find((name, k) => features.includes(name) || others.indexOf(name) !== k)
  if (taken !== undefined) {
    const option = taken === labelColumn ? 'labelColumn' : 'weightColumn'
    throw new DataError(`two columns would be named ${show(taken)}: choose another ${option}`)
  }
  return [...features, ...others]
}

/** Writes texts as fields: quotes what would not read back as it is, delimiters, quotes, line breaks, white space at the ends. */
export function fieldWriter(delimiter: string): (text: string) => string {
  return (text) =>
    text.includes(delimiter) || /["\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
