import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DataError, FormatError } from '../../../src/base/errors.ts'
import { generate } from '../../../src/data/generators/generators.ts'
import { makeSampleSet } from '../../../src/data/table/dataset.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { scale, sum } from '../../../src/kernels/combinators.ts'
import { linear } from '../../../src/kernels/linear.ts'
import { precomputed, precomputedSamples } from '../../../src/kernels/precomputed.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { custom, featureMap } from '../../../src/kernels/user-kernels.ts'
import { formatJsonModel } from '../../../src/models/files/format-json-model.ts'
import { parseJsonModel } from '../../../src/models/files/parse-json-model.ts'
import type { Model } from '../../../src/models/model.ts'
import { SvcModel } from '../../../src/models/svc-model.ts'
import { dataOf, someLinearSvc, someOneClass, someSingleLinear, someSvc, someSvr } from '../some-models.ts'

describe('round trip', () => {
  // toStrictEqual tells -0 from 0 and NaN from anything else.
  test.each<[string, fc.Arbitrary<Model>]>([
    ['kernel classifier', someSvc(false)],
    ['kernel regression', someSvr(false)],
    ['one-class model', someOneClass(false)],
    ['linear classifier', someLinearSvc(false)],
    ['linear model of one function', someSingleLinear(false)],
  ])('brings back every bit of a %s', (_, some) => {
    fc.assert(
      fc.property(some, (model) => {
        const back = parseJsonModel(formatJsonModel(model))
        expect(dataOf(back)).toStrictEqual(dataOf(model))
        expect(back.type).toBe(model.type)
      }),
    )
  })

  test('keeps -0, denormals and the ends of the range', () => {
    const extremes = [-0, Number.MIN_VALUE, -Number.MIN_VALUE, Number.MAX_VALUE, 2 ** -1074 * 3, 0.1 + 0.2]
    const model = new SvcModel<unknown>({
      classes: [0, 1],
      biases: Float64Array.of(-0),
      kernel: linear(),
      features: extremes.length,
      supportVectors: { kind: 'dense', rows: 1, cols: extremes.length, values: Float64Array.from(extremes) },
      dualCoef: Float64Array.of(1),
    })
    const back = parseJsonModel(formatJsonModel(model)) as SvcModel<unknown>
    expect(Object.is(back.bias, -0)).toBe(true)
    expect(dataOf(back)).toStrictEqual(dataOf(model))
  })

  test('predictions after it are the same bits, whatever the kernel', () => {
    const data = generate('moons', { n: 60, noise: 0.2, seed: 3 })
    for (const kernel of [linear(), rbf(), sum(scale(linear(), 0.5), rbf({ gamma: 2 }))]) {
      for (const scaler of [undefined, 'range', 'standard'] as const) {
        const model = new SVC({ kernel, scaler, C: 5 }).fitSync(data)
        const back = parseJsonModel(JSON.stringify(model))
        expect(back.decisionFunction(data.samples)).toStrictEqual(model.decisionFunction(data.samples))
        expect(back.predict(data.samples)).toStrictEqual(model.predict(data.samples))
      }
    }
  })

  test('precomputed kernels keep serial numbers alone', () => {
    const data = generate('blobs', { n: 20, seed: 1 })
    const gram = precomputedSamples(
      Array.from({ length: 20 }, (_, i) =>
        Array.from({ length: 20 }, (_, j) => (i === j ? 2 : 1 / (1 + Math.abs(i - j)))),
      ),
    )
    const model = new SVC({ kernel: precomputed() }).fitSync({ samples: gram, labels: data.labels })
    expect(model.supportVectors).toMatchObject({ kind: 'dense', cols: 1 })
    const back = parseJsonModel(formatJsonModel(model))
    expect(back.decisionFunction(gram)).toStrictEqual(model.decisionFunction(gram))
  })
})

describe('functions of the user', () => {
  const overlap = (a: string, b: string) => [...a].filter((letter) => b.includes(letter)).length
  const words = makeSampleSet(['aab', 'abb', 'ccd', 'cdd'], ['x', 'x', 'y', 'y'])

  test('are given again by name', () => {
    const model = new SVC({ kernel: custom(overlap, { name: 'overlap' }) }).fitSync(words)
    const text = formatJsonModel(model)
    const back = parseJsonModel(text, { functions: { overlap } }) as SvcModel<string>
    expect(back.predict(['aaa', 'ddd'])).toStrictEqual(['x', 'y'])
    expect(back.decisionFunction(['ab', 'cd'])).toStrictEqual(model.decisionFunction(['ab', 'cd']))
    expect(back.supportVectors).toStrictEqual(model.supportVectors)
    expect(() => parseJsonModel(text, { name: 'm.json' })).toThrow(
      new FormatError(
        'kernel: kernelFromSpec: functions["overlap"] must be the function that the kernel was created with, got undefined; pass it again: readModel(path, { functions }) or parseModel(text, { functions })',
        { file: 'm.json' },
      ),
    )
  })

  test('may be over vectors', () => {
    const squares = (x: Float64Array) => [...x].map((value) => value * value)
    const data = generate('circles', { n: 40, seed: 2 })
    const model = new SVC({ kernel: featureMap(squares) }).fitSync(data)
    const back = parseJsonModel(formatJsonModel(model), { functions: { squares } })
    expect(back.decisionFunction([[0.1, 0.2]])).toStrictEqual(model.decisionFunction([[0.1, 0.2]]))
  })

  test('samples that JSON cannot hold are refused, and which', () => {
    const sets = [new Set('ab'), new Set('cd')]
    const shared = (a: Set<string>, b: Set<string>) => [...a].filter((letter) => b.has(letter)).length
    const model = new SVC({ kernel: custom(shared) }).fitSync(makeSampleSet(sets, [0, 1]))
    expect(() => formatJsonModel(model)).toThrow(
      new DataError(
        'support vector 0 cannot be saved: samples must be texts, finite numbers, or plain arrays and objects of ' +
          'them, got an object',
      ),
    )
  })
})

test('a text cut anywhere is refused', () => {
  const data = generate('blobs', { n: 4, seed: 1 })
  const text = JSON.stringify(new SVC({ scaler: 'range' }).fitSync(data))
  for (let length = 0; length < text.length; length++) {
    expect(() => parseJsonModel(text.slice(0, length))).toThrow(FormatError)
  }
})
