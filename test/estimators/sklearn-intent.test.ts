/**
 * What scikit-learn's own tests of its svm module ask for, asked of our estimators. Values are from
 * test/golden/sklearn-svm.json, made by scripts/golden-sklearn-svm.py; the rest follows from definitions.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { parseLibsvm } from '../../src/data/libsvm/libsvm-parser.ts'
import { selectRows, toMatrix, toSparse } from '../../src/data/matrix/matrix.ts'
import { makeDataset, makeSampleSet, type VectorDataset } from '../../src/data/table/dataset.ts'
import { LinearSVC } from '../../src/estimators/linear-svc.ts'
import { NuSVC } from '../../src/estimators/nu-svc.ts'
import { NuSVR } from '../../src/estimators/nu-svr.ts'
import { OneClassSVM } from '../../src/estimators/one-class-svm.ts'
import { SVC, type SvcOptions } from '../../src/estimators/svc.ts'
import { SVR } from '../../src/estimators/svr.ts'
import type { Kernel } from '../../src/kernels/kernel.ts'
import { kernelMatrix } from '../../src/kernels/kernel-matrix.ts'
import { linear } from '../../src/kernels/linear.ts'
import { polynomial } from '../../src/kernels/polynomial.ts'
import { precomputed, precomputedSamples } from '../../src/kernels/precomputed.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { sigmoid } from '../../src/kernels/sigmoid.ts'
import { custom } from '../../src/kernels/user-kernels.ts'
import { rocAuc } from '../../src/metrics/ranking.ts'
import { expectClose } from '../close.ts'
import { clouds, curve } from '../suites/tool-data.ts'

interface Machine {
  readonly gamma: number
  readonly classes: readonly (number | string)[]
  readonly support: readonly number[]
  readonly supportCounts: readonly number[]
  readonly dualCoef: readonly (readonly number[])[]
  readonly biases: readonly number[]
  readonly ovo: readonly (readonly number[])[]
  readonly ovr: readonly (readonly number[])[]
  readonly predicted: readonly (number | string)[]
  readonly byScores: readonly (number | string)[]
}

interface Golden {
  readonly iris: { rows: number[][]; labels: number[]; linear: Machine; rbf: Machine }
  readonly tied: { rows: number[][]; labels: number[]; test: number[][]; sigmoid: Machine }
  readonly unequal: {
    rows: number[][]
    labels: string[]
    test: number[][]
    plain: Machine
    balanced: Machine
  }
}

const golden: Golden = JSON.parse(
  readFileSync(new URL('../golden/sklearn-svm.json', import.meta.url), 'utf8'),
)
const tol = 1e-6
const iris = makeDataset(golden.iris.rows, golden.iris.labels)
const unequal = makeDataset(golden.unequal.rows, golden.unequal.labels)

/** The machine that a kernel of full rank has only one of: parts, both shapes of values, predictions. */
function expectMachine(options: SvcOptions, data: VectorDataset, rows: number[][], wanted: Machine): void {
  const model = new SVC({ tol, ...options }).fitSync(data)
  expect(model.classes).toEqual(wanted.classes)
  expectClose(model.biases, wanted.biases, 1e-4)
  const shaped = (decisionFunctionShape: 'ovo' | 'ovr') =>
    model.decisionFunction(rows, { decisionFunctionShape, precision: 'f64' })
  expect(shaped('ovo').length).toBe(rows.length * wanted.ovo[0].length)
  expectClose(shaped('ovo'), wanted.ovo.flat(), 1e-4)
  expectClose(shaped('ovr'), wanted.ovr.flat(), 1e-4)
  expect([...model.predict(rows)]).toEqual(wanted.predicted)
  expect([...model.predict(rows, { breakTies: true })]).toEqual(wanted.byScores)
}

