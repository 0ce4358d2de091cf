/** The active samples of a path: gathered, solved by pair loops, and all others brought up to date. */
import { addToList, listBlocks, listBytes } from '../dual/sparse-rows'
import { fallOf, riseOf } from '../dual/rates'
import { copyRuns, findRuns, isMostlyZero, isRbf, isShifted, TRIAL_ROWS } from './path-kernel'
import * as at from '../structures'
import { middle } from '../dual/active-set'
import { f64At, pointer, setF64 } from '../dual/memory'
import { columnOf, followAll, followRows, isBorrowed, isIdle, rowOf, secondPiece, spend } from './path-space'

/**
 * Samples are left out when the others are at most so much of all: gathering reads their rows once, and then every pair step
 * reads a third less or better. Tried (./path.ts): 0.4 and 0.5 took as long.
 */
export const COMPACT_BELOW: f64 = 0.65
/**
 * What was gathered before is kept, and newcomers are added, unless less than this share of it is wanted: steps over it would then
 * cost more than gathering anew. Tried (./path.ts): 0.4 and 0.8 took as long.
 */
const GATHERED_SHARE: f64 = 0.6
/**
 * Room for newcomers, beside those gathered: one gathering then mostly serves several checks. Tried (./path.ts): 0.05 and 0.1
 * took 12 % longer.
 */
const NEWCOMERS: f64 = 0.2
/** The place of a sample that is not among those gathered. */
const NOWHERE: u32 = 0xffffffff

/**
 * Collects what the pair loop needs of the `count` samples in LIST: these become the active ones, or a few more. Where sides have sums
 * of their own, they are in the order of ./path-sides.ts, and stay so.
 */
export function gather(space: usize, path: usize, count: i32): void {
  const m = <i32>load<u32>(path, at.PATH_TRAINING)
  const isSided = load<u32>(space, at.SPACE_SIDED) != 0
  const active = pointer(space, at.SPACE_ACTIVE)
  let aK = pointer(space, at.SPACE_COMPACT)
  let aStride = pointer(space, at.SPACE_COMPACT_STRIDE)
  // Rows that are not its own, or not in one piece, have to be gathered, be it all of them.
  const hasToGather = isBorrowed(space) || secondPiece(space) != 0
  if (hasToGather && !isSided && !(<f64>count < COMPACT_BELOW * <f64>m)) {
    const list = pointer(space, at.SPACE_LIST)
    for (let k = 0; k < m; k++) store<u32>(list + (<usize>k << 2), k)
    count = m
  }
  const isCompactable = hasToGather || <f64>count < COMPACT_BELOW * <f64>m
  let total = !isSided && isCompactable ? addNewcomers(space, count) : 0
  if (total == 0) {
    const width = isSided ? count : min(m, count + 16 + <i32>(NEWCOMERS * <f64>count))
    const room = <usize>((width + 15) & ~15) << 2
    const fits = <u64>room * <u64>width <= <u64>pointer(space, at.SPACE_COMPACT_BYTES)
    if (isSided || (fits && isCompactable)) {
      gatherAnew(space, count, m, room)
      aStride = room
      total = count
    } else {
      store<u32>(space, 0, at.SPACE_GATHERED)
      for (let k = 0; k < m; k++) store<u32>(active + (<usize>k << 2), k)
      aK = pointer(space, at.SPACE_K)
      aStride = pointer(space, at.SPACE_STRIDE)
      total = m
    }
  }
  const isCompact = load<u32>(space, at.SPACE_GATHERED) != 0
  const lists = isSided ? <usize>0 : pointer(space, at.SPACE_LISTS)
  const compactLists = load<u32>(space, at.SPACE_COMPACT_SPARSE) ? pointer(space, at.SPACE_COMPACT_LISTS) : <usize>0
  store<u32>(space, <u32>(isCompact ? compactLists : lists), at.SPACE_A_LISTS)
  if (!isCompact) store<u32>(space, load<u32>(space, at.SPACE_BLOCKS), at.SPACE_A_BLOCKS)
  count = total
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
  if (isSided) keepSides(space, count)
  for (let a = count; a < ((count + 15) & ~15); a++) {
    store<f32>(pointer(space, at.SPACE_UP32) + (<usize>a << 2), -Infinity)
    store<f32>(pointer(space, at.SPACE_LOW32) + (<usize>a << 2), Infinity)
    store<f32>(pointer(space, at.SPACE_V32) + (<usize>a << 2), 0)
    store<f32>(diagonal + (<usize>a << 2), 1)
  }
}

