import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { parseVectors } from '../../../src/data/files/parse-vectors.ts'
import { formatLibsvm } from '../../../src/formats.ts'
import { crossValidate, generate, rbf, SVC, selectSamples, tune } from '../../../src/index.ts'
import { kFold, learningCurve } from '../../../src/selection.ts'
import { cliInFolder, resultOf, startCli } from '../run-cli.ts'

const { folder, path, run, json } = cliInFolder()
const data = await parseVectors(formatLibsvm(generate('moons', { n: 150, noise: 0.3, seed: 3 })))
const grid = ['--C', '0.1,1,10', '--gamma', '0.1,1,10']

interface Cell {
  readonly params: object
  readonly scores: readonly number[]
}
/** Lines of a journal that may not be there yet. */
const linesOf = (journal: string) =>
  existsSync(path(journal)) ? readFileSync(path(journal), 'utf8').split('\n').length - 1 : 0
const tableOf = (cells: readonly Cell[]) => cells.map(({ params, scores }) => ({ params, scores }))

beforeAll(() => {
  writeFileSync(path('moons.libsvm'), formatLibsvm(data))
  const test = generate('moons', { n: 100, noise: 0.3, seed: 4 })
  writeFileSync(path('test.libsvm'), formatLibsvm(test))
  writeFileSync(path('many.libsvm'), formatLibsvm(generate('moons', { n: 1000, noise: 0.3, seed: 3 })))
})

describe('Ctrl-C', () => {
  /** Many small fits, for much longer than a command takes to start; asked to stop later and later until some are done. */
  it.each([
    ['cv', ['moons.libsvm', '--protocol', 'repeated-k-fold', '--repeats', '3000', '--threads', '1'], 'fold'],
    ['path', ['many.libsvm', '--folds', '400', '--log2c', '-5,15,0.5', '--threads', '1'], 'fold'],
    [
      'learning-curve',
      ['moons.libsvm', '--folds', '70', '--sizes', Array.from({ length: 100 }, (_, k) => k + 20).join()],
      'size',
    ],
  ])(
    '%s keeps what was reached',
    async (command, flags, part) => {
      for (let delay = 1000; delay < 100_000; delay *= 1.5) {
        const child = startCli([command, ...flags, '--json'], folder)
        const ended = resultOf(child)
        await sleep(delay)
        child.kill('SIGINT')
        const { code, stdout, stderr } = await ended
        if (stderr === '' || stderr.endsWith(`stopped before any ${part} was finished\n`)) continue
        expect(code).toBe(1)
        expect(stderr).toMatch(
          new RegExp(`^\nstopping: keeping .*\nstopped after .* ${part}s?: what follows covers only `),
        )
        const { complete, folds, points } = JSON.parse(stdout)
        expect(complete).toBe(false)
        expect((command === 'cv' ? folds : points).length).toBeGreaterThan(0)
        return
      }
      expect.fail('nothing was reached')
    },
    400_000,
  )
})

