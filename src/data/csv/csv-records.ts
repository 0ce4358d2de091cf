/**
 * CSV and TSV text as records of fields, which may be quoted and then hold delimiters, newlines and doubled quotes
 * (RFC 4180), and the place of each field in the file.
 */
import { Parser } from 'csv-parse/browser/esm'
import { FormatError, type TextPosition } from '../../base/errors.ts'
import { decodedText, type TextEncoding } from '../text/text-encoding.ts'

/** A quote that is never closed must not keep the rest of the file as one text. */
const longestRecord = 2 ** 25

/** How records are read. */
export interface RecordOptions {
  /** Name of the source, for error messages. */
  readonly name?: string | undefined
  /** Character between fields. */
  readonly delimiter?: string | undefined
  readonly encoding?: TextEncoding | undefined
}

/** Reads records, and knows on which line each of them starts. */
export class CsvRecords {
  private readonly options: RecordOptions
  private records = 0
  /** Line breaks within quoted fields, so far. */
  private breaks = 0
  private emptyLines = 0

  constructor(options: RecordOptions) {
    this.options = options
  }

  /** The line after the last record. */
  private get line(): number {
    return this.records + this.breaks + this.emptyLines + 1
  }

  /**
   * Hands every record to `take`, with the line on which it starts; yields after each chunk. A first line such as `sep=;`, which names
   * the delimiter, is no record.
   */
  async *read(
    chunks: AsyncIterable<Uint8Array>,
    take: (fields: string[], line: number) => void,
  ): AsyncGenerator<void> {
    const { delimiter = ',', encoding, name } = this.options
    const parser = new Parser({
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: longestRecord,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      on_record: (fields: string[], { empty_lines }) => {
        this.emptyLines = empty_lines
        const { line } = this
        this.records++
        for (const field of fields) this.breaks += breaksIn(field)
        if (this.records > 1 || !/^sep=.$/i.test(fields.join(delimiter))) take(fields, line)
        return null
      },
    })
    const ended = new Promise<void>((resolve, reject) => {
      parser.on('error', (error) => reject(this.explain(error)))
      parser.on('end', resolve)
    })
    // The failure is thrown where `ended` is awaited; until then it must not count as unhandled.
    ended.catch(() => {})
    parser.resume()
    let empty = true
    for await (const text of decodedText(chunks, encoding, () => ({ file: name, line: this.line }))) {
      if (text === '') continue
      empty = false
      await Promise.race([ended, new Promise((resolve) => parser.write(text, resolve))])
      yield
    }
    // The parser cannot end without having begun.
    if (!empty) {
      parser.end()
      await ended
    }
  }

  /** An error at field k of a record; it starts as many lines below the record as there are breaks in the fields before it. */
  errorAt(fields: readonly string[], line: number, k: number, message: string): FormatError {
    const above = fields.slice(0, k).reduce((sum, field) => sum + breaksIn(field), 0)
    return new FormatError(message, { file: this.options.name, line: line + above, column: k + 1 })
  }

  /** The error that a record has another number of fields than the first. */
  countError(fields: readonly string[], line: number, count: number): FormatError {
    const message = `${fields.length} ${fields.length === 1 ? 'field' : 'fields'}, but the first record has ${count}`
    return new FormatError(message, { file: this.options.name, line })
  }

  /** The error that a line is a comment. */
  commentError(line: number): FormatError {
    const message = 'the line starts with #, but CSV has no comments; remove such lines'
    return new FormatError(message, { file: this.options.name, line })
  }

  /** Makes an error of the CSV parser one of ours. */
  private explain(error: Error & { code?: string; column?: unknown; empty_lines?: number }): Error {
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
    if (/QUOTE/.test(error.code)) return new FormatError('a quote is inside an unquoted field', place)
    return new FormatError(error.message, place)
  }
}

function breaksIn(field: string): number {
  return field.match(/\r\n|\r|\n/g)?.length ?? 0
}
