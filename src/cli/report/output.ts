/** What commands print: one JSON object for programs, aligned lines for people. */
import { currentVoice, painted } from '../terminal/voice.ts'

/** Options that every command has. */
export interface OutputOptions {
  readonly json?: boolean
  readonly verbose?: boolean
  readonly quiet?: boolean
}

/** Prints `value` as one line of JSON when `--json` was given, else the lines for people, if they are wanted. */
export function printResult(options: OutputOptions, value: object, lines: () => readonly string[]): void {
  const { results, isSilent } = currentVoice()
  if (options.json) results.write(`${toJsonText(value)}\n`)
  else if (!isSilent) results.write(`${lines().map(highlighted).join('\n')}\n`)
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

/** Names and values in two columns. */
export function aligned(pairs: readonly (readonly [name: string, value: string])[], indent = ''): string[] {
  const width = widest(pairs.map(([name]) => name))
  return pairs.map(([name, value]) => `${indent}${name.padEnd(width)}  ${value}`)
}

/** A table with a line of headings; a column is aligned right unless `left` names it. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  left: readonly string[] = headings.slice(0, 1),
): string[] {
  const widths = headings.map((heading, k) => widest([heading, ...rows.map((row) => row[k])]))
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, k) => (left.includes(headings[k]) ? cell.padEnd(widths[k]) : cell.padStart(widths[k])))
      .join('  ')
      .trimEnd()
  return [line(headings), ...rows.map(line)]
}

/** The length of the longest text. */
function widest(texts: readonly string[]): number {
  return texts.reduce((most, { length }) => Math.max(most, length), 0)
}
