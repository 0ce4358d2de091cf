import { FormatError, ParameterError, show } from '../../base/errors.ts'
import { didYouMean } from '../../base/nearest-word.ts'
import { optionWords } from './option-words.ts'

/** Which columns of a table (CSV, Parquet) hold what; all others are features. */
export interface ColumnOptions {
  /**
   * Column of the labels: its name, or its index from 0 (from the end if negative). By default the column named label, class,
   * target or y, in that order; otherwise the last one. `false`: there are no labels, and every sample gets label 0.
   */
  readonly labelColumn?: string | number | false
  /** Column of the sample weights, by name or number; none by default. */
  readonly weightColumn?: string | number
  /**
   * Column of the groups of samples, such as the patient they are from, by name or number; it is not a feature. None by
   * default.
   */
  readonly groupColumn?: string | number
  /** Column of the times of samples, numbers or dates, by name or number; it is not a feature. None by default. */
  readonly timeColumn?: string | number
  /** Number of features that must be there. */
  readonly features?: number
}

/** Names that a model knows: where the labels are follows from them, whatever their place. */
export interface KnownColumns {
  readonly columns: readonly string[]
  /** The column that the labels of the training data came from. */
  readonly label?: string | undefined
  /** Whether labels are wanted. */
  readonly labels: boolean
}

/** Names that mark a label column, whatever the case. */
const labelNames = ['label', 'class', 'target', 'y']

/** The roles of the columns of one table. */
export class Columns {
  readonly label: number | undefined
  readonly weight: number | undefined
  readonly group: number | undefined
  readonly time: number | undefined
  /** Positions of the feature columns, in order. */
  readonly features: readonly number[]
  /** Number of columns. */
  readonly count: number
  private readonly names: readonly string[] | undefined
  private readonly labelByDefault: boolean

  /** Chooses among `count` columns, named `names` when the table has a header. */
  constructor(
    names: readonly string[] | undefined,
    count: number,
    options: ColumnOptions,
    file?: string,
    known?: KnownColumns,
  ) {
    const { weightColumn, groupColumn, timeColumn } = options
    const { labelColumn = defaultLabel(names, known) } = options
    const place = (option: string, wanted: string | number | undefined) =>
      wanted === undefined ? undefined : find(option, wanted, names, count, file)
    this.names = names && uniqueNames(names)
    this.count = count
    this.labelByDefault = options.labelColumn === undefined
    this.label = labelColumn === false ? undefined : find('labelColumn', labelColumn, names, count, file)
    this.weight = place('weightColumn', weightColumn)
    this.group = place('groupColumn', groupColumn)
    this.time = place('timeColumn', timeColumn)
    const roles = { labels: this.label, weights: this.weight, groups: this.group, times: this.time }
    const taken = new Map<number, string>()
    for (const [role, k] of Object.entries(roles)) {
      if (k === undefined) continue
      const other = taken.get(k)
      if (other !== undefined)
        throw new FormatError(`${other} and ${role} are both in ${this.title(k)}`, { file })
      taken.set(k, role)
    }
    this.features = Array.from({ length: count }, (_, k) => k).filter((k) => !taken.has(k))
    const found = this.features.length
    if (found === 0) throw new FormatError('no feature columns', { file })
    if (options.features !== undefined && options.features !== found) {
      throw new FormatError(`${found} feature columns, but features is ${options.features}`, { file })
    }
  }

  /** How column `k` is called in a message. */
  title(k: number): string {
    return this.names ? `column ${show(this.names[k])}` : `column ${k + 1}`
  }

  /**
   * What to add to the message when already the first sample has text for a feature: perhaps it is the label, which
   * was looked for elsewhere because nothing was said.
   */
  labelHint(): string {
    return this.labelByDefault && this.label !== undefined
      ? `; labels are taken from ${this.title(this.label)}`
      : ''
  }

  /** What was guessed about the place of the labels; undefined where it was chosen, or follows from a name. */
  labelGuess(): string | undefined {
    const { label, names } = this
    if (!this.labelByDefault || label === undefined) return undefined
    if (names && labelNames.includes(names[label].toLowerCase())) return undefined
    const why = names ? `, as none is named ${labelNames.join(', ')}` : ''
    return `labels are taken from the last column, ${names ? show(names[label]) : label}${why} (${optionWords.current.label} chooses another)`
  }

  /** Names of the features; undefined when the table has no header. */
  get featureNames(): string[] | undefined {
    return this.names && this.features.map((k) => this.names![k])
  }
}

/** Names of which none occurs twice: the second `a` becomes `a.1`, as in pandas, so that a model finds each column by its own. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set(names)
  const seen = new Set<string>()
  return names.map((name) => {
    let own = name
    for (let k = 1; seen.has(own) || (own !== name && taken.has(own)); k++) own = `${name}.${k}`
    seen.add(own)
    return own
  })
}

function defaultLabel(
  names: readonly string[] | undefined,
  known: KnownColumns | undefined,
): string | number | false {
  const isFree = (name: string) => !known?.columns.includes(name)
  if (known && !known.labels) return false
  if (known?.label !== undefined && names?.includes(known.label)) return known.label
  for (const wanted of labelNames) {
    const found = names?.findIndex((name) => name.toLowerCase() === wanted && isFree(name)) ?? -1
    if (found >= 0) return found
  }
  if (!known || !names) return -1
  const free = names.map((_, k) => k).filter((k) => isFree(names[k]))
  return free.at(-1) ?? false
}

function find(
  option: string,
  wanted: string | number,
  names: readonly string[] | undefined,
  count: number,
  file: string | undefined,
): number {
  if (typeof wanted === 'string') {
    if (!names) throw new FormatError(`${option} is ${show(wanted)} but the columns have no names`, { file })
    const found = names.indexOf(wanted)
    if (found < 0)
      throw new FormatError(
        `no column is named ${show(wanted)}, only ${names.join(', ')}${didYouMean(wanted, names, show)}`,
        { file },
      )
    if (names.indexOf(wanted, found + 1) > 0) {
      throw new FormatError(`more than one column is named ${show(wanted)}`, { file })
    }
    return found
  }
  if (!Number.isInteger(wanted))
    throw new ParameterError('parseDataset', option, 'a name or a whole number', wanted)
  const position = wanted < 0 ? count + wanted : wanted
  if (position < 0 || position >= count) {
    throw new FormatError(`${option} is ${wanted} but there are ${count} columns`, { file })
  }
  return position
}
