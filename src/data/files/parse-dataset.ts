import { checkOneOf } from '../../base/check.ts'
import { ParameterError } from '../../base/errors.ts'
import type { ByteSource } from '../codecs/byte-source.ts'
import type { CsvOptions } from '../csv/csv-reader.ts'
import type { Matrix } from '../matrix/matrix.ts'
import { settingsOfEncoder } from '../preparation/column-encoder.ts'
import type { ColumnPreparation } from '../preparation/column-preparation.ts'
import type { VectorDataset } from '../table/dataset.ts'
import { optionWords } from '../table/option-words.ts'
import type { TableDataset } from '../table/table-builder.ts'
import {
  checkTableOptions,
  givenSettings,
  type TableOptions,
  tableOptionNames,
} from '../table/table-options.ts'
import { encodingOf, type TextEncoding, textEncodings } from '../text/text-encoding.ts'
import { delimiterFromFirstLine } from './data-format.ts'
import {
  checkReadOptions,
  csvOptions,
  openAny,
  parseVectors,
  readLibsvm,
  readWholeParquet,
  type VectorOptions,
} from './parse-vectors.ts'

/** What a model says about its columns. */
export interface MatchedModel {
  readonly preparation?: ColumnPreparation | undefined
  readonly featureNames?: readonly string[] | undefined
  /** Whether the rows have labels that are wanted. Default true. */
  readonly labels?: boolean
}

/** Options for reading data, including the kinds of columns. */
export interface ReadOptions extends VectorOptions, TableOptions {
  /** Encoding of CSV text. Default: detected from its first bytes. */
  readonly encoding?: TextEncoding
  /** The decimal mark of CSV. Default: detected from its first rows. */
  readonly decimal?: '.' | ','
  /**
   * A model for these rows: its columns are found by name and read as in training; others are ignored. The label column is
   * that of the training data. `columns` cannot be given with it.
   */
  readonly match?: MatchedModel
  /** Column of a table with the group of each sample, by name or number: `groups` of the result. It is not a feature. */
  readonly groupColumn?: string | number
  /** Column of a table with the time of each sample, numbers or dates: `times` of the result. It is not a feature. */
  readonly timeColumn?: string | number
}

/**
 * Reads a data set from text, bytes or a stream: CSV, TSV or Parquet with columns of any kind (numbers, categories, dates, text;
 * cells may be missing), or LIBSVM; plain or compressed with gzip, bzip2 or xz, which is detected from the content. What was
 * inferred about columns is in `report`, and `columns` overrides it. With `columns: 'number'` nothing is inferred: all
 * columns are
 * numbers, and anything else, a missing cell included, is an error.
 *
 * @example
 * const data = await parseDataset('age,city,left\n29,Paris,no\n,Rome,yes\n', { labelColumn: 'left' })
 */
export function parseDataset(source: ByteSource, options: NumbersOnly): Promise<VectorDataset>
export function parseDataset(source: ByteSource, options?: ReadOptions): Promise<TableDataset>
export async function parseDataset(
  source: ByteSource,
  options: ReadOptions | NumbersOnly = {},
): Promise<TableDataset | VectorDataset> {
  if (isNumbersOnly(options)) {
    const { columns: _, ...others } = options
    return parseVectors(source, others)
  }
  return parseTable(source, options)
}

/** Options of data sets whose columns are numbers, none of them missing. */
export type NumbersOnly = VectorOptions & { readonly columns: 'number' }

function isNumbersOnly(options: ReadOptions | NumbersOnly): options is NumbersOnly {
  return options.columns === 'number'
}

