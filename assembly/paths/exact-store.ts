/**
 * Kernel rows in f64 that were needed once, kept for other C and, where K is shared, for other folds and threads: what
 * makes a gradient exact is then a sum over rows that are there.
 *
 *   store  used, room (u32 each): rows so far, and at most; rows: f64[room][columns]; states: u32[m]
 *   state  0: not there; BUSY: somebody makes it; else 1 + its place
 */
import { exactTile } from '../sums/exact'
import { multiplyAddDouble } from '../kernel/lanes'
import * as at from '../structures'
import { EXACT_QUERIES, TILE } from '../structures'
import { pointer } from './path-space'
import { clearBlock, packBlock } from '../kernel/queries'
import { sharedForm } from '../kernel/integer-products'

const BUSY: u32 = 0xffffffff
/** Values of a sum that stay in the first-level cache while rows pass by. */
const PART: usize = 1024

/** Forgets all rows of m samples. */
export function clearStore(kept: usize, m: u32): void {
  atomic.store<u32>(kept + at.STORE_USED, 0)
  memory.fill(pointer(kept, at.STORE_STATES), 0, <usize>m << 2)
}

// @ts-ignore: decorator
@inline
function rowBytes(columns: i32): usize {
  return (<usize>(columns + 1) & ~1) << 3
}

/**
 * Makes the rows of the `count` variables in `list` that are not there yet; `samples` are the numbers of all columns, the
 * variables first. Returns how many it made, or −1 when there is no room for all.
 */
export function makeStored(
  kept: usize,
  list: usize,
  count: i32,
  samples: usize,
  columns: i32,
  matrix: usize,
  kernel: usize,
  scratch: usize,
  claimed: usize,
): i32 {
  const states = pointer(kept, at.STORE_STATES)
  let made = 0
  let batch = 0
  for (let i = 0; i < count; i++) {
    const k = <usize>load<u32>(list + (<usize>i << 2))
    const state = states + (k << 2)
    if (atomic.load<u32>(state) == 0 && atomic.cmpxchg<u32>(state, 0, BUSY) == 0) {
      const place = atomic.add<u32>(kept + at.STORE_USED, 1)
      if (place >= load<u32>(kept, at.STORE_ROOM)) {
        atomic.sub<u32>(kept + at.STORE_USED, 1)
        atomic.store<u32>(state, 0)
        makeBatch(kept, batch, samples, columns, matrix, kernel, scratch, claimed)
        return -1
      }
      store<u32>(claimed + (<usize>batch << 3), <u32>k)
      store<u32>(claimed + (<usize>batch << 3), place, 4)
      batch++
      made++
    }
    if (batch == EXACT_QUERIES || i == count - 1) {
      makeBatch(kept, batch, samples, columns, matrix, kernel, scratch, claimed)
      batch = 0
    }
  }
  return made
}

/** Makes the rows that were claimed: pairs of a variable and a place. */
function makeBatch(
  kept: usize,
  batch: i32,
  samples: usize,
  columns: i32,
  matrix: usize,
  kernel: usize,
  scratch: usize,
  claimed: usize,
): void {
  if (batch == 0) return
  const form = sharedForm(matrix, matrix)
  const tile = scratch + at.SCRATCH_TILE
  const queries = scratch + at.SCRATCH_ROWS
  for (let q: usize = 0; q < <usize>batch; q++) {
    store<u32>(queries + (q << 2), load<u32>(samples + (<usize>load<u32>(claimed + (q << 3)) << 2)))
  }
  packBlock<f64>(matrix, queries, batch, matrix, kernel, form, scratch)
  for (let j = 0; j < columns; j += <i32>TILE) {
    const length = min(<i32>TILE, columns - j)
    exactTile(matrix, kernel, form, samples + (<usize>j << 2), length, scratch)
    for (let q = 0; q < batch; q++) {
      const place = <usize>load<u32>(claimed + (<usize>q << 3), 4)
      const out = pointer(kept, at.STORE_ROWS) + place * rowBytes(columns) + (<usize>j << 3)
      const from = tile + (<usize>q << 3)
      for (let s: usize = 0; s < <usize>length; s++) store<f64>(out + (s << 3), load<f64>(from + (s << 6)))
    }
  }
  clearBlock<f64>(batch, form, scratch)
  for (let q = 0; q < batch; q++) {
    const k = <usize>load<u32>(claimed + (<usize>q << 3))
    atomic.store<u32>(pointer(kept, at.STORE_STATES) + (k << 2), load<u32>(claimed + (<usize>q << 3), 4) + 1)
  }
}

/** g = Σ coefficients[i] · row of list[i], in that order for every column; waits for rows that others are making. */
export function sumStored(
  kept: usize,
  list: usize,
  count: i32,
  coefficients: usize,
  g: usize,
  columns: i32,
): void {
  const states = pointer(kept, at.STORE_STATES)
  const end = rowBytes(columns)
  for (let i = 0; i < count; i++) {
    const state = states + (<usize>load<u32>(list + (<usize>i << 2)) << 2)
    let place = atomic.load<u32>(state)
    while (place == BUSY) place = atomic.load<u32>(state)
    store<u32>(list + (<usize>i << 2), <u32>(pointer(kept, at.STORE_ROWS) + <usize>(place - 1) * end))
  }
  memory.fill(g, 0, end)
  for (let from: usize = 0; from < end; from += PART << 3) {
    const to = min(end, from + (PART << 3))
    let i = 0
    for (; i + 4 <= count; i += 4) addFour(g, from, to, list + (<usize>i << 2), coefficients + (<usize>i << 3))
    for (; i < count; i++) addOne(g, from, to, list + (<usize>i << 2), coefficients + (<usize>i << 3))
  }
}

/** g += coefficient · row between two offsets, for the next four rows. */
function addFour(g: usize, from: usize, to: usize, rows: usize, coefficients: usize): void {
  if (ASC_FEATURE_SIMD) {
    const r0 = <usize>load<u32>(rows)
    const r1 = <usize>load<u32>(rows, 4)
    const r2 = <usize>load<u32>(rows, 8)
    const r3 = <usize>load<u32>(rows, 12)
    const c0 = v128.load_splat<f64>(coefficients)
    const c1 = v128.load_splat<f64>(coefficients, 8)
    const c2 = v128.load_splat<f64>(coefficients, 16)
    const c3 = v128.load_splat<f64>(coefficients, 24)
    for (let at = from; at < to; at += 16) {
      let sum = multiplyAddDouble(c0, v128.load(r0 + at), v128.load(g + at))
      sum = multiplyAddDouble(c1, v128.load(r1 + at), sum)
      sum = multiplyAddDouble(c2, v128.load(r2 + at), sum)
      v128.store(g + at, multiplyAddDouble(c3, v128.load(r3 + at), sum))
    }
  } else {
    for (let k: usize = 0; k < 4; k++) addOne(g, from, to, rows + (k << 2), coefficients + (k << 3))
  }
}

/** The same for the next row. */
function addOne(g: usize, from: usize, to: usize, rows: usize, coefficients: usize): void {
  const row = <usize>load<u32>(rows)
  const coefficient = load<f64>(coefficients)
  if (ASC_FEATURE_SIMD) {
    const c = f64x2.splat(coefficient)
    for (let at = from; at < to; at += 16) {
      v128.store(g + at, multiplyAddDouble(c, v128.load(row + at), v128.load(g + at)))
    }
  } else {
    for (let at = from; at < to; at += 8) store<f64>(g + at, coefficient * load<f64>(row + at) + load<f64>(g + at))
  }
}
