import { expect, test } from 'vitest'
import { Stall } from '../../../src/solve/l1/stall.ts'

/** Looks until it is over, 100 at most. */
function looks(stall: Stall, gapOf: (look: number) => number, isRounding?: boolean): number {
  let look = 0
  while (look < 100 && !stall.isOver(gapOf(look), isRounding)) look++
  return look
}

test('a gap that stays is over after ten looks without gain', () => {
  expect(looks(new Stall(), () => 1)).toBe(11)
})

test('a gap that falls by little, but on and on, is not over', () => {
  expect(looks(new Stall(), (look) => 0.98 ** look)).toBe(100)
})

test('an objective that still falls is not over', () => {
  expect(looks(new Stall(), () => 1, false)).toBe(100)
})

test('goes on from where it was saved', () => {
  const stall = new Stall()
  for (let look = 0; look < 6; look++) stall.isOver(1)
  const other = new Stall()
  other.restore(stall.save())
  expect(looks(other, () => 1)).toBe(5)
})
