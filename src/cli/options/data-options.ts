/** The data file that a command is given, and how to read it. */
import { statSync } from 'node:fs'
import { DataError } from '../../base/errors.ts'
import type { MatchedModel, ReadOptions } from '../../data/files/parse-dataset.ts'
import type { ReadProgress, VectorOptions } from '../../data/files/parse-vectors.ts'
import {
  type FileSource,
  readDataset,
  readVectors as readVectorFile,
} from '../../data/files/read-dataset.node.ts'
import { selectFeatures, type VectorDataset } from '../../data/table/dataset.ts'
import { MissingColumnError } from '../../data/table/missing-column-error.ts'
import { optionWords } from '../../data/table/option-words.ts'
import { isTable } from '../../data/table/table.ts'
import type { TableDataset } from '../../data/table/table-builder.ts'
import type { Learns } from '../../estimators/parts/estimator.ts'
import { labelsAreClasses } from '../../selection/split/splits.ts'
import { counted, number } from '../report/output.ts'
import { type TableFlags, tableOptionsFrom } from '../tables/table-options.ts'
import { LateBar } from '../terminal/late-bar.ts'
import { choiceOption, defined, type Flags, negatable, numberOption, textOption } from './options.ts'

/** What every command that reads data says about it in its help. */
export const DATA_HELP = 'a data file: LIBSVM, CSV, TSV or Parquet, also .gz, .bz2 or .xz; - is stdin'

/** What every command that reads a model says about it in its help. */
export const MODEL_HELP = "a model file: Hyperplane's JSON, LIBSVM's or LIBLINEAR's text"

/** What `standard` means where features are scaled. */
export const STANDARD_HELP = 'standard: unit variance, and zero mean unless the data are sparse'

/** How to read the data. */
export const dataOptions = {
  label: textOption(
    'column',
    'label column of a table: a name, or an index from 0 (default: the column named label, class, target or y, else the last one)',
  ),
  weight: textOption('column', 'column of a table with the sample weights'),
  dataFormat: choiceOption(['auto', 'libsvm', 'csv', 'tsv', 'parquet'], 'format of the data (default auto)'),
  indexBase: choiceOption(
    ['0', '1'],
    'index of the first feature in LIBSVM data (default: 0 if it occurs in the file, else 1)',
    'number',
  ),
  maxBytes: numberOption(
    'maximum size of decompressed data (default: 1000 times the file, at least 64 MiB)',
    'bytes',
  ),
}

optionWords.install({
  header: '--header',
  noHeader: '--no-header',
  label: '--label',
  zeroBased: '--index-base 0',
  ids: '--category or --ignore',
  drop: '--fill drop',
})

/** The same for commands that can do without labels. */
export const unlabelledDataOptions = {
  ...dataOptions,
  label: negatable(dataOptions.label, 'the table has no labels'),
}

/** The flags of the options above; some commands have `--threads` beside them. */
export type DataFlags = Flags<typeof unlabelledDataOptions> & {
  readonly threads?: number
  readonly groups?: string
  readonly time?: string
  readonly timeSeries?: boolean
}

/** What the flags say about reading. */
export function readOptionsFrom(flags: DataFlags): VectorOptions {
  const { label, weight, groups, time, dataFormat: format, indexBase, threads, maxBytes } = flags
  return defined({
    labelColumn: label && columnOf(label),
    weightColumn: columnOf(weight),
    groupColumn: columnOf(groups),
    timeColumn: columnOf(time),
    indexBase: indexBase && (Number(indexBase) as 0 | 1),
    ...{ format, threads, maxBytes },
  }) as VectorOptions
}

/** A folder stands for the sharded data set in it. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** The vectors of a folder of shards. */
async function readFolder(path: string): Promise<VectorDataset> {
  const { ShardStore } = await import('../../data/shards/shard-store.node.ts')
  return (await ShardStore.open(path)).dataset()
}

/** Reads vectors at `path`, a file or a folder of shards, or from stdin when it is `-`. */
export function readVectors(path: string, flags: DataFlags): Promise<VectorDataset> {
  return withProgress(path, (source, progress) =>
    isFolder(path) ? readFolder(path) : readVectorFile(source, { ...readOptionsFrom(flags), ...progress }),
  )
}

