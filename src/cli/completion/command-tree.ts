/** Commands, options and values as data, from the one table that the help and the parser are made of. */
import type { Command } from 'commander'
import { CommandArgument, CommandOption, type Completable } from '../options/options.ts'

/** What a value is completed with. */
export type Completion =
  | { readonly kind: 'files' | 'folders' | 'nothing' }
  /** Words; `isList`: several of them, separated by commas. */
  | { readonly kind: 'words'; readonly words: readonly string[]; readonly isList: boolean }

/** An option: its spellings, such as `-o` and `--output`, what it does, and what its value is; undefined for a switch. */
export interface OptionNode {
  readonly flags: readonly string[]
  readonly help: string
  readonly value?: Completion
  /** May be given several times. */
  readonly repeats: boolean
}

/** A command with what may follow it. */
export interface CommandNode {
  /** The words that lead to it: `generate moons`. */
  readonly path: readonly string[]
  readonly summary: string
  readonly options: readonly OptionNode[]
  readonly arguments: readonly Completion[]
  readonly commands: readonly CommandNode[]
}

/** What the help calls values that are names of files, or of folders. */
const FILES = ['file', 'model', 'data', 'journals']
const FOLDERS = ['folder', 'place']

/** The tree of a program whose commands are all configured. */
export function commandTree(command: Command, path: readonly string[] = []): CommandNode {
  return {
    path,
    summary: command.description(),
    options: [
      ...command.options.map((option) => ({
        flags: [option.short, option.long].filter((flag) => flag !== undefined),
        help: option.description,
        repeats: option instanceof CommandOption && option.repeats,
        ...(option instanceof CommandOption &&
          option.completes && { value: completionOf(option.completes, option.completes.value) }),
      })),
      { flags: ['-h', '--help'], help: 'explain the command', repeats: false },
    ],
    arguments: command.registeredArguments.map((argument) =>
      argument instanceof CommandArgument && argument.completes
        ? completionOf(argument.completes, argument.completes.value)
        : { kind: 'nothing' },
    ),
    commands: command.commands.map((one) => commandTree(one, [...path, one.name()])),
  }
}

/** All nodes of a tree, each before what follows it. */
export function allNodes(node: CommandNode): CommandNode[] {
  return [node, ...node.commands.flatMap(allNodes)]
}

function completionOf({ choices }: Completable, value: string): Completion {
  if (choices) return { kind: 'words', words: choices, isList: value === 'names' }
  if (FILES.includes(value)) return { kind: 'files' }
  return FOLDERS.includes(value) ? { kind: 'folders' } : { kind: 'nothing' }
}

/** A text as one word of bash or zsh. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
