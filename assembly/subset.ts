/**
 * The dual restricted to a working set of m variables, solved by pairs chosen with second-order information
 * (Fan, Chen, Lin 2005). A call a pair would cost more than the pair itself, so the whole loop is here.
 *
 * With v_k = −y_k ∂Φ/∂α_k, up = {k : y_k α_k may rise}, low = {k : y_k α_k may fall}:
 *   i = argmax of v over up;  j = argmax over low with v_j < v_i of (v_i − v_j)² / (K_ii + K_jj − 2 K_ij);
 *   move t = (v_i − v_j) / η, clipped to the box, along y_i α_i += t, y_j α_j −= t;  v −= t (K_i − K_j).
 * Stops when max of v over up − min of v over low <= tol.
 */

/** Curvature below this share of K_ii + K_jj is rounding; so much stands for it. */
const TAU: f64 = 1e-12
/** The same for two zero rows: any positive number. */
const LEAST: f64 = 1e-300
/** A variable this close to a bound, relative to C, is put on it. */
const SNAP: f64 = 1e-12

/**
 * m must be even (pad with C = 0). K is f32[m][m]; v, alpha, y, C, diagonal are f64[m]; up and low are f64[m] of
 * scratch. Returns the number of steps taken.
 */
export function solveSubset(
  m: i32,
  K: usize,
  v: usize,
  alpha: usize,
  y: usize,
  C: usize,
  diagonal: usize,
  up: usize,
  low: usize,
  tol: f64,
  maxSteps: i32,
): i32 {
  for (let k = 0; k < m; k++) setPenalties(k, alpha, y, C, up, low)
  let i = argmaxUp(m, v, up)
  for (let steps = 0; steps < maxSteps; steps++) {
    const vi = load<f64>(v + (<usize>i << 3))
    if (load<f64>(up + (<usize>i << 3)) != 0) return steps
    const row = K + (<usize>(i * m) << 2)
    const j = secondChoice(m, row, v, low, diagonal, vi, load<f64>(diagonal + (<usize>i << 3)), tol)
    if (j < 0) return steps
    const yi = load<f64>(y + (<usize>i << 3))
    const yj = load<f64>(y + (<usize>j << 3))
    const oldI = load<f64>(alpha + (<usize>i << 3))
    const oldJ = load<f64>(alpha + (<usize>j << 3))
    const Ci = load<f64>(C + (<usize>i << 3))
    const Cj = load<f64>(C + (<usize>j << 3))
    const both = load<f64>(diagonal + (<usize>i << 3)) + load<f64>(diagonal + (<usize>j << 3))
    const eta = curvature(both, <f64>load<f32>(row + (<usize>j << 2)))
    let t = (vi - load<f64>(v + (<usize>j << 3))) / eta
    t = min(t, yi > 0 ? Ci - oldI : oldI)
    t = min(t, yj > 0 ? oldJ : Cj - oldJ)
    const newI = snap(oldI + yi * t, Ci)
    const newJ = snap(oldJ - yj * t, Cj)
    if (newI == oldI && newJ == oldJ) return steps
    store<f64>(alpha + (<usize>i << 3), newI)
    store<f64>(alpha + (<usize>j << 3), newJ)
    setPenalties(i, alpha, y, C, up, low)
    setPenalties(j, alpha, y, C, up, low)
    i = updateAndScan(m, v, up, row, yi * (newI - oldI), K + (<usize>(j * m) << 2), yj * (newJ - oldJ))
  }
  return maxSteps
}

// @ts-ignore: decorator
@inline
function curvature(both: f64, kij: f64): f64 {
  const eta = both - 2.0 * kij
  const least = max(TAU * both, LEAST)
  return eta > least ? eta : least
}

// @ts-ignore: decorator
@inline
function snap(alpha: f64, C: f64): f64 {
  if (alpha < SNAP * C) return 0
  return alpha > C - SNAP * C ? C : alpha
}

/** up[k] = 0 or −∞, low[k] = 0 or +∞: added to v they leave only those that may move. */
// @ts-ignore: decorator
@inline
function setPenalties(k: i32, alpha: usize, y: usize, C: usize, up: usize, low: usize): void {
  const at = <usize>k << 3
  const a = load<f64>(alpha + at)
  const rise = a < load<f64>(C + at)
  const fall = a > 0
  const positive = load<f64>(y + at) > 0
  store<f64>(up + at, (positive ? rise : fall) ? 0 : -Infinity)
  store<f64>(low + at, (positive ? fall : rise) ? 0 : Infinity)
}

function argmaxUp(m: i32, v: usize, up: usize): i32 {
  let best = -Infinity
  let index = 0
  for (let k = 0; k < m; k++) {
    const x = load<f64>(v + (<usize>k << 3)) + load<f64>(up + (<usize>k << 3))
    if (x > best) {
      best = x
      index = k
    }
  }
  return index
}

/** The partner that promises the largest fall of the dual; −1 when nothing in low is more than tol below v_i. */
function secondChoice(
  m: i32,
  row: usize,
  v: usize,
  low: usize,
  diagonal: usize,
  vi: f64,
  kii: f64,
  tol: f64,
): i32 {
  let lowest = Infinity
  let bestGain = 0.0
  let best = -1
  if (ASC_FEATURE_SIMD) {
    let gains = f64x2.splat(0)
    let indices = i64x2.splat(-1)
    let lowestLanes = f64x2.splat(Infinity)
    let index = i64x2(0, 1)
    for (let at: usize = 0; at < <usize>m << 3; at += 16) {
      const x = f64x2.add(v128.load(v + at), v128.load(low + at))
      lowestLanes = f64x2.pmin(lowestLanes, x)
      const distance = f64x2.pmax(f64x2.splat(0), f64x2.sub(f64x2.splat(vi), x))
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
    for (let k = 0; k < m; k++) {
      const at = <usize>k << 3
      const x = load<f64>(v + at) + load<f64>(low + at)
      if (x < lowest) lowest = x
      const distance = vi - x
      if (!(distance > 0)) continue
      const eta = curvature(kii + load<f64>(diagonal + at), <f64>load<f32>(row + (at >> 1)))
      const gain = (distance * distance) / eta
      if (gain > bestGain) {
        bestGain = gain
        best = k
      }
    }
  }
  return vi - lowest > tol ? best : -1
}

/** v −= a · rowA + b · rowB, and the index of the largest v over up, in one pass. */
function updateAndScan(m: i32, v: usize, up: usize, rowA: usize, a: f64, rowB: usize, b: f64): i32 {
  if (!ASC_FEATURE_SIMD) {
    for (let k = 0; k < m; k++) {
      const at = <usize>k << 3
      const change = a * <f64>load<f32>(rowA + (at >> 1)) + b * <f64>load<f32>(rowB + (at >> 1))
      store<f64>(v + at, load<f64>(v + at) - change)
    }
    return argmaxUp(m, v, up)
  }
  let best = f64x2.splat(-Infinity)
  let indices = i64x2.splat(0)
  let index = i64x2(0, 1)
  for (let at: usize = 0; at < <usize>m << 3; at += 16) {
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
