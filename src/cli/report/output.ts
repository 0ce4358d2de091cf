/** What commands print: one JSON object for programs, aligned lines for people. */
import { present } from '../../base/lists.ts'
import { currentVoice, painted } from '../terminal/voice.ts'

/** Options that every command has. */
export interface OutputOptions {
  readonly json?: boolean
  readonly verbose?: boolean
  readonly quiet?: boolean
}

/** Lines for people: what is false or undefined is left out, and a list stands for its lines. */
export type Lines = string | false | undefined | readonly Lines[]

/** All lines that there are, one after the other. */
export function allLines(lines: Lines): string[] {
  if (typeof lines === 'string') return [lines]
  return lines ? lines.flatMap(allLines) : []
}

/** Lines after an empty one, if there are any. */
export function paragraph(lines: Lines): string[] {
  const all = allLines(lines)
  return all.length > 0 ? ['', ...all] : []
}

/** Prints `value` as one line of JSON when `--json` was given, else the lines for people, if they are wanted. */
export function printResult(options: OutputOptions, value: object, lines: () => Lines): void {
  const { results, isSilent } = currentVoice()
  if (options.json) results.write(`${toJsonText(value)}\n`)
  else if (!isSilent) results.write(`${allLines(lines()).map(highlighted).join('\n')}\n`)
}

/** What a reader must not miss. */
function highlighted(line: string): string {
  return /^\s*(DOES )?NOT\b/.test(line) ? painted('yellow', line) : line
}

/** A remark on stderr when `--verbose` was given. */
export function remark(options: OutputOptions, text: string): void {
  if (options.verbose) notice(text)
}

/** A line on stderr for who waits; not with `--quiet`. */
export function notice(text: string): void {
  if (!currentVoice().isQuiet) process.stderr.write(`${text}\n`)
}

/**
 * JSON text in which numbers that JSON lacks are the strings "Infinity", "-Infinity" and "NaN", as in model files, and
 * what is not known is null, so that objects always have the same shape.
 */
export function toJsonText(value: object): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'number' && !Number.isFinite(part)) return String(part)
    if (part === undefined) return null
    return ArrayBuffer.isView(part) ? Array.from(part as Float64Array) : part
  })
}

/** A number with so many significant digits, without trailing zeros. */
export function number(value: number, digits = 6): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(digits))) : String(value)
}

/** A whole number with separators: 12,345. */
export function count(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** A count and its noun: 1 sample, 270 samples. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`
}

/** A share as a percentage: 86.67%. */
export function percent(share: number): string {
  return Number.isFinite(share) ? `${(100 * share).toFixed(2)}%` : String(share)
}

/** Seconds with as many digits as matter: 0.0123 s, 1.23 s, 123 s. */
export function seconds(value: number): string {
  return `${number(value, 3)} s`
}

/** The value of a parameter: a number, or a word such as scale. */
export function valueWords(value: number | string | boolean | undefined): string {
  return typeof value === 'number' ? number(value) : String(value ?? '')
}

/** Parameters in words: C 8, gamma 0.125. */
export function paramWords(params: Readonly<Record<string, number | string | boolean>>): string {
  return Object.entries(params)
    .map(([name, value]) => `${name} ${valueWords(value)}`)
    .join(', ')
}

/** Names and values in two columns; what is false or undefined is left out. */
export function aligned(
  pairs: readonly (readonly [name: string, value: string] | false | undefined)[],
): string[] {
  const shown = present(pairs)
  const width = widest(shown.map(([name]) => name))
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${value}`)
}

/** Cells under column names, for people and for pages; a column is aligned right unless `left` names it. */
export interface CellTable {
  readonly columns: readonly string[]
  readonly left: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** A column of a table: its name, what it says of an item, and whether that is words, which are aligned left. */
export type Column<T> = readonly [name: string, cell: (item: T, k: number) => string, words?: 'left']

/** A table with a row per item; columns that are false are left out. */
export function tableOf<T>(items: readonly T[], columns: readonly (Column<T> | false)[]): CellTable {
  const shown = present(columns)
  return {
    columns: shown.map(([name]) => name),
    left: shown.flatMap(([name, , words]) => (words ? [name] : [])),
    rows: items.map((item, k) => shown.map(([, cell]) => cell(item, k))),
  }
}

/** A table as lines, the names of its columns first. */
export function cellLines({ columns, left, rows }: CellTable): string[] {
  const widths = columns.map((name, k) => widest([name, ...rows.map((row) => row[k])]))
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, k) => (left.includes(columns[k]) ? cell.padEnd(widths[k]) : cell.padStart(widths[k])))
      .join('  ')
      .trimEnd()
  return [line(columns), ...rows.map(line)]
}

/** {@link tableOf} as lines. */
export function table<T>(items: readonly T[], columns: readonly (Column<T> | false)[]): string[] {
  return cellLines(tableOf(items, columns))
}

/** The length of the longest text. */
function widest(texts: readonly string[]): number {
  return texts.reduce((most, { length }) => Math.max(most, length), 0)
}
