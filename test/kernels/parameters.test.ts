import { describe, expect, it } from 'vitest'
import { type DenseMatrix, toMatrix } from '../../src/data/matrix/matrix.ts'
import { exp, product, scale, shift, sum } from '../../src/kernels/combinators.ts'
import type { Gamma, KernelSpec } from '../../src/kernels/kernel.ts'
import { kernelMatrix, kernelValue } from '../../src/kernels/kernel-matrix.ts'
import { linear } from '../../src/kernels/linear.ts'
import { polynomial } from '../../src/kernels/polynomial.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { sigmoid } from '../../src/kernels/sigmoid.ts'
import { someMatrix, storages } from '../suites/matrices.ts'

describe('the width of a Gaussian', () => {
  it('gamma, sigma and tau are three notations of one number', () => {
    expect(rbf({ gamma: 0.25 }).spec).toEqual({ kind: 'rbf', gamma: 0.25 })
    expect(rbf({ sigma: 2 }).spec).toEqual({ kind: 'rbf', gamma: 1 / 8 })
    expect(rbf({ tau: 3 }).spec).toEqual({ kind: 'rbf', gamma: 1.5 })
    expect(rbf().spec).toEqual({ kind: 'rbf', gamma: 'scale' })
    expect(rbf({ gamma: undefined, tau: 1 }).spec).toEqual({ kind: 'rbf', gamma: 0.5 })
  })

  it('two notations at once are refused', () => {
    expect(() => rbf({ gamma: 1, sigma: 1 })).toThrow('rbf: sigma cannot be used together with gamma')
    expect(() => rbf({ gamma: 'scale', tau: 1 })).toThrow('rbf: tau cannot be used together with gamma')
    expect(() => rbf({ gamma: 1, sigma: 1, tau: 1 })).toThrow('rbf: sigma cannot be used together with gamma')
  })
})

it.each([
  ['rbf: gamma must be >= 0, got -1', () => rbf({ gamma: -1 })],
  ['rbf: gamma must be >= 0, got NaN', () => rbf({ gamma: Number.NaN })],
  ['rbf: gamma must be finite and >= 0, got Infinity', () => rbf({ gamma: Number.POSITIVE_INFINITY })],
  [`rbf: gamma must be a number, 'scale' or 'auto', got "scaled"`, () => rbf({ gamma: 'scaled' as Gamma })],
  ['rbf: sigma must be > 0, got 0', () => rbf({ sigma: 0 })],
  ['rbf: gamma = 1 / (2 sigma^2) must be finite and >= 0, got Infinity', () => rbf({ sigma: 1e-200 })],
  ['rbf: tau must be >= 0, got -2', () => rbf({ tau: -2 })],
  ['rbf: option must be one of gamma, sigma, tau, got "width"', () => rbf({ width: 1 } as object)],
  [
    'polynomial: degree must be a whole number >= 0 and <= 2147483647, got 1.5',
    () => polynomial({ degree: 1.5 }),
  ],
  ['polynomial: degree must be a whole number', () => polynomial({ degree: -1 })],
  ['polynomial: coef0 must be a finite number, got NaN', () => polynomial({ coef0: Number.NaN })],
  ['polynomial: gamma must be >= 0, got -0.5', () => polynomial({ gamma: -0.5 })],
  ['polynomial: option must be one of gamma, coef0, degree, got "d"', () => polynomial({ d: 2 } as object)],
  [
    'sigmoid: coef0 must be a finite number, got -Infinity',
    () => sigmoid({ coef0: Number.NEGATIVE_INFINITY }),
  ],
  ['sigmoid: gamma must be >= 0, got -1', () => sigmoid({ gamma: -1 })],
  ['scale: factor must be >= 0, got -1', () => scale(linear(), -1)],
  ['shift: offset must be >= 0, got NaN', () => shift(linear(), Number.NaN)],
  ['sum: kernels must be at least one, got an array of length 0', () => sum()],
  ['product: kernels must be at least one', () => product()],
])('%s', (message, make) => {
  expect(make).toThrow(message)
})

describe('gamma from the data', () => {
  // 1, 2, 0, 5 have mean 2 and variance 3.5.
  const samples = toMatrix([
    [1, 2],
    [0, 5],
  ]) as DenseMatrix

  it.each(storages)("$storage: 'scale' is 1 / (d Var X), zeros included; 'auto' is 1 / d", ({ store }) => {
    for (const make of [rbf, polynomial, sigmoid]) {
      expect(make({ gamma: 'scale' }).resolve(store(samples)).spec).toMatchObject({ gamma: 1 / 7 })
      expect(make({ gamma: 'auto' }).resolve(store(samples)).spec).toMatchObject({ gamma: 1 / 2 })
    }
  })

  it.each(storages)(
    "$storage: 'scale' is 1 where all entries are equal, and 'auto' without columns",
    ({ store }) => {
      const constant: DenseMatrix = {
        kind: 'dense',
        rows: 7,
        cols: 3,
        values: new Float64Array(21).fill(0.1),
      }
      expect(rbf().resolve(store(constant)).spec).toEqual({ kind: 'rbf', gamma: 1 })
      expect(rbf().resolve(store(someMatrix(1, 4, 0))).spec).toEqual({ kind: 'rbf', gamma: 1 })
      expect(rbf({ gamma: 'auto' }).resolve(store(someMatrix(1, 4, 0))).spec).toEqual({
        kind: 'rbf',
        gamma: 1,
      })
      const zeros: DenseMatrix = { kind: 'dense', rows: 2, cols: 2, values: new Float64Array(4) }
      expect(rbf().resolve(store(zeros)).spec).toEqual({ kind: 'rbf', gamma: 1 })
    },
  )

  it('the variance does not cancel far from zero', () => {
    const far = toMatrix([[1e9 + 1], [1e9 - 1]])
    expect(rbf().resolve(far).spec).toEqual({ kind: 'rbf', gamma: 1 })
  })

  it('a rule reaches through combinators, and keeps the other parameters', () => {
    const kernel = shift(scale(exp(sum(rbf(), product(polynomial({ coef0: 1, degree: 2 }), linear()))), 2), 3)
    const expected: KernelSpec = {
      kind: 'shift',
      offset: 3,
      of: {
        kind: 'scale',
        factor: 2,
        of: {
          kind: 'exp',
          of: {
            kind: 'sum',
            of: [
              { kind: 'rbf', gamma: 1 / 7 },
              {
                kind: 'product',
                of: [{ kind: 'polynomial', gamma: 1 / 7, coef0: 1, degree: 2 }, { kind: 'linear' }],
              },
            ],
          },
        },
      },
    }
    expect(kernel.resolve(samples).spec).toEqual(expected)
  })

  it('a rule must be settled before values are asked for, except where one set says it all', () => {
    expect(() => kernelMatrix(rbf(), samples, samples)).toThrow(
      'rbf: gamma is "scale": call kernel.resolve(samples) first',
    )
    expect(() => kernelValue(polynomial({ gamma: 'auto' }), [1], [2])).toThrow(
      'polynomial: gamma is "auto": call kernel.resolve',
    )
    expect(() => sigmoid().diagonal(samples)).toThrow('sigmoid: gamma is "scale"')
    expect(kernelMatrix(rbf(), samples)).toEqual(kernelMatrix(rbf({ gamma: 1 / 7 }), samples))
  })

  it('a variance too small for a finite gamma is said', () => {
    expect(() => rbf().resolve(toMatrix([[0], [1e-160]]))).toThrow(
      "rbf: gamma ('scale' on these samples) must be finite and >= 0, got Infinity",
    )
  })
})
