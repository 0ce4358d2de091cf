/**
 * The parts in which sums over rows are computed: by sizes alone, and added in their order, so that a sum has the same bits in plain code, on the
 * engine, and on any number of threads.
 */

/** Multiply-adds of a task that threads share: less than a tenth of a millisecond, ten times what it takes to hand it out. */
export const WORK_PER_TASK = 1e5
/** Parts of a sum, at most, and how many multiply-adds of one are worth clearing and adding a number of its own. */
const MOST_PARTS = 8
const WORTH_A_PART = 8

/** Some of the rows: from <= i < to. */
export interface RowRange {
  readonly from: number
  readonly to: number
}

/** The parts of a sum of `count` terms that cost `work`, for a result of `length` numbers. */
export function partsOf(count: number, work: number, length: number): RowRange[] {
  const worth = Math.floor(work / Math.max(WORK_PER_TASK, WORTH_A_PART * length))
  const parts = Math.max(1, Math.min(MOST_PARTS, worth))
  const end = (part: number) => Math.floor((count * part) / parts)
  return Array.from({ length: parts }, (_, p) => ({ from: end(p), to: end(p + 1) }))
}
