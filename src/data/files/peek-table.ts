import { checkNumber, checkOneOf } from '../../base/check.ts'
import type { ByteSource } from '../codecs/byte-source.ts'
import { peek } from '../codecs/decompress.ts'
import { Columns } from '../table/columns.ts'
import type { ColumnKind } from '../table/table.ts'
import { encodingOf, type TextEncoding, textEncodings } from '../text/text-encoding.ts'
import type { DataFormat } from './data-format.ts'
import type { ReadOptions } from './parse-dataset.ts'
import { checkReadOptions, csvOptions, openAny } from './parse-vectors.ts'

/** Options of {@link peekTable}: the text format, if known, and the number of rows to show. */
export interface PeekTableOptions
  extends Pick<
    ReadOptions,
    'name' | 'format' | 'encoding' | 'delimiter' | 'decimal' | 'header' | 'maxBytes' | 'signal'
  > {
  /** Maximum number of rows to return. Default 10. */
  readonly rows?: number
}

/** The text format of a CSV file: as chosen, or as inferred from its start. */
export interface TextForm {
  readonly encoding: TextEncoding
  readonly delimiter: string
  readonly decimal: '.' | ','
  /** Whether the first line names the columns. */
  readonly header: boolean
}

/** What the start of a file shows about its columns. */
export interface TablePeek {
  readonly format: DataFormat
  /** Of CSV and TSV. */
  readonly text?: TextForm
  /** Each column and what its cells look like; none for LIBSVM text. Columns without names are called 0, 1, 2 … */
  readonly columns: readonly {
    readonly name: string
    readonly kind: ColumnKind | 'ignored'
    /** Why it would be ignored, or what else was guessed. */
    readonly reason?: string
  }[]
  /** Position of the column that would be the label; undefined where there is only one column. */
  readonly label?: number
  /** The first rows, cell by cell: texts of CSV as they stand there, values of Parquet, whole lines of LIBSVM text. */
  readonly rows: readonly (readonly unknown[])[]
}

/** Rows that are shown where nobody says how many. */
const SHOWN_ROWS = 10

/**
 * Inspects the start of a data set: its format, its text encoding, and the kinds of its columns. Cells are not checked, so it
 * also helps with files that {@link parseDataset} rejects.
 *
 * @example
 * const { text, columns } = await peekTable('age;city\n29,5;Paris\n41,0;Rome\n')
 */
export async function peekTable(source: ByteSource, options: PeekTableOptions = {}): Promise<TablePeek> {
  const { rows: most = SHOWN_ROWS, encoding: chosen, decimal } = options
  const who = 'peekTable'
  checkReadOptions(who, options, ['encoding', 'decimal', 'rows'])
  checkNumber(who, 'rows', most, { min: 0, infinite: true })
  if (chosen !== undefined) checkOneOf(who, 'encoding', chosen, textEncodings)
  if (decimal !== undefined) checkOneOf(who, 'decimal', decimal, ['.', ','])
  const opened = await openAny(source, options)
  try {
    const { format, head, chunks } = opened
    if (format === 'libsvm') {
      const lines = new TextDecoder().decode(head).split(/\r\n|\r|\n/)
      const rows = lines.filter((line) => line.trim() !== '').slice(0, most)
      return { format, columns: [], rows: rows.map((line) => [line]) }
    }
    if (format === 'parquet') {
      const { peekParquet } = await import('../parquet/parquet-reader.ts')
      const { head: whole } = await peek(chunks, Number.POSITIVE_INFINITY)
      const { columns, rows } = await peekParquet(whole, options, most)
      return { format, columns, ...labelAmong(columns, true), rows }
    }
    const encoding = chosen ?? encodingOf(head)
    const { peekCsv } = await import('../csv/csv-reader.ts')
    const csv = csvOptions(format, head, options)
    const found = await peekCsv(chunks, { ...csv, encoding, ...(decimal && { decimal }) }, most)
    const { header, style, columns, rows } = found
    const text = { encoding, delimiter: csv.delimiter as string, decimal: style.decimal, header }
    return { format, text, columns, ...labelAmong(columns, header), rows }
  } finally {
    await opened.close()
  }
}

/** Where the label is when nobody says. */
function labelAmong(columns: TablePeek['columns'], isNamed: boolean): Pick<TablePeek, 'label'> {
  if (columns.length < 2) return {}
  const names = isNamed ? columns.map(({ name }) => name) : undefined
  const { label } = new Columns(names, columns.length, {})
  return label === undefined ? {} : { label }
}
