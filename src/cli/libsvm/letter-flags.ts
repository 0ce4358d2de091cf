/** The flags of LIBSVM's commands: a dash and a letter, then a value as the next word. */
import { useBlockingFiles } from '../../data/files/file-system.node.ts'
import { explain, watchStdout } from '../report/failure.ts'
import { printOut } from './print-out.ts'

/** The command was misused: the usage text is shown. */
export class UsageError extends Error {}

/** Something is wrong that the usage text would not help with. */
export class CommandError extends Error {}

/** The flags that were given, and the words after them. */
export interface LetterFlags {
  /** Values by letter, the last where one was given twice; flags without a value have ''. */
  readonly values: ReadonlyMap<string, string>
  /** Flags that carry more of their name, such as `w1`, with their values: all of them, in their order. */
  readonly prefixed: readonly (readonly [name: string, value: string])[]
  /** The rest. */
  readonly files: readonly string[]
}

/**
 * Takes words apart: flags come first, each a dash and one of `letters`, followed by its value unless it is one of
 * `bare`. A flag of `prefixed` carries more of its name (`-w1`) and may come several times. `pairs` have two values.
 */
export function takeFlags(
  words: readonly string[],
  {
    letters,
    bare = '',
    prefixed = '',
    pairs = '',
  }: { letters: string; bare?: string; prefixed?: string; pairs?: string },
): LetterFlags {
  const values = new Map<string, string>()
  const named: [string, string][] = []
  let at = 0
  while (at < words.length && words[at].startsWith('-') && words[at].length > 1) {
    const word = words[at]
    const letter = word[1]
    if (bare.includes(letter)) {
      values.set(letter, '')
      at++
      continue
    }
    if (!letters.includes(letter)) throw new UsageError(`Unknown option: ${word}`)
    const count = pairs.includes(letter) ? 2 : 1
    if (at + count >= words.length) throw new UsageError(`option ${word} needs a value`)
    const value = words.slice(at + 1, at + 1 + count).join(' ')
    if (prefixed.includes(letter)) named.push([word.slice(1), value])
    else values.set(letter, value)
    at += 1 + count
  }
  return { values, prefixed: named, files: words.slice(at) }
}

/** The number a flag was given, or `fallback`. */
export function numberFlag(flags: LetterFlags, letter: string, fallback: number): number {
  const text = flags.values.get(letter)
  return text === undefined ? fallback : numberOf(letter, text)
}

/** The whole number a flag was given, or `fallback`. */
export function wholeFlag(flags: LetterFlags, letter: string, fallback: number): number {
  const value = numberFlag(flags, letter, fallback)
  if (!Number.isInteger(value)) throw new UsageError(`option -${letter} takes a whole number, got ${value}`)
  return value
}

/** The flag of a switch, 0 or 1; undefined where it is neither. */
export function switchFlag(flags: LetterFlags, letter: string, fallback: number): boolean | undefined {
  const value = wholeFlag(flags, letter, fallback)
  return value === 0 || value === 1 ? value === 1 : undefined
}

/** A number, as the value of a flag. */
export function numberOf(letter: string, text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) {
    throw new UsageError(`option -${letter} takes a number, got '${text}'`)
  }
  return value
}

/** Runs a command to its end: errors on stderr, the usage text on stdout where it helps, exit code 1 for both. */
export async function runDropIn(
  usage: string,
  run: (words: readonly string[]) => Promise<void>,
): Promise<void> {
  watchStdout()
  useBlockingFiles()
  try {
    await run(process.argv.slice(2))
  } catch (error) {
    const message = explain(error)
    if (message) process.stderr.write(`${message}\n`)
    if (error instanceof UsageError) printOut(usage)
    process.exitCode = 1
  }
}
