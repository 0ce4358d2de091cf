/**
 * LIBLINEAR's problems that no solver here is for: the logistic loss, the norm ‖w‖₁, and a bias that is not regularised (-R).
 * Samples have one more feature s where a bias is regularised, w its weight; C_i, y_i, z_i, f_i = ⟨w, x_i⟩ + b as in
 * ../problems/problem.ts and ../problems/linear-problem.ts:
 *
 *   L2R   min ½‖w‖² + Σ C_i loss_i(f_i)        loss = log(1 + e^(−y f)), max(0, 1 − y f)² or max(0, |z − f| − ε)²
 *   L1R   min ‖w‖₁ + Σ C_i loss_i(f_i)
 *
 * The slope of the loss at any w makes a dual point: β_i = −C_i loss_i′(f_i), v = Σ β_i x_i, and with the conjugate of the
 * loss, D(β) = Σ −(C_i loss_i)*(−β_i), the optimum is at least
 *
 *   L2R   D(β) − ½‖v‖², which is primal − ½‖w − v‖², w − v being the gradient of the primal;
 *   L1R   D(t β) for the best t >= 0 with t ‖v‖∞ <= 1.
 *
 * A free bias b asks for Σ β_i = 0, too: that is so where b is the best one for w. The bound meets the primal value at the
 * optimum, but is wide where w is not close to it. So accelerated proximal gradient steps (FISTA) go on from the model's w, and
 * the best bound on the way counts.
 *
 * Source: Beck, Teboulle 2009.
 */
import { type Matrix, storedValues } from '../data/matrix/matrix.ts'
import { addRow, rowDot } from '../data/matrix/products.ts'
import type { LinearSvrProblem } from '../problems/linear-problem.ts'
import type { SvmProblem } from '../problems/problem.ts'
import { constantOf, type LinearFunction } from './weights-value.ts'

/** Which of these problems. */
export interface OtherLoss {
  readonly loss: 'logistic' | 'squared-hinge' | 'squared-epsilon-insensitive'
  readonly norm: 1 | 2
  /** The bias is not regularised. */
  readonly freeBias?: boolean
}

/** A bound this close to the best value met, relative to it, is close enough: models are accepted at a gap of 0.1. */
const CLOSE = 1e-4
/** Multiply-adds to spend on a bound, and steps: a few seconds at most. */
const MOST_WORK = 4e9
const MOST_STEPS = 5000
/** Steps between two looks at the bound: a look costs about one step. */
const STEPS_PER_LOOK = 10
/** Newton steps for the best bias; doubling reaches any double, and bisection its last bit, before that. */
const MOST_BIAS_STEPS = 200
/** Rounds of the power method: it is then within the 10 % that are added to what it finds, unless λ₂ is as close to λ₁. */
const POWER_ROUNDS = 30

/** Primal value of w and the best lower bound found; `dual` has the sign of certificates. */
export function otherLossBounds(
  problem: SvmProblem | LinearSvrProblem,
  own: LinearFunction,
  other: OtherLoss,
): { primal: number; dual: number; bestPrimal: number } {
  const objective = new Objective(problem, own, other)
  const w = new Float64Array(objective.size)
  w.set(own.coef)
  if (objective.constant > 0) w[objective.size - 1] = own.bias / objective.constant
  const primal = objective.valueAt(w, other.freeBias ? own.bias : 0)
  let best = { primal, lower: objective.look(w).lower }
  const steps = Math.min(MOST_STEPS, MOST_WORK / (4 * storedValues(problem.samples as Matrix) + 1))
  const curvature = objective.curvature()
  let ahead = w.slice()
  let latest: Float64Array = w
  let momentum = 1
  for (let step = 1; step <= steps && best.primal - best.lower > CLOSE * best.primal; step++) {
    const next = objective.step(ahead, curvature)
    const grown = (1 + Math.sqrt(1 + 4 * momentum * momentum)) / 2
    ahead = next.map((value, j) => value + ((momentum - 1) / grown) * (value - latest[j]))
    latest = next
    momentum = grown
    if (step % STEPS_PER_LOOK > 0) continue
    const seen = objective.look(latest)
    best = { primal: Math.min(best.primal, seen.primal), lower: Math.max(best.lower, seen.lower) }
  }
  return { primal, dual: -best.lower, bestPrimal: best.primal }
}

