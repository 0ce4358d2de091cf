/** `train`, `predict`, `evaluate` and `info` for every type of model. */
import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseVectors } from '../../../src/data/files/parse-vectors.ts'
import { formatCsv, formatLibsvm } from '../../../src/formats.ts'
import {
  accuracy,
  crossValidate,
  fitCalibrated,
  LinearOneClass,
  LinearSVC,
  LinearSVR,
  LogisticRegression,
  linear,
  makeDataset,
  NuSVC,
  NuSVR,
  OneClassSVM,
  parseModel,
  Random,
  rbf,
  SVC,
  SVR,
  type SvcModel,
} from '../../../src/index.ts'
import { meanSquaredError } from '../../../src/metrics.ts'
import { clouds, curve } from '../../suites/tool-data.ts'
import { cliInFolder } from '../run-cli.ts'

const { path, run, json } = cliInFolder()
const kernel = rbf({ gamma: 0.25 })
const classes = await parseVectors(formatLibsvm(clouds(1, 120, [4, 2, 9])))
const targets = await parseVectors(formatLibsvm(curve(2, 90)))
const names = ['height', 'weight', 'age']

beforeAll(() => {
  writeFileSync(path('classes'), formatLibsvm(classes))
  writeFileSync(path('targets'), formatLibsvm(targets))
})

