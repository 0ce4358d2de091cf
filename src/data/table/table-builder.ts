/** Rows of cells become a data set: labels, weights, and columns of the kinds that were chosen or inferred. */
import { checkBoolean, checkKnown, checkNumber, checkOneOf } from '../../base/check.ts'
import { DataError, ParameterError, show } from '../../base/errors.ts'
import { Blocks } from '../matrix/column-blocks.ts'
import type { Matrix } from '../matrix/matrix.ts'
import { isNotFiniteText, numberFromText, numberProblem } from '../text/number-text.ts'
import {
  booleanCell,
  CellProblem,
  dateCell,
  isMissingCell,
  type NumberStyle,
  numberCell,
  numberInStyle,
  plainNumbers,
  textCell,
  vectorCell,
} from './cells.ts'
import type { Columns } from './columns.ts'
import type { Dataset, Label, VectorDataset } from './dataset.ts'
import { inferColumn } from './infer-column.ts'
import {
  type Column,
  type ColumnChoice,
  type ColumnKind,
  type ColumnSettings,
  columnKinds,
  dateFormats,
  dateParts,
  isMissingAt,
  missingCells,
  selectTableRows,
  type Table,
  unseenPolicies,
} from './table.ts'

/** What columns are, and how they become features. */
export interface TableOptions extends ColumnSettings {
  /** What columns are taken for, by name; the others are inferred. Settings beside this one hold for all columns. */
  readonly columns?: Readonly<Record<string, ColumnChoice>>
}

/** What a column was taken for. */
export interface ColumnReport {
  readonly name: string
  readonly kind: ColumnKind | 'ignored'
  /** Whether it was chosen, not inferred. */
  readonly chosen: boolean
  /** Why it is ignored, or what else was guessed. */
  readonly reason?: string
  readonly missing: number
}

/** Everything that was inferred about a table. */
export interface TableReport {
  readonly columns: readonly ColumnReport[]
  /** The column of the labels; undefined without any. */
  readonly label?: string
  /** Rows that were left out because a cell was missing (`fill: 'drop'`). */
  readonly dropped: number
  /** What was inferred about the text of a file, where that is not what every program writes: `decimal comma`. */
  readonly notes: readonly string[]
}

/**
 * A data set whose samples are the rows of a table: a matrix where all columns are numbers and none is missing, and a
 * {@link Table} otherwise.
 */
export type TableDataset = Omit<Dataset, 'samples'> & {
  readonly samples: Matrix | Table
  readonly report: TableReport
  /** The group of each sample, where a column says it (`groupColumn`). */
  readonly groups?: readonly string[]
  /** The time of each sample, dates in milliseconds since 1970, where a column says it (`timeColumn`). */
  readonly times?: Float64Array
}

/** Names of {@link TableOptions}. */
export const tableOptionNames = [
  ...['columns', 'fill', 'indicator', 'unseen', 'maxCategories', 'order', 'parts', 'dateFormat'],
  ...['vectorizer', 'analyzer', 'ngrams', 'maxFeatures'],
]

/** Throws a ParameterError unless the options can be used. */
export function checkTableOptions(who: string, options: TableOptions): void {
  const { columns = {}, ...settings } = options
  checkSettings(who, settings)
  if (typeof columns !== 'object' || columns === null || Array.isArray(columns)) {
    throw new ParameterError(who, 'columns', "an object such as { city: 'category' }", columns)
  }
  for (const [name, choice] of Object.entries(columns)) {
    const { kind, ...own } = settingsOf(choice)
    if (kind !== undefined || choice === undefined) {
      checkOneOf(who, `columns[${show(name)}]`, kind, [...columnKinds, 'ignored'])
    }
    checkKnown(`${who}: columns[${show(name)}]`, own, tableOptionNames)
    checkSettings(`${who}: columns[${show(name)}]`, own)
    if (kind === 'ordinal' && own.order === undefined && settings.order === undefined) {
      throw new ParameterError(
        who,
        `columns[${show(name)}].order`,
        'a list of values, the smallest first',
        undefined,
      )
    }
  }
}

