/**
 * Multiply-adds on lanes. With relaxed SIMD one is a single fused instruction; without it, two, and then the results
 * are the same to the bit as those of the scalar build, whose sums run in the same order.
 */

/** a · b + c, four f32 lanes. */
// @ts-ignore: decorator
@inline
export function multiplyAdd(a: v128, b: v128, c: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? f32x4.relaxed_madd(a, b, c) : f32x4.add(f32x4.mul(a, b), c)
}

/** a · b + c, two f64 lanes. */
// @ts-ignore: decorator
@inline
export function multiplyAddDouble(a: v128, b: v128, c: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? f64x2.relaxed_madd(a, b, c) : f64x2.add(f64x2.mul(a, b), c)
}

/** a · b + c in lanes of T, f32 or f64. */
// @ts-ignore: decorator
@inline
export function multiplyAddIn<T extends number>(a: v128, b: v128, c: v128): v128 {
  return sizeof<T>() == 4 ? multiplyAdd(a, b, c) : multiplyAddDouble(a, b, c)
}
