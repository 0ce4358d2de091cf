/** `svm-train`, `svm-predict` and `svm-scale` as they are installed: beside Debian's, and when they are misused. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { percentG } from '../../../src/cli/libsvm/c-format.ts'
import { formatLibsvm } from '../../../src/data/libsvm/libsvm-writer.ts'
import { toolFolder, toolsInstalled } from '../../suites/installed-tools.ts'
import { clouds, curve, kernelRows } from '../../suites/tool-data.ts'
import { ourCommands } from '../run-cli.ts'

const installed = toolsInstalled('libsvm-tools', ['svm-train', 'svm-predict', 'svm-scale'])
const { path, write, read, run } = toolFolder()

type Command = 'svm-train' | 'svm-predict' | 'svm-scale'

const { ours, done } = ourCommands<Command>(path(''))

const two = clouds(1, 120, [1, -1])
const ten = clouds(2, 300, [4, 0, 3, 8, 1, 2, 9, 7, 6, 5])
const gram = { ...two, samples: kernelRows(two.samples, two.samples) }
const wave = curve(3, 120)

describe.skipIf(!installed)('models of either side in svm-predict of either side', () => {
  test.each([
    ['c-svc, two classes', two, clouds(5, 80, [1, -1]), ['-s', '0', '-b', '1'], 1],
    [
      'c-svc, ten classes, weighted',
      ten,
      clouds(5, 80, [4, 0, 3, 8, 1]),
      ['-s', '0', '-b', '1', '-w3', '2'],
      1,
    ],
    [
      'nu-svc, ten classes, polynomial',
      ten,
      clouds(6, 80, [4, 0, 3, 8, 1]),
      ['-s', '1', '-t', '1', '-r', '1'],
      1,
    ],
    ['c-svc, precomputed', gram, gram, ['-s', '0', '-t', '4'], 0],
    ['one-class, sigmoid', two, clouds(7, 80, [1, -1]), ['-s', '2', '-t', '3', '-g', '0.03'], 1],
    ['epsilon-svr, linear', wave, curve(8, 80), ['-s', '3', '-t', '0', '-b', '1'], 1],
    ['nu-svr', wave, curve(9, 80), ['-s', '4'], 1],
  ] as const)('%s', (_, train, unseen, options, indexBase) => {
    write('train', formatLibsvm(train, { indexBase }))
    write('test', formatLibsvm(unseen, { indexBase }))
    const text = done('svm-train', ...options, 'train', 'our.model')
    expect(text).toMatch(/^optimization finished, #iter = \d+$/m)
    run('svm-train', ['-q', ...options], 'train', 'their.model')
    for (const model of ['our.model', 'their.model']) {
      for (const flags of (options as readonly string[]).includes('-b') ? [[], ['-b', '1']] : [[]]) {
        const said = done('svm-predict', ...flags, 'test', model, 'our.out')
        const theirs = run('svm-predict', flags, 'test', model, 'their.out')
        const [a, b] = [read('our.out'), read('their.out')].map(words)
        expect(a.length).toBe(b.length)
        a.forEach((line, i) => {
          expect(line.length).toBe(b[i].length)
          line.forEach((word, k) => {
            if (Number.isNaN(Number(word))) expect(word).toBe(b[i][k])
            else expect(Math.abs(Number(word) - Number(b[i][k]))).toBeLessThanOrEqual(1e-5)
          })
        })
        expect(said.replace(/[\d.]+(e-\d+)?/g, '#')).toBe(theirs.replace(/[\d.]+(e-\d+)?/g, '#'))
        numbers(said).forEach((value, k) => {
          expect(Math.abs(value - numbers(theirs)[k])).toBeLessThanOrEqual(2e-5 * (1 + Math.abs(value)))
        })
      }
    }
  })

  test('without a name the model is called after the data, in the folder at hand', () => {
    write('named', formatLibsvm(two))
    expect(done('svm-train', '-q', path('named'))).toBe('')
    expect(existsSync(path('named.model'))).toBe(true)
    expect(done('svm-predict', '-q', 'named', 'named.model', 'out')).toBe('')
  })

  test('one class in the data: a model that always says it', () => {
    write('one', '4 1:1\n4 1:2\n')
    expect(done('svm-train', 'one', 'our.model')).toBe(run('svm-train', [], 'one', 'their.model'))
    expect(read('our.model').replaceAll(' ', '')).toBe(read('their.model').replaceAll(' ', ''))
    expect(done('svm-train', '-v', '2', 'one')).toBe(run('svm-train', ['-v', '2'], 'one'))
    done('svm-predict', 'one', 'their.model', 'out')
    expect(read('out')).toBe('4\n4\n')
  })

  test('more folds than samples', () => {
    write('few', '1 1:1\n2 1:2\n1 1:3\n')
    const theirs = spawnSync('svm-train', ['-q', '-v', '7', path('few')], { encoding: 'utf8' })
    const { status, stdout, stderr } = ours('svm-train', '-q', '-v', '7', 'few')
    expect([status, stdout, stderr]).toEqual([0, theirs.stdout, theirs.stderr])
  })

  test('weights of classes that do not occur are warned of', () => {
    write('train', formatLibsvm(two))
    const { stderr } = spawnSync('svm-train', ['-q', '-w5', '2', path('train'), path('m')], {
      encoding: 'utf8',
    })
    expect(ours('svm-train', '-q', '-w5', '2', 'train', 'm')).toMatchObject({ status: 0, stderr })
  })
})

describe.skipIf(!installed)('svm-scale', () => {
  const random = new Random(4)
  const rows = Array.from({ length: 40 }, (_, i) => {
    const values = Array.from({ length: 6 }, (_value, j) =>
      random.uniform() < 0.3 ? 0 : random.normal() * 10 ** j,
    )
    return `${i % 3} ${values.map((value, j) => `${j + 1}:${value}`).join(' ')}`
  })
  // A feature that is constant, one that training does not have, and one that it alone has.
  write('data', `${rows.map((row) => `${row} 7:5 9:${row.length}`).join('\n')}\n`)
  write(
    'more',
    `${rows
      .slice(0, 9)
      .map((row) => `${row} 8:3`)
      .join('\n')}\n`,
  )

  test.each([
    [[]],
    [['-l', '0']],
    [['-l', '-2', '-u', '5']],
    [['-y', '-1', '1']],
    [['-l', '0', '-u', '1', '-y', '10', '20']],
  ])('%s', (options) => {
    const scaled = ours('svm-scale', ...options, '-s', 'our.range', 'data')
    expect(scaled.status).toBe(0)
    expectValues(scaled.stdout, theirScale(...options, '-s', path('their.range'), path('data')))
    expect(words(read('our.range')).map((line) => line.map(asNumber))).toEqual(
      words(read('their.range')).map((line) => line.map(asNumber)),
    )
    for (const range of ['our.range', 'their.range']) {
      const again = ours('svm-scale', '-r', range, 'more')
      expectValues(again.stdout, theirScale('-r', path(range), path('more')))
    }
  })

  function theirScale(...args: readonly string[]): string {
    return spawnSync('svm-scale', args, { encoding: 'utf8' }).stdout
  }

  /** Theirs has six digits; ours has all, and the same six. */
  function expectValues(found: string, wanted: string): void {
    const shortened = words(found).map(([label, ...entries]) => [
      Number(label),
      ...entries.map((entry) => entry.replace(/:.*/, (value) => `:${percentG(Number(value.slice(1)))}`)),
    ])
    expect(shortened).toEqual(words(wanted).map(([label, ...entries]) => [Number(label), ...entries]))
  }
})

