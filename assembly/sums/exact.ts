/**
 * Kernel expansions with everything in f64: Σ_j coefficients[j] · k(x_(samples[j]), q) for 8 queries at a time. Samples
 * whose coefficient is 0 should be left out of the list.
 *
 * Query block: as in src/engine/memory/structures.ts, but 8 rows of f64, so that a feature takes 64 bytes here too:
 *
 *     feature 0             feature 1             …
 *     [q0 q1 q2 … q7] f64   [q0 q1 q2 … q7] f64   …
 *
 * Tile: TILE samples × 8 products, [sample][query] f64.
 *
 * Each product is one chain of multiply-adds in column order, each sum one in the order of the list: the same bits for
 * dense and sparse storage, for any number of threads, and for scalar and SIMD builds (without fused multiply-add).
 * `form` is what both matrices share (../kernel/integer-products.ts): where that is whole numbers, block and products are in multiples of
 * their unit and its square, exact and several times faster (../kernel/integer-products-exact.ts).
 */
import { LOG2E } from '../kernel/exp'
import { exp2RowDouble, tanhDouble, tanhDoubleScalar } from '../kernel/exp-exact'
import { farFrom, mendExponents } from '../kernel/far'
import { multiplyAddDouble } from '../kernel/lanes'
import {
  KERNEL_COEF0,
  KERNEL_DEGREE,
  KERNEL_GAMMA,
  KERNEL_KIND,
  LINEAR,
  POLYNOMIAL,
  QUERY_BYTES,
  RBF,
  SCRATCH_BLOCK,
  SCRATCH_FAR,
  SCRATCH_NORMS,
  SCRATCH_SUMS,
  SCRATCH_TILE,
  SIGMOID,
  TILE,
} from '../structures'
import { normIn, unitSquare } from '../kernel/integer-products-exact'
import { exactProducts } from '../kernel/products'

/** Adds Σ_j coefficients[j] · k(x_(samples[j]), query_q) over j < count to the sums of the scratch. */
export function exactExpand(
  matrix: usize,
  kernel: usize,
  form: u32,
  samples: usize,
  count: u32,
  coefficients: usize,
  scratch: usize,
): void {
  const tile = scratch + SCRATCH_TILE
  for (let j: u32 = 0; j < count; j += TILE) {
    const rows = samples + (<usize>j << 2)
    const length = <i32>min<u32>(TILE, count - j)
    exactTile(matrix, kernel, form, rows, length, scratch)
    addExactTile(tile, length, coefficients + (<usize>j << 3), scratch + SCRATCH_SUMS)
  }
}

/** tile[s][q] = k(x_(rows[s]), query_q) for s < count <= TILE, with tile and queries of the scratch (../kernel/queries.ts). */
export function exactTile(matrix: usize, kernel: usize, form: u32, rows: usize, count: i32, scratch: usize): void {
  exactProducts(matrix, form, rows, count, scratch + SCRATCH_BLOCK, scratch + SCRATCH_TILE)
  transformTile(matrix, kernel, form, rows, count, scratch)
}

/** From products to kernel values, in place. Norms are in the unit of the products; those of samples serve rbf alone. */
function transformTile(matrix: usize, kernel: usize, form: u32, rows: usize, count: i32, scratch: usize): void {
  const tile = scratch + SCRATCH_TILE
  const queryNorms = scratch + SCRATCH_NORMS
  const kind = load<u32>(kernel, KERNEL_KIND)
  const square = unitSquare(matrix, form)
  if (kind == LINEAR && square == 1) return
  const degree = load<u32>(kernel, KERNEL_DEGREE)
  // Exponents of 2, not of e.
  const scale = kind == RBF ? -LOG2E : kind == SIGMOID ? 2.0 * LOG2E : 1.0
  const gamma = (kind == LINEAR ? 1.0 : scale * load<f64>(kernel, KERNEL_GAMMA)) * square
  const coef0 = kind == LINEAR ? 0.0 : scale * load<f64>(kernel, KERNEL_COEF0)
  const far = load<u32>(scratch, SCRATCH_FAR) ? farFrom(matrix, kernel, form, false) : Infinity
  for (let s: usize = 0; s < <usize>count; s++) {
    const row = tile + (s << 6)
    const sample = load<u32>(rows + (s << 2))
    const norm = kind == RBF ? normIn(matrix, form, sample, square) : 0.0
    if (ASC_FEATURE_SIMD) {
      for (let q: usize = 0; q < QUERY_BYTES; q += 16) {
        const product = v128.load(row + q)
        if (kind == RBF) {
          const both = f64x2.add(v128.load(queryNorms + q), f64x2.splat(norm))
          const distance = multiplyAddDouble(product, f64x2.splat(-2), both)
          v128.store(row + q, f64x2.mul(f64x2.pmax(f64x2.splat(0), distance), f64x2.splat(gamma)))
        } else {
          const t = multiplyAddDouble(product, f64x2.splat(gamma), f64x2.splat(coef0))
          v128.store(row + q, kind == LINEAR ? t : kind == POLYNOMIAL ? powerLanes(t, degree) : tanhDouble(t))
        }
      }
    } else {
      for (let q: usize = 0; q < QUERY_BYTES; q += 8) {
        const product = load<f64>(row + q)
        if (kind == RBF) {
          const distance = product * -2.0 + (load<f64>(queryNorms + q) + norm)
          store<f64>(row + q, (distance > 0 ? distance : 0) * gamma)
        } else {
          const t = product * gamma + coef0
          store<f64>(row + q, kind == LINEAR ? t : kind == POLYNOMIAL ? powerScalar(t, degree) : tanhDoubleScalar(t))
        }
      }
    }
    if (kind != RBF) continue
    mendExponents(matrix, kernel, sample, norm, far, row, scratch)
    exp2RowDouble(row)
  }
}

