import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  accuracy,
  balancedAccuracy,
  classificationReport,
  f1,
  precision,
  recall,
} from '../../src/metrics/classification.ts'
import { confusionMatrix } from '../../src/metrics/confusion-matrix.ts'
import { expectClose } from '../close.ts'
import golden from '../golden/metrics.json' with { type: 'json' }

fc.configureGlobal({ seed: 1 })

describe('by hand', () => {
  const truth = [1, 1, 1, 1, -1, -1, -1, -1, -1, -1]
  const predicted = [1, 1, 1, -1, 1, 1, -1, -1, -1, -1]

  it('confusion matrix', () => {
    expect(confusionMatrix(truth, predicted)).toEqual({
      labels: [-1, 1],
      counts: [
        [4, 2],
        [1, 3],
      ],
    })
    expect(confusionMatrix(truth, predicted, { labels: [1, 0, -1] }).counts).toEqual([
      [3, 0, 1],
      [0, 0, 0],
      [2, 0, 4],
    ])
    expect(confusionMatrix(['b', 'a'], ['b', 'b'], { weights: [2, 0.5] })).toEqual({
      labels: ['a', 'b'],
      counts: [
        [0, 0.5],
        [0, 2],
      ],
    })
  })

  it('scores', () => {
    expect(accuracy(truth, predicted)).toBe(0.7)
    expect(balancedAccuracy(truth, predicted)).toBeCloseTo((3 / 4 + 4 / 6) / 2, 15)
    expect(precision(truth, predicted)).toBe(3 / 5)
    expect(recall(truth, predicted)).toBe(3 / 4)
    expect(f1(truth, predicted)).toBe(6 / 9)
    expect(precision(truth, predicted, { positive: -1 })).toBe(4 / 5)
    expect(precision(truth, predicted, { average: 'macro' })).toBeCloseTo((3 / 5 + 4 / 5) / 2, 15)
    expect(precision(truth, predicted, { average: 'weighted' })).toBeCloseTo((4 * 0.6 + 6 * 0.8) / 10, 15)
    for (const score of [precision, recall, f1]) {
      expect(score(truth, predicted, { average: 'micro' })).toBe(0.7)
    }
  })

  it('report', () => {
    const report = classificationReport(truth, predicted)
    expect(report.classes).toEqual([
      { label: -1, precision: 4 / 5, recall: 4 / 6, f1: 8 / 11, support: 6 },
      { label: 1, precision: 3 / 5, recall: 3 / 4, f1: 6 / 9, support: 4 },
    ])
    expect(report.accuracy).toBe(0.7)
    expect(JSON.parse(JSON.stringify(report))).toEqual(report)
  })

  it('0/0 is zeroDivision', () => {
    expect(precision([1, -1], [-1, -1])).toBe(0)
    expect(precision([1, -1], [-1, -1], { zeroDivision: 1 })).toBe(1)
    expect(recall([-1, -1], [-1, -1])).toBe(0)
    expect(recall([-1, -1], [-1, -1], { zeroDivision: 1 })).toBe(1)
    expect(f1([-1, -1], [-1, -1])).toBe(0)
    expect(f1([-1, -1], [-1, -1], { zeroDivision: 1 })).toBe(1)
    expect(classificationReport([1, 1], [1, 2]).classes[1]).toMatchObject({
      precision: 0,
      recall: 0,
      support: 0,
    })
    expect(classificationReport([1, 1], [1, 2], { zeroDivision: 1 }).classes[1].recall).toBe(1)
  })

  it('the positive class', () => {
    expect(precision([0, 1], [1, 1])).toBe(0.5)
    expect(recall([3, 7], [7, 7])).toBe(1)
    expect(recall(['yes', 'no'], ['no', 'no'])).toBe(0)
    expect(recall(['yes', 'no'], ['no', 'no'], { positive: 'no' })).toBe(1)
    expect(recall([1, 2, 3], [1, 3, 3], { positive: 3 })).toBe(1)
    expect(() => recall([1, 2, 3], [1, 3, 3])).toThrow('recall: positive is required for the classes 1, 2, 3')
    expect(() => recall([4, 4], [4, 4])).toThrow('recall: positive is required for the classes 4')
  })

  it('refuses what cannot be measured', () => {
    expect(() => accuracy([], [])).toThrow('accuracy: there are no samples')
    expect(() => accuracy([1, 2], [1])).toThrow('accuracy: 2 true values but 1 predictions')
    expect(() => accuracy([1, 2], ['1', '2'])).toThrow(
      'labels must be all numbers or all strings, sample 0 has "1"',
    )
    expect(() => accuracy([1, Number.NaN], [1, 1])).toThrow(
      'label of sample 1 must be a number or a string, got NaN',
    )
    expect(() => accuracy([1, 2], [1, 2], { weights: [1] })).toThrow('2 samples but 1 weights')
    expect(() => accuracy([1, 2], [1, 2], { weights: [1, -1] })).toThrow(
      'weight of sample 1 must be finite and >= 0',
    )
    expect(() => accuracy([1, 2], [1, 2], { weights: [0, 0] })).toThrow('all weights are 0')
    expect(() => accuracy([1], [1], { weight: [1] } as object)).toThrow(
      'option must be one of weights, got "weight"',
    )
    expect(() => confusionMatrix([1, 2], [1, 1], { labels: [1] })).toThrow('2 is not one of the given labels')
    expect(() => confusionMatrix([1], [1], { labels: [1, 1] })).toThrow('a class is named twice')
    expect(() => f1([1], [1], { average: 'mean' as 'macro' })).toThrow(
      'f1: average must be one of binary, macro, micro, weighted, got "mean"',
    )
    expect(() => f1([1], [1], { zeroDivision: 2 as 1 })).toThrow('f1: zeroDivision must be 0 or 1, got 2')
  })
})

