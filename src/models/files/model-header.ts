import { FormatError, show } from '../../base/errors.ts'
import { numberFromText } from '../../data/text/number-text.ts'

/** What the header of a format looks like. */
export interface HeaderFormat {
  readonly fields: readonly string[]
  /** The line that ends it. */
  readonly end: string
}

/**
 * The header of a LIBSVM or LIBLINEAR model: the lines before `SV` or `w`, each a name and its values. Any order is
 * accepted, as they do; unknown, repeated and malformed fields are not.
 */
export class ModelHeader {
  /** Lines up to and including the one that ends it. */
  readonly lineCount: number
  private readonly file: string | undefined
  private readonly fields = new Map<string, { readonly line: number; readonly words: readonly string[] }>()

  constructor(lines: readonly string[], format: HeaderFormat, file: string | undefined) {
    this.file = file
    const end = lines.findIndex((line) => line.trim() === format.end)
    if (end < 0) throw new FormatError(`the line ${format.end}, which ends the header, is missing`, { file })
    this.lineCount = end + 1
    for (let i = 0; i < end; i++) {
      const [field, ...words] = lines[i].trim().split(/\s+/)
      const position = { file, line: i + 1 }
      if (!format.fields.includes(field))
        throw new FormatError(`unknown header field ${show(field)}`, position)
      if (this.fields.has(field)) throw new FormatError(`${field} is given twice`, position)
      this.fields.set(field, { line: i + 1, words })
    }
  }

  has(field: string): boolean {
    return this.fields.has(field)
  }

  /** How many values a field has; undefined when it is not there. */
  size(field: string): number | undefined {
    return this.fields.get(field)?.words.length
  }

  /** The one value of a field that takes a word. */
  word<T extends string>(field: string, allowed: readonly T[]): T {
    const [word] = this.words(field, 1)
    if (!allowed.includes(word as T)) {
      this.refuse(field, allowed.length === 1 ? allowed[0] : `one of ${allowed.join(', ')}`, word)
    }
    return word as T
  }

  /** The values of a field that takes real numbers. */
  reals(field: string, count: number): number[] {
    return this.words(field, count).map((word) => {
      const value = numberFromText(word)
      if (!Number.isFinite(value)) this.refuse(field, 'a finite number', word)
      return value
    })
  }

  /** The values of a field that takes whole numbers, which LIBSVM reads into 32 bits. */
  wholes(field: string, count: number, min: number): number[] {
    return this.words(field, count).map((word) => {
      const value = /^[+-]?\d+$/.test(word) ? Number(word) : Number.NaN
      if (!(value >= min && value < 2 ** 31)) {
        this.refuse(field, `a whole number ${min < 0 ? '' : `>= ${min} `}of 32 bits`, word)
      }
      // + 0 makes 0 of -0.
      return value + 0
    })
  }

  /** The classes of a file. */
  labels(count: number): number[] {
    const labels = this.wholes('label', count, -(2 ** 31))
    if (new Set(labels).size !== count) this.refuse('label', `${count} different labels`, labels.join(' '))
    return labels
  }

  /** Throws when a field is there that such a model does not have. */
  without(type: string, fields: readonly string[]): void {
    for (const field of fields) {
      const line = this.fields.get(field)?.line
      if (line === undefined) continue
      throw new FormatError(`${field} does not belong to a model of ${type}`, { file: this.file, line })
    }
  }

  /** Throws the error that `field` is not what it must be. */
  refuse(field: string, allowed: string, got: unknown): never {
    const line = this.fields.get(field)?.line
    throw new FormatError(`${field} must be ${allowed}, got ${show(got)}`, { file: this.file, line })
  }

  private words(field: string, count: number): readonly string[] {
    const found = this.fields.get(field)
    if (!found) throw new FormatError(`${field} is missing from the header`, { file: this.file })
    const { words, line } = found
    if (words.length !== count) {
      const wanted = count === 1 ? '1 value' : `${count} values`
      throw new FormatError(`${field} must have ${wanted}, got ${words.length}`, { file: this.file, line })
    }
    return words
  }
}
