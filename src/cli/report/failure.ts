/** What happens when a command fails: one clear line on stderr, and an exit code that scripts can tell apart. */
import { fstatSync, writeSync } from 'node:fs'
import { getSystemErrorMap } from 'node:util'
import { type Command, CommanderError } from 'commander'
import type { ParameterError } from '../../base/errors.ts'

/** Who complains about flags: {@link reportFailure} puts the name of the command in its place. */
export const COMMAND = 'hyperplane'

/** Something went wrong while running: data, files, an interrupt. */
export const EXIT_FAILED = 1
/** The command was misused: unknown options, values that are not allowed. */
export const EXIT_USAGE = 2

/** Says on stderr what went wrong and returns the exit code. The stack is added when DEBUG is set or --verbose given. */
export function reportFailure(error: unknown, program: Command, words: readonly string[]): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    if (error.code === 'commander.help') return EXIT_USAGE
    process.stderr.write(`error: ${explainUsage(error, program, words)}\n`)
    return EXIT_USAGE
  }
  const { name, stack } = error instanceof Error ? error : new Error(String(error))
  const misused = name === 'ParameterError'
  const message = misused ? explainParameter(error as ParameterError, program, words) : explain(error)
  process.stderr.write(`error: ${message.replaceAll('\n', ' ')}\n`)
  if ((process.env.DEBUG || words.includes('--verbose')) && stack) process.stderr.write(`${stack}\n`)
  return misused ? EXIT_USAGE : EXIT_FAILED
}

/** The message; for errors of the file system, which file and what about it. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { errno, path, message }: NodeJS.ErrnoException = error
  const [, meaning] = (errno !== undefined && getSystemErrorMap().get(errno)) || []
  return path !== undefined && meaning !== undefined ? `${path}: ${meaning}` : message
}

/**
 * Lets `hyperplane … | head` end without a complaint when the reader has gone; a full disk is a failure. What cannot be
 * said on stderr cannot be said at all, and is no reason to stop.
 */
export function watchStdout(): void {
  writeWhole(process.stdout)
  process.stderr.on('error', () => {})
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    process.stderr.write(`error: stdout: ${explain(error)}\n`)
    process.exit(EXIT_FAILED)
  })
}

/** Node's stream for files does not look at how much of a text was written: on a full disk the rest would be lost silently. */
function writeWhole(stream: NodeJS.WriteStream & { readonly fd: number }): void {
  if (!isFile(stream.fd)) return
  stream._write = (chunk: string | Uint8Array, encoding, done) => {
    try {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk
      for (let at = 0; at < bytes.length; ) at += writeSync(stream.fd, bytes, at)
      done()
    } catch (error) {
      done(error as Error)
    }
  }
}

/** Whether a descriptor is a file; one that is closed is none. */
function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile()
  } catch {
    return false
  }
}

/** Names the command; where one of its flags stands for the parameter that the library names, the flag is named. */
function explainParameter(error: ParameterError, program: Command, words: readonly string[]): string {
  const { who, parameter, message } = error
  const command = deepestCommand(program, words)
  const flag = command.options.find((option) => option.attributeName() === parameter)?.long
  if (!flag && who !== COMMAND) return message
  return message.replace(`${who}: ${parameter} `, `${commandPath(command)}: ${flag ?? parameter} `)
}

function explainUsage(error: CommanderError, program: Command, words: readonly string[]): string {
  const command = deepestCommand(program, words)
  const message = error.message.replace(/^error: /, '').replaceAll('\n', ' ')
  const where = command === program ? '' : `${commandPath(command)}: `
  const allowed = allowedWords(error, command)
  return `${where}${message}${allowed.length > 0 ? `; allowed: ${allowed.join(', ')}` : ''}`
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
