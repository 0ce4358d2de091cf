/** Choosing the working set of the block solver: the samples that violate the optimality conditions most. */

/** Compact arrays of the active samples that the choice reads. v_i = −y_i ∂Φ/∂α_i. */
export interface ActiveView {
  readonly count: number
  readonly v: Float64Array
  readonly alpha: Float64Array
  readonly y: Float64Array
  readonly C: Float64Array
}

/** m = max of v over I_up, M = min of v over I_low: the point is optimal when m <= M. */
export interface Extremes {
  m: number
  M: number
}

/** Fills in the extremes of v over the active samples. */
export function findExtremes({ count, v, alpha, y, C }: ActiveView, out: Extremes): void {
  let m = Number.NEGATIVE_INFINITY
  let M = Number.POSITIVE_INFINITY
  for (let i = 0; i < count; i++) {
    const value = v[i]
    const positive = y[i] > 0
    const rise = alpha[i] < C[i]
    const fall = alpha[i] > 0
    if (value > m && (positive ? rise : fall)) m = value
    if (value < M && (positive ? fall : rise)) M = value
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
   * Writes up to `wanted` positions to `out` from `at` on and returns how many: from I_up those with the largest v
   * (if above M), or from I_low those with the smallest (if below m). Skips and marks positions in `taken`.
   */
  take(
    side: 'up' | 'low',
    active: ActiveView,
    { m, M }: Extremes,
    wanted: number,
    taken: Uint8Array,
    out: Uint32Array,
    at: number,
  ): number {
    const { keys, positions } = this
    const { count, v, alpha, y, C } = active
    const up = side === 'up'
    let found = 0
    for (let i = 0; i < count; i++) {
      const value = v[i]
      if (up ? value <= M : value >= m) continue
      const rise = alpha[i] < C[i]
      const fall = alpha[i] > 0
      if (!(y[i] > 0 === up ? rise : fall) || taken[i]) continue
      keys[found] = up ? -value : value
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
