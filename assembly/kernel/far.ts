/**
 * Distances of samples that are both far from the centre. Squared distances are made of norms and products, and there they
 * cancel: of ‖x‖² + ‖q‖² − 2⟨x, q⟩ as computed with unit roundoff u, up to
 *
 *   δ = u c (‖x‖² + ‖q‖²)   with c = 4 + √m in general and 8 + 2m at worst,   m values in a row; products of whole
 *                           numbers are exact: m = 0
 *
 * is error: norms and their sum are rounded, values may be (in f32), and so is each step of a product; all this is at most u
 * times sums of |x_k q_k| <= ½ (x_k² + q_k²). src/engine/jobs/kernel-error.ts has the terms one by one. γδ is then the error of the exponent of an rbf kernel. A sample is far when
 * two of its norm would exceed what is tolerated: 2 γ u c ‖x‖² > TOLERATED. Then pairs fall into three kinds:
 *
 *   Both are near: the error is small.
 *   One is far, and its norm is more than twice that of the other: ‖x − q‖ > ½‖x‖, so that γδ < 8 u c γ‖x − q‖² = 8 u c t. Of
 *     the kernel value e^−t this is an error of 8 u c t e^−t < 3 u c. If it is not more than twice, γδ is below 5/2 of what is
 *     tolerated.
 *   Both are far: the distance is computed once more, from differences in f64, unless it is certain that t > 70, where
 *     e^−t is nothing.
 *
 * So only pairs of far samples are ever looked at, a block without far queries has none of them, and nothing is done for
 * it. Rows that were copied (./gather.ts) have no f64 values: they tell where they came from.
 */
import { LOG2E } from './exp'
import * as at from '../structures'
import { FLOATING, RBF } from '../structures'
import { multiplyAddDouble } from './lanes'
import { halfDistances, powers } from './transforms'

/** Unit roundoffs. */
const SINGLE: f64 = 5.960464477539063e-8 // 2^−24
const DOUBLE: f64 = 1.1102230246251565e-16 // 2^−53
/** Errors of an exponent: solvers that compute in f32 continue in f64 where that is not enough. */
const TOLERATED_SINGLE: f64 = 1e-3
const TOLERATED_DOUBLE: f64 = 1e-11
/** e^−70 is below 2^−100. */
const NOTHING_FROM: f64 = 70
/** Squared distances in f64 whose relative error could exceed 2^−26 are not resolved: not worth an f32. */
const RESOLUTION: f64 = 67108864 // 2^26

/** The squared norm from which on samples are far, where values are f32 or f64. */
export function farFrom(matrix: usize, kernel: usize, form: u32, single: bool): f64 {
  if (load<u32>(kernel, at.KERNEL_KIND) != RBF || (!single && form != FLOATING)) return Infinity
  const growth = 4.0 + (form == FLOATING ? Math.sqrt(<f64>load<u32>(matrix, at.MATRIX_LONGEST)) : 0.0)
  const tolerated = single ? TOLERATED_SINGLE / SINGLE : TOLERATED_DOUBLE / DOUBLE
  return tolerated / (2.0 * load<f64>(kernel, at.KERNEL_GAMMA) * growth)
}

/** The most that rounding can make of the distance of two samples, as a share of the sum of their squared norms. */
function worstShare(matrix: usize, form: u32, rounding: f64): f64 {
  return rounding * (8.0 + (form == FLOATING ? 2.0 * <f64>load<u32>(matrix, at.MATRIX_LONGEST) : 0.0))
}