function checkSettings(who: string, settings: ColumnSettings): void {
  const { fill, indicator, unseen, maxCategories, order, parts, dateFormat } = settings
  const { vectorizer, analyzer, ngrams, maxFeatures } = settings
  if (typeof fill !== 'object' || fill === null) {
    if (fill !== undefined) checkOneOf(who, 'fill', fill, ['median', 'most-frequent', 'drop'])
  } else if (typeof fill.value !== 'string') checkNumber(who, 'fill.value', fill.value)
  if (indicator !== undefined) checkBoolean(who, 'indicator', indicator)
  if (unseen !== undefined) checkOneOf(who, 'unseen', unseen, unseenPolicies)
  if (maxCategories !== undefined) checkNumber(who, 'maxCategories', maxCategories, { min: 1, integer: true })
  if (
    order !== undefined &&
    !(Array.isArray(order) && order.length > 0 && new Set(order).size === order.length)
  )
    throw new ParameterError(who, 'order', 'a list of different values', order)
  if (parts !== undefined) {
    if (!Array.isArray(parts) || parts.length === 0)
      throw new ParameterError(who, 'parts', `a list of some of ${dateParts.join(', ')}`, parts)
    for (const part of parts) checkOneOf(who, 'parts', part, dateParts)
  }
  if (dateFormat !== undefined) checkOneOf(who, 'dateFormat', dateFormat, dateFormats)
  if (vectorizer !== undefined) checkOneOf(who, 'vectorizer', vectorizer, ['tf-idf', 'hashing'])
  if (analyzer !== undefined) checkOneOf(who, 'analyzer', analyzer, ['word', 'char'])
  if (ngrams !== undefined) {
    if (!Array.isArray(ngrams) || ngrams.length !== 2)
      throw new ParameterError(who, 'ngrams', 'two numbers, the shortest and the longest run', ngrams)
    checkNumber(who, 'ngrams[0]', ngrams[0], { min: 1, max: 20, integer: true })
    checkNumber(who, 'ngrams[1]', ngrams[1], { min: ngrams[0], max: 20, integer: true })
  }
  if (maxFeatures !== undefined)
    checkNumber(who, 'maxFeatures', maxFeatures, { min: 1, max: 2 ** 26, integer: true })
}

function settingsOf(choice: ColumnChoice): ColumnSettings & { readonly kind?: ColumnKind | 'ignored' } {
  return typeof choice === 'object' && choice !== null ? choice : { kind: choice }
}

/** What {@link TableBuilder} takes. */
export interface TableBuilderOptions extends TableOptions {
  /** As in `CsvOptions`. */
  readonly labels?: 'auto' | 'number' | 'string'
  /** Whether cells have types: then labels that are texts stay texts, also those that look like numbers. */
  readonly isTyped?: boolean
  /** What columns that are not chosen are. Default 'inferred'; 'strict-numbers': numbers, none of them missing. */
  readonly others?: 'inferred' | 'ignored' | 'strict-numbers'
}

/** A cell that cannot be what its column is; where it is, its reader knows. */
export interface BadCell {
  /** Position of the column. */
  readonly column: number
  readonly words: string
}

/** Takes rows of cells in, once it is known from some of them what the columns are. */
export class TableBuilder {
  private readonly columns: Columns
  private readonly names: readonly string[]
  private readonly options: TableBuilderOptions
  private readonly style: NumberStyle
  private readonly features: (ColumnBuilder | StrictNumbers | undefined)[]
  private readonly reports: { name: string; kind: ColumnKind | 'ignored'; chosen: boolean; reason?: string }[]
  private readonly labels: LabelBuilder
  private readonly weights = new Blocks(Float64Array)
  private groups: string[] = []
  private readonly times = new Blocks(Float64Array)
  private count = 0
  private isMissingLabel: number[] = []

  /** `sample(k)` gives the cells of column k that are known so far. */
  constructor(
    columns: Columns,
    names: readonly string[],
    sample: (k: number) => readonly unknown[],
    options: TableBuilderOptions = {},
    style: NumberStyle = plainNumbers,
  ) {
    this.columns = columns
    this.names = names
    this.options = options
    this.style = style
    this.labels = new LabelBuilder(options.labels ?? 'auto', style, options.isTyped ?? false)
    const { columns: choices = {}, fill, indicator, unseen, maxCategories, parts, dateFormat } = options
    const { order, vectorizer, analyzer, ngrams, maxFeatures } = options
    const common = Object.fromEntries(
      Object.entries({
        ...{ fill, indicator, unseen, maxCategories, parts, dateFormat },
        ...{ order, vectorizer, analyzer, ngrams, maxFeatures },
      }).filter(([, value]) => value !== undefined),
    ) as ColumnSettings
    this.reports = []
    this.features = columns.features.map((k) => {
      const name = names[k]
      if (options.others === 'strict-numbers') return new StrictNumbers(name)
      const others = options.others === 'ignored' ? ({ kind: 'ignored' } as const) : undefined
      const choice = Object.hasOwn(choices, name) ? settingsOf(choices[name]) : others
      const isOpen =
        choice?.kind === undefined || (choice.kind === 'date' && !choice.dateFormat && !common.dateFormat)
      const inferred = isOpen ? inferColumn(name, sample(k), style) : undefined
      const kind = choice?.kind ?? (inferred?.kind as ColumnKind | 'ignored')
      const reason = choice?.kind && kind !== 'date' ? undefined : inferred?.reason
      this.reports.push({
        name,
        kind,
        chosen: choice?.kind !== undefined,
        ...(reason !== undefined && { reason }),
      })
      if (kind === 'ignored') return undefined
      const { kind: _, ...own } = { kind, ...inferredFormat(inferred), ...common, ...choice }
      return new ColumnBuilder(name, kind, own, style)
    })
  }

