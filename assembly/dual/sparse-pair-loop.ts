/**
 * The pair steps of ./pair-loop.ts where rows of K are mostly zero (./sparse-rows.ts) and K_kk = 1: of each block of samples the
 * largest v + up and the smallest v + low are known, and a step changes these for the blocks of two rows only. The first of
 * a pair is found among the blocks; so is its partner, unless one in the blocks of its own row promises more: elsewhere K_ij
 * is 0, and the promise is difference² / 2.
 */
import { BLOCK, BLOCK_BYTES } from './sparse-rows'
import { firstOfLargest, gainLanes, leastCurvature, move } from './pair-loop'

/**
 * As runPairLoop, but `count` must be a multiple of 16; `lists` are those of the rows, `listStride` bytes apart; `highs` and
 * `lows` have room for an f32 per block, and three more.
 */
export function runSparsePairLoop(
  count: i32,
  K: usize,
  stride: usize,
  lists: usize,
  listStride: usize,
  v: usize,
  up: usize,
  low: usize,
  beta: usize,
  lower: usize,
  upper: usize,
  highs: usize,
  lows: usize,
  tube: f64,
  goal: f32,
  maxSteps: i32,
): i32 {
  const blocks = count / BLOCK
  const padded = (blocks + 3) & ~3
  for (let b = 0; b < blocks; b++) refresh(b, v, up, low, highs, lows)
  for (let b = blocks; b < padded; b++) {
    store<f32>(highs + (<usize>b << 2), -Infinity)
    store<f32>(lows + (<usize>b << 2), Infinity)
  }
  for (let steps = 0; steps < maxSteps; steps++) {
    const i = largest(padded, highs, v, up, 1)
    const vi: f32 = load<f32>(v + (<usize>i << 2)) + load<f32>(up + (<usize>i << 2))
    if (vi == -Infinity) return -1 - steps
    const far = largest(padded, lows, v, low, -1)
    const lowest: f32 = load<f32>(v + (<usize>far << 2)) + load<f32>(low + (<usize>far << 2))
    if (!(vi - lowest > goal)) return steps
    const rowI = K + <usize>i * stride
    const listI = lists + <usize>i * listStride
    const j = partner(blocks, rowI, listI, v, low, vi, far, lowest)
    const rowJ = K + <usize>j * stride
    const to = <usize>j << 2
    const vj: f32 = load<f32>(v + to) + load<f32>(low + to)
    const kij = load<f32>(rowI + to)
    const oldI = load<f64>(beta + (<usize>i << 3))
    const oldJ = load<f64>(beta + (<usize>j << 3))
    const eta: f32 = max(leastCurvature(1), <f32>2 - (kij + kij))
    if (!move(i, j, <f64>(vi - vj) / <f64>eta, beta, lower, upper, up, low, tube)) return -1 - steps
    const changeI = <f32>(oldI - load<f64>(beta + (<usize>i << 3)))
    const changeJ = <f32>(oldJ - load<f64>(beta + (<usize>j << 3)))
    follow(blocks, rowI, listI, changeI, v, up, low, highs, lows)
    follow(blocks, rowJ, lists + <usize>j * listStride, changeJ, v, up, low, highs, lows)
  }
  return maxSteps
}

/** v += change · row over its blocks, and what is known of these. */
function follow(
  blocks: i32,
  row: usize,
  list: usize,
  change: f32,
  v: usize,
  up: usize,
  low: usize,
  highs: usize,
  lows: usize,
): void {
  const end = list + (<usize>load<u16>(list) << 1)
  for (let entry = list + 2; entry <= end; entry += 2) {
    const b = <i32>load<u16>(entry)
    if (b >= blocks) return
    const from = <usize>b * BLOCK_BYTES
    if (ASC_FEATURE_SIMD) {
      const c = f32x4.splat(change)
      for (let at = from; at < from + BLOCK_BYTES; at += 16) {
        v128.store(v + at, f32x4.add(v128.load(v + at), f32x4.mul(c, v128.load(row + at))))
      }
    } else {
      for (let at = from; at < from + BLOCK_BYTES; at += 4) {
        const added: f32 = change * load<f32>(row + at)
        store<f32>(v + at, load<f32>(v + at) + added)
      }
    }
    refresh(b, v, up, low, highs, lows)
  }
}

