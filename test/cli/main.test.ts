import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { cliInFolder } from './run-cli.ts'

const { run, feed } = cliInFolder()
const commands = [
  ...['demo', 'train', 'predict', 'evaluate', 'compare', 'scale', 'info', 'generate', 'lab', 'completion'],
]

describe('hyperplane', () => {
  it('explains itself and every command, with an example', async () => {
    const { code, stdout } = await run('--help')
    expect(code).toBe(0)
    for (const command of commands) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'))
    const helps = await Promise.all(commands.map((command) => run(command, '--help')))
    helps.forEach((help, k) => {
      expect([help.code, help.stderr]).toEqual([0, ''])
      expect(help.stdout).toMatch(new RegExp(`Examples?:\\n  \\$ hyperplane ${commands[k]}`))
    })
    const sub = await run('generate', 'spirals', '--help')
    expect(sub.stdout).toContain('$ hyperplane generate spirals')
    expect((await run('help', 'train')).stdout).toContain('--kernel')
  })

  it('prints the version of the package', async () => {
    const { stdout } = await run('--version')
    expect(stdout).toBe(`${packageJson.version}\n`)
  })

  it('shows its help on stderr when nothing is asked for', async () => {
    const { code, stdout, stderr } = await run()
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('Usage: hyperplane')
  })

  it('says plainly that a name is no file, however odd', async () => {
    const { code, stderr } = await run('train', 'x'.repeat(5000))
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error: x+: name too long\n$/)
  })

  const misuse: [string, string[], RegExp][] = [
    [
      'an unknown command',
      ['trian'],
      /^error: unknown command 'trian' \(did you mean train\?\); allowed: demo, train, /,
    ],
    [
      'an unknown option',
      ['evaluate', '--jsn', 'a', 'b'],
      /^error: evaluate: unknown option '--jsn' \(did you mean --json\?\)\n$/,
    ],
    [
      'an option that resembles none',
      ['evaluate', '--frobnicate', 'a', 'b'],
      /^error: evaluate: unknown option '--frobnicate'; allowed: (--[\w-]+, )+--json, --quiet, --verbose, --help\n$/,
    ],
    ['a missing argument', ['train'], /^error: train: missing required argument 'data'\n$/],
    ['an argument too many', ['info', 'a', 'b'], /^error: info: too many arguments.*\n$/],
    [
      'an unknown generator',
      ['generate', 'stars'],
      /^error: generate: unknown command 'stars'; allowed: blobs, moons, /,
    ],
    ['a bad number', ['train', 'x', '--C', 'one'], /^error: train: --C must be a number, got "one"\n$/],
    ['a number out of range', ['train', 'x', '--C', '-1'], /^error: train: --C must be > 0, got -1\n$/],
    [
      'a bad choice',
      ['train', 'x', '--kernel', 'rfb'],
      /^error: train: --kernel must be one of linear, poly, rbf, sigmoid, precomputed, got "rfb" \(did you mean rbf\?\)\n$/,
    ],
    [
      'a bad gamma',
      ['train', 'x', '--gamma', 'wide'],
      /^error: train: --gamma must be a number, scale or auto, got "wide"\n$/,
    ],
    [
      'a flag the kernel would ignore',
      ['train', 'x', '--kernel', 'linear', '--degree', '2'],
      /^error: train: --degree does not apply to the linear kernel\n$/,
    ],
    [
      'an unknown solver',
      ['compare', 'x', '--solvers', 'smo,smu'],
      /^error: compare: --solvers must be one of .*, got "smu" \(did you mean smo\?\)\n$/,
    ],
    [
      'bad class weights',
      ['train', 'x', '--class-weight', '1'],
      /^error: train: --class-weight must be balanced or LABEL=WEIGHT,LABEL=WEIGHT, got "1"\n$/,
    ],
    [
      'scaling asked for twice',
      ['scale', 'x', '--restore', 'r', '--lower', '0'],
      /^error: scale: --lower cannot be used together with --restore\n$/,
    ],
    [
      'a bad option of a generator',
      ['generate', 'moons', '-n', '1'],
      /^error: generate moons: --n must be a whole number >= 2/,
    ],
  ]
  it.concurrent.each(misuse)('refuses %s with exit code 2 and one line', async (_, args, message) => {
    const { code, stdout, stderr } = await run(...args)
    expect(stderr).toMatch(message)
    expect(stderr.split('\n')).toHaveLength(2)
    expect([code, stdout]).toEqual([2, ''])
  })

  it('answers bad data with exit code 1 and the place of the defect', async () => {
    const missing = await run('train', 'no-such-file')
    expect(missing).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: no-such-file: no such file or directory\n',
    })
    const broken = await feed('1 1:0.5\n-1 1:x\n', 'train', '-')
    expect([broken.code, broken.stdout]).toEqual([1, ''])
    expect(broken.stderr).toMatch(/^error: <stdin>:2:\d+: .*\n$/)
    const oneClass = await feed('1 1:0.5\n1 1:2\n', 'train', '-')
    expect([oneClass.code, oneClass.stdout]).toEqual([1, ''])
    expect(oneClass.stderr).toMatch(/^error: SVC: .*two classes are needed\n$/)
  })

  it('shows where an error came from only when asked', async () => {
    const { stderr } = await run('info', 'no-such-file', '--verbose')
    expect(stderr).toMatch(/^error: no-such-file: no such file or directory\n/)
    expect(stderr).toMatch(/\n {4}at /)
  })
})
