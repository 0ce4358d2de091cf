/**
 * The dual of a kernel machine for a row of ascending C, and the decisions of held-out samples at each: what
 * cross-validation over a grid is made of. Notation: src/problems/box-dual.ts; v = t − g with g = Kβ.
 *
 * Kernel values K are f32, made once a path from the matrix of squared distances (or products) of all samples. Held-out
 * samples are columns of K like the others: their g is what the model says of them.
 *
 *   next C   β and g are multiplied by the best factor that the new box allows: max of the dual along the ray
 *   check    all samples: done when the violation is down to tol; else the samples at a bound that have no reason to
 *            leave it are left out, and the kernel values of the others are gathered
 *   bursts   pair steps on these (./burst.ts) …
 *   Newton   … and, when they have gone on for longer than it would take, the free variables alone: the best move is a
 *            linear system (./cholesky.ts), taken as far as the first bound. Where C is large this replaces millions
 *            of pair steps.
 *   sync     g of everybody follows
 *   exact    when β is so large that the rounding of K could be felt, g is computed anew from the samples in f64
 *
 * One thread solves a path from end to end in an order that depends on nothing else: the same bits on any number of
 * threads. `advance` does a little of it, so that who calls can look around.
 */
import { burst, lowPenalty, upPenalty } from './burst'
import { exactExpand, packExactQuery } from './exact'
import { exp2, exp2Row, LOG2E } from './exp'
import { freeStep } from './free-step'
import { subtractRows } from './gradient'
import {
  EXACT_QUERIES,
  KERNEL_GAMMA,
  KERNEL_KIND,
  MATRIX_EXACT_NORMS,
  RBF,
  SCRATCH_BLOCK,
  SCRATCH_NORMS,
  SCRATCH_SUMS,
  SCRATCH_TILE,
} from './layout'
import * as at from './path-layout'
import { transformTile } from './transforms'

/** Phases. */
const FILL: u32 = 0
const NEXT: u32 = 1
const CHECK: u32 = 2
const SOLVE: u32 = 3

/** Rows of K made in one go. */
const FILL_ROWS: u32 = 256
/** Steps of a burst: so many, or one for each active sample if that is more. */
const BURST_STEPS: i32 = 512
/** Bursts aim a little below tol, as their v is f32. */
const AIM: f64 = 0.8
/** Samples are left out when these are at most so much of what is active. */
const COMPACT_BELOW: f64 = 0.8
/** 2^−25, and for how many samples the error of v is looked at. */
const HALF_ULP: f64 = 2.98e-8
const ERROR_SAMPLES: i32 = 32
/** An error of v below this share of tol is let pass. */
const SMALL_ERROR: f64 = 0.2
/** Samples this far from leaving their bound are active too, in units of the margin and at most. */
const SLACK: f64 = 0.1
/** Costs in nanoseconds: of a step, per active sample; of adding to v, per value. */
const STEP_COST: f64 = 1.4
const ADD_COST: f64 = 0.4
/** Share of the work of one C that is granted to guessing at the next. */
const CREDIT: f64 = 1.0
const CONVERGED: u32 = 1
const STOPPED: u32 = 2

/**
 * Goes on with the path of a workspace; returns about how many nanoseconds that took, or 0 when the path is done.
 * `distances` points to the f32 matrix of squared distances (rbf) or products of all samples, `rowBytes` bytes a row;
 * `matrix` is these samples (./layout.ts), `scratch` that of the thread (./jobs.ts).
 */
export function advance(space: usize, distances: usize, rowBytes: usize, matrix: usize, scratch: usize): f64 {
  const path = <usize>load<u32>(space, at.SPACE_PATH)
  const phase = load<u32>(space, at.SPACE_PHASE)
  if (phase == FILL) return fill(space, path, distances, rowBytes)
  if (phase == NEXT) return next(space, path)
  if (phase == CHECK) return check(space, path, matrix, scratch)
  return solve(space, path)
}

