/** `liblinear-train` and `liblinear-predict` as they are installed: beside Debian's, by golden values, and when they are misused. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { generate, writeDataset } from 'hyperplane/node'
import { describe, expect, test } from 'vitest'
import { expectClose } from '../../close.ts'
import { toolFolder, toolsInstalled } from '../../suites/installed-tools.ts'
import { ourCommands } from '../run-cli.ts'

const installed = toolsInstalled('liblinear-tools', ['liblinear-train', 'liblinear-predict'])
const { path, write, read, run } = toolFolder()
const golden: {
  readonly data: Record<string, string>
  readonly values: Record<string, { options: string[]; objective: number; cv: string; search?: string }>
} = JSON.parse(readFileSync(new URL('../../golden/liblinear-commands.json', import.meta.url), 'utf8'))

type Command = 'liblinear-train' | 'liblinear-predict'

const { ours, done } = ourCommands<Command>(path(''))

for (const [name, text] of Object.entries(golden.data)) write(name, text)
const inFolder = { cwd: path(''), encoding: 'utf8' } as const

const cases = Object.entries(golden.values).map(([name, known]) => {
  const [s, set] = name.split(' ')
  return { s, set, known }
})

/** The values of lines such as `Objective value = -12.5`, added up. */
function objective(text: string): number {
  return [...text.matchAll(/^Objective value = (.*)$/gm)].reduce((sum, [, value]) => sum + Number(value), 0)
}

describe.each(cases)('-s $s on $set', ({ s, set, known }) => {
  const { options } = known

  test('the objective and the lines of -v are those of LIBLINEAR at a tight tolerance', () => {
    const value = objective(done('liblinear-train', '-s', s, '-e', '1e-4', ...options, set, `${s}.ours`))
    // LIBLINEAR prints six digits after the point.
    expect(Math.abs(Math.abs(value) - known.objective)).toBeLessThan(1e-6 * known.objective + 2e-6)
    expect(done('liblinear-train', '-q', '-s', s, '-e', '1e-7', '-v', '4', ...options, set)).toBe(known.cv)
  })

  test.skipIf(!installed)('and those of -v at the default one, too', () => {
    const words = ['-q', '-s', s, '-v', '5', '-B', '1']
    expect(done('liblinear-train', ...words, set)).toBe(run('liblinear-train', words, set))
  })

  test.skipIf(!installed)('models of either side in predict of either side', () => {
    done('liblinear-train', '-q', '-s', s, '-e', '1e-4', ...options, set, 'model.ours')
    run('liblinear-train', ['-q', '-s', s, '-e', '1e-8', ...options], set, 'model.theirs')
    const said = ['model.ours', 'model.theirs'].flatMap((model) => {
      const b = ['0', '6', '7'].includes(s) ? ['-b', '1'] : []
      const here = done('liblinear-predict', ...b, set, model, 'out.ours')
      const there = run('liblinear-predict', b, set, model, 'out.theirs')
      expect(here).toBe(there)
      const [a, b2] = ['out.ours', 'out.theirs'].map((name) => read(name).trim().split(/\s+/).map(Number))
      for (const [k, value] of a.entries()) {
        if (Number.isFinite(b2[k])) expect(value).toBeCloseTo(b2[k], 5)
      }
      return [here]
    })
    expect(said).toHaveLength(2)
    expect(read('model.ours').split('\n').slice(0, 3)).toEqual(read('model.theirs').split('\n').slice(0, 3))
  })
})

test.each([
  ['0', 'two'],
  ['2', 'four'],
])('-C finds the C that LIBLINEAR finds: -s %s on %s', (s, set) => {
  const text = done('liblinear-train', '-C', '-s', s, '-e', '1e-6', '-v', '4', set)
  expect(text.split('\n').at(-2)).toBe(golden.values[`${s} ${set}`].search)
})

test.skipIf(!installed).each([
  ['0', 'two', ''],
  ['2', 'two', '-w1 3 -B 1'],
  ['0', 'four', ''],
  ['2', 'four', '-w4 2'],
  ['11', 'curve', '-p 0.2'],
])('-C says line by line what LIBLINEAR says at its default tolerance: -s %s on %s %s', (s, set, more) => {
  const words = ['-C', '-s', s, '-v', '4', ...more.split(' ').filter((word) => word !== ''), set]
  expect(done('liblinear-train', ...words)).toBe(spawnSync('liblinear-train', words, inFolder).stdout)
})

