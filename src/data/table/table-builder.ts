/** Rows of cells become a data set: labels, weights, and columns of the kinds that were chosen or inferred. */

import { DataError, show } from '../../base/errors.ts'
import { Blocks } from '../matrix/column-blocks.ts'
import type { Matrix } from '../matrix/matrix.ts'
import { isNotFiniteText } from '../text/number-text.ts'
import { CellProblem, dateCell, isMissingCell, type NumberStyle, numberCell, plainNumbers } from './cells.ts'
import { ColumnBuilder, StrictNumbers } from './column-builder.ts'
import type { Columns } from './columns.ts'
import type { Dataset, VectorDataset } from './dataset.ts'
import { INEXACT, inferColumn, isInexact } from './infer-column.ts'
import { LabelBuilder } from './label-builder.ts'
import { unitOf } from './number-unit.ts'
import { optionWords } from './option-words.ts'
import { type ColumnKind, isMissingAt, missingCells, selectTableRows, type Table } from './table.ts'
import { givenSettings, settingsOf, type TableOptions } from './table-options.ts'

/** The inferred or chosen kind of a column. */
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
  /** Number of rows that were left out because a cell was missing (`fill: 'drop'`). */
  readonly dropped: number
  /** Unusual properties of the text that were inferred, such as a decimal comma. */
  readonly notes: readonly string[]
}

/**
 * A data set whose samples are the rows of a table: a matrix where all columns are numbers and none is missing, and a
 * {@link Table} otherwise.
 */
export type TableDataset = Omit<Dataset, 'samples'> & {
  readonly samples: Matrix | Table
  readonly report: TableReport
}

/** Options of {@link TableBuilder}. */
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
  private readonly labelUnit: string | undefined
  private readonly labelNotes: readonly string[]
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
    const labels = columns.label === undefined || options.isTyped ? [] : sample(columns.label)
    this.labelUnit = unitOf(labels.filter((cell) => !isMissingCell(cell)) as string[])
    const guess = columns.labelGuess()
    this.labelNotes = [
      ...(guess === undefined || options.others === 'ignored' ? [] : [guess]),
      ...(this.labelUnit === undefined ? [] : [`labels are numbers in ${this.labelUnit}`]),
      ...(options.labels !== 'string' && labels.some(isInexact) ? [`labels: ${INEXACT}`] : []),
    ]
    this.labels = new LabelBuilder(options.labels ?? 'auto', style, options.isTyped ?? false, this.labelUnit)
    const { columns: choices = {} } = options
    const common = givenSettings(options)
    this.reports = []
    this.features = columns.features.map((k) => {
      const name = names[k]
      if (options.others === 'strict-numbers') return new StrictNumbers(name)
      const others = options.others === 'ignored' ? ({ kind: 'ignored' } as const) : undefined
      const choice = Object.hasOwn(choices, name) ? settingsOf(choices[name]) : others
      const inferred = isOpen(choice, options) ? inferColumn(name, sample(k), style) : undefined
      const kind = choice?.kind ?? (inferred?.kind as ColumnKind | 'ignored')
      const reason = inferred?.kind === kind ? inferred.reason : undefined
      this.reports.push({
        name,
        kind,
        chosen: choice?.kind !== undefined,
        ...(reason !== undefined && { reason }),
      })
      if (kind === 'ignored') return undefined
      const found = inferred?.kind === kind ? inferred.settings : {}
      const { kind: _, ...own } = { kind, ...found, ...common, ...choice }
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
        if (words !== undefined) return { column: label, words: words + this.dropHint(cell) }
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

  /** What to do about a label that is missing, where rows can be left out. */
  private dropHint(cell: unknown): string {
    const { others = 'inferred' } = this.options
    return isMissingCell(cell) && others === 'inferred'
      ? `; use ${optionWords.current.drop} to leave out such rows`
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
      dropped,
      notes: [...notes, ...this.labelNotes],
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

/** A table of numbers alone, none missing, is a matrix: its columns need no preparation. */
function asVectors(
  table: Table,
  hasSettings: boolean,
  isNamed: boolean,
): { readonly samples: Matrix | Table; readonly featureNames?: readonly string[] } {
  const { columns, rows } = table
  const isPlain = columns.every(
    ({ kind, settings, values }) =>
      kind === 'number' && settings.unit === undefined && !(values as Float64Array).some(Number.isNaN),
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

/** Whether cells say something about a column that was not chosen: its kind, the order of its dates, the unit of its numbers. */
function isOpen(choice: ReturnType<typeof settingsOf> | undefined, options: TableBuilderOptions): boolean {
  const { kind, dateFormat = options.dateFormat, unit = options.unit } = choice ?? {}
  // What a model knows is not decided again.
  if (options.others === 'ignored') return kind === undefined
  return kind === undefined || (kind === 'date' && !dateFormat) || (kind === 'number' && unit === undefined)
}
