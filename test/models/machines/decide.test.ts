/** `decide`: one row at a time, without allocating, and the same to the bit as the decision function. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { DataError } from '../../../src/base/errors.ts'
import { generate } from '../../../src/data/generators/generators.ts'
import { toDense } from '../../../src/data/matrix/matrix.ts'
import { makeDataset, makeSampleSet } from '../../../src/data/table/dataset.ts'
import { LinearSVC } from '../../../src/estimators/linear-svc.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { sum } from '../../../src/kernels/combinators.ts'
import type { Kernel } from '../../../src/kernels/kernel.ts'
import { linear } from '../../../src/kernels/linear.ts'
import { polynomial } from '../../../src/kernels/polynomial.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { sigmoid } from '../../../src/kernels/sigmoid.ts'
import { custom } from '../../../src/kernels/user-kernels.ts'
import { parseLibsvmModel } from '../../../src/models/files/parse-libsvm-model.ts'
import { rowOf, someMatrix, storages } from '../../suites/matrices.ts'

const kernels: readonly Kernel[] = [
  linear(),
  polynomial({ gamma: 0.5, coef0: 1, degree: 2 }),
  rbf({ gamma: 0.5 }),
  sigmoid({ gamma: 0.2, coef0: 0.1 }),
  sum(rbf({ gamma: 0.5 }), linear()),
]
const rows = someMatrix(1, 40, 5)
const labels = Array.from({ length: 40 }, (_, i) => (i % 3 === 0 ? 7 : 3))
const fresh = someMatrix(2, 30, 5)

describe.each(storages)('trained on $storage data', ({ store }) => {
  const data = makeDataset(store(rows), labels)

  test.each(kernels)('$spec.kind', (kernel) => {
    for (const scaler of [undefined, 'range', 'standard'] as const) {
      const model = new SVC({ kernel, scaler }).fitSync(data)
      const expected = model.decisionFunction(fresh)
      for (let i = 0; i < fresh.rows; i++) {
        const row = rowOf(fresh, i)
        expect(model.decide(row)).toBe(expected[i])
        expect(model.decide(Float64Array.from(row))).toBe(expected[i])
      }
    }
  })

  test('LinearSVC', () => {
    for (const scaler of [undefined, 'range', 'standard'] as const) {
      const model = new LinearSVC({ scaler }).fitSync(data)
      const expected = model.decisionFunction(fresh)
      for (let i = 0; i < fresh.rows; i++) expect(model.decide(rowOf(fresh, i))).toBe(expected[i])
    }
  })
})

describe('after the first calls nothing is allocated but the number that is returned', () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const models = [...kernels.slice(0, 4), linear()].map((kernel, k) => {
    const estimator = k < 4 ? new SVC({ kernel, scaler: 'standard' }) : new LinearSVC()
    return [k < 4 ? kernel.spec.kind : 'LinearSVC', estimator.fitSync(makeDataset(rows, labels))] as const
  })

  test.each(models)('%s', (_, model) => {
    const row = Float64Array.from(rowOf(fresh, 0))
    const calls = 40_000
    let sum = 0
    const run = () => {
      for (let k = 0; k < calls; k++) sum += model.decide(row)
    }
    const held = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers
    run()
    // Code that is not optimised yet boxes more numbers, and a collection in between hides some: the median of five.
    const grown = Array.from({ length: 5 }, () => {
      collect()
      const before = held()
      run()
      return held() - before
    }).sort((a, b) => a - b)
    expect(sum / (6 * calls)).toBeCloseTo(model.decide(row), 6)
    // Numbers are boxed, 12 or 16 bytes each; the smallest typed array takes more than 100.
    expect(grown[2] / calls).toBeLessThan(64)
  })
})

test('what is kept between calls does not show', () => {
  const data = generate('moons', { n: 50, noise: 0.2, seed: 1 })
  const model = new SVC({ C: 10 }).fitSync(data)
  const before = JSON.stringify(model)
  const again = new SVC({ C: 10 }).fitSync(data)
  model.decide([1, 2])
  expect(model.decide([0, 0])).toBe(again.decisionFunction([[0, 0]])[0])
  expect(Object.keys(model)).toEqual(Object.keys(again))
  expect(JSON.stringify(model)).toBe(before)
  const samples = toDense(data.samples)
  model.decide(rowOf(samples, 0))
  expect([...samples.values]).toEqual([
    ...toDense(generate('moons', { n: 50, noise: 0.2, seed: 1 }).samples).values,
  ])
})

test('bad rows get the errors of the decision function, good ones after them their value', () => {
  const model = new SVC({ scaler: 'range' }).fitSync(makeDataset(rows, labels))
  const good = rowOf(fresh, 0)
  const expected = model.decisionFunction([good])[0]
  const bad: [unknown, string][] = [
    [[1, 2], 'rows have 2 columns, but the model needs 5'],
    [[1, 2, Number.NaN, 4, 5], 'row 0, column 2 is NaN; values must be finite'],
    [[1, 2, '3', 4, 5], 'row 0, column 2 is not a number: "3"'],
    [[1, 2, Number.POSITIVE_INFINITY, 4, 5], 'row 0, column 2 is Infinity; values must be finite'],
  ]
  for (const [row, message] of bad) {
    expect(() => model.decide(row as number[])).toThrow(new DataError(message))
    expect(model.decide(good)).toBe(expected)
  }
})

test('rows of a LIBSVM model may be longer than its vectors', () => {
  const model = parseLibsvmModel(
    [
      ...['svm_type c_svc', 'kernel_type rbf', 'gamma 0.5', 'nr_class 2', 'total_sv 2', 'rho 0.25'],
      ...['label 1 -1', 'nr_sv 1 1', 'SV', '1 1:1 3:2', '-1 2:1 3:-1', ''],
    ].join('\n'),
  )
  for (const row of [
    [1, 2, 3],
    [1, 2, 3, 4],
    [0, 0, 1],
    [1, 2, 3, 4, 5],
  ]) {
    expect(model.decide(row)).toBe(model.decisionFunction([row])[0])
  }
  expect(() => model.decide([1, 2])).toThrow(
    new DataError('rows have 2 columns, but the model needs at least 3'),
  )
})

test('samples that are no vectors take the general way', () => {
  const shared = custom<string>((a, b) => [...a].filter((letter) => b.includes(letter)).length, {
    name: 'shared',
  })
  const words = ['ab', 'abc', 'xy', 'xyz']
  const model = new SVC({ kernel: shared }).fitSync(makeSampleSet(words, [0, 0, 1, 1]))
  for (const word of [...words, 'q', 'bxa'])
    expect(model.decide(word)).toBe(model.decisionFunction([word])[0])
})
