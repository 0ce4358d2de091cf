/**
 * log(1 + x) for 0 <= x <= 1: 2 artanh s with |s| <= 0.172, whose series beyond s^21 is less than 1e-18 of it. Beyond √2 − 1 it is log(2) and
 * that of (1 + x) / 2.
 */

/** log(2) */
const LN_2: f64 = 0.6931471805599453
/** √2 − 1 */
const HALVED_FROM: f64 = 0.41421356237309503
/** 1/21, 1/19 … 1/3 in memory: written into the code, constants would be made again in every turn of a loop. */
const SERIES = memory.data<f64>([
  1.0 / 21.0,
  1.0 / 19.0,
  1.0 / 17.0,
  1.0 / 15.0,
  1.0 / 13.0,
  1.0 / 11.0,
  1.0 / 9.0,
  1.0 / 7.0,
  1.0 / 5.0,
  1.0 / 3.0,
])

/** Of one number. */
// @ts-ignore: decorator
@inline
export function logOnePlus(x: f64): f64 {
  const isSmall = x <= HALVED_FROM
  const s = (isSmall ? x : x - 1) / (isSmall ? x + 2 : x + 3)
  const square = s * s
  let sum: f64 = load<f64>(SERIES)
  sum = sum * square + load<f64>(SERIES, 8)
  sum = sum * square + load<f64>(SERIES, 16)
  sum = sum * square + load<f64>(SERIES, 24)
  sum = sum * square + load<f64>(SERIES, 32)
  sum = sum * square + load<f64>(SERIES, 40)
  sum = sum * square + load<f64>(SERIES, 48)
  sum = sum * square + load<f64>(SERIES, 56)
  sum = sum * square + load<f64>(SERIES, 64)
  sum = sum * square + load<f64>(SERIES, 72)
  sum = sum * square * s + s
  return (isSmall ? 0 : LN_2) + 2 * sum
}

/** Of two, to the same bits. */
// @ts-ignore: decorator
@inline
export function logOnePlusDouble(x: v128): v128 {
  const isSmall = f64x2.le(x, f64x2.splat(HALVED_FROM))
  const above = v128.bitselect(x, f64x2.sub(x, f64x2.splat(1)), isSmall)
  const s = f64x2.div(above, f64x2.add(x, v128.bitselect(f64x2.splat(2), f64x2.splat(3), isSmall)))
  const square = f64x2.mul(s, s)
  let sum = v128.load64_splat(SERIES)
  sum = f64x2.add(f64x2.mul(sum, square), v128.load64_splat(SERIES, 8))
  sum = f64x2.add(f64x2.mul(sum, square), v128.load64_splat(SERIES, 16))
  sum = f64x2.add(f64x2.mul(sum, square), v128.load64_splat(SERIES, 24))
  sum = f64x2.add(f64x2.mul(sum, square), v128.load64_splat(SERIES, 32))
  sum = f64x2.add(f64x2.mul(sum, square), v128.load64_splat(SERIES, 40))
  sum = f64x2.add(f64x2.mul(sum, square), v128.load64_splat(SERIES, 48))
  sum = f64x2.add(f64x2.mul(sum, square), v128.load64_splat(SERIES, 56))
  sum = f64x2.add(f64x2.mul(sum, square), v128.load64_splat(SERIES, 64))
  sum = f64x2.add(f64x2.mul(sum, square), v128.load64_splat(SERIES, 72))
  sum = f64x2.add(f64x2.mul(f64x2.mul(sum, square), s), s)
  return f64x2.add(v128.andnot(f64x2.splat(LN_2), isSmall), f64x2.mul(f64x2.splat(2), sum))
}
