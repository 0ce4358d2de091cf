/**
 * The dual of src/problems/general-dual.ts restricted to a working set of m variables β, solved by pairs chosen with
 * second-order information (Fan, Chen, Lin 2005). A call a pair would cost more than the pair itself, so the whole loop
 * is here.
 *
 * With v = t − Kβ, up_k = the tube's share in the rate at which raising β_k gains (−∞ where it may not rise), low_k = the
 * same in what lowering it costs (+∞ where it may not fall):
 *   i = argmax of v + up;  j = argmax with v_j + low_j < v_i + up_i of their difference² / (K_ii + K_jj − 2 K_ij);
 *   move step = difference / η, clipped to the box and to 0 where the tube bends, β_i += step, β_j −= step;
 *   v −= step (K_i − K_j).
 * Stops when max of v + up − min of v + low <= tol.
 *
 * Where the sum over each of two groups is fixed, the variables of the first come first, `split` of them: i and j are
 * chosen in each group, and the pair that gains more moves (LIBSVM's Solver_NU).
 */

import { fallOf, riseOf, snapped } from './rates'

/** Curvature below this share of K_ii + K_jj is rounding; so much stands for it. LIBSVM's number. */
const TAU: f64 = 1e-12
/** The same for two zero rows: any positive number. */
const LEAST: f64 = 1e-300
/**
 * m and split must be even (pad with empty boxes); split = m: one group. K is f32[m][m]; v, beta, lower, upper, diagonal
 * are f64[m]; up and low are f64[m] of scratch. Returns the number of steps taken.
 */
export function solveSubproblem(
  m: i32,
  split: i32,
  K: usize,
  v: usize,
  beta: usize,
  lower: usize,
  upper: usize,
  tube: f64,
  diagonal: usize,
  up: usize,
  low: usize,
  tol: f64,
  maxSteps: i32,
): i32 {
  for (let k = 0; k < m; k++) setRates(k, beta, lower, upper, tube, up, low)
  let first = bestRise(0, split, v, up)
  let second = split < m ? bestRise(split, m, v, up) : 0
  for (let steps = 0; steps < maxSteps; steps++) {
    let i = first
    let j = bestPartner(0, split, i, m, K, v, up, low, diagonal, tol)
    if (split < m) {
      const k = bestPartner(split, m, second, m, K, v, up, low, diagonal, tol)
      if (k >= 0 && (j < 0 || gain(second, k, m, K, v, up, low, diagonal) > gain(i, j, m, K, v, up, low, diagonal))) {
        i = second
        j = k
      }
    }
    if (j < 0) return steps
    const atI = <usize>i << 3
    const atJ = <usize>j << 3
    const oldI = load<f64>(beta + atI)
    const oldJ = load<f64>(beta + atJ)
    const rowI = K + (<usize>(i * m) << 2)
    const rowJ = K + (<usize>(j * m) << 2)
    const both = load<f64>(diagonal + atI) + load<f64>(diagonal + atJ)
    const distance = load<f64>(v + atI) + load<f64>(up + atI) - (load<f64>(v + atJ) + load<f64>(low + atJ))
    let step = distance / curvature(both, <f64>load<f32>(rowI + (<usize>j << 2)))
    step = min(step, tube > 0 && oldI < 0 ? -oldI : load<f64>(upper + atI) - oldI)
    step = min(step, tube > 0 && oldJ > 0 ? oldJ : oldJ - load<f64>(lower + atJ))
    const newI = snapped(oldI, step, load<f64>(lower + atI), load<f64>(upper + atI))
    const newJ = snapped(oldJ, -step, load<f64>(lower + atJ), load<f64>(upper + atJ))
    if (newI == oldI && newJ == oldJ) return steps
    store<f64>(beta + atI, newI)
    store<f64>(beta + atJ, newJ)
    setRates(i, beta, lower, upper, tube, up, low)
    setRates(j, beta, lower, upper, tube, up, low)
    first = updateAndScan(0, split, v, up, rowI, newI - oldI, rowJ, newJ - oldJ)
    if (split < m) second = updateAndScan(split, m, v, up, rowI, newI - oldI, rowJ, newJ - oldJ)
  }
  return maxSteps
}

