/** What `generate` and `scale` do with the data set they made: a file, text on stdout, or JSON. */

import { formatCsv } from '../../data/csv/csv-writer.ts'
import { checkDatasetFormat, writeDataset } from '../../data/files/write-dataset.node.ts'
import { formatLibsvm } from '../../data/libsvm/libsvm-writer.ts'
import type { Matrix } from '../../data/matrix/matrix.ts'
import type { VectorDataset } from '../../data/table/dataset.ts'
import { choiceOption, type Flags, outputOption } from '../options/options.ts'
import { counted, printResult } from './output.ts'

/** Where and how to write. */
export const dataOutputOptions = {
  output: outputOption('where to write (default: stdout)'),
  format: choiceOption(
    ['libsvm', 'csv', 'tsv'],
    "format to write (default: by the file's extension, else libsvm)",
  ),
}

type DataOutputFlags = Flags<typeof dataOutputOptions>

/** Throws where the name of the output requires a format that cannot be written. */
export function checkDataOutput({ output, format }: DataOutputFlags): void {
  if (output !== undefined) checkDatasetFormat(output, format)
}

/** Writes the data set where the flags say; `summary` goes into the JSON object, `title` begins the line for people. */
export async function deliverDataset(
  dataset: VectorDataset,
  flags: DataOutputFlags,
  title: string,
  summary: object,
): Promise<void> {
  const { output, format, json } = flags
  const { rows, cols } = dataset.samples
  const facts = { ...summary, samples: rows, features: cols, output: output ?? null }
  if (output !== undefined) {
    await writeDataset(output, dataset, format && { format })
    printResult(flags, facts, () => [
      `${title}: ${counted(rows, 'sample')} with ${counted(cols, 'feature')} written to ${output}`,
    ])
  } else if (json) {
    const { labels, weights, featureNames, samples } = dataset
    printResult(flags, { ...facts, featureNames, labels, weights, rows: jsonRows(samples) }, () => [])
  } else if (format === 'csv' || format === 'tsv') {
    process.stdout.write(formatCsv(dataset, format === 'tsv' ? { delimiter: '\t' } : {}))
  } else {
    process.stdout.write(formatLibsvm(dataset))
  }
}

/** Dense rows as arrays of numbers, sparse ones as their indices (from 0) and values. */
function jsonRows(matrix: Matrix): object[] {
  return Array.from({ length: matrix.rows }, (_, i) => {
    if (matrix.kind === 'dense') return matrix.values.subarray(i * matrix.cols, (i + 1) * matrix.cols)
    const [from, to] = [matrix.indptr[i], matrix.indptr[i + 1]]
    return { indices: matrix.indices.subarray(from, to), values: matrix.values.subarray(from, to) }
  })
}
