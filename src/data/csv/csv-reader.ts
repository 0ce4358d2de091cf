/** CSV and TSV of numbers. One column is the label, one may be the weight, the others are numeric features. */
import { FormatError, show } from '../../base/errors.ts'
import { Blocks } from '../matrix/column-blocks.ts'
import { type ColumnOptions, Columns } from '../table/columns.ts'
import type { Labels, VectorDataset } from '../table/dataset.ts'
import { isNotFiniteText, numberFromText, numberProblem } from '../text/number-text.ts'
import { CsvRecords } from './csv-records.ts'

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
  const records = new CsvRecords(options)
  const table = new CsvTable(options, records)
  for await (const _ of records.read(chunks, (fields, line) => table.add(fields, line))) {
    if (table.pending >= valuesPerBatch) yield table.take()
  }
  if (table.hasPending) yield table.take()
}

class CsvTable {
  private readonly options: CsvOptions
  private readonly records: CsvRecords
  private columns: Columns | undefined
  private readonly values = new Blocks(Float64Array)
  private readonly weights = new Blocks(Float64Array)
  private labels: string[] = []
  private labelsAreNumbers: boolean | undefined
  private rows = 0
  /** Line on which the current record starts. */
  private line = 1

  constructor(options: CsvOptions, records: CsvRecords) {
    this.options = options
    this.records = records
  }

  /** Takes in one record, which starts on this line. */
  add(fields: string[], line: number): void {
    this.line = line
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
    if (fields.length !== count) throw this.records.countError(fields, this.line, count)
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

  private error(fields: readonly string[], k: number, message: string): FormatError {
    return this.records.errorAt(fields, this.line, k, message)
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

/** Whether the first record names the columns: none of its fields is a number, and some field is not empty. */
export function looksLikeHeader(fields: readonly string[]): boolean {
  return (
    fields.some((field) => field !== '') &&
    fields.every((field) => Number.isNaN(numberFromText(field)) && !isNotFiniteText(field))
  )
}
