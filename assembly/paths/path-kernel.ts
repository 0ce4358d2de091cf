/** Kernel values of a path, from the matrix of squared distances or products of all samples. */
import { BLOCK_BYTES, listBlocks, listBytes } from '../dual/sparse-rows'
import { clearStore } from './exact-store'
import { RBF } from '../structures'
import * as at from '../structures'
import { pointer } from '../dual/memory'
import { beginRows } from './pair-rows'
import { powersLessOne, transformRow } from '../kernel/transforms'

/** Rows of K made in one go: enough that taking the next ones costs nothing, so few that all threads stay busy to the end. */
export const FILL_ROWS: u32 = 64
/**
 * K is mostly zero when at most this share of its blocks is not: what is skipped must make up for reading lists. Tried (./path.ts): 0.2
 * took 13 % longer, 0.7 as long.
 */
const SPARSE_BELOW: f64 = 0.45

/** Up to here {@link powersLessOne} is good for f32; rounding is at least a bit less than without the shift. */
const MOST_SPREAD: f64 = 0.5

/**
 * Rows by which it is decided whether to list the blocks of others, where nobody knows yet whether they are mostly zero: those of a
 * wide kernel are not.
 */
export const TRIAL_ROWS: u32 = 64

/** Finds the K of a path: in a slot, where others may have made it already; or it makes rows of its own as it needs them. */
export function takeMatrix(space: usize, path: usize, distances: usize): void {
  store<u32>(space, 0, at.SPACE_GATHERED)
  store<u32>(space, 0, at.SPACE_BLOCKS)
  store<u32>(space, 0, at.SPACE_RUN_COUNT)
  store<u32>(space, 0, at.SPACE_HELD_OUT_RUNS)
  store<u32>(space, 0, at.SPACE_BORROWS)
  store<u32>(space, 0, at.SPACE_SECOND_PIECE)
  store<u32>(space, 0, at.SPACE_FACTORED_COUNT)
  if (load<u32>(path, at.PATH_ON_DEMAND)) {
    const m = load<u32>(path, at.PATH_TRAINING)
    store<f64>(space, 0, at.SPACE_SPREAD)
    store<u32>(space, 0, at.SPACE_SLOT)
    store<u32>(space, 0, at.SPACE_LISTS)
    beginRows(space, path)
    store<u32>(space, load<u32>(space, at.SPACE_OWN_STORE), at.SPACE_STORE)
    clearStore(pointer(space, at.SPACE_STORE), m)
    return
  }
  const slots = pointer(space, at.SPACE_SLOTS)
  store<f64>(space, spreadOfKernel(path, distances, load<u32>(slots, at.SLOTS_ROWS)), at.SPACE_SPREAD)
  const end = slots + at.SLOTS_BYTES + <usize>load<u32>(slots, at.SLOTS_COUNT) * at.SLOT_BYTES
  const kernel = load<u32>(path, at.PATH_KERNEL)
  while (atomic.cmpxchg<u32>(slots + at.SLOTS_LOCK, 0, 1) != 0) {}
  let free: usize = 0
  let found: usize = 0
  for (let slot = slots + at.SLOTS_BYTES; slot < end; slot += at.SLOT_BYTES) {
    if (load<u32>(slot, at.SLOT_KERNEL) == kernel) found = slot
    else if (atomic.load<u32>(slot + at.SLOT_USERS) == 0) free = slot
  }
  if (!found) {
    found = free
    store<u32>(found, kernel, at.SLOT_KERNEL)
    atomic.store<u32>(found + at.SLOT_NEXT, 0)
    atomic.store<u32>(found + at.SLOT_DONE, 0)
    atomic.store<u32>(found + at.SLOT_BLOCKS, 0)
    clearStore(pointer(found, at.SLOT_STORE), load<u32>(slots, at.SLOTS_ROWS))
  }
  atomic.add<u32>(found + at.SLOT_USERS, 1)
  atomic.store<u32>(slots + at.SLOTS_LOCK, 0)
  store<u32>(space, <u32>found, at.SPACE_SLOT)
  store<u32>(space, load<u32>(found, at.SLOT_K), at.SPACE_K)
  store<u32>(space, load<u32>(found, at.SLOT_LISTS), at.SPACE_LISTS)
  store<u32>(space, load<u32>(found, at.SLOT_STORE), at.SPACE_STORE)
}

