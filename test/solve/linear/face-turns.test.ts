import { expect, test } from 'vitest'
import { FaceTurns } from '../../../src/solve/linear/face-turns.ts'

/** Looks and a step of 100 visits; then what a look says that finds this gap, ten visits later, where the dual falls by less than before. */
function afterStep(turns: FaceTurns, gap: number): boolean {
  turns.look(100, 10, 0, 1e-6)
  turns.look(200, 9, -5, 1e-6)
  expect(turns.pays(100, Number.POSITIVE_INFINITY)).toBe(true)
  turns.took(300)
  const ahead = turns.look(310, gap, -5.1, 1e-6)
  return turns.pays(100, ahead)
}

test('a step follows another one where that has narrowed the gap, if they go on', () => {
  expect(afterStep(new FaceTurns(true), 4)).toBe(true)
  expect(afterStep(new FaceTurns(true), 8.9)).toBe(false)
  expect(afterStep(new FaceTurns(), 4)).toBe(false)
})

test('what it knows is kept', () => {
  const turns = new FaceTurns(true)
  turns.look(100, 10, 0, 1e-6)
  turns.look(200, 9, -5, 1e-6)
  turns.took(300)
  const again = new FaceTurns(true)
  again.restore(turns.save())
  for (const one of [turns, again]) {
    const ahead = one.look(310, 4, -5.1, 1e-6)
    expect(one.pays(100, ahead)).toBe(true)
  }
})
