import { describe, expect, test } from 'vitest'
import { DataError, ParameterError } from '../../src/base/errors.ts'
import { generate } from '../../src/data/generators/generators.ts'
import { toDense, toSparse } from '../../src/data/matrix/matrix.ts'
import { applyScaler } from '../../src/data/scaling/scaler.ts'
import { makeDataset, makeSampleSet, selectSamples } from '../../src/data/table/dataset.ts'
import { SVC, type SvcOptions } from '../../src/estimators/svc.ts'
import { linear } from '../../src/kernels/linear.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { custom } from '../../src/kernels/user-kernels.ts'
import { makeProblem } from '../../src/problems/problem.ts'
import { solveSync } from '../../src/solve/driver/run.ts'
import { solverNames, solvers } from '../../src/solve/methods/registry.ts'
import { expectClose } from '../close.ts'

/** Solvers that do not need a linear kernel. */
const anyKernel = solverNames.filter((name) => !solvers[name].linearOnly)
const moons = generate('moons', { n: 80, noise: 0.2, seed: 1 })

test('solves the problem that it says it solves', () => {
  const model = new SVC({ C: 3, kernel: rbf({ gamma: 0.7 }), tol: 1e-5 }).fitSync(moons)
  const problem = makeProblem({
    samples: moons.samples,
    kernel: rbf({ gamma: 0.7 }),
    y: moons.labels as Float64Array,
    C: 3,
  })
  const { alpha, bias, certificate } = solveSync(problem, solvers.smo, {}, { tol: 1e-5 })
  const dense = new Float64Array(80)
  model.supportIndices?.forEach((i, s) => {
    dense[i] = model.dualCoef[s] * problem.y[i]
  })
  expect(dense).toEqual(alpha)
  expect(model.bias).toBe(bias)
  expect({ ...model.certificate, seconds: 0 }).toEqual({ ...certificate, seconds: 0 })
  expect(model.certificate.stopReason).toBe('converged')
})

test('gamma defaults to 1 / (d Var X) of the data as the solver sees them', () => {
  const variance = (values: Float64Array) => {
    const mean = values.reduce((a, b) => a + b) / values.length
    return values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length
  }
  const values = toDense(moons.samples).values
  expect(new SVC().fitSync(moons).kernel.spec).toEqual({
    kind: 'rbf',
    gamma: expect.closeTo(1 / (2 * variance(values)), 12),
  })
  const scaled = new SVC({ scaler: 'range' }).fitSync(moons)
  const after = toDense(applyScaler(scaled.scaler as never, moons.samples)).values
  expect(scaled.kernel.spec).toEqual({ kind: 'rbf', gamma: expect.closeTo(1 / (2 * variance(after)), 12) })
})

describe('labels', () => {
  test.each([
    [
      [0, 1],
      [0, 1],
    ],
    [
      [1, 0],
      [0, 1],
    ],
    [
      [7, 3],
      [3, 7],
    ],
    [
      [10, 9],
      [9, 10],
    ],
    [
      [-1, 1],
      [-1, 1],
    ],
    [
      ['spam', 'ham'],
      ['ham', 'spam'],
    ],
    [
      ['Z', 'a'],
      ['Z', 'a'],
    ],
    [
      ['10', '9'],
      ['10', '9'],
    ],
  ] as const)('%o become the classes %o, the larger one positive', ([first, second], classes) => {
    const data = makeDataset([[-1], [1], [-2], [2]], [first, second, first, second])
    const model = new SVC({ kernel: linear() }).fitSync(data)
    expect(model.classes).toEqual(classes)
    expect([...model.predict(data.samples)]).toEqual([first, second, first, second])
    const positive = classes[1] === second
    expect(model.decisionFunction([[5]])[0] > 0).toBe(positive)
  })

  test('0 and -0 are one class', () => {
    const model = new SVC().fitSync(makeDataset([[0], [1], [2]], [-0, 0, 1]))
    expect(model.classes).toStrictEqual([0, 1])
  })

  test('swapping the names of the classes flips the sign of the decision', () => {
    const flipped = { ...moons, labels: (moons.labels as Float64Array).map((label) => -label) }
    const a = new SVC({ tol: 1e-6 }).fitSync(moons).decisionFunction(moons.samples)
    const b = new SVC({ tol: 1e-6 }).fitSync(flipped).decisionFunction(moons.samples)
    expectClose(
      a,
      b.map((value) => -value),
      1e-4,
    )
  })
})

