import { show } from '../../base/errors.ts'
import { Blocks } from '../matrix/column-blocks.ts'
import { isNotFiniteText, numberProblem } from '../text/number-text.ts'
import { CellProblem, type NumberStyle, numberCell, numberInStyle, numberInText } from './cells.ts'
import type { Label } from './dataset.ts'

/** Labels as they come in: the first one decides whether they are numbers or texts, unless that is said. */
export class LabelBuilder {
  private readonly wanted: 'auto' | 'number' | 'string'
  private readonly style: NumberStyle
  private readonly unit: string | undefined
  private readonly keepsTexts: boolean
  private areNumbers: boolean | undefined
  private readonly numbers = new Blocks(Float64Array)
  private texts: string[] = []
  private readonly known = new Map<string, string>()

  constructor(
    wanted: 'auto' | 'number' | 'string',
    style: NumberStyle,
    isTyped: boolean,
    unit: string | undefined,
  ) {
    this.wanted = wanted
    this.unit = unit
    this.style = style
    this.keepsTexts = isTyped && wanted === 'auto'
    if (wanted !== 'auto') this.areNumbers = wanted === 'number'
  }

  add(cell: Label | unknown): string | undefined {
    if (cell === '' || cell === null || cell === undefined) return 'is missing'
    const isText = typeof cell === 'string'
    const value = isText ? (this.keepsTexts ? Number.NaN : this.numberIn(cell)) : numberCell(cell)
    if (this.wanted === 'string') return this.addText(String(cell))
    if (value instanceof CellProblem) return value.words
    const isNumber = Number.isFinite(value)
    this.areNumbers ??= isNumber || !isText || (!this.keepsTexts && isNotFiniteText(cell))
    if (this.areNumbers !== isNumber) {
      if (!isText) return `must be a finite number, got ${show(cell)}`
      return this.areNumbers
        ? numberProblem(cell)
        : `must be text as in the previous records, got ${show(cell)}`
    }
    if (!isNumber) return this.addText(cell as string)
    this.numbers.push(value)
    return undefined
  }

  private numberIn(text: string): number {
    const { style, unit } = this
    return unit === undefined ? numberInStyle(text, style) : numberInText(text, style, unit)
  }

  /** Holds the place of a row that will be left out. */
  addNothing(): void {
    this.numbers.push(0)
    this.texts.push('')
  }

  take(): Float64Array | string[] {
    const { texts } = this
    this.texts = []
    const numbers = this.numbers.join()
    return this.areNumbers === false ? texts : numbers
  }

  private addText(text: string): undefined {
    const known = this.known.get(text) ?? text
    this.known.set(text, known)
    this.texts.push(known)
    return undefined
  }
}