/** Entries of a tile of {@link mirror}: rows lie 2 KB apart, and more than this many would not stay in the cache. */
const MIRROR: i32 = 8

/** K[b][a] = K[a][b] for b < known <= a < count: the columns of new variables in the rows of those that were there. */
export function mirror(m: i32, K: usize, known: i32, count: i32): void {
  for (let tileA = known; tileA < count; tileA += MIRROR) {
    const endA = min(count, tileA + MIRROR)
    for (let tileB = 0; tileB < known; tileB += MIRROR) {
      const endB = min(known, tileB + MIRROR)
      for (let b = tileB; b < endB; b++) {
        for (let a = tileA; a < endA; a++) {
          store<f32>(K + (<usize>(b * m + a) << 2), load<f32>(K + (<usize>(a * m + b) << 2)))
        }
      }
    }
  }
}

// @ts-ignore: decorator
@inline
function curvature(both: f64, kij: f64): f64 {
  const eta = both - 2.0 * kij
  const least = max(TAU * both, LEAST)
  return eta > least ? eta : least
}

/** up[k] = ∓ε or −∞, low[k] = ∓ε or +∞: added to v they make rates and costs, and leave only those that may move. */
// @ts-ignore: decorator
@inline
function setRates(k: i32, beta: usize, lower: usize, upper: usize, tube: f64, up: usize, low: usize): void {
  const at = <usize>k << 3
  const b = load<f64>(beta + at)
  store<f64>(up + at, riseOf(b, load<f64>(upper + at), tube))
  store<f64>(low + at, fallOf(b, load<f64>(lower + at), tube))
}

/** The variable of from <= k < to whose rise gains most. */
function bestRise(from: i32, to: i32, v: usize, up: usize): i32 {
  let best = -Infinity
  let index = from
  for (let k = from; k < to; k++) {
    const x = load<f64>(v + (<usize>k << 3)) + load<f64>(up + (<usize>k << 3))
    if (x > best) {
      best = x
      index = k
    }
  }
  return index
}

/** Twice what an unclipped step of the pair takes off the dual. */
function gain(i: i32, j: i32, m: i32, K: usize, v: usize, up: usize, low: usize, diagonal: usize): f64 {
  const atI = <usize>i << 3
  const atJ = <usize>j << 3
  const distance = load<f64>(v + atI) + load<f64>(up + atI) - (load<f64>(v + atJ) + load<f64>(low + atJ))
  const both = load<f64>(diagonal + atI) + load<f64>(diagonal + atJ)
  return (distance * distance) / curvature(both, <f64>load<f32>(K + (<usize>(i * m + j) << 2)))
}

