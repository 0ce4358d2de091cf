/**
 * A round of the block solver (src/solve/blocks/engine-dual-point.ts) but for kernel values and steps: who is in its working set, what
 * ./pair-loop.ts has to know of them, and what follows from how far they have moved. ROUND of ../structures.ts has it all.
 *
 * Where the sum over each of two groups is fixed, the first group comes first in the order of the pair loop; fillers, which cannot
 * move, make it a multiple of the lanes.
 */
import * as at from '../structures'
import { f64At, pointer, setF64, setU32, u32At } from './memory'
import { fallOf, riseOf } from './rates'
import { findViolators } from './select-working-set'

/** The pair loop takes eight variables at a time, of one group. */
const LANES: i32 = 8
/** Rows of K begin with cache lines: f32 in one of them. So many columns of it are made together, too. */
const LINE: i32 = 16

/** Bytes of the extremes of a group (./select-working-set.ts): m, M and two more. */
const EXTREMES_BYTES: usize = 32

// @ts-ignore: decorator
@inline
function number(round: usize, field: usize): i32 {
  return <i32>load<u32>(round + field)
}

/**
 * Chooses among `active` variables. Every other one of the last set stays, as they are rarely settled immediately: some of
 * either side, some
 * new and some old. The worst violators of both sides of each group share the rest. Returns how many stay.
 */
export function chooseSet(round: usize, active: i32): i32 {
  const set = pointer(round, at.ROUND_SET)
  const slots = pointer(round, at.ROUND_SLOTS)
  const last = number(round, at.ROUND_SET_SIZE)
  const size = number(round, at.ROUND_SIZE)
  const kept = min(last, size >> 1)
  for (let a = 0; a < kept; a++) {
    const slot = <i32>(((<f64>a + 0.5) * <f64>last) / <f64>kept)
    setU32(slots, a, slot)
    setU32(set, a, u32At(set, slot))
  }
  store<u32>(round, fillSet(round, active, set, size, kept, false), at.ROUND_SET_SIZE)
  return kept
}

/**
 * Fills the list `out`, of which `filled` are there, up to `size`: from both sides of each group the worst violators that are not in
 * it yet, or those that would be next if there is none (`anyone`). Returns how many there are then.
 */
export function fillSet(round: usize, active: i32, out: usize, size: i32, filled: i32, anyone: bool): i32 {
  const v = pointer(round, at.ROUND_V)
  const groups = pointer(round, at.ROUND_GROUPS)
  const taken = pointer(round, at.ROUND_TAKEN)
  const keys = pointer(round, at.ROUND_KEYS)
  const positions = pointer(round, at.ROUND_POSITIONS)
  for (let a = 0; a < filled; a++) store<u8>(taken + u32At(out, a), 1)
  let end = filled
  let shares = groups ? 4 : 2
  let extremes = pointer(round, at.ROUND_EXTREMES)
  for (let group: u32 = 0; shares > 0; group++) {
    for (let side = 0; side < 2; side++) {
      const penalties = pointer(round, side == 0 ? at.ROUND_UP : at.ROUND_LOW)
      const beyond = anyone ? Infinity : side == 0 ? -load<f64>(extremes, 8) : load<f64>(extremes)
      const wanted = (size - end) / shares
      shares--
      const sign = side == 0 ? -1.0 : 1.0
      const found = findViolators(active, v, penalties, sign, beyond, taken, groups, group, wanted, keys, positions)
      for (let a = 0; a < <i32>found; a++) {
        const position = u32At(positions, a)
        setU32(out, end++, position)
        store<u8>(taken + position, 1)
      }
    }
    extremes += EXTREMES_BYTES
  }
  for (let a = 0; a < end; a++) store<u8>(taken + u32At(out, a), 0)
  return end
}

/**
 * Takes over the chosen variables, v relative to the bias of their group. Of the first, `kept` of which were there the time before, the
 * kernel values among themselves stay if there is room for them, of whole lines of them; returns how many these are.
 */
