/** Options whose values are checked as they are read, so that a slip ends in one line and not in a wrong model. */
import { type Command, Option } from 'commander'
import { ParameterError } from '../../base/errors.ts'

/** Adds an option that takes a number; `Infinity` (or `inf`) is a number too. Ranges are the library's to check. */
export function addNumberOption(command: Command, flags: string, description: string): void {
  addParsedOption(command, flags, description, 'a number', parseNumber)
}

/** Adds an option that takes a number or one of a few words. */
export function addNumberOrWordOption(
  command: Command,
  flags: string,
  description: string,
  words: readonly string[],
): void {
  const allowed = `a number, ${words.join(' or ')}`
  addParsedOption(command, flags, description, allowed, (text) =>
    words.includes(text) ? text : parseNumber(text),
  )
}

/** Adds an option that takes one of a few words. */
export function addChoiceOption(
  command: Command,
  flags: string,
  description: string,
  choices: readonly string[],
): void {
  addParsedOption(
    command,
    flags,
    `${description}: ${choices.join(', ')}`,
    `one of ${choices.join(', ')}`,
    (text) => (choices.includes(text) ? text : undefined),
  )
}

/** Adds `--threads`. */
export function addThreadsOption(command: Command): void {
  addNumberOption(
    command,
    '--threads <number>',
    'threads to use, 1 for none besides the first; the result is the same (default: all cores)',
  )
}

/** The flag of {@link addThreadsOption}, as commander hands it over. */
export interface ThreadsFlag {
  readonly threads?: number
}

/** Adds `--json` and `--verbose`, which every command has. */
export function addCommonOptions(command: Command): void {
  command
    .option('--json', 'print one JSON object and nothing else; numbers that JSON lacks are "Infinity", "NaN"')
    .option('--verbose', 'say on stderr what is going on, and where an error came from')
}

function addParsedOption(
  command: Command,
  flags: string,
  description: string,
  allowed: string,
  parse: (text: string) => string | number | undefined,
): void {
  const option = new Option(flags, description)
  option.argParser((text: string) => {
    const value = parse(text)
    if (value === undefined) {
      throw new ParameterError(command.name(), option.long ?? option.flags, allowed, text)
    }
    return value
  })
  command.addOption(option)
}

function parseNumber(text: string): number | undefined {
  if (/^[-+]?inf(inity)?$/i.test(text))
    return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  const value = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : undefined
}