describe('as scikit-learn', () => {
  it.each(golden.classification)('$name', (sample) => {
    const { truth, predicted } = sample
    const options = sample.weights ? { weights: sample.weights } : {}
    const report = classificationReport(truth, predicted, options)
    report.confusion.counts.forEach((row, t) => {
      expectClose(row, sample.confusion[t])
    })
    expectClose([report.accuracy, accuracy(truth, predicted, options)], [sample.accuracy, sample.accuracy])
    expectClose([report.balancedAccuracy], [sample.balancedAccuracy])
    expectClose([balancedAccuracy(truth, predicted, options)], [sample.balancedAccuracy])
    for (const [name, score] of Object.entries({ precision, recall, f1 }) as ['f1', typeof f1][]) {
      expectClose(
        report.classes.map((one) => one[name]),
        sample.classes[name],
      )
      for (const average of ['macro', 'micro', 'weighted'] as const) {
        expectClose([report[average][name]], [sample[average][name]])
        expectClose([score(truth, predicted, { ...options, average })], [sample[average][name]])
      }
      if (sample.binary && sample.positive !== null) {
        expectClose(
          [score(truth, predicted, { ...options, positive: sample.positive })],
          [sample.binary[name]],
        )
      }
    }
  })
})

describe('properties', () => {
  const pairs = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 })), {
    minLength: 1,
  })
  const columns = (list: [number, number][]) =>
    [list.map((pair) => pair[0]), list.map((pair) => pair[1])] as const

  it('every sample is counted once, in the row of its class', () => {
    fc.assert(
      fc.property(pairs, (list) => {
        const [truth, predicted] = columns(list)
        const { labels, counts } = confusionMatrix(truth, predicted)
        expect(counts.flat().reduce((sum, count) => sum + count, 0)).toBe(list.length)
        labels.forEach((label, t) => {
          const inRow = counts[t].reduce((sum, count) => sum + count, 0)
          expect(inRow).toBe(truth.filter((other) => other === label).length)
        })
      }),
    )
  })

  it('scores lie in [0, 1], and micro averages equal accuracy', () => {
    fc.assert(
      fc.property(pairs, (list) => {
        const [truth, predicted] = columns(list)
        const { classes, macro, micro, weighted, ...report } = classificationReport(truth, predicted)
        const all = [...classes, macro, weighted].flatMap((one) => [one.precision, one.recall, one.f1])
        for (const score of [...all, report.accuracy, report.balancedAccuracy]) {
          expect(score).toBeGreaterThanOrEqual(0)
          expect(score).toBeLessThanOrEqual(1)
        }
        expect(micro).toEqual({ precision: report.accuracy, recall: report.accuracy, f1: report.accuracy })
        expect(weighted.recall).toBeCloseTo(report.accuracy, 12)
      }),
    )
  })

  it('swapping truth and prediction transposes the matrix and swaps precision with recall', () => {
    fc.assert(
      fc.property(pairs, (list) => {
        const [truth, predicted] = columns(list)
        const there = classificationReport(truth, predicted)
        const back = classificationReport(predicted, truth)
        back.confusion.counts.forEach((row, p) => {
          expect(row).toEqual(there.confusion.counts.map((other) => other[p]))
        })
        there.classes.forEach((one, k) => {
          expect(one.precision).toBe(back.classes[k].recall)
          expect(one.f1).toBe(back.classes[k].f1)
        })
      }),
    )
  })

  it('whole weights are repetitions', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(2), fc.nat(2), fc.integer({ min: 1, max: 3 })), { minLength: 1 }),
        (list) => {
          const repeated = list.flatMap(([t, p, times]) => new Array(times).fill([t, p]))
          const weights = list.map((triple) => triple[2])
          const [truth, predicted] = columns(list.map(([t, p]) => [t, p]))
          expect(classificationReport(truth, predicted, { weights })).toEqual(
            classificationReport(...columns(repeated)),
          )
        },
      ),
    )
  })
})
