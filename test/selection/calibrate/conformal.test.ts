/** Conformal sets and intervals: their coverage, over many draws. */
import { describe, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { conformalQuantile } from '../../../src/calibration/conformal-quantile.ts'
import { generate } from '../../../src/data/generators/generators.ts'
import { type Dataset, makeDataset, selectSamples } from '../../../src/data/table/dataset.ts'
import { LinearSVC } from '../../../src/estimators/linear-svc.ts'
import { LinearSVR } from '../../../src/estimators/linear-svr.ts'
import { LogisticRegression } from '../../../src/estimators/logistic-regression.ts'
import { OneClassSVM } from '../../../src/estimators/one-class-svm.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { SVR } from '../../../src/estimators/svr.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { parseJsonModel } from '../../../src/models/files/parse-json-model.ts'
import type { SvcModel } from '../../../src/models/svc-model.ts'
import type { SvrModel } from '../../../src/models/svr-model.ts'
import { fitCalibrated } from '../../../src/selection/calibrate/calibrate.ts'
import {
  conformalFromData,
  conformalIntervals,
  conformalSets,
  withConformal,
} from '../../../src/selection/calibrate/conformal.ts'
import { conformalFromFolds } from '../../../src/selection/calibrate/conformal-from-folds.ts'
import {
  conformalIntervalsFromFolds,
  conformalSetsFromFolds,
} from '../../../src/selection/calibrate/cross-conformal.ts'

/** Draws of so many calibration samples and test samples from a pool. */
const DRAWS = 150
const SEEN = 59
const UNSEEN = 100

/** The mean share of test samples that are covered, over draws of calibration and test samples. */
function meanCoverage(pool: Dataset, covered: (seen: Dataset, unseen: Dataset) => boolean[]): number {
  const random = new Random(3)
  let sum = 0
  for (let draw = 0; draw < DRAWS; draw++) {
    const order = random.shuffle(Array.from({ length: pool.labels.length }, (_, i) => i))
    const seen = selectSamples(pool, Uint32Array.from(order.slice(0, SEEN)))
    const unseen = selectSamples(pool, Uint32Array.from(order.slice(SEEN, SEEN + UNSEEN)))
    sum += covered(seen, unseen).filter(Boolean).length / UNSEEN
  }
  return sum / DRAWS
}

/**
 * Without ties the coverage of a draw has expectation ⌈60 · level⌉ / 60 = level. Its standard deviation is that of a Beta
 * distribution, √(level (1 − level) / 61), and that of a share of 100; four of them, of the mean of all draws, are allowed.
 */
function expectCoverage(coverage: number, level: number): void {
  const variance = level * (1 - level) * (1 / (SEEN + 2) + 1 / UNSEEN)
  expect(Math.abs(coverage - level)).toBeLessThan(4 * Math.sqrt(variance / DRAWS))
}

describe('intervals hold the target as often as they say', () => {
  const pool = generate('sine', { n: 2000, seed: 2 })
  const train = generate('sine', { n: 60, seed: 1 })

  test.each([
    ['SVR', new SVR({ C: 10 }).fitSync(train)],
    ['LinearSVR, which is a bad model', new LinearSVR().fitSync(train)],
  ])('%s', (_, model) => {
    for (const level of [0.5, 0.9]) {
      const coverage = meanCoverage(pool, (seen, unseen) => {
        const { lower, upper } = conformalIntervals(model, seen as never, { level }).predict(
          unseen.samples as never,
        )
        return Array.from(unseen.labels as Float64Array, (y, i) => lower[i] <= y && y <= upper[i])
      })
      expectCoverage(coverage, level)
    }
  })

  test('around the prediction, as wide as the residual of its rank', () => {
    const model = new SVR({ C: 10 }).fitSync(train)
    const intervals = conformalIntervals(model, pool)
    const { predicted, lower, upper } = intervals.predict([[0.3]])
    expect(predicted).toEqual(model.predict([[0.3]]))
    expect(upper[0] - predicted[0]).toBeCloseTo(intervals.radius, 12)
    expect(predicted[0] - lower[0]).toBeCloseTo(intervals.radius, 12)
    const within = model
      .predict(pool.samples)
      .filter((value, i) => Math.abs((pool.labels as Float64Array)[i] - value) <= intervals.radius)
    expect(within.length).toBe(Math.ceil(2001 * 0.9))
  })
})

describe('sets hold the class as often as they say', () => {
  const clouds = { centers: 3, classes: 3, spread: 2.5, box: 4 }
  const all = generate('blobs', { n: 2200, ...clouds, seed: 4 })
  const part = (from: number, to: number) =>
    selectSamples(
      all,
      Uint32Array.from({ length: to - from }, (_, i) => from + i),
    )
  const [train, pool] = [part(0, 200), part(200, 2200)]
  const moons = generate('moons', { n: 2100, noise: 0.4, seed: 6 })
  const two = selectSamples(
    moons,
    Uint32Array.from({ length: 100 }, (_, i) => 21 * i),
  )

  test.each([
    ['three classes, SVC', () => new SVC().fitSync(train), pool],
    ['three classes, LinearSVC', () => new LinearSVC().fitSync(train), pool],
    ['three classes, calibrated', () => fitCalibrated(new SVC(), train), pool],
    ['two classes', () => new SVC().fitSync(two), generate('moons', { n: 2000, noise: 0.4, seed: 7 })],
  ] as const)('%s', async (_, train, unseenPool) => {
    const model = await train()
    const coverage = meanCoverage(unseenPool, (seen, unseen) => {
      const sets = conformalSets(model, seen as never, { level: 0.9 }).predict(unseen.samples as never)
      return sets.map((set, i) => set.includes(unseen.labels[i]))
    })
    expectCoverage(coverage, 0.9)
    const { predict } = conformalSets(model, unseenPool as never, { level: 0.99 })
    const careful = predict(unseenPool.samples as never)
    const bold = conformalSets(model, unseenPool as never, { level: 0.5 }).predict(
      unseenPool.samples as never,
    )
    const size = (sets: readonly (readonly unknown[])[]) => sets.reduce((sum, set) => sum + set.length, 0)
    expect(size(careful)).toBeGreaterThan(size(bold))
  })
})

test('the quantile is the score of its rank, and infinite where there are too few', () => {
  expect(conformalQuantile([5, 1, 4, 2, 3, 9, 8, 7, 6], 0.5)).toBe(5)
  expect(conformalQuantile([5, 1, 4, 2, 3, 9, 8, 7, 6], 0.9)).toBe(9)
  expect(conformalQuantile([5, 1, 4], 0.9)).toBe(Number.POSITIVE_INFINITY)
  expect(() => conformalQuantile([1], 1)).toThrow('level')
  expect(() => conformalQuantile([Number.NaN], 0.5)).toThrow('score')
})

test('what does not fit is refused', () => {
  const line = makeDataset([[0], [1], [2], [3]], [0, 1.5, 2, 3.5])
  const classes = makeDataset([[0], [1], [2], [3]], ['a', 'a', 'b', 'b'])
  const svr = new SVR().fitSync(line)
  const svc = new SVC().fitSync(classes)
  expect(() => conformalIntervals(svc as never, line)).toThrow(
    'conformalIntervals: needs a regression, got a model of type "svc"',
  )
  expect(() => conformalSets(svr as never, classes)).toThrow(
    'conformalSets: needs a classifier, got a model of type "svr"',
  )
  expect(() => conformalIntervals(svr, classes)).toThrow('conformalIntervals: targets must be numbers')
  expect(() => conformalSets(svc, makeDataset([[0]], ['c']))).toThrow(
    'conformalSets: label "c" is not a class of the model ("a", "b")',
  )
  expect(() => conformalIntervals(svr, makeDataset([[0], [1]], [0, 1], { weights: [1, 2] }))).toThrow(
    'sample weights are not supported',
  )
  expect(() => conformalIntervals(svr, line, { level: 1 })).toThrow('level')
  expect(conformalSets(svc, classes).predict([[0]])).toEqual([['a', 'b']])
})

describe('from the folds', () => {
  /** The mean share of new samples that are covered, over training sets of 60. */
  async function foldCoverage(
    draw: (n: number, seed: number) => Dataset,
    covered: (train: Dataset, unseen: Dataset) => Promise<boolean[]>,
  ): Promise<number> {
    let sum = 0
    for (let seed = 1; seed <= 20; seed++) {
      const found = await covered(draw(60, seed), draw(100, 1000 + seed))
      sum += found.filter(Boolean).length / found.length
    }
    return sum / 20
  }

  // Proven is 2 level − 1, up to 1 / n; of stable models it is about level. The standard deviation of the mean is below 0.015.
  test.each([
    ['SVR', new SVR({ C: 10 })],
    ['LinearSVR, which is a bad model', new LinearSVR()],
  ])('intervals of %s', async (_, estimator) => {
    const coverage = await foldCoverage(
      (n, seed) => generate('sine', { n, seed }),
      async (train, unseen) => {
        const { predict } = await conformalIntervalsFromFolds(estimator, train, { level: 0.9 })
        const { lower, upper, predicted } = predict(unseen.samples as never)
        expect(predicted.every((value, i) => lower[i] <= value && value <= upper[i])).toBe(true)
        return Array.from(unseen.labels as Float64Array, (y, i) => lower[i] <= y && y <= upper[i])
      },
    )
    expect(coverage).toBeGreaterThan(0.86)
    expect(coverage).toBeLessThan(0.97)
  })

  test.each([
    ['SVC', new SVC()],
    ['LinearSVC', new LinearSVC()],
  ])('sets of %s', async (_, estimator) => {
    const coverage = await foldCoverage(
      (n, seed) => generate('moons', { n, noise: 0.4, seed }),
      async (train, unseen) => {
        const { predict } = await conformalSetsFromFolds(estimator, train, { level: 0.9 })
        return predict(unseen.samples as never).map((set, i) => set.includes(unseen.labels[i]))
      },
    )
    expect(coverage).toBeGreaterThan(0.86)
    expect(coverage).toBeLessThan(0.97)
  })

  test('the ends are the values of their ranks, by plain loops', async () => {
    const train = generate('sine', { n: 12, seed: 3 })
    const folds = [0, 1, 2].map((f) => {
      const all = Array.from({ length: 12 }, (_, i) => i)
      return {
        train: Uint32Array.from(all.filter((i) => i % 3 !== f)),
        test: Uint32Array.from(all.filter((i) => i % 3 === f)),
      }
    })
    const svr = new SVR()
    const { predict } = await conformalIntervalsFromFolds(svr, train, { level: 0.8, protocol: folds })
    const low: number[] = []
    const high: number[] = []
    for (const fold of folds) {
      const model = svr.fitSync(selectSamples(train, fold.train))
      const [at] = model.predict([[0.2]])
      for (const i of fold.test) {
        const own = selectSamples(train, Uint32Array.of(i))
        const residual = Math.abs((own.labels as Float64Array)[0] - model.predict(own.samples)[0])
        low.push(at - residual)
        high.push(at + residual)
      }
    }
    const sorted = (list: number[]) => list.sort((a, b) => a - b)
    const { lower, upper } = predict([[0.2]])
    expect(lower[0]).toBeCloseTo(sorted(low)[1], 12)
    expect(upper[0]).toBeCloseTo(sorted(high)[10], 12)
    const strict = await conformalIntervalsFromFolds(svr, train, { level: 0.99, protocol: folds })
    const { lower: least, upper: most } = strict.predict([[0.2]])
    expect([least[0], most[0]]).toEqual([-Infinity, Infinity])
  })

  test('what cannot be is refused', async () => {
    const train = generate('sine', { n: 30, seed: 3 })
    await expect(conformalSetsFromFolds(new SVR(), train)).rejects.toThrow('needs a classifier')
    await expect(conformalIntervalsFromFolds(new SVC(), generate('moons', { n: 30 }))).rejects.toThrow(
      'needs a regression',
    )
    await expect(conformalIntervalsFromFolds(new SVR(), train, { level: 1 })).rejects.toThrow('level must be')
  })
})

describe('kept in the model, from the folds', () => {
  const DRAWN = 30
  const NEW = 200

  /**
   * The mean share of new samples that are covered, over training sets of 80, after a trip through the JSON text. The share of a
   * draw varies by √(level (1 − level) (1 / 82 + 1 / 200)); the mean of 30 draws by 0.0074. From below four of these are allowed; models
   * of 64 samples are worse than those of 80, and so the quantile is rather large: above it is twice as much.
   */
  async function expectKept(
    estimator: { fit(data: Dataset): Promise<unknown> },
    draw: (n: number, seed: number) => Dataset,
  ): Promise<void> {
    let inside = 0
    for (let seed = 1; seed <= DRAWN; seed++) {
      const train = draw(80, seed)
      const unseen = draw(NEW, 1000 + seed)
      const conformal = await conformalFromFolds(estimator as never, train, { level: 0.9, seed })
      expect(conformal).toMatchObject({ level: 0.9, from: 'folds', samples: 80 })
      const model = withConformal((await estimator.fit(train)) as never, conformal)
      inside += covered(parseJsonModel(JSON.stringify(model)), unseen).filter(Boolean).length / NEW
    }
    const coverage = inside / DRAWN
    const deviation = Math.sqrt((0.9 * 0.1 * (1 / 82 + 1 / NEW)) / DRAWN)
    expect(coverage).toBeGreaterThan(0.9 - 4 * deviation)
    expect(coverage).toBeLessThan(0.9 + 8 * deviation)
  }

  const sine = (n: number, seed: number) => generate('sine', { n, seed })
  const moons = (n: number, seed: number) => generate('moons', { n, noise: 0.4, seed })
  // The places of the clouds are the same in all draws: one pool.
  const pool = generate('blobs', { n: 12_000, centers: 3, classes: 3, spread: 2.5, box: 4, seed: 4 })
  const clouds = (n: number, seed: number) => {
    const random = new Random(seed)
    return selectSamples(
      pool,
      Uint32Array.from({ length: n }, () => Math.floor(random.uniform() * pool.labels.length)),
    )
  }

  test.each([
    ['SVR', new SVR({ C: 10 }), sine],
    ['LinearSVR, which is a bad model', new LinearSVR(), sine],
    ['SVC, two classes', new SVC(), moons],
    ['LinearSVC, two classes', new LinearSVC(), moons],
    ['SVC, three classes', new SVC(), clouds],
    ['LinearSVC, three classes', new LinearSVC(), clouds],
    ['LogisticRegression, by probabilities', new LogisticRegression(), clouds],
    ['SVC, calibrated', { learns: 'classes', fit: (data: Dataset) => fitCalibrated(new SVC(), data) }, moons],
  ] as const)('%s', async (_, estimator, draw) => {
    await expectKept(estimator as never, draw)
  })

  test('comes back to the bit, and old files have none', async () => {
    const train = sine(60, 1)
    const svr = new SVR({ scaler: 'standard' })
    const conformal = await conformalFromFolds(svr, train, { level: 0.8 })
    const model = withConformal(await svr.fit(train), conformal)
    const text = JSON.stringify(model)
    const again = parseJsonModel(text)
    expect(again.conformal).toStrictEqual(conformal)
    expect(JSON.stringify(again)).toBe(text)
    const { lower, upper, predicted } = model.predictInterval([[0.3]])
    expect((again as typeof model).predictInterval([[0.3]])).toStrictEqual({ lower, upper, predicted })
    expect([predicted[0] - lower[0], upper[0] - predicted[0]]).toEqual([
      expect.closeTo(conformal.quantile, 12),
      expect.closeTo(conformal.quantile, 12),
    ])
    const { conformal: _, ...old } = JSON.parse(text)
    const plain = parseJsonModel(JSON.stringify({ ...old, version: 1 })) as typeof model
    expect(plain.conformal).toBeUndefined()
    expect(() => plain.predictInterval([[0.3]])).toThrow('has no intervals: its noise was not fitted')
    expect(() => model.predictInterval([[0.3]], { level: 0.5 })).toThrow(
      'no intervals of level 0.5, only of 0.8',
    )
    expect(withConformal(model, undefined).conformal).toBeUndefined()
    for (const [field, value, words] of [
      ['level', 0, 'conformal.level: must be a number > 0 and <= 1, got 0'],
      ['quantile', 'NaN', 'conformal.quantile: must not be NaN'],
      ['by', 'votes', 'conformal.by: must be one of "residuals", "probabilities", "scores", got "votes"'],
    ] as const) {
      const wrong = { ...JSON.parse(text), conformal: { ...conformal, [field]: value } }
      expect(() => parseJsonModel(JSON.stringify(wrong))).toThrow(words)
    }
  })

  test('an infinite quantile comes back, too', async () => {
    const train = moons(20, 1)
    const conformal = await conformalFromFolds(new SVC(), train, { level: 0.99 })
    expect(conformal.quantile).toBe(Infinity)
    const model = withConformal(new SVC().fitSync(train), conformal)
    const again = parseJsonModel(JSON.stringify(model)) as typeof model
    expect(again.predictSets([[0, 0]])).toEqual([[...model.classes]])
  })

  test('is what plain loops over the folds give', async () => {
    const train = clouds(40, 7)
    const all = Array.from({ length: 40 }, (_, i) => i)
    const folds = [0, 1, 2, 3].map((f) => ({
      train: Uint32Array.from(all.filter((i) => i % 4 !== f)),
      test: Uint32Array.from(all.filter((i) => i % 4 === f)),
    }))
    const conformal = await conformalFromFolds(new LinearSVC(), train, { level: 0.9, protocol: folds })
    const scores = folds.flatMap(({ train: own, test: others }) => {
      const model = new LinearSVC().fitSync(selectSamples(train, own))
      const values = model.decisionFunction(selectSamples(train, others).samples)
      return Array.from(others, (i, k) => {
        const row = Array.from(values.subarray(3 * k, 3 * k + 3))
        const c = model.classes.indexOf(train.labels[i] as never)
        return Math.max(...row.filter((_, other) => other !== c)) - row[c]
      })
    })
    expect(conformal.quantile).toBeCloseTo(scores.sort((a, b) => a - b)[Math.ceil(41 * 0.9) - 1], 6)
  })

  test('what was compared is compared again: scores, though the model has probabilities', async () => {
    const train = moons(80, 3)
    const conformal = await conformalFromFolds(new SVC(), train)
    const calibrated = await fitCalibrated(new SVC(), train)
    expect(conformal.by).toBe('scores')
    const rows = moons(50, 4).samples as never
    const own = withConformal(calibrated, conformal)
    expect(own.predictSets(rows)).toEqual(
      withConformal(new SVC().fitSync(train), conformal).predictSets(rows),
    )
    const probable = conformalFromData(calibrated, moons(60, 5))
    expect(probable.by).toBe('probabilities')
    expect(() => withConformal(new SVC().fitSync(train), probable)).toThrow('no probabilities to compare')
    expect(() => withConformal(new SVR().fitSync(sine(20, 1)), conformal)).toThrow('no scores to compare')
    expect(() => withConformal(calibrated, { ...conformal, by: 'residuals' })).toThrow(
      'no residuals to compare',
    )
  })

  describe('groups and times do not leak', () => {
    /** Each group has its own level, and its own place: who has seen the group knows the level. */
    function grouped(groups: number, seed: number): { data: Dataset; groups: string[] } {
      const random = new Random(seed)
      const rows: number[][] = []
      const targets: number[] = []
      const names: string[] = []
      for (let g = 0; g < groups; g++) {
        const place = 100 * random.uniform()
        const level = 10 * random.uniform()
        for (let i = 0; i < 8; i++) {
          rows.push([place + 0.01 * random.uniform()])
          targets.push(level + 0.1 * random.uniform())
          names.push(`group ${g}`)
        }
      }
      return { data: makeDataset(rows, targets), groups: names }
    }

    test('of new groups the intervals contain what they say, those of random folds do not', async () => {
      const svr = new SVR({ C: 100, kernel: rbf({ gamma: 10 }) })
      const [apart, mixed] = [[] as number[], [] as number[]]
      for (let seed = 1; seed <= 12; seed++) {
        const { data, groups } = grouped(30, seed)
        const fresh = grouped(60, 500 + seed).data
        const model = svr.fitSync(data as never)
        const protocols = [{ kind: 'group-k-fold', groups } as const, 'k-fold' as const]
        for (const [k, protocol] of protocols.entries()) {
          const conformal = await conformalFromFolds(svr, data, { level: 0.9, protocol })
          const found = covered(withConformal(model, conformal), fresh)
          ;[apart, mixed][k].push(found.filter(Boolean).length / found.length)
        }
      }
      const mean = (list: number[]) => list.reduce((sum, one) => sum + one, 0) / list.length
      // Of 12 draws of 30 groups, √(0.9 · 0.1 · (1 / 32 + 1 / 60) / 12) = 0.019; four of these.
      expect(mean(apart)).toBeGreaterThan(0.9 - 4 * 0.019)
      expect(mean(mixed)).toBeLessThan(0.5)
    })

    test('folds by time are tested on what comes later alone', async () => {
      const seen: number[][] = []
      const spy = {
        learns: 'numbers' as const,
        fit(part: Dataset) {
          const times = Array.from((part.samples as { values: Float64Array }).values)
          seen.push(times)
          return new SVR().fit(part as never)
        },
      }
      const rows = Array.from({ length: 60 }, (_, i) => [(i * 37) % 60])
      const data = makeDataset(
        rows,
        rows.map(([t]) => Math.sin(t / 5)),
      )
      const times = Float64Array.from(rows, ([t]) => t)
      const conformal = await conformalFromFolds(spy, data, { protocol: { kind: 'time-series', times } })
      expect(conformal.samples).toBe(50)
      expect(seen.map((part) => Math.max(...part))).toEqual([9, 19, 29, 39, 49])
    })
  })

  test('what cannot be is refused', async () => {
    const train = sine(30, 3)
    await expect(conformalFromFolds(new OneClassSVM() as never, train)).rejects.toThrow(
      'conformalFromFolds: needs a classifier or a regression',
    )
    await expect(conformalFromFolds(new SVR(), train, { level: 0 })).rejects.toThrow('level must be')
    await expect(conformalFromFolds(new SVR(), train, { scoring: 'r2' } as never)).rejects.toThrow('option')
    await expect(
      conformalFromFolds(new SVR(), { ...train, weights: new Float64Array(30).fill(2) }),
    ).rejects.toThrow('sample weights are not supported')
    const rare = makeDataset([[0], [0.1], [1], [1.1], [2]], ['a', 'a', 'b', 'b', 'c'])
    await expect(conformalFromFolds(new SVC(), rare, { folds: 2 })).rejects.toThrow('lacks a class')
    await expect(
      conformalFromFolds(new SVR(), train, { signal: AbortSignal.abort(new Error('enough')) }),
    ).rejects.toThrow('enough')
  })
})

/** Of each sample, whether the truth is in the set or interval of a model. */
function covered(model: unknown, { samples, labels }: Dataset): boolean[] {
  const own = model as SvcModel | SvrModel
  if ('predictSets' in own) return own.predictSets(samples as never).map((set, i) => set.includes(labels[i]))
  const { lower, upper } = own.predictInterval(samples as never)
  return Array.from(labels as Float64Array, (y, i) => lower[i] <= y && y <= upper[i])
}
