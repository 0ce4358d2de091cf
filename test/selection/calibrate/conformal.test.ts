/** Conformal sets and intervals: their coverage, over many draws. */
import { describe, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { conformalQuantile } from '../../../src/calibration/conformal-quantile.ts'
import { generate } from '../../../src/data/generators/generators.ts'
import { type Dataset, makeDataset, selectSamples } from '../../../src/data/table/dataset.ts'
import { LinearSVC } from '../../../src/estimators/linear-svc.ts'
import { LinearSVR } from '../../../src/estimators/linear-svr.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { SVR } from '../../../src/estimators/svr.ts'
import { fitCalibrated } from '../../../src/selection/calibrate/calibrate.ts'
import { conformalIntervals, conformalSets } from '../../../src/selection/calibrate/conformal.ts'
import {
  conformalIntervalsFromFolds,
  conformalSetsFromFolds,
} from '../../../src/selection/calibrate/conformal-from-folds.ts'

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
    'conformalSets: the label "c" is none of the model\'s, "a", "b"',
  )
  expect(() => conformalIntervals(svr, makeDataset([[0], [1]], [0, 1], { weights: [1, 2] }))).toThrow(
    'samples must count the same',
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
