/** Kernel values of a path, from the matrix of squared distances or products of all samples. */
import { exp2, exp2Row, LOG2E } from './exp'
import { KERNEL_GAMMA, KERNEL_KIND, RBF } from './layout'
import * as at from './path-layout'
import { pointer } from './path-space'
import { transformTile } from './transforms'

/** Rows of K made in one go. */
const FILL_ROWS: u32 = 256

/** Makes some more rows of K; returns how many there are then. */
export function makeRows(space: usize, path: usize, distances: usize, rowBytes: usize): u32 {
  const samples = pointer(path, at.PATH_SAMPLES)
  const m = load<u32>(path, at.PATH_TRAINING)
  const columns = m + load<u32>(path, at.PATH_HELD_OUT)
  const kernel = pointer(path, at.PATH_KERNEL)
  const K = pointer(space, at.SPACE_K)
  const stride = <usize>((columns + 15) & ~15) << 2
  const from = load<u32>(space, at.SPACE_FILLED)
  const to = min(m, from + FILL_ROWS)
  for (let r = from; r < to; r++) {
    const row = K + <usize>r * stride
    pick(distances + <usize>load<u32>(samples + (<usize>r << 2)) * rowBytes, samples, columns, row)
    memory.fill(row + (<usize>columns << 2), 0, stride - (<usize>columns << 2))
    transformRow(kernel, row, stride)
  }
  store<u32>(space, <u32>stride, at.SPACE_STRIDE)
  store<u32>(space, to, at.SPACE_FILLED)
  return to
}

/** out[k] = row[samples[k]]; stretches of consecutive samples are copied as such. */
function pick(row: usize, samples: usize, count: u32, out: usize): void {
  let k: u32 = 0
  while (k < count) {
    const first = load<u32>(samples + (<usize>k << 2))
    let length: u32 = 1
    while (k + length < count && load<u32>(samples + (<usize>(k + length) << 2)) == first + length) length++
    const from = row + (<usize>first << 2)
    const to = out + (<usize>k << 2)
    let done: usize = 0
    if (ASC_FEATURE_SIMD) {
      for (; done + 16 <= <usize>length << 2; done += 16) v128.store(to + done, v128.load(from + done))
    }
    for (; done < <usize>length << 2; done += 4) store<f32>(to + done, load<f32>(from + done))
    k += length
  }
}

/** From products or squared distances to kernel values, in place. */
function transformRow(kernel: usize, row: usize, bytes: usize): void {
  if (load<u32>(kernel, KERNEL_KIND) != RBF) {
    transformTile(kernel, row, <i32>(bytes >> 6), 0, 0)
    return
  }
  const factor = <f32>(-LOG2E * load<f64>(kernel, KERNEL_GAMMA))
  for (let from = row; from < row + bytes; from += 64) {
    if (ASC_FEATURE_SIMD) {
      const f = f32x4.splat(factor)
      exp2Row(
        from,
        f32x4.mul(f, v128.load(from)),
        f32x4.mul(f, v128.load(from, 16)),
        f32x4.mul(f, v128.load(from, 32)),
        f32x4.mul(f, v128.load(from, 48)),
      )
    } else {
      for (let k: usize = 0; k < 64; k += 4) store<f32>(from + k, exp2(factor * load<f32>(from + k)))
    }
  }
}
