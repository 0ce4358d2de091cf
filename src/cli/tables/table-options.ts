/** What the columns of a table are, and how its text is written. */
import type { ReadOptions } from '../../data/files/parse-dataset.ts'
import {
  type ColumnChoice,
  type ColumnKind,
  dateFormats,
  dateParts,
  type Fill,
  unseenPolicies,
} from '../../data/table/table.ts'
import { textEncodings } from '../../data/text/text-encoding.ts'
import {
  choiceOption,
  defined,
  type Flags,
  negatable,
  type OptionSpec,
  switchOption,
} from '../options/options.ts'

/** How the text of a table is written. */
export const tableTextOptions = {
  delimiter: parsed<string>({
    value: 'character',
    help: 'character between the fields of CSV, or tab (default: detected from the first lines)',
    allowed: 'one character, or tab',
    read: (text: string) => (text === 'tab' || text === '\\t' ? '\t' : text.length === 1 ? text : undefined),
  }),
  decimal: choiceOption(
    ['.', ','],
    'decimal mark of the numbers in CSV (default: detected from the first rows)',
    'mark',
  ),
  encoding: choiceOption(textEncodings, 'encoding of CSV text (default: detected from the first bytes)'),
  header: negatable(
    switchOption(
      'the first line of CSV contains the column names (default: if it clearly differs from the data)',
    ),
    'the first line of CSV is data',
  ),
}

/** What columns are taken for. */
export const columnOptions = {
  category: columnsOption('categorical columns, one feature per value'),
  text: columnsOption('text columns'),
  date: columnsOption('date columns'),
  boolean: columnsOption('columns of true or false'),
  number: columnsOption('numeric columns'),
  ordinal: parsed<Readonly<Record<string, readonly string[]>>>({
    value: 'column=values',
    help: 'column with ordered values, smallest first, such as size=S,M,L; may be repeated',
    allowed: 'COLUMN=VALUE,VALUE,…',
    read: readOrder,
    join: (before, own) => ({ ...before, ...own }),
  }),
  ignore: columnsOption('columns to leave out'),
  fill: parsed<FillFlag>({
    value: 'how',
    help: 'how to fill missing cells: median, most-frequent, a value, or drop (leave out such rows); COLUMN=HOW for one column; may be repeated (default: the median of numbers, the most frequent category)',
    allowed: 'median, most-frequent, drop or a value, or COLUMN=HOW',
    read: readFill,
    join: (before, own) => ({ all: own.all ?? before.all, columns: { ...before.columns, ...own.columns } }),
  }),
  indicator: switchOption('add one feature per column that says whether the cell was missing'),
  unseen: choiceOption(
    unseenPolicies,
    'how to treat categories that are not in the training data (default ignore: no feature is set)',
    'policy',
  ),
  dateParts: parsed<readonly (typeof dateParts)[number][]>({
    value: 'parts',
    help: `features made from a date, comma-separated (default epoch, days since 1970): ${dateParts.join(', ')}`,
    allowed: `some of ${dateParts.join(', ')}`,
    read: (text: string) => {
      const parts = text.split(',').map((part) => dateParts.find((one) => one === part.trim()))
      return parts.every((part) => part !== undefined) ? parts : undefined
    },
  }),
  dateFormat: choiceOption(
    dateFormats,
    'order of day, month and year (default: inferred from the cells)',
    'order',
  ),
  vectorizer: choiceOption(['tf-idf', 'hashing'], 'how to count terms (default tf-idf)'),
  analyzer: choiceOption(['word', 'char'], 'unit that text is split into (default word)', 'unit'),
  ngrams: parsed<readonly [number, number]>({
    value: 'min,max',
    help: 'shortest and longest sequence of words or characters to count (default 1,1)',
    allowed: 'two whole numbers such as 1,2',
    read: (text: string): readonly [number, number] | undefined => {
      const found = /^(\d+)(?:,(\d+))?$/.exec(text)
      return found ? [Number(found[1]), Number(found[2] ?? found[1])] : undefined
    },
  }),
  textFeatures: parsed<number>({
    value: 'number',
    help: 'maximum number of features of a text column (default 20000, or 65536 with hashing)',
    allowed: 'a whole number >= 1',
    read: (text: string) => (/^[1-9]\d*$/.test(text) ? Number(text) : undefined),
  }),
  ...tableTextOptions,
}

interface FillFlag {
  readonly all?: Fill | undefined
  readonly columns: Readonly<Record<string, Fill>>
}

/** The flags of these options. */
export type TableFlags = Partial<Flags<typeof columnOptions>>

/** What the flags say about columns. */
export function tableOptionsFrom(flags: TableFlags): Partial<ReadOptions> {
  const { delimiter, decimal, encoding, header, fill, indicator, unseen } = flags
  const { dateParts: parts, dateFormat, vectorizer, analyzer, ngrams, textFeatures: maxFeatures } = flags
  const kinds = ['category', 'text', 'date', 'boolean', 'number'] as const
  const columns: Record<string, ColumnChoice> = {}
  for (const kind of kinds) for (const name of flags[kind] ?? []) columns[name] = kind satisfies ColumnKind
  for (const [name, order] of Object.entries(flags.ordinal ?? {})) columns[name] = { kind: 'ordinal', order }
  for (const name of flags.ignore ?? []) columns[name] = 'ignored'
  for (const [name, own] of Object.entries(fill?.columns ?? {})) {
    const choice = columns[name] ?? {}
    columns[name] = { ...(typeof choice === 'string' ? { kind: choice } : choice), fill: own }
  }
  return defined({
    ...{ delimiter, decimal, encoding, header, indicator, unseen, parts, dateFormat },
    ...{ vectorizer, analyzer, ngrams, maxFeatures },
    fill: fill?.all,
    columns: Object.keys(columns).length > 0 ? columns : undefined,
  }) as Partial<ReadOptions>
}

/** An option that has its own reader. */
function parsed<T>(option: OptionSpec<T>): OptionSpec<T> {
  return option
}

/** An option that names columns; it may be given again. */
function columnsOption(help: string): OptionSpec<readonly string[]> {
  return {
    value: 'columns',
    help: `${help}, comma-separated`,
    allowed: 'names of columns',
    read: (text) => {
      const names = text.split(',').map((name) => name.trim())
      return names.includes('') ? undefined : names
    },
    join: (before, own) => [...before, ...own],
  }
}

function readOrder(text: string): Readonly<Record<string, readonly string[]>> | undefined {
  const at = text.indexOf('=')
  const values = text
    .slice(at + 1)
    .split(',')
    .map((value) => value.trim())
  return at > 0 && !values.includes('') ? { [text.slice(0, at)]: values } : undefined
}

function readFill(text: string): FillFlag {
  const at = text.indexOf('=')
  if (at > 0) return { columns: { [text.slice(0, at)]: fillOf(text.slice(at + 1)) } }
  return { all: fillOf(text), columns: {} }
}

function fillOf(text: string): Fill {
  return text === 'median' || text === 'most-frequent' || text === 'drop' ? text : { value: text }
}
