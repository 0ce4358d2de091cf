/**
 * Pair steps in f32 over the active part of a dual (src/problems/general-dual.ts), a few hundred to a few thousand at a time.
 *
 * v is kept relative to an offset near the bias and in f32 only while the loop runs: the caller has v in f64, and
 * brings it up to date afterwards from how far β has moved. So the error of a loop does not outlive it.
 *
 *   up[k]   what raising β_k gains less than v_k: ∓ε of the tube, −∞ at the upper bound
 *   low[k]  the same for lowering it: ∓ε, +∞ at the lower bound
 *
 *   i = argmax of v + up;  j = argmax over v_j + low_j < v_i + up_i of (difference)² / (K_ii + K_jj − 2 K_ij)
 *
 * (Fan, Chen, Lin 2005), then β_i += t, β_j −= t with the best t that crosses neither a bound nor 0 where the tube has
 * its kink, and v −= t (K_i − K_j) together with the search for the next i, in one pass.
 *
 * Where the sum over each of two groups is fixed, the variables of the first come first, `split` of them: i and j are chosen in
 * each group, and the pair that gains more moves (LIBSVM's Solver_NU).
 */

import { fallOf, riseOf, snapped } from './rates'

/**
 * Curvature below this share of K_ii is rounding of three f32 values, 2^−24 of each, which is 1.8e-7; so much stands for it. K_jj is like
 * K_ii there.
 */
const TAU: f32 = 2e-7
/** The same for two zero rows: any positive number. */
const LEAST: f32 = 1e-30
/**
 * Takes up to `maxSteps` steps, or until max(v + up) − min(v + low) <= goal; returns how many it took, or −1 − steps
 * when it stopped since nothing moves any more. `count` and `split` must be multiples of 8: pad with v = 0, up = −∞, low = +∞
 * and any finite K. split = count: one group. K has rows of `stride` bytes; v, up, low, diagonal are f32, beta, lower, upper f64.
 *
 * Scans keep two sets of four lanes, each with the best so far and its index, so that they do not wait for one another.
 */
export function runPairLoop(
  count: i32,
  split: i32,
  K: usize,
  stride: usize,
  v: usize,
  up: usize,
  low: usize,
  diagonal: usize,
  beta: usize,
  lower: usize,
  upper: usize,
  tube: f64,
  goal: f32,
  maxSteps: i32,
): i32 {
  let first = addAndScan(0, split, v, up, K, 0, K, 0)
  let second = split < count ? addAndScan(split, count, v, up, K, 0, K, 0) : 0
  for (let steps = 0; steps < maxSteps; steps++) {
    let i = first
    let j = secondChoice(0, split, i, K + <usize>i * stride, v, up, low, diagonal, goal)
    if (split < count) {
      const rowSecond = K + <usize>second * stride
      const k = secondChoice(split, count, second, rowSecond, v, up, low, diagonal, goal)
      if (k >= 0 && (j < 0 || gain(second, k, rowSecond, v, up, low, diagonal) > gain(i, j, K + <usize>i * stride, v, up, low, diagonal))) {
        i = second
        j = k
      }
    }
    if (j < 0) return j == -1 ? steps : -1 - steps
    const at = <usize>i << 2
    const to = <usize>j << 2
    const rowI = K + <usize>i * stride
    const eta = curvature(load<f32>(diagonal + at), load<f32>(diagonal + to), load<f32>(rowI + to))
    const oldI = load<f64>(beta + (at << 1))
    const oldJ = load<f64>(beta + (to << 1))
    const t = <f64>distance(i, j, v, up, low) / <f64>eta
    if (!move(i, j, t, beta, lower, upper, up, low, tube)) return -1 - steps
    const changeI = <f32>(oldI - load<f64>(beta + (at << 1)))
    const changeJ = <f32>(oldJ - load<f64>(beta + (to << 1)))
    const rowJ = K + <usize>j * stride
    first = addAndScan(0, split, v, up, rowI, changeI, rowJ, changeJ)
    if (split < count) second = addAndScan(split, count, v, up, rowI, changeI, rowJ, changeJ)
  }
  return maxSteps
}

/** By how much raising i gains more than lowering j costs. */
// @ts-ignore: decorator
@inline
function distance(i: i32, j: i32, v: usize, up: usize, low: usize): f32 {
  const at = <usize>i << 2
  const to = <usize>j << 2
  const rate: f32 = load<f32>(v + at) + load<f32>(up + at)
  const cost: f32 = load<f32>(v + to) + load<f32>(low + to)
  return rate - cost
}

/** Twice what an unclipped step of the pair takes off the dual. */
function gain(i: i32, j: i32, rowI: usize, v: usize, up: usize, low: usize, diagonal: usize): f32 {
  const to = <usize>j << 2
  const far = distance(i, j, v, up, low)
  return far * far / curvature(load<f32>(diagonal + (<usize>i << 2)), load<f32>(diagonal + to), load<f32>(rowI + to))
}

