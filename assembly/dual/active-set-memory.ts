/** The memory of ./active-set.ts: one piece, its parts one after the other. */
import * as at from '../structures'
import { MOST_NEEDED } from '../structures'
import { factorBytes } from './cholesky'

/** Rows that ./cholesky.ts takes together. */
export const FOUR: i32 = 4
/**
 * Share of F that may become free in a cycle, and how many may be tried for each that does. A cycle updates v of all variables, and a
 * variable too many costs a row in and out of L: more at a time makes fewer cycles, but more of those that turn back. Tried on hard
 * problems (moons with C = 32,768, noise with C = 1,000, a9a with C = 1,000, 2,500 to 3,500 samples): half and twice the share took 5 and
 * 15 % longer, 1 and 16 for the other two as long within 15 %.
 */
const FREED_SHARE: f64 = 0.1
const LEAST_FREED: i32 = 4
const TRIED_PER_FREED: i32 = 4

/** Variables that a cycle may free, beside so many free ones. */
export function mostFreed(free: i32): i32 {
  return max(LEAST_FREED, <i32>Math.ceil(FREED_SHARE * <f64>free))
}

/** Variables that are listed for it. */
export function mostWanted(free: i32): i32 {
  return TRIED_PER_FREED * mostFreed(free)
}

/** What has come of a set so far. With what follows it in memory it is all that must be kept to go on between two cycles. */
// @ts-ignore: decorator
@unmanaged
export class State {
  // First ACTIVE_SET of src/engine/memory/structures.ts, which is checked below;
  turns: f64
  work: f64
  violation: f64
  value: f64
  size: f64
  idle: f64
  indefinite: f64
  // then what others need not know: λ of each fixed sum,
  lambda: f64
  otherLambda: f64
  phase: u32
  freeCount: i32
  /** variables that are listed as free, and have yet to be taken into L, */
  pending: i32
  movedCount: i32
  wantCount: i32
  tried: i32
  freed: i32
}

if (
  offsetof<State>('turns') != at.ACTIVE_SET_TURNS ||
  offsetof<State>('work') != at.ACTIVE_SET_WORK ||
  offsetof<State>('violation') != at.ACTIVE_SET_VIOLATION ||
  offsetof<State>('value') != at.ACTIVE_SET_VALUE ||
  offsetof<State>('size') != at.ACTIVE_SET_SIZE ||
  offsetof<State>('idle') != at.ACTIVE_SET_IDLE ||
  offsetof<State>('indefinite') != at.ACTIVE_SET_INDEFINITE
) {
  ERROR('State does not begin with the fields of ACTIVE_SET')
}

/** What a set is of. */
// @ts-ignore: decorator
@unmanaged
export class ActiveSet {
  tube: f64
  tol: f64
  /** A usual value of the diagonal. */
  scale: f64
  /** What f32 rows lack of K, the same everywhere; what is rounded of them, as a share of the diagonal. */
  shift: f64
  spread: f64
  /** Variables, and free ones at most; fixed sums, 1 or 2; whether kernel rows are f32. */
  count: i32
  room: i32
  sums: i32
  single: bool
  /** f64[n] each, padded to an even length; u8[n], or 0; u32[n]: pointers to kernel rows, 0 where there is none. */
  target: usize
  lower: usize
  upper: usize
  diagonal: usize
  beta: usize
  v: usize
  groups: usize
  rows: usize
  /** β that v belongs to, of variables that have moved since (f64[n]), these (u32[n]), and whether they are listed (u8[n]). */
  synced: usize
  moved: usize
  hasMoved: usize
  /** Variables to be freed, and by how much each wants to move: u32 and f64. */
  wants: usize
  wishes: usize
  /** u32: how many rows are needed, and of which variables. */
  needed: usize
  /** f64[room]: a move, L's view of it, a column of Z; pairs of f64[room]: rotations. */
  d: usize
  w: usize
  across: usize
  rotations: usize
  /** u32 and f64 [MOST_NEEDED]: rows to subtract, and with what. */
  pointers: usize
  coefficients: usize
  state: State
  /** u8[n]; u32[room]: the free variables, in the order of L; f64[room]: ρ of each row of L. */
  kinds: usize
  free: usize
  ridges: usize
  /** f64[room] each: y, and each column of Z; L itself. */
  sides: usize
  L: usize
}