describe('iris', () => {
  const every5th = golden.iris.rows.filter((_, i) => i % 5 === 0)

  test('linear', () => {
    const { linear: wanted } = golden.iris
    expectMachine({ kernel: linear() }, iris, every5th, wanted)
    const model = new SVC({ kernel: linear() }).fitSync(iris)
    const right = [...model.predict(iris.samples)].filter((label, i) => label === iris.labels[i]).length
    expect(right / 150).toBeGreaterThan(0.97)
  })

  test('the default machine, vector by vector', () => {
    const { rbf: wanted } = golden.iris
    expectMachine({}, iris, every5th, wanted)
    const model = new SVC({ tol }).fitSync(iris)
    expect((model.kernel.spec as { gamma: number }).gamma).toBeCloseTo(wanted.gamma, 12)
    expect([...(model.supportIndices ?? [])]).toEqual(wanted.support)
    expect([...model.supportCounts]).toEqual(wanted.supportCounts)
    expectClose(model.dualCoef, wanted.dualCoef.flat(), 1e-3)
  })
})

describe('decision functions', () => {
  test('of two classes there is one value per row, whatever the shape', () => {
    const data = clouds(1, 60, [1, -1])
    for (const decisionFunctionShape of ['ovo', 'ovr'] as const) {
      const model = new SVC({ decisionFunctionShape }).fitSync(data)
      const values = model.decisionFunction(data.samples)
      expect(values.length).toBe(60)
      expect([...model.predict(data.samples)]).toEqual([...values].map((value) => (value > 0 ? 1 : -1)))
    }
  })

  test('are Σ coefficients · kernel + bias', () => {
    const data = clouds(2, 60, [1, -1])
    const kernel = rbf({ gamma: 1 })
    const model = new SVC({ kernel }).fitSync(data)
    const values = kernelMatrix(kernel, data.samples, model.supportVectors as never)
    const wanted = Float64Array.from({ length: 60 }, (_, i) =>
      model.dualCoef.reduce((sum, c, s) => sum + c * values.values[i * values.cols + s], model.bias),
    )
    expectClose(model.decisionFunction(data.samples), wanted, 1e-10)
  })
})

describe('ties', () => {
  const data = makeDataset(golden.tied.rows, golden.tied.labels)
  const { sigmoid: wanted, test: rows } = golden.tied
  const kernel = sigmoid({ gamma: wanted.gamma })

  test('votes decide, then the order of the classes; or the scores', () => {
    expect(wanted.predicted).not.toEqual(wanted.byScores)
    expectMachine({ kernel }, data, rows, wanted)
    const model = new SVC({ kernel, tol, breakTies: true }).fitSync(data)
    expect([...model.predict(rows)]).toEqual(wanted.byScores)
    // With ties broken, the largest score wins: what argmax of the decision function says.
    const scores = model.decisionFunction(rows)
    const argmax = rows.map((_, i) => {
      const own = [...scores.subarray(3 * i, 3 * i + 3)]
      return own.indexOf(Math.max(...own))
    })
    expect([...model.predict(rows)]).toEqual(argmax)
  })

  test('cannot be broken by scores that are not there', () => {
    expect(() => new SVC({ breakTies: true, decisionFunctionShape: 'ovo' })).toThrow('breakTies')
    expect(() => new NuSVC({ breakTies: true, decisionFunctionShape: 'ovo' })).toThrow('breakTies')
  })
})

describe('weights of classes', () => {
  test('none, with names for labels', () => {
    expectMachine({ C: 2 }, unequal, golden.unequal.test, golden.unequal.plain)
  })

  test('balanced: n / (k n_class) each, for four classes', () => {
    expectMachine({ C: 2, classWeight: 'balanced' }, unequal, golden.unequal.test, golden.unequal.balanced)
    const sizes = { north: 40, east: 12, south: 25, west: 7 }
    const classWeight = Object.fromEntries(
      Object.entries(sizes).map(([label, size]) => [label, 84 / (4 * size)]),
    )
    const rows = golden.unequal.test
    expectClose(
      new SVC({ C: 2, classWeight, tol }).fitSync(unequal).decisionFunction(rows),
      new SVC({ C: 2, classWeight: 'balanced', tol }).fitSync(unequal).decisionFunction(rows),
      1e-9,
    )
  })
})

