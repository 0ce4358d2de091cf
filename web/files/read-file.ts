/** Files of the user's as tables: with the readers of the library, and as their errors say. JSON records are made CSV first. */
import { parseDataset, type ReadOptions } from '../../src/index.browser.ts'
import { peekTable, type Table, type TableDataset } from '../../src/tables.ts'
import type { ColumnPick, FilePeek, TableChoices } from './file-messages.ts'
import { csvFromJson, looksLikeJson } from './json-records.ts'

/** A file as the readers take it. */
export interface FileSource {
  readonly name: string
  readonly bytes: Uint8Array
  readonly isJson: boolean
}

/** Rows that the preview shows. */
const SHOWN_ROWS = 6

/** Makes CSV of JSON, and leaves other files alone. */
export function sourceOf(name: string, bytes: Uint8Array): FileSource {
  const isJson = looksLikeJson(name, bytes)
  return { name, bytes: isJson ? csvFromJson(name, bytes) : bytes, isJson }
}

/** What the start of a file tells. */
export async function peekFile(
  source: FileSource,
  choices: TableChoices,
  rows = SHOWN_ROWS,
): Promise<FilePeek> {
  const {
    format,
    text,
    columns,
    label,
    rows: cells,
  } = await peekTable(source.bytes, { ...textOptions(source, choices), rows })
  const isNamed = text?.header !== false
  return {
    format: source.isJson ? 'json' : format,
    ...(text && !source.isJson && { text }),
    columns: columns.map(({ name, kind, reason }, k) => ({
      name,
      title: isNamed ? name || `column ${k + 1}` : `column ${k + 1}`,
      kind: kind as ColumnPick,
      ...(reason !== undefined && { reason }),
    })),
    ...labelPlace(choices, columns, label),
    rows: cells.map((row) => row.map(cellText)),
  }
}

function labelPlace(
  { label: chosen }: TableChoices,
  columns: readonly { readonly name: string }[],
  byDefault: number | undefined,
): Pick<FilePeek, 'label'> {
  const place = typeof chosen === 'string' ? columns.findIndex(({ name }) => name === chosen) : chosen
  const label = place !== undefined && place >= 0 && place < columns.length ? place : byDefault
  return label === undefined ? {} : { label }
}

/** Reads all of a file. */
export function readFile(
  source: FileSource,
  choices: TableChoices,
  options: Pick<ReadOptions, 'signal' | 'onProgress'>,
): Promise<TableDataset> {
  const { label, columns = {}, missing } = choices
  const kinds = Object.fromEntries(
    Object.entries(columns).map(([name, pick]) => [
      name,
      pick === 'dmy' || pick === 'mdy' ? ({ kind: 'date', dateFormat: pick } as const) : pick,
    ]),
  )
  return parseDataset(source.bytes, {
    ...options,
    ...textOptions(source, choices),
    ...(label !== undefined && { labelColumn: label }),
    ...(Object.keys(kinds).length > 0 && { columns: kinds }),
    ...(missing && { fill: missing }),
  })
}

/** Reads the rows of another file as a model knows its columns; labels are not looked for. */
export function readForModel(
  source: FileSource,
  match: NonNullable<ReadOptions['match']>,
  labelColumn?: number,
): Promise<TableDataset> {
  const asked = labelColumn === undefined ? { match: { ...match, labels: false } } : { labelColumn }
  return parseDataset(source.bytes, { ...textOptions(source, {}), ...asked })
}

function textOptions(
  { name, isJson }: FileSource,
  { encoding, delimiter, decimal, header }: TableChoices,
): Pick<ReadOptions, 'name' | 'format' | 'encoding' | 'delimiter' | 'decimal' | 'header'> {
  if (isJson) return { name, format: 'csv', encoding: 'utf-8', delimiter: ',', decimal: '.', header: true }
  return {
    name,
    ...(encoding && { encoding }),
    ...(delimiter && { delimiter }),
    ...(decimal && { decimal }),
    ...(header !== undefined && { header }),
  }
}

/** A cell as text. */
function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date) return cell.toISOString().replace(/T00:00:00\.000Z$/, '')
  if (typeof cell !== 'object') return String(cell)
  // Structures of Parquet are not read.
  return Array.isArray(cell) || ArrayBuffer.isView(cell) ? `[${cell}]` : '…'
}

/** Whether samples are rows of a table, whose columns have to be prepared. */
export function isTable(samples: TableDataset['samples']): samples is Table {
  return samples.kind === 'table'
}
