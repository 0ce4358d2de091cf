/**
 * Encoders: what training rows say about a column, as plain data that is saved in the model. What they learn is what
 * scikit-learn's SimpleImputer, OneHotEncoder, OrdinalEncoder, TfidfVectorizer and HashingVectorizer learn, so that
 * features are equal.
 */
import { DataError, show } from '../../base/errors.ts'
import type {
  Column,
  ColumnSettings,
  DateFormat,
  DatePart,
  Fill,
  NumberColumn,
  TextColumn,
  Unseen,
} from '../table/table.ts'
import { termCounts } from './text-terms.ts'

/** The value that replaces a missing cell, and how it was computed. */
export interface FilledWith<T extends number | string> {
  readonly value: T
  readonly by: 'median' | 'most-frequent' | 'constant'
}

interface AnyEncoder {
  /** Name of the column. */
  readonly name: string
  /** Number of missing cells in the training data. */
  readonly missing: number
  /** Whether there is a feature for missing cells; it comes last. */
  readonly indicator?: true
}

/** A number, or a truth value as 0 or 1: one feature. Without `fill` a missing cell is an error. */
export interface NumberEncoder extends AnyEncoder {
  readonly kind: 'number' | 'boolean'
  /** The unit of the numbers; numbers without it are accepted too. */
  readonly unit?: string
  readonly fill?: FilledWith<number>
}

/** A date: one feature per part. */
export interface DateEncoder extends AnyEncoder {
  readonly kind: 'date'
  readonly parts: readonly DatePart[]
  readonly format: DateFormat
  /** Milliseconds since 1970. */
  readonly fill?: FilledWith<number>
}

/** A category: one feature per value in the training data, 1 if the cell has that value. */
export interface CategoryEncoder extends AnyEncoder {
  readonly kind: 'category'
  /** Ascending. */
  readonly categories: readonly string[]
  readonly unseen: Unseen
  readonly mostFrequent: string
  /** Number of values in the training data that have no feature because there were too many. */
  readonly rare?: number
  readonly fill?: FilledWith<string>
}

/** Ordered values: one feature, the position in the order, from 0. */
export interface OrdinalEncoder extends AnyEncoder {
  readonly kind: 'ordinal'
  readonly order: readonly string[]
  readonly unseen: Unseen
  readonly fill?: FilledWith<string>
}

/** A text: one feature per term or hash value; each text has length 1, or 0 where it has no term. Missing is empty. */
export interface TextEncoder extends AnyEncoder {
  readonly kind: 'text'
  readonly vectorizer: 'tf-idf' | 'hashing'
  readonly analyzer: 'word' | 'char'
  readonly ngrams: readonly [min: number, max: number]
  /** Features with hashing. */
  readonly buckets?: number
  /** The terms, ascending, and 1 + ln((1 + n) / (1 + texts that have the term)) of each; of tf-idf. */
  readonly terms?: readonly string[]
  readonly idf?: readonly number[]
}

/** A list of numbers: as many features. */
export interface VectorEncoder extends AnyEncoder {
  readonly kind: 'vector'
  readonly width: number
}

/** What is known about a column. */
export type ColumnEncoder =
  | NumberEncoder
  | DateEncoder
  | CategoryEncoder
  | OrdinalEncoder
  | TextEncoder
  | VectorEncoder

/** More values than this are an id or text rather than a category: each costs a feature, and a weight in the model. */
const MAX_CATEGORIES = 1000
/** Vocabularies of a few thousand texts fit; a term takes about 20 bytes of the model's file. */
const MAX_TERMS = 20_000
/** Two of 1000 terms share a bucket with 0.8 %; a linear model keeps a weight for each, half a megabyte. */
const HASH_BUCKETS = 2 ** 16

/** Learns what there is to know about a column from its cells. */
export function fitEncoder(column: Column): ColumnEncoder {
  const { name, settings } = column
  const common = (missing: number) => ({
    name,
    missing,
    ...(settings.indicator && { indicator: true as const }),
  })
  switch (column.kind) {
    case 'number':
    case 'boolean': {
      const present = presentNumbers(column)
      const missing = column.values.length - present.length
      const { unit } = settings
      return {
        ...{ ...common(missing), kind: column.kind },
        ...(unit !== undefined && column.kind === 'number' && { unit }),
        ...numberFill(column, present),
      }
    }
    case 'date': {
      const present = presentNumbers(column)
      const { parts = ['epoch'], dateFormat: format = 'ymd' } = settings
      const fill = numberFill(column, present)
      return { ...common(column.values.length - present.length), kind: 'date', parts, format, ...fill }
    }
    case 'category':
      return fitCategory(column, common)
    case 'ordinal':
      return fitOrdinal(column, common)
    case 'text':
      return fitText(column, common)
    case 'vector': {
      const rows = column.width === 0 ? 0 : column.values.length / column.width
      const bad = Array.from({ length: rows }, (_, i) => i).find((i) =>
        Number.isNaN(column.values[i * column.width]),
      )
      if (bad !== undefined) {
        throw new DataError(
          `row ${bad + 1}, column ${show(name)} is missing; lists of numbers cannot be filled`,
        )
      }
      return { name, missing: 0, kind: 'vector', width: column.width }
    }
  }
}

type Common = (missing: number) => { name: string; missing: number; indicator?: true }

