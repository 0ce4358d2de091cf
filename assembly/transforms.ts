/**
 * From products to kernel values, in place on a tile [sample][query]. With p = ⟨x, q⟩:
 *
 *   linear      p
 *   polynomial  (γ p + c)^degree, by repeated squaring
 *   rbf         exp(−γ ‖x − q‖²) = 2^(−γ log2(e) max(0, ‖x‖² + ‖q‖² − 2p)): the distance first, so that whatever can be
 *               exact (equal rows, small whole numbers) is
 *   sigmoid     tanh(γ p + c) = 1 − 2 / (1 + exp(2(γ p + c)))
 */
import { exp2Lanes, exp2Scalar, LOG2E } from './exp'
import { multiplyAdd } from './lanes'
import {
  KERNEL_COEF0,
  KERNEL_DEGREE,
  KERNEL_GAMMA,
  KERNEL_KIND,
  LINEAR,
  POLYNOMIAL,
  QUERIES,
  RBF,
} from './layout'

/**
 * Transforms `count` samples of a tile. `norms` points to ‖x‖² of the first sample, `queryNorms` to those
 * of the 16 queries (both used by rbf only).
 */
export function transformTile(kernel: usize, tile: usize, count: i32, norms: usize, queryNorms: usize): void {
  const kind = load<u32>(kernel, KERNEL_KIND)
  if (kind == LINEAR) return
  const gamma = load<f64>(kernel, KERNEL_GAMMA)
  const coef0 = load<f64>(kernel, KERNEL_COEF0)
  if (kind == RBF) rbfTile(tile, count, norms, queryNorms, <f32>(-gamma * LOG2E))
  else if (kind == POLYNOMIAL) polynomialTile(tile, count, <f32>gamma, <f32>coef0, load<u32>(kernel, KERNEL_DEGREE))
  else sigmoidTile(tile, count, <f32>(2.0 * gamma * LOG2E), <f32>(2.0 * coef0 * LOG2E))
}

function rbfTile(tile: usize, count: i32, norms: usize, queryNorms: usize, factor: f32): void {
  if (ASC_FEATURE_SIMD) {
    const n0 = v128.load(queryNorms)
    const n1 = v128.load(queryNorms, 16)
    const n2 = v128.load(queryNorms, 32)
    const n3 = v128.load(queryNorms, 48)
    const f = f32x4.splat(factor)
    for (let s = 0; s < count; s++) {
      const at = tile + (<usize>s << 6)
      const n = v128.load_splat<f32>(norms + (<usize>s << 2))
      v128.store(at, rbfLanes(v128.load(at), f, n, n0))
      v128.store(at, rbfLanes(v128.load(at, 16), f, n, n1), 16)
      v128.store(at, rbfLanes(v128.load(at, 32), f, n, n2), 32)
      v128.store(at, rbfLanes(v128.load(at, 48), f, n, n3), 48)
    }
  } else {
    for (let s = 0; s < count; s++) {
      const n = load<f32>(norms + (<usize>s << 2))
      for (let q = 0; q < QUERIES; q++) {
        const at = tile + (<usize>s << 6) + (<usize>q << 2)
        const d: f32 = load<f32>(at) * <f32>-2.0 + (n + load<f32>(queryNorms + (<usize>q << 2)))
        store<f32>(at, exp2Scalar((d > 0 ? d : 0) * factor))
      }
    }
  }
}

// @ts-ignore: decorator
@inline
function rbfLanes(product: v128, factor: v128, norm: v128, queryNorm: v128): v128 {
  const distance = multiplyAdd(product, f32x4.splat(-2), f32x4.add(norm, queryNorm))
  return exp2Lanes(f32x4.mul(f32x4.pmax(f32x4.splat(0), distance), factor))
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

/** `gamma` and `coef0` come multiplied by 2 log2(e). */
function sigmoidTile(tile: usize, count: i32, gamma: f32, coef0: f32): void {
  const end = tile + (<usize>count << 6)
  if (ASC_FEATURE_SIMD) {
    const one = f32x4.splat(1)
    for (let at = tile; at < end; at += 16) {
      const e = exp2Lanes(multiplyAdd(v128.load(at), f32x4.splat(gamma), f32x4.splat(coef0)))
      v128.store(at, f32x4.sub(one, f32x4.div(f32x4.splat(2), f32x4.add(one, e))))
    }
  } else {
    for (let at = tile; at < end; at += 4) {
      const e = exp2Scalar(load<f32>(at) * gamma + coef0)
      store<f32>(at, <f32>1.0 - <f32>2.0 / (<f32>1.0 + e))
    }
  }
}
