/**
 * The start of a path at the solution of another one of the same machine, over most of the same samples: a fold that follows another one.
 * Samples of both keep their β. Those that are new go to the bound that the other model sends them to; most of them would end there. As
 * about as many leave, what is left to do is little: fewer steps than from 0 by far. g follows those that came and those that left.
 */
import { f64At, pointer, setF64, setU32, u32At } from '../dual/memory'
import { fallOf, riseOf } from '../dual/rates'
import * as at from '../structures'
import { catchUp } from './path-active'
import { balanceSides, settleSides } from './path-sides'
import { hasTwoSides, isBorrowed, subtractChanges } from './path-space'

/** Whether the path that this one starts from is not done yet. */
export function awaitsSeed(path: usize): bool {
  const seed = pointer(path, at.PATH_SEED)
  return seed != 0 && atomic.load<u32>(recordOf(seed) + at.RECORD_STATUS) == 0
}

/** Whether there is a solution to start from. */
export function hasSeed(path: usize): bool {
  const seed = pointer(path, at.PATH_SEED)
  return seed != 0 && atomic.load<u32>(recordOf(seed) + at.RECORD_STATUS) == at.CONVERGED
}

/** About how many nanoseconds that took. */
export function workOfSeed(path: usize): f64 {
  return load<f64>(recordOf(pointer(path, at.PATH_SEED)), at.RECORD_WORK)
}

// @ts-ignore: decorator
@inline
function recordOf(path: usize): usize {
  return pointer(path, at.PATH_RECORDS)
}

/** β and g of a path with its box, of a single C; `sum` is what its sides add up to, where that is fixed. */
export function beginAtSeed(space: usize, path: usize, m: i32, isSided: bool, sum: f64): void {
  const beta = pointer(space, at.SPACE_BETA)
  const synced = pointer(space, at.SPACE_SYNCED)
  const g = pointer(space, at.SPACE_G)
  const lower = pointer(space, at.SPACE_LOWER)
  const upper = pointer(space, at.SPACE_UPPER)
  const target = pointer(path, at.PATH_TARGET)
  const tube = load<f64>(path, at.PATH_TUBE)
  const samples = pointer(path, at.PATH_SAMPLES)
  const seed = pointer(path, at.PATH_SEED)
  const seedSamples = pointer(seed, at.PATH_SAMPLES)
  const seedBeta = pointer(seed, at.PATH_SOLUTIONS)
  const seedG = pointer(seed, at.PATH_FINAL_G)
  const seedLower = pointer(seed, at.PATH_LOWER)
  const seedUpper = pointer(seed, at.PATH_UPPER)
  const trained = <i32>load<u32>(seed, at.PATH_TRAINING)
  const columns = <i32>load<u32>(seed, at.PATH_COLUMNS)
  const bias = load<f64>(recordOf(seed), at.RECORD_BIAS)
  const width = load<f64>(recordOf(seed), at.RECORD_WIDTH)
  // λ of the two sides, as the record of ./path.ts has them.
  const above = !isSided ? 0.0 : hasTwoSides(path, m) ? width : -width
  const borrows = isBorrowed(space)
  let next = 0
  let held = trained
  let left = 0
  for (let k = 0; k < m; k++) {
    const sample = u32At(samples, k)
    // Both lists ascend: samples of the seed before this one have left.
    while (next < trained && u32At(seedSamples, next) < sample) left = leave(space, left, next++, seedBeta, seedSamples)
    const isShared = next < trained && u32At(seedSamples, next) == sample
    if (!isShared) while (held < columns && u32At(seedSamples, held) < sample) held++
    const place = isShared ? next : held
    const value = place < columns && u32At(seedSamples, place) == sample ? f64At(seedG, place) : 0
    setF64(g, k, value)
    const known = isShared && (f64At(seedLower, next) < 0 || f64At(seedUpper, next) > 0)
    const before = isShared ? f64At(seedBeta, next) : 0
    const low = f64At(lower, k)
    const high = f64At(upper, k)
    let after = min(high, max(low, before))
    if (!known) {
      const v = f64At(target, k) - value
      if (v + riseOf(0, high, tube) > bias + above) after = high
      else if (v + fallOf(0, low, tube) < bias - above) after = low
    }
    setF64(beta, k, after)
    setF64(synced, k, before)
    if (isShared) next++
  }
  while (next < trained) left = leave(space, left, next++, seedBeta, seedSamples)
  if (borrows) subtractChanges(space, g, left)
  catchUp(space, path)
  if (isSided) settleSides(space, path, sum)
  else balanceSides(space, path)
  catchUp(space, path)
}

/** Lists a sample of the seed that this path has not: `subtractChanges` takes its row out of g. */
function leave(space: usize, count: i32, k: i32, seedBeta: usize, seedSamples: usize): i32 {
  const b = f64At(seedBeta, k)
  if (b == 0) return count
  setU32(pointer(space, at.SPACE_LIST), count, u32At(seedSamples, k))
  setF64(pointer(space, at.SPACE_COEFFICIENTS), count, b)
  return count + 1
}
