/**
 * Kernel rows in f64 that were needed once, kept for other C and, where K is shared, for other folds and threads: what
 * makes a gradient exact is then a sum over rows that are there.
 *
 *   store  used, room (u32 each): rows so far, and at most; rows: f64[room][columns]; states: u32[m]
 *   state  0: not there; BUSY: a thread is making it; else 1 + its place
 */
import { pointer } from '../dual/memory'
import { exactRows } from '../sums/exact-rows'
import * as at from '../structures'
import { EXACT_QUERIES } from '../structures'

/** No place is that large. */
const BUSY: u32 = 0xffffffff

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
  const queries = scratch + at.SCRATCH_ROWS
  const rows = queries + (<usize>EXACT_QUERIES << 2)
  for (let q: usize = 0; q < <usize>batch; q++) {
    const place = <usize>load<u32>(claimed + (q << 3), 4)
    store<u32>(queries + (q << 2), load<u32>(samples + (<usize>load<u32>(claimed + (q << 3)) << 2)))
    store<u32>(rows + (q << 2), <u32>(pointer(kept, at.STORE_ROWS) + place * rowBytes(columns)))
  }
  exactRows(matrix, kernel, queries, batch, samples, 0, columns, rows, scratch)
  for (let q = 0; q < batch; q++) {
    const k = <usize>load<u32>(claimed + (<usize>q << 3))
    atomic.store<u32>(pointer(kept, at.STORE_STATES) + (k << 2), load<u32>(claimed + (<usize>q << 3), 4) + 1)
  }
}

/**
 * In place of each of up to {@link EXACT_QUERIES} variables in `list`, where its row is: in the store, or in `passing`, where it is
 * made now.
 */
export function findOrMake(
  kept: usize,
  list: usize,
  count: i32,
  samples: usize,
  columns: i32,
  matrix: usize,
  kernel: usize,
  scratch: usize,
  passing: usize,
): void {
  const states = pointer(kept, at.STORE_STATES)
  const end = rowBytes(columns)
  const queries = scratch + at.SCRATCH_ROWS
  const rows = queries + (<usize>EXACT_QUERIES << 2)
  let missing: usize = 0
  for (let i: usize = 0; i < <usize>count; i++) {
    const k = <usize>load<u32>(list + (i << 2))
    const place = atomic.load<u32>(states + (k << 2))
    const isThere = place != 0 && place != BUSY
    const row = isThere ? pointer(kept, at.STORE_ROWS) + <usize>(place - 1) * end : passing + missing * end
    store<u32>(list + (i << 2), <u32>row)
    if (isThere) continue
    store<u32>(queries + (missing << 2), load<u32>(samples + (k << 2)))
    store<u32>(rows + (missing << 2), <u32>row)
    missing++
  }
  if (missing > 0) exactRows(matrix, kernel, queries, <i32>missing, samples, 0, columns, rows, scratch)
}

/** In place of each variable in `list`, where its row of so many columns is; waits for rows that others are making. */
export function findStored(kept: usize, list: usize, count: i32, columns: i32): void {
  const states = pointer(kept, at.STORE_STATES)
  const end = rowBytes(columns)
  for (let i = 0; i < count; i++) {
    const state = states + (<usize>load<u32>(list + (<usize>i << 2)) << 2)
    let place = atomic.load<u32>(state)
    while (place == BUSY) place = atomic.load<u32>(state)
    store<u32>(list + (<usize>i << 2), <u32>(pointer(kept, at.STORE_ROWS) + <usize>(place - 1) * end))
  }
}