/** Gives a workspace a path to begin with. */
export function enter(space: usize, path: usize): void {
  store<u32>(space, path, at.SPACE_PATH)
  store<u32>(space, FILL, at.SPACE_PHASE)
  store<u32>(space, 0, at.SPACE_FILLED)
}

// @ts-ignore: decorator
@inline
function pointer(space: usize, field: usize): usize {
  return <usize>load<u32>(space + field)
}

// @ts-ignore: decorator
@inline
function f64At(base: usize, index: i32): f64 {
  return load<f64>(base + (<usize>index << 3))
}

/** Makes some rows of K; after the last one, β = 0 and g = 0. */
function fill(space: usize, path: usize, distances: usize, rowBytes: usize): f64 {
  const samples = pointer(path, at.PATH_SAMPLES)
  const m = load<u32>(path, at.PATH_TRAINING)
  const columns = m + load<u32>(path, at.PATH_HELD_OUT)
  const kernel = pointer(path, at.PATH_KERNEL)
  const K = pointer(space, at.SPACE_K)
  const stride = <usize>((columns + 15) & ~15) << 2
  const from = load<u32>(space, at.SPACE_FILLED)
  const to = min(m, from + FILL_ROWS)
  for (let r = from; r < to; r++) {
    const row = K + <usize>r * stride
    pick(distances + <usize>load<u32>(samples + (<usize>r << 2)) * rowBytes, samples, columns, row)
    memory.fill(row + (<usize>columns << 2), 0, stride - (<usize>columns << 2))
    transformRow(kernel, row, stride)
  }
  store<u32>(space, to, at.SPACE_FILLED)
  if (to == m) {
    store<u32>(space, <u32>stride, at.SPACE_STRIDE)
    memory.fill(pointer(space, at.SPACE_BETA), 0, <usize>m << 3)
    memory.fill(pointer(space, at.SPACE_SYNCED), 0, <usize>m << 3)
    memory.fill(pointer(space, at.SPACE_EXACT), 0, <usize>m << 3)
    memory.fill(pointer(space, at.SPACE_G), 0, (<usize>columns + 1) << 3)
    store<u32>(space, 0, at.SPACE_INDEX)
    store<u32>(space, NEXT, at.SPACE_PHASE)
  }
  return <f64>(to - from) * <f64>columns
}

/** out[k] = row[samples[k]]; stretches of consecutive samples are copied as such. */
function pick(row: usize, samples: usize, count: u32, out: usize): void {
  let k: u32 = 0
  while (k < count) {
    const first = load<u32>(samples + (<usize>k << 2))
    let length: u32 = 1
    while (k + length < count && load<u32>(samples + (<usize>(k + length) << 2)) == first + length) length++
    const from = row + (<usize>first << 2)
    const to = out + (<usize>k << 2)
    let done: usize = 0
    if (ASC_FEATURE_SIMD) {
      for (; done + 16 <= <usize>length << 2; done += 16) v128.store(to + done, v128.load(from + done))
    }
    for (; done < <usize>length << 2; done += 4) store<f32>(to + done, load<f32>(from + done))
    k += length
  }
}

/** From products or squared distances to kernel values, in place. */
function transformRow(kernel: usize, row: usize, bytes: usize): void {
  if (load<u32>(kernel, KERNEL_KIND) != RBF) {
    transformTile(kernel, row, <i32>(bytes >> 6), 0, 0)
    return
  }
  const factor = <f32>(-LOG2E * load<f64>(kernel, KERNEL_GAMMA))
  for (let from = row; from < row + bytes; from += 64) {
    if (ASC_FEATURE_SIMD) {
      const f = f32x4.splat(factor)
      exp2Row(
        from,
        f32x4.mul(f, v128.load(from)),
        f32x4.mul(f, v128.load(from, 16)),
        f32x4.mul(f, v128.load(from, 32)),
        f32x4.mul(f, v128.load(from, 48)),
      )
    } else {
      for (let k: usize = 0; k < 64; k += 4) store<f32>(from + k, exp2(factor * load<f32>(from + k)))
    }
  }
}

