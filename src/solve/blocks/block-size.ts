/** How many variables the block solver works on at a time, and which kernel rows it keeps. */

import type { EngineMatrix } from '../../engine/matrix/engine-matrix.ts'
import type { Engine } from '../../engine/memory/engine.ts'
import { QUERIES } from '../../engine/memory/structures.ts'
import { AllRows, EngineRows } from '../../engine/rows/engine-rows.ts'
import type { StoredRows } from './stored-rows.ts'

/** Variables solved together. Chosen by measurement: 256 to 1,024 are within a few per cent of each other. */
const WORKING_SET = 512
/** Rows of the working set must fit into the cache, or into this much; but a set has at least so many variables. */
const LEAST_CACHE = 100e6
const LEAST_SET = 32
/** Values in a sample, on average, from which on making a row costs more than writing it to memory. */
export const DEAR_FROM = 48
/**
 * Samples up to which all rows are made at once if they are dear. Rows one by one cost as much, twice
 * for a pair of samples, when half of them have been asked for: by then there were three rounds.
 */
const MOST_AT_ONCE = 4 * WORKING_SET
/** In ν problems there may be one variable more than the set has: it makes the first group even. */
const FILLERS = 1

/**
 * Multiply-adds of the kernel rows that are made before others may look: less than 0.1 s, half of what a limit may be overrun by.
 * Smaller jobs leave threads idle at their ends: of 1e8, rows of mnist take 40 % longer.
 */
const ROWS_WORK = 5e8

/** Variables of a working set of n; `usual` of them, if that is given, where there is room. */
export function workingSetSize(n: number, cacheBytes: number, usual = WORKING_SET): number {
  const affordable = Math.floor(Math.max(cacheBytes, LEAST_CACHE) / (4 * n))
  return Math.min(n, usual, Math.max(LEAST_SET, affordable))
}

/** Rows of n columns that are made in one job. */
export function rowsPerPiece(samples: EngineMatrix, n: number): number {
  const width = samples.values.length / n
  return QUERIES * Math.ceil(ROWS_WORK / (QUERIES * n * (width + 1)))
}

/**
 * Rows for a solver that requires `largest` of them at once at most; undefined when they are so cheap that keeping them does
 * not pay.
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
  if (samples.values.length <= DEAR_FROM * count) return undefined
  return count <= MOST_AT_ONCE && AllRows.bytesFor(count) <= cacheBytes
    ? new AllRows(engine, kernel, samples, diagonal, largest + FILLERS)
    : new EngineRows(engine, kernel, samples, diagonal, cacheBytes, largest)
}
