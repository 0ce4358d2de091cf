/**
 * Commands and their options. A command lists its options by name, `maxIter: numberOption('iterations after which to stop')`:
 * the table gives the flags (`--max-iter <number>`), the help, the check of each value as it is read, and the type of what
 * `run` is called with.
 */

import '../../parallel/platform.node.ts'
import { Argument, type Command, Option } from 'commander'
import { notOneOf } from '../../base/check.ts'
import { ParameterError } from '../../base/errors.ts'
import { COMMAND } from '../report/failure.ts'
import type { OutputOptions } from '../report/output.ts'
import { chooseVoice, STDOUT } from '../terminal/voice.ts'

/** An option whose values are of type T. */
export interface OptionSpec<T> {
  readonly help: string
  /** What the help calls the value; absent for switches. */
  readonly value?: string
  /** A letter that stands for the option. */
  readonly short?: string
  /** What `--no-…` does, where there is such a flag too. */
  readonly negation?: string
  /** Whether it may be given several times; the value is a list then. */
  readonly repeats?: boolean
  /** What values may be, in words. */
  readonly allowed?: string
  /** The words that values may be, or be made of. */
  readonly choices?: readonly string[]
  /** Whether it names a file that the command writes; `-` is stdout then. */
  readonly writes?: boolean
  /** The value that a text stands for; undefined where it is not allowed. */
  readonly read?: (text: string) => T | undefined
  /** What becomes of an option that is given again; otherwise the last one counts. */
  join?(before: T, own: T): T
}

/** Options by name. */
export type OptionTable = Readonly<Record<string, OptionSpec<unknown>>>

/** What a command with these options is called with. */
export type Flags<O extends OptionTable> = OutputOptions & {
  readonly [name in keyof O]?: O[name] extends OptionSpec<infer T> ? T : never
}

/** An option that takes any text. */
export function textOption(
  value: string,
  help: string,
  more?: Partial<OptionSpec<string>>,
): OptionSpec<string> {
  return { value, help, read: (text) => text, ...more }
}

/** An option that takes any text, several times: a list. */
export function listOption(value: string, help: string): OptionSpec<readonly string[]> {
  return { value, help, repeats: true, read: (text) => [text] }
}

/** An option that takes a number; `Infinity` (or `inf`) is one too. The library checks the range. */
export function numberOption(help: string, value = 'number'): OptionSpec<number> {
  return { value, help, allowed: 'a number', read: readNumber }
}

/** An option that takes one of a few words. */
export function choiceOption<T extends string>(
  choices: readonly T[],
  help: string,
  value = 'name',
): OptionSpec<T> {
  const names = choices.join(', ')
  const read = (text: string) => choices.find((choice) => choice === text)
  return { value, help: `${help}: ${names}`, allowed: `one of ${names}`, choices, read }
}

/** An option without a value. */
export function switchOption(help: string): OptionSpec<boolean> {
  return { help }
}

/** The same option, and `--no-…`, which makes it false. */
export function negatable<T>(option: OptionSpec<T>, negation: string): OptionSpec<T | false> {
  return { ...option, negation }
}

/** A file that the command writes; `-` is stdout, and its words then go to stderr. */
export function writtenFileOption(help: string): OptionSpec<string> {
  return { ...textOption('file', help), writes: true, read: (text) => (text === '-' ? STDOUT : text) }
}

/** `-o`, as most commands have it. */
export function outputOption(help: string): OptionSpec<string> {
  return { ...writtenFileOption(`${help}; - is stdout`), short: 'o' }
}

/** `--threads`, for commands that compute on all cores. */
export const threadsOption = {
  threads: numberOption(
    'number of threads, including the main one; the result is the same for any number (default: all cores)',
  ),
}

const commonOptions = {
  json: switchOption('print only one JSON object; "Infinity", "-Infinity" and "NaN" are strings in it'),
  quiet: switchOption(
    'no progress and no notes; if the command writes a file, print only errors (and the JSON object with --json)',
  ),
  verbose: switchOption('report progress on stderr, and the origin of an error'),
}

/** A word on the command line besides options: its help, and the words that it may be. */
export interface ArgumentSpec {
  readonly help: string
  readonly choices?: readonly string[]
}

