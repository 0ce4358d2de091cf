import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { cliInFolder } from '../run-cli.ts'

const { folder, path, run } = cliInFolder()
const scripts: Record<string, string> = {}
/** With CI=true a shell that is missing fails; elsewhere its tests are skipped, and it is said. */
const has = (program: string) => {
  const isThere = spawnSync(program, ['--version']).status === 0
  if (!isThere) console.warn(`skipped: completion in ${program}, which is not installed`)
  return isThere || process.env.CI === 'true'
}

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout, stderr } = await run('completion', shell)
    expect([code, stderr]).toEqual([0, ''])
    scripts[shell] = stdout
    writeFileSync(path(`hyperplane.${shell}`), stdout)
  }
  writeFileSync(path('moons data.csv'), '')
  writeFileSync(path('moons.json'), '')
  mkdirSync(path('shards'))
})

/** What bash offers for the last of the words. */
function bashOffers(...words: string[]): string[] {
  const program = `source ./hyperplane.bash
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
$(complete -p hyperplane | sed 's/.*-F \\([^ ]*\\).*/\\1/')
printf '%s\\n' "\${COMPREPLY[@]}"`
  const text = execFileSync('bash', ['-c', program, 'bash', ...words], { cwd: folder, encoding: 'utf8' })
  return text
    .split('\n')
    .filter((line) => line !== '')
    .sort()
}

describe.runIf(has('bash'))('bash', () => {
  it('completes commands, flags, values and files', () => {
    expect(bashOffers('hyperplane', 'tr')).toEqual(['train'])
    expect(bashOffers('hyperplane', 'train', '--ker')).toEqual(['--kernel'])
    expect(bashOffers('hyperplane', 'train', '--kernel', 's')).toEqual(['sigmoid'])
    expect(bashOffers('hyperplane', 'train', '--kernel', '=', 'p')).toEqual(['poly', 'precomputed'])
    expect(bashOffers('hyperplane', 'train', 'moo')).toEqual(['moons data.csv', 'moons.json'])
    expect(bashOffers('hyperplane', 'train', 'moons.json', '-o', 'moons.')).toEqual(['moons.json'])
    expect(bashOffers('hyperplane', 'shard', 'x', '--output', 's')).toEqual(['shards'])
    expect(bashOffers('hyperplane', 'cv', 'x', '--scoring', 'accuracy,f')).toEqual([
      'accuracy,f1',
      'accuracy,f1-macro',
    ])
    expect(bashOffers('hyperplane', 'generate', 'mo')).toEqual(['moons'])
    expect(bashOffers('hyperplane', 'generate', 'moons', '--noi')).toEqual(['--noise'])
    expect(bashOffers('hyperplane', 'queue', 'redis://host', 'st')).toEqual(['status'])
    expect(bashOffers('hyperplane', 'completion', '')).toEqual(['bash', 'fish', 'zsh'])
    expect(bashOffers('hyperplane', 'train', '--C', '1', '--qui')).toEqual(['--quiet'])
    // A value that reads like a command is none.
    expect(bashOffers('hyperplane', 'train', '--label', 'cv', '--ker')).toEqual(['--kernel'])
  })

  it('knows every flag of every command', async () => {
    for (const command of ['train', 'tune', 'cv', 'predict', 'worker']) {
      const { stdout } = await run(command, '--help')
      const flags = [
        ...new Set(Array.from(stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm), ([, flag]) => flag)),
      ]
      expect(flags.length).toBeGreaterThan(5)
      expect(bashOffers('hyperplane', command, '--')).toEqual(expect.arrayContaining(flags))
    }
  })
})

