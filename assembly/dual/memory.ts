/** Entries of arrays in linear memory, by index. */

// @ts-ignore: decorator
@inline
export function f64At(base: usize, index: i32): f64 {
  return load<f64>(base + (<usize>index << 3))
}

// @ts-ignore: decorator
@inline
export function setF64(base: usize, index: i32, value: f64): void {
  store<f64>(base + (<usize>index << 3), value)
}

// @ts-ignore: decorator
@inline
export function u32At(base: usize, index: i32): i32 {
  return <i32>load<u32>(base + (<usize>index << 2))
}

// @ts-ignore: decorator
@inline
export function setU32(base: usize, index: i32, value: u32): void {
  store<u32>(base + (<usize>index << 2), value)
}

/** Σ of the first `count`. */
export function sumOf(base: usize, count: i32): f64 {
  let sum = 0.0
  for (let k = 0; k < count; k++) sum += f64At(base, k)
  return sum
}

/** A pointer that a structure holds. */
// @ts-ignore: decorator
@inline
export function pointer(structure: usize, field: usize): usize {
  return <usize>load<u32>(structure + field)
}