/** Of from <= j < to, the partner of i that promises the largest gain; −1 when none costs more than tol less. */
function bestPartner(
  from: i32,
  to: i32,
  i: i32,
  m: i32,
  K: usize,
  v: usize,
  up: usize,
  low: usize,
  diagonal: usize,
  tol: f64,
): i32 {
  const rate = load<f64>(v + (<usize>i << 3)) + load<f64>(up + (<usize>i << 3))
  const kii = load<f64>(diagonal + (<usize>i << 3))
  const row = K + (<usize>(i * m) << 2)
  let lowest = Infinity
  let bestGain = 0.0
  let best = -1
  if (ASC_FEATURE_SIMD) {
    let gains = f64x2.splat(0)
    let indices = i64x2.splat(-1)
    let lowestLanes = f64x2.splat(Infinity)
    let index = i64x2.add(i64x2.splat(from), i64x2(0, 1))
    for (let at = <usize>from << 3; at < <usize>to << 3; at += 16) {
      const x = f64x2.add(v128.load(v + at), v128.load(low + at))
      lowestLanes = f64x2.pmin(lowestLanes, x)
      const distance = f64x2.pmax(f64x2.splat(0), f64x2.sub(f64x2.splat(rate), x))
      const kij = f64x2.promote_low_f32x4(v128.load_zero<u64>(row + (at >> 1)))
      const both = f64x2.add(f64x2.splat(kii), v128.load(diagonal + at))
      const least = f64x2.pmax(f64x2.splat(LEAST), f64x2.mul(f64x2.splat(TAU), both))
      const eta = f64x2.pmax(least, f64x2.sub(both, f64x2.add(kij, kij)))
      const gain = f64x2.div(f64x2.mul(distance, distance), eta)
      const better = f64x2.gt(gain, gains)
      gains = v128.bitselect(gain, gains, better)
      indices = v128.bitselect(index, indices, better)
      index = i64x2.add(index, i64x2.splat(2))
    }
    lowest = min(f64x2.extract_lane(lowestLanes, 0), f64x2.extract_lane(lowestLanes, 1))
    const gain0 = f64x2.extract_lane(gains, 0)
    const gain1 = f64x2.extract_lane(gains, 1)
    const index0 = <i32>i64x2.extract_lane(indices, 0)
    const index1 = <i32>i64x2.extract_lane(indices, 1)
    best = gain0 > gain1 || (gain0 == gain1 && index0 < index1) ? index0 : index1
  } else {
    for (let k = from; k < to; k++) {
      const at = <usize>k << 3
      const x = load<f64>(v + at) + load<f64>(low + at)
      if (x < lowest) lowest = x
      const distance = rate - x
      if (!(distance > 0)) continue
      const eta = curvature(kii + load<f64>(diagonal + at), <f64>load<f32>(row + (at >> 1)))
      const gain = (distance * distance) / eta
      if (gain > bestGain) {
        bestGain = gain
        best = k
      }
    }
  }
  return rate - lowest > tol ? best : -1
}

/** v −= a · rowA + b · rowB for from <= k < to, and the index of the largest v + up there, in one pass. */
function updateAndScan(
  from: i32,
  to: i32,
  v: usize,
  up: usize,
  rowA: usize,
  a: f64,
  rowB: usize,
  b: f64,
): i32 {
  if (!ASC_FEATURE_SIMD) {
    for (let k = from; k < to; k++) {
      const at = <usize>k << 3
      const change = a * <f64>load<f32>(rowA + (at >> 1)) + b * <f64>load<f32>(rowB + (at >> 1))
      store<f64>(v + at, load<f64>(v + at) - change)
    }
    return bestRise(from, to, v, up)
  }
  let best = f64x2.splat(-Infinity)
  let indices = i64x2.splat(from)
  let index = i64x2.add(i64x2.splat(from), i64x2(0, 1))
  for (let at = <usize>from << 3; at < <usize>to << 3; at += 16) {
    const change = f64x2.add(
      f64x2.mul(f64x2.splat(a), f64x2.promote_low_f32x4(v128.load_zero<u64>(rowA + (at >> 1)))),
      f64x2.mul(f64x2.splat(b), f64x2.promote_low_f32x4(v128.load_zero<u64>(rowB + (at >> 1)))),
    )
    const x = f64x2.sub(v128.load(v + at), change)
    v128.store(v + at, x)
    const candidate = f64x2.add(x, v128.load(up + at))
    const better = f64x2.gt(candidate, best)
    best = v128.bitselect(candidate, best, better)
    indices = v128.bitselect(index, indices, better)
    index = i64x2.add(index, i64x2.splat(2))
  }
  const best0 = f64x2.extract_lane(best, 0)
  const best1 = f64x2.extract_lane(best, 1)
  const index0 = <i32>i64x2.extract_lane(indices, 0)
  const index1 = <i32>i64x2.extract_lane(indices, 1)
  return best0 > best1 || (best0 == best1 && index0 < index1) ? index0 : index1
}
