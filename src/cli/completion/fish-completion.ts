/** Completion for fish. */
import { allNodes, type CommandNode, type Completion } from './command-tree.ts'

/** The script that goes to ~/.config/fish/completions/hyperplane.fish. */
export function fishCompletion(root: CommandNode): string {
  return `# Completion of hyperplane for fish: hyperplane completion fish > ~/.config/fish/completions/hyperplane.fish
complete -c hyperplane -f
${allNodes(root).flatMap(commandLines).join('\n')}
`
}

function commandLines({ path, options, arguments: own, commands }: CommandNode): string[] {
  const here =
    path.length === 0
      ? '__fish_use_subcommand'
      : path.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ')
  const names = commands.map((one) => one.path.at(-1) ?? '')
  const begin = `complete -c hyperplane -n ${quoted(here)}`
  const open = path.length === 0 ? here : `${here}; and not __fish_seen_subcommand_from ${names.join(' ')}`
  return [
    ...commands.map(
      (one) =>
        `complete -c hyperplane -n ${quoted(open)} -a ${quoted(one.path.at(-1) ?? '')} -d ${quoted(one.summary)}`,
    ),
    ...own.flatMap((value) => (value.kind === 'nothing' ? [] : [`${begin} ${action(value)}`])),
    ...options.map(({ flags, help, value }) => {
      const spelled = flags.map((flag) =>
        flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
      )
      return `${begin} ${spelled.join(' ')}${value ? ` ${valueAction(value)}` : ''} -d ${quoted(help)}`
    }),
  ]
}

/** What a word is completed with. */
function action(value: Completion): string {
  if (value.kind === 'words') return `-a ${quoted(value.words.join(' '))}`
  return value.kind === 'folders' ? `-a ${quoted('(__fish_complete_directories)')}` : '-F'
}

/** The same for the value of an option, which needs one. */
function valueAction(value: Completion): string {
  if (value.kind === 'nothing') return '-x'
  return value.kind === 'files' ? '-r -F' : `-x ${action(value)}`
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`
}