/** Values, bounds and steps of one problem. */
class Objective {
  /** Weights, that of the constant feature included. */
  readonly size: number
  /** The constant feature that carries the bias; 0: there is none. */
  readonly constant: number
  private readonly samples: Matrix
  private readonly C: Float64Array
  /** y, or z of regression. */
  private readonly targets: Float64Array
  private readonly epsilon: number
  private readonly other: OtherLoss
  /** ⟨w, x_i⟩ and β_i of the latest w. */
  private readonly products: Float64Array
  private readonly beta: Float64Array
  /** The free bias that was best for the latest w. */
  private bias: number

  constructor(problem: SvmProblem | LinearSvrProblem, own: LinearFunction, other: OtherLoss) {
    this.samples = problem.samples as Matrix
    this.C = problem.C
    this.targets = problem.task === 'svc' ? problem.y : problem.z
    this.epsilon = problem.task === 'svc' ? 0 : problem.epsilon
    this.other = other
    this.constant = other.freeBias ? 0 : constantOf(problem)
    this.size = Math.max(this.samples.cols, own.coef.length) + 1
    this.products = new Float64Array(this.targets.length)
    this.beta = new Float64Array(this.targets.length)
    this.bias = own.bias
  }

  /** The primal value of w and a free bias. */
  valueAt(w: Float64Array, bias: number): number {
    this.multiply(w)
    return this.penalty(w) + this.slopes(bias).losses
  }

  /** The primal value of w with the best bias, and the lower bound that it leads to. */
  look(w: Float64Array): { primal: number; lower: number } {
    const { losses, v, imbalance } = this.slope(w)
    const primal = this.penalty(w) + losses
    let distance = 0
    let steepest = 0
    for (let j = 0; j < w.length; j++) {
      distance += (w[j] - v[j]) ** 2
      steepest = Math.max(steepest, Math.abs(v[j]))
    }
    const lower =
      this.other.norm === 1 ? this.conjugate(steepest > 0 ? 1 / steepest : 1) : primal - 0.5 * distance
    return { primal, lower: lower - imbalance }
  }

  /** A proximal gradient step from w. */
  step(w: Float64Array, curvature: number): Float64Array {
    const { v } = this.slope(w)
    if (this.other.norm === 2) return w.map((value, j) => value - (value - v[j]) / (curvature + 1))
    return w.map((value, j) => {
      const target = value + v[j] / curvature
      return Math.sign(target) * Math.max(0, Math.abs(target) - 1 / curvature)
    })
  }

  /** An upper bound of the curvature of the losses, but for what the power method misses: κ λ_max(Σ C_i x_i x_iᵀ). */
  curvature(): number {
    const { samples, constant, size, C } = this
    let direction = new Float64Array(size).fill(1)
    let largest = 0
    for (let round = 0; round < POWER_ROUNDS; round++) {
      const image = new Float64Array(size)
      for (let i = 0; i < samples.rows; i++) {
        const value = C[i] * (rowDot(samples, i, direction) + constant * direction[size - 1])
        addRow(samples, i, value, image)
        image[size - 1] += constant * value
      }
      largest = Math.sqrt(image.reduce((sum, value) => sum + value * value, 0))
      if (!(largest > 0)) break
      direction = image.map((value) => value / largest)
    }
    return 1.1 * (this.other.loss === 'logistic' ? 0.25 : 2) * largest || 1
  }

  private penalty(w: Float64Array): number {
    return this.other.norm === 1
      ? w.reduce((sum, value) => sum + Math.abs(value), 0)
      : 0.5 * w.reduce((sum, value) => sum + value * value, 0)
  }