describe('kernels', () => {
  const data = clouds(3, 90, [1, 2, 3])
  const unseen = clouds(4, 50, [1, 2, 3]).samples

  test.each<[string, Kernel]>([
    ['linear', linear()],
    ['polynomial', polynomial({ degree: 2, gamma: 0.5, coef0: 1 })],
    ['rbf', rbf({ gamma: 0.3 })],
  ])('a matrix of %s values is the kernel', (_, kernel) => {
    const direct = new SVC({ kernel, tol }).fitSync(data)
    const samples = precomputedSamples(kernelMatrix(kernel, data.samples, data.samples))
    const given = new SVC({ kernel: precomputed(), tol }).fitSync({ ...data, samples })
    const rows = precomputedSamples(kernelMatrix(kernel, unseen, data.samples))
    expectClose(given.decisionFunction(rows), direct.decisionFunction(unseen), 1e-3)
    expect([...given.predict(rows)]).toEqual([...direct.predict(unseen)])
  })

  test('a function of yours is a kernel', () => {
    const toRows = (samples: VectorDataset['samples']) =>
      Array.from({ length: samples.rows }, (_, i) => [...selectRows(samples, [i]).values])
    const product = custom(function dot(a: number[], b: number[]) {
      return a.reduce((sum, x, j) => sum + x * b[j], 0)
    })
    const ours = new SVC({ kernel: product, tol }).fitSync(
      makeSampleSet(toRows(data.samples), data.labels as Float64Array),
    )
    const builtIn = new SVC({ kernel: linear(), tol }).fitSync(data)
    expect([...ours.predict(toRows(unseen))]).toEqual([...builtIn.predict(unseen)])
    ours.certificates?.forEach(({ dual }, p) => {
      const wanted = builtIn.certificates?.[p].dual ?? Number.NaN
      expect(Math.abs(dual - wanted)).toBeLessThanOrEqual(1e-5 * Math.abs(wanted))
    })
  })

  test('a function that does not give numbers is refused', () => {
    const broken = custom<string>(function broken() {
      return Number.NaN
    })
    expect(() => new SVC({ kernel: broken }).fitSync(makeSampleSet(['a', 'b'], [1, 2]))).toThrow()
  })
})

describe('weights of samples', () => {
  const data = clouds(5, 80, [1, -1])
  const wave = curve(6, 60)
  const half = (count: number) => new Float64Array(count).fill(0.5)

  test('all of them halved are C halved', () => {
    expectClose(
      new SVC({ C: 2, tol }).fitSync({ ...data, weights: half(80) }).decisionFunction(data.samples),
      new SVC({ C: 1, tol }).fitSync(data).decisionFunction(data.samples),
      1e-9,
    )
    expectClose(
      new SVR({ C: 2, tol }).fitSync({ ...wave, weights: half(60) }).decisionFunction(wave.samples),
      new SVR({ C: 1, tol }).fitSync(wave).decisionFunction(wave.samples),
      1e-9,
    )
    expectClose(
      new LinearSVC({ C: 2 }).fitSync({ ...data, weights: half(80) }).decisionFunction(data.samples),
      new LinearSVC({ C: 1 }).fitSync(data).decisionFunction(data.samples),
      1e-9,
    )
  })

  test('0 leaves a sample out, of every estimator', () => {
    const chosen = (count: number) =>
      Uint32Array.from({ length: count }, (_, i) => i).filter((i) => i % 4 !== 0)
    const without = (set: VectorDataset) => {
      const kept = chosen(set.labels.length)
      const labels = set.labels as Float64Array
      return { samples: selectRows(set.samples, kept), labels: Float64Array.from(kept, (i) => labels[i]) }
    }
    const zeroed = (set: VectorDataset) => ({
      ...set,
      weights: Float64Array.from(set.labels as Float64Array, (_, i) => (i % 4 === 0 ? 0 : 1)),
    })
    const kernel = rbf({ gamma: 0.3 })
    const pairs = [
      [new SVC({ kernel, tol }), data],
      [new NuSVC({ kernel, tol }), data],
      [new OneClassSVM({ kernel, tol, nu: 0.3 }), data],
      [new SVR({ kernel, tol }), wave],
      [new NuSVR({ kernel, tol }), wave],
    ] as const
    for (const [estimator, set] of pairs) {
      const a = (estimator as SVC).fitSync(zeroed(set))
      const b = (estimator as SVC).fitSync(without(set))
      expectClose(a.decisionFunction(set.samples), b.decisionFunction(set.samples), 1e-4)
      expect([...(a.supportIndices ?? [])].every((i) => i % 4 !== 0)).toBe(true)
    }
  })

  test('more weight of a class moves the boundary away from it', () => {
    const positives = (factor: number) => {
      const weights = (data.labels as Float64Array).map((label) => (label > 0 ? factor : 1))
      const values = new SVC({ kernel: linear() })
        .fitSync({ ...data, weights })
        .decisionFunction(data.samples)
      return values.filter((value) => value > 0).length
    }
    expect(positives(10)).toBeGreaterThan(positives(1))
    expect(positives(0.1)).toBeLessThan(positives(1))
  })

  test('negative and unbounded ones are refused; so is a class without any', () => {
    const labelled = (weights: number[]) => makeDataset([[0], [1], [2]], [1, 1, 2], { weights })
    expect(() => labelled([1, -1, 1])).toThrow('weight of sample 1 must be finite and >= 0, got -1')
    expect(() => labelled([1, Number.POSITIVE_INFINITY, 1])).toThrow('weight of sample 1')
    expect(() => new SVC().fitSync(labelled([1, 1, 0]))).toThrow('two classes are needed')
    expect(() => new NuSVC().fitSync(labelled([0, 0, 1]))).toThrow('two classes are needed')
    expect(() => new SVC().fitSync(labelled([0, 0, 0]))).toThrow('all samples have weight 0')
  })
})

