import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseVectors } from '../../../src/data/files/parse-vectors.ts'
import { formatLibsvm, formatScaler } from '../../../src/formats.ts'
import {
  crossValidate,
  fitRangeScaler,
  fitStandardScaler,
  generate,
  LinearSVR,
  NuSVC,
  NuSVR,
  OneClassSVM,
  rbf,
  SVC,
  SVR,
  tune,
} from '../../../src/index.ts'
import { cPath, learningCurve } from '../../../src/selection.ts'
import { cliInFolder } from '../run-cli.ts'

const { path, run, json } = cliInFolder()
const dataOf = (name: string, options: Record<string, number>) =>
  parseVectors(formatLibsvm(generate(name, options)))
const sine = await dataOf('sine', { n: 70, noise: 0.1, seed: 1 })
const moons = await dataOf('moons', { n: 60, noise: 0.2, seed: 1 })
const three = await dataOf('blobs', { n: 60, centers: 3, classes: 3, spread: 3, seed: 2 })

beforeAll(() => {
  writeFileSync(path('sine'), formatLibsvm(sine))
  writeFileSync(path('moons'), formatLibsvm(moons))
  writeFileSync(path('three'), formatLibsvm(three))
  writeFileSync(path('counts'), Array.from({ length: 30 }, (_, i) => `${i} 1:${i / 30}\n`).join(''))
  writeFileSync(path('tiny'), '1 1:0\n1 1:0.1\n2 1:1\n')
  writeFileSync(path('other'), '7 1:0\n8 1:1\n')
  writeFileSync(path('words.csv'), 'x,label\n1,a\n2,b\n3,a\n4,b\n')
})

interface Cell {
  readonly params: object
  readonly scores: readonly number[]
}
const tableOf = (cells: readonly Cell[]) => cells.map(({ params, scores }) => ({ params, scores }))

