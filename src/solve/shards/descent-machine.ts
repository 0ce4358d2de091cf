/**
 * Block minimisation: dual coordinate descent that visits block by block, w̃ carried along and β kept beside each block. A round
 * is a pass that descends and one that measures. Each step lowers the dual; the primal value may rise on the way, so the best
 * weights are kept.
 *
 * Problem  the dual of linear machines with hinge and ε-insensitive losses (../../problems/linear-loss.ts)
 * Stop     by the gap
 * Source   Yu, Hsieh, Chang, Lin 2010
 * Cost     two passes over the data per round; a number per sample and function on disk, twice
 */
import { betterOf, type PassAnswer, type PassRequest, ShardMachine } from './shard-machine.ts'

/** Rounds without a lower dual value after which it is rounding that is left. */
const MOST_WITHOUT_GAIN = 5

/** See the header of the file. */
export class DescentMachine extends ShardMachine {
  readonly name = 'block-descent'
  /** The latest: those of β. */
  weights: Float64Array
  private isMeasuring = true
  private lowestDual = Number.POSITIVE_INFINITY
  private withoutGain = 0

  /** It starts at w̃ = 0, which has this many entries, and β = 0; where other weights are given, they are measured first. */
  constructor(length: number, first: Float64Array = new Float64Array(length)) {
    super()
    this.weights = first
  }

  request(): PassRequest {
    // The first round measures β = 0; round r descends from β of round r − 1.
    const { weights, rounds } = this
    if (!this.isMeasuring) return { kind: 'descend', weights, reads: rounds - 1, writes: rounds }
    return { kind: 'measure', weights, reads: rounds }
  }

  receive({ measures, v, moved }: PassAnswer): void {
    if (!measures || !v) {
      if (moved === false) this.isStalled = true
      this.isMeasuring = true
      return
    }
    this.best = betterOf(this.best, this.weights, measures)
    // v was computed afresh; w̃ has been added up to step by step.
    this.weights = v
    this.isMeasuring = false
    this.rounds++
    if (measures.dual < this.lowestDual) {
      this.lowestDual = measures.dual
      this.withoutGain = 0
    } else if (++this.withoutGain >= MOST_WITHOUT_GAIN) this.isStalled = true
  }
}
