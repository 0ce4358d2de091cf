/** What happens when a command fails: one clear line on stderr, an object for programs, and an exit code that scripts can tell apart. */
import { type Command, CommanderError } from 'commander'
import type { ParameterError } from '../../base/errors.ts'
import { didYouMean } from '../../base/nearest-word.ts'
import { currentVoice, painted, STDOUT } from '../terminal/voice.ts'
import { COMMAND, EXIT_FAILED, EXIT_USAGE, explain } from './failure.ts'
import { toJsonText } from './output.ts'

/** What failed, as `--json` prints it. */
interface Failure {
  readonly message: string
  /** `usage`, `parameter`, `data`, `format` or `interrupted`; of the system, its own code, such as `ENOENT`; else `internal`. */
  readonly code: string
  readonly exitCode: number
  /** The flag that is wrong. */
  readonly flag?: string
  readonly file?: string
  readonly line?: number
  readonly column?: number
}

const CODES: Readonly<Record<string, string>> = {
  ParameterError: 'parameter',
  DataError: 'data',
  FormatError: 'format',
  Interrupted: 'interrupted',
}

/** Parameters of the library whose flags have other names, each in some command. */
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  labelColumn: ['--label'],
  weightColumn: ['--weight'],
  groupColumn: ['--groups', '--id'],
  timeColumn: ['--time'],
  scaler: ['--scale'],
  targetScaling: ['--scale-target'],
  cacheBytes: ['--cache'],
  parts: ['--date-parts'],
  maxFeatures: ['--text-features'],
}

/**
 * Says on stderr what went wrong, with `--json` also as an object where the result would have been, and returns the exit code. The stack is
 * added when DEBUG is set or --verbose given.
 */
export function reportFailure(error: unknown, program: Command, words: readonly string[]): number {
  if (error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help')) {
    return error.exitCode === 0 ? 0 : EXIT_USAGE
  }
  const failure = failureOf(error, program, words)
  // Who reads what is written to stdout may stop at any time: `-o - | head`.
  if (failure.code === 'EPIPE' && failure.message.startsWith(STDOUT)) return 0
  if (asksForJson(words)) currentVoice().results.write(`${toJsonText({ error: failure })}\n`)
  process.stderr.write(`${painted('red', 'error:', process.stderr)} ${failure.message}\n`)
  const { stack } = error instanceof Error ? error : new Error(String(error))
  const isVerbose = process.env.DEBUG || words.includes('--verbose')
  if (isVerbose && stack && !(error instanceof CommanderError)) process.stderr.write(`${stack}\n`)
  return failure.exitCode
}

/** Flags end at `--`. */
function asksForJson(words: readonly string[]): boolean {
  const end = words.indexOf('--')
  return (end < 0 ? words : words.slice(0, end)).includes('--json')
}

function failureOf(error: unknown, program: Command, words: readonly string[]): Failure {
  const command = deepestCommand(program, words)
  if (error instanceof CommanderError) {
    return { message: explainUsage(error, program, command), code: 'usage', exitCode: EXIT_USAGE }
  }
  const { name, file, line, column } = (error ?? {}) as Partial<Record<'name' | 'file', string>> &
    Partial<Record<'line' | 'column', number>>
  const misused = name === 'ParameterError'
  const message = misused ? explainParameter(error as ParameterError, command) : explain(error)
  const system = systemError(error)
  const flag = misused ? flagOf((error as ParameterError).parameter, command) : undefined
  const known = file === '<input>' || file === '<stdin>' ? undefined : (file ?? system?.path)
  return {
    message: inFlags(message, command).replaceAll('\n', ' '),
    code: system?.code ?? CODES[name ?? ''] ?? 'internal',
    exitCode: misused ? EXIT_USAGE : EXIT_FAILED,
    ...(flag !== undefined && { flag }),
    ...(known !== undefined && { file: known }),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
  }
}

/** The error of the system that is behind another one. */
function systemError(error: unknown): NodeJS.ErrnoException | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, errno } = error as NodeJS.ErrnoException
  return typeof code === 'string' && errno !== undefined ? error : systemError(error.cause)
}

/** Names the command; where one of its flags stands for the parameter that the library names, the flag is named. */
function explainParameter(error: ParameterError, command: Command): string {
  const { who, parameter, message } = error
  const flag = flagOf(parameter, command)
  if (flag === undefined && who !== COMMAND) return message
  return message.replace(`${who}: ${parameter} `, `${commandPath(command)}: ${flag ?? parameter} `)
}

function flagOf(parameter: string, { options }: Command): string | undefined {
  if (parameter.startsWith('--')) return parameter
  const own = options.find((option) => option.attributeName() === parameter)?.long
  const others = Object.hasOwn(FLAGS, parameter) ? FLAGS[parameter] : []
  return own ?? others.find((other) => options.some(({ long }) => long === other))
}

/** Words of the library that no text contains by chance, as the flags that they stand for. */
function inFlags(message: string, command: Command): string {
  return message.replaceAll(/(?<![\w.-])[a-z]+[A-Z]\w+(?![\w(])/g, (word) => flagOf(word, command) ?? word)
}

function explainUsage(error: CommanderError, program: Command, command: Command): string {
  const message = error.message.replace(/^error: /, '').replaceAll('\n', ' ')
  const where = command === program ? '' : `${commandPath(command)}: `
  const allowed = allowedWords(error, command)
  const [, wrong = ''] = /^unknown \w+ '(.*)'$/.exec(message) ?? []
  const meant = didYouMean(wrong, allowed)
  // `train` has some eighty options: where one of them is meant, the others would hide it.
  const isListed = allowed.length > 0 && (meant === '' || error.code === 'commander.unknownCommand')
  return `${where}${message}${meant}${isListed ? `; allowed: ${allowed.join(', ')}` : ''}`
}

function allowedWords(error: CommanderError, command: Command): string[] {
  const { options, commands } = command
  if (error.code === 'commander.unknownOption')
    return [...options.map((option) => option.long ?? option.flags), '--help']
  if (error.code === 'commander.unknownCommand') return commands.map((one) => one.name())
  return []
}

function deepestCommand(program: Command, words: readonly string[]): Command {
  let command = program
  for (const word of words) command = command.commands.find((one) => one.name() === word) ?? command
  return command
}

function commandPath(command: Command): string {
  const { parent } = command
  return parent?.parent ? `${commandPath(parent)} ${command.name()}` : command.name()
}