/** The box of each active sample ends at 0, where its side does; those between the sides have none. */
function keepSides(space: usize, count: i32): void {
  const above = <i32>load<u32>(space, at.SPACE_ABOVE)
  const split = <i32>load<u32>(space, at.SPACE_SPLIT)
  const groups = pointer(space, at.SPACE_GROUPS)
  for (let a = 0; a < count; a++) {
    if (a < split) setF64(pointer(space, at.SPACE_A_LOWER), a, 0)
    if (a >= above) setF64(pointer(space, at.SPACE_A_UPPER), a, 0)
    if (a >= above && a < split) setF64(pointer(space, at.SPACE_A_BETA), a, 0)
    store<u8>(groups + a, <u8>(a >= split))
  }
}

/** Rows and columns of the `count` samples in LIST into COMPACT, `room` bytes per row. */
function gatherAnew(space: usize, count: i32, m: i32, room: usize): void {
  const active = pointer(space, at.SPACE_ACTIVE)
  const places = pointer(space, at.SPACE_PLACES)
  const runs = pointer(space, at.SPACE_PAIRS)
  memory.copy(active, pointer(space, at.SPACE_LIST), <usize>count << 2)
  memory.fill(places, 0xff, <usize>m << 2)
  const borrows = isBorrowed(space)
  const columns = borrows ? pointer(space, at.SPACE_RANKS) : active
  if (borrows) {
    for (let a: usize = 0; a < <usize>count << 2; a += 4) {
      store<u32>(columns + a, <u32>columnOf(space, <usize>load<u32>(active + a)))
    }
  }
  const second = secondPiece(space)
  const found = findRuns(columns, count, second, runs)
  const isSided = load<u32>(space, at.SPACE_SIDED) != 0
  let isSparse = !isSided && (borrows ? isRbf(space) && !isShifted(space) : load<u32>(space, at.SPACE_LISTS) != 0)
  let row = pointer(space, at.SPACE_COMPACT)
  let list = pointer(space, at.SPACE_COMPACT_LISTS)
  let blocks: u32 = 0
  for (let a = 0; a < count; a++) {
    const k = <usize>load<u32>(active + (<usize>a << 2))
    store<u32>(places + (k << 2), a)
    copyRuns(rowOf(space, k, 0), rowOf(space, k, 1), second, runs, found, row)
    memory.fill(row + (<usize>count << 2), 0, room - (<usize>count << 2))
    if (isSparse) blocks += listBlocks(row, room, list)
    if (a + 1 == <i32>TRIAL_ROWS && borrows && !isMostlyZero(blocks, TRIAL_ROWS, room)) isSparse = false
    row += room
    list += listBytes(room)
  }
  // Only now it is known of rows that are not its own.
  if (borrows && !isMostlyZero(blocks, count, room)) isSparse = false
  store<u32>(space, <u32>isSparse, at.SPACE_COMPACT_SPARSE)
  store<u32>(space, blocks, at.SPACE_A_BLOCKS)
  store<u32>(space, count, at.SPACE_GATHERED)
  store<u32>(space, <u32>room, at.SPACE_COMPACT_STRIDE)
  spend(space, <f64>count * <f64>count)
}

/**
 * Adds to COMPACT who is in LIST but not there yet; returns how many there are then, or 0, and nothing is done, when there
 * is no room or most of COMPACT is not wanted.
 */
