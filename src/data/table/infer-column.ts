/**
 * What a column is taken for when nobody says: by its cells, and by its name where that tells an id. Every rule can be
 * overruled by a {@link ColumnChoice}, and what was decided is part of the result ({@link InferredColumn}).
 */

import { isNotFiniteText } from '../text/number-text.ts'
import {
  dateFromText,
  isGap,
  isMissingCell,
  listOf,
  type NumberStyle,
  numberInText,
  plainNumbers,
  truthWords,
} from './cells.ts'
import { bareNumber, unitOf } from './number-unit.ts'
import { optionWords } from './option-words.ts'
import type { ColumnKind, ColumnSettings, DateFormat } from './table.ts'

/** What a column is taken for. */
export interface InferredColumn {
  readonly kind: ColumnKind | 'ignored'
  /** What the cells say about how they are written, or what to make of them. */
  readonly settings?: Pick<ColumnSettings, 'dateFormat' | 'unit' | 'indicator'>
  /** Why the column is ignored, or what else there is to say. */
  readonly reason?: string
}

/** Texts of so many words, in the mean, are text rather than names of something: a name and a surname are two. */
const WORDS_OF_TEXT = 3
/** A run of characters with a letter in it: phone numbers are no text. */
const word = /[^\s\p{L}]*\p{L}\S*/gu
/** So few different values are categories, however few rows there are. */
const FEW_VALUES = 20
/** Names of columns that number rows: id, user_id, PassengerId, uuid, and what pandas and R call their row numbers. */
const idName = /^(|index|rownames|unnamed: \d+)$|(^|[^a-z])(id|uuid|guid)$/i
const idAfterWord = /[a-z](Id|ID)$/

/** Decides by the cells of a column; numbers that are written as text are in the style given. */
export function inferColumn(name: string, cells: readonly unknown[], style: NumberStyle): InferredColumn {
  const present = cells.filter((cell) => !isMissingCell(cell))
  if (present.length === 0) return { kind: 'ignored', reason: 'it has no values' }
  const found = ofPresent(name, present, style)
  const isMark = present.length < cells.length && present.every((cell) => cell === present[0])
  if (!isMark || (found.kind !== 'category' && found.kind !== 'number')) return found
  // A cross or nothing: all there is to know is whether it is there.
  return {
    ...found,
    settings: { ...found.settings, indicator: true },
    reason: 'at most one value: the feature is whether the cell is missing',
  }
}

function ofPresent(name: string, present: readonly unknown[], style: NumberStyle): InferredColumn {
  if (present.every((cell) => typeof cell === 'boolean')) return { kind: 'boolean' }
  if (present.every((cell) => cell instanceof Date || isTimestamp(cell))) return { kind: 'date' }
  if (present.every(isNumber)) return numbers(name, present)
  if (present.every((cell) => typeof cell === 'string')) return ofTexts(name, present as string[], style)
  const vectors = inferVectors(present)
  if (vectors) return vectors
  const odd = present.find((cell) => typeof cell === 'object' && listOf(cell) === undefined)
  if (odd !== undefined) return { kind: 'ignored', reason: 'its cells are objects' }
  return categories(name, present.map(String))
}

/** Lists of the same number of numbers are vectors; other lists are ignored. Undefined where not all are lists. */
function inferVectors(cells: readonly unknown[]): InferredColumn | undefined {
  let width: number | undefined
  let reason: string | undefined
  for (const cell of cells) {
    const list = listOf(cell)
    if (!list) return undefined
    width ??= list.length
    if (list.length !== width)
      reason ??= `its lists have different lengths, such as ${width} and ${list.length}`
    if (list.length > 0 && list.every(Number.isNaN)) reason ??= 'its lists do not contain numbers'
  }
  return reason === undefined ? { kind: 'vector' } : { kind: 'ignored', reason }
}

function ofTexts(name: string, texts: readonly string[], style: NumberStyle): InferredColumn {
  const words = texts.map((text) => text.toLowerCase())
  const isTruth = truthWords.some((pair) => words.every((word) => (pair as readonly string[]).includes(word)))
  if (isTruth && !texts.every((text) => isNumberText(text, style))) return { kind: 'boolean' }
  const measured = texts.filter((text) => !isGap(text))
  const found =
    measured.length === 0 ? undefined : (inferNumbers(name, measured, style) ?? inferDate(measured))
  if (!found) return categories(name, texts)
  const gap = texts.find(isGap)
  if (gap === undefined) return found
  const missing = `"${gap}" counts as missing`
  return { ...found, reason: found.reason === undefined ? missing : `${found.reason}; ${missing}` }
}

/** Numbers, where all texts are, with one unit or none; codes such as 01099 are names. */
function inferNumbers(
  name: string,
  texts: readonly string[],
  style: NumberStyle,
): InferredColumn | undefined {
  const unit = isNumberText(texts[0], style) ? undefined : unitOf(texts)
  if (!texts.every((text) => isNumberText(text, style, unit))) return undefined
  if (texts.every((text) => /^\d+$/.test(text)) && texts.some((text) => /^0\d/.test(text))) {
    const codes = categories(name, texts)
    if (codes.kind === 'category') return { ...codes, reason: 'digits with leading zeros are codes' }
  }
  const found = numbers(
    name,
    texts.map((text) => numberInText(text, style, unit)),
  )
  if (found.kind === 'ignored') return found
  if (texts.some(isInexact))
    return { ...found, reason: `${INEXACT} (${optionWords.current.ids} if they are ids)` }
  return unit === undefined ? found : { ...found, settings: { unit }, reason: `in ${unit}` }
}

/** What is said of numbers that {@link isInexact} finds. */
export const INEXACT = 'whole numbers beyond 2^53 are rounded'