describe('one class', () => {
  test('new samples like the old ones are normal, others are not', () => {
    const random = new Random(2)
    const around = (count: number, centre: number) =>
      Array.from({ length: count }, () => [centre + 0.3 * random.normal(), centre + 0.3 * random.normal()])
    const train = makeDataset([...around(50, 2), ...around(50, -2)], new Float64Array(100))
    const model = new OneClassSVM({ nu: 0.1, kernel: rbf({ gamma: 1 }), tol }).fitSync(train)
    const share = (rows: number[][]) =>
      model.predict(rows).filter((label) => label === 1).length / rows.length
    expect(share(around(50, 2))).toBeGreaterThan(0.8)
    expect(share(Array.from({ length: 20 }, () => [-4 + 8 * random.uniform(), 6]))).toBe(0)
    // ν bounds the share of outliers from above and of support vectors from below.
    expect(1 - model.predict(train.samples).filter((label) => label === 1).length / 100).toBeLessThanOrEqual(
      0.11,
    )
    expect(model.supportCount).toBeGreaterThanOrEqual(10)
    const values = model.decisionFunction(train.samples)
    expect([...model.predict(train.samples)]).toEqual([...values].map((value) => (value > 0 ? 1 : -1)))
  })

  test('the decision function ranks', () => {
    const random = new Random(8)
    const inside = Array.from({ length: 100 }, () => [random.normal(), random.normal()])
    const model = new OneClassSVM({ nu: 0.2 }).fitSync({ samples: toMatrix(inside) })
    const rows = Array.from({ length: 80 }, (_, i) =>
      i % 2 ? [random.normal(), random.normal()] : [4 + random.normal(), 4],
    )
    expect(
      rocAuc(
        rows.map((_, i) => (i % 2 ? 1 : -1)),
        model.decisionFunction(rows),
      ),
    ).toBeGreaterThan(0.95)
  })
})

describe('regression', () => {
  const wave = curve(7, 70)

  test('no support vectors where the tube holds all: the bias is the middle', () => {
    const flat = makeDataset([[0], [1], [2], [3]], [5, 5.1, 4.9, 5.05])
    for (const kernel of [rbf({ gamma: 1 }), linear()]) {
      const model = new SVR({ kernel, epsilon: 0.5 }).fitSync(flat)
      expect(model.supportCount).toBe(0)
      expect([...model.predict([[7], [-3]])].every((value) => Math.abs(value - 5) <= 0.4)).toBe(true)
      expect(new Set(model.predict([[7], [-3]])).size).toBe(1)
      expect(model.certificate.dual).toBeCloseTo(0, 12)
    }
  })

  test('errors of free vectors are ε, of others less, of bounded ones more', () => {
    const [C, epsilon] = [1, 0.1]
    const model = new SVR({ C, epsilon, tol }).fitSync(wave)
    const errors = model.predict(wave.samples).map((value, i) => Math.abs(value - (wave.labels[i] as number)))
    const coefficient = new Float64Array(70)
    model.supportIndices?.forEach((i, s) => {
      coefficient[i] = Math.abs(model.dualCoef[s])
    })
    errors.forEach((error, i) => {
      if (coefficient[i] === 0) expect(error).toBeLessThanOrEqual(epsilon + 1e-4)
      else if (coefficient[i] === C) expect(error).toBeGreaterThanOrEqual(epsilon - 1e-4)
      else expect(Math.abs(error - epsilon)).toBeLessThanOrEqual(1e-4)
    })
  })

  test('ν chooses the tube that ε would have', () => {
    const nu = new NuSVR({ nu: 0.4, C: 1, tol }).fitSync(wave)
    const { width = Number.NaN } = nu.certificates?.[0] ?? {}
    const same = new SVR({ epsilon: width, C: 1, tol }).fitSync(wave)
    expectClose(nu.predict(wave.samples), same.predict(wave.samples), 1e-3)
  })
})

