/**
 * The dual of a kernel machine for a row of ascending C, and the decisions of held-out samples at each: what
 * cross-validation over a grid is made of. Notation: src/problems/general-dual.ts; v = t − g with g = Kβ.
 *
 * Kernel values K are f32, made from the matrix of squared distances (or products) of all samples, once for all paths of a
 * kernel, whatever the thread: a path over some of the samples (a pair of more than two classes) finds its own in stretches of
 * rows. Held-out samples are columns of K like the others: their g is what the model says of them.
 *
 *   first C  from β = 0, from all samples at a bound, or from the solution of another fold (./path-seed.ts)
 *   next C   β and g are multiplied by the best factor that the new box allows: max of the dual along the ray
 *   check    all samples: done when the violation is down to tol; else the samples at a bound that have no reason to
 *            leave it are left out, and the kernel values of the others are gathered
 *   loops    pair steps on these (../dual/pair-loop.ts, or ../dual/sparse-pair-loop.ts where K is mostly zero) …
 *   turns    … or, when these have gone on for longer than it would take, an active-set method (../dual/active-set.ts): the best
 *            move of the free variables is a linear system. Where C is large this replaces millions of pair steps.
 *   sync     g of all samples follows
 *   exact    when β is so large that the rounding of K could be felt, g is computed anew from rows in f64, which are kept
 *            for other C and folds (./exact-store.ts)
 *
 * One thread solves a path from start to end in an order that depends on nothing else: the same bits on any number of
 * threads. `advance` does a little of it, so that the caller can do other things in between.
 */
import { listBytes } from '../dual/sparse-rows'
import { runPairLoop } from '../dual/pair-loop'
import { fallOf, riseOf } from '../dual/rates'
import { FEW_ROWS, limitNewcomers, requireEvery, requireRows } from './pair-rows'
import {
  canShrink,
  catchUp,
  COMPACT_BELOW,
  follow,
  gather,
  hasFewBusy,
  markGathered,
  preparePairLoop,
  spreadOf,
  synchronise,
} from './path-active'
import { makeExact, roundingError } from './path-exact'
import { FILL_ROWS, finishMatrix, releaseMatrix, makeRows, takeMatrix } from './path-kernel'
import * as at from '../structures'
import { turnActive } from './path-active-set'
import { runSparsePairLoop } from '../dual/sparse-pair-loop'
import { f64At, pointer, setF64, sumOf } from '../dual/memory'
import { awaitsSeed, beginAtSeed, hasSeed, workOfSeed } from './path-seed'
import { beginSides, settleSides, sortSides } from './path-sides'
import { extremes, followAll, followHeldOut, freeMean, hasBelow, hasTwoSides, isBorrowed, sideValue, spend, VALUE_COST } from './path-space'

// Shares, steps and costs of this folder were tried at other values: searches over 5 C, 4 γ and 3 or 4 folds of 768 to 1,500
// samples (moons, diabetes, segment, a sine), fits of 768 to 2,000 (moons, a9a, svmguide1, abalone, diabetes), all pairs of letter
// and dna. "Tried" says what the CPU time became; it is uncertain by a tenth, so that less is called "as long".

/** Phases. */
const FILL: u32 = 0
const NEXT: u32 = 1
const CHECK: u32 = 2
const SOLVE: u32 = 3

/**
 * Steps of a pair loop: so many, or three for each active sample if that is more: then g of all samples, which follows, costs less.
 * Tried: 128 and 2,048 took as long.
 */
const LOOP_STEPS: i32 = 512
/** Steps per active sample after which it is looked who has become idle: a look costs as much as a step or two. */
const LOOK_SHARE: f64 = 0.5
/**
 * Pair loops aim a little below tol, as their v is f32: what a check in f64 adds should not send them back. Tried: 0.6 took 9 to 20 %
 * longer, 0.95 13 to 36 %.
 */
