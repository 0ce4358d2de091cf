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
  ] as const)('%s', async (_, fit, unseenPool) => {
    const model = await fit()
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
