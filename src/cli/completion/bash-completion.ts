/** Completion for bash, version 3.2 and later, without any other package. */
import { allNodes, type CommandNode, type Completion, quoted } from './command-tree.ts'

/** The script that `source <(hyperplane completion bash)` reads. */
export function bashCompletion(root: CommandNode): string {
  const nodes = allNodes(root)
  return `# Completion of hyperplane for bash. In ~/.bashrc: source <(hyperplane completion bash)
_hyperplane_words() { # the words that begin like the one under the cursor
  local IFS=$' \\t\\n'
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
}
_hyperplane_list() { # the same after the last comma
  local last=\${cur##*,} before=
  [[ $cur == *,* ]] && before=\${cur%,*},
  local IFS=$' \\t\\n'
  COMPREPLY=($(compgen -P "$before" -W "$1" -- "$last"))
}
_hyperplane_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -f -- "$cur"))
}
_hyperplane_folders() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -d -- "$cur"))
}
_hyperplane() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command= given=0 skip= word i
  COMPREPLY=()
  # bash takes the = of --flag=value for a word.
  if [[ $cur == '=' ]]; then cur=; elif [[ $prev == '=' && $COMP_CWORD -gt 1 ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ -n $skip ]]; then skip=; [[ $word == '=' ]] && skip=1; continue; fi
    case "$command $word" in
${indented(
  nodes
    .filter(({ path }) => path.length > 0)
    .map(({ path }) =>
      caseLine([`${path.slice(0, -1).join(' ')} ${path.at(-1)}`], `command='${path.join(' ')}'; given=0`),
    ),
  6,
)}
${indented(
  nodes.flatMap(({ path, options }) => {
    const taking = options.filter(({ value }) => value).flatMap(({ flags }) => flags)
    return taking.length > 0
      ? [
          caseLine(
            taking.map((flag) => `${path.join(' ')} ${flag}`),
            'skip=1',
          ),
        ]
      : []
  }),
  6,
)}
      *' '-*) ;;
      *) given=$((given + 1)) ;;
    esac
  done
  case "$command $prev" in
${indented(nodes.flatMap(valueCases), 4)}
  esac
  if [[ $cur == -* ]]; then
    case $command in
${indented(
  nodes.map(({ path, options }) => caseLine([path.join(' ')], words(options.flatMap(({ flags }) => flags)))),
  6,
)}
    esac
    return
  fi
  case "$command $given" in
${indented(nodes.flatMap(argumentCases), 4)}
  esac
}
complete -F _hyperplane hyperplane
`
}

/** What the value of an option is completed with. */
function valueCases({ path, options }: CommandNode): string[] {
  return options.flatMap(({ flags, value }) =>
    value
      ? [
          caseLine(
            flags.map((flag) => `${path.join(' ')} ${flag}`),
            `${action(value)}; return`,
          ),
        ]
      : [],
  )
}

/** What a word is completed with that is no option: by how many came before it. */
function argumentCases({ path, commands, arguments: own }: CommandNode): string[] {
  const name = path.join(' ')
  if (commands.length > 0)
    return [caseLine([`${name} 0`], words(commands.map((one) => one.path.at(-1) ?? '')))]
  return own.map((value, k) => {
    const isLast = k === own.length - 1
    return `${quoted(`${name} `)}${isLast ? '*' : k}) ${action(value)} ;;`
  })
}

function action(value: Completion): string {
  if (value.kind === 'words')
    return value.isList ? `_hyperplane_list ${quoted(value.words.join(' '))}` : words(value.words)
  return value.kind === 'nothing' ? ':' : `_hyperplane_${value.kind}`
}

function words(list: readonly string[]): string {
  return `_hyperplane_words ${quoted(list.join(' '))}`
}

function caseLine(patterns: readonly string[], code: string): string {
  return `${patterns.map(quoted).join(' | ')}) ${code} ;;`
}

function indented(lines: readonly string[], by: number): string {
  return lines.map((line) => `${' '.repeat(by)}${line}`).join('\n')
}
