/** Cells of tables: what a value of a file, a record or an Arrow column is as a number, a truth value, a date or a text. */
import { show } from '../../base/errors.ts'
import { isNotFiniteText, numberFromText, textFromNumber } from '../text/number-text.ts'
import { bareNumber } from './number-unit.ts'
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

/** What else stands where a number or a date is missing: strokes, words, and errors of spreadsheets. Among other texts these may mean something. */
const gapTexts = new Set([
  ...['-', '--', '---', '\u2013', '\u2014', '.', '..', '...', 'n.a.', 'N.A.', 'k.A.', 'k. A.', 'missing'],
  ...['unknown', 'none', '#DIV/0!', '#VALUE!', '#REF!', '#NUM!', '#NAME?', '#NULL!'],
])

/** Words for false and true; a column keeps to one pair. */
export const truthWords = [
  ['false', 'true'],
  ['no', 'yes'],
  ['nein', 'ja'],
  ['non', 'oui'],
  ['no', 'si'],
  ['no', 'sí'],
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

/** Whether a cell says that a number or a date is missing, in a way that among other texts could mean something. */
export function isGap(cell: unknown): boolean {
  return typeof cell === 'string' && gapTexts.has(cell.trim())
}

/** The number that a text is in a style, perhaps with a unit; NaN when it is none, infinite when it is too large. */
export function numberInText(text: string, style: NumberStyle, unit?: string): number {
  const value = numberInStyle(text, style)
  return Number.isNaN(value) ? numberInStyle(bareNumber(text, unit), style) : value
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
export function numberCell(
  cell: unknown,
  style: NumberStyle = plainNumbers,
  unit?: string,
): number | CellProblem {
  if (isMissingCell(cell) || isGap(cell)) return Number.NaN
  const value = rawNumber(cell, style, unit)
  if (Number.isFinite(value)) return value
  const exact = typeof cell === 'bigint' ? ' that a double can hold exactly' : ''
  const isInfinite = typeof cell === 'number' || (typeof cell === 'string' && isNotFiniteText(cell))
  const got = typeof cell === 'bigint' ? String(cell) : show(cell)
  const measured = unit === undefined ? '' : ` in ${unit}`
  return new CellProblem(`must be a ${isInfinite ? 'finite ' : ''}number${measured}${exact}, got ${got}`)
}

function rawNumber(cell: unknown, style: NumberStyle, unit?: string): number {
  if (typeof cell === 'number') return cell
  if (typeof cell === 'string') return numberInText(cell.trim(), style, unit)
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
const time =
  /(?:(?:[T ]|, )\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([AaPp])?(?:\.?[Mm]\.?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?/
    .source
const yearFirst = new RegExp(`^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})${time}$`)
/** A year of two digits needs strokes, or days and months of two: 1.2.10 is a version. */
const yearLast = new RegExp(
  `^(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4}|(?<=^\\d{1,2}/\\d{1,2}/|^\\d\\d[-.]\\d\\d[-.])\\d{2})${time}$`,
)
/** Months by name, in English and German: 5 Jan 2024, 5-Jan-24, 5. Januar 2024, and Jan 5, 2024. */
const dayThenMonth = new RegExp(
  `^(\\d{1,2})(?:st|nd|rd|th)?\\.?[- ]?(\\p{L}{3,9})\\.?[-, ]*(\\d{4}|\\d{2})${time}$`,
  'u',
)
const monthThenDay = new RegExp(`^(\\p{L}{3,9})\\.? (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})${time}$`, 'u')
const months = [
  ...['january januar', 'february februar', 'march märz mrz', 'april', 'may mai', 'june juni', 'july juli'],
  ...['august', 'september', 'october oktober', 'november', 'december dezember'],
].map((names) => names.split(' '))

/** A cell as milliseconds since 1970, in UTC unless it says otherwise; NaN where it is missing. */
export function dateCell(cell: unknown, format: DateFormat = 'ymd'): number | CellProblem {
  if (isMissingCell(cell) || isGap(cell)) return Number.NaN
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

/** Milliseconds since 1970 of a date written as text; NaN where it is none. The order does not matter where the month has a name. */
export function dateFromText(text: string, format: DateFormat): number {
  const found = dateParts(text, format)
  if (!found) return Number.NaN
  const { year, month, day, clock } = found
  const [hour = '0', minute = '0', sec = '0', fraction = '', half, zone] = clock
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const isReal = month >= 1 && month <= 12 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  if (!isReal || Number(hour) > 23 || Number(minute) > 59 || Number(sec) > 59) return Number.NaN
  // 12 AM is midnight, and 12 PM is noon.
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0)
  if (half !== undefined && (Number(hour) < 1 || Number(hour) > 12)) return Number.NaN
  const within = (hours * 60 + Number(minute)) * MS_PER_MINUTE + Number(`${sec}.${fraction}`) * 1000
  return date.getTime() + within - zoneMinutes(zone) * MS_PER_MINUTE
}

interface DateParts {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly clock: readonly (string | undefined)[]
}

function dateParts(text: string, format: DateFormat): DateParts | undefined {
  const found = (format === 'ymd' ? yearFirst : yearLast).exec(text)
  if (found) {
    const [, first, , second, third, ...clock] = found
    const order = { ymd: [first, second, third], dmy: [third, second, first], mdy: [third, first, second] }
    const [year, month, day] = order[format]
    return { year: yearOf(year), month: Number(month), day: Number(day), clock }
  }
  const named = dayThenMonth.exec(text)
  const [, day, name, year, ...clock] = named ?? swapped(monthThenDay.exec(text)) ?? []
  if (day === undefined) return undefined
  return { year: yearOf(year), month: monthOf(name), day: Number(day), clock }
}

function swapped(found: RegExpExecArray | null): string[] | undefined {
  return found ? [found[0], found[2], found[1], ...found.slice(3)] : undefined
}

/** From its name, or the first three letters of it; 0 of no month. */
function monthOf(name: string): number {
  const word = name.toLowerCase()
  return 1 + months.findIndex((names) => names.some((one) => one === word || one.slice(0, 3) === word))
}

/** Two digits mean 1969 to 2068, as in POSIX. */
function yearOf(text: string): number {
  const year = Number(text)
  return text.length > 2 ? year : year + (year < 69 ? 2000 : 1900)
}

function zoneMinutes(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z' || zone === 'UTC') return 0
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
