import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { cliInFolder } from '../run-cli.ts'

const { folder, path, run } = cliInFolder()
const scripts: Record<string, string> = {}
const has = (program: string) => spawnSync(program, ['--version']).status === 0

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

describe('the other shells', () => {
  it.runIf(has('zsh'))('zsh reads its script', () => {
    expect(spawnSync('zsh', ['-n', path('hyperplane.zsh')]).status).toBe(0)
  })
  it.runIf(has('fish'))('fish reads its script', () => {
    expect(spawnSync('fish', ['--no-execute', path('hyperplane.fish')]).status).toBe(0)
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
