import { describe, expect, it } from 'vitest'
import { fitLaplaceNoise } from '../../../src/calibration.ts'
import {
  crossValidate,
  fitCalibrated,
  generate,
  LinearSVC,
  LinearSVR,
  linear,
  makeDataset,
  NuSVC,
  NuSVR,
  OneClassSVM,
  ParameterError,
  rbf,
  SVC,
  SVR,
  type SvrModel,
  selectSamples,
  tune,
  type VectorDataset,
} from '../../../src/index.ts'
import { logLoss, r2, rocAuc } from '../../../src/metrics.ts'
import { defaultGrid, kFold, learningCurve, nestedCrossValidate } from '../../../src/selection.ts'

const moons = generate('moons', { n: 90, noise: 0.2, seed: 1 })
const sine = generate('sine', { n: 80, noise: 0.1, seed: 1 })
/** Targets that are whole numbers, and repeat. */
const counts = makeDataset(sine.samples, sine.labels.map((z) => Math.round(3 * Number(z))) as never)
const three = generate('blobs', { n: 90, centers: 3, classes: 3, spread: 3, seed: 2 })
const gamma = [0.5, 2]

describe('tune', () => {
  const types: [string, object, VectorDataset, Record<string, number[]>][] = [
    ['NuSVC', new NuSVC({ tol: 1e-7 }), moons, { nu: [0.1, 0.3], gamma }],
    ['NuSVC of three classes', new NuSVC({ tol: 1e-7 }), three, { nu: [0.1, 0.3], gamma }],
    ['SVR', new SVR({ C: 2, tol: 1e-7 }), sine, { epsilon: [0.05, 0.3], gamma }],
    ['NuSVR', new NuSVR({ tol: 1e-7 }), sine, { C: [1, 10], nu: [0.2, 0.7] }],
    ['LinearSVC', new LinearSVC(), three, { C: [0.1, 10] }],
    ['LinearSVR', new LinearSVR({ tol: 1e-9 }), sine, { C: [0.1, 10], epsilon: [0, 0.2] }],
    ['OneClassSVM', new OneClassSVM({ tol: 1e-7 }), moons, { nu: [0.1, 0.5], gamma }],
  ]
  it.each(types)('judges each cell of %s as separate fits', async (_, estimator, data, grid) => {
    const tunable = estimator as SVC
    const { cells, model, bestScore } = await tune(tunable, data, { grid, folds: 3 })
    expect(cells).toHaveLength(Object.values(grid).reduce((count, values) => count * values.length, 1))
    const EstimatorClass = estimator.constructor as new (options: object) => SVC
    for (const { params, scores } of cells) {
      const { gamma: width, ...others } = params
      const kernel = width === undefined ? {} : { kernel: rbf({ gamma: Number(width) }) }
      const separate = new EstimatorClass({ ...tunable.options, ...others, ...kernel })
      const alone = (await crossValidate(separate, data, { folds: 3 })).scores[0].scores
      scores.forEach((score, f) => {
        expect(Math.abs(score - alone[f])).toBeLessThan(1e-5)
      })
    }
    expect(bestScore).toBe(Math.max(...cells.map(({ mean }) => mean)))
    expect(model?.predict(data.samples)).toHaveLength(data.samples.rows)
  })

  it('tries what the estimator has where no grid is given', () => {
    expect(Object.keys(defaultGrid(new SVR()))).toEqual(['C', 'gamma'])
    expect(Object.keys(defaultGrid(new NuSVC()))).toEqual(['nu', 'gamma'])
    expect(Object.keys(defaultGrid(new SVC({ kernel: linear() })))).toEqual(['C'])
    expect(Object.keys(defaultGrid(new LinearSVR()))).toEqual(['C'])
  })

  it('prefers the simpler of equal cells: a wider tube, more samples that may err', async () => {
    const scoring = { name: 'same', greaterIsBetter: true, needs: 'predictions', score: () => 1 } as const
    const options = { scoring, folds: 2, refit: false } as const
    const wide = await tune(new SVR(), sine, { grid: { epsilon: [0.1, 0.4, 0.2] }, ...options })
    expect(wide.bestParams).toEqual({ epsilon: 0.4 })
    const soft = await tune(new NuSVC(), moons, { grid: { nu: [0.1, 0.4, 0.2] }, ...options })
    expect(soft.bestParams).toEqual({ nu: 0.4 })
    const narrow = await tune(new NuSVR(), sine, { grid: { C: [1], nu: [0.4, 0.1] }, ...options })
    expect(narrow.bestParams).toEqual({ C: 1, nu: 0.1 })
  })

  it('fits the noise of a regression to what was said of the folds', async () => {
    const grid = { C: [1], gamma: [2] }
    // Searches and folds of one machine round differently: both are within the tolerance.
    const tol = 1e-7
    const { model } = await tune<SvrModel>(new SVR({ tol }), sine, { grid, folds: 4, calibrate: 'laplace' })
    const { outOfFold } = await crossValidate(new SVR({ tol, C: 1, kernel: rbf({ gamma: 2 }) }), sine, {
      folds: 4,
    })
    const truth = outOfFold.truth as Float64Array
    const residuals = truth.map((z, i) => z - Number(outOfFold.predicted[i]))
    const sigma = expect.closeTo(fitLaplaceNoise(residuals), 6)
    expect(model?.probability).toEqual({ method: 'laplace', sigma })
  })

  it('calibrates several classes of an estimator that shares nothing', async () => {
    const { model } = await tune(new NuSVC(), three, { grid: { nu: [0.2] }, folds: 3, calibrate: 'sigmoid' })
    expect(model?.predictProbability?.(three.samples)).toHaveLength(3 * 90)
  })
})

