import { afterEach, beforeEach, vi } from 'vitest'

/** What performance.now() says, in milliseconds. */
export interface FakeClock {
  now: number
}

/** A clock that only the tests of this file move; it starts at 0 for each. */
export function useFakeClock(): FakeClock {
  const clock = { now: 0 }
  beforeEach(() => {
    clock.now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => clock.now)
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })
  return clock
}
