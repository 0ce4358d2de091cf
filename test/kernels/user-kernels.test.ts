import { distance } from 'fastest-levenshtein'
import { describe, expect, it } from 'vitest'
import { toMatrix, toSparse } from '../../src/data/matrix/matrix.ts'
import { product, sum } from '../../src/kernels/combinators.ts'
import type { KernelSpec } from '../../src/kernels/kernel.ts'
import { kernelFromSpec } from '../../src/kernels/kernel-from-spec.ts'
import { kernelMatrix, kernelValue } from '../../src/kernels/kernel-matrix.ts'
import { linear } from '../../src/kernels/linear.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { custom, featureMap, rankOne } from '../../src/kernels/user-kernels.ts'

const words = ['kernel', 'colonel', 'kennel', '']
const edit = (x: string, z: string): number => Math.exp(-distance(x, z))

describe('samples that are not vectors', () => {
  it('custom', () => {
    const kernel = custom(edit)
    expect(kernel.spec).toEqual({ kind: 'custom', name: 'edit' })
    expect(kernelValue(kernel, 'kernel', 'kennel')).toBe(Math.exp(-1))
    expect(Array.from(kernelMatrix(kernel, words, ['kernel']).values)).toEqual(
      words.map((word) => edit(word, 'kernel')),
    )
    expect(kernel.diagonal(words)).toEqual(Float64Array.of(1, 1, 1, 1))
  })

  it('custom: one set takes half the calls', () => {
    let calls = 0
    const counted = custom(
      (x: string, z: string) => {
        calls++
        return edit(x, z)
      },
      { name: 'counted' },
    )
    kernelMatrix(counted, words)
    expect(calls).toBe(10)
  })

  it('featureMap maps each sample once', () => {
    const mapped: string[] = []
    const letters = featureMap(
      (word: string) => {
        mapped.push(word)
        return ['e', 'n', 'l'].map((letter) => word.split(letter).length - 1)
      },
      { name: 'letters' },
    )
    const matrix = kernelMatrix(letters, words)
    expect(mapped).toEqual(words)
    // kernel (2, 1, 1), colonel (1, 1, 2), kennel (2, 2, 1), nothing (0, 0, 0)
    expect(Array.from(matrix.values)).toEqual([6, 5, 7, 0, 5, 6, 6, 0, 7, 6, 9, 0, 0, 0, 0, 0])
    expect(letters.diagonal(words)).toEqual(Float64Array.of(6, 6, 9, 0))
  })

  it('rankOne, and combinations over the same samples', () => {
    const size = rankOne((word: string) => word.length, { name: 'length' })
    expect(kernelValue(size, 'ab', 'abc')).toBe(6)
    expect(kernelValue(sum(size, custom(edit)), 'ab', 'abc')).toBe(6 + Math.exp(-1))
    expect(product(size, custom(edit)).diagonal(words)).toEqual(Float64Array.of(36, 49, 36, 0))
  })

  it('arrays of numbers stay what they are when they are listed, so that lengths may differ', () => {
    const common = custom((x: number[], z: number[]) => x.filter((value) => z.includes(value)).length, {
      name: 'common',
    })
    expect(kernelValue(common, [1, 2, 3], [3, 1])).toBe(2)
    expect(Array.from(kernelMatrix(common, [[1], [], [1, 2]]).values)).toEqual([1, 0, 1, 0, 0, 0, 1, 0, 2])
  })
})

it('functions get the rows of a matrix with their zeros, as Float64Arrays of one length', () => {
  const seen: Float64Array[][] = []
  const spy = custom(
    (x, z) => {
      seen.push([x, z])
      return 0
    },
    { name: 'spy' },
  )
  kernelMatrix(spy, toSparse(toMatrix([[0, 5]])), toMatrix([[1, 2, 3]]))
  expect(seen).toEqual([[Float64Array.of(0, 5, 0), Float64Array.of(1, 2, 3)]])
})

describe('errors', () => {
  it('a function without a name needs one', () => {
    expect(() => custom(() => 1)).toThrow(
      'custom: name must be a non-empty string, as the function has no name, got ""',
    )
    expect(() => featureMap(() => [1], { name: '' })).toThrow('featureMap: name must be a non-empty string')
    expect(() => rankOne(3 as unknown as () => number)).toThrow(
      'rankOne: the kernel must be a function, got 3',
    )
    expect(() => custom(edit, { title: 'x' } as object)).toThrow(
      'custom: option must be one of name, got "title"',
    )
  })

  it('values must be finite', () => {
    const bad = custom((x: string, z: string) => (x === z ? Number.NaN : 1), { name: 'bad' })
    expect(() => kernelMatrix(bad, ['a', 'b'], ['c', 'b'])).toThrow(
      'custom kernel "bad" returned NaN for samples 1 and 1; it must return finite numbers',
    )
    expect(() => bad.diagonal(['a'])).toThrow('custom kernel "bad" returned NaN for samples 0 and 0')
    const none = custom((() => undefined) as unknown as (x: string, z: string) => number, { name: 'none' })
    expect(() => kernelValue(none, 'a', 'b')).toThrow(
      'custom kernel "none" returned undefined for samples 0 and 0',
    )
  })

  it('mapped samples must be finite vectors of one length', () => {
    const lengths = featureMap((word: string) => new Array(word.length).fill(1), { name: 'ones' })
    expect(() => kernelMatrix(lengths, ['ab', 'abc'])).toThrow(
      'feature map "ones" needs vectors: row 1 has 3 values, but row 0 has 2',
    )
    const root = rankOne((x: Float64Array) => Math.sqrt(x[0]), { name: 'root' })
    expect(() => kernelMatrix(root, toMatrix([[1], [-1]]))).toThrow(
      'feature map "root" needs vectors: row 1, column 0 is NaN; values must be finite',
    )
  })

  it('kernels over vectors refuse other samples', () => {
    expect(() => linear().between(['ab'] as unknown as never[], [])).toThrow(
      'linear needs vectors: row 0 must be an array of numbers, got "ab"',
    )
    expect(() => rbf().resolve([[1, 2], [3]] as unknown as never[])).toThrow(
      'rbf needs vectors: row 1 has 1 values, but row 0 has 2',
    )
  })
})

describe('kernelFromSpec', () => {
  it('names the function that is missing', () => {
    const { spec } = sum(
      custom(edit),
      rankOne((word: string) => word.length, { name: 'length' }),
    )
    expect(() => kernelFromSpec(spec)).toThrow(
      'kernelFromSpec: functions["edit"] must be the function that the kernel was created with, got undefined',
    )
    expect(() => kernelFromSpec(spec, { functions: { edit } })).toThrow(
      'functions["length"] must be the function',
    )
    expect(() => kernelFromSpec({ kind: 'custom', name: 'toString' })).toThrow('functions["toString"]')
  })

  it('takes rules for gamma as they are', () => {
    const spec: KernelSpec = { kind: 'rbf', gamma: 'scale' }
    expect(kernelFromSpec(spec).spec).toEqual(spec)
    expect(kernelFromSpec({ kind: 'precomputed' }).spec).toEqual({ kind: 'precomputed' })
  })

  it('refuses what is no spec', () => {
    expect(() => kernelFromSpec({ kind: 'gauss' } as unknown as KernelSpec)).toThrow(
      'kernelFromSpec: kind must be the kind of a kernel, got "gauss"',
    )
    expect(() => kernelFromSpec({ kind: 'rbf', gamma: -1 })).toThrow('rbf: gamma must be >= 0, got -1')
  })
})