describe('a regression', () => {
  it('is judged by r2 on folds without strata, whole numbers or not', async () => {
    const svr = new SVR({ tol: 1e-7 })
    const { scores, outOfFold } = await crossValidate(svr, counts, { folds: 4, seed: 3 })
    expect(scores[0].name).toBe('r2')
    expect(outOfFold.predicted.some((value: unknown) => !Number.isInteger(value))).toBe(true)
    const folds = kFold(counts, { folds: 4, seed: 3, stratify: false })
    for (const [f, { train, test }] of folds.entries()) {
      const model = await svr.fit(selectSamples(counts, train))
      const part = selectSamples(counts, test)
      const expected = r2(part.labels as Float64Array, model.predict(part.samples))
      expect(Math.abs(scores[0].scores[f] - expected)).toBeLessThan(1e-5)
    }
    expect((await tune(svr, counts, { grid: { C: [1] }, folds: 4, seed: 3 })).cells[0].scores).toEqual(
      scores[0].scores,
    )
    expect((await learningCurve(new SVR(), counts, { folds: 4, sizes: [1], seed: 3 })).scoring).toBe('r2')
  })

  it('knows where its targets lie', async () => {
    const model = await fitCalibrated(new SVR({ C: 10 }), sine)
    const { predicted, lower, upper } = model.predictInterval(sine.samples, { level: 0.8 })
    expect(predicted).toEqual(model.predict(sine.samples))
    const sigma = model.probability?.sigma ?? Number.NaN
    lower.forEach((low, i) => {
      expect(predicted[i] - low).toBeCloseTo(sigma * Math.log(5), 12)
      expect(upper[i] - predicted[i]).toBeCloseTo(sigma * Math.log(5), 12)
    })
    const wide = model.predictInterval(sine.samples)
    const inside = (sine.labels as Float64Array).filter((z, i) => z >= wide.lower[i] && z <= wide.upper[i])
    expect(inside.length).toBeGreaterThan(0.8 * 80)
    expect(() => model.predictInterval(sine.samples, { level: 1 })).toThrow(ParameterError)
    const plain = await new SVR().fit(sine)
    expect(() => plain.predictInterval(sine.samples)).toThrow('its noise was not fitted')
  })
})

