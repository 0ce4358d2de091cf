/**
 * From products to kernel values, in place on a tile [sample][query]. With p = ⟨x, q⟩:
 *
 *   linear      p
 *   polynomial  (γ p + c)^degree, by repeated squaring
 *   rbf         exp(−γ ‖x − q‖²) = 2^(−2γ log2(e) max(0, ½‖x‖² + ½‖q‖² − p)): the distance first, so that whatever can
 *               be exact (equal rows, small whole numbers) is
 *   sigmoid     tanh(γ p + c) = 1 − 2 / (1 + exp(2(γ p + c)))
 */
import { exp2, exp2Row, LOG2E } from './exp'
import { multiplyAdd } from './lanes'
import * as at from '../structures'
import { LINEAR, POLYNOMIAL, QUERY_BYTES, RBF } from '../structures'

/**
 * Transforms `count` samples of a tile. `norms` points to ½‖x‖² of the first sample, `queryNorms` to those
 * of the 16 queries (both used by rbf only).
 */
export function transformTile(kernel: usize, tile: usize, count: i32, norms: usize, queryNorms: usize): void {
  const kind = load<u32>(kernel, at.KERNEL_KIND)
  if (kind == LINEAR) return
  const gamma = load<f64>(kernel, at.KERNEL_GAMMA)
  const coef0 = load<f64>(kernel, at.KERNEL_COEF0)
  if (kind == RBF) rbfTile(tile, count, norms, queryNorms, <f32>(-2.0 * gamma * LOG2E))
  else if (kind == POLYNOMIAL) polynomialTile(tile, count, <f32>gamma, <f32>coef0, load<u32>(kernel, at.KERNEL_DEGREE))
  else sigmoidTile(tile, count, <f32>(2.0 * gamma * LOG2E), <f32>(2.0 * coef0 * LOG2E))
}

/** `factor` is −2 γ log2(e), for halves of squared distances. */
function rbfTile(tile: usize, count: i32, norms: usize, queryNorms: usize, factor: f32): void {
  for (let s: usize = 0; s < <usize>count; s++) {
    const at = tile + (s << 6)
    if (ASC_FEATURE_SIMD) {
      const n = v128.load_splat<f32>(norms + (s << 2))
      const zero = f32x4.splat(0)
      const f = f32x4.splat(factor)
      exp2Row(
        at,
        f32x4.mul(f, f32x4.pmax(zero, f32x4.sub(f32x4.add(n, v128.load(queryNorms)), v128.load(at)))),
        f32x4.mul(f, f32x4.pmax(zero, f32x4.sub(f32x4.add(n, v128.load(queryNorms, 16)), v128.load(at, 16)))),
        f32x4.mul(f, f32x4.pmax(zero, f32x4.sub(f32x4.add(n, v128.load(queryNorms, 32)), v128.load(at, 32)))),
        f32x4.mul(f, f32x4.pmax(zero, f32x4.sub(f32x4.add(n, v128.load(queryNorms, 48)), v128.load(at, 48)))),
      )
    } else {
      const n = load<f32>(norms + (s << 2))
      for (let q: usize = 0; q < QUERY_BYTES; q += 4) {
        const d: f32 = n + load<f32>(queryNorms + q) - load<f32>(at + q)
        store<f32>(at + q, exp2((d > 0 ? d : 0) * factor))
      }
    }
  }
}

/** max(0, ½‖x‖² + ½‖q‖² − p) in place of the products of a tile, as {@link rbfTile} computes it on the way. */
export function halfDistances(tile: usize, count: i32, norms: usize, queryNorms: usize): void {
  for (let s: usize = 0; s < <usize>count; s++) {
    const row = tile + (s << 6)
    if (ASC_FEATURE_SIMD) {
      const n = v128.load_splat<f32>(norms + (s << 2))
      for (let q: usize = 0; q < QUERY_BYTES; q += 16) {
        const d = f32x4.sub(f32x4.add(n, v128.load(queryNorms + q)), v128.load(row + q))
        v128.store(row + q, f32x4.pmax(f32x4.splat(0), d))
      }
    } else {
      const n = load<f32>(norms + (s << 2))
      for (let q: usize = 0; q < QUERY_BYTES; q += 4) {
        const d: f32 = n + load<f32>(queryNorms + q) - load<f32>(row + q)
        store<f32>(row + q, d > 0 ? d : 0)
      }
    }
  }
}

