/** What was inferred about a table, and what its columns become, in lines for people. */
import type { ColumnPreparation } from '../../data/preparation/column-preparation.ts'
import { describePreparation } from '../../data/preparation/describe-preparation.ts'
import { isTable } from '../../data/table/table.ts'
import type { ColumnReport, TableDataset } from '../../data/table/table-builder.ts'
import { counted } from '../report/output.ts'

/** How many columns are listed for people. */
const MOST_LISTED = 60

/** Whether there is something to say of the columns one by one: of numbers there is not. */
function areInferred({ samples, report: { columns, dropped } }: TableDataset): boolean {
  const isNews = columns.some(({ kind, reason }) => kind === 'ignored' || reason !== undefined)
  return isTable(samples) || dropped > 0 || isNews
}

/**
 * What was guessed, where the labels are, and, unless all are numbers, the columns one by one with how a model prepares them where there
 * is one. Nothing for LIBSVM data.
 */
export function tableLines(dataset: TableDataset, preparation?: ColumnPreparation): string[] {
  const { columns, label, dropped, notes } = dataset.report
  const start = [...notes, ...(label === undefined ? [] : [`${label}: label`])]
  if (!areInferred(dataset)) return start
  const learned = new Map(
    preparation ? describePreparation(preparation).map((line, k) => [preparation.columns[k].name, line]) : [],
  )
  const lines = columns.map((column) => {
    const line = learned.get(column.name)
    if (line === undefined) return columnWords(column)
    // The unit is in the line already.
    const isNews = column.reason !== undefined && !line.includes(column.reason)
    return isNews ? `${line} (${column.reason})` : line
  })
  const left = lines.length - MOST_LISTED
  return [
    ...start,
    ...lines.slice(0, MOST_LISTED),
    ...(left > 0 ? [`… and ${counted(left, 'column')} more (--json lists them)`] : []),
    ...(dropped > 0 ? [`${counted(dropped, 'row')} with missing cells left out`] : []),
  ]
}

/** The same as facts for JSON. */
export function tableFacts(dataset: TableDataset): object {
  return areInferred(dataset) || dataset.report.notes.length > 0 ? { table: dataset.report } : {}
}

function columnWords({ name, kind, reason, missing }: ColumnReport): string {
  const why = reason === undefined ? '' : ` (${reason})`
  return `${name || '(no name)'}: ${kind}${why}${missing > 0 ? `, ${missing} missing` : ''}`
}