describe('weights', () => {
  test('a weight of 2 is the sample twice', () => {
    const weights = Float64Array.from({ length: 80 }, (_, i) => (i < 20 ? 2 : 1))
    const twice = selectSamples(moons, [...Array(80).keys(), ...Array(20).keys()])
    const a = new SVC({ tol: 1e-8 }).fitSync({ ...moons, weights })
    const b = new SVC({
      tol: 1e-8,
      kernel: rbf({ gamma: (a.kernel.spec as { gamma: number }).gamma }),
    }).fitSync(twice)
    expect(a.certificate.dual).toBeCloseTo(b.certificate.dual, 8)
    expectClose(a.decisionFunction(moons.samples), b.decisionFunction(moons.samples), 1e-5)
  })

  test('a weight of 0 leaves a sample out', () => {
    const weights = Float64Array.from({ length: 80 }, (_, i) => (i < 30 ? 0 : 1))
    const kernel = rbf({ gamma: 1 })
    const a = new SVC({ kernel, tol: 1e-8 }).fitSync({ ...moons, weights })
    const b = new SVC({ kernel, tol: 1e-8 }).fitSync(
      selectSamples(
        moons,
        [...Array(50).keys()].map((i) => i + 30),
      ),
    )
    expect(a.supportIndices?.every((i) => i >= 30)).toBe(true)
    expectClose(a.decisionFunction(moons.samples), b.decisionFunction(moons.samples), 1e-5)
    // With a hard margin too, where 0 · Infinity is not a number.
    const [x, y] = [
      [[0], [1], [0.5]],
      [-1, 1, -1],
    ]
    const hard = new SVC({ kernel: linear(), C: Number.POSITIVE_INFINITY, tol: 1e-9 })
    expectClose(hard.fitSync(makeDataset(x, y, { weights: [1, 1, 0] })).coef as Float64Array, [2], 1e-6)
  })

  test('class weights multiply C', () => {
    const byClass = new SVC({ classWeight: { [-1]: 3, 1: 0.5 }, tol: 1e-8 }).fitSync(moons)
    const weights = (moons.labels as Float64Array).map((label) => (label === -1 ? 3 : 0.5))
    const bySample = new SVC({ tol: 1e-8 }).fitSync({ ...moons, weights })
    expect(byClass.dualCoef).toEqual(bySample.dualCoef)
    // A class that is not named weighs 1.
    const one = new SVC({ classWeight: { 1: 2 } }).fitSync(moons)
    const both = new SVC({ classWeight: { 1: 2, '-1': 1 } }).fitSync(moons)
    expect(one.dualCoef).toEqual(both.dualCoef)
  })

  test("'balanced' is n / (2 n_class)", () => {
    const data = makeDataset([[0], [1], [2], [3], [4], [5]], ['a', 'b', 'b', 'b', 'b', 'b'])
    const balanced = new SVC({ classWeight: 'balanced' }).fitSync(data)
    const spelled = new SVC({ classWeight: { a: 3, b: 0.6 } }).fitSync(data)
    expect(balanced.dualCoef).toEqual(spelled.dualCoef)
  })
})

describe('solvers', () => {
  test.each(solverNames)('%s finds the classifier, by name or with its own settings', (name) => {
    const kernel = linear()
    const data = generate('blobs', { n: 40, seed: 2 })
    const byName = new SVC({ kernel, solver: name, seed: 3 }).fitSync(data)
    const withSettings = new SVC({
      kernel,
      solver: { name, ...solvers[name].options } as SvcOptions['solver'],
      seed: 3,
    }).fitSync(data)
    expect(byName.certificate.solver).toBe(name)
    expect(withSettings.dualCoef).toEqual(byName.dualCoef)
    // Weak duality: a gap below 0 would mean that one of the two bounds is wrong.
    expect(byName.certificate.gap).toBeGreaterThan(-1e-9 * byName.certificate.primal)
    expect(byName.certificate.gap).toBeLessThan(0.05 * byName.certificate.primal)
  })

  test('a solver that cannot leave the bias free puts it into the norm', () => {
    const kernel = linear()
    const model = new SVC({ kernel, solver: 'sdca', tol: 1e-8 }).fitSync(moons)
    const problem = makeProblem({
      samples: moons.samples,
      kernel,
      y: moons.labels as Float64Array,
      bias: 'regularised',
    })
    const { certificate } = solveSync(problem, solvers.sdca, {}, { tol: 1e-8 })
    expect(model.certificate.dual).toBeCloseTo(certificate.dual, 9)
  })

  test('limits are passed on', () => {
    expect(new SVC({ maxIter: 3 }).fitSync(moons).certificate).toMatchObject({
      stopReason: 'iteration-limit',
      iterations: 3,
    })
    expect(new SVC({ timeLimit: 0 }).fitSync(moons).certificate.stopReason).toBe('time-limit')
  })
})