export function loadSet(round: usize, kept: i32, bias: f64, otherBias: f64): i32 {
  const strideBefore = number(round, at.ROUND_STRIDE)
  arrange(round)
  const count = number(round, at.ROUND_COUNT)
  const stride = (count + LINE - 1) & -LINE
  const hasGroups = pointer(round, at.ROUND_GROUPS) != 0
  const known = hasGroups || stride > strideBefore ? 0 : kept & -LINE
  if (!hasGroups) {
    store<u32>(round, stride, at.ROUND_FILLERS)
    store<u32>(round, stride, at.ROUND_SPLIT)
  }
  store<u32>(round, stride, at.ROUND_STRIDE)
  const tube = load<f64>(round, at.ROUND_TUBE)
  const split = number(round, at.ROUND_SPLIT)
  const K = pointer(round, at.ROUND_K)
  const samples = pointer(round, at.ROUND_SET_SAMPLES)
  const positions = pointer(round, at.ROUND_SET_POSITIONS)
  for (let a = 0; a < stride; a++) {
    const sample = a < count ? u32At(samples, a) : 0
    const moves = a < count && canMove(round, a)
    const own = moves ? f64At(pointer(round, at.ROUND_BETA), sample) : 0
    const lower = moves ? f64At(pointer(round, at.ROUND_LOWER), sample) : 0
    const upper = moves ? f64At(pointer(round, at.ROUND_UPPER), sample) : 0
    const to = <usize>a << 2
    const v = moves ? f64At(pointer(round, at.ROUND_V), u32At(positions, a)) - (a < split ? bias : otherBias) : 0
    store<f32>(pointer(round, at.ROUND_SET_V) + to, <f32>v)
    store<f32>(pointer(round, at.ROUND_SET_UP) + to, <f32>riseOf(own, upper, tube))
    store<f32>(pointer(round, at.ROUND_SET_LOW) + to, <f32>fallOf(own, lower, tube))
    const diagonal = a < count ? f64At(pointer(round, at.ROUND_DIAGONAL), sample) : 1
    store<f32>(pointer(round, at.ROUND_SET_DIAGONAL) + to, <f32>diagonal)
    setF64(pointer(round, at.ROUND_SET_BETA), a, own)
    setF64(pointer(round, at.ROUND_SET_BEFORE), a, own)
    setF64(pointer(round, at.ROUND_SET_LOWER), a, lower)
    setF64(pointer(round, at.ROUND_SET_UPPER), a, upper)
    setU32(pointer(round, at.ROUND_ROWS), a, <u32>(K + <usize>(a * stride) * 4))
  }
  keepValues(round, known, strideBefore)
  return known
}

/** Puts the first group first, a multiple of the lanes. */
function arrange(round: usize): void {
  const set = pointer(round, at.ROUND_SET)
  const size = number(round, at.ROUND_SET_SIZE)
  const positions = pointer(round, at.ROUND_SET_POSITIONS)
  const groups = pointer(round, at.ROUND_GROUPS)
  let count = 0
  if (groups) {
    for (let a = 0; a < size; a++) if (load<u8>(groups + u32At(set, a)) == 0) setU32(positions, count++, u32At(set, a))
    store<u32>(round, count, at.ROUND_FILLERS)
    while (count % LANES > 0) setU32(positions, count++, u32At(set, 0))
    store<u32>(round, count, at.ROUND_SPLIT)
    for (let a = 0; a < size; a++) if (load<u8>(groups + u32At(set, a)) != 0) setU32(positions, count++, u32At(set, a))
  } else {
    memory.copy(positions, set, <usize>size << 2)
    count = size
  }
  store<u32>(round, count, at.ROUND_COUNT)
  const active = pointer(round, at.ROUND_ACTIVE)
  const samples = pointer(round, at.ROUND_SET_SAMPLES)
  for (let a = 0; a < count; a++) setU32(samples, a, u32At(active, u32At(positions, a)))
}

/** Whether a variable is one of the set: not a filler. */
// @ts-ignore: decorator
@inline
function canMove(round: usize, a: i32): bool {
  return a < number(round, at.ROUND_FILLERS) || a >= number(round, at.ROUND_SPLIT)
}

/** Moves the kernel values of those that stay to the front. Slots ascend: nothing is written before it is read. */
function keepValues(round: usize, known: i32, strideBefore: i32): void {
  const K = pointer(round, at.ROUND_K)
  const stride = number(round, at.ROUND_STRIDE)
  const slots = pointer(round, at.ROUND_SLOTS)
  const diagonal = pointer(round, at.ROUND_COMPUTED_DIAGONAL)
  // Slots are about evenly spaced: when first and last are where every other one has them, all are.
  const isEveryOther = known > 0 && u32At(slots, 0) == 1 && <i32>u32At(slots, known - 1) == 2 * known - 1
  for (let a = 0; a < known; a++) {
    const slot = u32At(slots, a)
    const from = K + (<usize>(slot * strideBefore) << 2)
    let to = K + (<usize>(a * stride) << 2)
    if (isEveryOther) keepOdd(from, to, known)
    else for (let c = slots; c < slots + (<usize>known << 2); c += 4, to += 4) {
      store<f32>(to, load<f32>(from + (<usize>load<u32>(c) << 2)))
    }
    setF64(diagonal, a, f64At(diagonal, slot))
  }
}

