import { describe, expect, it } from 'vitest'
import { isDefinite, isRefuted } from '../../src/certify/definiteness.ts'
import { toMatrix } from '../../src/data/matrix/matrix.ts'
import { exp, product, scale, shift, sum } from '../../src/kernels/combinators.ts'
import type { AnyKernel } from '../../src/kernels/kernel.ts'
import { linear } from '../../src/kernels/linear.ts'
import { polynomial } from '../../src/kernels/polynomial.ts'
import { precomputed, precomputedSamples } from '../../src/kernels/precomputed.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { sigmoid } from '../../src/kernels/sigmoid.ts'
import { custom, featureMap } from '../../src/kernels/user-kernels.ts'
import { someMatrix } from '../suites/matrices.ts'

const square = polynomial({ degree: 2, gamma: 1, coef0: -1 })

describe('what is known of a kernel', () => {
  const known: [string, AnyKernel, boolean | undefined][] = [
    ['linear', linear(), true],
    ['rbf', rbf({ gamma: 1 }), true],
    ['polynomial', polynomial({ degree: 3, gamma: 1, coef0: 0.5 }), true],
    ['polynomial with a negative offset', square, undefined],
    ['sigmoid', sigmoid({ gamma: 1, coef0: 0 }), false],
    ['a feature map', featureMap((x: Float64Array) => [x[0]], { name: 'first' }), true],
    ['a function', custom((x: Float64Array, z) => x[0] * z[0], { name: 'own' }), undefined],
    ['a sum', sum(rbf({ gamma: 1 }), linear()), true],
    ['a sum with a sigmoid', sum(rbf({ gamma: 1 }), sigmoid({ gamma: 1 })), undefined],
    ['a product', product(rbf({ gamma: 1 }), linear()), true],
    ['a multiple', scale(linear(), 2), true],
    ['a multiple of what is not known', scale(square, 2), undefined],
    ['a shifted one', shift(linear(), 1), true],
    ['e to the', exp(linear()), true],
    ['e to what is not known', exp(square), undefined],
  ]
  it.each(known)('%s', (_, kernel, definite) => {
    expect(isDefinite(kernel.spec)).toBe(definite)
  })
})

describe('what samples refute', () => {
  it('a negative offset where a sample has a negative value with another one’s square, not elsewhere', () => {
    // (⟨x, z⟩ − 1)² at x = 1, z = −1 and 0: [[0, 4, 1], [4, 0, 1], [1, 1, 1]] has a negative eigenvalue.
    expect(isRefuted({ kernel: square, samples: toMatrix([[1], [-1], [0]]) })).toBe(true)
    // One sample: 1 × 1, and not negative.
    expect(isRefuted({ kernel: square, samples: toMatrix([[3]]) })).toBe(false)
  })

  it('a kernel of the user that is not definite, and not one that is', () => {
    const samples = someMatrix(5, 150, 3)
    const distance = custom((x: Float64Array, z) => Math.abs(x[0] - z[0]), { name: 'distance' })
    const own = custom((x: Float64Array, z) => x[0] * z[0] + x[1] * z[1], { name: 'own' })
    expect(isRefuted({ kernel: distance, samples })).toBe(true)
    expect(isRefuted({ kernel: own, samples })).toBe(false)
  })

  it('a precomputed matrix with a negative eigenvalue, on or beside the diagonal', () => {
    const refuted = (gram: number[][]) =>
      isRefuted({ kernel: precomputed(), samples: precomputedSamples(gram) })
    expect(
      refuted([
        [1, 2],
        [2, 1],
      ]),
    ).toBe(true)
    expect(
      refuted([
        [1, 0],
        [0, -1],
      ]),
    ).toBe(true)
    expect(
      refuted([
        [0, 1],
        [1, 0],
      ]),
    ).toBe(true)
    expect(
      refuted([
        [0, 0],
        [0, 0],
      ]),
    ).toBe(false)
    expect(
      refuted([
        [2, 1],
        [1, 2],
      ]),
    ).toBe(false)
    // Of rank 1: the second pivot is rounding.
    expect(
      refuted([
        [0.01, 0.03],
        [0.03, 0.09],
      ]),
    ).toBe(false)
  })

  it('a sigmoid always, whatever the samples show', () => {
    expect(isRefuted({ kernel: sigmoid({ gamma: 1, coef0: 0 }), samples: toMatrix([[1]]) })).toBe(true)
  })
})