describe('train --type', () => {
  it.each([
    ['svc', 'classes', ['--C', '2'], () => new SVC({ kernel, C: 2 }).fitSync(classes)],
    ['nu-svc', 'classes', ['--nu', '0.6'], () => new NuSVC({ kernel, nu: 0.6 }).fitSync(classes)],
    ['one-class', 'classes', ['--nu', '0.2'], () => new OneClassSVM({ kernel, nu: 0.2 }).fitSync(classes)],
    [
      'svr',
      'targets',
      ['--C', '2', '--epsilon', '0.2'],
      () => new SVR({ kernel, C: 2, epsilon: 0.2 }).fitSync(targets),
    ],
    ['nu-svr', 'targets', ['--nu', '0.3'], () => new NuSVR({ kernel, nu: 0.3 }).fitSync(targets)],
    [
      'linear-svc',
      'classes',
      ['--loss', 'hinge', '--class-weight', 'balanced'],
      () => new LinearSVC({ loss: 'hinge', classWeight: 'balanced' }).fitSync(classes),
    ],
    [
      'linear-svc',
      'classes',
      ['--multi-class', 'crammer-singer'],
      () => new LinearSVC({ multiClass: 'crammer-singer' }).fitSync(classes),
    ],
    ['linear-svr', 'targets', ['--epsilon', '0.1'], () => new LinearSVR({ epsilon: 0.1 }).fitSync(targets)],
    [
      'linear-svr',
      'targets',
      ['--loss', 'squared-epsilon-insensitive', '--bias', 'free'],
      () => new LinearSVR({ loss: 'squared-epsilon-insensitive', bias: 'free' }).fitSync(targets),
    ],
    [
      'linear-svc',
      'classes',
      ['--penalty', 'l1', '--bias', 'none', '--C', '0.1'],
      () => new LinearSVC({ penalty: 'l1', bias: 'none', C: 0.1 }).fitSync(classes),
    ],
    [
      'linear-svc',
      'classes',
      ['--solver', 'dual-descent', '--intercept-scaling', '10'],
      () => new LinearSVC({ solver: 'dual-descent', interceptScaling: 10 }).fitSync(classes),
    ],
    [
      'logistic-regression',
      'classes',
      ['--C', '2', '--class-weight', '9=3'],
      () => new LogisticRegression({ C: 2, classWeight: { 9: 3 } }).fitSync(classes),
    ],
    [
      'logistic-regression',
      'classes',
      ['--penalty', 'l1', '--bias', 'free'],
      () => new LogisticRegression({ penalty: 'l1', bias: 'free' }).fitSync(classes),
    ],
    ['linear-one-class', 'classes', ['--nu', '0.2'], () => new LinearOneClass({ nu: 0.2 }).fitSync(classes)],
  ] as const)('%s is what the estimator learns', async (type, data, flags, learn) => {
    const shape = type.startsWith('linear') || type.startsWith('logistic') ? [] : ['--gamma', '0.25']
    const result = await json('train', data, '--type', type, ...shape, ...flags, '-o', 'm.json')
    const model = learn()
    const { seconds, ...measures } = model.certificate
    expect(result).toMatchObject({
      ...measures,
      type,
      biases: [...model.biases],
      samples: data === 'classes' ? 120 : 90,
    })
    const written = parseModel(readFileSync(path('m.json'), 'utf8'))
    const { samples } = data === 'classes' ? classes : targets
    expect(written.decisionFunction(samples)).toEqual(model.decisionFunction(samples))
    expect(written.type).toBe(type === 'logistic-regression' ? 'linear-svc' : type)
  })

  it.each([
    ['c-svc', 'svc', 'classes'],
    ['epsilon-svr', 'svr', 'targets'],
  ])("%s is LIBSVM's name of %s", async (name, type, data) => {
    expect(await json('train', data, '--type', name)).toMatchObject({ type })
  })

  it('one class needs no labels', async () => {
    writeFileSync(
      path('bare.csv'),
      formatCsv(classes)
        .split('\n')
        .map((line) => line.replace(/,[^,]*$/, ''))
        .join('\n'),
    )
    for (const wanted of ['one-class', 'linear-one-class']) {
      const { type, samples, features } = await json('train', 'bare.csv', '--type', wanted, '--no-label')
      expect({ type, samples, features }).toEqual({ type: wanted, samples: 120, features: 5 })
    }
  })

  it.each([
    [['--type', 'svr', '--nu', '0.2'], 'train: --nu does not apply to --type svr'],
    [['--type', 'svc', '--epsilon', '1'], 'train: --epsilon does not apply to --type svc'],
    [['--type', 'nu-svc', '--C', '1'], 'train: --C does not apply to --type nu-svc'],
    [['--type', 'svr', '--class-weight', 'balanced'], 'train: --class-weight does not apply to --type svr'],
    [['--type', 'linear-svc', '--gamma', '1'], 'train: --gamma does not apply to --type linear-svc'],
    [
      ['--type', 'linear-one-class', '--bias', 'free'],
      'train: --bias does not apply to --type linear-one-class',
    ],
    [['--type', 'linear-svr', '--penalty', 'l1'], 'train: --penalty does not apply to --type linear-svr'],
    [['--penalty', 'l1'], 'train: --penalty does not apply to --type svc'],
    [
      ['--type', 'linear-svc', '--loss', 'hinge', '--penalty', 'l1'],
      'train: --penalty must be l2 with the hinge loss, got "l1"',
    ],
    [
      ['--type', 'linear-svc', '--loss', 'epsilon-insensitive'],
      'train: --loss must be one of hinge, squared-hinge, got "epsilon-insensitive"',
    ],
    [
      ['--type', 'logistic-regression', '--solver', 'proximal-newton'],
      'train: --solver must be one of auto, dual-descent, newton for the logistic loss, got "proximal-newton"',
    ],
    [['--multi-class', 'ovr'], 'train: --multi-class does not apply to --type svc'],
    [
      ['--type', 'svr', '--probability', 'sigmoid'],
      'train: --probability must be laplace with --type svr, got "sigmoid"',
    ],
    [
      ['--no-label'],
      'train: --no-label does not apply to --type svc: only one-class and linear-one-class need no labels',
    ],
    [['--type', 'nu-svr', '--nu', '0'], 'train: --nu must be > 0 and <= 1, got 0'],
  ])('%j is refused', async (flags, message) => {
    const { code, stdout, stderr } = await run('train', 'classes', ...flags, '-o', 'refused.json')
    expect([code, stdout, stderr]).toEqual([2, '', `error: ${message}\n`])
  })

  it('begins with a model', async () => {
    await json('train', 'classes', '--type', 'logistic-regression', '-o', 'old.json')
    const start = new LogisticRegression().fitSync(classes)
    const flags = ['--type', 'logistic-regression', '--C', '2', '--start', 'old.json']
    const { iterations, biases, stopReason } = await json('train', 'classes', ...flags, '-o', 'new.json')
    const model = new LogisticRegression({ C: 2 }).fitSync(classes, { start })
    expect({ iterations, biases, stopReason }).toEqual({
      iterations: model.certificates?.reduce((sum, own) => sum + own.iterations, 0),
      biases: [...model.biases],
      stopReason: 'converged',
    })
  })

  it.each([
    [
      ['--type', 'svc', '--start', 'old.json'],
      2,
      'train: --start does not apply to --type svc in memory; use --memory to train on shards',
    ],
    [
      ['--type', 'svc', '--memory', '64', '--shards', 'cache', '--start', 'old.json'],
      2,
      'train: --start must be a model of type svc of vectors, got "linear-svc"',
    ],
    [['--type', 'linear-svc', '--start', 'none.json'], 1, 'none.json: no such file or directory'],
    [
      ['--type', 'linear-one-class', '--start', 'old.json'],
      2,
      'train: --start must be a model of type linear-one-class, got "linear-svc"',
    ],
  ] as const)('%j is no start', async (flags, code, message) => {
    const found = await run('train', 'classes', ...flags)
    expect([found.code, found.stderr]).toEqual([code, `error: ${message}\n`])
  })

  it('linear models go to LIBLINEAR as text', async () => {
    await json('train', 'classes', '--type', 'linear-svc', '-o', 'm.liblinear')
    expect(readFileSync(path('m.liblinear'), 'utf8')).toMatch(
      /^solver_type L2R_L2LOSS_SVC_DUAL\nnr_class 3\nlabel /,
    )
  })
})