/** The largest v + up and the smallest v + low of block b. */
// @ts-ignore: decorator
@inline
function refresh(b: i32, v: usize, up: usize, low: usize, highs: usize, lows: usize): void {
  const at = <usize>b * BLOCK_BYTES
  let highest: f32 = -Infinity
  let lowest: f32 = Infinity
  if (ASC_FEATURE_SIMD) {
    const v0 = v128.load(v + at)
    const v1 = v128.load(v + at, 16)
    const v2 = v128.load(v + at, 32)
    const v3 = v128.load(v + at, 48)
    let high = f32x4.pmax(
      f32x4.pmax(f32x4.add(v0, v128.load(up + at)), f32x4.add(v1, v128.load(up + at, 16))),
      f32x4.pmax(f32x4.add(v2, v128.load(up + at, 32)), f32x4.add(v3, v128.load(up + at, 48))),
    )
    let least = f32x4.pmin(
      f32x4.pmin(f32x4.add(v0, v128.load(low + at)), f32x4.add(v1, v128.load(low + at, 16))),
      f32x4.pmin(f32x4.add(v2, v128.load(low + at, 32)), f32x4.add(v3, v128.load(low + at, 48))),
    )
    high = f32x4.pmax(high, i32x4.shuffle(high, high, 2, 3, 0, 1))
    least = f32x4.pmin(least, i32x4.shuffle(least, least, 2, 3, 0, 1))
    high = f32x4.pmax(high, i32x4.shuffle(high, high, 1, 0, 3, 2))
    least = f32x4.pmin(least, i32x4.shuffle(least, least, 1, 0, 3, 2))
    highest = f32x4.extract_lane(high, 0)
    lowest = f32x4.extract_lane(least, 0)
  } else {
    for (let k = at; k < at + BLOCK_BYTES; k += 4) {
      const rise: f32 = load<f32>(v + k) + load<f32>(up + k)
      const fall: f32 = load<f32>(v + k) + load<f32>(low + k)
      if (rise > highest) highest = rise
      if (fall < lowest) lowest = fall
    }
  }
  store<f32>(highs + (<usize>b << 2), highest)
  store<f32>(lows + (<usize>b << 2), lowest)
}

/** The sample with the largest sign · (v + penalty), the first of equal ones; `known` has that of each block. */
function largest(padded: i32, known: usize, v: usize, penalty: usize, sign: f32): i32 {
  let block = 0
  if (ASC_FEATURE_SIMD) {
    const signs = f32x4.splat(sign)
    let best = f32x4.splat(-Infinity)
    let indices = i32x4.splat(0)
    let index = i32x4(0, 1, 2, 3)
    for (let at: usize = 0; at < <usize>padded << 2; at += 16) {
      const x = f32x4.mul(signs, v128.load(known + at))
      const better = f32x4.gt(x, best)
      best = f32x4.pmax(best, x)
      indices = v128.bitselect(index, indices, better)
      index = i32x4.add(index, i32x4.splat(4))
    }
    block = firstOfLargest(best, indices)
  } else {
    let best: f32 = -Infinity
    for (let b = 0; b < padded; b++) {
      const x: f32 = sign * load<f32>(known + (<usize>b << 2))
      if (x > best) {
        best = x
        block = b
      }
    }
  }
  const wanted = load<f32>(known + (<usize>block << 2))
  const first = block * BLOCK
  for (let k = first; k < first + BLOCK; k++) {
    const x: f32 = load<f32>(v + (<usize>k << 2)) + load<f32>(penalty + (<usize>k << 2))
    if (x == wanted) return k
  }
  return first
}

/** The partner that promises most: `far`, or one of the row's own blocks. */
function partner(
  blocks: i32,
  row: usize,
  list: usize,
  v: usize,
  low: usize,
  vi: f32,
  far: i32,
  lowest: f32,
): i32 {
  const distance: f32 = vi - lowest
  let bestGain: f32 = (distance * distance) / <f32>2
  let best = far
  const end = list + (<usize>load<u16>(list) << 1)
  if (ASC_FEATURE_SIMD) {
    let gains = f32x4.splat(bestGain)
    let indices = i32x4.splat(far)
    const top = f32x4.splat(vi)
    const one = f32x4.splat(1)
    const least = f32x4.splat(leastCurvature(1))
    for (let entry = list + 2; entry <= end; entry += 2) {
      const b = <i32>load<u16>(entry)
      if (b >= blocks) break
      const from = <usize>b * BLOCK_BYTES
      let index = i32x4.add(i32x4.splat(b * BLOCK), i32x4(0, 1, 2, 3))
      for (let at = from; at < from + BLOCK_BYTES; at += 16) {
        const x = f32x4.add(v128.load(v + at), v128.load(low + at))
        const gain = gainLanes(top, x, one, least, one, v128.load(row + at))
        const better = f32x4.gt(gain, gains)
        gains = f32x4.pmax(gains, gain)
        indices = v128.bitselect(index, indices, better)
        index = i32x4.add(index, i32x4.splat(4))
      }
    }
    return firstOfLargest(gains, indices)
  }
  for (let entry = list + 2; entry <= end; entry += 2) {
    const b = <i32>load<u16>(entry)
    if (b >= blocks) break
    for (let k = b * BLOCK; k < (b + 1) * BLOCK; k++) {
      const at = <usize>k << 2
      const x: f32 = load<f32>(v + at) + load<f32>(low + at)
      const apart: f32 = vi - x
      if (!(apart > 0)) continue
      const kij = load<f32>(row + at)
      const eta: f32 = max(leastCurvature(1), <f32>2 - (kij + kij))
      const gain: f32 = (apart * apart) / eta
      if (gain > bestGain) {
        bestGain = gain
        best = k
      }
    }
  }
  return best
}
