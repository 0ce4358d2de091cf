/**
 * Rows of K for a path over two classes, made of the samples when they are needed: of most samples, nobody ever needs one.
 *
 *   row of x    [ k(x, first class) | k(x, second class) ], two pieces
 *
 * The piece with the class that x is of (own) is the same in all pairs of that class: whoever makes it first keeps it for all
 * others, as far as there is room, and nobody copies it. A value does not depend on who made it. Other pieces are one after the other
 * in the order in which they are made, so that paths that need few rows use little memory: the first write to a page costs as much as the
 * values that it has room for.
 */
import { f64At, pointer, setF64, setU32, u32At } from '../dual/memory'
import { selectSmallest } from '../dual/select-working-set'
import { sharedForm } from '../kernel/integer-products'
import { kernelRows } from '../kernel/kernel-rows'
import { clearBlock, packBlock } from '../kernel/queries'
import * as at from '../structures'
import { QUERIES } from '../structures'
import { spend, VALUE_COST } from './path-space'

/** States of an own piece, beside 0. */
const BUSY: u32 = 1
const READY: u32 = 2
/** In place of "there": to be made next. */
const CHOSEN: u8 = 2
/**
 * Rows that are made for one direction at a time: a share of all, but so many, as kernel rows come in sixteens. Tried (./path.ts): 24
 * and 96 as a share took as long, at least 8 11 % longer, at least 64 10 % less in searches; in fits of six and ten classes a tenth more.
 */
const NEWCOMER_SHARE: i32 = 48
const LEAST_NEWCOMERS: i32 = 16
/**
 * Rows from which it is estimated where to begin, as every one of them has to be made for it. Tried (./path.ts): 8 took as long,
 * 64 13 % longer.
 */
export const FEW_ROWS: i32 = 16

/** No row is there. */
export function beginRows(space: usize, path: usize): void {
  store<u32>(space, load<u32>(space, at.SPACE_OWN_K), at.SPACE_NEXT_PIECE)
  store<u32>(space, load<u32>(path, at.PATH_SPLIT), at.SPACE_SECOND_PIECE)
  memory.fill(pointer(space, at.SPACE_MADE), 0, load<u32>(path, at.PATH_TRAINING))
}

/** Whether the row of a variable is there. */
// @ts-ignore: decorator
@inline
export function isMade(space: usize, k: i32): bool {
  return load<u8>(pointer(space, at.SPACE_MADE) + k) != 0
}

/** Makes the rows of the `count` variables in `list` that are not there yet. */
export function requireRows(space: usize, path: usize, list: usize, count: i32, matrix: usize, scratch: usize): void {
  const made = pointer(space, at.SPACE_MADE)
  const missing = pointer(space, at.SPACE_PAIRS)
  const split = load<u32>(path, at.PATH_SPLIT)
  let fresh = 0
  for (let side = 0; side < 2; side++) {
    const first = fresh
    for (let i = 0; i < count; i++) {
      const k = load<u32>(list + (<usize>i << 2))
      if (load<u8>(made + k) || (k < split) != (side == 0)) continue
      store<u8>(made + k, 1)
      store<u32>(missing + (<usize>fresh << 2), k)
      fresh++
    }
    for (let from = first; from < fresh; from += QUERIES) {
      makeBatch(space, path, side, missing + (<usize>from << 2), min(QUERIES, fresh - from), matrix, scratch)
    }
  }
  spend(space, VALUE_COST * <f64>fresh * <f64>load<u32>(path, at.PATH_TRAINING))
}

/** The rows of every so-many-th variable. */
export function requireEvery(space: usize, path: usize, m: i32, apart: i32, matrix: usize, scratch: usize): void {
  const list = pointer(space, at.SPACE_LIST)
  let count = 0
  for (let k = 0; k < m; k += apart) setU32(list, count++, k)
  requireRows(space, path, list, count, matrix, scratch)
}

/** The rows of all variables whose β is not what g knows of: g can follow them then. */
export function requireChanged(space: usize, path: usize, m: i32, matrix: usize, scratch: usize): void {
  const list = pointer(space, at.SPACE_LIST)
  const beta = pointer(space, at.SPACE_BETA)
  const synced = pointer(space, at.SPACE_SYNCED)
  let count = 0
  for (let k = 0; k < m; k++) if (f64At(beta, k) != f64At(synced, k)) setU32(list, count++, k)
  requireRows(space, path, list, count, matrix, scratch)
}

/**
 * Of the `count` variables in LIST, which want to move, those whose row is there stay, and of each direction the few others
 * that want it most; where sides have sums of their own, of each side and direction, as steps do not lead from one to the other. `above` and
 * `below` are the values of v where those of either side would stay. Returns how many these are.
 */
