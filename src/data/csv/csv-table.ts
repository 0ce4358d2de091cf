/**
 * CSV and TSV with columns of any kind. What the columns are is decided by the first rows, whose fields are kept as text
 * until then; rows after them are converted as they arrive.
 */
import { FormatError } from '../../base/errors.ts'
import type { NumberStyle } from '../table/cells.ts'
import { Columns, type KnownColumns } from '../table/columns.ts'
import { inferNumberStyle } from '../table/infer-column.ts'
import { checkChoices } from '../table/make-table.ts'
import {
  type BadCell,
  TableBuilder,
  type TableBuilderOptions,
  type TableDataset,
} from '../table/table-builder.ts'
import type { TextEncoding } from '../text/text-encoding.ts'
import { type CsvOptions, looksLikeHeader } from './csv-reader.ts'
import { CsvRecords } from './csv-records.ts'

/** How CSV text with columns of any kind is to be read. */
export interface CsvTableOptions extends CsvOptions, TableBuilderOptions {
  readonly encoding?: TextEncoding
  /** The decimal mark. By default what makes numbers of most columns. */
  readonly decimal?: '.' | ','
  readonly known?: KnownColumns
}

/** Rows that decide what columns are. Enough to see rare cells, and few enough to keep as text: 20 columns take 20 MB. */
const HEAD_ROWS = 10_000

/** Reads CSV as it arrives. In errors, the column is the number of the field, counted from 1. */
export async function readCsvTable(
  chunks: AsyncIterable<Uint8Array>,
  options: CsvTableOptions,
  notes: readonly string[] = [],
): Promise<TableDataset> {
  const records = new CsvRecords(options)
  const reader = new CsvTableReader(options, records, notes)
  for await (const _ of records.read(chunks, (fields, line) => reader.add(fields, line)));
  return reader.end()
}

class CsvTableReader {
  private options: CsvTableOptions
  private readonly records: CsvRecords
  private readonly notes: string[]
  private columns: Columns | undefined
  private names: readonly string[] = []
  private readonly head: { readonly fields: string[]; readonly line: number }[] = []
  private builder: TableBuilder | undefined

  constructor(options: CsvTableOptions, records: CsvRecords, notes: readonly string[]) {
    this.options = options
    this.records = records
    this.notes = [...notes]
  }

  add(fields: string[], line: number): void {
    if (!this.columns) {
      const { header = 'auto', name } = this.options
      const isHeader = header === 'auto' ? looksLikeHeader(fields) : header
      this.names = isHeader ? fields : fields.map((_, k) => String(k))
      this.forgetStrangers(isHeader)
      const { known } = this.options
      const names = isHeader || known ? this.names : undefined
      this.columns = new Columns(names, fields.length, this.options, name, known)
      checkChoices(name ?? '<input>', this.options, this.names)
      if (isHeader) return
    }
    if (fields.length !== this.columns.count) {
      throw this.records.countError(fields, line, this.columns.count)
    }
    if (this.builder) this.take(this.builder, fields, line)
    else {
      this.head.push({ fields, line })
      if (this.head.length === HEAD_ROWS) this.decide(this.columns)
    }
  }

  /** Names that a model knows are of no use where the columns have none: then they are taken by their places. */
  private forgetStrangers(isHeader: boolean): void {
    const { known, columns: _, others: __, ...options } = this.options
    if (known && !isHeader && !known.columns.every((one) => this.names.includes(one))) this.options = options
  }

  end(): TableDataset {
    const { columns } = this
    if (!columns || (!this.builder && this.head.length === 0)) {
      throw new FormatError('no samples', { file: this.options.name })
    }
    const builder = this.builder ?? this.decide(columns)
    return builder.build(this.notes)
  }

  private decide(columns: Columns): TableBuilder {
    const { head } = this
    const style = this.numberStyle(columns)
    const sample = (k: number) => head.map(({ fields }) => fields[k])
    const builder = new TableBuilder(columns, this.names, sample, this.options, style)
    this.builder = builder
    for (const { fields, line } of head) this.take(builder, fields, line)
    head.length = 0
    return builder
  }

  private take(builder: TableBuilder, fields: string[], line: number): void {
    const bad = builder.add(fields)
    if (bad) throw this.records.errorAt(fields, line, bad.column, this.explain(bad))
  }

  private explain({ column, words }: BadCell): string {
    const columns = this.columns!
    const title = columns.title(column)
    return column === columns.label ? `label in ${title} ${words}` : `${title} ${words}`
  }

  /** How numbers are written; what is unusual about it is noted. */
  private numberStyle({ features, label }: Columns): NumberStyle {
    const { decimal, delimiter = ',', columns: choices = {} } = this.options
    const open = [...features, ...(label === undefined ? [] : [label])].filter((k) => {
      const choice = choices[this.names[k]]
      const kind = typeof choice === 'object' ? choice.kind : choice
      return kind === undefined || kind === 'number'
    })
    const texts = open.map((k) => this.head.map(({ fields }) => fields[k]))
    const found = inferNumberStyle(texts, delimiter, decimal)
    if (found.decimal === ',') this.notes.push('numbers have a decimal comma')
    const mark = { ',': 'commas', '.': 'points', ' ': 'spaces', "'": 'apostrophes', '': '' }[found.thousands]
    if (mark !== '') this.notes.push(`${mark} set thousands apart`)
    return found
  }
}