const AIM: f64 = 0.8
/** Of the violation: what pair loops come down to while not all that want to move may. Tried: 0.1 and 0.4 took as long. */
const ROUND_GAIN: f64 = 0.2
/** An error of v below this share of tol is let pass: what {@link AIM} leaves, 1 − 0.8. */
const SMALL_ERROR: f64 = 0.2
/**
 * Samples this far from leaving their bound are active too, in units of the margin and at most: g moves during a loop. Tried: 0.03 and
 * 0.3 took as long.
 */
const SLACK: f64 = 0.1
/**
 * Cost of a pair step, per active sample, in nanoseconds (./path-space.ts): two passes over v, a row each. Tried: half and twice as
 * much took as long.
 */
const STEP_COST: f64 = 1.4
/**
 * The same where rows are mostly zero, and per block of a row that is not. Tried: half and twice as much took 14 to 26 % longer.
 */
const SPARSE_STEP_COST: f64 = 0.1
const BLOCK_STEP_COST: f64 = 30.0
/**
 * Share of the work of one C that is granted to ../dual/active-set.ts at the next: if it fails, the work has at most doubled. Tried: 0.5
 * took as long, 2 11 % longer.
 */
const CREDIT: f64 = 1.0
/** What a look at a path that is not done yet counts as: so much that a thread soon does other things. */
const WAIT_COST: f64 = 1e3
/** Rows from which it is estimated where to begin: each costs a pass over its columns. Tried: 16 and 256 took as long. */
const SAMPLED_ROWS: i32 = 64

/**
 * Goes on with the path of a workspace; returns about how many nanoseconds that took, or 0 when the path is done.
 * `distances` points to the f32 matrix of squared distances (rbf) or products of all samples, `rowBytes` bytes per row;
 * `matrix` is these samples (MATRIX of ../structures.ts), `scratch` that of the thread (../jobs.ts).
 */
export function advance(space: usize, distances: usize, rowBytes: usize, matrix: usize, scratch: usize): f64 {
  const path = <usize>load<u32>(space, at.SPACE_PATH)
  const phase = load<u32>(space, at.SPACE_PHASE)
  if (phase == FILL) return fill(space, path, distances, rowBytes)
  if (phase == NEXT) return awaitsSeed(path) ? WAIT_COST : next(space, path, matrix, scratch)
  if (phase == CHECK) return check(space, path, matrix, scratch)
  return solve(space, path)
}

/** Gives a workspace a path to begin with. */
export function beginPath(space: usize, path: usize, distances: usize): void {
  store<u32>(space, path, at.SPACE_PATH)
  store<u32>(space, FILL, at.SPACE_PHASE)
  takeMatrix(space, path, distances)
}

/** Ends the path of a workspace. */
export function endPath(space: usize): void {
  releaseMatrix(space)
  store<u32>(space, 0, at.SPACE_PATH)
}

/** Makes some rows of K; after the last one, β = 0 and g = 0. */
function fill(space: usize, path: usize, distances: usize, rowBytes: usize): f64 {
  const m = load<u32>(path, at.PATH_TRAINING)
  const columns = load<u32>(path, at.PATH_COLUMNS)
  if (load<u32>(path, at.PATH_ON_DEMAND) || makeRows(space, path, distances, rowBytes)) {
    finishMatrix(space, path)
    memory.fill(pointer(space, at.SPACE_BETA), 0, <usize>m << 3)
    memory.fill(pointer(space, at.SPACE_SYNCED), 0, <usize>m << 3)
    memory.fill(pointer(space, at.SPACE_TOLD), 0, <usize>m << 3)
    memory.fill(pointer(space, at.SPACE_EXACT), 0, <usize>m << 3)
    memory.fill(pointer(space, at.SPACE_G), 0, (<usize>columns + 1) << 3)
    memory.fill(pointer(space, at.SPACE_EXACT_SUMS), 0, (<usize>columns + 1) << 3)
    store<u32>(space, 0, at.SPACE_EXACT_TERMS)
    store<u32>(space, <u32>(pointer(path, at.PATH_SUMS) != 0), at.SPACE_SIDED)
    store<u32>(space, 0, at.SPACE_INDEX)
    store<u32>(space, NEXT, at.SPACE_PHASE)
  }
  return <f64>FILL_ROWS * VALUE_COST * <f64>columns
}

