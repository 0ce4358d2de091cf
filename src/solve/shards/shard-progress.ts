/** Progress of training on shards. */
export interface ShardRunProgress {
  readonly solver: string
  /** Functions that are done, and how many there are. */
  readonly done: number
  readonly functions: number
  /** Of the function that is furthest behind: rounds, and what is to be brought down to `tol` (NaN while unknown). */
  readonly rounds: number
  /** The gap as a part of the primal value, or the violation. */
  readonly goal: 'gap' | 'violation'
  readonly left: number
  readonly tol: number
  /** Blocks done in this pass, and how many there are. */
  readonly block: number
  readonly blocks: number
  /** Passes over the data so far. */
  readonly passes: number
}