async function parseTable(source: ByteSource, options: ReadOptions): Promise<TableDataset> {
  const who = 'parseDataset'
  const { columns, encoding: chosen, decimal } = options
  const settings: TableOptions = { ...defined({ columns }), ...givenSettings(options) }
  const { groupColumn, timeColumn } = options
  const besides = defined({ groupColumn, timeColumn })
  const own = ['encoding', 'decimal', 'match', 'groupColumn', 'timeColumn']
  checkReadOptions(who, options, [...tableOptionNames, ...own])
  checkTableOptions(who, settings)
  const matched = { ...besides, ...(options.match ? matching(options.match) : settings) }
  if (options.match && Object.keys(settings).length > 0) {
    throw new ParameterError(who, Object.keys(settings)[0], 'cannot be used together with match')
  }
  if (chosen !== undefined) checkOneOf(who, 'encoding', chosen, textEncodings)
  if (decimal !== undefined) checkOneOf(who, 'decimal', decimal, ['.', ','])
  const opened = await openAny(source, options)
  const { format, head, chunks } = opened
  try {
    if (format === 'libsvm') {
      const { labelColumn, weightColumn } = options
      const named = { ...besides, labelColumn: labelColumn === false ? undefined : labelColumn, weightColumn }
      const [name] = Object.keys(defined(named))
      if (name !== undefined)
        throw new ParameterError(who, name, 'needs a table; LIBSVM data have no columns')
      const { data, base } = await readLibsvm(opened, options)
      const isRisky = base === 0 && options.indexBase !== 0 && !haveSerials(data.samples)
      return { ...data, report: { columns: [], dropped: 0, notes: isRisky ? [zeroBased()] : [] } }
    }
    if (format === 'parquet') {
      return await readWholeParquet(chunks, options, matched)
    }
    const encoding = chosen ?? encodingOf(head)
    const { readCsv } = await import('../csv/csv-reader.ts')
    const csv = csvOptions(format, head, options)
    const notes = [
      ...(encoding === 'utf-8'
        ? []
        : [`the text is ${encoding === 'latin1' ? 'Latin-1' : encoding.toUpperCase()}`]),
      ...(delimiterFromFirstLine(head) === undefined ? [] : ['the first line names the delimiter (sep=)']),
      ...(csv.delimiter === ',' || format === 'tsv'
        ? []
        : [`fields are separated by ${delimiterWords(csv.delimiter)}`]),
    ]
    return await readCsv(chunks, { ...csv, ...matched, encoding, ...defined({ decimal }) }, notes)
  } finally {
    await opened.close()
  }
}

/** Another file of the same data may lack index 0, and would be read one column to the left. */
const zeroBased = (): string =>
  `feature indices start at 0: read other files of these data with ${optionWords.current.zeroBased}, in case index 0 does not occur there`

/** Rows of a precomputed kernel have their serial numbers there instead. */
function haveSerials(samples: Matrix): boolean {
  if (samples.kind === 'dense') return false
  const { rows, indptr, indices, values } = samples
  for (let i = 0; i < rows; i++) if (indices[indptr[i]] !== 0 || values[indptr[i]] !== i + 1) return false
  return true
}

/** Columns as a model knows them. */
function matching({ preparation, featureNames, labels = true }: MatchedModel): MatchOptions {
  if (!preparation && !featureNames) return {}
  const columns = preparation
    ? preparation.columns.map((one) => [one.name, { kind: one.kind, ...settingsOfEncoder(one) }] as const)
    : (featureNames ?? []).map((name) => [name, 'number'] as const)
  return {
    columns: Object.fromEntries(columns),
    others: 'ignored',
    known: { columns: columns.map(([name]) => name), label: preparation?.label, labels },
  }
}

type MatchOptions = Pick<CsvOptions, 'columns' | 'others' | 'known'>

function delimiterWords(delimiter: string | undefined): string {
  return (
    { ';': 'semicolons', '\t': 'tabs', '|': 'vertical bars', ' ': 'spaces' }[delimiter ?? ''] ??
    `${delimiter}`
  )
}

function defined<T extends object>(entries: T): { [name in keyof T]?: Exclude<T[name], undefined> } {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as T
}
