/**
 * Work that takes long, and the one place where it lets the event loop have its turn: work is a generator that stops between
 * its pieces, and whoever runs it decides whether timers, messages and signals come in between ({@link inSlices}) or not
 * ({@link inOneGo}).
 */

/** Work in pieces: every `next()` does a few milliseconds of it. */
export type Pieces<Result = void> = Generator<void, Result, void>

/**
 * Milliseconds of work from one turn of the event loop to the next: less than a frame of a page (16 ms), and long enough for
 * the turn itself (some 10 µs) to cost nothing.
 */
export const SLICE_MS = 12

/** Does all of it without a pause. */
export function inOneGo<Result>(work: Pieces<Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

/** Does all of it, and lets the event loop turn after every slice. */
export async function inSlices<Result>(work: Pieces<Result>): Promise<Result> {
  const slice = new Slice()
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    if (slice.isOver) await slice.next()
  }
}

/** The slice of time that work in progress is in. */
export class Slice {
  private started = performance.now()

  /** Whether it is time for others. */
  get isOver(): boolean {
    return performance.now() - this.started > SLICE_MS
  }

  /** Lets the event loop turn; then the next slice begins. */
  async next(): Promise<void> {
    await nextTask()
    this.started = performance.now()
  }
}

/**
 * Lets the event loop turn once, which a plain promise would not; who only waits for others may wait some milliseconds. Not by
 * a timer otherwise: browsers have those take 4 ms at least. Nor by a message where there is `setImmediate`: Node loads all of its
 * streams for the first one.
 */
export function nextTask(waitMs = 0): Promise<void> {
  return new Promise((resolve) => {
    if (waitMs > 0) setTimeout(resolve, waitMs)
    else if ('setImmediate' in globalThis) setImmediate(resolve)
    else {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        port1.close()
        resolve()
      }
      port2.postMessage(undefined)
    }
  })
}
