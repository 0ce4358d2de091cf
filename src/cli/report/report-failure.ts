/** What happens when a command fails: one clear line on stderr, and an exit code that scripts can tell apart. */
import { type Command, CommanderError } from 'commander'
import type { ParameterError } from '../../base/errors.ts'
import { COMMAND, EXIT_FAILED, EXIT_USAGE, explain } from './failure.ts'

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
