import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generators } from '../../../src/data/generators/generators.ts'
import { makeDataset, makeSampleSet } from '../../../src/data/table/dataset.ts'
import { trainTestSplit } from '../../../src/data/table/split.ts'

fc.configureGlobal({ seed: 1 })

const numbered = (labels: (number | string)[]) =>
  makeDataset(
    labels.map((_, i) => [i]),
    labels,
    { weights: labels.map((_, i) => i + 1) },
  )

describe('trainTestSplit', () => {
  it('holds out a fifth, every sample on exactly one side with its label and weight', () => {
    const data = numbered(Array.from({ length: 50 }, (_, i) => (i % 2 ? 'b' : 'a')))
    const { train, test, trainIndices, testIndices } = trainTestSplit(data)
    expect([train.samples.rows, test.samples.rows]).toEqual([40, 10])
    expect(Array.from([...trainIndices, ...testIndices]).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, i) => i),
    )
    testIndices.forEach((i, k) => {
      expect(test.samples.values[k]).toBe(i)
      expect(test.labels[k]).toBe(data.labels[i])
      expect(test.weights?.[k]).toBe(i + 1)
    })
  })

  it('never divides a group, and holds out about as much as was asked for', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 2, maxLength: 60 }),
        fc.double({ min: 0.05, max: 0.95, noNaN: true }),
        fc.nat(),
        (groups, testFraction, seed) => {
          const sizes = new Map<string, number>()
          for (const group of groups) sizes.set(group, (sizes.get(group) ?? 0) + 1)
          fc.pre(sizes.size > 1)
          const data = numbered(groups.map((_, i) => i % 2))
          const { train, test, trainIndices, testIndices } = trainTestSplit(data, {
            ...{ testFraction, seed, groups },
          })
          const held = new Set(Array.from(testIndices, (i) => groups[i]))
          expect(Array.from(trainIndices, (i) => groups[i]).some((group) => held.has(group))).toBe(false)
          expect(train.samples.rows + test.samples.rows).toBe(groups.length)
          expect(Math.min(train.samples.rows, test.samples.rows)).toBeGreaterThan(0)
          const most = Math.max(...sizes.values())
          expect(Math.abs(test.samples.rows - testFraction * groups.length)).toBeLessThanOrEqual(most)
        },
      ),
    )
    const data = numbered([0, 1, 0, 1])
    expect(() => trainTestSplit(data, { groups: [1, 1, 1, 1] })).toThrow(
      'trainTestSplit: needs at least 2 groups, got 1',
    )
    expect(() => trainTestSplit(data, { groups: [1, 2] })).toThrow('trainTestSplit: 4 samples but 2 groups')
  })

  it('is decided by its seed', () => {
    const data = generators.moons.generate()
    expect(trainTestSplit(data, { seed: 5 })).toEqual(trainTestSplit(data, { seed: 5 }))
    expect(trainTestSplit(data, { seed: 5 }).testIndices).not.toEqual(
      trainTestSplit(data, { seed: 6 }).testIndices,
    )
  })

  it('keeps the share of each class to within one sample', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(1, 1, 1, 2, 3), { minLength: 2, maxLength: 60 }),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        fc.nat(),
        (labels, testFraction, seed) => {
          const { test, train } = trainTestSplit(numbered(labels), { testFraction, seed })
          const wanted = Math.min(labels.length - 1, Math.max(1, Math.round(labels.length * testFraction)))
          expect(test.labels.length).toBe(wanted)
          expect(train.labels.length).toBe(labels.length - wanted)
          for (const label of new Set(labels)) {
            const all = labels.filter((other) => other === label).length
            const held = [...test.labels].filter((other) => other === label).length
            expect(Math.abs(held - (wanted * all) / labels.length)).toBeLessThan(1)
          }
        },
      ),
    )
  })

  it('without stratifying draws from all samples alike', () => {
    const data = numbered(Array.from({ length: 10 }, (_, i) => (i < 5 ? 0 : 1)))
    const counts = new Set<number>()
    for (let seed = 0; seed < 50; seed++) {
      const { test } = trainTestSplit(data, { seed, stratify: false, testFraction: 0.4 })
      counts.add([...test.labels].filter((label) => label === 0).length)
    }
    expect(counts.size).toBeGreaterThan(2)
  })

  it('draws at random where every label is different', () => {
    const data = generators.sinc.generate({ n: 20 })
    const held = new Set<number>()
    for (let seed = 0; seed < 60; seed++) {
      for (const i of trainTestSplit(data, { seed }).testIndices) held.add(i)
    }
    expect(held.size).toBe(20)
  })

  it('splits samples that are not vectors', () => {
    const { train, test } = trainTestSplit(makeSampleSet(['aa', 'ab', 'bb', 'ba'], [1, 1, 2, 2]), {
      testFraction: 0.5,
    })
    expect([...(train.samples as string[]), ...(test.samples as string[])].sort()).toEqual([
      'aa',
      'ab',
      'ba',
      'bb',
    ])
  })

  it('refuses what it cannot do', () => {
    expect(() => trainTestSplit(numbered([1]))).toThrow('trainTestSplit: needs at least 2 samples, got 1')
    expect(() => trainTestSplit(numbered([1, 2]), { testFraction: 1 })).toThrow(
      'testFraction must be > 0 and < 1, got 1',
    )
    expect(() => trainTestSplit(numbered([1, 2]), { stratify: 'yes' } as object)).toThrow(
      'stratify must be true or false',
    )
    expect(() => trainTestSplit(numbered([1, 2]), { fraction: 0.1 } as object)).toThrow(
      'option must be one of',
    )
  })
})
