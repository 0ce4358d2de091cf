/** Cells of one column become numbers or texts as they come in. */
import { Blocks } from '../matrix/column-blocks.ts'
import { numberFromText, numberProblem } from '../text/number-text.ts'
import {
  booleanCell,
  CellProblem,
  dateCell,
  type NumberStyle,
  numberCell,
  numberInStyle,
  plainNumbers,
  textCell,
  vectorCell,
} from './cells.ts'
import type { Column, ColumnKind, ColumnSettings } from './table.ts'

/** A column of numbers, none of which is missing, as they come in. */
export class StrictNumbers {
  private readonly name: string
  private readonly numbers = new Blocks(Float64Array)

  constructor(name: string) {
    this.name = name
  }

  /** Takes a cell in; what is wrong with it is returned. */
  add(cell: unknown): string | undefined {
    if (cell === null || cell === undefined) return 'is missing'
    const value = typeof cell === 'string' ? numberFromText(cell) : numberCell(cell)
    if (typeof value === 'number' && Number.isFinite(value)) {
      this.numbers.push(value)
      return undefined
    }
    if (typeof cell === 'string') return numberProblem(cell)
    return value instanceof CellProblem ? value.words : `must be a finite number, got ${cell}`
  }

  take(): Column {
    return { name: this.name, kind: 'number', settings: {}, values: this.numbers.join() }
  }
}

/** The cells of one column as they come in. */
export class ColumnBuilder {
  private readonly name: string
  private readonly kind: ColumnKind
  private readonly settings: ColumnSettings
  private readonly style: NumberStyle
  private readonly numbers = new Blocks(Float64Array)
  private texts: (string | null)[] = []
  /** One copy of each category: cells of a file are parts of its text, which they would keep in memory. */
  private readonly known = new Map<string, string>()
  private width: number | undefined
  private rows = 0

  constructor(name: string, kind: ColumnKind, settings: ColumnSettings, style: NumberStyle = plainNumbers) {
    this.name = name
    this.kind = kind
    this.settings = settings
    this.style = style
  }

  /** Takes a cell in; what is wrong with it is returned. */
  add(cell: unknown): string | undefined {
    if (this.kind === 'number' && typeof cell === 'string') {
      // Most cells are numbers: these need no further look.
      const value = numberInStyle(cell, this.style)
      if (Number.isFinite(value)) {
        this.numbers.push(value)
        return undefined
      }
    }
    if (this.kind === 'vector') return this.addVector(cell)
    const isText = this.kind === 'category' || this.kind === 'ordinal' || this.kind === 'text'
    const value = isText ? textCell(cell) : this.numberOf(cell)
    if (value instanceof CellProblem) return value.words
    if (isText) this.texts.push(value === null ? null : this.shared(value as string))
    else this.numbers.push(value as number)
    return undefined
  }

  take(): Column {
    const { name, kind, settings, texts: values } = this
    this.rows = 0
    if (kind === 'vector')
      return { name, kind, settings, width: this.width ?? 0, values: this.numbers.join() }
    if (kind === 'number' || kind === 'boolean' || kind === 'date') {
      return { name, kind, settings, values: this.numbers.join() }
    }
    this.texts = []
    return { name, kind, settings, values }
  }

  private numberOf(cell: unknown): number | CellProblem {
    if (this.kind === 'boolean') return booleanCell(cell)
    if (this.kind === 'date') return dateCell(cell, this.settings.dateFormat)
    return numberCell(cell, this.style, this.settings.unit)
  }

  private shared(text: string): string {
    if (this.kind === 'text') return text
    const known = this.known.get(text)
    if (known !== undefined) return known
    this.known.set(text, text)
    return text
  }

  private addVector(cell: unknown): string | undefined {
    const list = vectorCell(cell)
    if (list instanceof CellProblem) return list.words
    if (list !== undefined && this.width === undefined) {
      this.width = list.length
      // The rows so far had nothing.
      for (let k = 0; k < this.rows * list.length; k++) this.numbers.push(Number.NaN)
    }
    const { width } = this
    if (list !== undefined && list.length !== width) {
      return `must be ${width} numbers as in the previous rows, got ${list.length}`
    }
    for (let k = 0; k < (width ?? 0); k++) this.numbers.push(list ? list[k] : Number.NaN)
    this.rows++
    return undefined
  }
}