/**
 * Reads the data set at `path`, a file or a folder of shards, or from stdin when it is `-`: vectors, or a table with columns of any
 * kind.
 */
export function readData(
  path: string,
  flags: DataFlags & TableFlags,
  match?: MatchedModel,
): Promise<TableDataset> {
  return withProgress(path, async (source, progress) =>
    isFolder(path)
      ? { ...(await readFolder(path)), report: { columns: [], dropped: 0, notes: [] } }
      : readDataset(source, {
          ...readOptionsFrom(flags),
          ...tableOptionsFrom(flags),
          ...progress,
          ...(match && { match }),
        } as ReadOptions),
  )
}

async function withProgress<D>(
  path: string,
  read: (source: FileSource, options: Pick<VectorOptions, 'name' | 'onProgress'>) => Promise<D>,
): Promise<D> {
  const bar = new LateBar('reading', path)
  const onProgress = ({ bytesRead, bytesTotal = Infinity }: ReadProgress) =>
    bar.update('reading', bytesRead / bytesTotal, `${number(bytesRead / 1e6, 3)} MB`)
  try {
    if (path === '-') return await read(process.stdin, { onProgress, name: '<stdin>' })
    return await read(path, { onProgress })
  } finally {
    bar.stop()
  }
}

/** As {@link readData}; the labels must be of the kind that is to be trained on. */
export async function readTrainingData(
  path: string,
  flags: DataFlags & TableFlags,
  learns: Learns,
): Promise<TableDataset> {
  const read = await readData(path, flags)
  const dataset = flags.timeSeries ? { ...read, times: 'rows' as const } : read
  const { labels } = dataset
  const { label } = dataset.report
  const whence =
    label !== undefined && flags.label === undefined
      ? `; labels are taken from column ${label}, --label names another`
      : ''
  if (learns === 'numbers' && !(labels instanceof Float64Array)) {
    throw new DataError(
      `${path}: regression needs numeric labels, but these are strings such as '${labels[0]}'`,
    )
  }
  if (learns === 'classes' && labels instanceof Float64Array && new Set(labels).size > 2) {
    const target = labels.find((label) => !Number.isInteger(label))
    if (target !== undefined || !labelsAreClasses(labels)) {
      const what = target === undefined ? 'all different' : `such as ${target}`
      throw new DataError(
        `${path}: the labels are not classes but numbers, ${what}; --type svr, nu-svr and linear-svr predict numbers${whence}`,
      )
    }
  }
  return dataset
}

/**
 * As {@link readData}, for data that must have the columns of a model or of other data. Named columns are found by their
 * names, wherever they are, and others are left out; without names a table must have as many as are wanted. Sparse rows may be
 * of any width, as in LIBSVM.
 */
export async function readMatchingData(
  path: string,
  flags: DataFlags & TableFlags,
  {
    features,
    featureNames,
    preparation,
    labels = true,
  }: MatchedModel & { readonly features?: number | undefined },
): Promise<TableDataset> {
  const hint = 'does --label name the label column?'
  let dataset: TableDataset
  try {
    dataset = await readData(path, flags, { preparation, featureNames, labels })
    if (isTable(dataset.samples)) return dataset
    if (featureNames && dataset.featureNames) {
      return { ...dataset, ...selectFeatures(dataset as VectorDataset, featureNames) }
    }
  } catch (error) {
    if (!(error instanceof MissingColumnError)) throw error
    const { column, names } = error
    const why =
      column === flags.label ? 'which --label names as the label column' : 'which the training data had'
    throw new MissingColumnError(column, names, `${path}: `, why)
  }
  const { kind, cols } = dataset.samples
  if (kind === 'dense' && features !== undefined && cols !== features) {
    throw new DataError(`${path}: ${counted(cols, 'feature')}, but ${features} are needed; ${hint}`)
  }
  return dataset
}

/** A column by its name, or by its number. */
function columnOf(text: string | undefined): string | number | undefined {
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : text
}