/** As transformTile of ./transforms.ts for rbf kernels, where some of the queries are far. */
export function farTile(matrix: usize, kernel: usize, form: u32, from: u32, count: i32, scratch: usize): void {
  const tile = scratch + at.SCRATCH_TILE
  const queryNorms = scratch + at.SCRATCH_NORMS
  const norms = <usize>load<u32>(matrix, at.MATRIX_NORMS) + (<usize>from << 2)
  const gamma = load<f64>(kernel, at.KERNEL_GAMMA)
  const far = <f32>(0.5 * farFrom(matrix, kernel, form, true))
  const share = <f32>worstShare(matrix, form, SINGLE)
  const nothing = <f32>(0.5 * NOTHING_FROM / gamma)
  halfDistances(tile, count, norms, queryNorms)
  for (let s: u32 = 0; s < <u32>count; s++) {
    const norm = load<f32>(norms + (<usize>s << 2))
    if (norm <= far) continue
    const row = tile + (<usize>s << 6)
    let open = load<u32>(scratch, at.SCRATCH_FAR) & ~distantLanes(row, queryNorms, norm, share, nothing)
    for (; open != 0; open &= open - 1) {
      const q = <usize>ctz(open)
      const other = load<u32>(scratch + at.SCRATCH_ROWS + (q << 2))
      const squared = squaredDistance(matrix, from + s, load<u32>(scratch, at.SCRATCH_SOURCE), other)
      store<f32>(row + (q << 2), <f32>(0.5 * squared))
    }
  }
  powers(tile, tile, <usize>count << 6, <f32>(-2.0 * gamma * LOG2E))
}

/** A bit for each of 16 halved squared distances that certainly exceed `nothing`. */
// @ts-ignore: decorator
@inline
function distantLanes(row: usize, queryNorms: usize, norm: f32, share: f32, nothing: f32): u32 {
  let bits: u32 = 0
  if (ASC_FEATURE_SIMD) {
    for (let k: usize = 0; k < 4; k++) {
      const size = f32x4.add(v128.load(queryNorms + (k << 4)), f32x4.splat(norm))
      const least = f32x4.add(f32x4.mul(size, f32x4.splat(share)), f32x4.splat(nothing))
      bits |= i32x4.bitmask(f32x4.gt(v128.load(row + (k << 4)), least)) << (<u32>k << 2)
    }
  } else {
    for (let q: usize = 0; q < 16; q++) {
      const size: f32 = load<f32>(queryNorms + (q << 2)) + norm
      const least: f32 = size * share + nothing
      bits |= u32(load<f32>(row + (q << 2)) > least) << <u32>q
    }
  }
  return bits
}

/**
 * The same in f64, for sample `sample` of `norm`: replaces exponents of 2 in a row of 8 of a tile. `far` is
 * {@link farFrom}.
 */
export function mendExponents(
  matrix: usize,
  kernel: usize,
  sample: u32,
  norm: f64,
  far: f64,
  row: usize,
  scratch: usize,
): void {
  if (norm <= far) return
  const gamma = LOG2E * load<f64>(kernel, at.KERNEL_GAMMA)
  const share = gamma * worstShare(matrix, FLOATING, DOUBLE)
  for (let open = load<u32>(scratch, at.SCRATCH_FAR); open != 0; open &= open - 1) {
    const q = <usize>ctz(open)
    const size = norm + load<f64>(scratch + at.SCRATCH_NORMS + (q << 3))
    if (-load<f64>(row + (q << 3)) > LOG2E * NOTHING_FROM + share * size) continue
    const other = load<u32>(scratch + at.SCRATCH_ROWS + (q << 2))
    const squared = squaredDistance(matrix, sample, load<u32>(scratch, at.SCRATCH_SOURCE), other)
    store<f64>(row + (q << 3), -gamma * squared)
  }
}

/**
 * From a squared distance that was computed of norms, whose sum is `size`, to one that is resolved: by differences where so
 * little is left of the norms that it is not.
 */
export function resolved(matrix: usize, form: u32, squared: f64, size: f64, row: u32, other: u32): f64 {
  if (form != FLOATING || squared > leastResolved(matrix, form) * size) return squared
  return squaredDistance(matrix, row, matrix, other)
}

/** What is left of the norms at least, as a share of their sum, where a squared distance is resolved. */
// @ts-ignore: decorator
@inline
export function leastResolved(matrix: usize, form: u32): f64 {
  return RESOLUTION * worstShare(matrix, form, DOUBLE)
}

/** ‖x − z‖² in f64, by differences: of row `row` of a matrix and row `other` of one that is stored the same way. */
function squaredDistance(matrix: usize, row: u32, otherMatrix: usize, other: u32): f64 {
  const origin = <usize>load<u32>(matrix, at.MATRIX_ORIGIN)
  if (origin) {
    const rows = <usize>load<u32>(matrix, at.MATRIX_ORIGIN_ROWS)
    return squaredDistance(origin, load<u32>(rows + (<usize>row << 2)), otherMatrix, other)
  }
  return load<u32>(matrix, at.MATRIX_DENSE)
    ? denseDistance(matrix, row, otherMatrix, other)
    : sparseDistance(matrix, row, otherMatrix, other)
}