describe('fit', () => {
  const options: SvcOptions = { kernel: rbf({ gamma: 5 }), C: 100, tol: 1e-6 }

  test('gives the same bits as fitSync', async () => {
    const [a, b] = [await new SVC(options).fit(moons), new SVC(options).fitSync(moons)]
    expect(a.dualCoef).toStrictEqual(b.dualCoef)
    expect(a.bias).toBe(b.bias)
  })

  test('returns the best so far when it is aborted', async () => {
    const model = await new SVC(options).fit(moons, { signal: AbortSignal.abort() })
    expect(model.certificate).toMatchObject({ stopReason: 'aborted', iterations: 0 })
    expect(model.predict(moons.samples).length).toBe(80)
  })

  test('traces, and files do not keep the trace', async () => {
    const model = await new SVC(options).fit(moons, { trace: { every: 10, snapshots: true } })
    expect(model.trace.map(({ iteration }) => iteration).slice(0, 3)).toEqual([0, 10, 20])
    expect(model.trace.at(-1)?.iteration).toBe(model.certificate.iterations)
    expect(model.trace.at(-1)?.dual).toBeCloseTo(model.certificate.dual, 10)
    expect(model.trace[1].alpha?.length).toBe(80)
    expect(JSON.parse(JSON.stringify(model))).not.toHaveProperty('trace')
    expect(new SVC(options).fitSync(moons).trace).toEqual([])
  })

  test('shows every step', () => {
    let steps = 0
    const model = new SVC(options).fitSync(moons, { onStep: () => steps++ })
    expect(steps).toBe(model.certificate.iterations)
  })

  test('says what it wants where rows come without labels', async () => {
    const allowed = '{ samples, labels } from makeDataset(rows, labels)'
    const rows = [[1], [2]]
    await expect(new SVC().fit(rows as never)).rejects.toThrow(
      new ParameterError('fit', 'dataset', allowed, rows),
    )
    expect(() => new SVC().fitSync(undefined as never)).toThrow(
      new ParameterError('fit', 'dataset', allowed, undefined),
    )
    expect(() => new SVC(10 as never)).toThrow(new ParameterError('SVC', 'options', 'an object', 10))
  })

  test('rejects rather than throws', async () => {
    await expect(new SVC().fit(makeDataset([[1]], [1]))).rejects.toThrow(DataError)
    await expect(new SVC().fit(moons, { onprogress: () => {} } as object)).rejects.toThrow(
      'fit: option must be one of onProgress, signal, trace, onStep, certify, checkpoint, got "onprogress" (did you mean onProgress?)',
    )
  })

  test('leaves the data alone, and an estimator can be used again', async () => {
    const before = structuredClone(moons)
    const estimator = new SVC({ scaler: 'standard' })
    const [a, b] = [await estimator.fit(moons), await estimator.fit(moons)]
    expect(moons).toEqual(before)
    expect(a.dualCoef).toEqual(b.dualCoef)
  })

  test('works on samples that are not vectors', async () => {
    const common = (a: string, b: string) => new Set([...a].filter((letter) => b.includes(letter))).size
    const words = makeSampleSet(['aab', 'abb', 'ccd', 'cdd'], [0, 0, 1, 1])
    const model = await new SVC({ kernel: custom(common) }).fit(words)
    expect(model.predict(['ba', 'dc'])).toEqual(Float64Array.of(0, 1))
    expect(model.features).toBeUndefined()
  })

  test('takes a list of rows for a kernel over vectors', () => {
    const rows = [
      [0, 1],
      [1, 0],
      [1, 1],
    ]
    const a = new SVC().fitSync({ samples: rows as never, labels: Float64Array.of(0, 1, 1) })
    const b = new SVC().fitSync(makeDataset(rows, [0, 1, 1]))
    expect(a.supportVectors).toEqual(b.supportVectors)
  })

  test('keeps feature names', () => {
    const data = makeDataset(
      [
        [0, 1],
        [1, 0],
      ],
      [0, 1],
      { featureNames: ['width', 'height'] },
    )
    expect(new SVC().fitSync(data).featureNames).toEqual(['width', 'height'])
  })

  test('dense and sparse data give the same model', () => {
    const sparse = { ...moons, samples: toSparse(moons.samples) }
    for (const scaler of [undefined, 'range'] as const) {
      const [a, b] = [moons, sparse].map((data) =>
        new SVC({ scaler, kernel: rbf({ gamma: 1 }), tol: 1e-8 }).fitSync(data),
      )
      expect(a.certificate.dual).toBeCloseTo(b.certificate.dual, 8)
      expectClose(a.decisionFunction(moons.samples), b.decisionFunction(moons.samples), 1e-5)
    }
  })
})

