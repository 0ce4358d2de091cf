/** Choosing the working set of the block solver: the variables that violate the optimality conditions most. */

/**
 * Compact arrays of the active variables that the choice reads. v + up is the rate at which raising a variable gains (−∞
 * where it may not rise), v + low what lowering it costs (+∞ where it may not fall): ../problems/box-dual.ts.
 */
export interface ActiveView {
  readonly count: number
  readonly v: Float64Array
  readonly up: Float64Array
  readonly low: Float64Array
  /** Where the sum over each of two groups is fixed. */
  readonly groups: Uint8Array | undefined
}

/** m = the largest rate, M = the smallest cost in a group: the point is optimal when m <= M in all of them. */
export interface Extremes {
  m: number
  M: number
}

/** Fills in the extremes of one group (0 when there is but one). */
export function findExtremes({ count, v, up, low, groups }: ActiveView, group: number, out: Extremes): void {
  let m = Number.NEGATIVE_INFINITY
  let M = Number.POSITIVE_INFINITY
  for (let i = 0; i < count; i++) {
    if (groups !== undefined && groups[i] !== group) continue
    const rate = v[i] + up[i]
    const cost = v[i] + low[i]
    if (rate > m) m = rate
    if (cost < M) M = cost
  }
  out.m = m
  out.M = M
}

/** Picks the `wanted` largest violators on each side; scratch is kept from call to call. */
export class ViolatorChoice {
  private readonly keys: Float64Array
  private readonly positions: Uint32Array

  constructor(samples: number) {
    this.keys = new Float64Array(samples)
    this.positions = new Uint32Array(samples)
  }

  /**
   * Writes up to `wanted` positions to `out` from `at` on and returns how many: of those in the group that may rise the
   * ones with the largest rate (if above M), or of those that may fall the ones with the smallest cost (if below m).
   * Skips and marks positions in `taken`.
   */
  take(
    side: 'up' | 'low',
    active: ActiveView,
    group: number,
    { m, M }: Extremes,
    wanted: number,
    taken: Uint8Array,
    out: Uint32Array,
    at: number,
  ): number {
    const { keys, positions } = this
    const { count, v, groups } = active
    const up = side === 'up'
    const penalties = up ? active.up : active.low
    const sign = up ? -1 : 1
    const beyond = up ? -M : m
    let found = 0
    for (let i = 0; i < count; i++) {
      const key = sign * (v[i] + penalties[i])
      if (!(key < beyond) || taken[i] || (groups !== undefined && groups[i] !== group)) continue
      keys[found] = key
      positions[found++] = i
    }
    if (found > wanted) {
      partition(keys, positions, found, wanted)
      found = wanted
    }
    for (let a = 0; a < found; a++) {
      out[at + a] = positions[a]
      taken[positions[a]] = 1
    }
    return found
  }
}

/** Hoare's selection: afterwards the `wanted` smallest keys come first (in no particular order). */
function partition(keys: Float64Array, positions: Uint32Array, count: number, wanted: number): void {
  let low = 0
  let high = count - 1
  while (low < high) {
    const pivot = keys[(low + high) >> 1]
    let i = low
    let j = high
    while (i <= j) {
      while (keys[i] < pivot) i++
      while (keys[j] > pivot) j--
      if (i <= j) {
        const key = keys[i]
        keys[i] = keys[j]
        keys[j] = key
        const position = positions[i]
        positions[i++] = positions[j]
        positions[j--] = position
      }
    }
    if (wanted - 1 <= j) high = j
    else if (wanted - 1 >= i) low = i
    else return
  }
}
