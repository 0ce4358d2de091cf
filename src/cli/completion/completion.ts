/** `hyperplane completion SHELL`: a script that lets the shell complete commands, flags and values. */
import type { Command } from 'commander'
import { subcommand } from '../options/options.ts'
import { bashCompletion } from './bash-completion.ts'
import { commandTree } from './command-tree.ts'
import { fishCompletion } from './fish-completion.ts'
import { zshCompletion } from './zsh-completion.ts'

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const

/** Adds arguments, options and action. All other commands must be configured, too: the script is made of their tables. */
export function configure(command: Command): void {
  subcommand({
    arguments: { '<shell>': { help: 'bash, zsh or fish', choices: Object.keys(SHELLS) } },
    options: {},
    notes: `Examples:
  $ hyperplane completion bash > ~/.local/share/bash-completion/completions/hyperplane
  $ source <(hyperplane completion bash)   # in this shell, or in ~/.bashrc
  $ source <(hyperplane completion zsh)    # in ~/.zshrc, after compinit
  $ hyperplane completion fish > ~/.config/fish/completions/hyperplane.fish`,
    async run(_flags, shell) {
      const script = SHELLS[shell as keyof typeof SHELLS](commandTree(command.parent as Command))
      process.stdout.write(script)
    },
  })(command)
}
