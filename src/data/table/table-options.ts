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

type Check = (who: string, value: unknown, name: string) => void
const oneOf =
  (allowed: readonly string[]): Check =>
  (who, value, name) =>
    checkOneOf(who, name, value, allowed)
const whole =
  (max?: number): Check =>
  (who, value, name) =>
    checkNumber(who, name, value, { min: 1, integer: true, ...(max !== undefined && { max }) })

/** The settings of columns, and what each may be. */
const settingChecks: Readonly<Record<keyof ColumnSettings, Check>> = {
  fill(who, fill) {
    if (typeof fill !== 'object' || fill === null) {
      checkOneOf(who, 'fill', fill, ['median', 'most-frequent', 'drop'])
    } else if (typeof (fill as { value?: unknown }).value !== 'string') {
      checkNumber(who, 'fill.value', (fill as { value?: unknown }).value)
    }
  },
  indicator: (who, value, name) => checkBoolean(who, name, value),
  unseen: oneOf(unseenPolicies),
  maxCategories: whole(),
  order(who, order) {
    const isList = Array.isArray(order) && order.length > 0 && new Set(order).size === order.length
    if (!isList) throw new ParameterError(who, 'order', 'a list of different values', order)
  },
  unit(who, unit) {
    if (typeof unit !== 'string') throw new ParameterError(who, 'unit', 'a string such as kg', unit)
  },
  parts(who, parts) {
    if (!Array.isArray(parts) || parts.length === 0)
      throw new ParameterError(who, 'parts', `a list of some of ${dateParts.join(', ')}`, parts)
    for (const part of parts) checkOneOf(who, 'parts', part, dateParts)
  },
  dateFormat: oneOf(dateFormats),
  vectorizer: oneOf(['tf-idf', 'hashing']),
  analyzer: oneOf(['word', 'char']),
  ngrams(who, ngrams) {
    if (!Array.isArray(ngrams) || ngrams.length !== 2)
      throw new ParameterError(who, 'ngrams', 'two numbers, the shortest and the longest length', ngrams)
    checkNumber(who, 'ngrams[0]', ngrams[0], { min: 1, max: 20, integer: true })
    checkNumber(who, 'ngrams[1]', ngrams[1], { min: ngrams[0], max: 20, integer: true })
  },
  maxFeatures: whole(2 ** 26),
}
const settingNames = Object.keys(settingChecks) as (keyof ColumnSettings)[]

/** Names of {@link TableOptions}. */
export const tableOptionNames: readonly string[] = ['columns', ...settingNames]

/** The settings of columns that options give. */
export function givenSettings(options: ColumnSettings): ColumnSettings {
  const given = settingNames.filter((name) => options[name] !== undefined)
  return Object.fromEntries(given.map((name) => [name, options[name]]))
}

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
  for (const [name, value] of Object.entries(givenSettings(settings))) {
    settingChecks[name as keyof ColumnSettings](who, value, name)
  }
}

/** A choice that names a kind alone, as settings. */
export function settingsOf(
  choice: ColumnChoice,
): ColumnSettings & { readonly kind?: ColumnKind | 'ignored' } {
  return typeof choice === 'object' && choice !== null ? choice : { kind: choice }
}
