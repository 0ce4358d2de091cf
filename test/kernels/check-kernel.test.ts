import fc from 'fast-check'
import { distance } from 'fastest-levenshtein'
import { describe, expect, it } from 'vitest'
import { checkKernel } from '../../src/kernels/check-kernel.ts'
import { exp, product, scale, shift, sum } from '../../src/kernels/combinators.ts'
import type { AnyKernel } from '../../src/kernels/kernel.ts'
import { kernelMatrix } from '../../src/kernels/kernel-matrix.ts'
import { linear } from '../../src/kernels/linear.ts'
import { polynomial } from '../../src/kernels/polynomial.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { sigmoid } from '../../src/kernels/sigmoid.ts'
import { custom, featureMap, rankOne } from '../../src/kernels/user-kernels.ts'
import { someMatrix, storages } from '../suites/matrices.ts'

const editKernel = custom((x: string, z: string) => Math.exp(-distance(x, z)), { name: 'edit' })

/** All words over the letters, up to a length. */
function words(letters: string, longest: number): string[] {
  let level = ['']
  const all = ['']
  for (let length = 1; length <= longest; length++) {
    level = level.flatMap((word) => [...letters].map((letter) => word + letter))
    all.push(...level)
  }
  return all
}

describe('functions that look like kernels and are not (the questions of the lecture on kernel construction)', () => {
  it('tanh(1 + <x, z>): the Gram matrix of 1 and 2 has a negative determinant', () => {
    const check = checkKernel(sigmoid({ gamma: 1, coef0: 1 }), [[1], [2]])
    const [a, b, c] = [Math.tanh(2), Math.tanh(3), Math.tanh(5)]
    expect(a * c - b * b).toBeLessThan(0)
    expect(check.smallestEigenvalue * check.largestEigenvalue).toBeCloseTo(a * c - b * b, 12)
    expect(check.smallestEigenvalue + check.largestEigenvalue).toBeCloseTo(a + c, 12)
    expect(check).toMatchObject({ symmetric: true, asymmetry: 0, positiveSemidefinite: false })
    expect(check.verdict).toMatch(
      /^not a kernel: its Gram matrix on these 2 samples has the negative eigenvalue -0\.0132\d*$/,
    )
  })

  it('1 - |x - z|^2: 0 and 2 give the eigenvalues -2 and 4', () => {
    const kernel = custom((x: Float64Array, z: Float64Array) => 1 - (x[0] - z[0]) ** 2, { name: 'near' })
    const check = checkKernel(kernel, { kind: 'dense', rows: 2, cols: 1, values: Float64Array.of(0, 2) })
    expect(check.smallestEigenvalue).toBeCloseTo(-2, 12)
    expect(check.largestEigenvalue).toBeCloseTo(4, 12)
    expect(check.positiveSemidefinite).toBe(false)
  })

  it('exp(-edit distance): short words do not show it, all words of a and b up to length 4 do', () => {
    const short = checkKernel(editKernel, words('ab', 3))
    expect(short.positiveSemidefinite).toBe(true)
    expect(short.verdict).toBe('no objection: its Gram matrix on these 15 samples is positive semi-definite')
    const long = checkKernel(editKernel, words('ab', 4))
    expect(long).toMatchObject({ symmetric: true, positiveSemidefinite: false })
    expect(long.smallestEigenvalue).toBeCloseTo(-0.0429, 4)
  })
})

describe('kernels', () => {
  const sumOf = (x: ArrayLike<number>): number => Array.from(x).reduce((total, value) => total + value, 0)
  const valid: [string, AnyKernel][] = [
    ['linear', linear()],
    ['polynomial', polynomial({ gamma: 0.7, coef0: 1, degree: 3 })],
    ['rbf', rbf()],
    ['sum', sum(linear(), rbf({ gamma: 2 }))],
    ['product', product(linear(), polynomial({ gamma: 'auto', coef0: 1, degree: 2 }))],
    ['scale', scale(linear(), 3)],
    ['shift', shift(linear(), 2)],
    ['exp', exp(scale(linear(), 0.1))],
    ['featureMap', featureMap((x) => [x[0], x[0] * x[1], 1], { name: 'phi' })],
    ['rankOne', rankOne(sumOf)],
  ]

  it.each(valid)('%s passes on any samples', (_, kernel) => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.integer({ min: 1, max: 14 }),
        fc.constantFrom(...storages),
        (seed, rows, { store }) => {
          const check = checkKernel(kernel, store(someMatrix(seed, rows, 3)))
          expect(check).toMatchObject({ symmetric: true, asymmetry: 0, positiveSemidefinite: true })
        },
      ),
      { seed: 1, numRuns: 25 },
    )
  })

  it('the eigenvalues add up to the trace, and to the squares of the entries', () => {
    const samples = someMatrix(3, 2, 3)
    const check = checkKernel(linear(), samples)
    const gram = kernelMatrix(linear(), samples).values
    expect(check.smallestEigenvalue + check.largestEigenvalue).toBeCloseTo(gram[0] + gram[3], 12)
    expect(check.smallestEigenvalue ** 2 + check.largestEigenvalue ** 2).toBeCloseTo(
      gram.reduce((total, value) => total + value * value, 0),
      12,
    )
  })
})

it('sees that a function is not symmetric', () => {
  const check = checkKernel(
    custom((x: string, z: string) => (x < z ? 0.25 : 1), { name: 'order' }),
    ['a', 'b', 'c'],
  )
  expect(check).toMatchObject({ symmetric: false, asymmetry: 0.75, positiveSemidefinite: false })
  expect(check.verdict).toBe('not a kernel: k(x, z) and k(z, x) differ by up to 0.75')
})

it('rounding is not a negative eigenvalue, unless no rounding is tolerated', () => {
  const samples = someMatrix(12, 40, 3)
  const check = checkKernel(linear(), samples)
  expect(check.smallestEigenvalue).toBeLessThan(0)
  expect(check.positiveSemidefinite).toBe(true)
  expect(checkKernel(linear(), samples, { tolerance: 0 }).positiveSemidefinite).toBe(false)
})

it('refuses what it cannot check', () => {
  expect(() => checkKernel(linear(), [])).toThrow('checkKernel needs at least one sample')
  expect(() => checkKernel(linear(), [[1]], { tolerance: -1 })).toThrow(
    'checkKernel: tolerance must be >= 0, got -1',
  )
  expect(() => checkKernel(exp(linear()), [[1], [30]])).toThrow(
    'checkKernel: the kernel of samples 1 and 1 is Infinity, not a finite number',
  )
})
