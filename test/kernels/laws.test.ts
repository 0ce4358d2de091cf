import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DenseMatrix, toMatrix } from '../../src/data/matrix/matrix.ts'
import { exp, product, scale, shift, sum } from '../../src/kernels/combinators.ts'
import type { AnyKernel } from '../../src/kernels/kernel.ts'
import { kernelMatrix, kernelValue } from '../../src/kernels/kernel-matrix.ts'
import { linear } from '../../src/kernels/linear.ts'
import { polynomial } from '../../src/kernels/polynomial.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { featureMap } from '../../src/kernels/user-kernels.ts'
import { someMatrix, storages, times } from '../suites/matrices.ts'

describe('the worked examples of the sources', () => {
  const X = someMatrix(9, 8, 2)

  it('Gaussian with sigma = 1 of (1, 1) and (2, -3) is exp(-17/2)', () => {
    expect(kernelValue(rbf({ sigma: 1 }), [1, 1], [2, -3])).toBe(Math.exp(-17 / 2))
  })

  it('<x, z>^2 in two dimensions is the map (x1 x1, x1 x2, x2 x1, x2 x2)', () => {
    expectSameMatrix(
      polynomial({ gamma: 1, degree: 2 }),
      featureMap((x) => [x[0] * x[0], x[0] * x[1], x[1] * x[0], x[1] * x[1]], { name: 'pairs' }),
      X,
    )
  })

  it('<x, z>^2 in two dimensions is the map (x1^2, x2^2, sqrt 2 x1 x2)', () => {
    const phi = (x: Float64Array) => [x[0] ** 2, x[1] ** 2, Math.SQRT2 * x[0] * x[1]]
    expectSameMatrix(polynomial({ gamma: 1, degree: 2 }), featureMap(phi), X)
  })

  it('k + a is the kernel of samples with one more feature √a', () => {
    const augmented = toMatrix(
      Array.from({ length: X.rows }, (_, i) => [...X.values.subarray(2 * i, 2 * i + 2), Math.sqrt(2)]),
    )
    expectSame(kernelMatrix(shift(linear(), 2), X).values, kernelMatrix(linear(), augmented).values)
  })
})

