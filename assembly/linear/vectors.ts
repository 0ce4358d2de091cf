/** Loops over vectors of f64, one entry per sample or per feature. */

/** to += factor · from */
export function addScaled(n: u32, factor: f64, from: usize, to: usize): void {
  for (let i: usize = 0; i < <usize>n << 3; i += 8) {
    store<f64>(to + i, load<f64>(to + i) + factor * load<f64>(from + i))
  }
}

/** to = factor · to + from */
export function scaleAndAdd(n: u32, factor: f64, from: usize, to: usize): void {
  const bytes = <usize>n << 3
  let i: usize = 0
  if (ASC_FEATURE_SIMD) {
    const factors = f64x2.splat(factor)
    for (; i + 16 <= bytes; i += 16) {
      v128.store(to + i, f64x2.add(f64x2.mul(factors, v128.load(to + i)), v128.load(from + i)))
    }
  }
  for (; i < bytes; i += 8) store<f64>(to + i, factor * load<f64>(to + i) + load<f64>(from + i))
}

/** to = factor · to + a ∘ b, entry by entry */
export function addProductsOf(n: u32, factor: f64, a: usize, b: usize, to: usize): void {
  const bytes = <usize>n << 3
  let i: usize = 0
  if (ASC_FEATURE_SIMD) {
    const factors = f64x2.splat(factor)
    for (; i + 16 <= bytes; i += 16) {
      const product = f64x2.mul(v128.load(a + i), v128.load(b + i))
      v128.store(to + i, f64x2.add(f64x2.mul(factors, v128.load(to + i)), product))
    }
  }
  for (; i < bytes; i += 8) {
    store<f64>(to + i, factor * load<f64>(to + i) + load<f64>(a + i) * load<f64>(b + i))
  }
}

/** values = 1 / (added + factor · values), and 1 where that is not above 0 */
export function invert(n: u32, factor: f64, added: usize, values: usize): void {
  for (let i: usize = 0; i < <usize>n << 3; i += 8) {
    const own = load<f64>(added + i) + factor * load<f64>(values + i)
    store<f64>(values + i, own > 0 ? 1 / own : 1)
  }
}

/** ⟨a, b⟩ in four sums, of every fourth entry each, added up in pairs, as `dot` of src/solve/rows/plain-rows.ts */
export function dot(n: u32, a: usize, b: usize): f64 {
  const bytes = <usize>n << 3
  const whole = bytes & ~31
  let i: usize = 0
  let first = 0.0
  let second = 0.0
  let third = 0.0
  let fourth = 0.0
  if (ASC_FEATURE_SIMD) {
    let even = f64x2.splat(0)
    let odd = f64x2.splat(0)
    for (; i < whole; i += 32) {
      even = f64x2.add(even, f64x2.mul(v128.load(a + i), v128.load(b + i)))
      odd = f64x2.add(odd, f64x2.mul(v128.load(a + i, 16), v128.load(b + i, 16)))
    }
    first = f64x2.extract_lane(even, 0)
    second = f64x2.extract_lane(even, 1)
    third = f64x2.extract_lane(odd, 0)
    fourth = f64x2.extract_lane(odd, 1)
  } else {
    for (; i < whole; i += 32) {
      first += load<f64>(a + i) * load<f64>(b + i)
      second += load<f64>(a + i, 8) * load<f64>(b + i, 8)
      third += load<f64>(a + i, 16) * load<f64>(b + i, 16)
      fourth += load<f64>(a + i, 24) * load<f64>(b + i, 24)
    }
  }
  for (; i < bytes; i += 8) first += load<f64>(a + i) * load<f64>(b + i)
  return first + second + (third + fourth)
}

/** out = a − b; returns how many entries of it are not 0. */
export function difference(n: u32, a: usize, b: usize, out: usize): u32 {
  let count: u32 = 0
  for (let i: usize = 0; i < <usize>n << 3; i += 8) {
    const value = load<f64>(a + i) - load<f64>(b + i)
    store<f64>(out + i, value)
    count += u32(value != 0)
  }
  return count
}

/** Lists the entries that are not 0, and returns how many these are. */
export function listNonZero(n: u32, values: usize, list: usize): u32 {
  let count: u32 = 0
  for (let i: u32 = 0; i < n; i++) {
    store<u32>(list + (<usize>count << 2), i)
    count += u32(load<f64>(values + (<usize>i << 3)) != 0)
  }
  return count
}

/** How many entries are above 0. */
export function countPositive(n: u32, values: usize): u32 {
  let count: u32 = 0
  for (let i: usize = 0; i < <usize>n << 3; i += 8) count += u32(load<f64>(values + i) > 0)
  return count
}