/**
 * |k − 1| at most, where f32 values are to be k − 1; else 0. Where γ d is small, k is 1 but for its last digits, which rounding takes: all
 * there is to know is in k − 1. As β adds up to 0, a constant of all k changes neither Kβ nor any step. No two samples are further from
 * each other than twice the largest distance from the first one.
 */
function spreadOfKernel(path: usize, distances: usize, rows: u32): f64 {
  const kernel = pointer(path, at.PATH_KERNEL)
  const isMade = load<u32>(path, at.PATH_TRANSFORMED) != 0
  if (isMade || !load<u32>(kernel, at.KERNEL_BALANCED) || load<u32>(kernel, at.KERNEL_KIND) != RBF) return 0
  let largest: f32 = 0
  for (let k: usize = 0; k < <usize>rows << 2; k += 4) largest = max(largest, load<f32>(distances + k))
  const most = 4.0 * <f64>largest * load<f64>(kernel, at.KERNEL_GAMMA)
  return most <= MOST_SPREAD ? most : 0
}

/** Gives a slot back. */
export function releaseMatrix(space: usize): void {
  const slot = pointer(space, at.SPACE_SLOT)
  if (slot) atomic.sub<u32>(slot + at.SLOT_USERS, 1)
}

/** Makes some more rows of the K in a slot, whoever uses it; returns whether all are there. */
export function makeRows(space: usize, path: usize, distances: usize, rowBytes: usize): bool {
  const slot = pointer(space, at.SPACE_SLOT)
  const rows = load<u32>(pointer(space, at.SPACE_SLOTS), at.SLOTS_ROWS)
  const kernel = pointer(path, at.PATH_KERNEL)
  const K = pointer(space, at.SPACE_K)
  const from = atomic.add<u32>(slot + at.SLOT_NEXT, FILL_ROWS)
  const to = min(rows, from + FILL_ROWS)
  const lists = pointer(slot, at.SLOT_LISTS)
  const shifts = isShifted(space)
  const hasLists = lists != 0 && isRbf(space) && !shifts
  // Where there is one kernel only, the matrix has its values, and is K.
  const isMade = load<u32>(path, at.PATH_TRANSFORMED) != 0
  let blocks: u32 = 0
  for (let r = from; r < to; r++) {
    const row = K + <usize>r * rowBytes
    const source = distances + <usize>r * rowBytes
    if (shifts) powersLessOne(source, row, rowBytes, <f32>-load<f64>(kernel, at.KERNEL_GAMMA))
    else if (!isMade) transformRow(kernel, source, row, rowBytes)
    memory.fill(row + (<usize>rows << 2), 0, rowBytes - (<usize>rows << 2))
    if (hasLists) blocks += listBlocks(row, rowBytes, lists + <usize>r * listBytes(rowBytes))
  }
  store<u32>(space, <u32>rowBytes, at.SPACE_STRIDE)
  if (from < to) {
    atomic.add<u32>(slot + at.SLOT_BLOCKS, blocks)
    atomic.add<u32>(slot + at.SLOT_DONE, to - from)
  }
  // No more to begin: the counter stays where it cannot overflow.
  else atomic.store<u32>(slot + at.SLOT_NEXT, rows)
  return atomic.load<u32>(slot + at.SLOT_DONE) == rows
}

/**
 * Once K is there: a path over some of the samples finds these in a few stretches of its rows; one over all has lists where K is
 * mostly zero.
 */
export function finishMatrix(space: usize, path: usize): void {
  if (load<u32>(path, at.PATH_ON_DEMAND)) return
  if (!load<u32>(path, at.PATH_SHARES)) {
    const m = load<u32>(path, at.PATH_TRAINING)
    const samples = pointer(path, at.PATH_SAMPLES)
    const runs = pointer(space, at.SPACE_RUNS)
    const own = findRuns(samples, m, 0, runs)
    const heldOut = findRuns(samples + (<usize>m << 2), load<u32>(path, at.PATH_COLUMNS) - m, 0, runs + (<usize>own << 3))
    store<u32>(space, own, at.SPACE_RUN_COUNT)
    store<u32>(space, heldOut, at.SPACE_HELD_OUT_RUNS)
    store<u32>(space, 0, at.SPACE_LISTS)
    if (load<u32>(path, at.PATH_COUNT) == 1) store<u32>(space, 1, at.SPACE_BORROWS)
    else copyMatrix(space, path, m)
    return
  }
  const blocks = atomic.load<u32>(pointer(space, at.SPACE_SLOT) + at.SLOT_BLOCKS)
  const isSparse = !isShifted(space) && isMostlyZero(blocks, load<u32>(path, at.PATH_TRAINING), pointer(space, at.SPACE_STRIDE))
  store<u32>(space, blocks, at.SPACE_BLOCKS)
  if (!isRbf(space) || !isSparse) store<u32>(space, 0, at.SPACE_LISTS)
}

