import { expect, it } from 'vitest'
import { resetSlots, slot } from '../../src/base/slot.ts'

it('holds what was installed last, and gives what that replaces', () => {
  const number = slot(1)
  expect(number.current).toBe(1)
  expect(number.install(2)).toBe(1)
  expect(number.install(3)).toBe(2)
  expect(number.current).toBe(3)
})

it('all slots are reset together', () => {
  const first = slot<string | undefined>(undefined)
  const second = slot('b')
  first.install('x')
  second.install('y')
  resetSlots()
  expect([first.current, second.current]).toEqual([undefined, 'b'])
})
