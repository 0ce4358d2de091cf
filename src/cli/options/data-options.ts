/** Reading the data file a command was given. */
import type { Command } from 'commander'
import { DataError } from '../../base/errors.ts'
import type { ReadOptions } from '../../data/files/parse-dataset.ts'
import { readDataset } from '../../data/files/read-dataset.node.ts'
import type { VectorDataset } from '../../data/table/dataset.ts'
import type { Learns } from '../../estimators/parts/estimator.ts'
import { labelsAreClasses } from '../../selection/split/splits.ts'
import { LateBar } from '../report/late-bar.ts'
import { number } from '../report/output.ts'
import { addChoiceOption, addNumberOption } from './option-types.ts'

/** The flags of {@link addDataOptions}, as commander hands them over. */
export interface DataFlags {
  readonly label?: string | false
  readonly weight?: string
  readonly dataFormat?: ReadOptions['format']
  readonly indexBase?: '0' | '1'
  readonly maxBytes?: number
  /** Of commands that have `--threads`. */
  readonly threads?: number
}

/** What every command that reads data says about it in its help. */
export const DATA_HELP = 'a data file: LIBSVM, CSV, TSV or Parquet, also .gz, .bz2 or .xz; - is stdin'

/** What `standard` means where features are scaled. */
export const STANDARD_HELP = 'standard is unit variance, and zero mean except for sparse data'

/** Adds the flags that say how the data are to be read; labels may be absent where the command can do without. */
export function addDataOptions(command: Command, labels: 'needed' | 'optional' = 'needed'): void {
  const name = 'its name, or its number counted from 0'
  const byDefault = 'default: the one named label, class, target or y, else the last'
  command.option('--label <column>', `column of the labels in a table: ${name} (${byDefault})`)
  if (labels === 'optional') command.option('--no-label', 'the table has no labels')
  command.option('--weight <column>', 'column of the sample weights in a table')
  addChoiceOption(command, '--data-format <name>', 'format of the data (default auto)', [
    ...['auto', 'libsvm', 'csv', 'tsv', 'parquet'],
  ])
  const indices =
    'what the first feature is called in LIBSVM data (default: 0 if that occurs in the file, else 1)'
  addChoiceOption(command, '--index-base <number>', indices, ['0', '1'])
  const most = 'most bytes that compressed data may become (default: 1000 times the file, at least 64 MiB)'
  addNumberOption(command, '--max-bytes <number>', most)
}

/** Reads the data set at `path`, or from stdin when it is `-`. */
export async function readData(path: string, flags: DataFlags): Promise<VectorDataset> {
  const bar = new LateBar()
  const options: ReadOptions = {
    ...(typeof flags.label === 'string' && { labelColumn: columnOf(flags.label) }),
    ...(flags.label === false && { labelColumn: false }),
    ...(flags.weight !== undefined && { weightColumn: columnOf(flags.weight) }),
    ...(flags.dataFormat !== undefined && { format: flags.dataFormat }),
    ...(flags.indexBase !== undefined && { indexBase: flags.indexBase === '0' ? 0 : 1 }),
    ...(flags.threads !== undefined && { threads: flags.threads }),
    ...(flags.maxBytes !== undefined && { maxBytes: flags.maxBytes }),
    onProgress: ({ bytesRead, bytesTotal = Number.POSITIVE_INFINITY }) =>
      bar.update('reading', bytesRead / bytesTotal, `${number(bytesRead / 1e6, 3)} MB`),
  }
  try {
    if (path === '-') return await readDataset(process.stdin, { ...options, name: '<stdin>' })
    return await readDataset(path, options)
  } finally {
    bar.stop()
  }
}

/** As {@link readData}, for commands that judge what is learned: labels must be of its kind. */
export async function readLearned(path: string, flags: DataFlags, learns: Learns): Promise<VectorDataset> {
  const dataset = await readData(path, flags)
  const { labels } = dataset
  if (learns === 'numbers' && !(labels instanceof Float64Array)) {
    throw new DataError(`${path}: the labels are texts such as '${labels[0]}' where numbers are learned`)
  }
  if (learns === 'classes' && labels instanceof Float64Array && new Set(labels).size > 2) {
    const target = labels.find((label) => !Number.isInteger(label))
    if (target !== undefined || !labelsAreClasses(labels)) {
      const what = target === undefined ? 'all different' : `such as ${target}`
      throw new DataError(
        `${path}: the labels are not classes but numbers, ${what}; --type svr learns numbers (so do nu-svr and linear-svr)`,
      )
    }
  }
  return dataset
}

function columnOf(text: string): string | number {
  return /^-?\d+$/.test(text) ? Number(text) : text
}