describe('scaling laws, on any samples in any storage', () => {
  const anySamples = fc.tuple(
    fc.nat(),
    fc.integer({ min: 1, max: 9 }),
    fc.integer({ min: 1, max: 6 }),
    fc.constantFrom(...storages),
    fc.double({ min: 0.01, max: 100, noNaN: true }),
  )
  const law = (check: (X: DenseMatrix, c: number, store: (typeof storages)[number]['store']) => void) =>
    fc.assert(
      fc.property(anySamples, ([seed, rows, cols, { store }, c]) =>
        check(someMatrix(seed, rows, cols), c, store),
      ),
      { seed: 1 },
    )

  it('rbf(cX, gamma / c²) = rbf(X, gamma)', () => {
    law((X, c, store) => {
      const scaled = kernelMatrix(rbf({ gamma: 0.6 / c ** 2 }), store(times(X, c))).values
      expectSame(scaled, kernelMatrix(rbf({ gamma: 0.6 }), store(X)).values)
    })
  })

  it("rbf with gamma 'scale' does not feel a scale of the data, nor sigma one it shares", () => {
    law((X, c, store) => {
      expectSame(kernelMatrix(rbf(), store(times(X, c))).values, kernelMatrix(rbf(), store(X)).values)
      const shared = kernelMatrix(rbf({ sigma: 2 * c }), store(times(X, c))).values
      expectSame(shared, kernelMatrix(rbf({ sigma: 2 }), store(X)).values)
    })
  })

  it('linear(cX) = c² linear(X) = scale(linear, c²)(X)', () => {
    law((X, c, store) => {
      const squared = kernelMatrix(linear(), store(times(X, c))).values
      expectSame(
        squared,
        kernelMatrix(linear(), store(X)).values.map((value) => c * c * value),
      )
      expectSame(squared, kernelMatrix(scale(linear(), c * c), store(X)).values)
    })
  })

  it('polynomial(cX, gamma / c²) = polynomial(X, gamma), and is homogeneous where coef0 is 0', () => {
    law((X, c, store) => {
      const options = { coef0: 0.5, degree: 3 }
      expectSame(
        kernelMatrix(polynomial({ gamma: 0.8 / c ** 2, ...options }), store(times(X, c))).values,
        kernelMatrix(polynomial({ gamma: 0.8, ...options }), store(X)).values,
      )
      const cubic = polynomial({ gamma: 0.8, degree: 3 })
      expectSame(
        kernelMatrix(cubic, store(times(X, c))).values,
        kernelMatrix(scale(cubic, c ** 6), store(X)).values,
      )
    })
  })

  it('the product of Gaussians is the Gaussian of the sum of their gammas; exp(k1 + k2) = exp(k1) exp(k2)', () => {
    law((X, c, store) => {
      expectSame(
        kernelMatrix(product(rbf({ gamma: c }), rbf({ gamma: 0.5 })), store(X)).values,
        kernelMatrix(rbf({ gamma: c + 0.5 }), store(X)).values,
      )
      const [k1, k2] = [rbf({ gamma: c }), scale(linear(), 0.05)]
      expectSame(
        kernelMatrix(exp(sum(k1, k2)), store(X)).values,
        kernelMatrix(product(exp(k1), exp(k2)), store(X)).values,
      )
    })
  })

  it('rbf does not feel a shift of all samples', () => {
    law((X, c, store) => {
      const moved = { ...X, values: X.values.map((value) => value + c) }
      expectSame(
        kernelMatrix(rbf({ gamma: 0.4 }), store(moved)).values,
        kernelMatrix(rbf({ gamma: 0.4 }), store(X)).values,
      )
    })
  })
})

it.each([1, 31, 32, 33, 70])('one set of %i samples gives the matrix that two equal sets give', (rows) => {
  const X = someMatrix(13, rows, 3)
  expect(kernelMatrix(rbf({ gamma: 1 }), X)).toEqual(kernelMatrix(rbf({ gamma: 1 }), X, X))
})

describe('rbf on features of very different size', () => {
  it.each(storages)('$storage: 1e6 beside 1e-6', ({ store }) => {
    const X = toMatrix([
      [1e6, 1e-6],
      [1e6, 2e-6],
      [1e6, -1e-6],
    ]) as DenseMatrix
    const matrix = kernelMatrix(rbf({ gamma: 1e12 }), store(X)).values
    const expected = [0, 1, 4, 1, 0, 9, 4, 9, 0].map((distance) => Math.exp(-distance))
    for (let k = 0; k < 9; k++) expect(matrix[k]).toBeCloseTo(expected[k], 9)
    expect([matrix[0], matrix[4], matrix[8]]).toEqual([1, 1, 1])
  })

  it.each(storages)('$storage: exactly 1 for equal samples, never above', ({ store }) => {
    const X = someMatrix(77, 10, 6)
    const far = { ...X, values: X.values.map((value, k) => (k % 2 === 0 ? 1e8 : value)) }
    far.values.copyWithin(54, 0, 6)
    const matrix = kernelMatrix(rbf({ gamma: 1 }), store(far)).values
    for (let i = 0; i < 10; i++) expect(matrix[i * 11]).toBe(1)
    expect(matrix[9]).toBe(1)
    expect(Math.max(...matrix)).toBe(1)
  })
})

function expectSameMatrix(one: AnyKernel, other: AnyKernel, samples: DenseMatrix): void {
  expectSame(kernelMatrix(one, samples).values, kernelMatrix(other, samples).values)
}

function expectSame(actual: Float64Array, expected: Float64Array): void {
  expect(actual.length).toBe(expected.length)
  const largest = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  for (let k = 0; k < expected.length; k++) {
    expect(Math.abs(actual[k] - expected[k])).toBeLessThanOrEqual(1e-10 * largest)
  }
}