function addNewcomers(space: usize, count: i32): i32 {
  const gathered = <i32>load<u32>(space, at.SPACE_GATHERED)
  const list = pointer(space, at.SPACE_LIST)
  const active = pointer(space, at.SPACE_ACTIVE)
  const places = pointer(space, at.SPACE_PLACES)
  const room = pointer(space, at.SPACE_COMPACT_STRIDE)
  if (gathered == 0) return 0
  let fresh = 0
  for (let k = 0; k < count; k++) {
    if (load<u32>(places + (<usize>load<u32>(list + (<usize>k << 2)) << 2)) == NOWHERE) fresh++
  }
  const total = gathered + fresh
  const fits = <u64>room * <u64>total <= <u64>pointer(space, at.SPACE_COMPACT_BYTES)
  if (!fits || <usize>total << 2 > room || <f64>count < GATHERED_SHARE * <f64>total) return 0
  const compact = pointer(space, at.SPACE_COMPACT)
  const isSparse = load<u32>(space, at.SPACE_COMPACT_SPARSE) != 0
  const second = <usize>secondPiece(space) << 2
  let next = gathered
  for (let k = 0; k < count; k++) {
    const sample = <usize>load<u32>(list + (<usize>k << 2))
    if (load<u32>(places + (sample << 2)) != NOWHERE) continue
    store<u32>(places + (sample << 2), next)
    store<u32>(active + (<usize>next << 2), <u32>sample)
    const first = rowOf(space, sample, 0)
    const other = rowOf(space, sample, 1)
    const row = compact + <usize>next * room
    let column = compact + (<usize>next << 2)
    let list = pointer(space, at.SPACE_COMPACT_LISTS)
    memory.fill(row, 0, room)
    for (let a: usize = 0; a <= <usize>next << 2; a += 4) {
      const from = columnOf(space, <usize>load<u32>(active + a)) << 2
      const value = load<f32>((from < second ? first : other) + from)
      store<f32>(row + a, value)
      store<f32>(column, value)
      // Its own list is made of the whole row, below.
      if (isSparse && value != 0 && a < <usize>next << 2) addToList(list, next)
      column += room
      list += listBytes(room)
    }
    if (isSparse) listBlocks(row, room, list - listBytes(room))
    next++
  }
  store<u32>(space, total, at.SPACE_GATHERED)
  spend(space, 2.0 * <f64>fresh * <f64>total)
  return total
}

/** Marks those that are in COMPACT as ./pair-rows.ts does rows that are there. */
export function markGathered(space: usize, m: i32): void {
  const made = pointer(space, at.SPACE_MADE)
  const places = pointer(space, at.SPACE_PLACES)
  const isAny = load<u32>(space, at.SPACE_GATHERED) != 0
  for (let k = 0; k < m; k++) {
    store<u8>(made + k, <u8>(isAny && load<u32>(places + (<usize>k << 2)) != NOWHERE))
  }
}

/** v, up and low in f32, relative to the middle between the extremes, of a side where there are two. */
export function preparePairLoop(space: usize, count: i32, tube: f64): void {
  const beta = pointer(space, at.SPACE_A_BETA)
  const lower = pointer(space, at.SPACE_A_LOWER)
  const upper = pointer(space, at.SPACE_A_UPPER)
  const target = pointer(space, at.SPACE_A_TARGET)
  const g = pointer(space, at.SPACE_A_G)
  const v32 = pointer(space, at.SPACE_V32)
  const up32 = pointer(space, at.SPACE_UP32)
  const low32 = pointer(space, at.SPACE_LOW32)
  const isSided = load<u32>(space, at.SPACE_SIDED) != 0
  const split = isSided ? <usize>load<u32>(space, at.SPACE_SPLIT) << 3 : 0
  let centre = middle(load<f64>(space, at.SPACE_HIGHEST), load<f64>(space, at.SPACE_LOWEST))
  for (let k: usize = 0; k < <usize>count << 3; k += 8) {
    if (isSided && k == split) {
      centre = middle(load<f64>(space, at.SPACE_OTHER_HIGHEST), load<f64>(space, at.SPACE_OTHER_LOWEST))
    }
    const b = load<f64>(beta + k)
    store<f32>(v32 + (k >> 1), <f32>(load<f64>(target + k) - load<f64>(g + k) - centre))
    store<f32>(up32 + (k >> 1), <f32>riseOf(b, load<f64>(upper + k), tube))
    store<f32>(low32 + (k >> 1), <f32>fallOf(b, load<f64>(lower + k), tube))
  }
}