/** Lines as they stand after the Tab key, in an interactive zsh on its own terminal. */
function zshCompletes(...lines: string[]): string[] {
  writeFileSync(
    path('.zshrc'),
    `PROMPT= RPS1=
autoload -Uz compinit; compinit -u -D
source ./hyperplane.zsh
zle -C complete-word .complete-word _main_complete
show() { zle complete-word; print -r -- "<$BUFFER>"; exit }
zle -N show
bindkey '^X' show
print READY`,
  )
  writeFileSync(
    path('type.zsh'),
    `zmodload zsh/zpty
for text in "$@"; do
  zpty shell "ZDOTDIR='$PWD' zsh -d -i"
  zpty -r -m shell line '*READY*'
  zpty -w -n shell "$text"$'\\x18'
  zpty -r -m shell line '*<*>*'
  [[ $line =~ '<([^>]*)>' ]] && print -r -- "$match[1]"
  zpty -d shell
done`,
  )
  const text = execFileSync('zsh', ['-f', 'type.zsh', ...lines], { cwd: folder, encoding: 'utf8' })
  return text.split('\n').slice(0, -1)
}

/** What fish offers at the end of each line, without descriptions. */
function fishOffers(...lines: string[]): string[][] {
  const program = `source ./hyperplane.fish; for line in $argv; complete -C "$line"; echo ==; end`
  const words = ['--no-config', '-c', program, ...lines]
  const text = execFileSync('fish', words, { cwd: folder, encoding: 'utf8' })
  return text
    .split('==\n')
    .slice(0, -1)
    .map((part) =>
      part
        .split('\n')
        .slice(0, -1)
        .map((line) => line.split('\t')[0]),
    )
}

describe('the other shells', () => {
  it.runIf(has('zsh'))('zsh completes commands, flags, values and files', () => {
    const lines = {
      'hyperplane tr': 'hyperplane train ',
      'hyperplane train --ker': 'hyperplane train --kernel',
      'hyperplane train --kernel s': 'hyperplane train --kernel sigmoid ',
      'hyperplane train --kernel=s': 'hyperplane train --kernel=sigmoid ',
      'hyperplane train --label cv -o moons.': 'hyperplane train --label cv -o moons.json ',
      'hyperplane shard x --output s': 'hyperplane shard x --output shards/',
      'hyperplane generate moons --noi': 'hyperplane generate moons --noise',
      'hyperplane cv x --scoring accuracy,f1-': 'hyperplane cv x --scoring accuracy,f1-macro,',
    }
    // Behind a flag zsh adds a space or =, as its version likes.
    const bare = (line: string) => line.replace(/(--kernel|--noise)[ =]$/, '$1')
    expect(zshCompletes(...Object.keys(lines)).map(bare)).toEqual(Object.values(lines))
  })

  it.runIf(has('fish'))('fish completes commands, flags, values and files', () => {
    const lines = {
      'hyperplane tr': ['train'],
      'hyperplane train --ker': ['--kernel'],
      'hyperplane train --kernel s': ['sigmoid'],
      'hyperplane train --kernel=s': ['--kernel=sigmoid'],
      'hyperplane train moo': ['moons data.csv', 'moons.json'],
      'hyperplane train x -o moons.': ['moons.json'],
      'hyperplane shard x --output s': ['shards/'],
      'hyperplane generate mo': ['moons'],
      'hyperplane generate moons --noi': ['--noise'],
      'hyperplane queue redis://host st': ['status'],
      'hyperplane completion ': ['bash', 'fish', 'zsh'],
      'hyperplane cv x --scoring accuracy,f1': ['accuracy,f1', 'accuracy,f1-macro'],
      // A value that reads like a command is none.
      'hyperplane predict --label cv --fol': [],
    }
    expect(fishOffers(...Object.keys(lines))).toEqual(Object.values(lines))
  })

  it('get every command, and what values may be', () => {
    expect(scripts.zsh).toMatch(/^#compdef hyperplane\n/)
    expect(scripts.zsh).toContain(':value:(linear poly rbf sigmoid precomputed)')
    expect(scripts.fish).toContain(`-l kernel -x -a 'linear poly rbf sigmoid precomputed'`)
    for (const command of ['train', 'learning-curve', 'completion']) {
      expect(scripts.zsh).toContain(`_hyperplane_${command.replaceAll('-', '_')}() {`)
      expect(scripts.fish).toContain(`-a '${command}' -d `)
    }
  })
})