describe('probabilities', () => {
  it.each(['sigmoid', 'isotonic'])('%s', async (method) => {
    const trained = await json('train', 'classes', '--gamma', '0.25', '--probability', method, '-o', 'p.json')
    expect(trained.probability).toBe(method)
    const model = parseModel(readFileSync(path('p.json'), 'utf8')) as SvcModel
    const predicted = await json('predict', 'classes', 'p.json', '--decision', '--probability')
    expect(predicted.classes).toEqual([2, 4, 9])
    expect(predicted.probabilities).toEqual([...model.predictProbability(classes.samples)])
    expect(predicted.labels).toEqual([...model.predict(classes.samples)])
    const { stdout } = await run('predict', 'classes', 'p.json', '--decision', '--probability')
    const [first] = stdout.split('\n')
    expect(first.split(' ').map(Number)).toEqual([
      predicted.labels[0],
      ...predicted.decisions.slice(0, 3),
      ...predicted.probabilities.slice(0, 3),
    ])
  })

  it('noise of a regression, and how normal a sample is', async () => {
    await json('train', 'targets', '--type', 'svr', '--probability', 'laplace', '-o', 'noise.json')
    expect((await json('info', 'noise.json')).probability).toBe('laplace')
    await json('train', 'classes', '--type', 'one-class', '--probability', 'density', '-o', 'normal.json')
    const { probabilities } = await json('predict', 'classes', 'normal.json', '--probability')
    expect(probabilities.length).toBe(120)
    expect(probabilities.every((p: number) => p >= 0 && p <= 1)).toBe(true)
  })

  it('logistic regression has its own, in every command', async () => {
    const flags = ['--type', 'logistic-regression', '--C', '2']
    await json('train', 'classes', ...flags, '-o', 'logistic.json')
    const model = new LogisticRegression({ C: 2 }).fitSync(classes)
    const { probabilities } = await json('predict', 'classes', 'logistic.json', '--probability')
    expect(probabilities).toEqual([...model.predictProbability(classes.samples)])
    await json('train', 'classes', ...flags, '-o', 'logistic.liblinear')
    expect(readFileSync(path('logistic.liblinear'), 'utf8')).toMatch(/^solver_type L2R_LR\nnr_class 3\n/)
    const scored = await json('cv', 'classes', ...flags, '--scoring', 'log-loss', '--folds', '3')
    const own = await crossValidate(new LogisticRegression({ C: 2 }), classes, {
      scoring: 'log-loss',
      folds: 3,
    })
    expect(scored.scores[0].scores).toEqual(own.scores[0].scores)
    const { bestParams, cells } = await json(
      'tune',
      'classes',
      '--type',
      'logistic-regression',
      '--C',
      '0.1,1',
    )
    expect(Object.keys(bestParams)).toEqual(['C'])
    expect(cells.length).toBe(2)
  })

  it('linear classifiers are calibrated as others', async () => {
    await json('train', 'classes', '--type', 'linear-svc', '--probability', 'sigmoid', '-o', 'p.json')
    const model = await fitCalibrated(new LinearSVC(), classes)
    const { probabilities } = await json('predict', 'classes', 'p.json', '--probability')
    expect(probabilities).toEqual([...model.predictProbability(classes.samples)])
  })

  it('a model without any says so', async () => {
    await json('train', 'classes', '-o', 'plain.json')
    const { code, stderr } = await run('predict', 'classes', 'plain.json', '--probability')
    expect([code, stderr]).toEqual([
      1,
      'error: plain.json: the model has no probabilities; train it with --probability\n',
    ])
  })
})

