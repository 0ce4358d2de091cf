/**
 * Rows of kernel values that are mostly zero, as those of a narrow rbf kernel are: each row has a list of its blocks of 16
 * values (a cache line) that are not all zero, and only these are looked at.
 *
 *   list  u16: how many, then their numbers, ascending
 *
 * Samples that are close to one another should be neighbours in the order of the samples: then few blocks are not zero.
 */

/** Values of a block: a cache line of f32. */
export const BLOCK: i32 = 16
export const BLOCK_BYTES: usize = 64
/**
 * Kernel values below this are taken for zero: where K_ii = 1, a six-hundredth of what f32 rounds off. ../paths/path-exact.ts counts
 * it among the errors of v.
 */
export const NEGLIGIBLE: f32 = 1e-10

/** Bytes of the list of a row of this many bytes. */
// @ts-ignore: decorator
@inline
export function listBytes(rowBytes: usize): usize {
  return (rowBytes / BLOCK_BYTES + 1) << 1
}

/** Clears what is negligible in a row of whole blocks, and lists the blocks that are left; returns how many. */
export function listBlocks(row: usize, bytes: usize, list: usize): u32 {
  let found: u32 = 0
  for (let at: usize = 0; at < bytes; at += BLOCK_BYTES) {
    if (!clearNegligible(row + at)) continue
    found++
    store<u16>(list + (<usize>found << 1), <u16>(at / BLOCK_BYTES))
  }
  store<u16>(list, <u16>found)
  return found
}

/** Whether anything of a block is left. */
// @ts-ignore: decorator
@inline
function clearNegligible(block: usize): bool {
  if (ASC_FEATURE_SIMD) {
    const least = f32x4.splat(NEGLIGIBLE)
    const a = v128.load(block)
    const b = v128.load(block, 16)
    const c = v128.load(block, 32)
    const d = v128.load(block, 48)
    const ma = f32x4.gt(a, least)
    const mb = f32x4.gt(b, least)
    const mc = f32x4.gt(c, least)
    const md = f32x4.gt(d, least)
    v128.store(block, v128.and(a, ma))
    v128.store(block, v128.and(b, mb), 16)
    v128.store(block, v128.and(c, mc), 32)
    v128.store(block, v128.and(d, md), 48)
    return v128.any_true(v128.or(v128.or(ma, mb), v128.or(mc, md)))
  }
  let any = false
  for (let k: usize = 0; k < BLOCK_BYTES; k += 4) {
    if (load<f32>(block + k) > NEGLIGIBLE) any = true
    else store<f32>(block + k, 0)
  }
  return any
}

/** Adds the block of column `k` to a list whose blocks are none beyond it. */
// @ts-ignore: decorator
@inline
export function addToList(list: usize, k: i32): void {
  const found = <usize>load<u16>(list)
  const block = <u16>(k / BLOCK)
  if (found > 0 && load<u16>(list + (found << 1)) == block) return
  store<u16>(list + ((found + 1) << 1), block)
  store<u16>(list, <u16>(found + 1))
}

/** v −= coefficient · row, for f64 v and the listed blocks of a f32 row. */
export function subtractBlocks(v: usize, row: usize, list: usize, coefficient: f64): void {
  const end = list + (<usize>load<u16>(list) << 1)
  for (let entry = list + 2; entry <= end; entry += 2) {
    const at = <usize>load<u16>(entry) * BLOCK_BYTES
    if (ASC_FEATURE_SIMD) {
      const c = f64x2.splat(coefficient)
      for (let k: usize = at; k < at + BLOCK_BYTES; k += 8) {
        const value = f64x2.promote_low_f32x4(v128.load_zero<u64>(row + k))
        v128.store(v + (k << 1), f64x2.sub(v128.load(v + (k << 1)), f64x2.mul(c, value)))
      }
    } else {
      for (let k: usize = at; k < at + BLOCK_BYTES; k += 4) {
        store<f64>(v + (k << 1), load<f64>(v + (k << 1)) - coefficient * <f64>load<f32>(row + k))
      }
    }
  }
}
