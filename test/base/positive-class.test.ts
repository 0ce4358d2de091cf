import { expect, test } from 'vitest'
import { positiveOf, signOfFirst } from '../../src/base/positive-class.ts'

test('of two classes the second is positive, of a pair among more the first', () => {
  expect([positiveOf(0, 1, 2), positiveOf(1, 0, 2)]).toEqual([1, 1])
  expect([positiveOf(2, 5, 7), positiveOf(5, 2, 7)]).toEqual([2, 2])
})

test('the sign that means the first class goes with the class that is positive', () => {
  for (const classes of [2, 3, 10]) {
    expect(signOfFirst(classes)).toBe(positiveOf(0, 1, classes) === 0 ? 1 : -1)
  }
})