/** Columns that one of them lacks are zeros. Four sums side by side: none waits for the one before. */
function denseDistance(matrix: usize, row: u32, otherMatrix: usize, other: u32): f64 {
  const cols = <usize>load<u32>(matrix, at.MATRIX_COLS) << 3
  const otherCols = <usize>load<u32>(otherMatrix, at.MATRIX_COLS) << 3
  const x = <usize>load<u32>(matrix, at.MATRIX_EXACT) + <usize>row * cols
  const z = <usize>load<u32>(otherMatrix, at.MATRIX_EXACT) + <usize>other * otherCols
  const both = min(cols, otherCols)
  let at: usize = 0
  let sum = 0.0
  if (ASC_FEATURE_SIMD) {
    let even = f64x2.splat(0)
    let odd = f64x2.splat(0)
    for (; at + 32 <= both; at += 32) {
      const d = f64x2.sub(v128.load(x + at), v128.load(z + at))
      const e = f64x2.sub(v128.load(x + at, 16), v128.load(z + at, 16))
      even = multiplyAddDouble(d, d, even)
      odd = multiplyAddDouble(e, e, odd)
    }
    even = f64x2.add(even, odd)
    sum = f64x2.extract_lane(even, 0) + f64x2.extract_lane(even, 1)
  } else {
    let sum0 = 0.0
    let sum1 = 0.0
    let sum2 = 0.0
    let sum3 = 0.0
    for (; at + 32 <= both; at += 32) {
      sum0 += square(load<f64>(x + at) - load<f64>(z + at))
      sum1 += square(load<f64>(x + at, 8) - load<f64>(z + at, 8))
      sum2 += square(load<f64>(x + at, 16) - load<f64>(z + at, 16))
      sum3 += square(load<f64>(x + at, 24) - load<f64>(z + at, 24))
    }
    sum = sum0 + sum2 + (sum1 + sum3)
  }
  for (; at < both; at += 8) sum += square(load<f64>(x + at) - load<f64>(z + at))
  for (let k = both; k < cols; k += 8) sum += square(load<f64>(x + k))
  for (let k = both; k < otherCols; k += 8) sum += square(load<f64>(z + k))
  return sum
}

/** Both rows have their columns in ascending order. */
function sparseDistance(matrix: usize, row: u32, otherMatrix: usize, other: u32): f64 {
  const offsets = <usize>load<u32>(matrix, at.MATRIX_OFFSETS)
  const values = <usize>load<u32>(matrix, at.MATRIX_EXACT)
  const otherOffsets = <usize>load<u32>(otherMatrix, at.MATRIX_OFFSETS)
  const otherValues = <usize>load<u32>(otherMatrix, at.MATRIX_EXACT)
  const ends = <usize>load<u32>(matrix, at.MATRIX_INDPTR) + (<usize>row << 2)
  const otherEnds = <usize>load<u32>(otherMatrix, at.MATRIX_INDPTR) + (<usize>other << 2)
  let k = <usize>load<u32>(ends)
  let j = <usize>load<u32>(otherEnds)
  const end = <usize>load<u32>(ends, 4)
  const otherEnd = <usize>load<u32>(otherEnds, 4)
  let sum = 0.0
  while (k < end && j < otherEnd) {
    const column = load<u32>(offsets + (k << 2))
    const otherColumn = load<u32>(otherOffsets + (j << 2))
    if (column == otherColumn) sum += square(load<f64>(values + (k++ << 3)) - load<f64>(otherValues + (j++ << 3)))
    else if (column < otherColumn) sum += square(load<f64>(values + (k++ << 3)))
    else sum += square(load<f64>(otherValues + (j++ << 3)))
  }
  for (; k < end; k++) sum += square(load<f64>(values + (k << 3)))
  for (; j < otherEnd; j++) sum += square(load<f64>(otherValues + (j << 3)))
  return sum
}

// @ts-ignore: decorator
@inline
function square(x: f64): f64 {
  return x * x
}
