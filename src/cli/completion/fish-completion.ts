/** Completion for fish. */
import { allNodes, type CommandNode, type Completion } from './command-tree.ts'

/** The script that goes to ~/.config/fish/completions/hyperplane.fish. */
export function fishCompletion(root: CommandNode): string {
  return `# Completion of hyperplane for fish: hyperplane completion fish > ~/.config/fish/completions/hyperplane.fish
function __hyperplane_at # whether the line begins with hyperplane and these words
    set -l words (commandline -opc)
    set -l last (math (count $argv) + 1)
    test (count $words) -ge $last; and test "$words[2..$last]" = "$argv"
end
function __hyperplane_done # whether so many words came before the one under the cursor
    test (count (commandline -opc)) -eq $argv[1]
end
complete -c hyperplane -f
${allNodes(root).flatMap(commandLines).join('\n')}
`
}

function commandLines({ path, options, arguments: own, commands }: CommandNode): string[] {
  const next = `__hyperplane_done ${path.length + 1}`
  const here = path.length === 0 ? next : `__hyperplane_at ${path.join(' ')}`
  const begin = `complete -c hyperplane -n ${quoted(here)}`
  const open = path.length === 0 ? here : `${here}; and ${next}`
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
  if (value.kind === 'words') {
    const words = value.words.join(' ')
    return `-a ${quoted(value.isList ? `(__fish_append , ${words})` : words)}`
  }
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
