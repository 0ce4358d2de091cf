/**
 * What the certificate of a linear machine sums over values and rows: the functions of the same names in
 * src/certify/linear/machine-measures.ts, operation by operation, so that both give the same bits; but powers and logarithms of the logistic
 * loss are those of this engine, to within some ulp. Each takes the rows from `from` to `to`; sums go on where the rows before left them.
 * Solvers do not call them.
 */
import { LOG2E } from '../kernel/exp'
import { exp2, exp2Double } from '../kernel/exp-exact'
import { log, logDouble, logOneMinus, logOneMinusDouble, logOnePlus, logOnePlusDouble } from '../kernel/log'
import * as at from '../structures'

/** u */
const UNIT: f64 = 1.0 / 9007199254740992.0

/** Columns of values in sparse rows are stored 64 times each. */
const TO_BYTES: usize = 3

/** Where the values of row i begin. */
// @ts-ignore: decorator
@inline
function firstOf(matrix: usize, i: u32): usize {
  if (load<u32>(matrix, at.MATRIX_DENSE)) return <usize>i * <usize>load<u32>(matrix, at.MATRIX_COLS)
  return <usize>load<u32>(<usize>load<u32>(matrix, at.MATRIX_INDPTR) + (<usize>i << 2))
}

/** Bytes from the beginning of a vector over features to the column of value k of a row whose values begin at `first`. */
// @ts-ignore: decorator
@inline
function placeOf(offsets: usize, first: usize, k: usize): usize {
  return offsets ? <usize>load<u32>(offsets + (k << 2)) >> TO_BYTES : (k - first) << 3
}

// @ts-ignore: decorator
@inline
function offsetsOf(matrix: usize): usize {
  return load<u32>(matrix, at.MATRIX_DENSE) ? 0 : <usize>load<u32>(matrix, at.MATRIX_OFFSETS)
}

/**
 * f[i] = ⟨w, x_i⟩ + b, where b is behind w, and how far it may be off. Row i counts as starts[i + 1] − starts[i] values, or, where `starts` is
 * 0, as many as there are features.
 */
export function valuesWithErrors(
  matrix: usize,
  w: usize,
  starts: usize,
  from: u32,
  to: u32,
  f: usize,
  errors: usize,
): void {
  const values = <usize>load<u32>(matrix, at.MATRIX_EXACT)
  const cols = load<u32>(matrix, at.MATRIX_COLS)
  const offsets = offsetsOf(matrix)
  const bias = load<f64>(w + (<usize>cols << 3))
  for (let i = from; i < to; i++) {
    const first = firstOf(matrix, i)
    const end = firstOf(matrix, i + 1)
    let sum = bias
    let size = abs(bias)
    for (let k = first; k < end; k++) {
      const term = load<f64>(values + (k << 3)) * load<f64>(w + placeOf(offsets, first, k))
      sum += term
      size += abs(term)
    }
    const own = starts + (<usize>i << 2)
    const count = starts ? load<u32>(own, 4) - load<u32>(own) : cols
    store<f64>(f + (<usize>i << 3), sum)
    store<f64>(errors + (<usize>i << 3), UNIT * <f64>(count + 2) * size)
  }
}

/** v += Σ β_i x_i with the errors of additions added to `low`; so too Σ β_i, its errors, and Σ |β_i| ‖x̃_i‖ at `sums`. */
export function combination(
  matrix: usize,
  constant: f64,
  beta: usize,
  from: u32,
  to: u32,
  v: usize,
  low: usize,
  sums: usize,
): void {
  const values = <usize>load<u32>(matrix, at.MATRIX_EXACT)
  const offsets = offsetsOf(matrix)
  let total = load<f64>(sums)
  let rest = load<f64>(sums, 8)
  let size = load<f64>(sums, 16)
  for (let i = from; i < to; i++) {
    const own = load<f64>(beta + (<usize>i << 3))
    if (own == 0) continue
    const first = firstOf(matrix, i)
    const end = firstOf(matrix, i + 1)
    let norm = constant * constant
    for (let k = first; k < end; k++) {
      const value = load<f64>(values + (k << 3))
      const place = placeOf(offsets, first, k)
      const term = own * value
      const before = load<f64>(v + place)
      const sum = before + term
      const part = sum - before
      store<f64>(low + place, load<f64>(low + place) + (before - (sum - part) + (term - part)))
      store<f64>(v + place, sum)
      norm += value * value
    }
    const sum = total + own
    const part = sum - total
    rest += total - (sum - part) + (own - part)
    total = sum
    size += abs(own) * sqrt(norm)
  }
  store<f64>(sums, total)
  store<f64>(sums, rest, 8)
  store<f64>(sums, size, 16)
}