/** The box of the next C, and β scaled into it. */
function next(space: usize, path: usize): f64 {
  const index = load<u32>(space, at.SPACE_INDEX)
  if (index == load<u32>(path, at.PATH_COUNT)) return 0
  const m = <i32>load<u32>(path, at.PATH_TRAINING)
  const columns = m + <i32>load<u32>(path, at.PATH_HELD_OUT)
  const bounds = pointer(path, at.PATH_BOUNDS)
  const C = f64At(bounds, index)
  const beta = pointer(space, at.SPACE_BETA)
  const synced = pointer(space, at.SPACE_SYNCED)
  const exact = pointer(space, at.SPACE_EXACT)
  const lower = pointer(space, at.SPACE_LOWER)
  const upper = pointer(space, at.SPACE_UPPER)
  const g = pointer(space, at.SPACE_G)
  const unitLower = pointer(path, at.PATH_LOWER)
  const unitUpper = pointer(path, at.PATH_UPPER)
  let factor = 1.0
  let whole = false
  if (index > 0) {
    const ratio = C / f64At(bounds, index - 1)
    factor = bestFactor(path, m, beta, g)
    whole = !(factor < ratio)
    if (whole) factor = ratio
    for (let k = 0; k < columns; k++) store<f64>(g + (<usize>k << 3), factor * f64At(g, k))
  }
  for (let k = 0; k < m; k++) {
    const to = <usize>k << 3
    const newLower = C * load<f64>(unitLower + to)
    const newUpper = C * load<f64>(unitUpper + to)
    const old = load<f64>(beta + to)
    let moved = factor * old
    if (whole && old == load<f64>(upper + to)) moved = newUpper
    else if (whole && old == load<f64>(lower + to)) moved = newLower
    store<f64>(beta + to, moved)
    store<f64>(synced + to, moved)
    store<f64>(exact + to, factor * load<f64>(exact + to))
    store<f64>(lower + to, newLower)
    store<f64>(upper + to, newUpper)
  }
  store<f64>(space, 0, at.SPACE_STEPS)
  // The C before was about as hard as this one will be.
  store<f64>(space, index > 0 ? CREDIT * load<f64>(space, at.SPACE_WORK) : 0, at.SPACE_CREDIT)
  store<f64>(space, 0, at.SPACE_WORK)
  store<u32>(space, 0, at.SPACE_STUCK)
  store<u32>(space, CHECK, at.SPACE_PHASE)
  return <f64>columns
}

/** argmin over s of the dual at s β: (tᵀβ − ε Σ|β|) / βᵀKβ. */
function bestFactor(path: usize, m: i32, beta: usize, g: usize): f64 {
  const target = pointer(path, at.PATH_TARGET)
  const tube = load<f64>(path, at.PATH_TUBE)
  let linear = 0.0
  let square = 0.0
  for (let k = 0; k < m; k++) {
    const b = f64At(beta, k)
    linear += b * f64At(target, k) - tube * Math.abs(b)
    square += b * f64At(g, k)
  }
  if (!(linear > 0)) return 0
  return square > 0 ? linear / square : Infinity
}