/** g of the active samples follows from BEFORE to their β. */
export function follow(space: usize, count: i32): void {
  followRows(
    space,
    pointer(space, at.SPACE_A_G),
    count,
    count,
    pointer(space, at.SPACE_A_BEFORE),
    pointer(space, at.SPACE_A_BETA),
    pointer(space, at.SPACE_A_K),
    pointer(space, at.SPACE_A_STRIDE),
    pointer(space, at.SPACE_A_LISTS),
  )
}

/** g of all samples follows the active β. */
export function synchronise(space: usize, path: usize, count: i32): void {
  const active = pointer(space, at.SPACE_ACTIVE)
  const beta = pointer(space, at.SPACE_BETA)
  const isSided = load<u32>(space, at.SPACE_SIDED) != 0
  const above = isSided ? <i32>load<u32>(space, at.SPACE_ABOVE) : count
  const split = isSided ? <i32>load<u32>(space, at.SPACE_SPLIT) : count
  for (let a = 0; a < count; a++) {
    if (a == above) a = split
    if (a == count) break
    const k = load<u32>(active + (<usize>a << 2))
    store<f64>(beta + (<usize>k << 3), f64At(pointer(space, at.SPACE_A_BETA), a))
  }
  catchUp(space, path)
}

/** g of all samples follows β. */
export function catchUp(space: usize, path: usize): void {
  const m = <usize>load<u32>(path, at.PATH_TRAINING)
  const beta = pointer(space, at.SPACE_BETA)
  const synced = pointer(space, at.SPACE_SYNCED)
  followAll(space, path, synced, beta)
  memory.copy(synced, beta, m << 3)
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
  return <f64>idle > (1.0 - GATHERED_SHARE) * <f64>count
}

/** The largest max of v + up − min of v + low in f32, of either side. */
export function spreadOf(space: usize, count: i32): f32 {
  const split = splitOf(space, count)
  return max(spreadBetween(space, 0, split), spreadBetween(space, split, count))
}

/** Whether, by v in f32, enough of the active samples have become idle for leaving them out to pay. */
export function hasFewBusy(space: usize, count: i32): bool {
  const split = splitOf(space, count)
  const busy = busyBetween(space, 0, split) + busyBetween(space, split, count)
  return <f64>busy < GATHERED_SHARE * <f64>count
}

/** Where the second side begins; without sides, where all ends. */
// @ts-ignore: decorator
@inline
function splitOf(space: usize, count: i32): i32 {
  return load<u32>(space, at.SPACE_SIDED) ? <i32>load<u32>(space, at.SPACE_SPLIT) : count
}

function highestBetween(space: usize, from: i32, to: i32): f32 {
  const v32 = pointer(space, at.SPACE_V32)
  const up32 = pointer(space, at.SPACE_UP32)
  let highest: f32 = -Infinity
  for (let k = <usize>from << 2; k < <usize>to << 2; k += 4) {
    highest = max(highest, load<f32>(v32 + k) + load<f32>(up32 + k))
  }
  return highest
}

function lowestBetween(space: usize, from: i32, to: i32): f32 {
  const v32 = pointer(space, at.SPACE_V32)
  const low32 = pointer(space, at.SPACE_LOW32)
  let lowest: f32 = Infinity
  for (let k = <usize>from << 2; k < <usize>to << 2; k += 4) {
    lowest = min(lowest, load<f32>(v32 + k) + load<f32>(low32 + k))
  }
  return lowest
}

function spreadBetween(space: usize, from: i32, to: i32): f32 {
  return highestBetween(space, from, to) - lowestBetween(space, from, to)
}

/** How many are not at a bound that no partner would make them leave. */
function busyBetween(space: usize, from: i32, to: i32): i32 {
  const v32 = pointer(space, at.SPACE_V32)
  const up32 = pointer(space, at.SPACE_UP32)
  const low32 = pointer(space, at.SPACE_LOW32)
  const highest = highestBetween(space, from, to)
  const lowest = lowestBetween(space, from, to)
  let busy = 0
  for (let k = <usize>from << 2; k < <usize>to << 2; k += 4) {
    const v = load<f32>(v32 + k)
    busy += i32(v + load<f32>(up32 + k) >= lowest || v + load<f32>(low32 + k) <= highest)
  }
  return busy
}
