/** Who is faster, and whether that is more than noise. */

/** The time in the middle of some ascending times. */
export function medianOf(times: readonly number[]): number {
  return times[times.length >> 1]
}

/** Whether one solver is clearly faster than another: three quarters of its runs are faster than three quarters of the other's. */
export function isClearlyFaster(a: readonly number[], b: readonly number[]): boolean {
  const upper = a[Math.min(a.length - 1, Math.floor(0.75 * a.length))]
  const lower = b[Math.floor(0.25 * b.length)]
  return upper < lower
}

/** Whether every two neighbours in the order of their medians are clearly apart. */
export function isSettled(all: readonly (readonly number[])[]): boolean {
  const ordered = all.toSorted((a, b) => medianOf(a) - medianOf(b))
  return ordered.every((times, k) => k === 0 || isClearlyFaster(ordered[k - 1], times))
}
