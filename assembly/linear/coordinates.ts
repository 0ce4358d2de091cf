/**
 * Coordinate descent for a linear machine with ‖w‖₁, one weight at a time: on its quadratic model, least over d of
 * −⟨v, d⟩ + ½ dᵀ G d + Σ |w_j + d_j|, and on squared hinge losses themselves. Why is said in src/solve/l1/proximal-descent.ts; these are the functions of the same names in
 * src/solve/rows/plain-coordinates.ts, operation by operation, so that both give the same bits.
 */
import * as at from '../structures'

/** How far the slope is from what keeps a weight; `penalty` is 1, or 0 where the norm leaves the weight out. */
// @ts-ignore: decorator
@inline
function violationOf(weight: f64, slope: f64, penalty: f64): f64 {
  if (weight > 0) return abs(slope + penalty)
  if (weight < 0) return abs(slope - penalty)
  return max(abs(slope) - penalty, 0)
}

/** The step to the least slope · s + ½ curvature · s² + penalty · |weight + s|. */
// @ts-ignore: decorator
@inline
function stepOf(weight: f64, slope: f64, penalty: f64, curvature: f64): f64 {
  const rise = slope + penalty
  const fall = slope - penalty
  if (rise < curvature * weight) return -rise / curvature
  return fall > curvature * weight ? -fall / curvature : -weight
}

/**
 * Epochs over all n weights with G as a square, row behind row, and image = G d; the first `penalised` weights are in the norm.
 * Ends when the violations of an epoch, each as it is met, are within `aim` in sum; returns that sum.
 */
export function gramEpochs(
  n: u32,
  penalised: u32,
  square: usize,
  v: usize,
  w: usize,
  d: usize,
  image: usize,
  epochs: u32,
  aim: f64,
): f64 {
  const bytes = <usize>n << 3
  const even = bytes & ~15
  let total: f64 = 0
  for (let epoch: u32 = 0; epoch < epochs; epoch++) {
    total = 0
    for (let j: u32 = 0; j < n; j++) {
      const own = <usize>j << 3
      const penalty: f64 = j < penalised ? 1 : 0
      const slope = load<f64>(image + own) - load<f64>(v + own)
      const weight = load<f64>(w + own) + load<f64>(d + own)
      const violation = violationOf(weight, slope, penalty)
      if (violation == 0) continue
      total += violation
      const row = square + <usize>j * bytes
      const curvature = load<f64>(row + own)
      if (!(curvature > 0)) continue
      const step = stepOf(weight, slope, penalty, curvature)
      store<f64>(d + own, step == -weight ? -load<f64>(w + own) : load<f64>(d + own) + step)
      let k: usize = 0
      if (ASC_FEATURE_SIMD) {
        const steps = f64x2.splat(step)
        for (; k < even; k += 16) {
          v128.store(image + k, f64x2.add(v128.load(image + k), f64x2.mul(steps, v128.load(row + k))))
        }
      }
      for (; k < bytes; k += 8) store<f64>(image + k, load<f64>(image + k) + step * load<f64>(row + k))
    }
    if (total <= aim) break
  }
  return total
}

/**
 * An epoch over the features of a list with G = X̃ᵀ diag(h) X̃ + diag(floor): the rows of the matrix are the columns of X̃, and `pairs`
 * has h_i and the entry of diag(h) X̃ d for each sample i, one place in memory to look for. Entries of the diagonal of G that are 0 are
 * filled in. Features that are 0 and held there by more than `margin` leave the list; their number is kept at `active`, and behind it
 * that of signs that have changed. Returns the sum of the violations.
 */
export function columnEpoch(
  matrix: usize,
  penalised: u32,
  order: usize,
  active: usize,
  v: usize,
  w: usize,
  d: usize,
  pairs: usize,
  floor: usize,
  diagonal: usize,
  margin: f64,
): f64 {
  let count = load<u32>(active)
  let changed: u32 = 0
  let total: f64 = 0
  for (let position: u32 = 0; position < count; ) {
    const place = order + (<usize>position << 2)
    const j = load<u32>(place)
    const own = <usize>j << 3
    const penalty: f64 = j < penalised ? 1 : 0
    const moved = load<f64>(d + own)
    const slope = pairDot(matrix, j, pairs) + load<f64>(floor + own) * moved - load<f64>(v + own)
    const weight = load<f64>(w + own) + moved
    const violation = violationOf(weight, slope, penalty)
    if (load<f64>(diagonal + own) == 0) {
      store<f64>(diagonal + own, load<f64>(floor + own) + pairSquares(matrix, j, pairs))
    }
    if (violation == 0) {
      if (weight == 0 && abs(slope) < penalty - margin) {
        count--
        store<u32>(place, load<u32>(order + (<usize>count << 2)))
        store<u32>(order + (<usize>count << 2), j)
      } else position++
      continue
    }
    position++
    total += violation
    const curvature = load<f64>(diagonal + own)
    if (!(curvature > 0)) continue
    const step = stepOf(weight, slope, penalty, curvature)
    store<f64>(d + own, step == -weight ? -load<f64>(w + own) : moved + step)
    if (weight * (weight + step) <= 0) changed++
    addToPairs(matrix, j, step, pairs)
  }
  store<u32>(active, count)
  store<u32>(active, changed, 4)
  return total
}

