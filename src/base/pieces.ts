/** Work that takes long, in pieces: every `next()` does a few milliseconds of it. */
export type Pieces<Result = void> = Generator<void, Result, void>

/** Does all of it. */
export function inOneGo<Result>(work: Pieces<Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