/** The box of the next C, and β scaled into it. */
function next(space: usize, path: usize, matrix: usize, scratch: usize): f64 {
  const index = load<u32>(space, at.SPACE_INDEX)
  if (index == load<u32>(path, at.PATH_COUNT)) return 0
  const m = <i32>load<u32>(path, at.PATH_TRAINING)
  const columns = <i32>load<u32>(path, at.PATH_COLUMNS)
  const bounds = pointer(path, at.PATH_BOUNDS)
  const C = f64At(bounds, index)
  const beta = pointer(space, at.SPACE_BETA)
  const synced = pointer(space, at.SPACE_SYNCED)
  const told = pointer(space, at.SPACE_TOLD)
  const exact = pointer(space, at.SPACE_EXACT)
  const lower = pointer(space, at.SPACE_LOWER)
  const upper = pointer(space, at.SPACE_UPPER)
  const g = pointer(space, at.SPACE_G)
  const unitLower = pointer(path, at.PATH_LOWER)
  const unitUpper = pointer(path, at.PATH_UPPER)
  let isSided = load<u32>(space, at.SPACE_SIDED) != 0
  let factor = 1.0
  let whole = false
  if (index > 0) {
    const ratio = C / f64At(bounds, index - 1)
    factor = isSided ? ratio : bestFactor(path, m, beta, g)
    whole = !(factor < ratio)
    if (whole) factor = ratio
    scale(g, columns, factor)
    scale(pointer(space, at.SPACE_EXACT_SUMS), columns, factor)
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
    store<f64>(told + to, moved)
    store<f64>(exact + to, factor * load<f64>(exact + to))
    store<f64>(lower + to, newLower)
    store<f64>(upper + to, newUpper)
  }
  // With less to add up to, the tube may have a width again.
  if (!isSided && !keepsSums(space, path, m)) {
    store<u32>(space, 1, at.SPACE_SIDED)
    isSided = true
  }
  const isSeeded = index == 0 && hasSeed(path)
  if (isSeeded) beginAtSeed(space, path, m, isSided, isSided ? f64At(pointer(path, at.PATH_SUMS), 0) : 0)
  else if (isSided) {
    const sum = f64At(pointer(path, at.PATH_SUMS), index)
    if (index == 0) beginSides(space, path, m, sum, matrix, scratch)
    else {
      settleSides(space, path, sum)
      catchUp(space, path)
    }
  } else if (index == 0) begin(space, path, m, matrix, scratch)
  store<f64>(space, 0, at.SPACE_STEPS)
  // The C before was about as hard as this one will be, and so was the path that this one starts from.
  const known = isSeeded ? workOfSeed(path) : index > 0 ? load<f64>(space, at.SPACE_WORK) : 0
  store<f64>(space, CREDIT * known, at.SPACE_CREDIT)
  store<f64>(space, 0, at.SPACE_WORK)
  store<u32>(space, 0, at.SPACE_STUCK)
  store<u32>(space, CHECK, at.SPACE_PHASE)
  return <f64>columns
}

function scale(values: usize, count: i32, factor: f64): void {
  for (let k = 0; k < count; k++) setF64(values, k, factor * f64At(values, k))
}

/**
 * Where the first C is small for its kernel, almost every sample is a support vector. Of two classes, all of the lighter side are
 * put at their bounds, all of the other at the same share of theirs; of a regression, all that are further than ε from
 * the median of the targets, as many on either side. It is tried when, by some of the rows, the dual still falls on the way there.
 */
