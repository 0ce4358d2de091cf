/** Cells of tables: what a value of a file, a record or an Arrow column is as a number, a truth value, a date or a text. */
import { show } from '../../base/errors.ts'
import { isNotFiniteText, numberFromText, textFromNumber } from '../text/number-text.ts'
import type { DateFormat } from './table.ts'

/** How numbers are written: the decimal mark, and what groups of three digits are set apart by, if anything. */
export interface NumberStyle {
  readonly decimal: '.' | ','
  readonly thousands: '' | ',' | '.' | ' ' | "'"
}

/** As programs write numbers. */
export const plainNumbers: NumberStyle = { decimal: '.', thousands: '' }

/** What is wrong with a cell, in words that follow the name of its column: "must be a number, got …". */
export class CellProblem {
  readonly words: string

  constructor(words: string) {
    this.words = words
  }
}

/** What pandas' read_csv takes for a missing value, and the question mark of the UCI repository. */
const missingTexts = new Set([
  ...['', '?', '#N/A', '#N/A N/A', '#NA', '-1.#IND', '-1.#QNAN', '-NaN', '-nan', '1.#IND', '1.#QNAN', '<NA>'],
  ...['N/A', 'NA', 'NULL', 'NaN', 'None', 'n/a', 'nan', 'null'],
])

/** Words for false and true; a column keeps to one pair. */
export const truthWords = [
  ['false', 'true'],
  ['no', 'yes'],
  ['n', 'y'],
  ['f', 't'],
  ['off', 'on'],
  ['0', '1'],
] as const

/** Whether a cell holds nothing: null, undefined, NaN, or a text that stands for that. */
export function isMissingCell(cell: unknown): boolean {
  if (cell === null || cell === undefined) return true
  if (typeof cell === 'string') return missingTexts.has(cell) || missingTexts.has(cell.trim())
  if (cell instanceof Date) return Number.isNaN(cell.getTime())
  return typeof cell === 'number' && Number.isNaN(cell)
}

/** The number that a text is in a style; NaN when it is none, infinite when it is too large. */
export function numberInStyle(text: string, style: NumberStyle): number {
  const { decimal, thousands } = style
  if (decimal === '.' && thousands === '') return numberFromText(text)
  const plain = thousands === '' ? text : withoutGroups(text, style)
  if (decimal === '.') return numberFromText(plain)
  // What a decimal comma leaves alone is no number with a point.
  return plain.includes('.') ? Number.NaN : numberFromText(plain.replace(',', '.'))
}

/** The text without the marks between groups of three digits; as it is where they are not such groups. */
function withoutGroups(text: string, { decimal, thousands }: NumberStyle): string {
  const isSpace = thousands === ' '
  const spaced = isSpace ? text.replace(/[\u00a0\u202f]/g, ' ') : text
  if (!spaced.includes(thousands)) return spaced
  const [whole, ...rest] = spaced.split(decimal)
  const groups = whole.split(thousands)
  const isGrouped =
    /^[+-]?\d{1,3}$/.test(groups[0]) && groups.slice(1).every((group) => /^\d{3}$/.test(group))
  return isGrouped ? [groups.join(''), ...rest].join(decimal) : spaced
}

/** A cell as a number; NaN where it is missing. */
export function numberCell(cell: unknown, style: NumberStyle = plainNumbers): number | CellProblem {
  if (isMissingCell(cell)) return Number.NaN
  const value = rawNumber(cell, style)
  if (Number.isFinite(value)) return value
  const exact = typeof cell === 'bigint' ? ' that a double can hold exactly' : ''
  const isInfinite = typeof cell === 'number' || (typeof cell === 'string' && isNotFiniteText(cell))
  const got = typeof cell === 'bigint' ? String(cell) : show(cell)
  return new CellProblem(`must be a ${isInfinite ? 'finite ' : ''}number${exact}, got ${got}`)
}

function rawNumber(cell: unknown, style: NumberStyle): number {
  if (typeof cell === 'number') return cell
  if (typeof cell === 'string') return numberInStyle(cell.trim(), style)
  if (typeof cell === 'boolean') return Number(cell)
  if (typeof cell === 'bigint') return BigInt(Number(cell)) === cell ? Number(cell) : Number.NaN
  if (cell instanceof Date) return cell.getTime()
  const { value, scale } = (cell ?? {}) as { value?: unknown; scale?: unknown }
  // A decimal of DuckDB.
  if (typeof value === 'bigint' && typeof scale === 'number') return numberFromText(`${value}e-${scale}`)
  return Number.NaN
}