/** How steep a loss is so far outside the tube. */
// @ts-ignore: decorator
@inline
function slopeAt(outside: f64, bound: f64, D: f64): f64 {
  if (!(outside > 0)) return 0
  return D > 0 ? min(bound, outside / D) : bound
}

/** Where β of the logistic loss is optimal f is this, but no more than e^±700 shows: beyond it a and 1 − a are no numbers of double precision. */
const MOST_MARGIN: f64 = 700

// @ts-ignore: decorator
@inline
function clamped(margin: f64): f64 {
  return max(-MOST_MARGIN, min(MOST_MARGIN, margin))
}

// @ts-ignore: decorator
@inline
function clampedDouble(margin: v128): v128 {
  return f64x2.max(f64x2.splat(-MOST_MARGIN), f64x2.min(f64x2.splat(MOST_MARGIN), margin))
}

/**
 * What only the logistic loss has, two samples side by side where there are lanes, added one after the other: its losses, conjugates and
 * the largest violation, as the first, third and fifth of `sums`.
 */
function logisticSums(
  begin: usize,
  end: usize,
  zs: usize,
  lowers: usize,
  uppers: usize,
  f: usize,
  beta: usize,
  part: f64,
  sums: usize,
): void {
  let primal = load<f64>(sums)
  let linear = load<f64>(sums, 16)
  let maxViolation = load<f64>(sums, 32)
  let i = begin
  if (ASC_FEATURE_SIMD) {
    const zero = f64x2.splat(0)
    const one = f64x2.splat(1)
    const lowest = f64x2.splat(-Infinity)
    let largest = f64x2.splat(maxViolation)
    for (; i + 16 <= end; i += 16) {
      const price = f64x2.sub(v128.load(uppers + i), v128.load(lowers + i))
      const isIn = f64x2.gt(price, zero)
      const z = v128.load(zs + i)
      const margin = f64x2.mul(z, v128.load(f + i))
      const tail = exp2Double(f64x2.mul(f64x2.splat(-LOG2E), f64x2.abs(margin)))
      const loss = f64x2.add(f64x2.max(f64x2.neg(margin), zero), logOnePlusDouble(tail))
      const a = f64x2.div(f64x2.mul(z, f64x2.mul(f64x2.splat(part), v128.load(beta + i))), price)
      const isAbove = f64x2.gt(a, zero)
      const isBelow = f64x2.lt(a, one)
      const ofA = v128.bitselect(logDouble(a), lowest, isAbove)
      const ofRest = v128.bitselect(logOneMinusDouble(a), lowest, isBelow)
      const first = v128.and(f64x2.mul(a, ofA), isAbove)
      const conjugate = f64x2.add(first, v128.and(f64x2.mul(f64x2.sub(one, a), ofRest), isBelow))
      const violation = f64x2.abs(f64x2.sub(clampedDouble(f64x2.sub(ofRest, ofA)), clampedDouble(margin)))
      const priced = v128.and(f64x2.mul(price, loss), isIn)
      const conjugates = v128.and(f64x2.mul(price, conjugate), isIn)
      primal += f64x2.extract_lane(priced, 0)
      primal += f64x2.extract_lane(priced, 1)
      linear += f64x2.extract_lane(conjugates, 0)
      linear += f64x2.extract_lane(conjugates, 1)
      largest = f64x2.pmax(largest, v128.and(violation, isIn))
    }
    maxViolation = max(f64x2.extract_lane(largest, 0), f64x2.extract_lane(largest, 1))
  }
  for (; i < end; i += 8) {
    const price = load<f64>(uppers + i) - load<f64>(lowers + i)
    if (!(price > 0)) continue
    const z = load<f64>(zs + i)
    const margin = z * load<f64>(f + i)
    primal += price * (max(-margin, 0) + logOnePlus(exp2(-LOG2E * abs(margin))))
    const a = (z * (part * load<f64>(beta + i))) / price
    const ofA = a > 0 ? log(a) : -Infinity
    const ofRest = a < 1 ? logOneMinus(a) : -Infinity
    linear += price * ((a > 0 ? a * ofA : 0) + (a < 1 ? (1 - a) * ofRest : 0))
    const violation = abs(clamped(ofRest - ofA) - clamped(margin))
    if (violation > maxViolation) maxViolation = violation
  }
  store<f64>(sums, primal)
  store<f64>(sums, linear, 16)
  store<f64>(sums, maxViolation, 32)
}