/** Where a part starts that follows one of this many bytes. */
// @ts-ignore: decorator
@inline
function after(start: usize, bytes: usize): usize {
  return (start + bytes + 15) & ~15
}

/** Places all parts of a set for `capacity` variables, `room` of them free, behind the set itself. */
function placeParts(set: ActiveSet, capacity: usize, room: usize): void {
  const wants = <usize>mostWanted(<i32>room)
  set.synced = after(changetype<usize>(set), offsetof<ActiveSet>())
  set.moved = after(set.synced, capacity << 3)
  set.hasMoved = after(set.moved, capacity << 2)
  set.wants = after(set.hasMoved, capacity)
  set.wishes = after(set.wants, wants << 2)
  set.needed = after(set.wishes, wants << 3)
  set.d = after(set.needed, <usize>(MOST_NEEDED + 1) << 2)
  set.w = after(set.d, room << 3)
  set.across = after(set.w, room << 3)
  set.rotations = after(set.across, room << 3)
  set.pointers = after(set.rotations, room << 4)
  set.coefficients = after(set.pointers, <usize>MOST_NEEDED << 2)
  set.state = changetype<State>(after(set.coefficients, <usize>MOST_NEEDED << 3))
  set.kinds = after(changetype<usize>(set.state), offsetof<State>())
  set.free = after(set.kinds, capacity)
  set.ridges = after(set.free, room << 2)
  set.sides = after(set.ridges, room << 3)
  set.L = after(set.sides, 3 * (room << 3))
}

/** Bytes for a set of n variables, `room` (a multiple of 4) of them free at most, beside the arrays that it is given. */
export function setBytes(n: i32, room: i32): usize {
  const list = <usize>mostWanted(room) * 12 + <usize>MOST_NEEDED * 16
  const parts = <usize>n * 14 + <usize>room * 76 + list + factorBytes(room + FOUR)
  // Each of the 18 parts is rounded up to 16 bytes.
  return offsetof<ActiveSet>() + offsetof<State>() + parts + 20 * 16
}

/**
 * Makes a set of n variables in {@link setBytes} bytes for `capacity` of them at `set`; returns where its state is. `groups` is 0
 * for one fixed sum; `rows` may be filled as rows are requested.
 */
export function makeSet(
  set: ActiveSet,
  capacity: i32,
  n: i32,
  room: i32,
  single: bool,
  target: usize,
  lower: usize,
  upper: usize,
  diagonal: usize,
  beta: usize,
  v: usize,
  groups: usize,
  rows: usize,
  tube: f64,
  tol: f64,
): State {
  set.count = n
  set.room = room
  set.single = single
  set.sums = groups ? 2 : 1
  set.target = target
  set.lower = lower
  set.upper = upper
  set.diagonal = diagonal
  set.beta = beta
  set.v = v
  set.groups = groups
  set.rows = rows
  set.tube = tube
  set.tol = tol
  set.shift = 0
  set.spread = 1
  let sum = 0.0
  for (let i = 0; i < n; i++) sum += abs(load<f64>(diagonal + (<usize>i << 3)))
  set.scale = sum / <f64>n
  placeParts(set, capacity, room)
  memory.fill(set.hasMoved, 0, n)
  return set.state
}

/** Bytes of the state that are in use: with them, β and v a set like this one continues in the same bits. */
export function stateBytes(set: ActiveSet): usize {
  return set.L + factorBytes(set.state.freeCount) - changetype<usize>(set.state)
}