describe('what LIBSVM does besides', () => {
  test('weights of one class multiply', () => {
    write('weighed', formatLibsvm(two))
    done('svm-train', '-q', '-w1', '2', '-w1', '3', '-w-1', '4', 'weighed', 'twice.model')
    done('svm-train', '-q', '-w1', '6', '-w-1', '4', 'weighed', 'once.model')
    expect(read('twice.model')).toBe(read('once.model'))
    done('svm-train', '-q', '-w1', '3', '-w-1', '4', 'weighed', 'last.model')
    expect(read('twice.model')).not.toBe(read('last.model'))
  })

  test.skipIf(!installed)(
    'svm-scale warns of features without a range, and of zeros that are none any more',
    () => {
      write('seen', '1 1:1 3:2\n-1 1:2\n')
      write('unseen', '1 1:1 2:3 3:2 6:4\n-1 1:2 5:1 6:4\n')
      for (const args of [
        ['-s', 'seen.range', 'seen'],
        ['-r', 'seen.range', 'unseen'],
        ['-l', '0', 'unseen'],
        ['-l', '-1', 'unseen'],
      ]) {
        const { stdout, stderr } = ours('svm-scale', ...args)
        const theirs = spawnSync('/usr/bin/svm-scale', args, { cwd: path(''), encoding: 'utf8' })
        expect(stderr).toBe(theirs.stderr)
        expect(words(stdout)).toEqual(words(theirs.stdout))
      }
      expect(ours('svm-scale', '-r', 'seen.range', 'unseen').stderr).toContain(
        'WARNING: feature index 5 appeared in file unseen was not seen in the scaling factor file seen.range.',
      )
      expect(ours('svm-scale', 'unseen').stderr).toContain('WARNING: original #nonzeros 7\n')
    },
  )

  test('-b 1 of a regression describes its noise, when trained and when used', () => {
    write('waves', formatLibsvm(wave))
    const trained = done('svm-train', '-s', '3', '-b', '1', 'waves', 'waves.model')
    const used = done('svm-predict', '-b', '1', 'waves', 'waves.model', 'waves.out')
    const described = (space: string) =>
      'Prob. model for test data: target value = predicted value + z,\n' +
      `z: Laplace distribution e^(-|z|/sigma)/(2sigma),sigma=${space}`
    const [, sigma] = /^probA (\S+)$/m.exec(read('waves.model'))!
    for (const [lines, space] of [
      [trained, ' '],
      [used, ''],
    ] as const) {
      const at = lines.indexOf(described(space))
      expect(at).toBeGreaterThanOrEqual(0)
      expect(Number.parseFloat(lines.slice(at + described(space).length))).toBeCloseTo(Number(sigma), 4)
    }
  })

  test('-b 1 of one class marks the density, as LIBSVM does from 3.25 on', () => {
    write('normal', formatLibsvm(two))
    done('svm-train', '-s', '2', '-b', '1', '-q', 'normal', 'normal.model')
    expect(read('normal.model')).toMatch(/^prob_density_marks( \S+){10}$/m)
    done('svm-predict', '-b', '1', '-q', 'normal', 'normal.model', 'normal.out')
    const [head, first] = words(read('normal.out'))
    expect(head).toEqual(['labels', 'normal', 'outlier'])
    expect(Number(first[1]) + Number(first[2])).toBeCloseTo(1, 5)
    write('few', '1 1:1\n1 1:2\n1 1:3\n')
    const { status, stderr } = ours('svm-train', '-s', '2', '-b', '1', '-q', 'few', 'few.model')
    expect(status).toBe(1)
    expect(stderr).toContain('one class needs at least five normal samples and five outliers')
    expect(existsSync(path('few.model'))).toBe(false)
  })
})

