/**
 * The active samples of a path by an active-set method. With F the free variables and all others at their bounds, the
 * best move d of β_F, and the bias λ, solve one linear system,
 *
 *   K_FF d + λ 1 = v_F,   Σ d = 0:   d = p − λ q  with  K p = v_F,  K q = 1,  λ = Σp / Σq.
 *
 * It is followed to the first bound, whose variable is then no longer free; or to its end, and then the variables that
 * most want to leave their bounds become free. The dual falls at every turn. K_FF = L Lᵀ is factorised once, in F³/6, and
 * follows F in F² a turn. Where C is large, some hundred turns replace millions of pair steps; there is a credit for
 * them, earned by what pair steps have cost.
 *
 * With a tube, β is on its positive or on its negative piece; both end at 0.
 */
import { lowPenalty, snapped, upPenalty } from './pair-loop'
import { factorize, finishRow, removeRow, solvePair } from './cholesky'
import { subtractRows } from '../sums/gradient'
import * as at from '../structures'
import { ADD_COST, f64At, pointer } from '../paths/path-space'

/** Kinds of variables. */
const FIXED: u32 = 0
/** Free on the piece of the box where v − ε (with a tube) counts; without a tube, on all of it. */
const FREE: u32 = 1
/** Free on the piece where v + ε counts. */
const FREE_BELOW: u32 = 2

/** For how many turns beyond the first there must be credit to begin with. */
const FEW_TURNS: f64 = 60.0
/** Variables that become free at a turn at most. */
const MOST_FREED: i32 = 4
/** Error of a kernel value in f32, with some to spare; the ridge is this times √F. */
const ROUNDING: f64 = 1.2e-7
/** Costs in nanoseconds: of L, per multiply-add; of following F and solving, per value of L. */
const FACTOR_COST: f64 = 0.3
const TURN_COST: f64 = 1.5

// @ts-ignore: decorator
@inline
function u32At(base: usize, index: i32): i32 {
  return <i32>load<u32>(base + (<usize>index << 2))
}

/** Goes on until everybody is where they should be or the credit is used up; returns whether β has moved. */
export function freeStep(space: usize, count: i32, tube: f64, tol: f64): bool {
  const kinds = pointer(space, at.SPACE_KINDS)
  const list = pointer(space, at.SPACE_LIST)
  let free = findFree(space, count, tube)
  // L has room for those that may become free as well.
  let room = min(count, free + 64 + free / 2)
  let stride = (<usize>(room + 1) & ~1) << 3
  if (free < 2 || <u64>stride * <u64>(room + 4) > <u64>pointer(space, at.SPACE_FACTOR_BYTES)) return false
  const f = <f64>free
  const known = knowsFactor(space, count, free)
  const first = known ? 0 : (FACTOR_COST * f * f * f) / 6.0
  if (load<f64>(space, at.SPACE_CREDIT) < first + FEW_TURNS * turnCost(free, count)) return false
  if (known) {
    stride = pointer(space, at.SPACE_FACTOR_STRIDE)
    room = <i32>(stride >> 3)
  } else {
    pay(space, first)
    for (let i = 0; i < free; i++) writeRow(space, stride, i)
    factorize(free, pointer(space, at.SPACE_FACTOR), stride)
  }
  let moved = false
  while (pay(space, turnCost(free, count))) {
    if (!solveFree(space, stride, free, tube)) break
    const blocking = followMove(space, count, free, tube)
    if (blocking == FAILED) break
    moved = true
    if (blocking >= 0) {
      store<u8>(kinds + u32At(list, blocking), <u8>FIXED)
      removeRow(free, pointer(space, at.SPACE_FACTOR), stride, blocking, pointer(space, at.SPACE_TURNS))
      free--
      for (let i = blocking; i < free; i++) store<u32>(list + (<usize>i << 2), u32At(list, i + 1))
      if (free < 2) break
      continue
    }
    const more = release(space, count, free, tube, tol, room)
    if (more == free) break
    for (let i = free; i < more; i++) {
      writeRow(space, stride, i)
      finishRow(pointer(space, at.SPACE_FACTOR), stride, i, 0)
    }
    free = more
  }
  rememberFactor(space, free, stride)
  return moved
}

/** L stays for the next time: of which samples it is, in its order. */
function rememberFactor(space: usize, free: i32, stride: usize): void {
  const list = pointer(space, at.SPACE_LIST)
  const active = pointer(space, at.SPACE_ACTIVE)
  const factored = pointer(space, at.SPACE_FACTORED)
  for (let i = 0; i < free; i++) store<u32>(factored + (<usize>i << 2), u32At(active, u32At(list, i)))
  store<u32>(space, free, at.SPACE_FACTORED_COUNT)
  store<u32>(space, <u32>stride, at.SPACE_FACTOR_STRIDE)
}