describe('tune --type', () => {
  const kernel = rbf()
  it.each([
    [
      'svr',
      ['sine', '--C', '1,10', '--gamma', '0.5', '--epsilon', '0,0.2'],
      () => tune(new SVR({ kernel }), sine, { grid: { C: [1, 10], gamma: [0.5], epsilon: [0, 0.2] } }),
    ],
    [
      'nu-svr',
      ['sine', '--log2c', '0,2,1', '--gamma', 'scale', '--nu', '0.3,0.6', '--scoring', 'mse'],
      () =>
        tune(new NuSVR({ kernel }), sine, {
          grid: { C: [1, 2, 4], nu: [0.3, 0.6], gamma: ['scale'] },
          scoring: 'mse',
        }),
    ],
    [
      'linear-svr',
      ['sine', '--C', '1,10', '--log2p', '-4,-2,1'],
      () => tune(new LinearSVR(), sine, { grid: { C: [1, 10], epsilon: [1 / 16, 1 / 8, 1 / 4] } }),
    ],
    [
      'nu-svc',
      ['moons', '--gamma', '1,2'],
      () =>
        tune(new NuSVC({ kernel }), moons, {
          grid: { nu: [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7], gamma: [1, 2] },
        }),
    ],
    [
      'one-class',
      ['moons', '--gamma', '1,2', '--nu', '0.1,0.3', '--scoring', 'roc-auc'],
      () =>
        tune(new OneClassSVM({ kernel }), moons, {
          grid: { nu: [0.1, 0.3], gamma: [1, 2] },
          scoring: 'roc-auc',
        }),
    ],
  ])('%s says what the library says', async (type, flags, direct) => {
    const result = await json('tune', '--type', type, ...flags)
    const { cells, bestParams, bestScore, scoring } = await direct()
    expect(tableOf(result.cells)).toEqual(tableOf(cells))
    expect(result).toMatchObject({ bestParams, bestScore, scoring })
  })

  it('reports on a test file, writes model, page and journal, and fits the noise', async () => {
    const flags = ['--type', 'svr', '--C', '1,10', '--gamma', '0.5,2', '--epsilon', '0.05,0.2']
    const files = ['-o', 'm.json', '--html', 'm.html', '--journal', 'm.journal', '--test', 'sine']
    const first = await run('tune', 'sine', ...flags, ...files, '--calibrate', 'laplace')
    expect(first.code).toBe(0)
    expect(first.stdout).toMatch(/^best: C \d+, gamma \S+, epsilon \S+, r2 0\.9\d+ ± /m)
    expect(first.stdout).toMatch(/^mean squared error +0\.0/m)
    const html = readFileSync(path('m.html'), 'utf8')
    for (const words of ['Predicted against true', 'the best over epsilon', 'squared correlation']) {
      expect(html).toContain(words)
    }
    expect(html).not.toContain('ROC')
    const again = await json('tune', 'sine', ...flags, '--journal', 'm.journal')
    expect(again.known).toBe(40)
    const { stdout } = await run('info', 'm.json')
    expect(stdout).toMatch(/^noise +laplace, sigma 0\.\d+$/m)
    const near = await json('predict', 'sine', 'm.json', '--interval', '0.5')
    const wide = await json('predict', 'sine', 'm.json', '--interval', '0.75')
    near.labels.forEach((label: number, i: number) => {
      // ln 4 = 2 ln 2.
      expect(wide.upper[i] - label).toBeCloseTo(2 * (near.upper[i] - label), 10)
      expect(label - wide.lower[i]).toBeCloseTo(wide.upper[i] - label, 10)
    })
    const lines = (await run('predict', 'sine', 'm.json', '--interval', '0.5')).stdout.trim().split('\n')
    expect((await run('predict', 'sine', 'm.json', '--interval', '1')).stderr).toBe(
      'error: predict: --interval must be >= 0 and < 1, got 1\n',
    )
    expect(lines[3]).toBe(`${near.labels[3]} ${near.lower[3]} ${near.upper[3]}`)
  })

  it.each([
    [['--type', 'svr', '--nu', '0.5'], 'tune: --nu does not apply to --type svr'],
    [['--type', 'nu-svc', '--log2c', '1,2,1'], 'tune: --log2c does not apply to --type nu-svc'],
    [['--epsilon', '0.1'], 'tune: --epsilon does not apply to --type svc'],
    [['--type', 'linear-svc', '--kernel', 'rbf'], 'tune: --kernel does not apply to --type linear-svc'],
    [['--type', 'nu-svc', '--nu', '0.5,2'], 'tune: --nu must be > 0 and <= 1, got 2'],
    [
      ['--type', 'svr', '--scoring', 'f1'],
      'tune: --scoring must be one of r2, mse, rmse, mae, squared-correlation with --type svr, got "f1"',
    ],
    [['--scoring', 'r2'], 'tune: --scoring must be one of accuracy, '],
    [
      ['--scoring', 'log-loss'],
      'tune: --scoring log-loss needs probabilities, which logistic-regression gives, and cv and learning-curve estimate with --probability',
    ],
    [['--draw', '5'], 'tune: --draw does not apply to --search grid, which draws no cells'],
    [['--search', 'adaptive', '--draw', '5'], 'tune: --draw does not apply to --search adaptive'],
    [['--type', 'svr', '--calibrate', 'sigmoid'], 'tune: --calibrate must be one of laplace, got "sigmoid"'],
    [['-o', '.'], '.: is a directory, not a file', 1],
    [['--folds', '61'], 'tune: --folds must be a whole number >= 2 and <= 60, got 61'],
  ])('refuses %j', async (flags, message, expected = 2) => {
    const { code, stdout, stderr } = await run('tune', 'moons', ...(flags as string[]))
    expect([code, stdout]).toEqual([expected, ''])
    expect(stderr).toContain(`error: ${message}`)
    expect(stderr.trim()).not.toContain('\n')
  })

  it.each([
    [
      'counts',
      [],
      'counts: the labels are not classes but numbers, all different; --type svr, nu-svr and linear-svr predict numbers',
    ],
    [
      'words.csv',
      ['--type', 'svr'],
      "words.csv: regression needs numeric labels, but these are strings such as 'a'",
    ],
    ['three', ['--type', 'one-class'], 'one-class scores need labels 1 (normal) and -1 (outlier)'],
    ['tiny', ['--folds', '5'], 'tune: --folds must be a whole number >= 2 and <= 3, got 5'],
    ['tiny', ['--folds', '3'], 'tune: all samples of a fold to learn from have the class 1'],
    ['moons', ['--test', 'other'], 'other: the labels are 7, 8, but the classes of the model are'],
  ])('of %s with %j says what is wrong', async (file, flags, message) => {
    const { code, stdout, stderr } = await run('tune', file, ...flags)
    expect(code).toBeGreaterThan(0)
    expect(stdout).toBe('')
    expect(stderr).toContain(message)
  })
})

