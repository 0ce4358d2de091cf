/**
 * Paths whose β adds up to something fixed on either side of 0: ν-SVC, where a class is a side, ν-SVR, where a sample may be on
 * either, and one class, all of it above 0. Steps then lead from one variable to another of its side; at 0, a variable may rise
 * on the side above and fall on the one below. λ of a side is what its free variables have for v: the bias is between the
 * two, and half of what they differ by is the margin ρ of ν-SVC and the tube ε of ν-SVR.
 */
import { f64At, pointer, setF64, setU32, u32At } from '../dual/memory'
import * as at from '../structures'
import { FEW_ROWS, requireChanged } from './pair-rows'
import { catchUp } from './path-active'

/** Where the active samples of the second side begin: whole blocks of f32. */
const ALIGNED: i32 = 16
/**
 * Halvings by which the last to move are found: doubles of one size have 53 bits, so that beyond these none is left between two.
 */
const HALVINGS: i32 = 64

/**
 * Puts the `count` samples in LIST in the order of their sides, those above 0 first; one that could be on either is where its v
 * is. What is between the two sides, so that the second begins with a block, repeats the last of the first. Returns how many
 * there are then.
 */
export function sortSides(space: usize, path: usize, count: i32, between: f64): i32 {
  const list = pointer(space, at.SPACE_LIST)
  const others = pointer(space, at.SPACE_RANKS)
  const beta = pointer(space, at.SPACE_BETA)
  const lower = pointer(space, at.SPACE_LOWER)
  const upper = pointer(space, at.SPACE_UPPER)
  const target = pointer(path, at.PATH_TARGET)
  const g = pointer(space, at.SPACE_G)
  let above = 0
  let below = 0
  for (let a = 0; a < count; a++) {
    const k = u32At(list, a)
    const b = f64At(beta, k)
    const isAbove =
      b > 0 ||
      (b == 0 && f64At(upper, k) > 0 && (!(f64At(lower, k) < 0) || f64At(target, k) - f64At(g, k) >= between))
    if (isAbove) setU32(list, above++, k)
    else setU32(others, below++, k)
  }
  const split = above == 0 ? 0 : (above + ALIGNED - 1) & -ALIGNED
  for (let a = above; a < split; a++) setU32(list, a, u32At(list, above - 1))
  memory.copy(list + (<usize>split << 2), others, <usize>below << 2)
  store<u32>(space, above, at.SPACE_ABOVE)
  store<u32>(space, split, at.SPACE_SPLIT)
  return split + below
}

/** What each side adds up to becomes `sum`: who wants to most moves first, each as far as the box lets it. */
export function settleSides(space: usize, path: usize, sum: f64): void {
  for (let side = 0; side < 2; side++) settleSide(space, path, side, sum)
}