/** Whether L is that of the free variables, which are then listed in its order. */
function knowsFactor(space: usize, count: i32, free: i32): bool {
  if (<i32>load<u32>(space, at.SPACE_FACTORED_COUNT) != free) return false
  const list = pointer(space, at.SPACE_LIST)
  const kinds = pointer(space, at.SPACE_KINDS)
  const active = pointer(space, at.SPACE_ACTIVE)
  const factored = pointer(space, at.SPACE_FACTORED)
  const ranks = pointer(space, at.SPACE_TURNS)
  const m = <i32>load<u32>(pointer(space, at.SPACE_PATH), at.PATH_TRAINING)
  memory.fill(ranks, 0xff, <usize>m << 2)
  for (let i = 0; i < free; i++) store<u32>(ranks + (<usize>u32At(factored, i) << 2), i)
  for (let k = 0; k < count; k++) {
    if (load<u8>(kinds + k) != FIXED && u32At(ranks, u32At(active, k)) < 0) return false
  }
  for (let k = 0; k < count; k++) {
    if (load<u8>(kinds + k) == FIXED) continue
    store<u32>(list + (<usize>u32At(ranks, u32At(active, k)) << 2), k)
  }
  return true
}

// @ts-ignore: decorator
@inline
function turnCost(free: i32, count: i32): f64 {
  return <f64>free * (TURN_COST * <f64>free + ADD_COST * <f64>count) + 4.0 * <f64>count
}

/** Takes a cost from the credit; false, and nothing, when it does not suffice. */
function pay(space: usize, cost: f64): bool {
  const credit = load<f64>(space, at.SPACE_CREDIT)
  if (cost > credit) return false
  store<f64>(space, credit - cost, at.SPACE_CREDIT)
  store<f64>(space, load<f64>(space, at.SPACE_WORK) + cost, at.SPACE_WORK)
  return true
}

/** Lists who is inside the box; returns how many. */
function findFree(space: usize, count: i32, tube: f64): i32 {
  const beta = pointer(space, at.SPACE_A_BETA)
  const lower = pointer(space, at.SPACE_A_LOWER)
  const upper = pointer(space, at.SPACE_A_UPPER)
  const kinds = pointer(space, at.SPACE_KINDS)
  const list = pointer(space, at.SPACE_LIST)
  let free = 0
  for (let k = 0; k < count; k++) {
    const b = f64At(beta, k)
    let kind = FIXED
    if (b > f64At(lower, k) && b < f64At(upper, k) && !(tube > 0 && b == 0)) {
      kind = tube > 0 && b < 0 ? FREE_BELOW : FREE
      store<u32>(list + (<usize>free << 2), k)
      free++
    }
    store<u8>(kinds + k, <u8>kind)
  }
  return free
}

/** Row i of K_FF, up to its diagonal; the ridge is above the rounding of K. */
function writeRow(space: usize, stride: usize, i: i32): void {
  const list = pointer(space, at.SPACE_LIST)
  const k = u32At(list, i)
  const row = pointer(space, at.SPACE_A_K) + <usize>k * pointer(space, at.SPACE_A_STRIDE)
  const out = pointer(space, at.SPACE_FACTOR) + <usize>i * stride
  for (let j = 0; j < i; j++) {
    store<f64>(out + (<usize>j << 3), <f64>load<f32>(row + (<usize>u32At(list, j) << 2)))
  }
  const own = <f64>load<f32>(row + (<usize>k << 2))
  store<f64>(out + (<usize>i << 3), own + ROUNDING * Math.sqrt(<f64>(i + 1)) * own)
}

/** v of a free variable, as its piece of the box sees it. */
// @ts-ignore: decorator
@inline
function gainOf(space: usize, k: i32, kind: u32, tube: f64): f64 {
  const v = f64At(pointer(space, at.SPACE_A_TARGET), k) - f64At(pointer(space, at.SPACE_A_G), k)
  return v - (kind == FREE ? tube : -tube)
}

/** The ends of the piece that a free variable is on. */
// @ts-ignore: decorator
@inline
function floorOf(kind: u32, lower: f64, tube: f64): f64 {
  return tube > 0 && kind == FREE ? 0 : lower
}

// @ts-ignore: decorator
@inline
function ceilingOf(kind: u32, upper: f64): f64 {
  return kind == FREE_BELOW ? 0 : upper
}

/** d into P (by position in LIST), λ into LAMBDA. False when there is no such d. */
function solveFree(space: usize, stride: usize, free: i32, tube: f64): bool {
  const list = pointer(space, at.SPACE_LIST)
  const kinds = pointer(space, at.SPACE_KINDS)
  const pairs = pointer(space, at.SPACE_PAIRS)
  const p = pointer(space, at.SPACE_P)
  for (let i = 0; i < free; i++) {
    const k = u32At(list, i)
    store<f64>(pairs + (<usize>i << 4), gainOf(space, k, <u32>load<u8>(kinds + k), tube))
    store<f64>(pairs + (<usize>i << 4), 1.0, 8)
  }
  solvePair(free, pointer(space, at.SPACE_FACTOR), stride, pairs)
  let sumP = 0.0
  let sumQ = 0.0
  for (let i = 0; i < free; i++) {
    sumP += load<f64>(pairs + (<usize>i << 4))
    sumQ += load<f64>(pairs + (<usize>i << 4), 8)
  }
  const lambda = sumP / sumQ
  if (!(Math.abs(lambda) < Infinity)) return false
  store<f64>(space, lambda, at.SPACE_LAMBDA)
  for (let i = 0; i < free; i++) {
    const pair = pairs + (<usize>i << 4)
    store<f64>(p + (<usize>i << 3), load<f64>(pair) - lambda * load<f64>(pair, 8))
  }
  return true
}

