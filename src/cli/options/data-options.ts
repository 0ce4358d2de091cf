/** The data file that a command is given, and how to read it. */
import { statSync } from 'node:fs'
import { DataError } from '../../base/errors.ts'
import type { ReadOptions } from '../../data/files/parse-dataset.ts'
import { readDataset } from '../../data/files/read-dataset.node.ts'
import { selectFeatures, type VectorDataset } from '../../data/table/dataset.ts'
import type { Learns } from '../../estimators/parts/estimator.ts'
import { labelsAreClasses } from '../../selection/split/splits.ts'
import { LateBar } from '../report/late-bar.ts'
import { counted, number } from '../report/output.ts'
import { choiceOption, defined, type Flags, negatable, numberOption, textOption } from './options.ts'

/** What every command that reads data says about it in its help. */
export const DATA_HELP = 'a data file: LIBSVM, CSV, TSV or Parquet, also .gz, .bz2 or .xz; - is stdin'

/** What every command that reads a model says about it in its help. */
export const MODEL_HELP = "a model file: Hyperplane's JSON, LIBSVM's or LIBLINEAR's text"

/** What `standard` means where features are scaled. */
export const STANDARD_HELP = 'standard: unit variance, and zero mean except for sparse data'

/** How to read the data. */
export const dataOptions = {
  label: textOption(
    'column',
    'column of the labels in a table, by name or by number counted from 0 (default: the one named label, class, target or y, else the last)',
  ),
  weight: textOption('column', 'column of the sample weights in a table'),
  dataFormat: choiceOption(['auto', 'libsvm', 'csv', 'tsv', 'parquet'], 'format of the data (default auto)'),
  indexBase: choiceOption(
    ['0', '1'],
    'index of the first feature in LIBSVM data (default: 0 if that occurs in the file, else 1)',
    'number',
  ),
  maxBytes: numberOption(
    'maximum size of compressed data once decompressed (default: 1000 times the file, at least 64 MiB)',
    'bytes',
  ),
}

/** The same for commands that can do without labels. */
export const unlabelledDataOptions = {
  ...dataOptions,
  label: negatable(dataOptions.label, 'the table has no labels'),
}

/** The flags of the options above; some commands have `--threads` beside them. */
export type DataFlags = Flags<typeof unlabelledDataOptions> & { readonly threads?: number }

/** What the flags say about reading. */
export function readOptionsFrom(flags: DataFlags): ReadOptions {
  const { label, weight, dataFormat, indexBase, threads, maxBytes } = flags
  return defined({
    labelColumn: label === false ? label : label && columnOf(label),
    weightColumn: weight === undefined ? undefined : columnOf(weight),
    format: dataFormat,
    indexBase: indexBase && (Number(indexBase) as 0 | 1),
    threads,
    maxBytes,
  }) as ReadOptions
}

/** A folder stands for the sharded data set in it. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Reads the data set at `path`, a file or a folder of shards, or from stdin when it is `-`. */
export async function readData(path: string, flags: DataFlags): Promise<VectorDataset> {
  const bar = new LateBar()
  const options = {
    ...readOptionsFrom(flags),
    onProgress: ({
      bytesRead,
      bytesTotal = Infinity,
    }: {
      bytesRead: number
      bytesTotal?: number | undefined
    }) => bar.update('reading', bytesRead / bytesTotal, `${number(bytesRead / 1e6, 3)} MB`),
  }
  try {
    if (path === '-') return await readDataset(process.stdin, { ...options, name: '<stdin>' })
    if (isFolder(path)) {
      const { ShardStore } = await import('../../data/shards/shard-store.node.ts')
      return await (await ShardStore.open(path)).dataset()
    }
    return await readDataset(path, options)
  } finally {
    bar.stop()
  }
}

/** As {@link readData}; the labels must be of the kind that is to be trained on. */
export async function readTrainingData(
  path: string,
  flags: DataFlags,
  learns: Learns,
): Promise<VectorDataset> {
  const dataset = await readData(path, flags)
  const { labels } = dataset
  if (learns === 'numbers' && !(labels instanceof Float64Array)) {
    throw new DataError(
      `${path}: a regression needs numbers as labels, and these are texts such as '${labels[0]}'`,
    )
  }
  if (learns === 'classes' && labels instanceof Float64Array && new Set(labels).size > 2) {
    const target = labels.find((label) => !Number.isInteger(label))
    if (target !== undefined || !labelsAreClasses(labels)) {
      const what = target === undefined ? 'all different' : `such as ${target}`
      throw new DataError(
        `${path}: the labels are not classes but numbers, ${what}; --type svr, nu-svr and linear-svr predict numbers`,
      )
    }
  }
  return dataset
}

/**
 * As {@link readData}, for data that must have the features of a model or of other data. Named columns are found by their
 * names, wherever they are, and others are left out; without names a table must have as many as are wanted. Sparse rows may be
 * of any width, as in LIBSVM.
 */
export async function readMatchingData(
  path: string,
  flags: DataFlags,
  {
    features,
    featureNames,
  }: { readonly features?: number | undefined; readonly featureNames?: readonly string[] | undefined },
): Promise<VectorDataset> {
  const dataset = await readData(path, flags)
  const { kind, cols } = dataset.samples
  const hint = 'does --label say where the labels are?'
  if (featureNames && dataset.featureNames) {
    try {
      return selectFeatures(dataset, featureNames)
    } catch (error) {
      throw new DataError(`${path}: ${(error as Error).message}; ${hint}`, { cause: error })
    }
  }
  if (kind === 'dense' && features !== undefined && cols !== features) {
    throw new DataError(`${path}: ${counted(cols, 'feature')} where ${features} are needed; ${hint}`)
  }
  return dataset
}

function columnOf(text: string): string | number {
  return /^-?\d+$/.test(text) ? Number(text) : text
}