function begin(space: usize, path: usize, m: i32, matrix: usize, scratch: usize): void {
  const beta = pointer(space, at.SPACE_BETA)
  const synced = pointer(space, at.SPACE_SYNCED)
  const g = pointer(space, at.SPACE_G)
  const target = pointer(path, at.PATH_TARGET)
  const tube = load<f64>(path, at.PATH_TUBE)
  if (hasTwoSides(path, m)) beginRegression(space, path, m, tube)
  else beginClasses(space, m)
  const onDemand = load<u32>(path, at.PATH_ON_DEMAND) != 0
  const apart = max(1, m / (onDemand ? FEW_ROWS : SAMPLED_ROWS))
  if (onDemand) requireEvery(space, path, m, apart, matrix, scratch)
  // What the β of these rows alone make of g.
  const zeros = pointer(space, at.SPACE_EXACT)
  let linear = 0.0
  for (let i = 0; i < m; i += apart) {
    const b = f64At(beta, i)
    store<f64>(synced + (<usize>i << 3), b)
    linear += b * f64At(target, i) - tube * Math.abs(b)
  }
  followAll(space, path, zeros, synced)
  let square = 0.0
  for (let k = 0; k < m; k++) square += f64At(beta, k) * f64At(g, k)
  if (linear > square) {
    if (onDemand) requireEvery(space, path, m, 1, matrix, scratch)
    catchUp(space, path)
    return
  }
  memory.fill(beta, 0, <usize>m << 3)
  memory.fill(synced, 0, <usize>m << 3)
  memory.fill(g, 0, <usize>load<u32>(path, at.PATH_COLUMNS) << 3)
}

function beginClasses(space: usize, m: i32): void {
  const beta = pointer(space, at.SPACE_BETA)
  const lower = pointer(space, at.SPACE_LOWER)
  const upper = pointer(space, at.SPACE_UPPER)
  const above = sumOf(upper, m)
  const below = 0.0 - sumOf(lower, m)
  const least = min(above, below)
  for (let k = 0; k < m; k++) {
    const up = f64At(upper, k)
    const share = up > 0 ? (above > least ? least / above : 1.0) : below > least ? least / below : 1.0
    store<f64>(beta + (<usize>k << 3), share * (up > 0 ? up : f64At(lower, k)))
  }
}

function beginRegression(space: usize, path: usize, m: i32, tube: f64): void {
  const lower = pointer(space, at.SPACE_LOWER)
  const upper = pointer(space, at.SPACE_UPPER)
  const target = pointer(path, at.PATH_TARGET)
  let all = 0.0
  for (let k = 0; k < m; k++) all += f64At(upper, k)
  // With half of all that the boxes hold on either side, the middle between the sides is the median.
  settleSides(space, path, 0.5 * all)
  const beta = pointer(space, at.SPACE_BETA)
  let lowest = Infinity
  let highest = -Infinity
  for (let k = 0; k < m; k++) {
    if (f64At(beta, k) > 0) lowest = min(lowest, f64At(target, k))
    if (f64At(beta, k) < 0) highest = max(highest, f64At(target, k))
  }
  const median = 0.5 * (lowest + highest)
  let above = 0.0
  let below = 0.0
  for (let k = 0; k < m; k++) {
    if (f64At(target, k) > median + tube) above += f64At(upper, k)
    if (f64At(target, k) < median - tube) below -= f64At(lower, k)
  }
  settleSides(space, path, min(above, below))
}

/**
 * Whether those that want to move are let in a few at a time: from a matrix of all samples each costs a row to gather, and most who want
 * to move at first do not later on. Where sides have sums of their own, all are gathered at every check; of a pair of several classes these
 * are few enough. Tried: for two classes and for ε-SVR as well, 4 to 7 % longer and as long.
 */