/** What {@link followMove} returns beside the position of the variable that reached its bound. */
const REACHED_END: i32 = -1
const FAILED: i32 = -2

/** β follows d to the first bound or to the least dual value, and g with it. */
function followMove(space: usize, count: i32, free: i32, tube: f64): i32 {
  const beta = pointer(space, at.SPACE_A_BETA)
  const lower = pointer(space, at.SPACE_A_LOWER)
  const upper = pointer(space, at.SPACE_A_UPPER)
  const g = pointer(space, at.SPACE_A_G)
  const kinds = pointer(space, at.SPACE_KINDS)
  const list = pointer(space, at.SPACE_LIST)
  const p = pointer(space, at.SPACE_P)
  const q = pointer(space, at.SPACE_Q)
  const rows = pointer(space, at.SPACE_A_BEFORE)
  const coefficients = pointer(space, at.SPACE_COEFFICIENTS)
  const K = pointer(space, at.SPACE_A_K)
  const rowBytes = pointer(space, at.SPACE_A_STRIDE)
  let reach = Infinity
  let blocking = REACHED_END
  let slope = 0.0
  for (let i = 0; i < free; i++) {
    const k = u32At(list, i)
    const d = f64At(p, i)
    const kind = <u32>load<u8>(kinds + k)
    slope += d * gainOf(space, k, kind, tube)
    store<u32>(rows + (<usize>i << 2), <u32>(K + <usize>k * rowBytes))
    store<f64>(coefficients + (<usize>i << 3), -d)
    if (d == 0) continue
    const end = d > 0 ? ceilingOf(kind, f64At(upper, k)) : floorOf(kind, f64At(lower, k), tube)
    const far = (end - f64At(beta, k)) / d
    if (far < reach) {
      reach = far
      blocking = i
    }
  }
  if (!(slope > 0)) return FAILED
  if (reach <= 0) return blocking
  memory.fill(q, 0, <usize>(count + 1) << 3)
  subtractRows(q, 0, <u32>count, rows, coefficients, free)
  let bend = 0.0
  for (let i = 0; i < free; i++) bend += f64At(p, i) * f64At(q, u32At(list, i))
  let t = bend > 0 ? slope / bend : Infinity
  if (t < reach) blocking = REACHED_END
  else t = reach
  if (t == Infinity) return FAILED
  for (let i = 0; i < free; i++) {
    const k = u32At(list, i)
    const d = f64At(p, i)
    const kind = <u32>load<u8>(kinds + k)
    const floor = floorOf(kind, f64At(lower, k), tube)
    const ceiling = ceilingOf(kind, f64At(upper, k))
    const end = d > 0 ? ceiling : floor
    store<f64>(beta + (<usize>k << 3), i == blocking ? end : snapped(f64At(beta, k) + t * d, floor, ceiling))
  }
  for (let k = 0; k < count; k++) store<f64>(g + (<usize>k << 3), f64At(g, k) + t * f64At(q, k))
  return blocking
}

/** Frees those that most want to leave their bounds, by more than half of tol; returns how many are free then. */
function release(space: usize, count: i32, free: i32, tube: f64, tol: f64, room: i32): i32 {
  const beta = pointer(space, at.SPACE_A_BETA)
  const lower = pointer(space, at.SPACE_A_LOWER)
  const upper = pointer(space, at.SPACE_A_UPPER)
  const target = pointer(space, at.SPACE_A_TARGET)
  const g = pointer(space, at.SPACE_A_G)
  const kinds = pointer(space, at.SPACE_KINDS)
  const list = pointer(space, at.SPACE_LIST)
  const lambda = load<f64>(space, at.SPACE_LAMBDA)
  for (let turn = 0; turn < MOST_FREED && free < room; turn++) {
    let most = 0.5 * tol
    let chosen = -1
    let piece = FREE
    for (let k = 0; k < count; k++) {
      if (load<u8>(kinds + k) != FIXED) continue
      const b = f64At(beta, k)
      const v = f64At(target, k) - f64At(g, k)
      const rise = v + upPenalty(b, f64At(upper, k), tube) - lambda
      const fall = lambda - (v + lowPenalty(b, f64At(lower, k), tube))
      if (max(rise, fall) <= most) continue
      most = max(rise, fall)
      chosen = k
      piece = tube > 0 && (rise > fall ? b < 0 : b <= 0) ? FREE_BELOW : FREE
    }
    if (chosen < 0) break
    store<u8>(kinds + chosen, <u8>piece)
    store<u32>(list + (<usize>free << 2), chosen)
    free++
  }
  return free
}