describe('evaluate', () => {
  it('many classes: each class, and the confusion of all', async () => {
    await json('train', 'classes', '--gamma', '0.25', '-o', 'm.json')
    const found = await json('evaluate', 'classes', 'm.json')
    const predicted = new SVC({ kernel }).fitSync(classes).predict(classes.samples)
    expect(found.accuracy).toBe(accuracy(classes.labels, predicted))
    expect(found.confusion.labels).toEqual([2, 4, 9])
    expect(
      found.classes.map(({ label, support }: { label: number; support: number }) => [label, support]),
    ).toEqual([
      [2, 40],
      [4, 40],
      [9, 40],
    ])
    found.classes.forEach(({ recall }: { recall: number }, k: number) => {
      expect(recall).toBeCloseTo(found.confusion.counts[k][k] / 40, 12)
    })
    const { stdout } = await run('evaluate', 'classes', 'm.json')
    expect(stdout).toMatch(/^class +precision +recall +F1 +samples$/m)
    expect(stdout).toMatch(/^true class +predicted 2 +predicted 4 +predicted 9$/m)
  })

  it('regression', async () => {
    await json('train', 'targets', '--type', 'svr', '--gamma', '0.25', '-o', 'm.json')
    const predicted = new SVR({ kernel }).fitSync(targets).predict(targets.samples)
    const found = await json('evaluate', 'targets', 'm.json')
    expect(found.meanSquaredError).toBeCloseTo(
      meanSquaredError(targets.labels as Float64Array, predicted),
      10,
    )
    expect(Object.keys(found)).toEqual([
      'samples',
      'meanSquaredError',
      'meanAbsoluteError',
      'r2',
      'squaredCorrelation',
    ])
  })
})

