import { FormatError, show } from '../base/errors.ts'
import { numberFromText } from '../data/number-text.ts'

const fieldNames = [
  'svm_type',
  'kernel_type',
  'degree',
  'gamma',
  'coef0',
  'nr_class',
  'total_sv',
  'rho',
  'label',
  'probA',
  'probB',
  'prob_density_marks',
  'nr_sv',
] as const

/** A field in the header of a LIBSVM model. */
export type LibsvmField = (typeof fieldNames)[number]

/**
 * The header of a LIBSVM model: the lines before `SV`, each a name and its values. Any order is accepted, as LIBSVM
 * does; unknown, repeated and malformed fields are not.
 */
export class LibsvmHeader {
  /** Lines up to and including `SV`. */
  readonly lineCount: number
  private readonly file: string | undefined
  private readonly fields = new Map<
    LibsvmField,
    { readonly line: number; readonly words: readonly string[] }
  >()

  constructor(lines: readonly string[], file: string | undefined) {
    this.file = file
    const end = lines.findIndex((line) => line.trim() === 'SV')
    if (end < 0) throw new FormatError('the line SV, which ends the header, is missing', { file })
    this.lineCount = end + 1
    for (let i = 0; i < end; i++) {
      const [name, ...words] = lines[i].trim().split(/\s+/)
      const field = name as LibsvmField
      const position = { file, line: i + 1 }
      if (!fieldNames.includes(field)) throw new FormatError(`unknown header field ${show(name)}`, position)
      if (this.fields.has(field)) throw new FormatError(`${field} is given twice`, position)
      this.fields.set(field, { line: i + 1, words })
    }
  }

  has(field: LibsvmField): boolean {
    return this.fields.has(field)
  }

  /** How many values a field has; undefined when it is not there. */
  size(field: LibsvmField): number | undefined {
    return this.fields.get(field)?.words.length
  }

  /** The one value of a field that takes a word. */
  word<T extends string>(field: LibsvmField, allowed: readonly T[]): T {
    const [word] = this.words(field, 1)
    if (!allowed.includes(word as T)) {
      this.refuse(field, allowed.length === 1 ? allowed[0] : `one of ${allowed.join(', ')}`, word)
    }
    return word as T
  }

  /** The values of a field that takes real numbers. */
  reals(field: LibsvmField, count: number): number[] {
    return this.words(field, count).map((word) => {
      const value = numberFromText(word)
      if (!Number.isFinite(value)) this.refuse(field, 'a finite number', word)
      return value
    })
  }

  /** The values of a field that takes whole numbers, which LIBSVM reads into 32 bits. */
  wholes(field: LibsvmField, count: number, min: number): number[] {
    return this.words(field, count).map((word) => {
      const value = /^[+-]?\d+$/.test(word) ? Number(word) : Number.NaN
      if (!(value >= min && value < 2 ** 31)) {
        this.refuse(
          field,
          min < 0 ? 'a whole number of 32 bits' : `a whole number >= ${min} of 32 bits`,
          word,
        )
      }
      // + 0 makes 0 of -0.
      return value + 0
    })
  }

  /** Throws when a field is there that such a model does not have. */
  without(svmType: string, fields: readonly LibsvmField[]): void {
    for (const field of fields) {
      const line = this.fields.get(field)?.line
      if (line === undefined) continue
      throw new FormatError(`${field} does not belong to a model of ${svmType}`, { file: this.file, line })
    }
  }

  /** Throws the error that `field` is not what it must be. */
  refuse(field: LibsvmField, allowed: string, got: unknown): never {
    const line = this.fields.get(field)?.line
    throw new FormatError(`${field} must be ${allowed}, got ${show(got)}`, { file: this.file, line })
  }

  private words(field: LibsvmField, count: number): readonly string[] {
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
