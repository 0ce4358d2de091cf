/** Runs that are stopped at a moment that does not depend on the machine. */

/** A signal that is aborted from its look number `at` on, counted from 0; it counts them. */
export class Stopper {
  looks = 0
  readonly signal: AbortSignal

  constructor(at: number) {
    const own = this
    this.signal = {
      get aborted() {
        return own.looks++ >= at
      },
    } as AbortSignal
  }
}

/** Calls `work` with a clock that runs 10 ms a look: whoever looks at it finds that it is time to pause. */
export function withFastClock<R>(work: () => R): R {
  const { now } = performance
  let time = now.call(performance)
  performance.now = () => {
    time += 10
    return time
  }
  try {
    return work()
  } finally {
    performance.now = now
  }
}