/** Whether a cell is a whole number that no double is equal to, for all its digits. */
export function isInexact(cell: unknown): boolean {
  return typeof cell === 'string' && /^[+-]?\d{16,308}$/.test(cell) && BigInt(cell) !== BigInt(Number(cell))
}

/** Whether a text is a number, if only one that is too large or infinite: that is an error, not a category. */
function isNumberText(text: string, style: NumberStyle, unit?: string): boolean {
  return !Number.isNaN(numberInText(text, style, unit)) || isNotFiniteText(text)
}

function numbers(name: string, values: readonly unknown[]): InferredColumn {
  const isId = isIdName(name) && values.every((value) => Number.isInteger(Number(value)))
  return isId && areDifferent(values)
    ? { kind: 'ignored', reason: `an id: ${values.length} different whole numbers` }
    : { kind: 'number' }
}

/** Dates, where all texts are dates in one order of day, month and year. */
function inferDate(texts: readonly string[]): InferredColumn | undefined {
  const fits = (format: DateFormat) => texts.every((text) => Number.isFinite(dateFromText(text, format)))
  if (fits('ymd')) return { kind: 'date', settings: { dateFormat: 'ymd' } }
  const [dayFirst, monthFirst] = [fits('dmy'), fits('mdy')]
  if (!dayFirst && !monthFirst) return undefined
  // Points are written where the day comes first; strokes alone leave it open, and most programs then mean the month.
  const dateFormat = dayFirst && (!monthFirst || texts[0].includes('.')) ? 'dmy' : 'mdy'
  const open = dayFirst && monthFirst ? { reason: 'the order of day and month is a guess' } : {}
  return { kind: 'date', settings: { dateFormat }, ...open }
}

function categories(name: string, texts: readonly string[]): InferredColumn {
  const different = new Set(texts).size
  const { length } = texts
  if (isIdName(name) && different === length && length > 1) {
    return { kind: 'ignored', reason: `an id: ${length} different values` }
  }
  const words = texts.reduce((sum, text) => sum + (text.match(word)?.length ?? 0), 0) / length
  if (words >= WORDS_OF_TEXT && different > length / 2) return { kind: 'text' }
  if (different <= FEW_VALUES || different <= length / 2) return { kind: 'category' }
  return {
    kind: 'ignored',
    reason: `${different} different values in ${length} rows are too many for categories`,
  }
}

function isIdName(name: string): boolean {
  return idName.test(name) || idAfterWord.test(name)
}

function areDifferent(values: readonly unknown[]): boolean {
  return values.length > 1 && new Set(values).size === values.length
}

function isNumber(cell: unknown): boolean {
  if (typeof cell === 'number' || typeof cell === 'bigint') return true
  const { value, scale } = Object(cell) as { value?: unknown; scale?: unknown }
  return typeof value === 'bigint' && typeof scale === 'number'
}

function isTimestamp(cell: unknown): boolean {
  const { micros, days } = Object(cell) as { micros?: unknown; days?: unknown }
  return typeof cell === 'object' && (typeof micros === 'bigint' || typeof days === 'number')
}

/**
 * How numbers are written in columns of text: with a decimal comma where that makes numbers of columns that are none
 * otherwise, and with marks between groups of three digits.
 */
export function inferNumberStyle(
  columns: readonly (readonly string[])[],
  delimiter: string,
  chosen?: '.' | ',',
): NumberStyle {
  const present = columns.map((texts) => {
    const known = texts.filter((text) => !isMissingCell(text) && !isGap(text))
    if (known.every(isDigits)) return known
    const unit = unitOf(known)
    return known.map((text) => bareNumber(text, unit))
  })
  const candidates = present.filter(
    (texts) => texts.length > 0 && texts.every(isDigits) && texts.some(isMarked),
  )
  if (candidates.length === 0) return { decimal: chosen ?? '.', thousands: '' }
  const commas = candidates.flat().filter((text) => text.includes(','))
  // 1,5 or 1.234,56 has a decimal comma; 1,234 alone could be both, and is decimal where commas do not part fields.
  const isDecimal = commas.some((text) => /,\d*$/.test(text) && !/,\d{3}$/.test(text) && !/,.*,/.test(text))
  const isGrouped = commas.some((text) => /,.*,|,.*\./.test(text))
  const afterPoint = commas.some((text) => /\..*,/.test(text))
  // 3.14 in another column says that points are decimal.
  const hasPoint = present.some(
    (texts) =>
      texts.every((text) => isNumberText(text, plainNumbers)) &&
      texts.some((text) => /\.\d*$/.test(text) && !/\.\d{3}$/.test(text)),
  )
  const isComma = !hasPoint && (isDecimal || (!isGrouped && delimiter !== ','))
  const decimal = chosen ?? (commas.length > 0 && (afterPoint || isComma) ? ',' : '.')
  const style = (thousands: NumberStyle['thousands']): NumberStyle => ({ decimal, thousands })
  const marks = ([',', '.', ' ', "'"] as const).filter((mark) => mark !== decimal)
  const works = (one: NumberStyle) =>
    candidates.filter((texts) => texts.every((text) => isNumberText(text, one))).length
  return (['', ...marks] as const)
    .map(style)
    .reduce((best, next) => (works(next) > works(best) ? next : best))
}

/** Digits with signs and marks: what a number can look like in some style. */
function isDigits(text: string): boolean {
  return /^[+-]?\d[\d.,' \u00a0\u202f]*(e[+-]?\d+)?$/i.test(text)
}

function isMarked(text: string): boolean {
  return /[,' \u00a0\u202f]|\..*\./.test(text)
}