describe('tune', () => {
  it('judges every cell as cross-validation of separate fits does, and trains the best', async () => {
    const result = await json(
      'tune',
      'moons.libsvm',
      ...grid,
      '-o',
      'best.json',
      '--test',
      'test.libsvm',
      '--seed',
      '2',
    )
    expect(result.cells).toHaveLength(9)
    for (const { params, scores, mean } of result.cells) {
      const separate = await crossValidate(
        new SVC({ C: params.C, kernel: rbf({ gamma: params.gamma }) }),
        data,
        { seed: 2 },
      )
      expect(scores).toEqual(separate.scores[0].scores)
      expect(mean).toBeLessThanOrEqual(result.bestScore)
    }
    expect(result.cells.map(({ params }: Cell) => params)).toContainEqual(result.bestParams)
    const info = await json('info', 'best.json')
    expect(info.kernel).toEqual({ kind: 'rbf', gamma: result.bestParams.gamma })
    const evaluated = await json('evaluate', 'test.libsvm', 'best.json')
    expect(result.test).toEqual(evaluated)
    expect(result).toMatchObject({
      scoring: 'accuracy',
      folds: 5,
      complete: true,
      model: 'best.json',
      journal: null,
    })
    expect(result.seconds).toBeGreaterThan(0)
  })

  it("tries grid.py's cells unless told, C alone for the linear kernel", async () => {
    const { cells } = await json('tune', 'moons.libsvm', '--folds', '2', '--tol', '1', '--max-iter', '10')
    expect(cells).toHaveLength(110)
    expect(cells.map(({ params }: { params: { C: number } }) => params.C)).toContain(2 ** -5)
    expect(cells.map(({ params }: { params: { gamma: number } }) => params.gamma)).toContain(2 ** -15)
    const linear = await json('tune', 'moons.libsvm', '--kernel', 'linear', '--C', '0.1,1,10,100')
    expect(linear.cells.map(({ params }: Cell) => params)).toEqual([
      { C: 0.1 },
      { C: 1 },
      { C: 10 },
      { C: 100 },
    ])
    const few = await json('tune', 'moons.libsvm', '--log2c', '-1,1,1', '--log2g', '1,-1,-2', '--folds', '2')
    expect(few.cells).toHaveLength(6)
  })

  it('scales inside the folds: another answer than for data scaled before', async () => {
    await run('scale', 'moons.libsvm', '--to', 'standard', '-o', 'scaled.libsvm')
    const scoring = ['--scoring', 'roc-auc']
    const inside = await json('tune', 'moons.libsvm', ...grid, ...scoring, '--scale', 'standard')
    const outside = await json('tune', 'scaled.libsvm', ...grid, ...scoring)
    expect(tableOf(inside.cells)).not.toEqual(tableOf(outside.cells))
    for (const { params, scores } of inside.cells) {
      const estimator = new SVC({ C: params.C, kernel: rbf({ gamma: params.gamma }), scaler: 'standard' })
      const separate = await crossValidate(estimator, data, { scoring: 'roc-auc' })
      expect(scores).toEqual(separate.scores[0].scores)
    }
  })

  it('searches otherwise when told: draws, halves, refines, prefers the simple, calibrates', async () => {
    const random = await json('tune', 'moons.libsvm', ...grid, '--search', 'random', '--draw', '7')
    expect(random.cells).toHaveLength(7)
    for (const { params } of random.cells) {
      expect(params.C).toBeGreaterThanOrEqual(0.1)
      expect(params.C).toBeLessThanOrEqual(10)
    }
    const whole = await json('tune', 'moons.libsvm', ...grid)
    const halved = await json('tune', 'moons.libsvm', ...grid, '--search', 'halving')
    expect(halved.cells.length).toBeLessThan(9)
    const drawn = await json('tune', 'moons.libsvm', ...grid, '--search', 'halving', '--draw', '9')
    expect([0.1, 1, 10]).not.toContain(drawn.bestParams.C)
    const refined = await json('tune', 'moons.libsvm', ...grid, '--search', 'adaptive', '--threads', '1')
    expect(refined.cells.length).toBeGreaterThan(9)
    expect(tableOf(refined.cells.slice(0, 9))).toEqual(tableOf(whole.cells))
    const simple = await json(
      'tune',
      'moons.libsvm',
      ...grid,
      '--one-se',
      '--calibrate',
      'sigmoid',
      '-o',
      'p.json',
    )
    expect(simple.bestParams.C).toBeLessThanOrEqual(whole.bestParams.C)
    expect((await json('info', 'p.json')).probability).toBe('sigmoid')
  })

  it('writes a page that stands alone', async () => {
    const { code, stdout } = await run(
      'tune',
      'moons.libsvm',
      ...grid,
      '--html',
      'tune.html',
      '--test',
      'test.libsvm',
    )
    expect(code).toBe(0)
    expect(stdout).toMatch(/^best: C \S+, gamma \S+, accuracy \d+\.\d\d% ± \d\.\d\d%$/m)
    expect(stdout).toMatch(/on test\.libsvm, which was not used for the choice:\naccuracy +\d/)
    const page = readFileSync(path('tune.html'), 'utf8')
    expect(page.match(/<svg xmlns/g)?.length).toBeGreaterThan(8)
    expect(page).not.toMatch(/<script|src=|href=/)
    expect(page).toContain('equal scores')
  })

  it('goes on where its journal stopped, and refuses the journal of something else', async () => {
    const journal = ['--journal', 'a.journal']
    const first = await json('tune', 'moons.libsvm', ...grid, ...journal)
    expect(first.known).toBe(0)
    const again = await json('tune', 'moons.libsvm', ...grid, ...journal)
    expect(again.known).toBe(45)
    expect(tableOf(again.cells)).toEqual(tableOf(first.cells))
    const more = await json('tune', 'moons.libsvm', '--C', '0.1,1,10,100', '--gamma', '0.1,1,10', ...journal)
    expect(more.cells).toHaveLength(12)
    const other = await run('tune', 'test.libsvm', ...grid, ...journal)
    expect(other.code).toBe(1)
    expect(other.stderr).toBe(
      'error: a.journal: this journal was started with other data; use another file, or delete it to start again\n',
    )
    const folds = await run('tune', 'moons.libsvm', ...grid, ...journal, '--folds', '3')
    expect(folds.stderr).toContain('started with other folds;')
    const seed = await run('tune', 'moons.libsvm', ...grid, ...journal, '--tol', '0.01')
    expect(seed.stderr).toContain('started with another estimator, or other options of it;')
    const data = await run('tune', 'moons.libsvm', ...grid, '--journal', 'test.libsvm')
    expect(data.stderr).toContain('test.libsvm: this is not a journal')
  })

  it('survives being killed at any moment, ten times: the same table in the end', async () => {
    const flags = ['tune', 'moons.libsvm', '--log2c', '-5,9,2', '--log2g', '3,-9,-2', '--tol', '1e-5']
    const clean = await json(...flags)
    const random = new Random(11)
    let killed = 0
    for (let k = 0; k < 10; k++) {
      const child = startCli([...flags, '--journal', 'killed.journal', '--json'], folder)
      const ended = resultOf(child)
      // A little after some of the 280 fits are in the journal: before the first one, and then later and later.
      while (linesOf('killed.journal') < 20 * k && child.exitCode === null) await sleep(2)
      await sleep(20 * random.uniform())
      child.kill('SIGKILL')
      if ((await ended).code === null) killed++
    }
    expect(killed).toBeGreaterThan(0)
    const resumed = await json(...flags, '--journal', 'killed.journal')
    expect(tableOf(resumed.cells)).toEqual(tableOf(clean.cells))
    expect(resumed.bestParams).toEqual(clean.bestParams)
    expect(resumed.bestScore).toBe(clean.bestScore)
  }, 240_000)

  it('keeps what was done on Ctrl-C and says how to go on', async () => {
    const slow = ['--log2c', '-5,15,0.5', '--log2g', '3,-15,-0.5', '--tol', '1e-9', '--folds', '10']
    const child = startCli(['tune', 'moons.libsvm', ...slow, '--journal', 'c.journal', '--json'], folder)
    const ended = resultOf(child)
    while (linesOf('c.journal') < 40) await sleep(5)
    child.kill('SIGINT')
    const { code, stdout, stderr } = await ended
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^\nstopping: keeping the results so far .*\n.*the same command resumes from here\n$/,
    )
    // Folds are finished in any order: there may be scores, but none of a whole cell.
    const { error, cells = [], complete = false, model = null } = JSON.parse(stdout)
    if (error) expect(error.code).toBe('interrupted')
    expect(complete).toBe(false)
    expect(model).toBeNull()
    expect(cells.length).toBeLessThan(41 * 37)
    expect(linesOf('c.journal')).toBeGreaterThanOrEqual(40)
  })

  it.each([
    [['--C', '1,-1'], 'error: tune: --C must be comma-separated positive numbers, got "1,-1"'],
    [
      ['--log2c', '1,5'],
      'error: tune: --log2c must be begin,end,step with a step that leads from begin to end',
    ],
    [['--log2c', '1,5,-1'], 'error: tune: --log2c must be begin,end,step'],
    [['--log2c', '1,5,1', '--C', '1'], 'error: tune: --log2c cannot be used together with --C'],
    [['--kernel', 'linear', '--gamma', '1'], 'error: tune: --gamma does not apply to the linear kernel'],
    [['--scoring', 'acc'], 'error: tune: --scoring must be one of accuracy'],
    [['--scoring', 'f1,accuracy'], 'error: tune: --scoring must be one score'],
    [['-o', 'no/such/folder/m.json'], 'the folder no/such/folder does not exist'],
  ])('refuses %j', async (flags, message) => {
    const { code, stderr, stdout } = await run('tune', 'moons.libsvm', ...flags)
    expect(code).toBeGreaterThan(0)
    expect(stderr).toContain(message)
    expect(stdout).toBe('')
  })
})

