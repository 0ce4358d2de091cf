/** When the rounding of kernel values to f32 could be felt, and what is done about it. */
import { NEGLIGIBLE } from '../dual/sparse-rows'
import { findOrMake, findStored, makeStored } from './exact-store'
import { EXACT_QUERIES } from '../structures'
import * as at from '../structures'
import { f64At, pointer, setF64, setU32, u32At } from '../dual/memory'
import { isMade } from './pair-rows'
import { isRbf, isShifted } from './path-kernel'
import { columnOf, isPart, rowOf, secondPiece, subtractRuns, VALUE_COST } from './path-space'
import { subtractRows } from '../sums/gradient'

/**
 * 2^−25, and for how many samples the error of v is looked at: each costs a row of K. The worst of them stands for all. Tried (./path.ts):
 * 8 and 128 took as long.
 */
const HALF_ULP: f64 = 1.0 / 33554432.0
const ERROR_SAMPLES: i32 = 32
/** The largest k (1 + |ln k|)² for 0 < k <= 1, at k = 1 / e. */
const MOST_OF_SQUARE: f64 = 4.0 / Math.E
/** How many standard deviations are allowed: one error in 16,000 is larger. */
const DEVIATIONS: f64 = 4.0
/**
 * Rows that are added to an exact sum, for each support vector, before it is computed from scratch: rounding is then at most so many
 * times what it is of a sum from scratch (2^−53 of a term each), and sums from scratch are a sixteenth of the work at most.
 */
const MOST_TERMS: f64 = 16.0
/**
 * Where values are k − 1: those of distances, of products with γ, and of a polynomial are rounded to 2^−25 of them each, together to 3 of
 * these or less. Its square, as a multiple of {@link MOST_OF_SQUARE}.
 */
const SHIFTED_SHARE: f64 = 9.0 / MOST_OF_SQUARE
/** What was taken for zero (../dual/sparse-rows.ts) errs as much as a value of this size is rounded. */
const NEGLIGIBLE_SHARE: f64 = (<f64>NEGLIGIBLE / HALF_ULP) * (<f64>NEGLIGIBLE / HALF_ULP)

/**
 * A bound, as good as certain, of what rounding K to f32 has done to v since it was last exact. The error of a value k
 * is random, about 2^−25 of k (1 + |ln k|) or less, whose square is at most 4/e k for k <= 1; so the variance of v_i is
 * below 4/e · 2^−50 Σ_j Δβ_j² k_ij, taken here for some of the samples, and four standard deviations are allowed. Where products were
 * f32 as well, their error of k adds (valueError · k)². Where values are k − 1, it is a share of these. With k <= 1 of rbf, no row has to be read where even k = 1 leaves no more than
 * `enough`.
 */
export function roundingError(space: usize, path: usize, m: i32, enough: f64): f64 {
  const beta = pointer(space, at.SPACE_BETA)
  const exact = pointer(space, at.SPACE_EXACT)
  const apart = <i32>max(1, m / ERROR_SAMPLES)
  const ofProducts = load<f64>(path, at.PATH_VALUE_ERROR) / HALF_ULP
  const more = (ofProducts * ofProducts) / MOST_OF_SQUARE
  // Where in a row those are that have moved, and how far, squared.
  const list = pointer(space, at.SPACE_LIST)
  const squares = pointer(space, at.SPACE_COEFFICIENTS)
  let found = 0
  let total = 0.0
  for (let k = 0; k < m; k++) {
    const change = f64At(beta, k) - f64At(exact, k)
    if (change == 0) continue
    setU32(list, found, <u32>columnOf(space, k) << 2)
    setF64(squares, found, change * change)
    total += change * change
    found++
  }
  const shifts = isShifted(space)
  const spread = load<f64>(space, at.SPACE_SPREAD)
  const most = errorOf(total * (shifts ? SHIFTED_SHARE * spread * spread : 1.0 + more + NEGLIGIBLE_SHARE))
  if (isRbf(space) && most <= enough) return most
  let worst = 0.0
  let largest = 0.0
  const second = <usize>secondPiece(space) << 2
  const onDemand = load<u32>(path, at.PATH_ON_DEMAND) != 0
  for (let i = 0; i < m; i += apart) {
    while (onDemand && i < m && !isMade(space, i)) i++
    if (i == m) break
    let sum = 0.0
    const first = rowOf(space, i, 0)
    const other = rowOf(space, i, 1)
    const place = columnOf(space, i) << 2
    const own = Math.abs(<f64>load<f32>((place < second ? first : other) + place))
    const share = own > 0 ? more / own : 0
    for (let j = 0; j < found; j++) {
      const column = <usize>u32At(list, j)
      const value = Math.abs(<f64>load<f32>((column < second ? first : other) + column))
      if (shifts) sum += f64At(squares, j) * SHIFTED_SHARE * value * value
      else sum += f64At(squares, j) * (value + share * value * value + NEGLIGIBLE_SHARE)
    }
    worst = max(worst, sum)
    largest = max(largest, shifts ? 1.0 : own)
  }
  return errorOf(worst * largest)
}