/**
 * Rows and columns of the samples of a path, side by side: every C passes over them again and again. With one C alone, most of them
 * would be read no more than here.
 */
function copyMatrix(space: usize, path: usize, m: u32): void {
  const samples = pointer(path, at.PATH_SAMPLES)
  const runs = pointer(space, at.SPACE_RUNS)
  const count = <i32>load<u32>(space, at.SPACE_RUN_COUNT)
  const all = pointer(space, at.SPACE_K)
  const rowBytes = pointer(space, at.SPACE_STRIDE)
  const own = pointer(space, at.SPACE_OWN_K)
  const lists = pointer(space, at.SPACE_OWN_LISTS)
  const stride = <usize>((m + 15) & ~15) << 2
  let isSparse = isRbf(space) && !isShifted(space)
  let blocks: u32 = 0
  for (let k: usize = 0; k < <usize>m; k++) {
    const row = own + k * stride
    const from = all + <usize>load<u32>(samples + (k << 2)) * rowBytes
    copyRuns(from, from, 0, runs, count, row)
    memory.fill(row + (<usize>m << 2), 0, stride - (<usize>m << 2))
    if (isSparse) blocks += listBlocks(row, stride, lists + k * listBytes(stride))
    if (k + 1 == TRIAL_ROWS && !isMostlyZero(blocks, TRIAL_ROWS, stride)) isSparse = false
  }
  store<u32>(space, <u32>own, at.SPACE_K)
  store<u32>(space, <u32>stride, at.SPACE_STRIDE)
  store<u32>(space, blocks, at.SPACE_BLOCKS)
  if (isSparse && isMostlyZero(blocks, m, stride)) store<u32>(space, <u32>lists, at.SPACE_LISTS)
}

/** Whether the kernel of the path of a workspace is one whose values may be almost zero. */
// @ts-ignore: decorator
@inline
export function isRbf(space: usize): bool {
  return load<u32>(pointer(pointer(space, at.SPACE_PATH), at.PATH_KERNEL), at.KERNEL_KIND) == RBF
}

/** Whether f32 values are k − 1. */
// @ts-ignore: decorator
@inline
export function isShifted(space: usize): bool {
  return load<f64>(space, at.SPACE_SPREAD) > 0
}

/** Whether so few blocks of this many rows are not zero that skipping the others pays. */
// @ts-ignore: decorator
@inline
export function isMostlyZero(blocks: u32, rows: u32, rowBytes: usize): bool {
  return <f64>blocks <= SPARSE_BELOW * <f64>rows * <f64>(rowBytes / BLOCK_BYTES)
}

/** Lists the stretches of consecutive numbers in a list, none across `second`, as pairs of u32: where, and how long, in bytes of f32. */
export function findRuns(list: usize, count: u32, second: u32, runs: usize): i32 {
  let found = 0
  let k: u32 = 0
  while (k < count) {
    const first = load<u32>(list + (<usize>k << 2))
    let length: u32 = 1
    const end = first < second ? min(count, k + second - first) : count
    while (k + length < end && load<u32>(list + (<usize>(k + length) << 2)) == first + length) length++
    store<u32>(runs + (<usize>found << 3), first << 2)
    store<u32>(runs + (<usize>found << 3), length << 2, 4)
    found++
    k += length
  }
  return found
}

/**
 * Copies the stretches of a row one after the other, those from column `second` on from its other piece; up to 12 bytes after the last are
 * written as well.
 */
export function copyRuns(row: usize, other: usize, second: u32, runs: usize, count: i32, out: usize): void {
  for (let run = runs; run < runs + (<usize>count << 3); run += 8) {
    const start = <usize>load<u32>(run)
    const from = (start < <usize>second << 2 ? row : other) + start
    const length = <usize>load<u32>(run, 4)
    if (ASC_FEATURE_SIMD) {
      for (let k: usize = 0; k < length; k += 16) v128.store(out + k, v128.load(from + k))
    } else {
      for (let k: usize = 0; k < length; k += 4) store<f32>(out + k, load<f32>(from + k))
    }
    out += length
  }
}
