import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { generators } from '../../../src/data/generators/generators.ts'
import { type Dataset, type Labels, makeDataset } from '../../../src/data/table/dataset.ts'
import { trainTestSplit } from '../../../src/data/table/split.ts'
import { SVR } from '../../../src/estimators/svr.ts'
import { crossValidate } from '../../../src/selection/score/cross-validate.ts'
import {
  type Fold,
  fiveByTwo,
  groupKFold,
  holdOut,
  kFold,
  labelsAreClasses,
  leaveOneOut,
  libsvmFolds,
  repeatedKFold,
  stratifiedKFold,
  timeSeriesSplit,
  trainValidationTest,
} from '../../../src/selection/split/splits.ts'

function dataOf(labels: readonly (number | string)[]): Dataset {
  return makeDataset(
    labels.map((_, i) => [i]),
    labels,
  )
}

/** 0, 1, 2 … repeated in the given numbers, interleaved by a stride so that order means nothing. */
function classes(...sizes: readonly number[]): Dataset {
  const sorted = sizes.flatMap((size, c) => new Array<number>(size).fill(c))
  return dataOf(sorted.map((_, i) => sorted[(i * 7919) % sorted.length]))
}

const ascending = (indices: Uint32Array): boolean => indices.every((i, k) => k === 0 || i > indices[k - 1])
const countOf = (labels: Labels, indices: Uint32Array, label: number): number =>
  indices.reduce((sum, i) => sum + (labels[i] === label ? 1 : 0), 0)

function expectPartition(folds: readonly Fold[], count: number): void {
  const tested = folds.flatMap(({ test }) => Array.from(test)).sort((a, b) => a - b)
  expect(tested).toEqual(Array.from({ length: count }, (_, i) => i))
  for (const fold of folds) expectSides(fold, count)
}

function expectSides({ train, test }: Fold, count: number): void {
  expect(ascending(train) && ascending(test)).toBe(true)
  expect(new Set([...train, ...test]).size).toBe(count)
  expect(train.length + test.length).toBe(count)
}

describe('labelsAreClasses', () => {
  it('takes texts, two numbers and repeated whole numbers for classes, all else for targets', () => {
    expect(labelsAreClasses(['a', 'b'])).toBe(true)
    expect(labelsAreClasses(Float64Array.of(1, -1, 1))).toBe(true)
    expect(labelsAreClasses(Float64Array.of(1, 2, 3))).toBe(false)
    expect(labelsAreClasses(Float64Array.of(0.5, 0.5, 1))).toBe(true)
    expect(labelsAreClasses(Float64Array.of(0.5, 0.5, 1, 2))).toBe(false)
  })
})

describe('kFold', () => {
  it('tests every sample once, in parts that differ by one sample at most, also within each class', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 2, max: 6 }),
        fc.nat(1000),
        (sizes, folds, seed) => {
          const data = classes(...sizes)
          const count = data.labels.length
          fc.pre(count >= folds)
          const made = stratifiedKFold(data, { folds, seed })
          expectPartition(made, count)
          const spread = (values: readonly number[]): number => Math.max(...values) - Math.min(...values)
          expect(spread(made.map(({ test }) => test.length))).toBeLessThanOrEqual(1)
          for (const [c] of sizes.entries()) {
            expect(spread(made.map(({ test }) => countOf(data.labels, test, c)))).toBeLessThanOrEqual(1)
          }
        },
      ),
      { seed: 1 },
    )
  })

  it('is the same for the same seed and another for another', () => {
    const data = classes(30, 20)
    expect(kFold(data, { seed: 3 })).toEqual(kFold(data, { seed: 3 }))
    expect(kFold(data, { seed: 3 })).not.toEqual(kFold(data, { seed: 4 }))
  })

  it('stratifies classes by itself, but not targets', () => {
    const data = classes(8, 2)
    expect(kFold(data, { folds: 2 }).map(({ test }) => countOf(data.labels, test, 1))).toEqual([1, 1])
    const plain = Array.from({ length: 30 }, (_, seed) => kFold(data, { folds: 2, seed, stratify: false }))
    expect(plain.some(([{ test }]) => countOf(data.labels, test, 1) !== 1)).toBe(true)
  })

  it.each([
    [() => kFold(classes(3), { folds: 4 }), 'kFold: folds must be a whole number >= 2 and <= 3, got 4'],
    [() => kFold(classes(1)), 'kFold: needs at least 2 samples, got 1'],
    [() => kFold(classes(4), { seed: -1 }), 'kFold: seed must be a whole number >= 0, got -1'],
    [() => kFold(classes(4), { fold: 2 } as object), 'kFold: option must be one of'],
    [() => groupKFold(classes(4), {} as never), 'groupKFold: groups is required: the group of each sample'],
    [() => groupKFold(classes(4), { groups: ['a'] }), 'kFold: 4 samples but 1 groups'],
    [() => [...leaveOneOut(classes(1))], 'leaveOneOut: needs at least 2 parts, got 1'],
  ])('refuses what makes no sense (%#)', (call, message) => {
    expect(call).toThrow(message)
  })
})