export function limitNewcomers(space: usize, m: i32, count: i32, target: usize, above: f64, below: f64): i32 {
  const list = pointer(space, at.SPACE_LIST)
  const made = pointer(space, at.SPACE_MADE)
  const beta = pointer(space, at.SPACE_BETA)
  const lower = pointer(space, at.SPACE_LOWER)
  const upper = pointer(space, at.SPACE_UPPER)
  const keys = pointer(space, at.SPACE_P)
  const places = pointer(space, at.SPACE_PAIRS)
  const isSided = load<u32>(space, at.SPACE_SIDED) != 0
  const between = 0.5 * (above + below)
  const few = max(LEAST_NEWCOMERS, m / NEWCOMER_SHARE)
  const groups = isSided ? 4 : 2
  for (let group = 0; group < groups; group++) {
    let found = 0
    for (let i = 0; i < count; i++) {
      const k = u32At(list, i)
      if (load<u8>(made + k)) continue
      const b = f64At(beta, k)
      let low = f64At(lower, k)
      let high = f64At(upper, k)
      let v = f64At(target, k) - f64At(pointer(space, at.SPACE_G), k)
      if (isSided) {
        const isAbove = b > 0 || (b == 0 && high > 0 && (!(low < 0) || v >= between))
        if (isAbove != group < 2) continue
        if (isAbove) low = 0
        else high = 0
        v -= isAbove ? above : below
      } else v -= between
      // At its lower bound it wants to rise where v is above the bias, at its upper one to fall, between them either.
      const rises = b <= low || (b < high && v > 0)
      if (rises != ((group & 1) == 0)) continue
      setF64(keys, found, rises ? -v : v)
      setU32(places, found, k)
      found++
    }
    if (found > few) selectSmallest(keys, places, found, few)
    for (let i = 0; i < min(found, few); i++) store<u8>(made + u32At(places, i), CHOSEN)
  }
  let kept = 0
  for (let i = 0; i < count; i++) {
    const k = u32At(list, i)
    const state = load<u8>(made + k)
    if (state == 0) continue
    if (state == CHOSEN) store<u8>(made + k, 0)
    setU32(list, kept++, k)
  }
  return kept
}

/** The rows of up to 16 variables of one class. */
function makeBatch(
  space: usize,
  path: usize,
  side: i32,
  list: usize,
  count: i32,
  matrix: usize,
  scratch: usize,
): void {
  const split = load<u32>(path, at.PATH_SPLIT)
  const m = load<u32>(path, at.PATH_TRAINING)
  const pieces = pointer(space, at.SPACE_PIECES)
  makePieces(space, path, list, count, pieces, 0, split, side == 0, matrix, scratch)
  makePieces(space, path, list, count, pieces + 4, split, m, side == 1, matrix, scratch)
}

/** The columns from <= c < to of some rows, which are one class. Values are written in fours: every piece has room for that. */
function makePieces(
  space: usize,
  path: usize,
  list: usize,
  count: i32,
  pieces: usize,
  from: u32,
  to: u32,
  isOwn: bool,
  matrix: usize,
  scratch: usize,
): void {
  const samples = pointer(path, at.PATH_SAMPLES)
  const kernel = pointer(path, at.PATH_KERNEL)
  const queries = pointer(space, at.SPACE_BATCH)
  const rows = queries + ((<usize>QUERIES) << 2)
  const claimed = rows + ((<usize>QUERIES) << 2)
  const ownRows = pointer(path, at.PATH_OWN_ROWS)
  const first = load<u32>(samples + (<usize>from << 2))
  const bytes = <usize>((to - from + 3) & ~3) << 2
  let next = pointer(space, at.SPACE_NEXT_PIECE)
  let wanted: usize = 0
  for (let i = 0; i < count; i++) {
    const k = <usize>load<u32>(list + (<usize>i << 2))
    const sample = <usize>load<u32>(samples + (k << 2))
    const shared = isOwn ? <usize>load<u32>(pointer(ownRows, at.OWN_ROWS_PIECES) + (sample << 2)) : 0
    const state = pointer(ownRows, at.OWN_ROWS_STATES) + (sample << 2)
    const isReady = shared != 0 && atomic.load<u32>(state) == READY
    const isClaimed = shared != 0 && !isReady && atomic.cmpxchg<u32>(state, 0, BUSY) == 0
    const piece = isReady || isClaimed ? shared : next
    if (piece == next) next += bytes
    // Where columns and samples begin: below 0 this wraps around, and back again when the offset of the first is added.
    store<u32>(pieces + (k << 3), <u32>(piece - (<usize>from << 2)))
    if (isReady) continue
    const to = wanted << 2
    store<u32>(queries + to, <u32>sample)
    store<u32>(rows + to, <u32>(piece - (<usize>first << 2)))
    store<u32>(claimed + to, <u32>isClaimed)
    wanted++
  }
  store<u32>(space, <u32>next, at.SPACE_NEXT_PIECE)
  if (wanted == 0) return
  const form = sharedForm(matrix, matrix)
  packBlock<f32>(matrix, queries, <i32>wanted, matrix, kernel, form, scratch)
  kernelRows(matrix, kernel, form, first, first + to - from, rows, <i32>wanted, scratch)
  clearBlock<f32>(<i32>wanted, form, scratch)
  if (!isOwn) return
  for (let i: usize = 0; i < wanted << 2; i += 4) {
    const sample = <usize>load<u32>(queries + i) << 2
    store<f32>(<usize>load<u32>(rows + i) + sample, load<f32>(pointer(path, at.PATH_DIAGONAL) + sample))
    if (load<u32>(claimed + i)) atomic.store<u32>(pointer(ownRows, at.OWN_ROWS_STATES) + sample, READY)
  }
}