/** Halvings of a step until the objective falls, and the part of the promised fall that it has to bring. */
const MOST_HALVINGS = 20
const ENOUGH = 0.01

/**
 * An epoch over the features of a list on ½ Σ max(0, s_i)² + Σ |w_j| itself, with s that falls by A w: the rows of the matrix are the columns
 * of A, and `squares` their squared norms. Features leave the list as in `columnEpoch`. Returns the sum of the violations.
 */
export function lossEpoch(
  matrix: usize,
  penalised: u32,
  order: usize,
  active: usize,
  w: usize,
  s: usize,
  squares: usize,
  margin: f64,
): f64 {
  const isDense = load<u32>(matrix, at.MATRIX_DENSE) != 0
  const cols = <usize>load<u32>(matrix, at.MATRIX_COLS)
  const exact = <usize>load<u32>(matrix, at.MATRIX_EXACT)
  const indptr = <usize>load<u32>(matrix, at.MATRIX_INDPTR)
  const offsets = <usize>load<u32>(matrix, at.MATRIX_OFFSETS)
  let count = load<u32>(active)
  let total: f64 = 0
  for (let position: u32 = 0; position < count; ) {
    const list = order + (<usize>position << 2)
    const j = load<u32>(list)
    const start = isDense ? <usize>j * cols : <usize>load<u32>(indptr + (<usize>j << 2))
    const length = isDense ? cols : <usize>load<u32>(indptr + (<usize>j << 2), 4) - start
    const values = exact + (start << 3)
    const places = offsets + (start << 2)
    const penalty: f64 = j < penalised ? 1 : 0
    let slope: f64 = 0
    let curvature: f64 = 0
    for (let k: usize = 0; k < length; k++) {
      const value = load<f64>(values + (k << 3))
      const own = load<f64>(s + (isDense ? k << 3 : <usize>load<u32>(places + (k << 2)) >> 3))
      slope -= value * max(own, 0)
      curvature += own > 0 ? value * value : 0
    }
    const place = w + (<usize>j << 3)
    const weight = load<f64>(place)
    const violation = violationOf(weight, slope, penalty)
    if (violation == 0) {
      if (weight == 0 && abs(slope) < penalty - margin) {
        count--
        store<u32>(list, load<u32>(order + (<usize>count << 2)))
        store<u32>(order + (<usize>count << 2), j)
      } else position++
      continue
    }
    position++
    total += violation
    if (!(curvature > 0)) continue
    let step = stepOf(weight, slope, penalty, curvature)
    let promised = slope * step + penalty * (abs(weight + step) - abs(weight))
    for (let halvings = 0; halvings < MOST_HALVINGS; halvings++) {
      const rise = penalty * (abs(weight + step) - abs(weight)) - ENOUGH * promised
      // No loss bends more than all samples would; where that is not enough, the losses themselves.
      let isLower = 0.5 * load<f64>(squares + (<usize>j << 3)) * step * step + slope * step + rise <= 0
      if (!isLower) {
        let change: f64 = 0
        for (let k: usize = 0; k < length; k++) {
          const own = load<f64>(s + (isDense ? k << 3 : <usize>load<u32>(places + (k << 2)) >> 3))
          const before = max(own, 0)
          const after = max(own - step * load<f64>(values + (k << 3)), 0)
          change += (after - before) * (after + before)
        }
        isLower = 0.5 * change + rise <= 0
      }
      if (isLower) {
        for (let k: usize = 0; k < length; k++) {
          const own = s + (isDense ? k << 3 : <usize>load<u32>(places + (k << 2)) >> 3)
          store<f64>(own, load<f64>(own) - step * load<f64>(values + (k << 3)))
        }
        store<f64>(place, step == -weight ? 0 : weight + step)
        break
      }
      step *= 0.5
      promised *= 0.5
    }
  }
  store<u32>(active, count)
  return total
}