  /** Takes one row in; what is wrong with it is returned. */
  add(cells: ArrayLike<unknown>): BadCell | undefined {
    const { label, weight, group, time, features } = this.columns
    for (let j = 0; j < features.length; j++) {
      const cell = cells[features[j]]
      const words = this.features[j]?.add(cell)
      if (words !== undefined) return { column: features[j], words: words + this.hint(cell) }
    }
    if (weight !== undefined) {
      const value = numberCell(cells[weight], this.style)
      if (value instanceof CellProblem) return { column: weight, words: value.words }
      if (Number.isNaN(value)) return { column: weight, words: 'is missing' }
      if (value < 0) return { column: weight, words: `must be >= 0, got ${value}` }
      this.weights.push(value)
    }
    if (group !== undefined) {
      if (isMissingCell(cells[group])) return { column: group, words: 'is missing' }
      this.groups.push(String(cells[group]))
    }
    if (time !== undefined) {
      const value = this.timeOf(cells[time])
      if (value instanceof CellProblem) return { column: time, words: value.words }
      if (Number.isNaN(value)) return { column: time, words: 'is missing' }
      this.times.push(value)
    }
    if (label !== undefined) {
      const cell = cells[label]
      const mayLack = this.options.fill === 'drop'
      if (mayLack && isMissingCell(cell)) {
        this.isMissingLabel.push(this.count)
        this.labels.addNothing()
      } else {
        const words = this.labels.add(cell)
        if (words !== undefined) return { column: label, words }
      }
    }
    this.count++
    return undefined
  }

  /** Rows that the next {@link take} hands over. */
  get rows(): number {
    return this.count
  }

  /** Text for a number in the very first row: perhaps the labels are elsewhere. */
  private hint(cell: unknown): string {
    const isWord = typeof cell === 'string' && cell !== '' && !isNotFiniteText(cell)
    return this.count === 0 && isWord && this.options.others === 'strict-numbers'
      ? this.columns.labelHint()
      : ''
  }

  /** Hands over all rows so far, and goes on without them; those that lack a cell are left out where that was chosen. */
  take(notes: readonly string[] = []): TableDataset {
    const { columns, names, count: rows } = this
    const built = this.features.map((feature) => feature?.take())
    const reports = this.reports.map((one, j) => {
      const column = built[j]
      return { ...one, missing: column ? missingCells(column, rows) : 0 }
    })
    const table: Table = {
      kind: 'table',
      rows,
      columns: built.filter((column) => column !== undefined),
      ...(columns.label !== undefined && { label: names[columns.label] }),
    }
    const weights = columns.weight === undefined ? undefined : this.weights.join()
    const times = columns.time === undefined ? undefined : this.times.join()
    const { groups } = this
    this.groups = []
    const labels = columns.label === undefined ? new Float64Array(rows) : this.labels.take()
    const kept = this.keptRows(table)
    this.count = 0
    this.isMissingLabel = []
    const dropped = kept ? rows - kept.length : 0
    const chosen = kept ? selectTableRows(table, kept) : table
    const pick = <T extends Float64Array | readonly string[]>(list: T): T =>
      (kept ? Array.prototype.filter.call(list, (_, i) => isKept[i]) : list) as T
    const isKept = new Uint8Array(rows)
    for (const i of kept ?? []) isKept[i] = 1
    const own = pick(labels)
    const report: TableReport = {
      columns: reports,
      ...(columns.label !== undefined && { label: names[columns.label] }),
      ...{ dropped, notes },
    }
    return {
      ...asVectors(chosen, this.hasSettings, columns.featureNames !== undefined),
      labels: labels instanceof Float64Array ? Float64Array.from(own as Float64Array) : own,
      ...(weights && { weights: Float64Array.from(pick(weights)) }),
      ...(columns.group !== undefined && { groups: pick(groups) }),
      ...(times && { times: Float64Array.from(pick(times)) }),
      report,
    }
  }