function growsSlowly(space: usize, path: usize, m: i32): bool {
  const isSided = load<u32>(space, at.SPACE_SIDED) != 0
  return isBorrowed(space) ? !isSided && !hasTwoSides(path, m) : isSided
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

/** v of all samples: the end of this C, or which samples to continue with. */
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
  if (violation <= tol && roundingError(space, path, m, SMALL_ERROR * tol) > SMALL_ERROR * tol) {
    const cost = makeExact(space, path, m, matrix, scratch)
    return spend(space, cost)
  }
  const isSided = load<u32>(space, at.SPACE_SIDED) != 0
  const first = isSided ? sideValue(space, 0, m, target, g, beta, lower, upper) : 0
  const other = isSided ? sideValue(space, 1, m, target, g, beta, lower, upper) : 0
  if (violation <= tol && isSided && hasEmptyTube(path, m, first - other)) {
    store<u32>(space, 0, at.SPACE_SIDED)
    // What was gathered has its sides in order.
    store<u32>(space, 0, at.SPACE_GATHERED)
    return spend(space, <f64>m)
  }
  // What is done between steps counts too: where f32 values do not say enough, there is more of it than of steps.
  const mostSteps = load<f64>(path, at.PATH_MAX_STEPS)
  // Where some were left out, everybody gets a try before it ends.
  const mayWiden = load<u32>(space, at.SPACE_STUCK) != 0 && load<u32>(space, at.SPACE_LIMITED) != 0
  store<u32>(space, 0, at.SPACE_LIMITED)
  const exhausted =
    (load<u32>(space, at.SPACE_STUCK) != 0 && !mayWiden) ||
    !(load<f64>(space, at.SPACE_STEPS) < mostSteps) ||
    !(load<f64>(space, at.SPACE_WORK) < mostSteps * STEP_COST * <f64>m)
  if (violation <= tol || exhausted) {
    record(space, path, m, violation <= tol && keepsSums(space, path, m) ? at.CONVERGED : at.STOPPED)
    store<u32>(space, NEXT, at.SPACE_PHASE)
    return <f64>m
  }
  const wanted = pointer(space, at.SPACE_LIST)
  const bias = freeMean(space, m, target, g, beta, lower, upper, tube)
  const slack = tol + SLACK * min(1.0, violation)
  let count = 0
  for (let k = 0; k < m; k++) {
    const b = f64At(beta, k)
    const v = f64At(target, k) - f64At(g, k)
    const rise = v + riseOf(b, f64At(upper, k), tube)
    const fall = v + fallOf(b, f64At(lower, k), tube)
    const ofRise = isSided ? (b < 0 ? other : first) : bias
    const ofFall = isSided ? (b > 0 ? first : other) : bias
    if (rise > ofRise - slack || fall < ofFall + slack) {
      store<u32>(wanted + (<usize>count << 2), k)
      count++
    }
  }
  store<f64>(space, AIM * tol, at.SPACE_GOAL)
  const onDemand = load<u32>(path, at.PATH_ON_DEMAND) != 0
  if (mayWiden) store<u32>(space, 0, at.SPACE_STUCK)
  else if (onDemand || growsSlowly(space, path, m)) {
    if (!onDemand) markGathered(space, m)
    const some = limitNewcomers(space, m, count, target, isSided ? first : bias, isSided ? other : bias)
    // Those that are left out would move what the others come to: there is no use in being exact.
    if (some < count) {
      store<f64>(space, max(AIM * tol, ROUND_GAIN * violation), at.SPACE_GOAL)
      store<u32>(space, 1, at.SPACE_LIMITED)
    }
    count = some
  }
  if (onDemand) {
    const some = count
    count = <f64>some < COMPACT_BELOW * <f64>m ? some : m
    if (count == m) for (let k = 0; k < m; k++) store<u32>(wanted + (<usize>k << 2), k)
    requireRows(space, path, wanted, count, matrix, scratch)
    if (!isSided) count = some
  }
  if (isSided) count = sortSides(space, path, count, bias)
  gather(space, path, count)
  store<u32>(space, SOLVE, at.SPACE_PHASE)
  return spend(space, <f64>m * 4 + 1)
}

/**
 * Whether λ of the side above 0 is not above the other where a sample may be on either: the tube of ν-SVR would have no width.
 * Then α and α* of a sample may both be positive, so that β need not add up to anything on its sides: it is that of ε-SVR with
 * ε = 0.
 */
function hasEmptyTube(path: usize, m: i32, difference: f64): bool {
  return difference < 0 && hasTwoSides(path, m)
}