function fitCategory({ values, settings }: TextColumn, common: Common): CategoryEncoder {
  const { unseen = 'ignore', maxCategories = MAX_CATEGORIES } = settings
  const counts = countTexts(values)
  const fill = textFill(settings.fill, counts)
  const missing = values.length - sumOf(counts)
  // What missing cells become is a category, too.
  if (fill?.fill && missing > 0) add(counts, fill.fill.value, missing)
  const byCount = Array.from(counts).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  const categories = byCount
    .slice(0, maxCategories)
    .map(([text]) => text)
    .sort()
  // As above: nothing is learned from such a column, and nothing fails.
  if (categories.length === 0) {
    const nothing = { categories: [''], mostFrequent: '', fill: { value: '', by: 'constant' as const } }
    return { ...common(missing), kind: 'category', unseen, ...nothing }
  }
  const rare = counts.size - categories.length
  return {
    ...common(missing),
    kind: 'category',
    categories,
    unseen,
    mostFrequent: byCount[0][0],
    ...(rare > 0 && { rare }),
    ...fill,
  }
}

function fitOrdinal({ name, values, settings }: TextColumn, common: Common): OrdinalEncoder {
  const { order = [], unseen = 'ignore' } = settings
  const counts = countTexts(values)
  const missing = values.length - sumOf(counts)
  for (const text of counts.keys()) {
    if (order.includes(text)) continue
    if (unseen === 'error') {
      throw new DataError(`column ${show(name)} must be one of ${order.join(', ')}, got ${show(text)}`)
    }
    counts.delete(text)
  }
  const fill = textFill(settings.fill, counts)
  if (fill?.fill && !order.includes(fill.fill.value)) {
    throw new DataError(
      `column ${show(name)} cannot be filled with ${show(fill.fill.value)}, only with ${order.join(', ')}`,
    )
  }
  return { ...common(missing), kind: 'ordinal', order, unseen, ...fill }
}

function fitText({ values, settings }: TextColumn, common: Common): TextEncoder {
  const { vectorizer = 'tf-idf', analyzer = 'word', ngrams = [1, 1], maxFeatures } = settings
  const missing = values.filter((text) => text === null).length
  const own = { ...common(missing), kind: 'text' as const, vectorizer, analyzer, ngrams }
  if (vectorizer === 'hashing') return { ...own, buckets: maxFeatures ?? HASH_BUCKETS }
  const texts = new Map<string, number>()
  const occurrences = new Map<string, number>()
  for (const text of values) {
    for (const [term, count] of termCounts(text ?? '', own)) {
      add(texts, term, 1)
      add(occurrences, term, count)
    }
  }
  const terms = Array.from(occurrences)
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, maxFeatures ?? MAX_TERMS)
    .map(([term]) => term)
    .sort()
  const idf = terms.map((term) => Math.log((1 + values.length) / (1 + (texts.get(term) as number))) + 1)
  return { ...own, terms, idf }
}

function presentNumbers({ values }: NumberColumn): Float64Array {
  return values.filter((value) => !Number.isNaN(value))
}

/** What fills a column of numbers; nothing where its rows are dropped. */
function numberFill({ kind, settings }: NumberColumn, present: Float64Array): { fill?: FilledWith<number> } {
  const { fill = kind === 'boolean' ? 'most-frequent' : 'median' } = settings
  if (fill === 'drop') return {}
  if (typeof fill === 'object') {
    const value = Number(fill.value)
    // A text for categories, given for all columns, leaves numbers to their median.
    if (fill.value !== '' && Number.isFinite(value) && kind !== 'date')
      return { fill: { value, by: 'constant' } }
  }
  // A fold may have none of the few values of a column: then it says nothing, whatever stands there.
  if (present.length === 0) return { fill: { value: 0, by: 'constant' } }
  const by = fill === 'most-frequent' || kind === 'boolean' ? 'most-frequent' : 'median'
  return { fill: { value: by === 'median' ? medianOf(present) : mostFrequentOf(present), by } }
}

/** What fills a column of texts; nothing where its rows are dropped. */
function textFill(
  fill: Fill | undefined,
  counts: ReadonlyMap<string, number>,
): { fill?: FilledWith<string> } {
  if (fill === 'drop') return {}
  if (typeof fill === 'object') return { fill: { value: String(fill.value), by: 'constant' } }
  const value = mostFrequentText(counts)
  return value === undefined ? {} : { fill: { value, by: 'most-frequent' } }
}

/** The middle value, or the mean of the two. */
function medianOf(values: Float64Array): number {
  const sorted = values.slice().sort()
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** The value that occurs most often; the smallest of several. */
function mostFrequentOf(values: Float64Array): number {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return Array.from(counts).reduce((best, next) =>
    next[1] > best[1] || (next[1] === best[1] && next[0] < best[0]) ? next : best,
  )[0]
}

function mostFrequentText(counts: ReadonlyMap<string, number>): string | undefined {
  let best: string | undefined
  for (const [text, count] of counts) {
    const most = best === undefined ? -1 : (counts.get(best) as number)
    if (count > most || (count === most && text < (best as string))) best = text
  }
  return best
}

function countTexts(values: readonly (string | null)[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of values) if (text !== null) add(counts, text, 1)
  return counts
}

function add(counts: Map<string, number>, text: string, count: number): void {
  counts.set(text, (counts.get(text) ?? 0) + count)
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const count of counts.values()) sum += count
  return sum
}

/** The settings with which a table made for a fitted encoder is read: the same cells, whatever is inferred otherwise. */
export function settingsOfEncoder(encoder: ColumnEncoder): ColumnSettings {
  return encoder.kind === 'date'
    ? { dateFormat: encoder.format }
    : encoder.kind === 'ordinal'
      ? { order: encoder.order }
      : encoder.kind === 'number' && encoder.unit !== undefined
        ? { unit: encoder.unit }
        : {}
}