describe('scores of many classes', () => {
  const estimators = [
    ['SVC', new SVC({ C: 2 })],
    ['SVC that shows pairs', new SVC({ C: 2, decisionFunctionShape: 'ovo' })],
    ['LinearSVC', new LinearSVC()],
  ] as const
  it.each(estimators)(
    'roc-auc of %s is the mean over classes, each against the rest',
    async (_, estimator) => {
      const { scores } = await crossValidate(estimator, three, { folds: 3, scoring: 'roc-auc' })
      for (const [f, { train, test }] of kFold(three, { folds: 3 }).entries()) {
        const model = await estimator.fit(selectSamples(three, train) as never)
        const part = selectSamples(three, test)
        const shape = estimator instanceof SVC ? ({ decisionFunctionShape: 'ovr' } as const) : {}
        const values = (
          model as { decisionFunction(rows: unknown, o: object): Float64Array }
        ).decisionFunction(part.samples, shape)
        const areas = [1, 2, 3].map((positive, c) => {
          const own = Float64Array.from({ length: test.length }, (_, i) => values[3 * i + c])
          return rocAuc(part.labels as Float64Array, own, { positive })
        })
        expect(scores[0].scores[f]).toBeCloseTo((areas[0] + areas[1] + areas[2]) / 3, 12)
      }
    },
  )

  it('roc-auc is the same for cells that share their work', async () => {
    const scoring = 'roc-auc'
    const { cells } = await tune(new SVC(), three, { grid: { C: [2], gamma: [1] }, folds: 3, scoring })
    const estimator = new SVC({ C: 2, kernel: rbf({ gamma: 1 }) })
    const separate = await crossValidate(estimator, three, { folds: 3, scoring })
    cells[0].scores.forEach((score, f) => {
      expect(score).toBeCloseTo(separate.scores[0].scores[f], 3)
    })
  })

  it('log-loss and roc-auc come from probabilities where fits are calibrated, also one by one', async () => {
    const estimator = { fit: (data: VectorDataset) => fitCalibrated(new SVC(), data) }
    const options = { folds: 3, scoring: ['log-loss', 'roc-auc'] } as const
    const { scores } = await crossValidate(estimator as never, three, options)
    const [{ train, test }] = kFold(three, { folds: 3 })
    const model = await fitCalibrated(new SVC(), selectSamples(three, train))
    const part = selectSamples(three, test)
    const flat = model.predictProbability(part.samples)
    const rows = Array.from({ length: test.length }, (_, i) => flat.subarray(3 * i, 3 * i + 3))
    expect(scores[0].scores[0]).toBeCloseTo(logLoss(part.labels as Float64Array, rows), 12)
    expect(scores[1].mean).toBeGreaterThan(0.5)
    const few = generate('blobs', { n: 15, centers: 3, classes: 3, seed: 2 })
    const each = await crossValidate(estimator as never, few, {
      protocol: 'leave-one-out',
      scoring: ['log-loss', 'roc-auc'],
    })
    expect(each.scores.map(({ scores: own }) => own.length)).toEqual([1, 1])
  })
})

