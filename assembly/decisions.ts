/** Kernel expansions: Σ_j coefficients[j] · k(x_j, q) for the queries of a block, without storing any row. */
import {
  KERNEL_COEF0,
  KERNEL_DEGREE,
  KERNEL_GAMMA,
  KERNEL_KIND,
  LINEAR,
  MATRIX_COLS,
  MATRIX_DENSE,
  MATRIX_EXACT,
  MATRIX_EXACT_NORMS,
  MATRIX_INDPTR,
  MATRIX_NORMS,
  MATRIX_OFFSETS,
  POLYNOMIAL,
  QUERIES,
  RBF,
  TILE,
} from './layout'
import { tileProducts } from './products'
import { transformTile } from './transforms'

/** sums[q] += Σ_j coefficients[j] · k(x_j, query_q) over all samples j < count; f32 kernel values, f64 sums. */
export function expand(
  matrix: usize,
  kernel: usize,
  count: u32,
  coefficients: usize,
  block: usize,
  queryNorms: usize,
  sums: usize,
  tile: usize,
): void {
  const norms = <usize>load<u32>(matrix, MATRIX_NORMS)
  for (let j: u32 = 0; j < count; j += TILE) {
    const samples = <i32>min<u32>(TILE, count - j)
    tileProducts(matrix, j, samples, block, tile)
    transformTile(kernel, tile, samples, norms + (<usize>j << 2), queryNorms)
    for (let s = 0; s < samples; s++) {
      addTileRow(sums, load<f64>(coefficients + ((<usize>j + s) << 3)), tile + (<usize>s << 6))
    }
  }
}

/** sums[q] += c · values[q] for 16 f32 values. */
// @ts-ignore: decorator
@inline
function addTileRow(sums: usize, c: f64, values: usize): void {
  if (ASC_FEATURE_SIMD) {
    const factor = f64x2.splat(c)
    for (let q: usize = 0; q < 64; q += 8) {
      const x = f64x2.promote_low_f32x4(v128.load_zero<u64>(values + q))
      v128.store(sums + (q << 1), f64x2.add(v128.load(sums + (q << 1)), f64x2.mul(factor, x)))
    }
  } else {
    for (let q: usize = 0; q < <usize>QUERIES << 2; q += 4) {
      store<f64>(sums + (q << 1), load<f64>(sums + (q << 1)) + c * <f64>load<f32>(values + q))
    }
  }
}

/**
 * Σ_j coefficients[j] · k(x_j, x_row) with everything in f64, skipping zero coefficients. `spread` is f64[cols] of
 * zeros and is left so.
 */
export function exactExpansion(
  matrix: usize,
  kernel: usize,
  count: u32,
  coefficients: usize,
  row: u32,
  spread: usize,
): f64 {
  spreadRow(matrix, row, spread, true)
  const norms = <usize>load<u32>(matrix, MATRIX_EXACT_NORMS)
  const norm = load<f64>(norms + (<usize>row << 3))
  let sum = 0.0
  for (let j: u32 = 0; j < count; j++) {
    const c = load<f64>(coefficients + (<usize>j << 3))
    if (c == 0) continue
    const product = exactProduct(matrix, j, spread)
    sum += c * exactValue(kernel, product, norm + load<f64>(norms + (<usize>j << 3)) - 2.0 * product)
  }
  spreadRow(matrix, row, spread, false)
  return sum
}

function exactValue(kernel: usize, product: f64, squaredDistance: f64): f64 {
  const kind = load<u32>(kernel, KERNEL_KIND)
  if (kind == LINEAR) return product
  const gamma = load<f64>(kernel, KERNEL_GAMMA)
  if (kind == RBF) return Math.exp(-gamma * max(0.0, squaredDistance))
  const t = gamma * product + load<f64>(kernel, KERNEL_COEF0)
  if (kind != POLYNOMIAL) return Math.tanh(t)
  let base = t
  let power = 1.0
  for (let d = load<u32>(kernel, KERNEL_DEGREE); d > 0; d >>= 1) {
    if (d & 1) power *= base
    base *= base
  }
  return power
}

function exactProduct(matrix: usize, row: u32, spread: usize): f64 {
  const values = <usize>load<u32>(matrix, MATRIX_EXACT)
  let sum = 0.0
  if (load<u32>(matrix, MATRIX_DENSE)) {
    const cols = <usize>load<u32>(matrix, MATRIX_COLS)
    const start = values + ((<usize>row * cols) << 3)
    for (let c: usize = 0; c < cols << 3; c += 8) sum += load<f64>(start + c) * load<f64>(spread + c)
  } else {
    const indptr = <usize>load<u32>(matrix, MATRIX_INDPTR) + (<usize>row << 2)
    const offsets = <usize>load<u32>(matrix, MATRIX_OFFSETS)
    const end = <usize>load<u32>(indptr, 4)
    for (let k = <usize>load<u32>(indptr); k < end; k++) {
      sum += load<f64>(values + (k << 3)) * load<f64>(spread + (<usize>load<u32>(offsets + (k << 2)) >> 3))
    }
  }
  return sum
}

function spreadRow(matrix: usize, row: u32, spread: usize, keep: bool): void {
  const values = <usize>load<u32>(matrix, MATRIX_EXACT)
  if (load<u32>(matrix, MATRIX_DENSE)) {
    const bytes = <usize>load<u32>(matrix, MATRIX_COLS) << 3
    if (keep) memory.copy(spread, values + <usize>row * bytes, bytes)
    else memory.fill(spread, 0, bytes)
  } else {
    const indptr = <usize>load<u32>(matrix, MATRIX_INDPTR) + (<usize>row << 2)
    const offsets = <usize>load<u32>(matrix, MATRIX_OFFSETS)
    const end = <usize>load<u32>(indptr, 4)
    for (let k = <usize>load<u32>(indptr); k < end; k++) {
      const at = spread + (<usize>load<u32>(offsets + (k << 2)) >> 3)
      store<f64>(at, keep ? load<f64>(values + (k << 3)) : 0)
    }
  }
}
