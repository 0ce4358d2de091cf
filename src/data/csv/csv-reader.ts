/**
 * CSV and TSV: records of fields, which may be quoted and then hold delimiters, newlines and doubled quotes
 * (RFC 4180). One column is the label, one may be the weight, the others are numeric features.
 */
import { Parser } from 'csv-parse/browser/esm'
import { FormatError, show, type TextPosition } from '../../base/errors.ts'
import { Blocks } from '../matrix/column-blocks.ts'
import { type ColumnOptions, Columns } from '../table/columns.ts'
import type { Labels, VectorDataset } from '../table/dataset.ts'
import { isNotFiniteText, numberFromText, numberProblem } from '../text/number-text.ts'

/** How CSV text is to be read. */
export interface CsvOptions extends ColumnOptions {
  /** Name of the source, for error messages. */
  readonly name?: string
  /** Character between fields. */
  readonly delimiter?: string
  /**
   * Whether the first record names the columns. `'auto'`, the default: it does when none of its fields is a number.
   */
  readonly header?: 'auto' | boolean
  /**
   * `'auto'`, the default, lets the first label decide whether labels are numbers or text; a mix is an error.
   * `'string'` keeps every label as its text.
   */
  readonly labels?: 'auto' | 'number' | 'string'
}

/** A quote that is never closed must not keep the rest of the file as one text. */
const longestRecord = 2 ** 25

/** Reads CSV as it arrives. In errors, the column is the number of the field, counted from 1. */
export async function readCsv(
  chunks: AsyncIterable<Uint8Array>,
  options: CsvOptions = {},
): Promise<VectorDataset> {
  for await (const table of csvBatches(chunks, options, Number.POSITIVE_INFINITY)) return table
  throw new FormatError('no samples', { file: options.name })
}

/** As {@link readCsv}, a part of the rows at a time: as many as hold about so many values, and at least one. */
export async function* csvBatches(
  chunks: AsyncIterable<Uint8Array>,
  options: CsvOptions,
  valuesPerBatch: number,
): AsyncGenerator<VectorDataset> {
  const table = new CsvTable(options)
  const parser = new Parser({
    delimiter: options.delimiter ?? ',',
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: longestRecord,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    on_record: (fields: string[], { empty_lines }) => {
      table.add(fields, empty_lines)
      return null
    },
  })
  const ended = new Promise<void>((resolve, reject) => {
    parser.on('error', (error) => reject(table.explain(error)))
    parser.on('end', resolve)
  })
  // The failure is thrown where `ended` is awaited; until then it must not count as unhandled.
  ended.catch(() => {})
  parser.resume()
  let empty = true
  for await (const text of decoded(chunks)) {
    if (text === '') continue
    empty = false
    await Promise.race([ended, new Promise((resolve) => parser.write(text, resolve))])
    if (table.pending >= valuesPerBatch) yield table.take()
  }
  // The parser cannot end without having begun.
  if (!empty) {
    parser.end()
    await ended
  }
  if (table.hasPending) yield table.take()
}

async function* decoded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

class CsvTable {
  private readonly options: CsvOptions
  private columns: Columns | undefined
  private readonly values = new Blocks(Float64Array)
  private readonly weights = new Blocks(Float64Array)
  private labels: string[] = []
  private labelsAreNumbers: boolean | undefined
  private records = 0
  private rows = 0
  /** Line breaks within quoted fields, so far. */
  private breaks = 0
  /** Line on which the current record starts. */
  private line = 1

  constructor(options: CsvOptions) {
    this.options = options
  }

  /** Takes in one record; `emptyLines` were skipped before it. */
  add(fields: string[], emptyLines: number): void {
    this.line = this.records + this.breaks + emptyLines + 1
    this.records++
    for (const field of fields) this.breaks += breaksIn(field)
    if (!this.columns) {
      const { header = 'auto', name } = this.options
      const isHeader = header === 'auto' ? looksLikeHeader(fields) : header
      this.columns = new Columns(isHeader ? fields : undefined, fields.length, this.options, name)
      if (isHeader) return
    }
    this.addSample(fields, this.columns)
  }