/** Whether β adds up to no more than it may: with an empty tube, the rest of the sum is in α and α* alike. */
function keepsSums(space: usize, path: usize, m: i32): bool {
  if (!pointer(path, at.PATH_SUMS) || load<u32>(space, at.SPACE_SIDED)) return true
  const sum = f64At(pointer(path, at.PATH_SUMS), load<u32>(space, at.SPACE_INDEX))
  const beta = pointer(space, at.SPACE_BETA)
  let above = 0.0
  for (let k = 0; k < m; k++) above += max(0.0, f64At(beta, k))
  return above <= sum
}

/**
 * Turns of the active-set method where these may pay, else a pair loop over the active samples, and what follows from how far
 * they got.
 */
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
  const goal = load<f64>(space, at.SPACE_GOAL)
  const enough = max(tol, goal)
  let moved = turnActive(space, count, tube, tol)
  extremes(space, count, target, g, beta, lower, upper, tube)
  if (load<f64>(space, at.SPACE_VIOLATION) > enough) {
    const left = load<f64>(path, at.PATH_MAX_STEPS) - load<f64>(space, at.SPACE_STEPS)
    const limit = <i32>min(<f64>max(LOOP_STEPS, 3 * count), max(1.0, left))
    preparePairLoop(space, count, tube)
    memory.copy(pointer(space, at.SPACE_A_BEFORE), beta, <usize>count << 3)
    const result = loop(space, count, tube, <f32>goal, limit)
    const taken = result < 0 ? -1 - result : result
    const cost = <f64>taken * stepCost(space, count)
    store<f64>(space, load<f64>(space, at.SPACE_STEPS) + <f64>taken, at.SPACE_STEPS)
    store<f64>(space, load<f64>(space, at.SPACE_CREDIT) + cost, at.SPACE_CREDIT)
    spend(space, cost)
    if (taken > 0) moved = true
    // A loop that has reached its aim is checked with the g of all samples.
    if (result > 0 && spreadOf(space, count) <= <f32>goal) {
      synchronise(space, path, count)
      store<u32>(space, CHECK, at.SPACE_PHASE)
      return load<f64>(space, at.SPACE_WORK) - before + 1
    }
    follow(space, count)
    extremes(space, count, target, g, beta, lower, upper, tube)
  }
  const open = load<f64>(space, at.SPACE_VIOLATION) > enough
  if (!moved) store<u32>(space, 1, at.SPACE_STUCK)
  const exhausted = !(load<f64>(space, at.SPACE_STEPS) < load<f64>(path, at.PATH_MAX_STEPS))
  if (!open || !moved || exhausted || canShrink(space, count, tube)) {
    synchronise(space, path, count)
    store<u32>(space, CHECK, at.SPACE_PHASE)
  }
  return load<f64>(space, at.SPACE_WORK) - before + 1
}

/** Pair steps up to `limit`, to the goal, or until leaving idle samples out pays; returns what {@link steps} does. */
function loop(space: usize, count: i32, tube: f64, goal: f32, limit: i32): i32 {
  const most = max(LOOP_STEPS, <i32>(LOOK_SHARE * <f64>count))
  let taken = 0
  while (taken < limit) {
    const next = min(most, limit - taken)
    const result = steps(space, count, tube, goal, next)
    if (result < 0) return result - taken
    taken += result
    if (result < next || hasFewBusy(space, count)) break
  }
  return taken
}

