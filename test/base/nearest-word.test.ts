import { expect, it } from 'vitest'
import { checkKnown, checkOneOf } from '../../src/base/check.ts'
import { didYouMean, nearestWord } from '../../src/base/nearest-word.ts'

const kernels = ['linear', 'poly', 'rbf', 'sigmoid', 'precomputed']

it.each([
  ['rfb', 'rbf'],
  ['RBF', 'rbf'],
  ['rbff', 'rbf'],
  ['lineer', 'linear'],
  ['pre-computed', 'precomputed'],
  ['sigm', 'sigmoid'],
  ['polynomial', undefined],
  ['laplace', undefined],
  ['', undefined],
])('%j is probably %j', (word, meant) => {
  expect(nearestWord(word, kernels)).toBe(meant)
})

it('knows the same word in another spelling before any other', () => {
  expect(nearestWord('--c', ['--cache', '--C'])).toBe('--C')
  expect(nearestWord('class_weight', ['classWeights', 'classWeight'])).toBe('classWeight')
})

it('adds nothing where no word is near', () => {
  expect(didYouMean('rfb', kernels)).toBe(' (did you mean rbf?)')
  expect(didYouMean(7, kernels)).toBe('')
  expect(() => checkOneOf('f', 'kernel', 'rfb', kernels)).toThrow('got "rfb" (did you mean rbf?)')
  expect(() => checkKnown('f', { max_iter: 1 }, ['maxIter'])).toThrow(
    'got "max_iter" (did you mean maxIter?)',
  )
})
