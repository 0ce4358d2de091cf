/** Loops over vectors of f64, one entry per sample. */

/** to += factor · from */
export function addScaled(n: u32, factor: f64, from: usize, to: usize): void {
  for (let i: usize = 0; i < <usize>n << 3; i += 8) {
    store<f64>(to + i, load<f64>(to + i) + factor * load<f64>(from + i))
  }
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

/** How many entries are above 0. */
export function countPositive(n: u32, values: usize): u32 {
  let count: u32 = 0
  for (let i: usize = 0; i < <usize>n << 3; i += 8) count += u32(load<f64>(values + i) > 0)
  return count
}