describe('groups', () => {
  const data = classes(40, 20)
  const groups = Array.from({ length: 60 }, (_, i) => `g${i % 13}`)
  const sideOf = (fold: Fold) => {
    const tested = new Set(Array.from(fold.test, (i) => groups[i]))
    return Array.from(fold.train, (i) => groups[i]).every((group) => !tested.has(group))
  }

  it('are never divided, whatever the split', () => {
    const folds = [
      ...groupKFold(data, { groups, folds: 4 }),
      ...repeatedKFold(data, { groups, folds: 3, repeats: 2 }),
      ...fiveByTwo(data, { groups }),
      holdOut(data, { groups }),
      ...leaveOneOut(data, { groups }),
    ]
    for (const fold of folds) {
      expectSides(fold, 60)
      expect(fold.test.length).toBeGreaterThan(0)
      expect(sideOf(fold)).toBe(true)
    }
    expectPartition(groupKFold(data, { groups, folds: 4 }), 60)
    expectPartition([...leaveOneOut(data, { groups })], 60)
    const { train, validation, test } = trainValidationTest(data, { groups })
    expect(sideOf({ train, test: validation }) && sideOf({ train: validation, test })).toBe(true)
  })

  it('are dealt so that parts are about equal, in each class too', () => {
    const sizes = groupKFold(data, { groups, folds: 4 }).map(({ test }) => test.length)
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(5)
    // Groups of one class only: each part must get both kinds.
    const pure = Array.from(data.labels as Float64Array, (label, i) => `${label}-${i % 5}`)
    for (const { test } of groupKFold(data, { groups: pure, folds: 3 })) {
      expect(countOf(data.labels, test, 0)).toBeGreaterThan(0)
      expect(countOf(data.labels, test, 1)).toBeGreaterThan(0)
    }
  })

  it('leave something on each side even where one group is nearly everything', () => {
    const lopsided = groups.map((_, i) => (i < 59 ? 'big' : 'small'))
    for (let seed = 0; seed < 5; seed++) {
      expect(Array.from(holdOut(data, { groups: lopsided, seed }).test)).toEqual([59])
    }
  })
})

describe('hold-out', () => {
  it('keeps the share of each class', () => {
    const data = classes(60, 20)
    const { train, test } = holdOut(data, { testFraction: 0.25, seed: 5 })
    expectSides({ train, test }, 80)
    expect([countOf(data.labels, test, 0), countOf(data.labels, test, 1)]).toEqual([15, 5])
  })

  it('in three parts has the sizes asked for', () => {
    const data = classes(60, 40)
    const { train, validation, test } = trainValidationTest(data, {
      testFraction: 0.2,
      validationFraction: 0.3,
    })
    expect([train.length, validation.length, test.length]).toEqual([50, 30, 20])
    expect(new Set([...train, ...validation, ...test]).size).toBe(100)
    expect([test, validation, train].map((part) => countOf(data.labels, part, 1))).toEqual([8, 12, 20])
    expect(() => trainValidationTest(data, { testFraction: 0.5, validationFraction: 0.5 })).toThrow(
      'trainValidationTest: validationFraction must be > 0 and < 0.5, got 0.5',
    )
  })
})

describe('repeats', () => {
  it('are partitions, each another one', () => {
    const data = classes(12, 9)
    const folds = repeatedKFold(data, { folds: 3, repeats: 4, seed: 1 })
    expect(folds).toHaveLength(12)
    for (let r = 0; r < 4; r++) expectPartition(folds.slice(3 * r, 3 * r + 3), 21)
    expect(folds.slice(0, 3)).not.toEqual(folds.slice(3, 6))
  })

  it('of two halves come in pairs that swap sides', () => {
    const folds = fiveByTwo(classes(10, 10), { seed: 2 })
    expect(folds).toHaveLength(10)
    for (let r = 0; r < 10; r += 2) {
      expect(folds[r].train).toEqual(folds[r + 1].test)
      expect(folds[r].test).toEqual(folds[r + 1].train)
    }
  })
})