/** Everybody's v: the end of this C, or whom to go on with. */
function check(space: usize, path: usize, matrix: usize, scratch: usize): f64 {
  const m = <i32>load<u32>(path, at.PATH_TRAINING)
  const beta = pointer(space, at.SPACE_BETA)
  const lower = pointer(space, at.SPACE_LOWER)
  const upper = pointer(space, at.SPACE_UPPER)
  const g = pointer(space, at.SPACE_G)
  const target = pointer(path, at.PATH_TARGET)
  const tube = load<f64>(path, at.PATH_TUBE)
  const tol = load<f64>(path, at.PATH_TOL)
  extremes(space, m, target, g, beta, lower, upper, tube)
  const violation = load<f64>(space, at.SPACE_VIOLATION)
  if (violation <= tol && roundingError(space, m) > SMALL_ERROR * tol) {
    const cost = makeExact(space, path, m, matrix, scratch)
    return spend(space, cost)
  }
  const exhausted =
    load<u32>(space, at.SPACE_STUCK) != 0 ||
    !(load<f64>(space, at.SPACE_STEPS) < load<f64>(path, at.PATH_MAX_STEPS))
  if (violation <= tol || exhausted) {
    record(space, path, m, violation <= tol ? CONVERGED : STOPPED)
    store<u32>(space, NEXT, at.SPACE_PHASE)
    return <f64>m
  }
  const active = pointer(space, at.SPACE_ACTIVE)
  const bias = freeMean(space, m, target, g, beta, lower, upper, tube)
  const slack = tol + SLACK * min(1.0, violation)
  let count = 0
  for (let k = 0; k < m; k++) {
    const b = f64At(beta, k)
    const v = f64At(target, k) - f64At(g, k)
    const rise = v + upPenalty(b, f64At(upper, k), tube)
    const fall = v + lowPenalty(b, f64At(lower, k), tube)
    if (rise > bias - slack || fall < bias + slack) {
      store<u32>(active + (<usize>count << 2), k)
      count++
    }
  }
  gather(space, path, count)
  store<u32>(space, SOLVE, at.SPACE_PHASE)
  return spend(space, <f64>m * 4 + 1)
}

/** Adds to the work of this C; returns the same. */
// @ts-ignore: decorator
@inline
function spend(space: usize, cost: f64): f64 {
  store<f64>(space, load<f64>(space, at.SPACE_WORK) + cost, at.SPACE_WORK)
  return cost
}

/** The bias as the free variables see it, their mean; without any, the middle between the extremes. */
function freeMean(
  space: usize,
  count: i32,
  target: usize,
  g: usize,
  beta: usize,
  lower: usize,
  upper: usize,
  tube: f64,
): f64 {
  let sum = 0.0
  let free = 0
  for (let k = 0; k < count; k++) {
    const b = f64At(beta, k)
    if (!(b > f64At(lower, k) && b < f64At(upper, k)) || (tube > 0 && b == 0)) continue
    sum += f64At(target, k) - f64At(g, k) - (b > 0 ? tube : -tube)
    free++
  }
  if (free > 0) return sum / <f64>free
  const highest = load<f64>(space, at.SPACE_HIGHEST)
  const lowest = load<f64>(space, at.SPACE_LOWEST)
  if (highest == -Infinity) return lowest == Infinity ? 0 : lowest
  return lowest == Infinity ? highest : 0.5 * (highest + lowest)
}

/** max of v + up, min of v + low and their difference. */
function extremes(
  space: usize,
  count: i32,
  target: usize,
  g: usize,
  beta: usize,
  lower: usize,
  upper: usize,
  tube: f64,
): void {
  let highest = -Infinity
  let lowest = Infinity
  for (let k: usize = 0; k < <usize>count << 3; k += 8) {
    const b = load<f64>(beta + k)
    const v = load<f64>(target + k) - load<f64>(g + k)
    const rise = v + upPenalty(b, load<f64>(upper + k), tube)
    const fall = v + lowPenalty(b, load<f64>(lower + k), tube)
    if (rise > highest) highest = rise
    if (fall < lowest) lowest = fall
  }
  store<f64>(space, highest, at.SPACE_HIGHEST)
  store<f64>(space, lowest, at.SPACE_LOWEST)
  store<f64>(space, max(0.0, highest - lowest), at.SPACE_VIOLATION)
}

/** At a bound, and no partner that would make it leave. */
// @ts-ignore: decorator
@inline
function isIdle(
  space: usize,
  target: usize,
  g: usize,
  beta: usize,
  lower: usize,
  upper: usize,
  tube: f64,
  k: i32,
): bool {
  const b = f64At(beta, k)
  const v = f64At(target, k) - f64At(g, k)
  const rise = v + upPenalty(b, f64At(upper, k), tube)
  const fall = v + lowPenalty(b, f64At(lower, k), tube)
  return rise < load<f64>(space, at.SPACE_LOWEST) && fall > load<f64>(space, at.SPACE_HIGHEST)
}