describe('cv --type', () => {
  it('judges a regression by what regressions are judged by, without strata', async () => {
    const scoring = ['r2', 'mse', 'mae', 'squared-correlation'] as const
    const result = await json(
      'cv',
      'counts',
      '--type',
      'svr',
      '--C',
      '10',
      '--epsilon',
      '0.5',
      '--folds',
      '3',
    )
    const counts = await parseVectors(readFileSync(path('counts'), 'utf8'))
    const direct = await crossValidate(new SVR({ C: 10, epsilon: 0.5 }), counts, { scoring, folds: 3 })
    expect(result.scores).toEqual(direct.scores)
    const page = await run('cv', 'sine', '--type', 'nu-svr', '--nu', '0.3', '--html', 'cv.html')
    expect(page.stdout).toMatch(/^r2 +0\.\d+ ± 0\.\d+$/m)
    expect(readFileSync(path('cv.html'), 'utf8')).toContain('Predicted against true')
  })

  it('has probabilities where fits are calibrated', async () => {
    const flags = ['--probability', 'sigmoid', '--scoring', 'log-loss,roc-auc', '--folds', '3']
    const { scores } = await json('cv', 'three', ...flags)
    expect(scores.map(({ name }: { name: string }) => name)).toEqual(['log-loss', 'roc-auc'])
    // Of three classes, guessing costs ln 3.
    expect(scores[0].mean).toBeGreaterThan(0)
    expect(scores[0].mean).toBeLessThan(Math.log(3))
  })

  it('chooses inside the folds, for any type', async () => {
    const flags = ['--protocol', 'nested', '--log2c', '0,2,2', '--log2g', '0,0,1', '--folds', '2']
    const { choices, scores } = await json('cv', 'sine', '--type', 'svr', '--epsilon', '0.05', ...flags)
    expect(scores[0].name).toBe('r2')
    expect(choices[0].bestParams).toMatchObject({ gamma: 1, epsilon: 0.05 })
    const refused = await run('cv', 'sine', '--type', 'svr', '--epsilon', '1', '--log2p', '1,2,1', ...flags)
    expect(refused.stderr).toContain('cv: --epsilon does not apply to --protocol nested, which chooses it')
  })

  it('prints no standard error of a single split', async () => {
    const held = await run('cv', 'moons', '--protocol', 'hold-out')
    expect(held.stdout).toMatch(/^score +value\naccuracy +\d+\.\d\d%$/m)
    expect(held.stdout).not.toContain('±')
    const each = await run('cv', 'moons', '--protocol', 'leave-one-out', '--gamma', '1')
    expect(each.stdout).toMatch(/^accuracy +\d+\.\d\d% ± \d+\.\d\d%$/m)
    expect(each.stdout).toMatch(/^f1 +\d+\.\d\d%$/m)
  })

  it('says how many folds a score allows', async () => {
    const { code, stderr } = await run('cv', 'three', '--scoring', 'roc-auc', '--folds', '30')
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^error: cv: --folds must be few enough for roc-auc to find each class in each part; /,
    )
  })
})

