/** Completion for zsh, by its `_arguments`. */
import { allNodes, type CommandNode, type Completion, quoted } from './command-tree.ts'

/** The script that goes into a folder of `fpath` as `_hyperplane`, or is read by `source <(hyperplane completion zsh)`. */
export function zshCompletion(root: CommandNode): string {
  return `#compdef hyperplane
# Completion of hyperplane for zsh. In ~/.zshrc, after compinit: source <(hyperplane completion zsh)
${allNodes(root).map(commandFunction).join('\n')}
if [[ $funcstack[1] == _hyperplane ]]; then _hyperplane "$@"; else compdef _hyperplane hyperplane; fi
`
}

function commandFunction({ path, options, arguments: own, commands }: CommandNode): string {
  const specs = options.map(({ flags, help, value, repeats }) => {
    const text = `[${escaped(help)}]${value ? `:value:${action(value)}` : ''}`
    // --flag=value is offered beside --flag value.
    const spelled = flags.map((flag) => (value && flag.startsWith('--') ? `${flag}=` : flag))
    const names = spelled.length > 1 ? `{${spelled.join(',')}}` : spelled[0]
    const before = repeats ? quoted('*') : flags.length > 1 ? quoted(`(${flags.join(' ')})`) : ''
    return `${before}${names}${quoted(text)}`
  })
  const words =
    commands.length > 0
      ? [quoted(`1:command:->command`), quoted('*::word:->word')]
      : own.map((value, k) => quoted(`${k === own.length - 1 ? '*' : k + 1}:word:${action(value)}`))
  const name = functionName(path)
  const body = `  _arguments -s -S ${[...specs, ...words].join(' \\\n    ')}`
  if (commands.length === 0) return `${name}() {\n${body}\n}`
  const described = commands.map((one) => quoted(`${one.path.at(-1)}:${one.summary.replaceAll(':', '\\:')}`))
  return `${name}() {
  local state line curcontext=$curcontext
  local -a found
${body}
  case $state in
    command) found=(${described.join(' ')}); _describe command found ;;
    word) case $line[1] in
${commands.map((one) => `      ${one.path.at(-1)}) ${functionName(one.path)} ;;`).join('\n')}
    esac ;;
  esac
}`
}

function functionName(path: readonly string[]): string {
  return ['_hyperplane', ...path].join('_').replaceAll('-', '_')
}

function action(value: Completion): string {
  if (value.kind === 'files') return '_files'
  if (value.kind === 'folders') return '_files -/'
  if (value.kind !== 'words') return ' '
  const list = value.words.join(' ')
  return value.isList ? `_values -s , word ${list}` : `(${list})`
}

/** Brackets and colons mean something inside a description. */
function escaped(help: string): string {
  return help.replaceAll(/[[\]:\\]/g, '\\$&')
}
