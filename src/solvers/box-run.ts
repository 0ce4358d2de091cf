/** What the two ways of the default solver (./smo-blocks.ts, ./smo-pairs.ts) show of themselves, in signed variables. */
import type { BoxBias } from './box-bias.ts'

/** One object a run, updated in place; ../problems/box-dual.ts says what β is. */
export interface BoxState extends BoxBias {
  /** Pair steps done. */
  readonly iteration: number
  readonly beta: Float64Array
  /** m − M by the solver's own reckoning; NaN while unknown. */
  readonly violation: number
  readonly precision: 'f32' | 'f64'
  /** All that the run would need to go on from here; undefined in the middle of something. */
  snapshot?: (() => object | undefined) | undefined
}

/** How a run ended of itself. */
export interface BoxEnd {
  /** The dual was seen to have no bound. */
  readonly unbounded?: boolean
}

/** A run in progress. */
export type BoxRun<End = BoxEnd> = Generator<BoxState, End, void>