/** What is allowed for where the variance is as many times that of a value that is 1. */
// @ts-ignore: decorator
@inline
function errorOf(variance: f64): f64 {
  return DEVIATIONS * HALF_ULP * Math.sqrt(MOST_OF_SQUARE * variance)
}

/**
 * g of all samples in f64: what it was when this was done last, with the rows of those that have moved since. Returns about what it cost.
 */
export function makeExact(space: usize, path: usize, m: i32, matrix: usize, scratch: usize): f64 {
  const samples = pointer(path, at.PATH_SAMPLES)
  const kernel = pointer(path, at.PATH_KERNEL)
  const columns = <i32>load<u32>(path, at.PATH_COLUMNS)
  const beta = pointer(space, at.SPACE_BETA)
  const exact = pointer(space, at.SPACE_EXACT)
  const sums = pointer(space, at.SPACE_EXACT_SUMS)
  const list = pointer(space, at.SPACE_LIST)
  const coefficients = pointer(space, at.SPACE_COEFFICIENTS)
  const kept = pointer(space, at.SPACE_STORE)
  limitTerms(space, m, columns)
  const isInPart = isPart(space)
  let found = 0
  for (let k = 0; k < m; k++) {
    // Rows are added by subtracting them with the other sign.
    const change = f64At(exact, k) - f64At(beta, k)
    if (change == 0) continue
    setU32(list, found, isInPart ? u32At(samples, k) : k)
    setF64(coefficients, found, change)
    found++
  }
  const claimed = pointer(space, at.SPACE_PAIRS)
  const slots = pointer(space, at.SPACE_SLOTS)
  const stored = isInPart ? <i32>load<u32>(slots, at.SLOTS_ROWS) : columns
  const numbers = isInPart ? pointer(slots, at.SLOTS_EVERYBODY) : samples
  // Without room for all, which may depend on other threads, rows are added a few at a time: in the same order, so the same bits.
  const areStored = makeStored(kept, list, found, numbers, stored, matrix, kernel, scratch, claimed) >= 0
  const batch = areStored ? found : EXACT_QUERIES
  const runs = load<u32>(space, at.SPACE_RUN_COUNT) + load<u32>(space, at.SPACE_HELD_OUT_RUNS)
  for (let first = 0; first < found; first += batch) {
    const count = min(batch, found - first)
    const rows = list + (<usize>first << 2)
    const changes = coefficients + (<usize>first << 3)
    if (areStored) findStored(kept, rows, count, stored)
    else {
      const passing = pointer(space, at.SPACE_PASSING)
      findOrMake(kept, rows, count, numbers, stored, matrix, kernel, scratch, passing)
    }
    if (isInPart) subtractRuns<f64>(space, sums, 0, <i32>runs, rows, changes, count)
    else subtractRows<f64>(sums, 0, columns, rows, changes, count)
  }
  memory.copy(pointer(space, at.SPACE_G), sums, <usize>columns << 3)
  memory.copy(exact, beta, <usize>m << 3)
  memory.copy(pointer(space, at.SPACE_TOLD), beta, <usize>m << 3)
  // What others have made already must not count: the course of a path is the same on any number of threads.
  return VALUE_COST * <f64>found * <f64>columns
}

/** Counts the rows that are to be added to the exact sums; where these would become too many, the sums begin at 0 again. */
function limitTerms(space: usize, m: i32, columns: i32): void {
  const beta = pointer(space, at.SPACE_BETA)
  const exact = pointer(space, at.SPACE_EXACT)
  let terms = <f64>load<u32>(space, at.SPACE_EXACT_TERMS)
  let support = 0
  for (let k = 0; k < m; k++) {
    if (f64At(beta, k) != 0) support++
    if (f64At(beta, k) != f64At(exact, k)) terms++
  }
  if (terms > MOST_TERMS * <f64>support) {
    memory.fill(exact, 0, <usize>m << 3)
    memory.fill(pointer(space, at.SPACE_EXACT_SUMS), 0, (<usize>columns + 1) << 3)
    terms = <f64>support
  }
  store<u32>(space, <u32>terms, at.SPACE_EXACT_TERMS)
}