/** Adds to the sums over samples for the dual point `part` · β: eight numbers, in the order in which they are stored below. */
export function sumsOverRows(
  losses: usize,
  f: usize,
  errors: usize,
  beta: usize,
  part: f64,
  from: u32,
  to: u32,
  sums: usize,
): void {
  const isLogistic = load<u32>(losses, at.LOSSES_IS_LOGISTIC) != 0
  const begin = <usize>from << 3
  const end = <usize>to << 3
  const epsilon = load<f64>(losses, at.LOSSES_EPSILON)
  const zs = <usize>load<u32>(losses, at.LOSSES_Z)
  const lowers = <usize>load<u32>(losses, at.LOSSES_LOWER)
  const uppers = <usize>load<u32>(losses, at.LOSSES_UPPER)
  const shifts = <usize>load<u32>(losses, at.LOSSES_SHIFT)
  if (isLogistic) logisticSums(begin, end, zs, lowers, uppers, f, beta, part, sums)
  let primal = load<f64>(sums)
  let primalError = load<f64>(sums, 8)
  let linear = load<f64>(sums, 16)
  let isFeasible = linear != Infinity
  let linearSize = load<f64>(sums, 24)
  let maxViolation = load<f64>(sums, 32)
  let largestError = load<f64>(sums, 40)
  let supportVectors = load<f64>(sums, 48)
  let boundedSupportVectors = load<f64>(sums, 56)
  for (let i = begin; i < end; i += 8) {
    const own = part * load<f64>(beta + i)
    const value = load<f64>(f + i)
    const error = load<f64>(errors + i)
    const z = load<f64>(zs + i)
    const lower = load<f64>(lowers + i)
    const upper = load<f64>(uppers + i)
    if (error > largestError) largestError = error
    linearSize += (abs(z) + epsilon) * abs(own)
    if (own < lower || own > upper) isFeasible = false
    if (own != 0) {
      supportVectors++
      if (own <= lower || own >= upper) boundedSupportVectors++
    }
    if (isLogistic) {
      primalError += error * max(upper, -lower)
      continue
    }
    const D = load<f64>(shifts + i)
    const residual = z - value
    const outside = abs(residual) - epsilon
    const best = slopeAt(outside, residual > 0 ? upper : -lower, D)
    if (best > 0) primal += best * (outside - 0.5 * D * best)
    const above = slopeAt(z - value + error - epsilon, upper, D)
    const below = slopeAt(value - z + error - epsilon, -lower, D)
    primalError += error * max(above, below)
    if (own != 0) linear += own * (0.5 * D * own - z) + epsilon * abs(own)
    if (upper == lower) continue
    const gradient = value - z + D * own
    const rise = own < upper ? -(gradient + (own >= 0 ? epsilon : -epsilon)) : 0
    const fall = own > lower ? gradient + (own > 0 ? epsilon : -epsilon) : 0
    const violation = max(max(0.0, rise), fall)
    if (violation > maxViolation) maxViolation = violation
  }
  store<f64>(sums, primal)
  store<f64>(sums, primalError, 8)
  store<f64>(sums, isFeasible ? linear : Infinity, 16)
  store<f64>(sums, linearSize, 24)
  store<f64>(sums, maxViolation, 32)
  store<f64>(sums, largestError, 40)
  store<f64>(sums, supportVectors, 48)
  store<f64>(sums, boundedSupportVectors, 56)
}
