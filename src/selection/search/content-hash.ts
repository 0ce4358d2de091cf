/** Data by what it holds: two data sets have the same hash just when they have the same numbers, labels and weights. */
import { DataError } from '../../base/errors.ts'
import { contentFingerprint } from '../../base/fingerprint.ts'
import { isMatrix, type Matrix, type SparseMatrix, toSparse } from '../../data/matrix/matrix.ts'
import { sparseRows } from '../../data/matrix/sparse-rows.ts'
import type { Dataset } from '../../data/table/dataset.ts'
import { isTable } from '../../data/table/table.ts'

/**
 * SHA-256, in hexadecimal, of a canonical form: shape; then the non-zeros of each row, so that dense and sparse storage of
 * the same rows are the same data; then labels and weights. Feature names do not count: no result depends on them.
 */
export async function datasetHash(dataset: Dataset<unknown>): Promise<string> {
  const { samples, labels, weights } = dataset
  const parts: Uint8Array<ArrayBuffer>[] = isMatrix(samples)
    ? matrixBytes(samples)
    : [textBytes(isTable(samples) ? contentFingerprint(samples) : sampleText(samples))]
  parts.push(
    labels instanceof Float64Array
      ? bytesOf(labels.map((label) => label + 0))
      : textBytes(JSON.stringify(labels)),
  )
  if (weights) parts.push(bytesOf(weights))
  return sha256(parts)
}

/** SHA-256 of a text, in hexadecimal. */
export function textHash(text: string): Promise<string> {
  return sha256([textBytes(text)])
}

function matrixBytes(matrix: Matrix): Uint8Array<ArrayBuffer>[] {
  const { rows, cols, indptr, indices, values } = withoutZeros(toSparse(matrix))
  return [textBytes(`${rows} x ${cols}`), bytesOf(indptr), bytesOf(indices), bytesOf(values)]
}

/** Sparse rows may hold zeros; they are not there for anybody who computes. */
function withoutZeros(matrix: SparseMatrix): SparseMatrix {
  const { rows, cols, indptr, indices, values } = matrix
  if (!values.includes(0)) return matrix
  return sparseRows(rows, cols, (i, put) => {
    for (let k = indptr[i]; k < indptr[i + 1]; k++) put(indices[k], values[k])
  })
}

function sampleText(samples: readonly unknown[]): string {
  try {
    return JSON.stringify(samples)
  } catch (error) {
    throw new DataError('samples that cannot be written as JSON have no content hash', { cause: error })
  }
}

async function sha256(parts: readonly Uint8Array<ArrayBuffer>[]): Promise<string> {
  // The length of each part goes first: no two lists of parts have the same bytes.
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + 8 + part.length, 0))
  const view = new DataView(whole.buffer)
  let end = 0
  for (const part of parts) {
    view.setFloat64(end, part.length)
    whole.set(part, end + 8)
    end += 8 + part.length
  }
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', whole))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function bytesOf(numbers: Float64Array | Uint32Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(numbers.slice().buffer as ArrayBuffer)
}

function textBytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}
