import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseVectors } from '../../../src/data/files/parse-vectors.ts'
import { formatCsv, formatLibsvm } from '../../../src/formats.ts'
import {
  accuracy,
  generate,
  linear,
  makeDataset,
  Random,
  rbf,
  SVC,
  selectSamples,
  toDense,
} from '../../../src/index.ts'
import { f1, precision, recall, rocAuc } from '../../../src/metrics.ts'
import { thresholdFromFolds } from '../../../src/selection.ts'
import { cliInFolder, resultOf, startCli } from '../run-cli.ts'

const { folder, path, run, json } = cliInFolder()
// Read back as the command reads it: sparse rows add up in another order than dense ones.
const data = await parseVectors(formatLibsvm(generate('moons', { n: 120, noise: 0.25, seed: 3 })))
const model = new SVC({ kernel: rbf({ gamma: 2 }), C: 5 }).fitSync(data)

beforeAll(async () => {
  writeFileSync(path('moons.libsvm'), formatLibsvm(data))
  writeFileSync(path('moons.csv'), formatCsv(data))
  await run('train', 'moons.libsvm', '--C', '5', '--gamma', '2', '-o', 'moons.json')
})

describe('train', () => {
  it('prints the certificate of the model it writes', async () => {
    const flags = ['--C', '5', '--gamma', '2', '-o', 'm.json', '--trace', 'm.csv', '--trace-every', '10']
    const result = await json('train', 'moons.libsvm', ...flags)
    const { certificate, bias, trace } = new SVC({ kernel: rbf({ gamma: 2 }), C: 5 }).fitSync(data, {
      trace: { every: 10 },
    })
    const { seconds, ...measures } = certificate
    expect(result).toMatchObject({
      ...measures,
      bias,
      biasForm: 'free',
      classes: [-1, 1],
      kernel: { kind: 'rbf', gamma: 2 },
      C: 5,
      samples: 120,
      features: 2,
      model: 'm.json',
      trace: 'm.csv',
    })
    expect(result.seconds).toBeGreaterThan(0)
    const info = await json('info', 'm.json')
    expect(info).toMatchObject({
      kind: 'model',
      type: 'svc',
      biases: [result.bias],
      supportVectors: result.supportVectors,
    })
    expect(info.certificate).toEqual({ ...certificate, seconds: result.seconds })
    const [header, ...points] = readFileSync(path('m.csv'), 'utf8').trimEnd().split('\n')
    expect(header).toBe('iteration,seconds,primal,dual,gap,violation,supportVectors')
    const iterations = points.map((line) => Number(line.split(',')[0]))
    expect(iterations).toEqual(trace.map((point) => point.iteration))
    expect(iterations.at(-1)).toBe(result.iterations)
  })

  it('tells people the same in words', async () => {
    const { code, stdout, stderr } = await run('train', 'moons.libsvm', '--C', '5', '--gamma', '2')
    expect([code, stderr]).toEqual([0, ''])
    const { iterations, supportVectors, boundedSupportVectors } = model.certificate
    expect(stdout).toMatch(/^120 samples, 2 features, kernel rbf \(gamma 2\), C 5\noptimal within 0\.00/)
    expect(stdout).toContain(`converged after ${iterations} iterations of smo in `)
    expect(stdout).toContain(
      `${supportVectors} support vectors of 120 samples, ${boundedSupportVectors} at the bound`,
    )
    expect(stdout).toContain('no model written')
  })

  it('says when it did not converge', async () => {
    const { code, stdout } = await run('train', 'moons.libsvm', '--max-iter', '3')
    expect(code).toBe(0)
    expect(stdout).toContain('NOT converged: stopped at the iteration limit after 3 iterations')
    expect(stdout).toMatch(/at most .* above the optimum: primal/)
    const primal = await run('train', 'moons.libsvm', '--solver', 'pegasos', '--tol', '0.1')
    expect(primal.stdout).toMatch(
      /iterations? of pegasos in .* \(gap 0\.0\d+ of the primal value, tolerance 0\.1\)/,
    )
  })

  it('reads tables, scales, weighs classes and takes every kernel and solver setting', async () => {
    const flags = [
      '--kernel',
      'poly',
      '--degree',
      '2',
      '--coef0',
      '1',
      '--gamma',
      'auto',
      '--scale',
      'standard',
    ]
    const more = [
      '--class-weight',
      '+1=2,-1=0.5',
      '--solver',
      'smo-mvp',
      '--tol',
      '1e-4',
      '--cache',
      '1',
      '--seed',
      '4',
    ]
    const result = await json('train', 'moons.csv', ...flags, ...more, '-o', 'poly.json')
    expect(result).toMatchObject({
      solver: 'smo-mvp',
      tol: 1e-4,
      stopReason: 'converged',
      kernel: { kind: 'polynomial', degree: 2, coef0: 1, gamma: 0.5 },
    })
    expect((await json('info', 'poly.json')).scaler).toBe('standard')
  })

  it('takes kernel values that were computed elsewhere', async () => {
    const { values } = toDense(data.samples)
    const product = (i: number, j: number) =>
      values[2 * i] * values[2 * j] + values[2 * i + 1] * values[2 * j + 1]
    const all = Array.from(data.labels.keys())
    const lines = all.map(
      (i) => `${data.labels[i]} 0:${i + 1} ${all.map((j) => `${j + 1}:${product(i, j)}`).join(' ')}\n`,
    )
    writeFileSync(path('gram.libsvm'), lines.join(''))
    const [given, computed] = await Promise.all([
      json('train', 'gram.libsvm', '--kernel', 'precomputed', '--tol', '1e-6', '-o', 'gram.json'),
      json('train', 'moons.libsvm', '--kernel', 'linear', '--tol', '1e-6'),
    ])
    expect(given.dual).toBeCloseTo(computed.dual, 5)
    const { accuracy: found } = await json('evaluate', 'gram.libsvm', 'gram.json')
    expect(found).toBe(
      accuracy(data.labels, new SVC({ kernel: linear(), tol: 1e-6 }).fitSync(data).predict(data.samples)),
    )
  })

  it('writes numbers that JSON lacks as strings', async () => {
    writeFileSync(path('same.libsvm'), '1 1:1\n-1 1:1\n1 1:2\n-1 1:3\n')
    const result = await json('train', 'same.libsvm', '--C', 'inf', '--kernel', 'linear')
    expect(result).toMatchObject({ C: 'Infinity', primal: 'Infinity', stopReason: 'unbounded' })
    const { stdout } = await run('train', 'same.libsvm', '--C', 'inf', '--kernel', 'linear')
    expect(stdout).toContain('no bound on the optimum yet: primal Infinity')
    expect(stdout).toContain('NO SOLUTION: a hard margin was requested')
  })

  it('does not train for a folder that is not there', async () => {
    const { code, stderr } = await run('train', 'moons.libsvm', '-o', 'nowhere/m.json')
    expect(code).toBe(1)
    expect(stderr).toBe('error: nowhere/m.json: the folder nowhere does not exist or cannot be written to\n')
  })

  it('writes LIBSVM’s format, which predicts the same', async () => {
    const flags = ['--C', '5', '--gamma', '2', '--format', 'libsvm']
    await json('train', 'moons.libsvm', ...flags, '-o', 'm.txt')
    expect(readFileSync(path('m.txt'), 'utf8')).toMatch(/^svm_type c_svc\nkernel_type rbf\n/)
    const { labels } = await json('predict', 'moons.libsvm', 'm.txt')
    expect(labels).toEqual(Array.from<number | string>(model.predict(data.samples)))
  })

  it('stops at Ctrl-C, keeps the best model so far and says so', async () => {
    const hard = generate('checkerboard', { n: 1500, seed: 1 })
    writeFileSync(path('hard.libsvm'), formatLibsvm(hard))
    const flags = [
      '--C',
      '1e5',
      '--gamma',
      '20',
      '--tol',
      '1e-12',
      '--solver',
      'smo-random',
      '--time-limit',
      '50',
    ]
    const child = startCli(
      ['train', 'hard.libsvm', ...flags, '-o', 'hard.json', '--json', '--verbose'],
      folder,
    )
    // Ctrl-C is heard from the first line on; a little later, so that there is something to keep.
    child.stderr?.once('data', () => setTimeout(() => child.kill('SIGINT'), 500))
    const { code, stdout, stderr } = await resultOf(child)
    expect(stderr).toBe(
      'training on 1,500 samples\n\nstopping: keeping the results so far (press Ctrl-C again to quit immediately)\n',
    )
    expect(code).toBe(1)
    const result = JSON.parse(stdout)
    expect(result.stopReason).toBe('aborted')
    const { certificate, supportVectors } = await json('info', 'hard.json')
    expect(certificate.stopReason).toBe('aborted')
    expect(supportVectors).toBe(result.supportVectors)
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})

describe('predict', () => {
  const labels = Array.from(model.predict(data.samples) as Float64Array)
  const decisions = model.decisionFunction(data.samples)

  it('prints one label a line, with the decision value when asked', async () => {
    const { stdout } = await run('predict', 'moons.libsvm', 'moons.json')
    expect(stdout).toBe(labels.map((label) => `${label}\n`).join(''))
    const both = await run('predict', 'moons.csv', 'moons.json', '--decision')
    const lines = both.stdout.trimEnd().split('\n')
    lines.forEach((line, i) => {
      const [label, value] = line.split(' ').map(Number)
      expect(label).toBe(labels[i])
      expect(value).toBeCloseTo(decisions[i], 12)
    })
    expect(lines).toHaveLength(120)
  })

  it('prints the same on any number of threads', async () => {
    // Large enough for the engine, and for threads: 6,000 rows of 60 features, hundreds of support vectors.
    const random = new Random(1)
    const values = Float64Array.from({ length: 6000 * 60 }, () => random.normal())
    const samples = { values, shape: [6000, 60] as const }
    const classes = Array.from({ length: 6000 }, (_, i) => (values[60 * i] + values[60 * i + 1] > 0 ? 1 : -1))
    const large = makeDataset(samples, classes)
    writeFileSync(path('large.libsvm'), formatLibsvm(large))
    const few = selectSamples(
      large,
      Array.from({ length: 800 }, (_, i) => i),
    )
    writeFileSync(path('large.json'), JSON.stringify(new SVC({ kernel: rbf({ gamma: 0.02 }) }).fitSync(few)))
    const [one, two] = await Promise.all(
      ['1', '2'].map((threads) =>
        run('predict', 'large.libsvm', 'large.json', '--decision', '--threads', threads),
      ),
    )
    expect(one.stdout.split('\n')).toHaveLength(6001)
    expect(two.stdout).toBe(one.stdout)
    const both = await Promise.all(
      ['1', '2'].map((threads) => json('evaluate', 'large.libsvm', 'large.json', '--threads', threads)),
    )
    expect(both[1]).toEqual(both[0])
    expect(both[0].accuracy).toBeGreaterThan(0.8)
  })

  it('writes a file and counts what it wrote', async () => {
    const result = await json('predict', 'moons.libsvm', 'moons.json', '-o', 'labels.txt')
    expect(result).toEqual({ samples: 120, output: 'labels.txt' })
    expect(readFileSync(path('labels.txt'), 'utf8')).toBe(labels.map((label) => `${label}\n`).join(''))
  })

  it('refuses a file that is not a model', async () => {
    const { code, stdout, stderr } = await run('predict', 'moons.libsvm', 'moons.csv', '-o', 'none.txt')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^error: moons\.csv:.*\n$/)
    expect(existsSync(path('none.txt'))).toBe(false)
  })
})

describe('--threshold', () => {
  const flags = ['--C', '5', '--gamma', '2']

  it('is chosen on folds, kept in the model, used by predict and evaluate, and can be overridden', async () => {
    const result = await json(
      'train',
      'moons.libsvm',
      ...flags,
      '--threshold',
      'precision=0.9',
      '-o',
      't.json',
    )
    const estimator = new SVC({ kernel: rbf({ gamma: 2 }), C: 5 })
    const { threshold, ...onFolds } = await thresholdFromFolds(estimator, data, { precision: 0.9 })
    expect(result).toMatchObject({ threshold, onFolds, stopReason: 'converged' })
    expect(onFolds.precision).toBeGreaterThanOrEqual(0.9)
    expect((await json('info', 't.json')).threshold).toBe(threshold)
    const values = model.decisionFunction(data.samples)
    const labelsFrom = (at: number) => Array.from(values, (value) => (value >= at ? 1 : -1))
    expect((await json('predict', 'moons.libsvm', 't.json')).labels).toEqual(labelsFrom(threshold))
    const other = await json('predict', 'moons.libsvm', 't.json', '--threshold', '-0.5')
    expect(other.labels).toEqual(labelsFrom(-0.5))
    const scores = await json('evaluate', 'moons.libsvm', 'moons.json', '--threshold', '-0.5')
    expect(scores.accuracy).toBe(accuracy(data.labels, Float64Array.from(labelsFrom(-0.5))))
    const words = await run('train', 'moons.libsvm', ...flags, '--threshold', 'cost=1,5')
    expect(words.stdout).toMatch(
      /threshold -?[\d.]+: class 1 from this value\n {2}on samples not seen: precision/,
    )
    expect((await json('train', 'moons.libsvm', ...flags, '--threshold', '0.25')).threshold).toBe(0.25)
    expect((await run('info', 't.json')).stdout).toMatch(/threshold +[-\d.]+: 1 from this value/)
  })

  it('is refused where there are no two classes, or no such goal, or no place for it', async () => {
    const three = generate('blobs', { n: 30, centers: 3, classes: 3, seed: 1 })
    writeFileSync(path('three.libsvm'), formatLibsvm(three))
    await run('train', 'three.libsvm', '-o', 'three.json')
    const refused = async (...args: string[]) => {
      const { code, stderr } = await run(...args)
      expect(code).not.toBe(0)
      return stderr
    }
    expect(await refused('train', 'three.libsvm', '--threshold', 'f1')).toContain(
      '--threshold needs data of two classes, got 3',
    )
    expect(await refused('predict', 'three.libsvm', 'three.json', '--threshold', '1')).toContain(
      'three.json: --threshold needs a classifier of two classes, but this model has 3 classes',
    )
    expect(await refused('train', 'moons.libsvm', '--type', 'svr', '--threshold', 'f1')).toContain(
      '--threshold does not apply to --type svr, which has no classes',
    )
    expect(await refused('train', 'moons.libsvm', '--threshold', 'f2')).toContain('precision=P, recall=R')
    expect(await refused('train', 'moons.libsvm', '--threshold', 'cost=1')).toContain('cost=FP,FN')
    expect(await refused('train', 'moons.libsvm', '--threshold', 'precision=95')).toContain('(up to 1)')
    expect(await refused('train', 'moons.libsvm', '--threshold', '0', '-o', 't.model')).toContain(
      "LIBSVM's model format cannot hold a threshold",
    )
    expect(await refused('train', 'moons.libsvm', '--threshold', 'f1', '--memory', '64')).toContain(
      '--threshold does not apply to training on shards',
    )
  })
})

describe('evaluate', () => {
  it('gives the metrics of the library', async () => {
    const predicted = model.predict(data.samples)
    const result = await json('evaluate', 'moons.libsvm', 'moons.json')
    expect(result).toMatchObject({
      samples: 120,
      accuracy: accuracy(data.labels, predicted),
      precision: precision(data.labels, predicted),
      recall: recall(data.labels, predicted),
      f1: f1(data.labels, predicted),
      auc: rocAuc(data.labels, model.decisionFunction(data.samples)),
      positive: 1,
    })
    expect(result.confusion.counts.flat().reduce((sum: number, n: number) => sum + n)).toBe(120)
    const { stdout } = await run('evaluate', 'moons.libsvm', 'moons.json')
    expect(stdout).toMatch(/^accuracy {11}\d+\.\d\d% \(\d+ of 120 samples\)\n/)
    expect(stdout).toMatch(/\ntrue class {2}predicted -1 {2}predicted 1\n/)
  })

  it('has no AUC when a class is missing from the data', async () => {
    writeFileSync(path('one.libsvm'), '1 1:0 2:1\n1 1:1 2:0\n')
    expect((await json('evaluate', 'one.libsvm', 'moons.json')).auc).toBeNull()
  })
})

describe('compare', () => {
  it('runs solvers side by side and names the problem each has solved', async () => {
    const result = await json(
      'compare',
      'moons.libsvm',
      '--C',
      '5',
      '--gamma',
      '2',
      '--solvers',
      'smo,smo-mvp,smo-platt',
    )
    expect(result).toMatchObject({ samples: 120, features: 2, kernel: { kind: 'rbf', gamma: 2 }, C: 5 })
    expect(result.solvers.map((one: { solver: string }) => one.solver)).toEqual([
      'smo',
      'smo-mvp',
      'smo-platt',
    ])
    for (const one of result.solvers) {
      expect(one).toMatchObject({ biasForm: 'free', stopReason: 'converged', unit: 'pair' })
      expect(Math.abs(one.dual / model.certificate.dual - 1)).toBeLessThan(1e-4)
      expect(one.gap).toBeLessThan(0.05)
    }
    expect(result.solvers[0].accuracy).toBe(accuracy(data.labels, model.predict(data.samples)))
  })

  it('lists what does not apply instead of failing', async () => {
    const { code, stdout } = await run(
      'compare',
      'moons.libsvm',
      '--solvers',
      'smo,subgradient,pegasos',
      '--max-iter',
      '50',
    )
    expect(code).toBe(0)
    expect(stdout).toContain('subgradient: not applicable (needs --kernel linear)')
    expect(stdout).toMatch(/^smo +free /m)
    expect(stdout).toMatch(/^pegasos +regularised /m)
    expect(stdout).toContain("A free bias is LIBSVM's problem")
    const hard = await json(
      'compare',
      'moons.libsvm',
      '--C',
      'inf',
      '--max-iter',
      '50',
      '--solvers',
      'pegasos',
    )
    expect(hard.solvers).toEqual([
      { solver: 'pegasos', notApplicable: 'pegasos: C must be finite, got Infinity' },
    ])
  })
})

describe('demo', () => {
  it('prints certificate and metrics and writes the page it names', async () => {
    const { code, stdout, stderr } = await run('demo', '-o', 'tour.html')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('optimal within')
    expect(stdout).toMatch(/accuracy +9\d\.\d\d%/)
    expect(stdout).toContain('tour.html')
    const html = readFileSync(path('tour.html'), 'utf8')
    expect(html.match(/<figure>/g)).toHaveLength(4)
    for (const title of ['What was learned', 'How it was found', 'Duality gap by solver'])
      expect(html).toContain(title)
    expect(html).not.toMatch(/NaN|undefined/)
  })
})
