/**
 * CSV and TSV. One column is the label, one may be the weight, the others are features of any kind, or numbers alone. What columns
 * are is decided by the first rows, whose fields are kept as text until then; rows after them are converted as they arrive.
 */

import { FormatError, show } from '../../base/errors.ts'
import { isGap, isMissingCell, type NumberStyle, plainNumbers } from '../table/cells.ts'
import { type ColumnOptions, Columns, type KnownColumns, uniqueNames } from '../table/columns.ts'
import type { VectorDataset } from '../table/dataset.ts'
import { type InferredColumn, inferColumn, inferNumberStyle } from '../table/infer-column.ts'
import { checkChoices } from '../table/make-table.ts'
import { optionWords } from '../table/option-words.ts'
import {
  type BadCell,
  TableBuilder,
  type TableBuilderOptions,
  type TableDataset,
  vectorsOf,
} from '../table/table-builder.ts'
import { isNotFiniteText, numberFromText } from '../text/number-text.ts'
import type { TextEncoding } from '../text/text-encoding.ts'
import { CsvRecords } from './csv-records.ts'

/** How CSV text is split into labelled rows. */
export interface CsvShapeOptions extends ColumnOptions {
  /** Name of the source, for error messages. */
  readonly name?: string
  /** Character between fields. */
  readonly delimiter?: string
  /**
   * Whether the first record names the columns. `'auto'`, the default: it does if none of its fields is a number, or if its
   * numbers count up or are years and the second record does not continue them.
   */
  readonly header?: 'auto' | boolean
  /**
   * `'auto'`, the default, lets the first label decide whether labels are numbers or text; a mix is an error.
   * `'string'` keeps every label as its text.
   */
  readonly labels?: 'auto' | 'number' | 'string'
}

/** How CSV text is to be read. */
export interface CsvOptions extends CsvShapeOptions, TableBuilderOptions {
  readonly encoding?: TextEncoding
  /** The decimal mark. By default what makes numbers of most columns. */
  readonly decimal?: '.' | ','
  readonly known?: KnownColumns
}

/** Rows that decide what columns are. Enough to see rare cells, and few enough to keep as text: 20 columns take 20 MB. */
const HEAD_ROWS = 10_000

/** Reads CSV as it arrives. In errors, the column is the number of the field, counted from 1. */
export async function readCsv(
  chunks: AsyncIterable<Uint8Array>,
  options: CsvOptions = {},
  notes: readonly string[] = [],
): Promise<TableDataset> {
  const records = new CsvRecords(options)
  const reader = new CsvReader(options, records, notes)
  for await (const _ of records.read(chunks, (fields, line) => reader.add(fields, line)));
  reader.end()
  if (!reader.hasRows) throw new FormatError('no samples', { file: options.name })
  return reader.take()
}

/** CSV of numbers alone, a part of the rows at a time: as many as hold about this many values, and at least one. */
export async function* csvVectorBatches(
  chunks: AsyncIterable<Uint8Array>,
  options: CsvShapeOptions,
  valuesPerBatch: number,
): AsyncGenerator<VectorDataset> {
  const records = new CsvRecords(options)
  const reader = new CsvReader({ ...options, others: 'strict-numbers' }, records, [])
  for await (const _ of records.read(chunks, (fields, line) => reader.add(fields, line))) {
    if (reader.pending >= valuesPerBatch) yield vectorsOf(reader.take())
  }
  reader.end()
  if (reader.hasRows) yield vectorsOf(reader.take())
}

/** What the first rows of CSV tell about all of them. */
export interface CsvPeek {
  readonly header: boolean
  readonly style: NumberStyle
  readonly columns: readonly ({ readonly name: string } & InferredColumn)[]
  readonly rows: readonly (readonly string[])[]
}

/**
 * Looks at the rows that {@link readCsv} would decide by, and returns at most so many. Rows of other lengths than the first are no error
 * here.
 */
export async function peekCsv(
  chunks: AsyncIterable<Uint8Array>,
  options: CsvOptions,
  most: number,
): Promise<CsvPeek> {
  const { header: wanted = 'auto', delimiter = ',', decimal, name: file } = options
  const enough = Math.max(HEAD_ROWS, most)
  const all: string[][] = []
  const take = (fields: string[]) => {
    if (all.length <= enough) all.push(fields)
  }
  for await (const _ of new CsvRecords(options).read(chunks, take)) if (all.length > enough) break
  if (all.length === 0) throw new FormatError('no samples', { file })
  const header = wanted === 'auto' ? looksLikeHeader(all[0], all[1]) : wanted
  const names = header ? uniqueNames(all[0]) : all[0].map((_, k) => String(k))
  const rows = header ? all.slice(1) : all
  const texts = names.map((_, k) => rows.slice(0, HEAD_ROWS).map((fields) => fields[k] ?? ''))
  const style = inferNumberStyle(texts, delimiter, decimal)
  const columns = names.map((name, k) => ({ name, ...inferColumn(name, texts[k], style) }))
  return { header, style, columns, rows: rows.slice(0, most) }
}

class CsvReader {
  private options: CsvOptions
  private readonly records: CsvRecords
  private readonly notes: string[]
  private columns: Columns | undefined
  /** The first record, until the next one tells whether it names the columns. */
  private first: { readonly fields: string[]; readonly line: number } | undefined
  private names: readonly string[] = []
  private readonly head: { readonly fields: string[]; readonly line: number }[] = []
  private builder: TableBuilder | undefined

  constructor(options: CsvOptions, records: CsvRecords, notes: readonly string[]) {
    this.options = options
    this.records = records
    this.notes = [...notes]
  }