describe('what cannot end well is refused before anything is fitted', () => {
  const never = { ...new SVC(), learns: 'classes', fit: () => expect.unreachable() } as never as SVC
  const refused: [string, () => Promise<unknown>, string][] = [
    [
      'log-loss of models without probabilities',
      () => tune(new SVC(), moons, { scoring: 'log-loss' }),
      'tune: scoring must be a score of labels or decision values, unless a fit is calibrated (fitCalibrated), got "log-loss"',
    ],
    [
      'scores of classes for a regression',
      () => crossValidate(new SVR(), sine, { scoring: 'f1' }),
      'crossValidate: scoring must be one of r2, mse, rmse, mae, squared-correlation, because numbers are learned, got "f1"',
    ],
    [
      'scores of a regression for classes',
      () => learningCurve(never, moons, { scoring: 'mae' }),
      'learningCurve: scoring must be one of accuracy, balanced-accuracy,',
    ],
    [
      'ranks of a class that a part lacks',
      () =>
        crossValidate(never, makeDataset([[1], [2], [3], [4], [5]], [1, 1, 1, 2, 2]), { scoring: 'roc-auc' }),
      'crossValidate: folds must be few enough for roc-auc to find each class in each part; class 2 has 2 of 5 samples, got 5',
    ],
    [
      'one class alone',
      () => tune(never, makeDataset([[1], [2], [3]], [1, 1, 1]), { folds: 2 }),
      'tune: all samples (3) have the class 1; two classes are needed',
    ],
    [
      'a single sample of a class',
      () => crossValidate(never, makeDataset([[1], [2], [3]], [1, 1, 2]), { folds: 2 }),
      'crossValidate: all samples of a fold to learn from have the class 1; two classes are needed',
    ],
    [
      'labels that say nothing of outliers',
      () => tune(new OneClassSVM(), three),
      'tune: one-class scores need labels 1 (normal) and -1 (outlier), got',
    ],
    [
      'cells that are not allowed',
      () => tune(new NuSVC(), moons, { grid: { nu: [0.5, 2] } }),
      'NuSVC: nu must be > 0 and <= 1, got 2',
    ],
    [
      'a number of cells without ranges to draw them from',
      () => tune(new SVC(), moons, { grid: { C: [1, 2] }, search: 'halving', budget: { cells: 5 } }),
      'tune: budget.cells needs ranges to draw from',
    ],
    [
      'calibration of what has no probabilities',
      () => tune(new LinearSVC(), moons, { calibrate: 'sigmoid' }),
      'tune: calibrate does not apply to an estimator of type linear-svc',
    ],
    [
      'calibration of a regression as if it had classes',
      () => tune(new SVR(), sine, { calibrate: 'sigmoid' }),
      'tune: calibrate must be one of laplace, got "sigmoid"',
    ],
    [
      'folds beside a protocol with settings',
      () => crossValidate(never, moons, { folds: 3, protocol: { kind: 'k-fold' } }),
      'crossValidate: folds does not apply to a protocol with settings of its own, or to given folds',
    ],
  ]
  it.each(refused)('%s', async (_, run, message) => {
    await expect(run()).rejects.toThrow(message)
  })
})

describe('folds', () => {
  it('is short for k-fold, and goes with the name of a protocol', async () => {
    const options = { protocol: { kind: 'k-fold', folds: 3 } } as const
    const long = await crossValidate(new SVC(), moons, options)
    expect((await crossValidate(new SVC(), moons, { folds: 3 })).scores).toEqual(long.scores)
    const named = await crossValidate(new SVC(), moons, { protocol: 'libsvm', folds: 4 })
    expect(named.folds).toHaveLength(4)
    const nested = await nestedCrossValidate(
      async (train) => ({ bestParams: {}, bestScore: 0, model: await new SVC().fit(train as VectorDataset) }),
      moons,
      { folds: 2 },
    )
    expect(nested.choices).toHaveLength(2)
  })
})

describe('OneClassSVM', () => {
  it('learns from rows as from a data set', async () => {
    const rows = [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
      [9, 9],
    ]
    const options = { nu: 0.3, kernel: rbf({ gamma: 0.5 }) }
    const expected = (
      await new OneClassSVM(options).fit(makeDataset(rows, [1, 1, 1, 1, 1]))
    ).decisionFunction(rows)
    expect((await new OneClassSVM(options).fit(rows)).decisionFunction(rows)).toEqual(expected)
    const flat = { values: rows.flat(), shape: [5, 2] } as const
    expect(new OneClassSVM(options).fitSync(flat).decisionFunction(rows)).toEqual(expected)
    await expect(new OneClassSVM().fit(undefined as never)).rejects.toThrow(
      'from makeDataset(rows, labels), or rows, got undefined',
    )
  })
})