describe.skipIf(!installed)('exit codes are those of LIBLINEAR', () => {
  test.each([
    [['-q', 'two', 'exit.model']],
    [['-q', '-v', '3', 'four']],
    [['-s', '9', 'two']],
    [['-c', '0', 'two']],
    [['-p', '-1', 'curve']],
    [['-v', '1', 'two']],
    [['-z', '1', 'two']],
    [['-C', '-s', '3', 'two']],
    [['no-such-file']],
    [[]],
  ])('%j', (words) => {
    expect(ours('liblinear-train', ...words).status).toBe(
      spawnSync('liblinear-train', words, inFolder).status,
    )
  })

  test.each(['0', '1', '2', '3', '4', '5', '6', '7'])(
    'data of a single class make a model of one label, -s %s',
    (s) => {
      write('single', '3 1:1 2:0.5\n3 1:2\n3 2:1 3:1\n')
      const words = ['-s', s, ...(s === '4' ? [] : ['-B', '1', '-w3', '2'])]
      run('liblinear-train', [...words, '-e', '1e-9'], 'single', 'single.theirs')
      const said = done('liblinear-train', ...words, '-e', '1e-6', 'single', 'single.ours')
      expect(said).toMatch(/^optimization finished, #iter = \d+$/m)
      const [own, known] = ['ours', 'theirs'].map((who) => read(`single.${who}`).trim().split('\n'))
      expect(own.slice(0, 6)).toEqual(known.slice(0, 6).map((line) => line.trim()))
      expectClose(own.slice(6).map(Number), known.slice(6).map(Number), 1e-4)
      const b = ['0', '6', '7'].includes(s) ? ['-b', '1'] : []
      const here = done('liblinear-predict', ...b, 'single', 'single.ours', 'a')
      expect(here).toBe(run('liblinear-predict', b, 'single', 'single.theirs', 'b'))
      expect(read('a')).toBe(read('b'))
    },
  )
})

test('a bias of weight 0 is written, as LIBLINEAR writes it', () => {
  write('far', '1 1:1\n-1 1:-1\n1 1:2\n-1 1:-2\n')
  done('liblinear-train', '-q', '-s', '6', '-c', '0.1', '-B', '0.5', 'far', 'far.model')
  expect(read('far.model')).toMatch(/\nnr_feature 1\nbias 0.5\nw\n\S+\s*\n0\s*\n$/)
})

test.each([
  ['1', 'far'],
  ['4', 'far'],
  ['11', 'far'],
  ['2', 'alone'],
])('so is the feature of zeros of -B 0: -s %s on %s', (s, set) => {
  write('far', '1 1:1\n-1 1:-1\n1 1:2\n-1 1:-2\n')
  write('alone', '1 1:1\n1 1:2\n')
  done('liblinear-train', '-q', '-s', s, '-B', '0', set, 'zero.model')
  expect(read('zero.model')).toMatch(/\nnr_feature 1\nbias 0\nw\n\S+( \S+)?\s*\n0( 0)?\s*\n$/)
  expect(done('liblinear-predict', set, 'zero.model', 'zero.out')).not.toBe('')
})

test('-s 21 and -R, which LIBLINEAR has since 2.40', () => {
  done('liblinear-train', '-q', '-s', '21', '-n', '0.2', 'two', 'one.model')
  expect(read('one.model')).toMatch(/^solver_type ONECLASS_SVM\n(.*\n)*rho /)
  expect(done('liblinear-predict', 'two', 'one.model', 'one.out')).toMatch(/^Accuracy = /)
  done('liblinear-train', '-q', '-s', '2', '-B', '1', '-R', 'two', 'free.model')
  expect(read('free.model')).toMatch(/^solver_type L2R_L2LOSS_SVC\n/)
})

const hasTaskset = spawnSync('taskset', ['-c', '0', 'true']).status === 0

test.skipIf(!hasTaskset)(
  'threads that take turns with many classes write the model of one thread',
  async () => {
    const shape = { n: 8000, centers: 10, classes: 10, features: 40, spread: 5, seed: 4 }
    await writeDataset(path('blobs'), generate('blobs', shape), { format: 'libsvm' })
    const words = ['-q', '-s', '1', '-c', '0.01', 'blobs']
    done('liblinear-train', ...words, 'shared.model')
    const script = fileURLToPath(new URL('../../../dist/cli/liblinear-train.js', import.meta.url))
    const alone = spawnSync(
      'taskset',
      ['-c', '0', process.execPath, script, ...words, 'alone.model'],
      inFolder,
    )
    expect(alone).toMatchObject({ status: 0, stderr: '' })
    expect(read('shared.model')).toMatch(/^solver_type L2R_L2LOSS_SVC_DUAL\nnr_class 10\n/)
    expect(read('shared.model')).toBe(read('alone.model'))
  },
)

describe('misuse', () => {
  write('beyond', '1 3000000000:1\n-1 1:-1\n')
  test.each<[Command, string[], string, boolean]>([
    ['liblinear-train', [], '', true],
    ['liblinear-train', ['-s', '9', 'two'], 'ERROR: unknown solver type', false],
    ['liblinear-train', ['-c', '-1', 'two'], 'ERROR: C <= 0', false],
    ['liblinear-train', ['-e', '0', 'two'], 'ERROR: eps <= 0', false],
    ['liblinear-train', ['-v', '1', 'two'], 'n-fold cross validation: n must >= 2', true],
    ['liblinear-train', ['-C', '-s', '3', 'two'], 'Warm-start parameter search only available', true],
    ['liblinear-train', ['-R', 'two'], 'ERROR: -R works for', false],
    ['liblinear-train', ['none'], 'none: no such file', false],
    ['liblinear-train', ['curve'], 'number the classes, or train on targets with -s 11, 12 or 13', false],
    ['liblinear-train', ['beyond'], 'beyond: indices must be at most 2147483647, got 3000000000', false],
    ['liblinear-predict', ['two'], '', true],
  ])('%s %j', (command, words, message, showsUsage) => {
    const { status, stdout, stderr } = ours(command, ...words)
    expect(status).toBe(1)
    expect(stderr).toContain(message)
    expect(stdout.startsWith('Usage: ')).toBe(showsUsage)
  })

  test('probabilities of what is no logistic regression are refused, and nothing is written', () => {
    done('liblinear-train', '-q', 'two', 'plain.model')
    const { status, stderr } = ours('liblinear-predict', '-b', '1', 'two', 'plain.model', 'none.out')
    expect(status).toBe(1)
    expect(stderr).toContain('probability output is only supported for logistic regression')
    expect(existsSync(path('none.out'))).toBe(false)
  })
})