/** Σ x_ij times the second of pair i along row j, in four sums as `rowDot` has them (./rows.ts). */
// @ts-ignore: decorator
@inline
function pairDot(matrix: usize, j: u32, pairs: usize): f64 {
  const seconds = pairs + 8
  let a = 0.0
  let b = 0.0
  let c = 0.0
  let d = 0.0
  if (load<u32>(matrix, at.MATRIX_DENSE)) {
    const cols = <usize>load<u32>(matrix, at.MATRIX_COLS)
    const row = <usize>load<u32>(matrix, at.MATRIX_EXACT) + ((<usize>j * cols) << 3)
    const whole = cols & ~3
    let i: usize = 0
    for (; i < whole; i += 4) {
      const own = row + (i << 3)
      const pair = seconds + (i << 4)
      a += load<f64>(own) * load<f64>(pair)
      b += load<f64>(own, 8) * load<f64>(pair, 16)
      c += load<f64>(own, 16) * load<f64>(pair, 32)
      d += load<f64>(own, 24) * load<f64>(pair, 48)
    }
    for (; i < cols; i++) a += load<f64>(row + (i << 3)) * load<f64>(seconds + (i << 4))
    return a + b + (c + d)
  }
  const indptr = <usize>load<u32>(matrix, at.MATRIX_INDPTR) + (<usize>j << 2)
  const start = <usize>load<u32>(indptr)
  const count = <usize>load<u32>(indptr, 4) - start
  let offset = <usize>load<u32>(matrix, at.MATRIX_OFFSETS) + (start << 2)
  let value = <usize>load<u32>(matrix, at.MATRIX_EXACT) + (start << 3)
  const whole = value + ((count & ~3) << 3)
  const end = value + (count << 3)
  for (; value < whole; value += 32) {
    a += load<f64>(value) * load<f64>(seconds + (<usize>load<u32>(offset) >> 2))
    b += load<f64>(value, 8) * load<f64>(seconds + (<usize>load<u32>(offset, 4) >> 2))
    c += load<f64>(value, 16) * load<f64>(seconds + (<usize>load<u32>(offset, 8) >> 2))
    d += load<f64>(value, 24) * load<f64>(seconds + (<usize>load<u32>(offset, 12) >> 2))
    offset += 16
  }
  for (; value < end; value += 8) {
    a += load<f64>(value) * load<f64>(seconds + (<usize>load<u32>(offset) >> 2))
    offset += 4
  }
  return a + b + (c + d)
}

/** Σ x_ij² times the first of pair i along row j. */
// @ts-ignore: decorator
@inline
function pairSquares(matrix: usize, j: u32, pairs: usize): f64 {
  const values = <usize>load<u32>(matrix, at.MATRIX_EXACT)
  let sum = 0.0
  if (load<u32>(matrix, at.MATRIX_DENSE)) {
    const bytes = <usize>load<u32>(matrix, at.MATRIX_COLS) << 3
    const row = values + <usize>j * bytes
    for (let i: usize = 0; i < bytes; i += 8) {
      const value = load<f64>(row + i)
      sum += value * value * load<f64>(pairs + (i << 1))
    }
    return sum
  }
  const indptr = <usize>load<u32>(matrix, at.MATRIX_INDPTR) + (<usize>j << 2)
  const start = <usize>load<u32>(indptr)
  const end = values + (<usize>load<u32>(indptr, 4) << 3)
  let offset = <usize>load<u32>(matrix, at.MATRIX_OFFSETS) + (start << 2)
  for (let place = values + (start << 3); place < end; place += 8) {
    const value = load<f64>(place)
    sum += value * value * load<f64>(pairs + (<usize>load<u32>(offset) >> 2))
    offset += 4
  }
  return sum
}

/** Adds factor · x_ij times the first of pair i to its second, along row j. */
// @ts-ignore: decorator
@inline
function addToPairs(matrix: usize, j: u32, factor: f64, pairs: usize): void {
  const values = <usize>load<u32>(matrix, at.MATRIX_EXACT)
  if (load<u32>(matrix, at.MATRIX_DENSE)) {
    const bytes = <usize>load<u32>(matrix, at.MATRIX_COLS) << 3
    const row = values + <usize>j * bytes
    for (let i: usize = 0; i < bytes; i += 8) {
      const pair = pairs + (i << 1)
      store<f64>(pair, load<f64>(pair, 8) + factor * load<f64>(row + i) * load<f64>(pair), 8)
    }
    return
  }
  const indptr = <usize>load<u32>(matrix, at.MATRIX_INDPTR) + (<usize>j << 2)
  const start = <usize>load<u32>(indptr)
  const end = values + (<usize>load<u32>(indptr, 4) << 3)
  let offset = <usize>load<u32>(matrix, at.MATRIX_OFFSETS) + (start << 2)
  for (let value = values + (start << 3); value < end; value += 8) {
    const pair = pairs + (<usize>load<u32>(offset) >> 2)
    store<f64>(pair, load<f64>(pair, 8) + factor * load<f64>(value) * load<f64>(pair), 8)
    offset += 4
  }
}