/** Copies `count` values at odd places, a multiple of 4. */
function keepOdd(from: usize, to: usize, count: i32): void {
  const end = to + (<usize>count << 2)
  if (ASC_FEATURE_SIMD) {
    for (; to < end; to += 16, from += 32) {
      v128.store(to, v128.shuffle<f32>(v128.load(from), v128.load(from, 16), 1, 3, 5, 7))
    }
  } else {
    for (; to < end; to += 4, from += 8) store<f32>(to, load<f32>(from, 4))
  }
}

/**
 * Once the values of K are there: on its diagonal those that the samples have, behind each row zeros. Where the engine has `computed` all
 * but the first `known` rows, what it has for k(x, x) is kept.
 */
export function finishSet(round: usize, known: i32, computed: bool): void {
  const count = number(round, at.ROUND_COUNT)
  const stride = number(round, at.ROUND_STRIDE)
  const diagonal = pointer(round, at.ROUND_SET_DIAGONAL)
  let row = pointer(round, at.ROUND_K)
  for (let a = 0; a < count; a++) {
    const own = row + (<usize>a << 2)
    if (computed && a >= known) setF64(pointer(round, at.ROUND_COMPUTED_DIAGONAL), a, <f64>load<f32>(own))
    store<f32>(own, load<f32>(diagonal + (<usize>a << 2)))
    memory.fill(row + (<usize>count << 2), 0, <usize>(stride - count) << 2)
    row += <usize>stride << 2
  }
}

/** β of all samples learns what the working set has reached. */
export function storeSet(round: usize): void {
  const count = number(round, at.ROUND_COUNT)
  const samples = pointer(round, at.ROUND_SET_SAMPLES)
  const own = pointer(round, at.ROUND_SET_BETA)
  for (let a = 0; a < count; a++) {
    if (canMove(round, a)) setF64(pointer(round, at.ROUND_BETA), u32At(samples, a), f64At(own, a))
  }
}

/**
 * Lists the samples whose β has changed, and their rates follow; returns how many. Where rows are `made` in passing, v of each is
 * corrected: the engine's own k(x, x) is the value with the largest error. Stored rows hold the exact one.
 */
export function listChanges(round: usize, made: bool): i32 {
  const tube = load<f64>(round, at.ROUND_TUBE)
  const v = pointer(round, at.ROUND_V)
  const count = number(round, at.ROUND_COUNT)
  let found = 0
  for (let a = 0; a < count; a++) {
    const beta = f64At(pointer(round, at.ROUND_SET_BETA), a)
    const change = beta - f64At(pointer(round, at.ROUND_SET_BEFORE), a)
    if (change == 0) continue
    const i = u32At(pointer(round, at.ROUND_SET_POSITIONS), a)
    const sample = u32At(pointer(round, at.ROUND_SET_SAMPLES), a)
    setF64(pointer(round, at.ROUND_UP), i, riseOf(beta, f64At(pointer(round, at.ROUND_UPPER), sample), tube))
    setF64(pointer(round, at.ROUND_LOW), i, fallOf(beta, f64At(pointer(round, at.ROUND_LOWER), sample), tube))
    setF64(pointer(round, at.ROUND_COEFFICIENTS), found, change)
    setU32(pointer(round, at.ROUND_CHANGED), found++, sample)
    if (!made) continue
    const error = f64At(pointer(round, at.ROUND_COMPUTED_DIAGONAL), a) - f64At(pointer(round, at.ROUND_DIAGONAL), sample)
    setF64(v, i, f64At(v, i) + change * error)
  }
  return found
}

/**
 * Half of what the dual falls by with the changes δ of a round, ½ δᵀv: with v from before it, and with v from after it. `tube` times
 * what Σ |β| falls by comes once beside that.
 */
export function halfGain(round: usize, tube: f64): f64 {
  const count = number(round, at.ROUND_COUNT)
  let gain = 0.0
  for (let a = 0; a < count; a++) {
    const beta = f64At(pointer(round, at.ROUND_SET_BETA), a)
    const before = f64At(pointer(round, at.ROUND_SET_BEFORE), a)
    const change = beta - before
    if (change == 0) continue
    const v = f64At(pointer(round, at.ROUND_V), u32At(pointer(round, at.ROUND_SET_POSITIONS), a))
    gain += (change * v) / 2 + tube * (Math.abs(before) - Math.abs(beta))
  }
  return gain
}
