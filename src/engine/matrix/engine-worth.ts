/** When it pays to compute kernel values on the engine, and on several threads of it. */
import { KERNEL_VALUE_WORK } from '../../base/kernel-work.ts'

/** Multiply-adds from which on the engine pays: plain code takes a few milliseconds for them. */
export const WORTH_ENGINE = 5e6
/** Multiply-adds from which on threads pay, a tenth of a second on one: starting them takes tens of milliseconds. */
const WORTH_THREADS = 2e8
/** Beyond these, the engine's memory is not the place for a matrix, or for a block of queries: 1 GB and 64 MB of its 4 GB. */
const MOST_VALUES = 60e6
const MOST_COLUMNS = 1_000_000

/** Multiply-adds of all kernel values of some queries with this many samples, which have `stored` values together. */
export function kernelWork(queries: number, samples: number, stored: number): number {
  return queries * (stored + KERNEL_VALUE_WORK * samples)
}

/** Whether a matrix of so many stored values and columns is for the engine's memory. */
export function fitsEngine(stored: number, columns: number): boolean {
  return stored <= MOST_VALUES && columns <= MOST_COLUMNS
}

/** How many of `threads` to use for so much work. */
export function threadsWorth(work: number, threads: number): number {
  return work < WORTH_THREADS ? 1 : threads
}
