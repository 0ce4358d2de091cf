import { afterEach, expect, test, vi } from 'vitest'
import { inOneGo, inSlices, nextTask, type Pieces } from '../../src/base/pieces.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test('work in pieces is done to its end in one go, and its result is returned', () => {
  const done: number[] = []
  function* work(): Pieces<string> {
    for (let k = 0; k < 4; k++) {
      done.push(k)
      yield
    }
    return 'over'
  }
  expect(inOneGo(work())).toBe('over')
  expect(done).toEqual([0, 1, 2, 3])
})

test('an error of a piece is thrown to whoever wants it done', () => {
  function* work(): Pieces {
    yield
    throw new Error('of the second piece')
  }
  expect(() => inOneGo(work())).toThrow('of the second piece')
})

test('slices end when their time is over, and others have their turn between them', async () => {
  let clock = 0
  vi.spyOn(performance, 'now').mockImplementation(() => clock)
  const events: string[] = []
  const others = nextTask().then(() => events.push('others'))
  function* work(): Pieces<string> {
    for (let step = 1; ; step++) {
      clock += 5
      events.push(`step ${step}`)
      if (step === 7) return 'over'
      yield
    }
  }
  expect(await inSlices(work())).toBe('over')
  await others
  // 12 ms are over after three steps of 5 ms.
  expect(events).toEqual([1, 2, 3, 0, 4, 5, 6, 7].map((step) => (step ? `step ${step}` : 'others')))
})

function* noWork(): Pieces {}

test('work that is over in its first slice lets nobody wait', async () => {
  let turns = 0
  const others = nextTask().then(() => turns++)
  await inSlices(noWork())
  expect(turns).toBe(0)
  await others
})

test('an error of a slice rejects', async () => {
  function* work(): Pieces {
    yield
    throw new Error('of a slice')
  }
  await expect(inSlices(work())).rejects.toThrow('of a slice')
})
