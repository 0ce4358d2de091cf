import { expect, test } from 'vitest'
import { DataError } from '../../src/base/errors.ts'
import { checkWeights, weightsOrOnes } from '../../src/base/weights.ts'

test('weights are one for each sample, finite and not negative', () => {
  expect(checkWeights('f', [0, 2.5], 2)).toEqual(Float64Array.of(0, 2.5))
  expect(() => checkWeights('f', [1], 2)).toThrow(new DataError('f: 2 samples but 1 weights'))
  for (const bad of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
    const message = `f: weight of sample 1 must be finite and >= 0, got ${bad}`
    expect(() => checkWeights('f', [1, bad], 2)).toThrow(new DataError(message))
  }
})

test('they are 1 each unless given, and not all 0', () => {
  expect(weightsOrOnes('f', undefined, 3)).toEqual(Float64Array.of(1, 1, 1))
  expect(weightsOrOnes('f', [0, 3], 2)).toEqual(Float64Array.of(0, 3))
  expect(() => weightsOrOnes('f', [0, 0], 2)).toThrow(new DataError('f: all weights are 0'))
})