describe('cv', () => {
  const flags = ['--C', '2', '--gamma', '1']
  const svc = new SVC({ C: 2, kernel: rbf({ gamma: 1 }) })
  const scoring = ['accuracy', 'precision', 'recall', 'f1'] as const

  it.each([
    [[], { protocol: 'k-fold' }],
    [
      ['--protocol', 'repeated-k-fold', '--folds', '2', '--repeats', '3'],
      { protocol: { kind: 'repeated-k-fold', folds: 2, repeats: 3 } },
    ],
    [
      ['--protocol', 'hold-out', '--test-fraction', '0.5', '--seed', '7'],
      { protocol: { kind: 'hold-out', testFraction: 0.5 }, seed: 7 },
    ],
    [['--protocol', '5x2'], { protocol: '5x2' }],
    [['--protocol', 'libsvm', '--folds', '4'], { protocol: { kind: 'libsvm', folds: 4 } }],
    [['--protocol', 'leave-one-out'], { protocol: 'leave-one-out' }],
  ] as const)('with %j says what the library says', async (chosen, options) => {
    const result = await json('cv', 'moons.libsvm', ...flags, ...chosen)
    const expected = await crossValidate(svc, data, { scoring, ...options })
    expect(result.scores).toEqual(expected.scores)
    expect(result.fits).toBe(expected.fits)
    expect(result.folds).toHaveLength(expected.folds.length)
  })

  it('prints means and folds, and writes a page', async () => {
    const { stdout } = await run(
      'cv',
      'moons.libsvm',
      ...flags,
      '--scoring',
      'accuracy,roc-auc',
      '--html',
      'cv.html',
    )
    expect(stdout).toMatch(/^150 samples, k-fold: 5 folds, 5 fits$/m)
    expect(stdout).toMatch(/^accuracy +\d\d\.\d\d% ± \d\.\d\d%$/m)
    expect(stdout).toMatch(/^ +3 +120 +30 +\d\d\.\d\d% +0\.\d+$/m)
    expect(readFileSync(path('cv.html'), 'utf8')).toContain('ROC curve')
    const misused = await run('cv', 'moons.libsvm', '--protocol', '5x2', '--folds', '3')
    expect(misused).toMatchObject({
      code: 2,
      stderr: 'error: cv: --folds does not apply to --protocol 5x2\n',
    })
  })
})