/** Pair steps over the active samples, as their rows are. */
function steps(space: usize, count: i32, tube: f64, goal: f32, limit: i32): i32 {
  const K = pointer(space, at.SPACE_A_K)
  const stride = pointer(space, at.SPACE_A_STRIDE)
  const lists = pointer(space, at.SPACE_A_LISTS)
  const v = pointer(space, at.SPACE_V32)
  const up = pointer(space, at.SPACE_UP32)
  const low = pointer(space, at.SPACE_LOW32)
  const beta = pointer(space, at.SPACE_A_BETA)
  const lower = pointer(space, at.SPACE_A_LOWER)
  const upper = pointer(space, at.SPACE_A_UPPER)
  const padded = (count + 15) & ~15
  if (load<u32>(space, at.SPACE_SIDED)) {
    const split = <i32>load<u32>(space, at.SPACE_SPLIT)
    const diagonal = pointer(space, at.SPACE_DIAGONAL32)
    return runPairLoop(padded, split, K, stride, v, up, low, diagonal, beta, lower, upper, 0, goal, limit)
  }
  if (!lists) {
    const diagonal = pointer(space, at.SPACE_DIAGONAL32)
    return runPairLoop(padded, padded, K, stride, v, up, low, diagonal, beta, lower, upper, tube, goal, limit)
  }
  const listStride = listBytes(stride)
  const highs = pointer(space, at.SPACE_P)
  const lows = pointer(space, at.SPACE_Q)
  return runSparsePairLoop(padded, K, stride, lists, listStride, v, up, low, beta, lower, upper, highs, lows, tube, goal, limit)
}

/** Cost of one of them, in nanoseconds. */
function stepCost(space: usize, count: i32): f64 {
  if (!pointer(space, at.SPACE_A_LISTS)) return STEP_COST * <f64>count
  return SPARSE_STEP_COST * <f64>count + BLOCK_STEP_COST * (<f64>load<u32>(space, at.SPACE_A_BLOCKS) / <f64>count)
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
  let size = 0.0
  for (let k = 0; k < m; k++) {
    const b = f64At(beta, k)
    if (b == 0) continue
    support++
    size += Math.abs(b)
    if (b == f64At(lower, k) || b == f64At(upper, k)) bounded++
    dual += b * (0.5 * f64At(g, k) - f64At(target, k)) + tube * Math.abs(b)
  }
  const bias = freeMean(space, m, target, g, beta, lower, upper, tube)
  const isSided = load<u32>(space, at.SPACE_SIDED) != 0
  const first = isSided ? sideValue(space, 0, m, target, g, beta, lower, upper) : 0
  const other = isSided ? sideValue(space, 1, m, target, g, beta, lower, upper) : 0
  followHeldOut(space, path)
  const decisions = pointer(path, at.PATH_DECISIONS) + (<usize>(<i32>index * heldOut) << 3)
  const places = pointer(path, at.PATH_PLACES)
  for (let k = 0; k < heldOut; k++) {
    const place = <i32>load<u32>(places + (<usize>k << 2))
    store<f64>(decisions + (<usize>k << 3), f64At(g, place) + bias)
  }
  const solutions = pointer(path, at.PATH_SOLUTIONS)
  if (solutions) memory.copy(solutions + (<usize>(<i32>index * m) << 3), beta, <usize>m << 3)
  const finalG = pointer(path, at.PATH_FINAL_G)
  if (finalG) memory.copy(finalG, g, <usize>load<u32>(path, at.PATH_COLUMNS) << 3)
  const out = pointer(path, at.PATH_RECORDS) + <usize>index * at.RECORD_BYTES
  store<f64>(out, bias, at.RECORD_BIAS)
  const width = hasTwoSides(path, m) ? first - other : other - first
  store<f64>(out, isSided && hasBelow(space) ? 0.5 * width : 0, at.RECORD_WIDTH)
  store<f64>(out, dual, at.RECORD_DUAL)
  store<f64>(out, size, at.RECORD_SIZE)
  store<f64>(out, load<f64>(space, at.SPACE_VIOLATION), at.RECORD_VIOLATION)
  store<f64>(out, load<f64>(space, at.SPACE_STEPS), at.RECORD_STEPS)
  store<f64>(out, load<f64>(space, at.SPACE_WORK), at.RECORD_WORK)
  store<u32>(out, support, at.RECORD_SUPPORT)
  store<u32>(out, bounded, at.RECORD_BOUNDED)
  atomic.store<u32>(out + at.RECORD_STATUS, status)
  store<u32>(space, index + 1, at.SPACE_INDEX)
}
