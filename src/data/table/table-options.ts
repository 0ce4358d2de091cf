/** Options that say what the columns of a table are, and their check. */
import { checkBoolean, checkKnown, checkNumber, checkOneOf } from '../../base/check.ts'
import { ParameterError, show } from '../../base/errors.ts'
import {
  type ColumnChoice,
  type ColumnKind,
  type ColumnSettings,
  columnKinds,
  dateFormats,
  dateParts,
  unseenPolicies,
} from './table.ts'

/** What columns are, and how they become features. */
export interface TableOptions extends ColumnSettings {
  /** Kinds of columns by name; the others are inferred. The other options apply to all columns. */
  readonly columns?: Readonly<Record<string, ColumnChoice>>
}

/** Names of {@link TableOptions}. */
export const tableOptionNames = [
  ...['columns', 'fill', 'indicator', 'unseen', 'maxCategories', 'order', 'unit', 'parts', 'dateFormat'],
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
  const { fill, indicator, unseen, maxCategories, order, unit, parts, dateFormat } = settings
  const { vectorizer, analyzer, ngrams, maxFeatures } = settings
  if (typeof fill !== 'object' || fill === null) {
    if (fill !== undefined) checkOneOf(who, 'fill', fill, ['median', 'most-frequent', 'drop'])
  } else if (typeof fill.value !== 'string') checkNumber(who, 'fill.value', fill.value)
  if (indicator !== undefined) checkBoolean(who, 'indicator', indicator)
  if (unit !== undefined && typeof unit !== 'string')
    throw new ParameterError(who, 'unit', 'a string such as kg', unit)
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
      throw new ParameterError(who, 'ngrams', 'two numbers, the shortest and the longest length', ngrams)
    checkNumber(who, 'ngrams[0]', ngrams[0], { min: 1, max: 20, integer: true })
    checkNumber(who, 'ngrams[1]', ngrams[1], { min: ngrams[0], max: 20, integer: true })
  }
  if (maxFeatures !== undefined)
    checkNumber(who, 'maxFeatures', maxFeatures, { min: 1, max: 2 ** 26, integer: true })
}

/** A choice that names a kind alone, as settings. */
export function settingsOf(
  choice: ColumnChoice,
): ColumnSettings & { readonly kind?: ColumnKind | 'ignored' } {
  return typeof choice === 'object' && choice !== null ? choice : { kind: choice }
}