  /** A number as it is, or a date. */
  private timeOf(cell: unknown): number | CellProblem {
    const value = cell instanceof Date ? new CellProblem('') : numberCell(cell, this.style)
    if (!(value instanceof CellProblem)) return value
    const date = dateCell(cell, this.options.dateFormat)
    const words = `must be a number or a date such as 2024-05-31, got ${show(cell)}`
    return date instanceof CellProblem ? new CellProblem(words) : date
  }

  /** The rows that are kept; undefined where all are. */
  private keptRows({ columns, rows }: Table): number[] | undefined {
    const strict = columns.filter(({ settings }) => settings.fill === 'drop')
    if (strict.length === 0 && this.isMissingLabel.length === 0) return undefined
    const unlabelled = new Set(this.isMissingLabel)
    const kept: number[] = []
    for (let i = 0; i < rows; i++) {
      if (!unlabelled.has(i) && !strict.some((column) => isMissingAt(column, i))) kept.push(i)
    }
    return kept.length === rows ? undefined : kept
  }

  /** Whether anything was said about how columns become features: then the model has to know. */
  private get hasSettings(): boolean {
    const { columns, fill, others = 'inferred' } = this.options
    if (others !== 'inferred') return false
    return columns !== undefined || this.options.indicator === true || (fill !== undefined && fill !== 'drop')
  }
}

/** What was read as numbers alone: vectors, and nothing that was inferred. */
export function vectorsOf({ report: _, ...dataset }: TableDataset): VectorDataset {
  return dataset as VectorDataset
}

/** A table of numbers alone, none missing, is a matrix: nothing has to be learned about its columns. */
function asVectors(
  table: Table,
  hasSettings: boolean,
  isNamed: boolean,
): { readonly samples: Matrix | Table; readonly featureNames?: readonly string[] } {
  const { columns, rows } = table
  const isPlain = columns.every(
    (column) => column.kind === 'number' && !(column.values as Float64Array).some(Number.isNaN),
  )
  if (!isPlain || hasSettings) {
    const names = columns.map(({ name }) => name)
    const twice = names.find((name, j) => names.indexOf(name) < j)
    if (twice !== undefined) throw new DataError(`more than one column is named ${show(twice)}`)
    return { samples: table }
  }
  const cols = columns.length
  const values = new Float64Array(rows * cols)
  columns.forEach((column, j) => {
    const own = column.values as Float64Array
    for (let i = 0; i < rows; i++) values[i * cols + j] = own[i]
  })
  return {
    samples: { kind: 'dense', rows, cols, values },
    ...(isNamed && { featureNames: columns.map(({ name }) => name) }),
  }
}

function inferredFormat(
  inferred: { readonly dateFormat?: ColumnSettings['dateFormat'] } | undefined,
): ColumnSettings {
  return inferred?.dateFormat ? { dateFormat: inferred.dateFormat } : {}
}

/** A column of numbers, none of which is missing, as they come in. */
class StrictNumbers {
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
    return numberCell(cell, this.style)
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
      return `must be ${width} numbers as in the rows before, got ${list.length}`
    }
    for (let k = 0; k < (width ?? 0); k++) this.numbers.push(list ? list[k] : Number.NaN)
    this.rows++
    return undefined
  }
}

/** Labels as they come in: the first one decides whether they are numbers or texts, unless that is said. */
class LabelBuilder {
  private readonly wanted: 'auto' | 'number' | 'string'
  private readonly style: NumberStyle
  private readonly keepsTexts: boolean
  private areNumbers: boolean | undefined
  private readonly numbers = new Blocks(Float64Array)
  private texts: string[] = []
  private readonly known = new Map<string, string>()

  constructor(wanted: 'auto' | 'number' | 'string', style: NumberStyle, isTyped: boolean) {
    this.wanted = wanted
    this.style = style
    this.keepsTexts = isTyped && wanted === 'auto'
    if (wanted !== 'auto') this.areNumbers = wanted === 'number'
  }

  add(cell: Label | unknown): string | undefined {
    if (cell === '' || cell === null || cell === undefined) return 'is missing'
    const isText = typeof cell === 'string'
    const value = isText ? (this.keepsTexts ? Number.NaN : numberInStyle(cell, this.style)) : numberCell(cell)
    if (this.wanted === 'string') return this.addText(String(cell))
    if (value instanceof CellProblem) return value.words
    const isNumber = Number.isFinite(value)
    this.areNumbers ??= isNumber || !isText || (!this.keepsTexts && isNotFiniteText(cell))
    if (this.areNumbers !== isNumber) {
      if (!isText) return `must be a finite number, got ${show(cell)}`
      return this.areNumbers
        ? numberProblem(cell)
        : `must be text as in the records before, got ${show(cell)}`
    }
    if (!isNumber) return this.addText(cell as string)
    this.numbers.push(value)
    return undefined
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
