import { checkOneOf } from '../../base/check.ts'
import { ParameterError } from '../../base/errors.ts'
import type { ByteSource } from '../codecs/byte-source.ts'
import { peek } from '../codecs/decompress.ts'
import type { CsvTableOptions } from '../csv/csv-table.ts'
import { settingsOfEncoder } from '../preparation/column-encoder.ts'
import type { ColumnPreparation } from '../preparation/column-preparation.ts'
import {
  checkTableOptions,
  type TableDataset,
  type TableOptions,
  tableOptionNames,
} from '../table/table-builder.ts'
import { encodingOf, type TextEncoding, textEncodings } from '../text/text-encoding.ts'
import {
  checkReadOptions,
  csvOptions,
  openAny,
  type ReadOptions,
  readLibsvm,
  sourceLength,
  tableOptions,
} from './parse-dataset.ts'

/** What a model says about its columns. */
export interface MatchedModel {
  readonly preparation?: ColumnPreparation | undefined
  readonly featureNames?: readonly string[] | undefined
  /** Whether the rows have labels that are wanted. Default true. */
  readonly labels?: boolean
}

/** How tables are to be read. */
export interface ReadTableOptions extends Omit<ReadOptions, 'features'>, TableOptions {
  /** Encoding of CSV text. Default: told from its first bytes. */
  readonly encoding?: TextEncoding
  /** The decimal mark of CSV. Default: told from its first rows. */
  readonly decimal?: '.' | ','
  /**
   * A model that the rows are for: its columns are found by name and read as it was trained on them, and others are left out.
   * Labels are where they were in training. Columns then cannot be chosen.
   */
  readonly match?: MatchedModel
}

/**
 * Reads a data set with columns of any kind from text, bytes or a stream: CSV, TSV or Parquet, and LIBSVM, whose columns are
 * numbers; plain or compressed. What was inferred is in `report`.
 *
 * @example
 * const data = await parseTable('age,city,left\n29,Paris,no\n,Rome,yes\n', { labelColumn: 'left' })
 */
export async function parseTable(source: ByteSource, options: ReadTableOptions = {}): Promise<TableDataset> {
  const who = 'parseTable'
  const { columns, encoding: chosen, decimal } = options
  const { fill, indicator, unseen, maxCategories, order, parts, dateFormat } = options
  const { vectorizer, analyzer, ngrams, maxFeatures } = options
  const settings = defined({
    ...{ columns, fill, indicator, unseen, maxCategories, order, parts, dateFormat },
    ...{ vectorizer, analyzer, ngrams, maxFeatures },
  }) as TableOptions
  checkReadOptions(who, options, [...tableOptionNames, 'encoding', 'decimal', 'match'])
  checkTableOptions(who, settings)
  const matched = options.match ? matching(options.match) : settings
  if (options.match && Object.keys(settings).length > 0) {
    throw new ParameterError(who, Object.keys(settings)[0], 'cannot be used together with match')
  }
  if (chosen !== undefined) checkOneOf(who, 'encoding', chosen, textEncodings)
  if (decimal !== undefined) checkOneOf(who, 'decimal', decimal, ['.', ','])
  const opened = await openAny(source, options)
  const { format, head, chunks } = opened
  try {
    if (format === 'libsvm') {
      const data = await readLibsvm(
        opened,
        options,
        opened.isPlain ? sourceLength(source, options) : undefined,
      )
      return { ...data, report: { columns: [], dropped: 0, notes: [] } }
    }
    if (format === 'parquet') {
      const { readParquetTable } = await import('../parquet/parquet-reader.ts')
      const { head: whole } = await peek(chunks, Number.POSITIVE_INFINITY)
      return await readParquetTable(whole, {
        ...(tableOptions(options) as object),
        ...matched,
        ...(options.maxBytes !== undefined && { maxBytes: options.maxBytes }),
      })
    }
    const encoding = chosen ?? encodingOf(head)
    const { readCsvTable } = await import('../csv/csv-table.ts')
    const csv = csvOptions(format, head, options)
    const notes = [
      ...(encoding === 'utf-8'
        ? []
        : [`the text is ${encoding === 'latin1' ? 'Latin-1' : encoding.toUpperCase()}`]),
      ...(csv.delimiter === ',' || format === 'tsv'
        ? []
        : [`fields are separated by ${delimiterWords(csv.delimiter)}`]),
    ]
    return await readCsvTable(chunks, { ...csv, ...matched, encoding, ...defined({ decimal }) }, notes)
  } finally {
    await opened.close()
  }
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

type MatchOptions = Pick<CsvTableOptions, 'columns' | 'others' | 'known'>

function delimiterWords(delimiter: string | undefined): string {
  return (
    { ';': 'semicolons', '\t': 'tabs', '|': 'vertical bars', ' ': 'spaces' }[delimiter ?? ''] ??
    `${delimiter}`
  )
}

function defined<T extends object>(entries: T): { [name in keyof T]?: Exclude<T[name], undefined> } {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as T
}
