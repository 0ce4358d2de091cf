/**
 * Losses with a kink on shards, by working sets (./working-set.ts): a pass measures w̃ and gathers the samples of all blocks that are not
 * settled; their problem is solved where all machines are, and the next pass puts their β back beside the blocks. The dual falls with every
 * round, and what was gathered is solved to the end, so a few rounds are enough where it is most of what is not settled.
 */
import { betterOf, type DualPoint, type PassAnswer, type PassRequest, ShardMachine } from './shard-machine.ts'
import { type BetaChanges, joinWorkingSet, solveWorkingSet } from './working-set.ts'

/** The part of what is not settled that a set must have to be worth solving. */
const LEAST_PART = 0.25
/** A round that leaves more of the gap than this is slow, and so many in a row are too many: one may settle what the next gains by. */
const LEAST_FALL = 0.5
const MOST_SLOW = 2

/** How a machine by working sets is set up. */
export interface WorkingSetSettings {
  /** The constant feature. */
  readonly constant: number
  /** Stored values of a block's part of the set, at most. */
  readonly most: number
  readonly seed: number
}

/** See the header of the file. */
export class WorkingSetMachine extends ShardMachine {
  readonly name = 'working-set'
  /** Not a part of what is saved: whoever restores it has set it up again. */
  readonly #settings: WorkingSetSettings
  private weights: Float64Array
  /** Those of β as the last pass found it. */
  private measured: Float64Array
  private state = { round: 0, slow: 0, latestGap: Number.POSITIVE_INFINITY, part: 1 }
  private changes: readonly BetaChanges[] | undefined

  /** It starts at β of a round. */
  constructor(start: DualPoint, settings: WorkingSetSettings) {
    super()
    this.#settings = settings
    this.weights = start.weights.slice()
    this.measured = start.weights
    this.state.round = start.round
  }

  /** The part of what was not settled that the last set had. */
  get part(): number {
    return this.state.part
  }

  /** Whether sets are too small, or get no further. */
  get isSlow(): boolean {
    const { part, slow } = this.state
    return this.isStalled || part < LEAST_PART || slow >= MOST_SLOW
  }

  /** β as the last pass found it, before the set was solved. */
  get point(): DualPoint {
    return { weights: this.measured, round: this.state.round }
  }

  request(): PassRequest {
    const { weights, changes } = this
    const { round } = this.state
    const betas = { reads: round, ...(changes && { writes: round + 1 }) }
    return { kind: 'gather', weights, ...betas, changes, most: this.#settings.most }
  }

  receive({ measures, v, gathered }: PassAnswer): void {
    if (!measures || !v || !gathered) return
    const { state } = this
    this.best = betterOf(this.best, this.weights, measures)
    if (this.changes) state.round++
    this.rounds++
    const { gap } = this.best.measures
    state.slow = gap > LEAST_FALL * state.latestGap ? state.slow + 1 : 0
    state.latestGap = gap
    const sum = (of: 'unsettled' | 'given') => gathered.reduce((total, part) => total + part[of], 0)
    state.part = Math.min(1, sum('given') / Math.max(1, sum('unsettled')))
    // v was computed afresh; w̃ has been added up to step by step.
    this.measured = v
    this.weights = v.slice()
    this.changes = undefined
    const set = joinWorkingSet(gathered)
    if (!set || this.isSlow) {
      this.isStalled ||= !set
      return
    }
    const { constant, seed } = this.#settings
    solveWorkingSet(set, constant, this.weights, seed + Math.imul(state.round, 0x9e3779b1))
    let from = 0
    this.changes = gathered.map(({ rows }) => {
      const beta = set.beta.slice(from, from + rows.length)
      from += rows.length
      return { rows, beta }
    })
  }
}