/** β_i += t, β_j −= t, as far as the box and the kink at 0 let them, and their up and low; false when neither moves. */
// @ts-ignore: decorator
@inline
export function move(
  i: i32,
  j: i32,
  t: f64,
  beta: usize,
  lower: usize,
  upper: usize,
  up: usize,
  low: usize,
  tube: f64,
): bool {
  const at = <usize>i << 3
  const to = <usize>j << 3
  const oldI = load<f64>(beta + at)
  const oldJ = load<f64>(beta + to)
  const lowerI = load<f64>(lower + at)
  const upperI = load<f64>(upper + at)
  const lowerJ = load<f64>(lower + to)
  const upperJ = load<f64>(upper + to)
  t = min(t, tube > 0 && oldI < 0 ? -oldI : upperI - oldI)
  t = min(t, tube > 0 && oldJ > 0 ? oldJ : oldJ - lowerJ)
  const newI = snapped(oldI, t, lowerI, upperI)
  const newJ = snapped(oldJ, -t, lowerJ, upperJ)
  if (newI == oldI && newJ == oldJ) return false
  store<f64>(beta + at, newI)
  store<f64>(beta + to, newJ)
  store<f32>(up + (at >> 1), <f32>riseOf(newI, upperI, tube))
  store<f32>(low + (at >> 1), <f32>fallOf(newI, lowerI, tube))
  store<f32>(up + (to >> 1), <f32>riseOf(newJ, upperJ, tube))
  store<f32>(low + (to >> 1), <f32>fallOf(newJ, lowerJ, tube))
  return true
}

// @ts-ignore: decorator
@inline
function curvature(kii: f32, kjj: f32, kij: f32): f32 {
  const both: f32 = kii + kjj
  const eta: f32 = both - (kij + kij)
  const least = leastCurvature(kii)
  return eta > least ? eta : least
}

// @ts-ignore: decorator
@inline
export function leastCurvature(kii: f32): f32 {
  const share: f32 = TAU * kii
  return share > LEAST ? share : LEAST
}

/**
 * Of from <= j < to, the partner of i that promises most; −1 when nothing in low is more than `goal` below i, −2 when none was
 * found.
 */
function secondChoice(
  from: i32,
  to: i32,
  i: i32,
  row: usize,
  v: usize,
  up: usize,
  low: usize,
  diagonal: usize,
  goal: f32,
): i32 {
  const vi: f32 = load<f32>(v + (<usize>i << 2)) + load<f32>(up + (<usize>i << 2))
  const kii = load<f32>(diagonal + (<usize>i << 2))
  let lowest: f32 = Infinity
  let best = -2
  if (ASC_FEATURE_SIMD) {
    let gains = f32x4.splat(0)
    let otherGains = f32x4.splat(0)
    let indices = i32x4.splat(-2)
    let otherIndices = i32x4.splat(-2)
    let lowestLanes = f32x4.splat(Infinity)
    let otherLowest = f32x4.splat(Infinity)
    let index = i32x4.add(i32x4.splat(from), i32x4(0, 1, 2, 3))
    const top = f32x4.splat(vi)
    const own = f32x4.splat(kii)
    const least = f32x4.splat(leastCurvature(kii))
    for (let at = <usize>from << 2; at < <usize>to << 2; at += 32) {
      const x = f32x4.add(v128.load(v + at), v128.load(low + at))
      const y = f32x4.add(v128.load(v + at, 16), v128.load(low + at, 16))
      lowestLanes = f32x4.pmin(lowestLanes, x)
      otherLowest = f32x4.pmin(otherLowest, y)
      const gain = gainLanes(top, x, own, least, v128.load(diagonal + at), v128.load(row + at))
      const other = gainLanes(top, y, own, least, v128.load(diagonal + at, 16), v128.load(row + at, 16))
      const better = f32x4.gt(gain, gains)
      gains = f32x4.pmax(gains, gain)
      indices = choose(index, indices, better)
      const otherBetter = f32x4.gt(other, otherGains)
      otherGains = f32x4.pmax(otherGains, other)
      otherIndices = choose(i32x4.add(index, i32x4.splat(4)), otherIndices, otherBetter)
      index = i32x4.add(index, i32x4.splat(8))
    }
    lowestLanes = f32x4.pmin(lowestLanes, otherLowest)
    const after = laterIsBetter(gains, indices, otherGains, otherIndices)
    gains = choose(otherGains, gains, after)
    indices = choose(otherIndices, indices, after)
    lowest = least4(lowestLanes)
    best = firstOfLargest(gains, indices)
  } else {
    let bestGain: f32 = 0
    for (let k = from; k < to; k++) {
      const at = <usize>k << 2
      const x: f32 = load<f32>(v + at) + load<f32>(low + at)
      if (x < lowest) lowest = x
      const distance: f32 = vi - x
      if (!(distance > 0)) continue
      const eta = curvature(kii, load<f32>(diagonal + at), load<f32>(row + at))
      const gain: f32 = (distance * distance) / eta
      if (gain > bestGain) {
        bestGain = gain
        best = k
      }
    }
  }
  return vi - lowest > goal ? best : -1
}