  /** Σ C_i loss_i at w and the best bias, v, and what is left of Σ β_i = 0, as a part of the value. */
  private slope(w: Float64Array): { losses: number; v: Float64Array; imbalance: number } {
    const { samples, constant, size, beta } = this
    this.multiply(w)
    if (this.other.freeBias) this.settleBias()
    const { losses, total } = this.slopes(this.other.freeBias ? this.bias : 0)
    const v = new Float64Array(size)
    for (let i = 0; i < beta.length; i++) {
      addRow(samples, i, beta[i], v)
      v[size - 1] += beta[i] * constant
    }
    return { losses, v, imbalance: this.other.freeBias ? Math.abs(total * this.bias) : 0 }
  }

  private multiply(w: Float64Array): void {
    const { samples, constant, size, products } = this
    for (let i = 0; i < products.length; i++) products[i] = rowDot(samples, i, w) + constant * w[size - 1]
  }

  /** β at the products and a bias; the sums of the losses, of β, and of the second derivatives. */
  private slopes(bias: number): { losses: number; total: number; bend: number } {
    const { C, targets, products, beta, epsilon } = this
    const { loss } = this.other
    let losses = 0
    let total = 0
    let bend = 0
    for (let i = 0; i < beta.length; i++) {
      const f = products[i] + bias
      if (loss === 'logistic') {
        const t = targets[i] * f
        const share = 1 / (1 + Math.exp(t))
        losses += C[i] * softplus(-t)
        beta[i] = C[i] * targets[i] * share
        bend += C[i] * share * (1 - share)
      } else {
        // How far the sample is on the wrong side, and the direction that would help.
        const error = targets[i] - f
        const sign = loss === 'squared-hinge' ? targets[i] : Math.sign(error)
        const outside = Math.max(0, loss === 'squared-hinge' ? 1 - targets[i] * f : Math.abs(error) - epsilon)
        losses += C[i] * outside * outside
        beta[i] = 2 * C[i] * sign * outside
        if (outside > 0) bend += 2 * C[i]
      }
      total += beta[i]
    }
    return { losses, total, bend }
  }

  /** Moves the free bias to where Σ β_i, which falls with it, is 0: Newton's steps, kept between the ends found so far. */
  private settleBias(): void {
    let low = Number.NEGATIVE_INFINITY
    let high = Number.POSITIVE_INFINITY
    for (let step = 0; step < MOST_BIAS_STEPS; step++) {
      const { total, bend } = this.slopes(this.bias)
      if (total === 0) return
      if (total > 0) low = this.bias
      else high = this.bias
      let next = this.bias + total / bend
      if (!(next > low && next < high)) {
        const middle = (low + high) / 2
        next = Number.isFinite(middle) ? middle : this.bias + Math.sign(total) * 2 ** step
      }
      if (next === this.bias || next === low || next === high) return
      this.bias = next
    }
  }

  /** D(t β) for the best t up to `most` (the logistic loss: up to 1). */
  private conjugate(most: number): number {
    const { beta, C, targets } = this
    let linear = 0
    let quadratic = 0
    let entropy = 0
    const t = Math.min(1, most)
    for (let i = 0; i < beta.length; i++) {
      if (C[i] === 0) continue
      const alpha = targets[i] * beta[i]
      linear += alpha
      quadratic += alpha ** 2 / (4 * C[i])
      const share = (t * alpha) / C[i]
      entropy -= C[i] * (timesLog(share) + timesLog(1 - share))
    }
    if (this.other.loss === 'logistic') return entropy
    const best = quadratic > 0 ? Math.min(most, linear / (2 * quadratic)) : 0
    return best * linear - best * best * quadratic
  }
}

/** x log x, 0 at 0. */
function timesLog(x: number): number {
  return x > 0 ? x * Math.log(x) : 0
}

/** log(1 + e^x) without overflow. */
function softplus(x: number): number {
  return Math.max(0, x) + Math.log1p(Math.exp(-Math.abs(x)))
}