  private addSample(fields: string[], columns: Columns): void {
    const { label, weight, features, count } = columns
    if (fields.length !== count) {
      const message = `${fields.length} fields where the first record has ${count}`
      throw new FormatError(message, { file: this.options.name, line: this.line })
    }
    for (const k of features) this.values.push(this.number(fields, k, columns))
    if (weight !== undefined) {
      const value = this.number(fields, weight, columns)
      if (value < 0) throw this.error(fields, weight, `${columns.title(weight)} must be >= 0, got ${value}`)
      this.weights.push(value)
    }
    this.labels.push(label === undefined ? '0' : this.label(fields, label, columns))
    this.rows++
  }

  private number(fields: string[], k: number, columns: Columns): number {
    const value = numberFromText(fields[k])
    if (Number.isFinite(value)) return value
    const isText = fields[k] !== '' && !isNotFiniteText(fields[k])
    const hint = isText && this.rows === 0 && k !== columns.weight ? columns.labelHint() : ''
    throw this.error(fields, k, `${columns.title(k)} ${numberProblem(fields[k])}${hint}`)
  }

  private label(fields: string[], k: number, columns: Columns): string {
    const text = fields[k]
    const { labels = 'auto' } = this.options
    if (labels === 'string' && text !== '') return text
    const isNumber = Number.isFinite(numberFromText(text))
    this.labelsAreNumbers ??= labels === 'number' || isNumber || text === '' || isNotFiniteText(text)
    if (this.labelsAreNumbers !== isNumber) {
      const problem = this.labelsAreNumbers
        ? numberProblem(text)
        : `must be text as in the records before, got ${show(text)}`
      throw this.error(fields, k, `label in ${columns.title(k)} ${problem}`)
    }
    return text
  }

  /** An error at field k; it starts as many lines below the record as there are breaks in the fields before it. */
  private error(fields: readonly string[], k: number, message: string): FormatError {
    const above = fields.slice(0, k).reduce((sum, field) => sum + breaksIn(field), 0)
    return new FormatError(message, { file: this.options.name, line: this.line + above, column: k + 1 })
  }

  /** Makes an error of the CSV parser one of ours. */
  explain(error: Error & { code?: string; column?: unknown; empty_lines?: number }): Error {
    if (error.code === undefined) return error
    const place: TextPosition = {
      file: this.options.name,
      line: this.records + this.breaks + (error.empty_lines ?? 0) + 1,
      ...(typeof error.column === 'number' && { column: error.column + 1 }),
    }
    if (error.code === 'CSV_QUOTE_NOT_CLOSED') return new FormatError('a quoted field is not closed', place)
    if (error.code === 'CSV_MAX_RECORD_SIZE') {
      return new FormatError(`a record is longer than ${longestRecord} bytes`, place)
    }
    if (/QUOTE/.test(error.code)) return new FormatError('a quote stands inside a field', place)
    return new FormatError(error.message, place)
  }

  /** Values that the next {@link take} will hand over. */
  get pending(): number {
    return this.labels.length * (this.columns?.features.length ?? 0)
  }

  get hasPending(): boolean {
    return this.labels.length > 0
  }

  /** Hands over the records so far, at least one, and goes on without them. */
  take(): VectorDataset {
    const columns = this.columns!
    const texts = this.labels
    const asNumbers = columns.label === undefined || this.labelsAreNumbers === true
    const labels: Labels = asNumbers ? Float64Array.from(texts, Number) : texts
    const { featureNames } = columns
    this.labels = []
    return {
      samples: {
        kind: 'dense',
        rows: texts.length,
        cols: columns.features.length,
        values: this.values.join(),
      },
      labels,
      ...(columns.weight !== undefined && { weights: this.weights.join() }),
      ...(featureNames && { featureNames }),
    }
  }
}

function looksLikeHeader(fields: readonly string[]): boolean {
  return (
    fields.some((field) => field !== '') &&
    fields.every((field) => Number.isNaN(numberFromText(field)) && !isNotFiniteText(field))
  )
}

function breaksIn(field: string): number {
  return field.match(/\r\n|\r|\n/g)?.length ?? 0
}