/** v += a · rowA + b · rowB for from <= k < to, and the index of the largest v + up there, in one pass. */
function addAndScan(
  from: i32,
  to: i32,
  v: usize,
  up: usize,
  rowA: usize,
  a: f32,
  rowB: usize,
  b: f32,
): i32 {
  if (ASC_FEATURE_SIMD) {
    let best = f32x4.splat(-Infinity)
    let otherBest = f32x4.splat(-Infinity)
    let indices = i32x4.splat(from)
    let otherIndices = i32x4.splat(from)
    let index = i32x4.add(i32x4.splat(from), i32x4(0, 1, 2, 3))
    const as = f32x4.splat(a)
    const bs = f32x4.splat(b)
    for (let at = <usize>from << 2; at < <usize>to << 2; at += 32) {
      const x = f32x4.add(
        v128.load(v + at),
        f32x4.add(f32x4.mul(as, v128.load(rowA + at)), f32x4.mul(bs, v128.load(rowB + at))),
      )
      const y = f32x4.add(
        v128.load(v + at, 16),
        f32x4.add(f32x4.mul(as, v128.load(rowA + at, 16)), f32x4.mul(bs, v128.load(rowB + at, 16))),
      )
      v128.store(v + at, x)
      v128.store(v + at, y, 16)
      const candidate = f32x4.add(x, v128.load(up + at))
      const other = f32x4.add(y, v128.load(up + at, 16))
      const better = f32x4.gt(candidate, best)
      best = f32x4.pmax(best, candidate)
      indices = choose(index, indices, better)
      const otherBetter = f32x4.gt(other, otherBest)
      otherBest = f32x4.pmax(otherBest, other)
      otherIndices = choose(i32x4.add(index, i32x4.splat(4)), otherIndices, otherBetter)
      index = i32x4.add(index, i32x4.splat(8))
    }
    const after = laterIsBetter(best, indices, otherBest, otherIndices)
    best = choose(otherBest, best, after)
    indices = choose(otherIndices, indices, after)
    return firstOfLargest(best, indices)
  }
  let best: f32 = -Infinity
  let index = from
  for (let k = from; k < to; k++) {
    const at = <usize>k << 2
    const change: f32 = a * load<f32>(rowA + at) + b * load<f32>(rowB + at)
    const x: f32 = load<f32>(v + at) + change
    store<f32>(v + at, x)
    const candidate: f32 = x + load<f32>(up + at)
    if (candidate > best) {
      best = candidate
      index = k
    }
  }
  return index
}

/** (top − x)² / (own + diagonal − 2 kij, at least `least`) in four lanes, 0 where x is not below top. */
// @ts-ignore: decorator
@inline
export function gainLanes(top: v128, x: v128, own: v128, least: v128, diagonal: v128, kij: v128): v128 {
  const distance = f32x4.pmax(f32x4.splat(0), f32x4.sub(top, x))
  const eta = f32x4.pmax(least, f32x4.sub(f32x4.add(own, diagonal), f32x4.add(kij, kij)))
  return f32x4.div(f32x4.mul(distance, distance), eta)
}

/** Where a mask of whole lanes is set, a; else b. */
// @ts-ignore: decorator
@inline
function choose(a: v128, b: v128, mask: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return i32x4.relaxed_laneselect(a, b, mask)
  return v128.bitselect(a, b, mask)
}

/** Lanes where the second set has the larger value, or the same at a smaller index. */
// @ts-ignore: decorator
@inline
function laterIsBetter(values: v128, indices: v128, others: v128, otherIndices: v128): v128 {
  const sooner = v128.and(f32x4.eq(others, values), i32x4.lt_s(otherIndices, indices))
  return v128.or(f32x4.gt(others, values), sooner)
}

// @ts-ignore: decorator
@inline
function least4(lanes: v128): f32 {
  const a: f32 = min(f32x4.extract_lane(lanes, 0), f32x4.extract_lane(lanes, 1))
  const b: f32 = min(f32x4.extract_lane(lanes, 2), f32x4.extract_lane(lanes, 3))
  return min(a, b)
}

/** The index that goes with the largest of four values; of equal ones, the smallest index. */
// @ts-ignore: decorator
@inline
export function firstOfLargest(values: v128, indices: v128): i32 {
  let best = f32x4.extract_lane(values, 0)
  let index = i32x4.extract_lane(indices, 0)
  let value = f32x4.extract_lane(values, 1)
  let other = i32x4.extract_lane(indices, 1)
  if (value > best || (value == best && other < index)) {
    best = value
    index = other
  }
  value = f32x4.extract_lane(values, 2)
  other = i32x4.extract_lane(indices, 2)
  if (value > best || (value == best && other < index)) {
    best = value
    index = other
  }
  value = f32x4.extract_lane(values, 3)
  other = i32x4.extract_lane(indices, 3)
  if (value > best || (value == best && other < index)) index = other
  return index
}