/** A cell as 0 or 1; NaN where it is missing. */
export function booleanCell(cell: unknown): number | CellProblem {
  if (isMissingCell(cell)) return Number.NaN
  const word = String(cell).trim().toLowerCase()
  const pair = truthWords.find((words) => (words as readonly string[]).includes(word))
  if (!pair) return new CellProblem(`must be true or false (yes or no, 1 or 0), got ${show(cell)}`)
  return word === pair[1] ? 1 : 0
}

/** A cell as text; null where it is missing. */
export function textCell(cell: unknown): string | null | CellProblem {
  if (isMissingCell(cell)) return null
  if (typeof cell === 'string') return cell
  if (typeof cell === 'number') return textFromNumber(cell)
  if (typeof cell === 'boolean' || typeof cell === 'bigint') return String(cell)
  if (cell instanceof Date) return cell.toISOString()
  return new CellProblem(`must be a text, got ${show(cell)}`)
}

/** Milliseconds of a day. */
export const MS_PER_DAY = 86_400_000
const MS_PER_MINUTE = 60_000
const time = /(?:[T ]\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?/.source
const yearFirst = new RegExp(`^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})${time}$`)
const yearLast = new RegExp(`^(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4})${time}$`)

/** A cell as milliseconds since 1970, in UTC unless it says otherwise; NaN where it is missing. */
export function dateCell(cell: unknown, format: DateFormat = 'ymd'): number | CellProblem {
  if (isMissingCell(cell)) return Number.NaN
  const ms = rawDate(cell, format)
  if (Number.isFinite(ms)) return ms
  const example = { ymd: '2024-05-31', dmy: '31.05.2024', mdy: '05/31/2024' }[format]
  return new CellProblem(`must be a date such as ${example}, got ${show(cell)}`)
}

function rawDate(cell: unknown, format: DateFormat): number {
  if (cell instanceof Date) return cell.getTime()
  if (typeof cell === 'number') return cell
  if (typeof cell === 'bigint') return Number(cell)
  if (typeof cell === 'string') return dateFromText(cell.trim(), format)
  // Timestamps and dates of DuckDB.
  const { micros, days } = (cell ?? {}) as { micros?: unknown; days?: unknown }
  if (typeof micros === 'bigint') return Number(micros) / 1000
  return typeof days === 'number' ? days * MS_PER_DAY : Number.NaN
}

/** Milliseconds since 1970 of a date written as text; NaN where it is none. */
export function dateFromText(text: string, format: DateFormat): number {
  const found = (format === 'ymd' ? yearFirst : yearLast).exec(text)
  if (!found) return Number.NaN
  const [, first, , second, third, ...clock] = found
  const [year, month, day] = (
    format === 'ymd'
      ? [first, second, third]
      : format === 'dmy'
        ? [third, second, first]
        : [third, first, second]
  ).map(Number)
  const [hour = '0', minute = '0', sec = '0', fraction = '', zone] = clock
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const isReal = month >= 1 && month <= 12 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  if (!isReal || Number(hour) > 23 || Number(minute) > 59 || Number(sec) > 59) return Number.NaN
  const within = (Number(hour) * 60 + Number(minute)) * MS_PER_MINUTE + Number(`${sec}.${fraction}`) * 1000
  return date.getTime() + within - zoneMinutes(zone) * MS_PER_MINUTE
}

function zoneMinutes(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return zone.startsWith('-') ? -minutes : minutes
}

/** A cell as a list of numbers; undefined where it is missing. */
export function vectorCell(cell: unknown): ArrayLike<number> | undefined | CellProblem {
  if (isMissingCell(cell)) return undefined
  const list = listOf(cell)
  if (!list) return new CellProblem(`must be a list of numbers, got ${show(cell)}`)
  const bad = list.findIndex((value) => !Number.isFinite(value))
  if (bad >= 0) return new CellProblem(`must be a list of finite numbers, got ${list[bad]} among them`)
  return list
}

/** The numbers of anything that is a list; undefined of what is none. */
export function listOf(cell: unknown): number[] | undefined {
  if (typeof cell !== 'object' || cell === null || cell instanceof Date) return undefined
  const { length, items } = cell as { length?: unknown; items?: unknown }
  // Lists of DuckDB have their items inside.
  if (Array.isArray(items)) return items.map(itemNumber)
  if (Array.isArray(cell) || ArrayBuffer.isView(cell))
    return Array.from(cell as ArrayLike<unknown>, itemNumber)
  const iterable = cell as Partial<Iterable<unknown>>
  if (typeof length !== 'number' || typeof iterable[Symbol.iterator] !== 'function') return undefined
  return Array.from(iterable as Iterable<unknown>, itemNumber)
}

/** An item of a list; NaN of what is no number, and of nothing. */
function itemNumber(item: unknown): number {
  return typeof item === 'number'
    ? item
    : typeof item === 'string'
      ? Number.NaN
      : rawNumber(item, plainNumbers)
}
