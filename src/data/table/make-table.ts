import { checkKnown, checkOneOf } from '../../base/check.ts'
import { DataError, ParameterError } from '../../base/errors.ts'
import { checkWeights } from '../../base/weights.ts'
import { plainNumbers } from './cells.ts'
import { Columns } from './columns.ts'
import type { Label } from './dataset.ts'
import { MissingColumnError } from './missing-column-error.ts'
import { type Column, cellsOf } from './table.ts'
import { TableBuilder, type TableDataset } from './table-builder.ts'
import { checkTableOptions, type TableOptions, tableOptionNames } from './table-options.ts'
import { isTabular, type TableInput, type TableRecord, tabularOf } from './table-shapes.ts'

/** Options of {@link makeTable}. */
export interface MakeTableOptions extends TableOptions {
  /**
   * The labels: the name of their column, or one label per row. By default the column named label, class, target or y;
   * `false`: there are none, and every row gets label 0.
   */
  readonly label?: string | false | ArrayLike<Label>
  /** The sample weights: the name of their column, or one number per row. None by default. */
  readonly weight?: string | ArrayLike<number>
  /** `'auto'`, the default, lets the first label decide whether labels are numbers or text. */
  readonly labels?: 'auto' | 'number' | 'string'
}

/**
 * Creates a data set from anything with named columns: records, columns of arrays, tables of Arrow, Arquero, Polars or
 * DuckDB. `report` lists the kind of each column, and `columns` overrides it.
 *
 * @example
 * const data = makeTable([{ age: 29, city: 'Paris', left: 'no' }, { age: null, city: 'Rome', left: 'yes' }], { label: 'left' })
 */
export function makeTable(rows: TableInput, options: MakeTableOptions = {}): TableDataset {
  const who = 'makeTable'
  checkKnown(who, options, ['label', 'weight', 'labels', ...tableOptionNames])
  const { label, weight, labels = 'auto', ...settings } = options
  checkOneOf(who, 'labels', labels, ['auto', 'number', 'string'])
  checkTableOptions(who, settings)
  if (!isTabular(rows)) {
    throw new ParameterError(who, 'rows', 'records, columns by name or a table', rows)
  }
  const source = tabularOf(rows)
  if (source.rows === 0) throw new DataError(`${who}: there are no rows`)
  const given = typeof label === 'object' ? label : undefined
  if (given && given.length !== source.rows)
    throw new DataError(`${source.rows} samples but ${given.length} labels`)
  // Labels and weights that come beside the table stand in their own columns.
  const names = [...source.names]
  const extra: ArrayLike<unknown>[] = []
  const beside = (cells: ArrayLike<unknown>, name: string): number => {
    extra.push(cells)
    return names.push(name) - 1
  }
  const labelColumn = given ? beside(given, '') : (label as string | false | undefined)
  if (labelColumn === undefined && !names.some((name) => /^(label|class|target|y)$/i.test(name))) {
    const allowed = 'the name of a column, a label for each row, or false'
    throw new ParameterError(who, 'label', `is required: ${allowed} (the columns are ${names.join(', ')})`)
  }
  const weightColumn =
    typeof weight === 'object' ? beside(checkWeights(who, weight, source.rows), '') : weight
  const columns = new Columns(
    names,
    names.length,
    {
      ...(labelColumn !== undefined && { labelColumn }),
      ...(weightColumn !== undefined && { weightColumn }),
    },
    who,
  )
  const cells = names.map((name, k) => {
    const own = k < source.names.length ? source.column(name) : extra[k - source.names.length]
    return 'settings' in (own as object) ? cellsOf(own as Column, source.rows) : (own as ArrayLike<unknown>)
  })
  checkChoices(who, settings, names)
  const builder = new TableBuilder(
    columns,
    names,
    (k) => Array.from(cells[k]),
    { ...settings, labels, isTyped: true },
    plainNumbers,
  )
  const row: unknown[] = new Array(names.length)
  for (let i = 0; i < source.rows; i++) {
    for (let k = 0; k < cells.length; k++) row[k] = cells[k][i]
    const bad = builder.add(row)
    if (!bad) continue
    const title = bad.column === columns.label && given ? 'the label' : columns.title(bad.column)
    throw new DataError(`row ${i + 1}, ${title} ${bad.words}`)
  }
  return builder.take()
}

/** Like {@link makeTable}, for an async iterable of records or batches of records. */
export async function collectTable(
  rows: AsyncIterable<TableRecord | readonly TableRecord[]>,
  options: MakeTableOptions = {},
): Promise<TableDataset> {
  const all: TableRecord[] = []
  for await (const part of rows) {
    if (Array.isArray(part)) for (const record of part) all.push(record)
    else if (isTabular(part)) all.push(...recordsOf(part))
    else all.push(part as TableRecord)
  }
  if (all.length === 0) throw new DataError('collectTable: there are no rows')
  return makeTable(all, options)
}

/** Throws where a column that is chosen is not there: a misspelt name must not be ignored. */
export function checkChoices(who: string, { columns = {} }: TableOptions, names: readonly string[]): void {
  for (const name of Object.keys(columns)) {
    if (!names.includes(name)) throw new MissingColumnError(name, names, `${who}: `)
  }
}

function recordsOf(table: TableInput): TableRecord[] {
  const { rows, names, column } = tabularOf(table)
  const cells = names.map((name) => column(name) as ArrayLike<unknown>)
  return Array.from({ length: rows }, (_, i) =>
    Object.fromEntries(names.map((name, k) => [name, cells[k][i]])),
  )
}
