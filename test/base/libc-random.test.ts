import { expect, test } from 'vitest'
import { LibcRandom } from '../../src/base/libc-random.ts'

/** The first numbers of rand() after srand(seed), from the GNU C library 2.36. */
test.each([
  [1, [1804289383, 846930886, 1681692777, 1714636915, 1957747793]],
  [0, [1804289383, 846930886, 1681692777, 1714636915, 1957747793]],
  [12345, [383100999, 858300821, 357768173, 455528251, 133005921]],
  [4294967295, [254925627, 1205188300, 366127624, 1401405153, 76053476]],
])('seed %i', (seed, numbers) => {
  const random = new LibcRandom(seed)
  expect(numbers.map(() => random.next())).toEqual(numbers)
})

test('the thousandth number', () => {
  const random = new LibcRandom(1)
  for (let i = 1; i < 1000; i++) random.next()
  expect(random.next()).toBe(1143565421)
})

test('a shuffle keeps every item', () => {
  const items = new LibcRandom(1).shuffle([0, 1, 2, 3, 4, 5, 6, 7])
  expect(items).not.toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(items.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
})