/** Collects what bursts need of the `count` samples in the list of active ones. */
function gather(space: usize, path: usize, count: i32): void {
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

/** A guess where that may pay, else a burst over the active samples, and what follows from how far they got. */
function solve(space: usize, path: usize): f64 {
  const before = load<f64>(space, at.SPACE_WORK)
  const count = <i32>load<u32>(space, at.SPACE_ACTIVE_COUNT)
  const tube = load<f64>(path, at.PATH_TUBE)
  const beta = pointer(space, at.SPACE_A_BETA)
  const lower = pointer(space, at.SPACE_A_LOWER)
  const upper = pointer(space, at.SPACE_A_UPPER)
  const target = pointer(space, at.SPACE_A_TARGET)
  const g = pointer(space, at.SPACE_A_G)
  const tol = load<f64>(path, at.PATH_TOL)
  let moved = freeStep(space, count, tube, tol)
  extremes(space, count, target, g, beta, lower, upper, tube)
  if (load<f64>(space, at.SPACE_VIOLATION) > tol) {
    const left = load<f64>(path, at.PATH_MAX_STEPS) - load<f64>(space, at.SPACE_STEPS)
    const limit = <i32>min(<f64>max(BURST_STEPS, 3 * count), max(1.0, left))
    prepareBurst(space, count, tube)
    memory.copy(pointer(space, at.SPACE_A_BEFORE), beta, <usize>count << 3)
    const result = burst(
      (count + 3) & ~3,
      pointer(space, at.SPACE_A_K),
      pointer(space, at.SPACE_A_STRIDE),
      pointer(space, at.SPACE_V32),
      pointer(space, at.SPACE_UP32),
      pointer(space, at.SPACE_LOW32),
      pointer(space, at.SPACE_DIAGONAL32),
      beta,
      lower,
      upper,
      tube,
      <f32>(AIM * tol),
      limit,
    )
    const steps = result < 0 ? -1 - result : result
    const cost = <f64>steps * <f64>count * STEP_COST
    store<f64>(space, load<f64>(space, at.SPACE_STEPS) + <f64>steps, at.SPACE_STEPS)
    store<f64>(space, load<f64>(space, at.SPACE_CREDIT) + cost, at.SPACE_CREDIT)
    spend(space, cost)
    if (steps > 0) moved = true
    // A burst that has reached its aim is checked with everybody's g.
    if (result > 0 && steps < limit) {
      synchronise(space, path, count)
      store<u32>(space, CHECK, at.SPACE_PHASE)
      return load<f64>(space, at.SPACE_WORK) - before + 1
    }
    follow(space, count)
    extremes(space, count, target, g, beta, lower, upper, tube)
  }
  const open = load<f64>(space, at.SPACE_VIOLATION) > tol
  if (!moved) store<u32>(space, 1, at.SPACE_STUCK)
  const exhausted = !(load<f64>(space, at.SPACE_STEPS) < load<f64>(path, at.PATH_MAX_STEPS))
  if (!open || !moved || exhausted || canShrink(space, count, tube)) {
    synchronise(space, path, count)
    store<u32>(space, CHECK, at.SPACE_PHASE)
  }
  return load<f64>(space, at.SPACE_WORK) - before + 1
}

/** v, up and low in f32, relative to the middle between the extremes. */
function prepareBurst(space: usize, count: i32, tube: f64): void {
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
function follow(space: usize, count: i32): void {
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

/** Lists where `now` differs from `then`: pointers to rows, and by how much. Returns how many. */
function changes(space: usize, count: i32, then: usize, now: usize, K: usize, stride: usize): i32 {
  const list = pointer(space, at.SPACE_LIST)
  const coefficients = pointer(space, at.SPACE_COEFFICIENTS)
  let found = 0
  for (let k = 0; k < count; k++) {
    const change = f64At(then, k) - f64At(now, k)
    if (change == 0) continue
    store<u32>(list + (<usize>found << 2), <u32>(K + <usize>k * stride))
    store<f64>(coefficients + (<usize>found << 3), change)
    found++
  }
  return found
}

/** Adds what {@link changes} listed. */
// @ts-ignore: decorator
@inline
function addRows(space: usize, g: usize, count: i32, changed: i32): void {
  const list = pointer(space, at.SPACE_LIST)
  subtractRows(g, 0, <u32>count, list, pointer(space, at.SPACE_COEFFICIENTS), changed)
  spend(space, <f64>changed * <f64>count * ADD_COST)
}

/** g of everybody follows the active β. */
function synchronise(space: usize, path: usize, count: i32): void {
  const m = <i32>load<u32>(path, at.PATH_TRAINING)
  const columns = m + <i32>load<u32>(path, at.PATH_HELD_OUT)
  const active = pointer(space, at.SPACE_ACTIVE)
  const beta = pointer(space, at.SPACE_BETA)
  const synced = pointer(space, at.SPACE_SYNCED)
  for (let a = 0; a < count; a++) {
    const k = load<u32>(active + (<usize>a << 2))
    store<f64>(beta + (<usize>k << 3), f64At(pointer(space, at.SPACE_A_BETA), a))
  }
  const changed = changes(space, m, synced, beta, pointer(space, at.SPACE_K), pointer(space, at.SPACE_STRIDE))
  addRows(space, pointer(space, at.SPACE_G), columns, changed)
  memory.copy(synced, beta, <usize>m << 3)
}

/** Whether enough of the active samples have become idle for leaving them out to pay. */
function canShrink(space: usize, count: i32, tube: f64): bool {
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

/**
 * A bound, as good as certain, of what rounding K to f32 has done to v since it was last exact. The error of a value k
 * is random, about 2^−25 of k (1 + |ln k|) or less, whose square is below 1.2 k for k <= 1; so the variance of v_i is
 * below 1.2 · 2^−50 Σ_j Δβ_j² k_ij, taken here for some of the samples, and four standard deviations are allowed.
 */
function roundingError(space: usize, m: i32): f64 {
  const beta = pointer(space, at.SPACE_BETA)
  const exact = pointer(space, at.SPACE_EXACT)
  const K = pointer(space, at.SPACE_K)
  const stride = pointer(space, at.SPACE_STRIDE)
  const apart = <i32>max(1, m / ERROR_SAMPLES)
  let worst = 0.0
  let largest = 0.0
  for (let i = 0; i < m; i += apart) {
    let sum = 0.0
    const row = K + <usize>i * stride
    for (let k = 0; k < m; k++) {
      const change = f64At(beta, k) - f64At(exact, k)
      sum += change * change * Math.abs(<f64>load<f32>(row + (<usize>k << 2)))
    }
    worst = max(worst, sum)
    largest = max(largest, Math.abs(<f64>load<f32>(row + (<usize>i << 2))))
  }
  return 4.0 * HALF_ULP * Math.sqrt(1.2 * worst * largest)
}

/** g of everybody from the samples, in f64. Returns about what it cost. */
function makeExact(space: usize, path: usize, m: i32, matrix: usize, scratch: usize): f64 {
  const samples = pointer(path, at.PATH_SAMPLES)
  const columns = m + <i32>load<u32>(path, at.PATH_HELD_OUT)
  const beta = pointer(space, at.SPACE_BETA)
  const g = pointer(space, at.SPACE_G)
  const list = pointer(space, at.SPACE_LIST)
  const coefficients = pointer(space, at.SPACE_COEFFICIENTS)
  const norms = <usize>load<u32>(matrix, MATRIX_EXACT_NORMS)
  let found = 0
  for (let k = 0; k < m; k++) {
    const b = f64At(beta, k)
    if (b == 0) continue
    store<u32>(list + (<usize>found << 2), load<u32>(samples + (<usize>k << 2)))
    store<f64>(coefficients + (<usize>found << 3), b)
    found++
  }
  for (let first = 0; first < columns; first += EXACT_QUERIES) {
    const queries = min(EXACT_QUERIES, columns - first)
    memory.fill(scratch + SCRATCH_NORMS, 0, 64)
    memory.fill(scratch + SCRATCH_SUMS, 0, 64)
    for (let q = 0; q < queries; q++) {
      const row = load<u32>(samples + (<usize>(first + q) << 2))
      packExactQuery(matrix, row, scratch + SCRATCH_BLOCK, q, true)
      store<f64>(scratch + SCRATCH_NORMS + (<usize>q << 3), load<f64>(norms + (<usize>row << 3)))
    }
    exactExpand(
      matrix,
      pointer(path, at.PATH_KERNEL),
      list,
      found,
      coefficients,
      scratch + SCRATCH_BLOCK,
      scratch + SCRATCH_NORMS,
      scratch + SCRATCH_SUMS,
      scratch + SCRATCH_TILE,
    )
    for (let q = 0; q < queries; q++) {
      packExactQuery(matrix, load<u32>(samples + (<usize>(first + q) << 2)), scratch + SCRATCH_BLOCK, q, false)
    }
    memory.copy(g + (<usize>first << 3), scratch + SCRATCH_SUMS, <usize>queries << 3)
  }
  memory.copy(pointer(space, at.SPACE_EXACT), beta, <usize>m << 3)
  return 5.0 * <f64>found * <f64>columns
}

/** Writes what has come of this C. */
function record(space: usize, path: usize, m: i32, status: u32): void {
  const index = load<u32>(space, at.SPACE_INDEX)
  const heldOut = <i32>load<u32>(path, at.PATH_HELD_OUT)
  const beta = pointer(space, at.SPACE_BETA)
  const lower = pointer(space, at.SPACE_LOWER)
  const upper = pointer(space, at.SPACE_UPPER)
  const g = pointer(space, at.SPACE_G)
  const target = pointer(path, at.PATH_TARGET)
  const tube = load<f64>(path, at.PATH_TUBE)
  let support = 0
  let bounded = 0
  let dual = 0.0
  for (let k = 0; k < m; k++) {
    const b = f64At(beta, k)
    if (b == 0) continue
    support++
    if (b == f64At(lower, k) || b == f64At(upper, k)) bounded++
    dual += b * (0.5 * f64At(g, k) - f64At(target, k)) + tube * Math.abs(b)
  }
  const bias = freeMean(space, m, target, g, beta, lower, upper, tube)
  const decisions = pointer(path, at.PATH_DECISIONS) + (<usize>(<i32>index * heldOut) << 3)
  for (let k = 0; k < heldOut; k++) store<f64>(decisions + (<usize>k << 3), f64At(g, m + k) + bias)
  const solutions = pointer(path, at.PATH_SOLUTIONS)
  if (solutions) memory.copy(solutions + (<usize>(<i32>index * m) << 3), beta, <usize>m << 3)
  const out = pointer(path, at.PATH_RECORDS) + <usize>index * at.RECORD_BYTES
  store<f64>(out, bias, at.RECORD_BIAS)
  store<f64>(out, dual, at.RECORD_DUAL)
  store<f64>(out, load<f64>(space, at.SPACE_VIOLATION), at.RECORD_VIOLATION)
  store<f64>(out, load<f64>(space, at.SPACE_STEPS), at.RECORD_STEPS)
  store<f64>(out, load<f64>(space, at.SPACE_WORK), at.RECORD_WORK)
  store<u32>(out, support, at.RECORD_SUPPORT)
  store<u32>(out, bounded, at.RECORD_BOUNDED)
  atomic.store<u32>(out + at.RECORD_STATUS, status)
  store<u32>(space, index + 1, at.SPACE_INDEX)
}
