import { describe, expect, it } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import {
  fisherUpper,
  incompleteBeta,
  logGamma,
  studentTwoSided,
} from '../../../src/selection/score/distributions.ts'
import { correctedTTest, fiveByTwoFTest, fiveByTwoTTest } from '../../../src/selection/score/paired-tests.ts'

/** Equal to so many digits relative to the value. */
function expectRelative(value: number, expected: number, bound: number): void {
  expect(Math.abs(value - expected)).toBeLessThanOrEqual(bound * Math.abs(expected))
}

describe('distributions are what scipy 1.10.1 says', () => {
  it.each([
    [2.3, 5, 0.06977246933203728],
    [0.5, 5, 0.638298871640929],
    [12, 5, 7.089492517161528e-5],
    [1.96, 1000, 0.05027318495574871],
    [0.01, 1, 0.9936340144701835],
    [40, 9, 1.8982998449339835e-11],
    [2.5706, 5, 0.04999889788007791],
  ])('t = %s, %s degrees of freedom', (t, freedom, expected) => {
    expectRelative(studentTwoSided(t, freedom), expected, 1e-12)
    expect(studentTwoSided(-t, freedom)).toBe(studentTwoSided(t, freedom))
  })

  it.each([
    [3.2, 10, 5, 0.10558647659082203],
    [0.4, 10, 5, 0.8979977233557302],
    [30, 10, 5, 0.0007701789592916635],
    [4.735, 10, 5, 0.05000133329987642],
    [1e-3, 3, 7, 0.9999518633978941],
  ])('F = %s, %s and %s degrees of freedom', (f, above, below, expected) => {
    expectRelative(fisherUpper(f, above, below), expected, 1e-12)
  })

  it.each([
    [0.3, 2, 5, 0.5798250000000001],
    [0.99, 0.5, 0.5, 0.9362314391414801],
    [0.5, 100, 100, 0.5],
    [1e-8, 0.5, 3, 0.00018749999875000006],
  ])('I_%s(%s, %s)', (x, a, b, expected) => {
    expectRelative(incompleteBeta(x, a, b), expected, 1e-12)
    expect(incompleteBeta(x, a, b) + incompleteBeta(1 - x, b, a)).toBeCloseTo(1, 12)
  })

  it.each([
    [0.5, 0.5723649429247],
    [2.5, 0.2846828704729192],
    [10, 12.801827480081469],
    [100.5, 361.43554046777757],
  ])('ln Γ(%s)', (x, expected) => {
    expectRelative(logGamma(x), expected, 1e-13)
  })

  it('at the ends', () => {
    expect([incompleteBeta(0, 1, 2), incompleteBeta(1, 1, 2)]).toEqual([0, 1])
    expect([studentTwoSided(0, 3), studentTwoSided(Number.POSITIVE_INFINITY, 3)]).toEqual([1, 0])
    expect([fisherUpper(0, 1, 2), fisherUpper(Number.POSITIVE_INFINITY, 1, 2)]).toEqual([1, 0])
  })
})

const a = [0.81, 0.79, 0.84, 0.8, 0.82, 0.77, 0.83, 0.81, 0.8, 0.82]
const b = [0.78, 0.77, 0.8, 0.81, 0.79, 0.76, 0.8, 0.77, 0.79, 0.78]

describe('5x2 tests', () => {
  it('follow their definitions', () => {
    const d = a.map((score, k) => score - b[k])
    const variances = [0, 1, 2, 3, 4].map((r) => (d[2 * r] - d[2 * r + 1]) ** 2 / 2)
    const total = variances.reduce((sum, one) => sum + one)
    const t = fiveByTwoTTest(a, b)
    expect(t.statistic).toBeCloseTo(d[0] / Math.sqrt(total / 5), 10)
    expect(t.freedom).toEqual([5])
    expect(t.difference).toBeCloseTo(d.reduce((sum, one) => sum + one) / 10, 14)
    const f = fiveByTwoFTest(a, b)
    expect(f.statistic).toBeCloseTo(d.reduce((sum, one) => sum + one * one, 0) / (2 * total), 10)
    expect(f.pValue).toBeCloseTo(fisherUpper(f.statistic, 10, 5), 14)
  })

  it('see no difference between equal scores', () => {
    for (const test of [fiveByTwoTTest, fiveByTwoFTest]) {
      expect(test(a, a)).toMatchObject({ difference: 0, statistic: 0, pValue: 1 })
    }
    expect(
      fiveByTwoTTest(
        a,
        b.map((_, k) => a[k] - 0.5),
      ).pValue,
    ).toBeLessThan(1e-10)
  })

  it('want ten scores of each', () => {
    expect(() => fiveByTwoTTest(a.slice(1), b.slice(1))).toThrow('needs the 10 scores of 5x2 folds, got 9')
    expect(() => fiveByTwoFTest(a, b.slice(1))).toThrow('10 scores of one model but 9 of the other')
    expect(() => fiveByTwoFTest(a, b.with(2, Number.NaN))).toThrow(
      'score 2 of a model is not a finite number',
    )
  })
})

describe('correctedTTest', () => {
  it('is the paired t-test with a larger variance', () => {
    const d = a.map((score, k) => score - b[k])
    const mean = d.reduce((sum, one) => sum + one) / 10
    const variance = d.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 9
    const { statistic, pValue, freedom } = correctedTTest(a, b, { train: 90, test: 10 })
    expect(statistic).toBeCloseTo(mean / Math.sqrt((1 / 10 + 10 / 90) * variance), 10)
    expect(freedom).toEqual([9])
    expect(pValue).toBeCloseTo(studentTwoSided(statistic, 9), 14)
    expect(statistic).toBeLessThan(mean / Math.sqrt(variance / 10))
  })

  it('wants sizes and more than one score', () => {
    expect(() => correctedTTest([1], [2], { train: 9, test: 1 })).toThrow(
      'at least 2 scores of each model, got 1',
    )
    expect(() => correctedTTest(a, b, { train: 0, test: 1 })).toThrow('sizes.train must be > 0')
  })

  it('rejects about as often as it says when both models are the same, where the plain test rejects more', () => {
    // Scores of overlapping training sets: a part common to all folds of an experiment, and one of their own, such that
    // the correlation of two differences is n_test / (n_train + n_test), the value the correction is made for.
    const random = new Random(7)
    const share = Math.sqrt(0.2)
    let rejected = 0
    let plainly = 0
    const experiments = 2000
    for (let e = 0; e < experiments; e++) {
      const common = random.normal()
      const d = Array.from({ length: 10 }, () => share * common + Math.sqrt(1 - share ** 2) * random.normal())
      const zeros = d.map(() => 0)
      if (correctedTTest(d, zeros, { train: 80, test: 20 }).pValue < 0.05) rejected++
      if (correctedTTest(d, zeros, { train: 1e12, test: 1 }).pValue < 0.05) plainly++
    }
    // 5% of 2000 is 100, with a standard deviation below 10.
    expect(rejected).toBeLessThan(140)
    expect(rejected).toBeGreaterThan(60)
    expect(plainly).toBeGreaterThan(2 * rejected)
  })
})
