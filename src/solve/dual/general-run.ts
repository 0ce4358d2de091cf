/** What the two ways of the default solver (../blocks/smo-blocks.ts, ./smo-pairs.ts) show of themselves, in signed variables. */
import type { GeneralBias } from './general-bias.ts'

/** One object per run, updated in place; ../../problems/general-dual.ts says what β is. */
export interface GeneralState extends GeneralBias {
  /** Pair steps done. */
  readonly iteration: number
  readonly beta: Float64Array
  /** m − M by the solver's own reckoning; NaN while unknown. */
  readonly violation: number
  readonly precision: 'f32' | 'f64'
  /** All that the run would need to continue from here; undefined in the middle of something. */
  snapshot?: (() => object | undefined) | undefined
}

/** How a run ended by its own rule. */
export interface GeneralEnd {
  /** The dual was seen to have no bound. */
  readonly unbounded?: boolean
}

/** A run in progress. */
export type GeneralRun<End = GeneralEnd> = Generator<GeneralState, End, void>
