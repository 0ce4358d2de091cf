import type { Matrix } from '../../../src/data/matrix/matrix.ts'
import { toSparse } from '../../../src/data/matrix/matrix.ts'

/** One line of svm-scale's output: label, then `[index, value]` for every non-zero. */
export interface ScaledLine {
  readonly label: number
  readonly entries: readonly (readonly [index: number, value: number])[]
}

export function parseScaledText(text: string): ScaledLine[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [label, ...entries] = line.trim().split(' ')
      return {
        label: Number(label),
        entries: entries.map((entry) => entry.split(':').map(Number) as [number, number]),
      }
    })
}

/** The rows of our own result in the same form. */
export function scaledLines(matrix: Matrix, labels: ArrayLike<number>): ScaledLine[] {
  const { rows, indptr, indices, values } = toSparse(matrix)
  return Array.from({ length: rows }, (_, i) => {
    const places = Array.from({ length: indptr[i + 1] - indptr[i] }, (_, k) => indptr[i] + k)
    return { label: labels[i], entries: places.map((k) => [indices[k] + 1, values[k]] as const) }
  })
}

/** Rows as a LIBSVM file that keeps every digit. */
export function libsvmText(matrix: Matrix, labels: ArrayLike<number>): string {
  return scaledLines(matrix, labels)
    .map(
      ({ label, entries }) =>
        `${[label, ...entries.map(([index, value]) => `${index}:${value}`)].join(' ')}\n`,
    )
    .join('')
}

/** How far two results are apart, relative to each value; svm-scale prints six digits. */
export function largestRelativeDifference(
  ours: readonly ScaledLine[],
  theirs: readonly ScaledLine[],
): number {
  let largest = 0
  ours.forEach((line, i) => {
    line.entries.forEach(([, value], k) => {
      const printed = theirs[i].entries[k][1]
      largest = Math.max(largest, Math.abs(value - printed) / Math.abs(printed))
    })
  })
  return largest
}