/** Where in a tile the values of sample s are: of all samples in their order, or of those listed. */
// @ts-ignore: decorator
@inline
export function placeInTile(isListed: bool, places: usize, s: usize): usize {
  return isListed ? <usize>load<u32>(places + (s << 2)) : s << 6
}

/** sums[q] += Σ_s coefficients[s] · tile[s][q] over all samples of a tile. */
export function addExactTile(tile: usize, count: i32, coefficients: usize, sums: usize): void {
  addSamples(tile, false, 0, count, coefficients, sums)
}

/** The same for the samples of a list alone: `places` has u32, where in the tile the values of each are. */
export function addExactListed(tile: usize, places: usize, coefficients: usize, count: usize, sums: usize): void {
  addSamples(tile, true, places, count, coefficients, sums)
}

/** The tile is added up first, so that long sums round less. */
// @ts-ignore: decorator
@inline
function addSamples(
  tile: usize,
  isListed: bool,
  places: usize,
  count: usize,
  coefficients: usize,
  sums: usize,
): void {
  if (ASC_FEATURE_SIMD) {
    let sum0 = f64x2.splat(0)
    let sum1 = f64x2.splat(0)
    let sum2 = f64x2.splat(0)
    let sum3 = f64x2.splat(0)
    for (let s: usize = 0; s < count; s++) {
      const values = tile + placeInTile(isListed, places, s)
      const c = v128.load_splat<f64>(coefficients + (s << 3))
      sum0 = multiplyAddDouble(c, v128.load(values), sum0)
      sum1 = multiplyAddDouble(c, v128.load(values, 16), sum1)
      sum2 = multiplyAddDouble(c, v128.load(values, 32), sum2)
      sum3 = multiplyAddDouble(c, v128.load(values, 48), sum3)
    }
    v128.store(sums, f64x2.add(v128.load(sums), sum0))
    v128.store(sums, f64x2.add(v128.load(sums, 16), sum1), 16)
    v128.store(sums, f64x2.add(v128.load(sums, 32), sum2), 32)
    v128.store(sums, f64x2.add(v128.load(sums, 48), sum3), 48)
  } else {
    for (let q: usize = 0; q < QUERY_BYTES; q += 8) {
      let sum = 0.0
      for (let s: usize = 0; s < count; s++) {
        sum = load<f64>(coefficients + (s << 3)) * load<f64>(tile + placeInTile(isListed, places, s) + q) + sum
      }
      store<f64>(sums + q, load<f64>(sums + q) + sum)
    }
  }
}

/** base^degree by repeated squaring. */
// @ts-ignore: decorator
@inline
function powerLanes(base: v128, degree: u32): v128 {
  let square = base
  let power = f64x2.splat(1)
  for (let d = degree; d > 0; d >>= 1) {
    if (d & 1) power = f64x2.mul(power, square)
    square = f64x2.mul(square, square)
  }
  return power
}

// @ts-ignore: decorator
@inline
function powerScalar(base: f64, degree: u32): f64 {
  let square = base
  let power = 1.0
  for (let d = degree; d > 0; d >>= 1) {
    if (d & 1) power *= square
    square *= square
  }
  return power
}