/** 2^(factor · d) of distances, a whole number of cache lines of them; in place where `source` is `out`. */
export function powers(source: usize, out: usize, bytes: usize, factor: f32): void {
  for (let at: usize = 0; at < bytes; at += QUERY_BYTES) {
    const from = source + at
    const to = out + at
    if (ASC_FEATURE_SIMD) {
      const f = f32x4.splat(factor)
      exp2Row(
        to,
        f32x4.mul(f, v128.load(from)),
        f32x4.mul(f, v128.load(from, 16)),
        f32x4.mul(f, v128.load(from, 32)),
        f32x4.mul(f, v128.load(from, 48)),
      )
    } else {
      for (let k: usize = 0; k < QUERY_BYTES; k += 4) store<f32>(to + k, exp2(factor * load<f32>(from + k)))
    }
  }
}

/**
 * exp(x) − 1 for x = factor · d between −½ and 0, of a whole number of cache lines of distances: x (1 + x/2 (1 + x/3 (…))), whose next term
 * is below 2^−27 of it.
 */
export function powersLessOne(source: usize, out: usize, bytes: usize, factor: f32): void {
  for (let at: usize = 0; at < bytes; at += 16) {
    if (ASC_FEATURE_SIMD) {
      const one = f32x4.splat(1)
      const x = f32x4.mul(f32x4.splat(factor), v128.load(source + at))
      let sum = one
      for (let k = 8; k > 1; k--) sum = multiplyAdd(f32x4.mul(x, f32x4.splat(<f32>(1.0 / <f64>k))), sum, one)
      v128.store(out + at, f32x4.mul(x, sum))
    } else {
      for (let lane: usize = 0; lane < 16; lane += 4) {
        const x: f32 = factor * load<f32>(source + at + lane)
        let sum: f32 = 1
        for (let k = 8; k > 1; k--) {
          const share: f32 = x * <f32>(1.0 / <f64>k)
          sum = share * sum + 1
        }
        store<f32>(out + at + lane, x * sum)
      }
    }
  }
}

/**
 * From products, or squared distances of rbf, to kernel values, a whole number of cache lines of them; in place where `source`
 * is `row`.
 */
export function transformRow(kernel: usize, source: usize, row: usize, bytes: usize): void {
  if (load<u32>(kernel, at.KERNEL_KIND) != RBF) {
    if (source != row) memory.copy(row, source, bytes)
    transformTile(kernel, row, <i32>(bytes >> 6), 0, 0)
    return
  }
  powers(source, row, bytes, <f32>(-LOG2E * load<f64>(kernel, at.KERNEL_GAMMA)))
}

function polynomialTile(tile: usize, count: i32, gamma: f32, coef0: f32, degree: u32): void {
  const end = tile + (<usize>count << 6)
  if (ASC_FEATURE_SIMD) {
    for (let at = tile; at < end; at += 16) {
      let base = multiplyAdd(v128.load(at), f32x4.splat(gamma), f32x4.splat(coef0))
      let power = f32x4.splat(1)
      for (let d = degree; d > 0; d >>= 1) {
        if (d & 1) power = f32x4.mul(power, base)
        base = f32x4.mul(base, base)
      }
      v128.store(at, power)
    }
  } else {
    for (let at = tile; at < end; at += 4) {
      let base: f32 = load<f32>(at) * gamma + coef0
      let power: f32 = 1
      for (let d = degree; d > 0; d >>= 1) {
        if (d & 1) power *= base
        base *= base
      }
      store<f32>(at, power)
    }
  }
}

/** `gamma` and `coef0` come multiplied by 2 log2(e). From 2^100 on, tanh is 1. */
function sigmoidTile(tile: usize, count: i32, gamma: f32, coef0: f32): void {
  const end = tile + (<usize>count << 6)
  for (let row = tile; row < end; row += QUERY_BYTES) {
    if (ASC_FEATURE_SIMD) {
      const g = f32x4.splat(gamma)
      const c = f32x4.splat(coef0)
      const limit = f32x4.splat(100)
      exp2Row(
        row,
        f32x4.pmin(limit, multiplyAdd(v128.load(row), g, c)),
        f32x4.pmin(limit, multiplyAdd(v128.load(row, 16), g, c)),
        f32x4.pmin(limit, multiplyAdd(v128.load(row, 32), g, c)),
        f32x4.pmin(limit, multiplyAdd(v128.load(row, 48), g, c)),
      )
      const one = f32x4.splat(1)
      for (let at = row; at < row + QUERY_BYTES; at += 16) {
        v128.store(at, f32x4.sub(one, f32x4.div(f32x4.splat(2), f32x4.add(one, v128.load(at)))))
      }
    } else {
      for (let at = row; at < row + QUERY_BYTES; at += 4) {
        const t: f32 = load<f32>(at) * gamma + coef0
        const power = exp2(t < <f32>100.0 ? t : <f32>100.0)
        store<f32>(at, <f32>1.0 - <f32>2.0 / (<f32>1.0 + power))
      }
    }
  }
}