/** What the shell may complete a value with: some words, the names of files, or nothing. */
export interface Completable {
  readonly choices?: readonly string[] | undefined
  /** What the help calls the value: files and folders are completed. */
  readonly value: string
}

/** An option that knows what its values may be. */
export class CommandOption extends Option {
  completes: Completable | undefined
  repeats = false
}

/** An argument that knows the same. */
export class CommandArgument extends Argument {
  completes: Completable | undefined
}

/** What a subcommand is made of. */
export interface SubcommandSpec<O extends OptionTable> {
  /** Help by argument, such as `<data>`. */
  readonly arguments?: Readonly<Record<string, string | ArgumentSpec>>
  readonly options: O
  /** What the help says at its end: examples first of all. */
  readonly notes: string
  readonly run: (flags: Flags<O>, ...words: string[]) => Promise<void>
}

/** Adds arguments, options, notes and action to a command. */
export function subcommand<O extends OptionTable>(spec: SubcommandSpec<O>): (command: Command) => void {
  return (command) => {
    const options: OptionTable = { ...spec.options, ...commonOptions }
    const words = Object.entries(spec.arguments ?? {}).map(([name, given]) => {
      const { help, choices }: ArgumentSpec = typeof given === 'string' ? { help: given } : given
      const argument = new CommandArgument(name, help)
      argument.completes = { choices, value: name.replaceAll(/[<>[\].]/g, '') }
      command.addArgument(argument)
      return { name: argument.name(), choices }
    })
    for (const [name, option] of Object.entries(options)) addOption(command, name, option)
    command.addHelpText('after', `\n${spec.notes}`).action(async (...given) => {
      // Commander hands over the arguments, the flags and the command.
      const flags: Flags<O> = given.at(-2)
      words.forEach(({ name, choices }, k) => {
        if (choices && !choices.includes(given[k])) throw notOneOf(COMMAND, name, given[k], choices)
      })
      chooseVoice(flags.quiet ?? false, outputsOf(options, flags))
      await spec.run(flags, ...given.slice(0, -2))
    })
  }
}

/** The files that a command was told to write. */
function outputsOf(options: OptionTable, flags: object): string[] {
  return Object.entries(flags).flatMap(([name, value]) => (options[name]?.writes ? [String(value)] : []))
}

/** `maxIter` as `--max-iter`. */
export function flagOf(name: string): string {
  return `--${name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** The error that a flag would have no effect: `train: --gamma does not apply to the linear kernel`. */
export function notApplicable(name: string, where: string): ParameterError {
  return new ParameterError(COMMAND, flagOf(name), `does not apply to ${where}`)
}

/** An object without the entries that are undefined. */
export function defined<T extends object>(entries: T): { [name in keyof T]?: Exclude<T[name], undefined> } {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as T
}

/** Those of some flags that were given. */
export function given<F extends object, N extends keyof F>(
  flags: F,
  names: readonly N[],
): { [name in N]?: Exclude<F[name], undefined> } {
  return defined(Object.fromEntries(names.map((name) => [name, flags[name]]))) as never
}

/** The numbers of a list such as `0.1,1,10`. */
export function numbersOf(text: string): number[] {
  return text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
}

function addOption(
  command: Command,
  name: string,
  { help, value, short, negation, repeats, choices, ...values }: OptionSpec<unknown>,
): void {
  const long = flagOf(name)
  const flags = `${short ? `-${short}, ` : ''}${long}${value ? ` <${value}>` : ''}`
  const option = new CommandOption(flags, help)
  if (value) {
    option.completes = { choices, value }
    option.repeats = repeats === true || values.join !== undefined
    option.argParser((text: string, before: unknown) => {
      const found = values.read?.(text)
      if (found === undefined) {
        const isChoice = choices !== undefined && values.allowed === `one of ${choices.join(', ')}`
        if (isChoice) throw notOneOf(COMMAND, long, text, choices)
        throw new ParameterError(COMMAND, long, values.allowed ?? 'a text', text)
      }
      if (before !== undefined && values.join) return values.join(before, found)
      return repeats && Array.isArray(before) ? [...before, ...(found as unknown[])] : found
    })
  }
  command.addOption(option)
  if (negation) command.option(`--no-${long.slice(2)}`, negation)
}

function readNumber(text: string): number | undefined {
  if (/^[-+]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  const value = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : undefined
}
