/** Epochs of dual coordinate descent with the logistic loss; see ./logistic-sweep.ts. They go on from the best dual point. */
import type { Pieces } from '../../base/pieces.ts'
import type { Random } from '../../base/random.ts'
import type { Due } from '../driver/pieces.ts'
import { copyFields, restoreFields } from '../driver/saved-fields.ts'
import { blockSize, movableSamples, samplesPerCall } from '../linear/dual-epochs.ts'
import type { LinearPoint } from '../linear/linear-point.ts'
import type { LinearRows, LogisticVectors } from '../rows/linear-rows.ts'

/** The margin that goes with β = 0, which the logistic loss only asks for at an infinite one: σ(−36) is the rounding of 1. */
const FARTHEST = 36

/** See the header of the file. */
export class LogisticEpochs {
  private readonly rows: LinearRows
  private readonly point: LinearPoint
  private readonly random: Random
  private readonly due: Due
  private readonly vectors: LogisticVectors
  private readonly f: Float64Array
  private readonly perCall: number

  constructor(rows: LinearRows, point: LinearPoint, random: Random, due: Due) {
    const { z, lower, upper } = point.terms
    const held = (values: Float64Array) => {
      const vector = rows.vector(values.length)
      vector.set(values)
      return vector
    }
    const movable = movableSamples(point.terms)
    const order = rows.list(movable.length)
    order.set(movable)
    const block = blockSize(rows)
    const price = held(upper.map((own, i) => own - lower[i]))
    this.rows = rows
    this.point = point
    this.random = random
    this.due = due
    this.f = rows.vector(rows.rows)
    this.vectors = {
      ...{ order, turns: rows.list(Math.ceil(order.length / block)), block },
      ...{ z: held(z), price, squares: held(rows.squaredNorms) },
      beta: rows.vector(rows.rows),
      wanted: rows.vector(rows.rows),
      w: rows.vector(rows.cols + 1),
      sums: rows.vector(2),
    }
    this.perCall = Math.max(1, Math.floor(samplesPerCall(rows) / block))
    this.start(point.state.alpha)
  }

  /** β, as far as it is between its bounds, and what goes with it. */
  private start(alpha: Float64Array): void {
    const { order, z, price, beta, wanted, w } = this.vectors
    for (let k = 0; k < order.length; k++) {
      const i = order[k]
      const a = Math.abs(alpha[i]) / price[i]
      const m = Math.max(-FARTHEST, Math.min(FARTHEST, Math.log((1 - a) / a)))
      wanted[i] = z[i] * m
      beta[i] = (price[i] * z[i]) / (1 + Math.exp(m))
    }
    this.rows.combine(beta, w)
  }

  /** All that does not follow from the problem. */
  save() {
    const { beta, wanted, w, sums } = this.vectors
    return copyFields({ beta, wanted, w, sums })
  }

  restore(saved: ReturnType<LogisticEpochs['save']>): void {
    restoreFields(this.vectors, saved)
  }

  /** One epoch; samples that leave less than `least` of the gap stay where they are. */
  *epoch(least: number): Pieces {
    const { rows, vectors, random, perCall } = this
    const { turns, sums } = vectors
    for (let turn = 0; turn < turns.length; turn++) turns[turn] = turn
    random.shuffle(turns)
    sums.fill(0)
    for (let from = 0; from < turns.length; from += perCall) {
      rows.logisticSweep(vectors, from, Math.min(turns.length, from + perCall), least)
      if (this.due()) yield
    }
  }

  /** What the samples left of the gap, each when it had its turn: about what was left before the epoch. */
  get left(): number {
    return this.vectors.sums[0]
  }

  /** The largest |m_i − v|, when it had its turn. */
  get largest(): number {
    return this.vectors.sums[1]
  }

  /** Offers the model and the dual point. */
  measure(): void {
    const { rows, point, f } = this
    const { beta, wanted, w } = this.vectors
    rows.values(w, f)
    point.offerModel(w, f)
    // Where β is what the loss asks for at f, L*(β) = −β f − L(f).
    const conjugates = -rows.dot(beta, wanted) - rows.lossSum(point.terms, wanted)
    point.offerDualValue(beta, 0.5 * rows.dot(w, w) + conjugates)
  }
}
