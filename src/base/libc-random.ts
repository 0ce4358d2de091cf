/**
 * The numbers of `rand()` in the GNU C library: an additive feedback generator, r_i = r_{i−3} + r_{i−31} modulo 2³², of which
 * the upper 31 bits are given. LIBSVM draws its folds with it, from seed 1, so that drawing the same gives the same folds.
 */
export class LibcRandom {
  private readonly state = new Uint32Array(31)
  /** The place of the oldest number that is still needed. */
  private at = 3

  /** As `srand(seed)`: seed 0 is seed 1. */
  constructor(seed: number) {
    const { state } = this
    let word = seed | 0 || 1
    state[0] = word
    for (let i = 1; i < state.length; i++) {
      // 16807 · word modulo 2³¹ − 1 by Schrage's method, as it is done there for negative words, too.
      const high = Math.trunc(word / 127773)
      word = 16807 * (word - 127773 * high) - 2836 * high
      if (word < 0) word += 2147483647
      state[i] = word
    }
    for (let i = 0; i < 310; i++) this.next()
  }

  /** A whole number from 0 to 2³¹ − 1. */
  next(): number {
    const { state, at } = this
    // state[at] is r_{i−31}; r_{i−3} lies 28 places further in the ring.
    state[at] += state[(at + 28) % 31]
    this.at = (at + 1) % 31
    return state[at] >>> 1
  }

  /** Shuffles in place as LIBSVM does: each place gets one of those from it on, by the remainder. */
  shuffle(items: number[]): number[] {
    for (let i = 0; i < items.length; i++) {
      const j = i + (this.next() % (items.length - i))
      const item = items[i]
      items[i] = items[j]
      items[j] = item
    }
    return items
  }
}
