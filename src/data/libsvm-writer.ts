import { checkKnown } from '../base/check.ts'
import { DataError, ParameterError, show } from '../base/errors.ts'
import type { Label, VectorDataset } from './dataset.ts'
import { toSparse } from './matrix.ts'
import { isNotFiniteText, numberFromText, textFromNumber } from './number-text.ts'

/** How LIBSVM text is to be written. */
export interface LibsvmWriteOptions {
  /** How the first column is written: as 1 (the default, what LIBSVM expects) or as 0. */
  readonly indexBase?: 0 | 1
}

const pieceLength = 1 << 16

/**
 * A data set as LIBSVM text. Every number is the shortest text that reads back as the same double. Zeros and feature
 * names have no place in the format and are left out; sample weights would be lost and are refused.
 */
export function formatLibsvm(dataset: VectorDataset, options: LibsvmWriteOptions = {}): string {
  return [...libsvmText(dataset, options)].join('')
}

/** The text of {@link formatLibsvm} piece by piece, each a number of whole lines. */
export function* libsvmText(dataset: VectorDataset, options: LibsvmWriteOptions = {}): Generator<string> {
  checkKnown('formatLibsvm', options, ['indexBase'])
  const { indexBase = 1 } = options
  if (indexBase !== 0 && indexBase !== 1) {
    throw new ParameterError('formatLibsvm', 'indexBase', '0 or 1', indexBase)
  }
  const { labels, weights } = dataset
  if (weights) throw new DataError('LIBSVM text has no place for sample weights: write CSV')
  const { rows, indptr, indices, values } = toSparse(dataset.samples)
  let piece = ''
  for (let i = 0; i < rows; i++) {
    piece += labelText(labels[i], i)
    for (let k = indptr[i]; k < indptr[i + 1]; k++) {
      if (values[k] !== 0) piece += ` ${indices[k] + indexBase}:${values[k]}`
    }
    piece += '\n'
    if (piece.length >= pieceLength) {
      yield piece
      piece = ''
    }
  }
  yield piece
}

function labelText(label: Label, i: number): string {
  if (typeof label === 'number') return textFromNumber(label)
  const isWord = /^[^\s#:,]+$/.test(label)
  const readsAsNumber = !Number.isNaN(numberFromText(label)) || isNotFiniteText(label)
  if (isWord && !readsAsNumber) return label
  throw new DataError(
    `label ${show(label)} of sample ${i} cannot be written as LIBSVM text, where a label is a number or a word ` +
      'without white space, #, : and ,',
  )
}