  add(fields: string[], line: number): void {
    if (!this.columns) {
      if (!this.first) {
        this.first = { fields, line }
        return
      }
      this.begin(this.first, fields)
    }
    this.addRow(fields, line)
  }

  /** All records are there. */
  end(): void {
    if (!this.columns && this.first) this.begin(this.first, undefined)
  }

  /** Decides by the first two records where what is. */
  private begin(first: { readonly fields: string[]; readonly line: number }, second?: string[]): void {
    const { header = 'auto', name } = this.options
    const { fields, line } = first
    const isHeader = header === 'auto' ? looksLikeHeader(fields, second) : header
    if (second && isComment(fields) && second.length !== fields.length) throw this.records.commentError(line)
    if (header === 'auto' && !this.options.known) {
      if (!isHeader)
        this.notes.push(
          `no header: columns are numbered from 0 (use ${optionWords.current.header} if the first line contains their names)`,
        )
      else if (fields.some(isNumeric)) {
        this.notes.push(
          `the first line contains the column names, some of them numbers (use ${optionWords.current.noHeader} if it is data)`,
        )
      }
    }
    this.names = isHeader ? uniqueNames(fields) : fields.map((_, k) => String(k))
    const twice = isHeader ? fields.findIndex((field, k) => field !== this.names[k]) : -1
    if (twice >= 0 && !this.options.known) {
      const example = `the second ${show(fields[twice])} is called ${show(this.names[twice])}`
      this.notes.push(`columns have the same name: ${example}`)
    }
    this.forgetStrangers(isHeader)
    const { known } = this.options
    const names = isHeader ? fields : known ? this.names : undefined
    this.columns = new Columns(names, fields.length, this.options, name, known)
    checkChoices(name ?? '<input>', this.options, this.names)
    if (!isHeader) this.addRow(fields, line)
  }

  private addRow(fields: string[], line: number): void {
    const columns = this.columns!
    if (fields.length !== columns.count) {
      throw isComment(fields)
        ? this.records.commentError(line)
        : this.records.countError(fields, line, columns.count)
    }
    if (this.builder) this.put(this.builder, fields, line)
    else {
      this.head.push({ fields, line })
      if (this.head.length === HEAD_ROWS || this.isStrict) this.decide(columns)
    }
  }

  /** Whether nothing is to be inferred. */
  private get isStrict(): boolean {
    return this.options.others === 'strict-numbers'
  }

  /** Names that a model knows are of no use where the columns have none: then they are taken by their places. */
  private forgetStrangers(isHeader: boolean): void {
    const { known, columns: _, others: __, ...options } = this.options
    if (known && !isHeader && !known.columns.every((one) => this.names.includes(one))) this.options = options
  }

  /** Whether there are rows to hand over. */
  get hasRows(): boolean {
    return (this.builder?.rows ?? this.head.length) > 0
  }

  /** Values that the next {@link take} will hand over. */
  get pending(): number {
    return (this.builder?.rows ?? this.head.length) * (this.columns?.features.length ?? 0)
  }

  /** Hands over the rows so far, at least one, and goes on without them. */
  take(): TableDataset {
    const builder = this.builder ?? this.decide(this.columns!)
    return builder.take(this.notes)
  }

  private decide(columns: Columns): TableBuilder {
    const { head } = this
    const style = this.numberStyle(columns)
    const sample = (k: number) => head.map(({ fields }) => fields[k])
    const builder = new TableBuilder(columns, this.names, sample, this.options, style)
    this.builder = builder
    for (const { fields, line } of head) this.put(builder, fields, line)
    head.length = 0
    return builder
  }

  private put(builder: TableBuilder, fields: string[], line: number): void {
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
    if (this.isStrict) return plainNumbers
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
    if (mark !== '') this.notes.push(`${mark} separate thousands`)
    return found
  }
}

/**
 * Whether the first record names the columns. It does when none of its fields is a number, and some field is not empty. Where some are
 * numbers, they must be years in their order, or count up from 0 or 1, and those of the second record must not; two years are enough
 * for that, and otherwise a word must stand above a number.
 */
function looksLikeHeader(fields: readonly string[], second: readonly string[] = []): boolean {
  const numeric = fields.map(isNumeric)
  if (!numeric.includes(true)) return fields.some((field) => field !== '')
  if (!numeric.includes(false) || second.length !== fields.length) return false
  const numbers = fields.filter((_, k) => numeric[k])
  const below = second.filter((_, k) => numeric[k])
  if (areYears(numbers) && below.some(isYear)) return false
  if (areYears(numbers) && numbers.length > 1) return true
  const isNamed = fields.some((field, k) => isWord(field) && isNumeric(second[k]))
  return isNamed && (areYears(numbers) || (countsUp(numbers) && !countsUp(below, Number(below[0]))))
}

function isNumeric(field: string): boolean {
  return !Number.isNaN(numberFromText(field)) || isNotFiniteText(field)
}

/** A text that can be a name: not a mark for a missing cell, nor a number with a sign such as < before it. */
function isWord(field: string): boolean {
  return /^[\p{L}_]/u.test(field) && !isMissingCell(field) && !isGap(field)
}

/** Years, each after the one before. */
function areYears(fields: readonly string[]): boolean {
  return fields.every((field, k) => isYear(field) && (k === 0 || field > fields[k - 1]))
}

/** Two or more whole numbers, each the next after the one before. */
function countsUp(fields: readonly string[], start = fields[0] === '0' ? 0 : 1): boolean {
  return fields.length > 1 && fields.every((field, k) => field === String(start + k))
}

function isYear(field: string): boolean {
  return /^(1[5-9]|20)\d\d$/.test(field)
}

/** Whether a record looks like a comment of other formats. */
function isComment([field = '']: readonly string[]): boolean {
  return field.startsWith('#')
}