describe('parameters are checked by the constructor', () => {
  test.each([
    [{ C: -1 }, 'SVC: C must be > 0, got -1'],
    [{ C: 0 }, 'SVC: C must be > 0, got 0'],
    [{ C: Number.NaN }, 'SVC: C must be > 0, got NaN'],
    [{ C: '1' }, 'SVC: C must be > 0, got "1"'],
    [
      { kernel: 'rbf' },
      'SVC: kernel must be a kernel such as rbf() or linear(), got "rbf": write kernel: rbf()',
    ],
    [{ kernel: null }, 'SVC: kernel must be a kernel such as rbf() or linear(), got null'],
    [{ tol: 0 }, 'SVC: tol must be > 0, got 0'],
    [{ maxIter: 1.5 }, 'SVC: maxIter must be a whole number >= 0, got 1.5'],
    [{ timeLimit: -1 }, 'SVC: timeLimit must be >= 0, got -1'],
    [{ cacheBytes: -1 }, 'SVC: cacheBytes must be >= 0, got -1'],
    [{ threads: 0 }, 'SVC: threads must be a whole number >= 1, got 0'],
    [{ seed: 0.5 }, 'SVC: seed must be a whole number, got 0.5'],
    [
      { classWeight: 'even' },
      `SVC: classWeight must be 'balanced' or an object { label: weight }, got "even"`,
    ],
    [{ classWeight: { 1: -1 } }, 'SVC: classWeight of 1 must be >= 0, got -1'],
    [{ scaler: 'robust' }, 'SVC: scaler must be one of range, standard, got "robust"'],
    [{ scaler: { kind: 'range', lower: 2 } }, 'SVC: scaler: upper must be > lower (2), got 1'],
    [
      { scaler: { kind: 'range', mean: true } },
      'SVC: scaler: option must be one of lower, upper, got "mean"',
    ],
    [{ scaler: { kind: 'standard', mean: 1 } }, 'SVC: scaler: mean must be true or false, got 1'],
    [
      { solver: 'newton' },
      `SVC: solver must be one of ${anyKernel.join(', ')} (the others need a linear kernel), got "newton"`,
    ],
    [
      { solver: { name: 'smo', speed: 9 } },
      `SVC: solver "smo": option must be one of ${Object.keys(solvers.smo.options).join(', ')}, got "speed"`,
    ],
    [
      { gamma: 1 },
      'SVC: option must be one of C, solver, kernel, tol, maxIter, shrinking, cacheBytes, threads, scaler, timeLimit, seed, classWeight, decisionFunctionShape, breakTies, got "gamma": it is part of the kernel, such as kernel: rbf({ gamma: 0.5 })',
    ],
  ])('%o', (options, message) => {
    let error: unknown
    try {
      new SVC(options as SvcOptions)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(ParameterError)
    expect((error as Error).message).toBe(message)
  })

  test('weights must be for classes of the data', () => {
    expect(() => new SVC({ classWeight: { 2: 1 } }).fitSync(moons)).toThrow(
      new ParameterError('SVC', 'classWeight', 'names class "2", but the classes of the data are -1 and 1'),
    )
  })

  test('scalers are for vectors', () => {
    const kernel = custom((a: string, b: string) => Number(a === b), { name: 'same' })
    expect(() => new SVC({ kernel, scaler: 'range' }).fitSync(makeSampleSet(['a', 'b'], [0, 1]))).toThrow(
      new DataError('SVC: samples that are not a matrix cannot be scaled'),
    )
  })
})