describe('leaveOneOut', () => {
  it('leaves out one after the other', () => {
    const folds = [...leaveOneOut(classes(3, 2))]
    expect(folds.map(({ test }) => Array.from(test))).toEqual([[0], [1], [2], [3], [4]])
    expectPartition(folds, 5)
  })
})

describe('libsvmFolds', () => {
  it('gives fold i what lies between i·n/v and (i + 1)·n/v of every class', () => {
    const data = classes(13, 7)
    const folds = libsvmFolds(data, { folds: 5, seed: 1 })
    expectPartition(folds, 20)
    expect(folds.map(({ test }) => countOf(data.labels, test, 0))).toEqual([2, 3, 2, 3, 3])
    expect(folds.map(({ test }) => countOf(data.labels, test, 1))).toEqual([1, 1, 2, 1, 2])
    const targets = dataOf(Array.from({ length: 13 }, (_, i) => i + 0.5))
    expect(libsvmFolds(targets, { folds: 5 }).map(({ test }) => test.length)).toEqual([2, 3, 2, 3, 3])
  })
})

describe('timeSeriesSplit', () => {
  const series = (n: number) => ({
    samples: Array.from({ length: n }, (_, i) => [i]),
    labels: new Float64Array(n),
  })
  const lists = (folds: readonly { train: Uint32Array; test: Uint32Array }[]) =>
    folds.map(({ train, test }) => [Array.from(train), Array.from(test)])

  it("makes the folds of scikit-learn's TimeSeriesSplit", () => {
    expect(lists(timeSeriesSplit(series(7), { folds: 3 }))).toEqual([
      [[0, 1, 2, 3], [4]],
      [[0, 1, 2, 3, 4], [5]],
      [[0, 1, 2, 3, 4, 5], [6]],
    ])
    expect(lists(timeSeriesSplit(series(12), { folds: 3, testSize: 2, gap: 2 }))).toEqual([
      [
        [0, 1, 2, 3],
        [6, 7],
      ],
      [
        [0, 1, 2, 3, 4, 5],
        [8, 9],
      ],
      [
        [0, 1, 2, 3, 4, 5, 6, 7],
        [10, 11],
      ],
    ])
    expect(lists(timeSeriesSplit(series(6), { folds: 2, maxTrainSize: 3 }))).toEqual([
      [
        [0, 1],
        [2, 3],
      ],
      [
        [1, 2, 3],
        [4, 5],
      ],
    ])
  })

  it('goes by the times of the samples and never learns from the future, or from the same time', () => {
    const random = new Random(5)
    for (let round = 0; round < 20; round++) {
      const times = Array.from({ length: 60 }, () => random.int(25))
      for (const { train, test } of timeSeriesSplit(series(60), { folds: 4, times })) {
        expect(Math.max(...Array.from(train, (i) => times[i]))).toBeLessThan(
          Math.min(...Array.from(test, (i) => times[i])),
        )
      }
      const dates = times.map((day) => new Date(2024, 0, 1 + day))
      const split = trainTestSplit(series(60), { times: dates, testFraction: 0.3 })
      expect(Math.max(...Array.from(split.trainIndices, (i) => times[i]))).toBeLessThan(
        Math.min(...Array.from(split.testIndices, (i) => times[i])),
      )
      expect(split.testIndices.length).toBeGreaterThan(10)
    }
    expect(Array.from(trainTestSplit(series(10), { times: 'rows' }).testIndices)).toEqual([8, 9])
  })

  it('refuses what leaves nothing to learn from', () => {
    expect(() => timeSeriesSplit(series(10), { folds: 3, testSize: 3, gap: 1 })).toThrow(
      'timeSeriesSplit: 3 folds of 3 samples and a gap of 1 leave none of the 10 samples to train the first fold on',
    )
    expect(() => timeSeriesSplit(series(4), { times: [1, 2, Number.NaN, 4] })).toThrow(
      'time 2 must be a finite number or a date, got NaN',
    )
    expect(() => trainTestSplit(series(3), { times: [1, 1, 1] })).toThrow('all samples have the same time')
  })

  it('is a protocol of cross-validation', async () => {
    const data = generators.sine.generate({ n: 60, seed: 1 })
    const svr = new SVR({ C: 10 })
    const protocol = { kind: 'time-series', folds: 3, gap: 2 } as const
    const { scores, folds } = await crossValidate(svr, data, { protocol })
    const own = await crossValidate(svr, data, { protocol: timeSeriesSplit(data, { folds: 3, gap: 2 }) })
    expect(scores[0].scores).toEqual(own.scores[0].scores)
    expect(folds.map(({ train, test }) => [train, test])).toEqual([
      [13, 15],
      [28, 15],
      [43, 15],
    ])
  })
})
