/** How many variables the block solver works on at a time, and which kernel rows it keeps. */

import type { EngineMatrix } from '../../engine/matrix/engine-matrix.ts'
import type { Engine } from '../../engine/memory/engine.ts'
import { QUERIES } from '../../engine/memory/structures.ts'
import { AllRows } from '../../engine/rows/all-rows.ts'
import { EngineRows } from '../../engine/rows/engine-rows.ts'
import { rowStride } from '../../engine/rows/row-slots.ts'
import type { StoredRows } from './stored-rows.ts'
import { MOST_FILLERS } from './working-set.ts'

/**
 * Variables solved together: a share of all, within limits. A set of W takes W² kernel values, steps that cost W, and the update
 * of all variables once a round; the larger it is, the fewer rounds there are. Measured from n = 4,000 to 30,000: twice as many
 * save a third of the rows where problems are hard, and cost a tenth more where they are easy; 2,048 gain nothing over 1,024.
 */
const WORKING_SHARE = 10
export const USUAL_SET = 512
const LARGEST_SET = 1024
/** Rows of the working set must fit into the cache, or into this much; but a set has at least this many variables. */
const LEAST_CACHE = 100e6
const LEAST_SET = 32
/** Values in a sample, on average, from which on making a row costs more than writing it to memory. */
export const DEAR_FROM = 48
/**
 * Samples up to which all rows are computed together: 17 MB. Rows one by one cost as much, twice for a pair of samples, when
 * half of
 * them have been requested: by then there were a few rounds.
 */
export const MOST_AT_ONCE = 2048
/**
 * Working sets whose rows must fit where cheap rows are kept: a row that gives way before it is requested again costs more
 * than none.
 */
const KEPT_SETS = 4

/**
 * Multiply-adds of the kernel rows that are made before others may look: less than 0.1 s, half of what a limit may be overrun by.
 * Smaller jobs leave threads idle at their ends: of 1e8, rows of mnist take 40 % longer.
 */
const ROWS_WORK = 5e8

/** Variables of a working set of n; `usual` of them, if that is given, where there is room. */
export function workingSetSize(n: number, cacheBytes: number, usual = usualSet(n)): number {
  const affordable = Math.floor(Math.max(cacheBytes, LEAST_CACHE) / (4 * n))
  return Math.min(n, usual, Math.max(LEAST_SET, affordable))
}

function usualSet(n: number): number {
  return Math.max(USUAL_SET, Math.min(LARGEST_SET, Math.ceil(n / WORKING_SHARE)))
}

/** Rows of n columns that are made in one job. */
export function rowsPerPiece(samples: EngineMatrix, n: number): number {
  const width = samples.values.length / n
  return QUERIES * Math.ceil(ROWS_WORK / (QUERIES * n * (width + 1)))
}

/**
 * Rows that are kept from the beginning, for a solver that requires `largest` of them at the same time at most; undefined
 * where they are
 * better made in passing, until it turns out that they are requested again.
 */
export function rowsToKeep(
  engine: Engine,
  kernel: number,
  samples: EngineMatrix,
  diagonal: Float64Array,
  cacheBytes: number,
  largest: number,
): StoredRows | undefined {
  const count = diagonal.length
  if (count <= MOST_AT_ONCE) return new AllRows(engine, kernel, samples, diagonal, largest + MOST_FILLERS)
  if (samples.values.length <= DEAR_FROM * count) return undefined
  return new EngineRows(engine, kernel, samples, diagonal, cacheBytes, largest)
}

/** Whether cheap rows of this many columns are worth keeping, where a set may have `largest` variables. */
export function hasRoomFor(columns: number, largest: number, cacheBytes: number): boolean {
  return KEPT_SETS * largest * rowStride(columns) <= cacheBytes
}
