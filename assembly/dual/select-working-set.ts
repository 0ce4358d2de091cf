/**
 * Choosing the working set of the block solver over all active variables: extremes of rates and costs, and the worst
 * violators. v + up is the rate at which raising a variable gains, v + low what lowering it costs; see ./pair-loop.ts.
 */

/**
 * out = [max of v + up, min of v + low] as f64 over the variables of one group; −∞, +∞ where there is none. Then the sum of v + up
 * over those that are free, which rise at the rate that they fall at, and their number. `groups` points to one byte per
 * variable, or is 0 when there is only one group.
 */
export function findExtremes(
  count: u32,
  v: usize,
  up: usize,
  low: usize,
  groups: usize,
  group: u32,
  out: usize,
): void {
  let m = -Infinity
  let M = Infinity
  // Even and odd ones apart, as lanes have them.
  let sum = 0.0
  let others = 0.0
  let free = 0.0
  let k: u32 = 0
  if (ASC_FEATURE_SIMD) {
    if (groups == 0) {
      let largest = f64x2.splat(-Infinity)
      let smallest = f64x2.splat(Infinity)
      let sums = f64x2.splat(0)
      let counts = f64x2.splat(0)
      for (; k + 2 <= count; k += 2) {
        const at = <usize>k << 3
        const x = v128.load(v + at)
        const rises = v128.load(up + at)
        const falls = v128.load(low + at)
        const rate = f64x2.add(x, rises)
        const isFree = f64x2.eq(rises, falls)
        largest = f64x2.pmax(largest, rate)
        smallest = f64x2.pmin(smallest, f64x2.add(x, falls))
        sums = f64x2.add(sums, v128.and(rate, isFree))
        counts = f64x2.add(counts, v128.and(f64x2.splat(1), isFree))
      }
      sum = f64x2.extract_lane(sums, 0)
      others = f64x2.extract_lane(sums, 1)
      free = f64x2.extract_lane(counts, 0) + f64x2.extract_lane(counts, 1)
      m = max(f64x2.extract_lane(largest, 0), f64x2.extract_lane(largest, 1))
      M = min(f64x2.extract_lane(smallest, 0), f64x2.extract_lane(smallest, 1))
    }
  }
  for (; k < count; k++) {
    if (groups != 0 && <u32>load<u8>(groups + k) != group) continue
    const at = <usize>k << 3
    const x = load<f64>(v + at)
    const rises = load<f64>(up + at)
    const falls = load<f64>(low + at)
    m = max(m, x + rises)
    M = min(M, x + falls)
    if (rises == falls) {
      if (k & 1) others += x + rises
      else sum += x + rises
      free++
    }
  }
  sum += others
  store<f64>(out, m)
  store<f64>(out, M, 8)
  store<f64>(out, sum, 16)
  store<f64>(out, free, 24)
}

/**
 * Of the variables of one group that are not taken, the `wanted` with the smallest keys below `beyond`, the key being
 * sign · (v + penalties): their positions come first in `positions`, in no particular order. Returns how many. `keys` and
 * `positions` (u32) are scratch for all variables; `taken` has one byte per variable.
 */
export function findViolators(
  count: u32,
  v: usize,
  penalties: usize,
  sign: f64,
  beyond: f64,
  taken: usize,
  groups: usize,
  group: u32,
  wanted: u32,
  keys: usize,
  positions: usize,
): u32 {
  // A sample says about where the last of those wanted lies, so that few keys need be sorted out.
  const few = wanted / SAMPLING + (wanted >> 4) + 8
  let found = collect(count, SAMPLING, v, penalties, sign, beyond, taken, groups, group, keys, positions)
  if (found > few) {
    selectSmallest(keys, positions, <i32>found, <i32>few)
    const limit = largestOf(keys, few)
    found = collect(count, 1, v, penalties, sign, limit, taken, groups, group, keys, positions)
  } else {
    found = 0
  }
  if (found < wanted) {
    found = collect(count, 1, v, penalties, sign, beyond, taken, groups, group, keys, positions)
  }
  if (found <= wanted) return found
  if (wanted > 0) selectSmallest(keys, positions, <i32>found, <i32>wanted)
  return wanted
}

/** One variable in so many is in the sample: it costs an eighth of a pass over all, and narrows down what the pass has to list. */
const SAMPLING: u32 = 8

/** Lists keys below `beyond` and their positions among every `stride`th variable; returns how many. */
function collect(
  count: u32,
  stride: u32,
  v: usize,
  penalties: usize,
  sign: f64,
  beyond: f64,
  taken: usize,
  groups: usize,
  group: u32,
  keys: usize,
  positions: usize,
): u32 {
  let found: u32 = 0
  for (let k: u32 = 0; k < count; k += stride) {
    const key = sign * (load<f64>(v + (<usize>k << 3)) + load<f64>(penalties + (<usize>k << 3)))
    if (!(key < beyond) || load<u8>(taken + k) != 0) continue
    if (groups != 0 && <u32>load<u8>(groups + k) != group) continue
    store<f64>(keys + (<usize>found << 3), key)
    store<u32>(positions + (<usize>found << 2), k)
    found++
  }
  return found
}

function largestOf(keys: usize, count: u32): f64 {
  let largest = -Infinity
  for (let k: u32 = 0; k < count; k++) largest = max(largest, load<f64>(keys + (<usize>k << 3)))
  return largest
}

/** Hoare's selection: afterwards the `wanted` smallest keys come first. */
export function selectSmallest(keys: usize, positions: usize, count: i32, wanted: i32): void {
  let low = 0
  let high = count - 1
  while (low < high) {
    const pivot = keyAt(keys, (low + high) >> 1)
    let i = low
    let j = high
    while (i <= j) {
      while (keyAt(keys, i) < pivot) i++
      while (keyAt(keys, j) > pivot) j--
      if (i <= j) {
        const key = keyAt(keys, i)
        store<f64>(keys + (<usize>i << 3), keyAt(keys, j))
        store<f64>(keys + (<usize>j << 3), key)
        const position = load<u32>(positions + (<usize>i << 2))
        store<u32>(positions + (<usize>i << 2), load<u32>(positions + (<usize>j << 2)))
        store<u32>(positions + (<usize>j << 2), position)
        i++
        j--
      }
    }
    if (wanted - 1 <= j) high = j
    else if (wanted - 1 >= i) low = i
    else return
  }
}

// @ts-ignore: decorator
@inline
function keyAt(keys: usize, k: i32): f64 {
  return load<f64>(keys + (<usize>k << 3))
}