function settleSide(space: usize, path: usize, side: i32, sum: f64): void {
  const m = <i32>load<u32>(path, at.PATH_TRAINING)
  const beta = pointer(space, at.SPACE_BETA)
  const target = pointer(path, at.PATH_TARGET)
  const g = pointer(space, at.SPACE_G)
  const sign = side == 0 ? 1.0 : -1.0
  let held = 0.0
  let room = 0.0
  let highest = -Infinity
  let lowest = Infinity
  for (let k = 0; k < m; k++) {
    held += max(0.0, sign * f64At(beta, k))
    room += roomOf(space, k, sign, true)
    const v = sign * (f64At(target, k) - f64At(g, k))
    highest = max(highest, v)
    lowest = min(lowest, v)
  }
  const grows = sum > held
  // One class has nobody below 0.
  const amount = grows ? min(sum - held, room) : held - sum
  if (!(amount > 0)) return
  // Who grows is first where sign · v is large, who shrinks where it is small.
  const wish = grows ? sign : -sign
  let enough = grows ? lowest : -highest
  let few = grows ? highest : -lowest
  enough -= 1.0 + Math.abs(enough)
  // Those between `enough` and `few`, about half as many each time; the others are known to move, or to stay.
  const open = pointer(space, at.SPACE_PAIRS)
  let count = m
  let moved = 0.0
  for (let k = 0; k < m; k++) setU32(open, k, k)
  for (let halving = 0; halving < HALVINGS && count > 0; halving++) {
    const half = 0.5 * (enough + few)
    let found = moved
    for (let i = 0; i < count; i++) {
      const k = u32At(open, i)
      if (wish * (f64At(target, k) - f64At(g, k)) > half) found += roomOf(space, k, sign, grows)
    }
    const tooMany = found > amount
    if (tooMany) enough = half
    else {
      few = half
      moved = found
    }
    let left = 0
    for (let i = 0; i < count; i++) {
      const k = u32At(open, i)
      if (wish * (f64At(target, k) - f64At(g, k)) > half == tooMany) setU32(open, left++, k)
    }
    count = left
  }
  let left = amount
  for (let pass = 0; pass < 2; pass++) {
    for (let k = 0; k < m && left > 0; k++) {
      const want = wish * (f64At(target, k) - f64At(g, k))
      if (pass == 0 ? !(want > few) : want > few || !(want > enough)) continue
      const most = roomOf(space, k, sign, grows)
      const moved = min(most, left)
      if (!(moved > 0)) continue
      left -= moved
      const b = f64At(beta, k)
      if (moved < most) setF64(beta, k, grows ? b + sign * moved : b - sign * moved)
      else setF64(beta, k, grows ? f64At(pointer(space, side == 0 ? at.SPACE_UPPER : at.SPACE_LOWER), k) : 0)
    }
  }
}

/** Makes both sides add up to the same: half of all, or what the smaller can hold. */
export function balanceSides(space: usize, path: usize): void {
  const m = <i32>load<u32>(path, at.PATH_TRAINING)
  const beta = pointer(space, at.SPACE_BETA)
  let size = 0.0
  let above = 0.0
  let below = 0.0
  for (let k = 0; k < m; k++) {
    const b = f64At(beta, k)
    size += Math.abs(b)
    above += max(0.0, b) + roomOf(space, k, 1.0, true)
    below += max(0.0, -b) + roomOf(space, k, -1.0, true)
  }
  settleSides(space, path, min(0.5 * size, min(above, below)))
}

/** How far β may grow on a side of 0, or shrink. */
// @ts-ignore: decorator
@inline
function roomOf(space: usize, k: i32, sign: f64, grows: bool): f64 {
  const b = sign * f64At(pointer(space, at.SPACE_BETA), k)
  if (!grows) return max(0.0, b)
  if (b < 0) return 0
  return Math.abs(f64At(pointer(space, sign > 0 ? at.SPACE_UPPER : at.SPACE_LOWER), k)) - b
}

/**
 * The first point: with everybody at the same share of the bounds, v says who should be at theirs. Where everybody may be on
 * both sides, these cancel out. Where rows have to be made for it, some stand for all.
 */
export function beginSides(space: usize, path: usize, m: i32, sum: f64, matrix: usize, scratch: usize): void {
  const beta = pointer(space, at.SPACE_BETA)
  const lower = pointer(space, at.SPACE_LOWER)
  const upper = pointer(space, at.SPACE_UPPER)
  const onDemand = load<u32>(path, at.PATH_ON_DEMAND) != 0
  const apart = onDemand ? max(1, m / FEW_ROWS) : 1
  let above = 0.0
  let below = 0.0
  for (let k = 0; k < m; k += apart) {
    above += f64At(upper, k)
    below -= f64At(lower, k)
  }
  if (above > 0) above = sum / above
  if (below > 0) below = sum / below
  for (let k = 0; k < m; k += apart) setF64(beta, k, above * f64At(upper, k) + below * f64At(lower, k))
  if (onDemand) requireChanged(space, path, m, matrix, scratch)
  catchUp(space, path)
  memory.fill(beta, 0, <usize>m << 3)
  settleSides(space, path, sum)
  if (onDemand) requireChanged(space, path, m, matrix, scratch)
  catchUp(space, path)
}