describe('cv that chooses', () => {
  const exponents = ['--log2c', '-2,2,2', '--log2g', '1,-1,-1', '--seed', '3']

  it('tunes inside each outer fold', async () => {
    const result = await json('cv', 'moons.libsvm', '--protocol', 'nested', ...exponents, '--folds', '3')
    expect(result.folds).toHaveLength(3)
    expect(result.choices).toHaveLength(3)
    const [first] = kFold(data, { folds: 3, seed: 3 })
    const inner = await tune(new SVC(), selectSamples(data, first.train), {
      grid: { C: [0.25, 1, 4], gamma: [2, 1, 0.5] },
      seed: 3,
    })
    expect(result.choices[0]).toEqual({ bestParams: inner.bestParams, bestScore: inner.bestScore })
    const { stdout } = await run('cv', 'moons.libsvm', '--protocol', 'nested', ...exponents, '--folds', '2')
    expect(stdout).toMatch(/^outer fold +C +gamma +accuracy inside$/m)
  })

  it('chooses by one part and reports on another', async () => {
    const flags = ['--protocol', 'train-validation-test', ...exponents, '--test-fraction', '0.3']
    const result = await json('cv', 'moons.libsvm', ...flags)
    expect([result.train, result.validation, result.test]).toEqual([60, 45, 45])
    expect(Object.keys(result.testScores)).toEqual([...['accuracy', 'precision', 'recall', 'f1']])
    expect(result.cells).toHaveLength(9)
    const { stdout } = await run('cv', 'moons.libsvm', ...flags)
    expect(stdout).toMatch(/^60 samples for training, 45 for choosing, 45 for testing$/m)
  })

  it.each([
    [['--protocol', 'nested', '--C', '1'], 'cv: --C does not apply to --protocol nested, which chooses it'],
    [['--protocol', 'nested', '--html', 'x.html'], 'cv: --html does not apply to --protocol nested'],
    [['--log2c', '1,2,1'], 'cv: --log2c does not apply to --protocol k-fold'],
    [['--protocol', 'train-validation-test', '--folds', '3'], 'cv: --folds does not apply to'],
  ])('refuses %j', async (flags, message) => {
    const { code, stderr } = await run('cv', 'moons.libsvm', ...flags)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})

describe('path', () => {
  it('follows C, and says which is best', async () => {
    const result = await json('path', 'moons.libsvm', '--C', '0.1,1,10', '--gamma', '1', '--tol', '1e-5')
    expect(result.points.map(({ C }: { C: number }) => C)).toEqual([0.1, 1, 10])
    for (const { C, test } of result.points) {
      const estimator = new SVC({ C, kernel: rbf({ gamma: 1 }), tol: 1e-5 })
      const separate = await crossValidate(estimator, data)
      expect(test.scores).toEqual(separate.scores[0].scores)
    }
    const { stdout } = await run('path', 'moons.libsvm', '--html', 'path.html')
    expect(stdout).toMatch(/^best C: \S+\npath written to path\.html$/m)
    expect(readFileSync(path('path.html'), 'utf8')).toContain('Path over C')
  })
})

describe('learning-curve', () => {
  it('says what the library says', async () => {
    const result = await json(
      'learning-curve',
      'moons.libsvm',
      '--gamma',
      '1',
      '--sizes',
      '0.25,60,1',
      '--folds',
      '3',
    )
    const expected = await learningCurve(new SVC({ kernel: rbf({ gamma: 1 }) }), data, {
      sizes: [0.25, 60, 1],
      protocol: { kind: 'k-fold', folds: 3 },
    })
    expect(result.points).toEqual(expected.points)
    const { stdout } = await run('learning-curve', 'moons.libsvm', '--html', 'curve.html')
    expect(stdout).toMatch(/^curve written to curve\.html$/m)
    expect(readFileSync(path('curve.html'), 'utf8')).toContain('Learning curve')
    const bad = await run('learning-curve', 'moons.libsvm', '--sizes', '0,1')
    expect(bad.stderr).toContain('learning-curve: --sizes must be comma-separated positive numbers')
  })
})

describe('help', () => {
  it.each(['tune', 'cv', 'path', 'learning-curve'])('of %s has an example', async (command) => {
    const { code, stdout } = await run(command, '--help')
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^ {2}\\$ hyperplane ${command} `, 'm'))
  })
})
