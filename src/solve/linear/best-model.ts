/**
 * The best model that a dual coordinate method has met. Each of its steps lowers the dual, but the primal value of the model
 * that goes with α may rise on the way, by orders of magnitude where C is large. So the model with the lowest primal value
 * is kept beside α, which is the best bound: until a run has reached its goal, what it shows of itself never gets worse.
 *
 * A primal value takes a pass over the data. So it is worked out after epochs 1, 2, 4 and 8, then whenever epochs have come
 * to eight passes, and where a run ends, be it from outside.
 */

import { copyFields } from '../driver/saved-fields.ts'

/** Passes over the data between two primal values, in the long run: a value costs one, so that they add an eighth. */
const PASSES = 8

/** See the header of the file. Models are given by their coefficients, in whatever form the solver has them. */
export class BestModel {
  /** The lowest primal value so far. */
  primal: number
  private readonly coefficients: Float64Array
  private readonly samples: number
  private isLatest = true
  /** Whether the model last offered is that of α itself. */
  private isOwn = true
  private nextEpoch = 1
  private visits = 0

  /** It starts with the model whose coefficients are all 0, which has this primal value. */
  constructor(primal: number, coefficients: number, samples: number) {
    this.primal = primal
    this.coefficients = new Float64Array(coefficients)
    this.samples = samples
  }

  /** All that it knows; {@link restoreFields} puts it back. */
  save() {
    const { primal, coefficients, isLatest, isOwn, nextEpoch, visits } = this
    return copyFields({ primal, coefficients, isLatest, isOwn, nextEpoch, visits })
  }

  /** Its coefficients; undefined where it is the latest model. */
  get beta(): Float64Array | undefined {
    return this.isLatest ? undefined : this.coefficients
  }

  /** An epoch begins: the latest model will be another one, and it is not known how good. */
  startEpoch(): void {
    this.isLatest = false
  }

  /** An epoch that visited this many samples has ended; true when it is time for {@link offer}. */
  isDue(epoch: number, visits: number): boolean {
    this.visits += visits
    return epoch >= this.nextEpoch || this.visits >= PASSES * this.samples
  }

  /** The latest model is as good as was requested: it is the one, so that model and bound belong together. */
  acceptLatest(): void {
    this.isLatest = this.isOwn
  }

  /** The model of this epoch, as a multiple of that of α. */
  offer(epoch: number, primal: number, coefficients: Float64Array, multiple = 1): void {
    this.visits = 0
    this.nextEpoch = epoch < PASSES ? 2 * Math.max(1, epoch) : Number.POSITIVE_INFINITY
    this.isOwn = multiple === 1
    this.isLatest = this.isOwn && primal <= this.primal
    if (primal > this.primal) return
    this.primal = primal
    for (let i = 0; i < coefficients.length; i++) this.coefficients[i] = multiple * coefficients[i]
  }
}
