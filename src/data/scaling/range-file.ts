/**
 * svm-scale's range file, as text:
 *
 *   y                  only when the labels were scaled:
 *   lower upper          what they were scaled to,
 *   min max              what they spanned
 *   x
 *   lower upper        what features were scaled to
 *   index min max      one line per feature that is not constant; indices count from 1 and ascend
 *
 * Numbers are written with the fewest digits that read back as the same number.
 */
import { FormatError } from '../../base/errors.ts'
import { numberFromText } from '../text/number-text.ts'
import type { RangeScaler, TargetRange } from './range-scaler.ts'

/** Columns that are always allowed, beside as many as the text has bytes: a damaged index must not exhaust memory. */
const alwaysAllowed = 2 ** 22

/**
 * A range scaler as the text of a range file. Constant columns are not written, as svm-scale does not: read back,
 * they are dropped just the same, but constant columns at the end no longer count as columns.
 */
export function formatRangeFile(scaler: RangeScaler): string {
  const { lower, upper, min, max, target } = scaler
  const lines: string[] = []
  if (target) lines.push('y', `${target.lower} ${target.upper}`, `${target.min} ${target.max}`)
  lines.push('x', `${lower} ${upper}`)
  for (let j = 0; j < min.length; j++) {
    if (min[j] !== max[j]) lines.push(`${j + 1} ${min[j]} ${max[j]}`)
  }
  return `${lines.join('\n')}\n`
}

/** Reads the text of a range file; `file` names it in errors. */
export function parseRangeFile(text: string, file?: string): RangeScaler {
  const lines = new RangeFileLines(text, file)
  const target = lines.peek() === 'y' ? parseTarget(lines) : undefined
  lines.expect('x')
  const [lower, upper] = lines.interval('lower upper')
  const largestIndex = Math.max(alwaysAllowed, text.length)
  const min: number[] = []
  const max: number[] = []
  while (lines.peek() !== undefined) {
    const [index, low, high] = lines.numbers('index min max')
    if (!Number.isInteger(index) || index < 1 || index > largestIndex) {
      throw lines.error(`feature index must be a whole number from 1 to ${largestIndex}, got ${index}`)
    }
    if (index <= min.length)
      throw lines.error(`feature index ${index} comes after ${min.length}; indices ascend`)
    if (low > high) throw lines.error(`min ${low} is greater than max ${high}`)
    while (min.length < index - 1) {
      min.push(0)
      max.push(0)
    }
    min.push(low)
    max.push(high)
  }
  return { kind: 'range', lower, upper, min, max, ...(target && { target }) }
}

function parseTarget(lines: RangeFileLines): TargetRange {
  lines.expect('y')
  const [lower, upper] = lines.interval('lower upper')
  const [min, max] = lines.numbers('min max')
  if (min > max) throw lines.error(`min ${min} is greater than max ${max}`)
  return { lower, upper, min, max }
}

/** Reads a range file line by line and knows where it is. */
class RangeFileLines {
  private readonly lines: readonly string[]
  private readonly file: string | undefined
  /** Lines read so far, which is the number of the line last read. */
  private read = 0

  constructor(text: string, file: string | undefined) {
    const lines = text.split(/\r?\n/).map((line) => line.trim())
    this.lines = lines.slice(0, lines.findLastIndex((line) => line !== '') + 1)
    this.file = file
  }

  /** The next line, or undefined at the end. */
  peek(): string | undefined {
    return this.lines[this.read]
  }

  expect(word: string): void {
    const line = this.next(`'${word}'`)
    if (line !== word) throw this.error(`expected '${word}', got '${line}'`)
  }

  /** The numbers of the next line, one for each name in `names`. */
  numbers(names: string): number[] {
    const tokens = this.next(`'${names}'`).split(/\s+/)
    const wanted = names.split(' ')
    if (tokens.length !== wanted.length) throw this.error(`expected '${names}', got '${tokens.join(' ')}'`)
    return tokens.map((token, k) => {
      const value = numberFromText(token)
      if (!Number.isFinite(value)) throw this.error(`${wanted[k]} must be a finite number, got '${token}'`)
      return value
    })
  }

  /** Two numbers, the first less than the second. */
  interval(names: string): number[] {
    const [lower, upper] = this.numbers(names)
    if (!(lower < upper)) throw this.error(`lower ${lower} must be less than upper ${upper}`)
    return [lower, upper]
  }

  /** An error at the line last read. */
  error(message: string): FormatError {
    return new FormatError(message, { file: this.file, line: this.read })
  }

  private next(expected: string): string {
    const line = this.lines[this.read++]
    if (line === undefined) throw this.error(`expected ${expected}, got the end of the file`)
    return line
  }
}