describe('path', () => {
  it('of three classes has support vectors and steps in every line', async () => {
    const { points, warm } = await json('path', 'three', '--C', '0.1,10', '--folds', '3')
    expect(warm).toBe(true)
    const direct = await cPath(new SVC(), three, { C: [0.1, 10], folds: 3 })
    expect(points).toEqual(direct.points)
    for (const { supportVectors, iterations } of direct.points) {
      expect(supportVectors).toBeGreaterThan(3)
      expect(iterations).toBeGreaterThan(0)
    }
    const { stdout } = await run('path', 'three', '--C', '0.1,10', '--folds', '3')
    expect(stdout).toMatch(/^ +C +accuracy, not seen +accuracy, trained on +support vectors +steps$/m)
    expect(stdout).toMatch(/^ *10 +\S+ ± \S+ +\S+ +[\d.]+ +\d+$/m)
  })

  it('follows other types that have a C', async () => {
    const { points, scoring } = await json('path', 'sine', '--type', 'linear-svr', '--C', '1,2')
    expect(scoring).toBe('r2')
    expect(points).toEqual((await cPath(new LinearSVR(), sine, { C: [1, 2] })).points)
    const { stdout } = await run('path', 'sine', '--type', 'linear-svr', '--C', '1,2')
    expect(stdout).not.toContain('support vectors')
    expect((await run('path', 'moons', '--type', 'nu-svc')).stderr).toContain(
      '--type must be one of svc, svr',
    )
  })
})

describe('learning-curve --type', () => {
  it('says what the library says', async () => {
    const result = await json('learning-curve', 'sine', '--type', 'svr', '--sizes', '0.5,1', '--folds', '3')
    const direct = await learningCurve(new SVR(), sine, { sizes: [0.5, 1], folds: 3 })
    expect(result).toMatchObject({ scoring: 'r2', points: direct.points })
    const { stderr } = await run('learning-curve', 'moons', '--sizes', '1000')
    expect(stderr).toBe('error: learning-curve: --sizes must be a whole number >= 2 and <= 48, got 1000\n')
    const rare = Array.from({ length: 20 }, (_, i) => `${i < 3 ? 2 : 1} 1:${i}\n`).join('')
    writeFileSync(path('rare'), rare)
    expect((await run('learning-curve', 'rare')).stderr).toBe(
      'error: learning-curve: --sizes must be large enough for two classes, got 2\n',
    )
  })
})

describe('info', () => {
  it('describes scalers', async () => {
    const scaler = fitRangeScaler(
      [
        [0, 5, 7],
        [10, 6, 7],
      ],
      { lower: 0 },
    )
    writeFileSync(path('a.range'), formatScaler(scaler))
    const { stdout, code } = await run('info', 'a.range')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^scaler +range: svm-scale's range file$/m)
    expect(stdout).toMatch(/^scaled to +0 to 1$/m)
    expect(stdout).toMatch(/^ +2 +5 +6$/m)
    expect(await json('info', 'a.range')).toMatchObject({
      ...{ kind: 'scaler', scaling: 'range', lower: 0, upper: 1, min: [0, 5], max: [10, 6] },
    })
    writeFileSync(path('y.range'), 'y\n-1 1\n2 9\nx\n0 1\n1 0 3\n3 1 2\n')
    const labelled = await run('info', 'y.range', '--top', '1')
    expect(labelled.stdout).toMatch(/^labels +from 2 … 9 to -1 … 1$/m)
    expect(labelled.stdout).toMatch(/^features +3, 1 of them constant and dropped$/m)
    expect(labelled.stdout).toMatch(/^… and 2 features more/m)
    writeFileSync(path('a.json'), formatScaler(fitStandardScaler([[0], [2]])))
    expect((await run('info', 'a.json')).stdout).toMatch(/^ +1 +1 +1$/m)
    writeFileSync(path('x.csv'), 'x\n1\n2\n')
    expect((await run('info', 'x.csv', '--no-label')).stdout).toMatch(/^samples +2$/m)
  })
})
