/**
 * A part of a linear machine with ‖w‖₁ and squared hinge losses: the features that may leave 0 and the samples that may have a loss. With
 * s_i = √(2C_i) (1 − z_i f_i) the losses are ½ Σ max(0, s_i)²; see ./loss-descent.ts.
 */
import { pickNumbers } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import type { Random } from '../../base/random.ts'
import type { LossTerms } from '../../problems/linear-loss.ts'
import type { LinearMachineProblem } from '../../problems/linear-problem.ts'
import type { Due } from '../driver/pieces.ts'
import { balanceBias } from '../linear/balance-bias.ts'
import type { FeatureList, LinearRows } from '../rows/linear-rows.ts'
import type { FacePoint } from './weight-face.ts'

/** See the header of the file. */
export class LossPart implements FacePoint {
  /** Multiply-adds so far, about. */
  work = 0
  readonly rows: LinearRows
  readonly terms: LossTerms
  readonly penalised: number
  readonly u: Float64Array
  readonly f: Float64Array
  readonly beta: Float64Array
  readonly curvature: Float64Array
  readonly full: Float64Array
  private readonly isFree: boolean
  private readonly features: Uint32Array
  /** √(2C_i), and the columns of X̃ with each sample times z_i √(2C_i). */
  private readonly roots: Float64Array
  private readonly columns: LinearRows
  private readonly s: Float64Array
  private readonly list: FeatureList

  /** Of all `rows` and a model of them. */
  constructor(
    { bias }: LinearMachineProblem,
    rows: LinearRows,
    { z, lower, upper, shift, ...words }: LossTerms,
    model: Float64Array,
    samples: Uint32Array,
    features: Uint32Array,
  ) {
    const own = rows.part(samples, features)
    const count = features.length + 1
    const pick = (values: Float64Array) => pickNumbers(values, samples)
    this.rows = own
    this.terms = own.terms({
      ...words,
      ...{ z: pick(z), lower: pick(lower), upper: pick(upper), shift: pick(shift) },
    })
    this.isFree = bias === 'free'
    this.penalised = this.isFree ? count - 1 : count
    this.features = features
    this.u = own.vector(count)
    this.u.set(pickNumbers(model, features))
    this.u[count - 1] = model[rows.cols]
    this.f = own.vector(own.rows)
    this.s = own.vector(own.rows)
    this.beta = own.vector(own.rows)
    this.curvature = own.vector(own.rows)
    this.roots = this.terms.shift.map((D) => (D > 0 ? 1 / Math.sqrt(D) : 0))
    this.columns = own.transposed(this.roots.map((root, i) => root * this.terms.z[i]))
    this.full = own.vector(count)
    this.full.set(this.columns.squaredNorms)
    this.list = { order: own.list(count), active: own.list(1) }
    own.values(this.u, this.f)
  }

  /** Epochs from u, whose violations are `total` in sum; returns what they are in the last one. β̂ and h are those of u then. */
  *descend(epochs: number, random: Random, total: number, due: Due): Pieces<number> {
    const { rows, columns, list, roots, terms, penalised, u, f, s, full } = this
    const { order, active } = list
    active[0] = u.length
    for (let a = 0; a < u.length; a++) order[a] = a
    for (let i = 0; i < s.length; i++) s[i] = roots[i] * (1 - terms.z[i] * f[i])
    let left = total
    for (let epoch = 0; epoch < epochs; epoch++) {
      random.shuffle(order.subarray(0, active[0]))
      this.work += (2 * rows.stored * active[0]) / u.length
      left = columns.lossEpoch({ penalised, w: u }, list, s, full, left / rows.rows)
      if (due()) yield
    }
    rows.values(u, f)
    if (this.isFree) u[u.length - 1] += balanceBias(rows, terms, f, this.beta, this.curvature, 0)
    else rows.slopes(terms, f, this.beta, this.curvature)
    return left
  }

  /** Writes the weights into a model of all features. */
  copyTo(model: Float64Array): void {
    const { u, features } = this
    model.fill(0)
    for (let a = 0; a < features.length; a++) model[features[a]] = u[a]
    model[model.length - 1] = u[features.length]
  }
}