describe('misuse', () => {
  write('good', formatLibsvm(two))
  write('words', '1 1:a\n')
  write('bad.model', 'svm_type c_svc\nkernel_type rbf\ngamma x\nnr_class 2\ntotal_sv 1\nrho 0\nSV\n1 1:1\n')
  write('bad.range', 'x\n-1 1\n1 5 2\n')

  test.each<[Command, readonly string[], RegExp]>([
    ['svm-train', [], /^$/],
    ['svm-train', ['-z', '1', 'good', 'm'], /^Unknown option: -z\n$/],
    ['svm-train', ['-s'], /^option -s needs a value\n$/],
    ['svm-train', ['-c', 'abc', 'good', 'm'], /^option -c takes a number, got 'abc'\n$/],
    ['svm-train', ['-s', '1.5', 'good', 'm'], /^option -s takes a whole number, got 1\.5\n$/],
    ['svm-train', ['-v', '1', 'good'], /^n-fold cross validation: n must >= 2\n$/],
    ['svm-train', ['-wx', '1', 'good', 'm'], /^Unknown option: -wx\n$/],
    ['svm-train', ['good', 'm', 'm2'], /^$/],
    ['svm-predict', ['good'], /^$/],
    ['svm-predict', ['-z', 'good', 'good', 'm'], /^Unknown option: -z\n$/],
    ['svm-predict', ['-b', '2', 'good', 'good', 'm'], /^option -b takes 0 or 1, got 2\n$/],
    ['svm-scale', [], /^$/],
    ['svm-scale', ['-z', '1', 'good'], /^Unknown option: -z\n$/],
    ['svm-scale', ['-y', '1'], /^option -y needs a value\n$/],
    ['svm-scale', ['-l', '1', '-u', '0', 'good'], /^the upper end must be larger than the lower one\n$/],
    ['svm-scale', ['-s', 'm', '-r', 'm', 'good'], /^-r and -s cannot be used together\n$/],
  ])('%s %j: usage', (command, args, message) => {
    const before = readdirSync(path(''))
    const { status, stdout, stderr } = ours(command, ...args)
    expect(stderr).toMatch(message)
    expect(stdout).toMatch(new RegExp(`^Usage: ${command} .*\\noptions:\\n-`))
    expect(status).toBe(1)
    expect(readdirSync(path(''))).toEqual(before)
  })

  test.each<[Command, readonly string[], RegExp]>([
    ['svm-train', ['-s', '9', 'good', 'm'], /^ERROR: unknown svm type\n$/],
    ['svm-train', ['-t', '5', 'good', 'm'], /^ERROR: unknown kernel type\n$/],
    ['svm-train', ['-c', '-1', 'good', 'm'], /^ERROR: C <= 0\n$/],
    ['svm-train', ['-e', '0', 'good', 'm'], /^ERROR: eps <= 0\n$/],
    ['svm-train', ['-g', '-1', 'good', 'm'], /^ERROR: gamma < 0\n$/],
    ['svm-train', ['-m', '0', 'good', 'm'], /^ERROR: cache_size <= 0\n$/],
    ['svm-train', ['-d', '-1', 'good', 'm'], /^ERROR: degree of polynomial kernel < 0\n$/],
    ['svm-train', ['-s', '1', '-n', '2', 'good', 'm'], /^ERROR: nu <= 0 or nu > 1\n$/],
    ['svm-train', ['-s', '3', '-p', '-1', 'good', 'm'], /^ERROR: p < 0\n$/],
    ['svm-train', ['-b', '2', 'good', 'm'], /^ERROR: probability != 0 and probability != 1\n$/],
    ['svm-train', ['-h', '2', 'good', 'm'], /^ERROR: shrinking != 0 and shrinking != 1\n$/],
    ['svm-train', ['absent', 'm'], /absent: no such file/],
    ['svm-train', ['words', 'm'], /words:1:5: /],
    ['svm-train', ['-q', 'good', 'no/such/folder'], /no\/such\/folder: the folder no\/such does not exist/],
    ['svm-predict', ['good', 'absent', 'out'], /absent: no such file/],
    ['svm-predict', ['good', 'bad.model', 'out'], /bad\.model:3: gamma must be /],
    ['svm-predict', ['good', 'good', 'out'], /good/],
    ['svm-scale', ['absent'], /absent: no such file/],
    ['svm-scale', ['-r', 'absent', 'good'], /absent: no such file/],
    ['svm-scale', ['-r', 'bad.range', 'good'], /bad\.range:3/],
    ['svm-scale', ['words'], /words:1:5: /],
  ])('%s %j: an error alone', (command, args, message) => {
    const before = readdirSync(path(''))
    const { status, stdout, stderr } = ours(command, ...args)
    expect(stderr).toMatch(message)
    expect(stderr.trim().split('\n').length).toBe(1)
    expect(stdout).toBe('')
    expect(status).toBe(1)
    expect(readdirSync(path(''))).toEqual(before)
  })

  test('probabilities of a model that has none; what was there is kept', () => {
    done('svm-train', '-q', 'good', 'plain.model')
    write('kept', 'before\n')
    const { status, stdout, stderr } = ours('svm-predict', '-b', '1', 'good', 'plain.model', 'kept')
    expect([status, stdout, stderr]).toEqual([1, '', 'Model does not support probabiliy estimates\n'])
    expect(readFileSync(path('kept'), 'utf8')).toBe('before\n')
  })
})

function words(text: string): string[][] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' '))
}

function asNumber(word: string): string | number {
  return Number.isNaN(Number(word)) ? word : Number(word)
}

function numbers(text: string): number[] {
  return (text.match(/[\d.]+(e-\d+)?/g) ?? []).map(Number).filter((value) => !Number.isNaN(value))
}
