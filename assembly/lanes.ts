/**
 * Four f32 lanes. With relaxed SIMD a multiply-add is one fused instruction; without it, two, and then the results
 * are the same to the bit as those of the scalar build, whose sums run in the same order.
 */

// @ts-ignore: decorator
@inline
export function multiplyAdd(a: v128, b: v128, c: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? f32x4.relaxed_madd(a, b, c) : f32x4.add(f32x4.mul(a, b), c)
}