describe('info', () => {
  it('of many classes: a certificate a pair, support vectors by class and case, influence', async () => {
    await json('train', 'classes', '--gamma', '0.25', '--C', '2', '--class-weight', '2=3', '-o', 'm.json')
    const model = new SVC({ kernel, C: 2, classWeight: { 2: 3 } }).fitSync(classes)
    const info = await json('info', 'm.json', '--top', '4')
    expect(info.functions.map(({ name }: { name: string }) => name)).toEqual(['2 / 4', '2 / 9', '4 / 9'])
    info.functions.forEach((one: { bias: number; certificate: { dual: number } }, p: number) => {
      expect(one.bias).toBe(model.biases[p])
      expect(one.certificate.dual).toBe(model.certificates?.[p].dual)
    })
    // By definition: 6 bounds the vectors of class 2, 2 those of the others.
    const bounds = new Map([
      [2, 6],
      [4, 2],
      [9, 2],
    ])
    const bounded = (label: number, other: number) => {
      const [c, o] = [label, other].map((name) => model.classes.indexOf(name))
      const start = model.supportCounts.subarray(0, c).reduce((a, b) => a + b, 0)
      const row = (o < c ? o : o - 1) * model.supportCount
      const own = model.dualCoef.subarray(row + start, row + start + model.supportCounts[c])
      return own.filter((value) => Math.abs(value) === bounds.get(label)).length
    }
    for (const one of info.support) {
      const other = one.function
        .split(' / ')
        .map(Number)
        .find((label: number) => label !== one.class)
      expect(one.bounded).toBe(bounded(one.class, other))
    }
    expect(info.influential.length).toBe(4)
    const sums = Array.from({ length: model.supportCount }, (_, s) =>
      [0, 1].reduce((sum, row) => sum + Math.abs(model.dualCoef[row * model.supportCount + s]), 0),
    )
    const most = sums.indexOf(Math.max(...sums))
    expect(info.influential[0]).toEqual({
      sample: model.supportIndices?.[most],
      vector: most,
      class: classes.labels[model.supportIndices?.[most] ?? -1],
      influence: sums[most],
    })
    const { stdout } = await run('info', 'm.json')
    expect(stdout).toMatch(/^function +bias +primal +gap +violation +iterations +stopped$/m)
    expect(stdout).toMatch(/^2 \/ 9 +.*converged$/m)
    expect(stdout).toMatch(/^function +class +support vectors +free +at the bound$/m)
    expect(stdout).toMatch(/^influential sample \(from 0\) +class +sum of \|coefficients\|$/m)
  })

  it('weights of linear models by the names of features, the largest first', async () => {
    const random = new Random(3)
    const rows = Array.from({ length: 60 }, () => names.map(() => random.normal()))
    const labels = rows.map(([height, weight]) => (3 * weight - height > 0 ? 'heavy' : 'light'))
    writeFileSync(path('people.csv'), formatCsv(makeDataset(rows, labels, { featureNames: names })))
    await json('train', 'people.csv', '--kernel', 'linear', '-o', 'm.json')
    const { weights } = await json('info', 'm.json')
    const data = await parseVectors(readFileSync(path('people.csv'), 'utf8'), { format: 'csv' })
    const { coef } = new SVC({ kernel: linear() }).fitSync(data)
    expect(weights.map(({ name }: { name: string }) => name).slice(0, 2)).toEqual(['weight', 'height'])
    expect(weights[0].weight).toBeCloseTo(coef?.[1] ?? Number.NaN, 10)
    expect((await run('info', 'm.json')).stdout).toMatch(/^feature +weight\nweight +-\d/m)
  })

  it('weights of single samples leave bounds unknown; files of LIBSVM say less', async () => {
    writeFileSync(path('w.csv'), 'a,w,y\n1,1,1\n2,5,1\n1.5,3,-1\n2.5,2,-1\n')
    await json('train', 'w.csv', '--weight', 'w', '--kernel', 'linear', '--label', 'y', '-o', 'm.json')
    const { support, certificate } = await json('info', 'm.json')
    const told = support.map(({ bounded }: { bounded: number | null }) => bounded)
    if (told.includes(null)) expect(told).toEqual([null, null])
    else expect(told[0] + told[1]).toBe(certificate.boundedSupportVectors)
    await json('train', 'classes', '-o', 'm.model')
    const info = await json('info', 'm.model')
    expect(info.influential[0].sample).toBe(null)
    expect(info.functions[0].certificate).toBe(null)
    expect((await run('info', 'm.model')).stdout).toMatch(/^influential vector \(from 0\)/m)
  })
})