describe('what cannot be computed is refused', () => {
  const data = clouds(8, 30, [1, -1])

  test('values and labels that are not finite, with their place', () => {
    expect(() => makeDataset([[1], [Number.NaN]], [1, 2])).toThrow('row 1, column 0 is NaN')
    expect(() => makeDataset([[1], [2]], [1, Number.POSITIVE_INFINITY])).toThrow('label of sample 1')
    const model = new SVC().fitSync(data)
    expect(() => model.predict([[0, 0, Number.NEGATIVE_INFINITY, 0, 0]])).toThrow(
      'row 0, column 2 is -Infinity',
    )
  })

  test('a kernel that overflows', () => {
    const huge = makeDataset([[1e200], [-1e200], [2e200], [-2e200]], [1, -1, 1, -1])
    expect(() => new SVC({ kernel: polynomial({ degree: 3, gamma: 1 }) }).fitSync(huge)).toThrow()
  })

  test('rows of another width', () => {
    expect(() => new SVC().fitSync(data).predict([[1, 2]])).toThrow(
      'rows have 2 columns, but the model needs 5',
    )
  })

  test('ν that no solution has', () => {
    const few = makeDataset(
      [[0], [1], [2], [3], [4], [5], [6], [7], [8], [9]],
      [1, 2, 2, 2, 2, 2, 2, 2, 2, 2],
    )
    expect(() => new NuSVC({ nu: 0.5 }).fitSync(few)).toThrow(/nu/)
  })
})

describe('sparse rows', () => {
  test.each([
    ['SVC', new SVC({ tol }), clouds(9, 80, [1, 2, 3])],
    ['NuSVC', new NuSVC({ tol }), clouds(9, 80, [1, -1])],
    ['OneClassSVM', new OneClassSVM({ tol }), clouds(9, 80, [1, -1])],
    ['SVR', new SVR({ tol }), curve(9, 60)],
    ['NuSVR', new NuSVR({ tol }), curve(9, 60)],
    ['LinearSVC', new LinearSVC(), clouds(9, 80, [1, 2, 3])],
  ] as const)('%s: as dense ones', (_, estimator, dense) => {
    const sparse = { ...dense, samples: toSparse(dense.samples) }
    const a = (estimator as SVC).fitSync(dense)
    const b = (estimator as SVC).fitSync(sparse)
    // γ = 'scale' is a sum in another order.
    expectClose(b.decisionFunction(sparse.samples), a.decisionFunction(dense.samples), 1e-4)
    expectClose(a.decisionFunction(sparse.samples), a.decisionFunction(dense.samples), 1e-6)
  })

  test('indices that do not ascend are refused, with their row or line', () => {
    const unsorted = {
      kind: 'sparse' as const,
      rows: 2,
      cols: 3,
      indptr: Uint32Array.of(0, 1, 3),
      indices: Uint32Array.of(0, 2, 1),
      values: Float64Array.of(1, 2, 3),
    }
    expect(() => makeDataset(unsorted, [1, 2])).toThrow('indices of row 1 must ascend and be below 3, got 1')
    expect(() => new SVC().fitSync(clouds(1, 20, [1, 2])).predict(unsorted)).toThrow(
      'indices of row 1 must ascend',
    )
    expect(() => parseLibsvm('1 1:2 3:1 2:4\n')).toThrow(/:1:\d+: /)
  })
})
