/** The active samples of a path: gathered, solved by bursts, and everybody else brought up to date. */
import { lowPenalty, upPenalty } from './burst'
import * as at from './path-layout'
import { addRows, changes, f64At, isIdle, pointer, spend } from './path-space'

/** Samples are left out when these are at most so much of what is active. */
const COMPACT_BELOW: f64 = 0.8

/** Collects what bursts need of the `count` samples in the list of active ones. */
export function gather(space: usize, path: usize, count: i32): void {
  const m = <i32>load<u32>(path, at.PATH_TRAINING)
  const active = pointer(space, at.SPACE_ACTIVE)
  const K = pointer(space, at.SPACE_K)
  const stride = pointer(space, at.SPACE_STRIDE)
  const compactStride = <usize>((count + 15) & ~15) << 2
  let aK = K
  let aStride = stride
  const fits = <u64>compactStride * <u64>count <= <u64>pointer(space, at.SPACE_COMPACT_BYTES)
  if (fits && <f64>count < COMPACT_BELOW * <f64>m) {
    aK = pointer(space, at.SPACE_COMPACT)
    aStride = compactStride
    for (let a = 0; a < count; a++) {
      const row = aK + <usize>a * aStride
      pickScattered(K + <usize>load<u32>(active + (<usize>a << 2)) * stride, active, count, row)
      memory.fill(row + (<usize>count << 2), 0, aStride - (<usize>count << 2))
    }
    spend(space, <f64>count * <f64>count)
  } else {
    for (let k = 0; k < m; k++) store<u32>(active + (<usize>k << 2), k)
    count = m
  }
  store<u32>(space, <u32>aK, at.SPACE_A_K)
  store<u32>(space, <u32>aStride, at.SPACE_A_STRIDE)
  store<u32>(space, count, at.SPACE_ACTIVE_COUNT)
  const diagonal = pointer(space, at.SPACE_DIAGONAL32)
  for (let a = 0; a < count; a++) {
    const from = <usize>load<u32>(active + (<usize>a << 2)) << 3
    const to = <usize>a << 3
    store<f64>(pointer(space, at.SPACE_A_BETA) + to, load<f64>(pointer(space, at.SPACE_BETA) + from))
    store<f64>(pointer(space, at.SPACE_A_LOWER) + to, load<f64>(pointer(space, at.SPACE_LOWER) + from))
    store<f64>(pointer(space, at.SPACE_A_UPPER) + to, load<f64>(pointer(space, at.SPACE_UPPER) + from))
    store<f64>(pointer(space, at.SPACE_A_TARGET) + to, load<f64>(pointer(path, at.PATH_TARGET) + from))
    store<f64>(pointer(space, at.SPACE_A_G) + to, load<f64>(pointer(space, at.SPACE_G) + from))
    store<f32>(diagonal + (to >> 1), load<f32>(aK + <usize>a * aStride + (to >> 1)))
  }
  for (let a = count; a < ((count + 3) & ~3); a++) {
    store<f32>(pointer(space, at.SPACE_UP32) + (<usize>a << 2), -Infinity)
    store<f32>(pointer(space, at.SPACE_LOW32) + (<usize>a << 2), Infinity)
    store<f32>(pointer(space, at.SPACE_V32) + (<usize>a << 2), 0)
    store<f32>(diagonal + (<usize>a << 2), 1)
  }
}

function pickScattered(row: usize, list: usize, count: i32, out: usize): void {
  for (let k: usize = 0; k < <usize>count << 2; k += 4) {
    store<f32>(out + k, load<f32>(row + (<usize>load<u32>(list + k) << 2)))
  }
}

/** v, up and low in f32, relative to the middle between the extremes. */
export function prepareBurst(space: usize, count: i32, tube: f64): void {
  const beta = pointer(space, at.SPACE_A_BETA)
  const lower = pointer(space, at.SPACE_A_LOWER)
  const upper = pointer(space, at.SPACE_A_UPPER)
  const target = pointer(space, at.SPACE_A_TARGET)
  const g = pointer(space, at.SPACE_A_G)
  const v32 = pointer(space, at.SPACE_V32)
  const up32 = pointer(space, at.SPACE_UP32)
  const low32 = pointer(space, at.SPACE_LOW32)
  const middle = 0.5 * (load<f64>(space, at.SPACE_HIGHEST) + load<f64>(space, at.SPACE_LOWEST))
  for (let k: usize = 0; k < <usize>count << 3; k += 8) {
    const b = load<f64>(beta + k)
    store<f32>(v32 + (k >> 1), <f32>(load<f64>(target + k) - load<f64>(g + k) - middle))
    store<f32>(up32 + (k >> 1), <f32>upPenalty(b, load<f64>(upper + k), tube))
    store<f32>(low32 + (k >> 1), <f32>lowPenalty(b, load<f64>(lower + k), tube))
  }
}

/** g of the active samples follows from BEFORE to their β. */
export function follow(space: usize, count: i32): void {
  const changed = changes(
    space,
    count,
    pointer(space, at.SPACE_A_BEFORE),
    pointer(space, at.SPACE_A_BETA),
    pointer(space, at.SPACE_A_K),
    pointer(space, at.SPACE_A_STRIDE),
  )
  addRows(space, pointer(space, at.SPACE_A_G), count, changed)
}

/** g of everybody follows the active β. */
export function synchronise(space: usize, path: usize, count: i32): void {
  const active = pointer(space, at.SPACE_ACTIVE)
  const beta = pointer(space, at.SPACE_BETA)
  for (let a = 0; a < count; a++) {
    const k = load<u32>(active + (<usize>a << 2))
    store<f64>(beta + (<usize>k << 3), f64At(pointer(space, at.SPACE_A_BETA), a))
  }
  catchUp(space, path)
}

/** g of everybody follows β. */
export function catchUp(space: usize, path: usize): void {
  const m = <i32>load<u32>(path, at.PATH_TRAINING)
  const columns = m + <i32>load<u32>(path, at.PATH_HELD_OUT)
  const beta = pointer(space, at.SPACE_BETA)
  const synced = pointer(space, at.SPACE_SYNCED)
  const changed = changes(space, m, synced, beta, pointer(space, at.SPACE_K), pointer(space, at.SPACE_STRIDE))
  addRows(space, pointer(space, at.SPACE_G), columns, changed)
  memory.copy(synced, beta, <usize>m << 3)
}

/** Whether enough of the active samples have become idle for leaving them out to pay. */
export function canShrink(space: usize, count: i32, tube: f64): bool {
  const beta = pointer(space, at.SPACE_A_BETA)
  const lower = pointer(space, at.SPACE_A_LOWER)
  const upper = pointer(space, at.SPACE_A_UPPER)
  const target = pointer(space, at.SPACE_A_TARGET)
  const g = pointer(space, at.SPACE_A_G)
  let idle = 0
  for (let k = 0; k < count; k++) {
    if (isIdle(space, target, g, beta, lower, upper, tube, k)) idle++
  }
  return <f64>idle > 0.4 * <f64>count
}
