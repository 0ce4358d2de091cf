import { checkKnown } from '../../base/check.ts'
import { DataError, ParameterError, show } from '../../base/errors.ts'
import type { VectorDataset } from '../table/dataset.ts'
import { isNotFiniteText, numberFromText } from '../text/number-text.ts'
import { lineFormatter } from './libsvm-lines.ts'

/** How LIBSVM text is to be written. */
export interface LibsvmWriteOptions {
  /** How the first column is written: as 1 (the default, what LIBSVM expects) or as 0. */
  readonly indexBase?: 0 | 1
}

/**
 * A data set as LIBSVM text. Every number is the shortest text that reads back as the same double. Zeros and feature
 * names have no place in the format and are left out; sample weights would be lost and are refused.
 *
 * @example
 * formatLibsvm(makeDataset([[0, 2.5]], [1])) // '1 2:2.5\n'
 */
export function formatLibsvm(dataset: VectorDataset, options: LibsvmWriteOptions = {}): string {
  const decoder = new TextDecoder()
  return Array.from(libsvmBytes(dataset, options), (piece) => decoder.decode(piece)).join('')
}

/**
 * The bytes of {@link formatLibsvm} piece by piece, each a number of whole lines. A piece is overwritten when the next but
 * one is requested.
 */
export function* libsvmBytes(
  dataset: VectorDataset,
  options: LibsvmWriteOptions = {},
): Generator<Uint8Array> {
  checkKnown('formatLibsvm', options, ['indexBase'])
  const { indexBase = 1 } = options
  if (indexBase !== 0 && indexBase !== 1) {
    throw new ParameterError('formatLibsvm', 'indexBase', '0 or 1', indexBase)
  }
  const { samples, labels, weights } = dataset
  if (weights) throw new DataError('LIBSVM text cannot hold sample weights: write CSV')
  yield* lineFormatter.current({
    count: samples.rows,
    leading: labels instanceof Float64Array ? labels : (i) => checkedWord(labels[i] as string, i),
    matrix: samples,
    base: indexBase,
  })
}

function checkedWord(label: string, i: number): string {
  const isWord = /^[^\s#:,]+$/.test(label)
  const readsAsNumber = !Number.isNaN(numberFromText(label)) || isNotFiniteText(label)
  if (isWord && !readsAsNumber) return label
  throw new DataError(
    `label ${show(label)} of sample ${i} cannot be written as LIBSVM text, in which a label is a number or a word ` +
      'without white space, #, : and ,',
  )
}
