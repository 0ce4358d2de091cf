/**
 * LIBLINEAR's problems that no solver here is for: logistic loss, and the norm ‖w‖₁. Samples have one more feature s where there
 * is a bias, w its weight; C_i, y_i, f_i = ⟨w, x_i⟩ as in ../problems/problem.ts:
 *
 *   L2R   min ½‖w‖² + Σ C_i loss(y_i f_i)        loss(t) = log(1 + e^(−t)), or max(0, 1 − t)²
 *   L1R   min ‖w‖₁ + Σ C_i loss(y_i f_i)
 *
 * The slope of the loss at any w makes a dual point: α_i = −C_i loss′(y_i f_i), v = Σ y_i α_i x_i, and with the conjugate of the
 * loss, D(α) = Σ −(C_i loss)*(−α_i), the optimum is at least
 *
 *   L2R   D(α) − ½‖v‖², which is primal − ½‖w − v‖², w − v being the gradient of the primal;
 *   L1R   D(t α) for the best t >= 0 with t ‖v‖∞ <= 1.
 *
 * The bound meets the primal value at the optimum, but is wide where w is not close to it. So accelerated proximal gradient
 * steps (FISTA) go on from the model's w, and the best bound on the way counts.
 *
 * Source: Beck, Teboulle 2009.
 */
import { type Matrix, storedValues } from '../data/matrix/matrix.ts'
import { addRow, rowDot } from '../data/matrix/products.ts'
import type { SvmProblem } from '../problems/problem.ts'
import type { LinearFunction } from './weights-value.ts'

/** Which of these problems. */
export interface OtherLoss {
  readonly loss: 'logistic' | 'squared-hinge'
  readonly norm: 1 | 2
}

/** A bound this close to the best value met, as a part of it, is close enough. */
const CLOSE = 1e-4
/** Multiply-adds to spend on a bound, and steps: a few seconds at most. */
const MOST_WORK = 4e9
const MOST_STEPS = 5000
/** Steps between two looks at the bound. */
const STEPS_PER_LOOK = 10

/** Primal value of w and the best lower bound found; `dual` has the sign of certificates. */
export function otherLossBounds(
  problem: SvmProblem,
  own: LinearFunction,
  other: OtherLoss,
): { primal: number; dual: number; bestPrimal: number } {
  const place = new Place(problem, own.coef.length, other)
  const w = new Float64Array(place.size)
  w.set(own.coef)
  if (place.constant > 0) w[place.size - 1] = own.bias / place.constant
  const { primal, lower } = place.look(w)
  let best = { primal, lower }
  const steps = Math.min(MOST_STEPS, MOST_WORK / (4 * storedValues(problem.samples as Matrix) + 1))
  const curvature = place.curvature()
  let ahead = w.slice()
  let latest: Float64Array = w
  let momentum = 1
  for (let step = 1; step <= steps && best.primal - best.lower > CLOSE * best.primal; step++) {
    const next = place.step(ahead, curvature)
    const grown = (1 + Math.sqrt(1 + 4 * momentum * momentum)) / 2
    ahead = next.map((value, j) => value + ((momentum - 1) / grown) * (value - latest[j]))
    latest = next
    momentum = grown
    if (step % STEPS_PER_LOOK > 0) continue
    const seen = place.look(latest)
    best = { primal: Math.min(best.primal, seen.primal), lower: Math.max(best.lower, seen.lower) }
  }
  return { primal, dual: -best.lower, bestPrimal: best.primal }
}

/** Values, bounds and steps of one problem. */
class Place {
  /** Weights, that of the constant feature included. */
  readonly size: number
  /** The constant feature that carries the bias; 0: there is none. */
  readonly constant: number
  private readonly samples: Matrix
  private readonly problem: SvmProblem
  private readonly other: OtherLoss
  private readonly alpha: Float64Array

  constructor(problem: SvmProblem, width: number, other: OtherLoss) {
    this.problem = problem
    this.other = other
    this.samples = problem.samples as Matrix
    this.constant = problem.bias === 'regularised' ? problem.interceptScaling : 0
    this.size = Math.max(this.samples.cols, width) + 1
    this.alpha = new Float64Array(problem.y.length)
  }

  /** The primal value of w, and the lower bound that it leads to. */
  look(w: Float64Array): { primal: number; lower: number } {
    const { norm } = this.other
    const { losses, v } = this.slope(w)
    let sizes = 0
    let squares = 0
    let distance = 0
    let steepest = 0
    for (let j = 0; j < w.length; j++) {
      sizes += Math.abs(w[j])
      squares += w[j] * w[j]
      distance += (w[j] - v[j]) ** 2
      steepest = Math.max(steepest, Math.abs(v[j]))
    }
    if (norm === 1) return { primal: sizes + losses, lower: this.conjugate(steepest > 0 ? 1 / steepest : 1) }
    const primal = 0.5 * squares + losses
    return { primal, lower: primal - 0.5 * distance }
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
    const { samples, constant, size, problem } = this
    let direction = new Float64Array(size).fill(1)
    let largest = 0
    for (let round = 0; round < 30; round++) {
      const image = new Float64Array(size)
      for (let i = 0; i < samples.rows; i++) {
        const value = problem.C[i] * (rowDot(samples, i, direction) + constant * direction[size - 1])
        addRow(samples, i, value, image)
        image[size - 1] += constant * value
      }
      largest = Math.sqrt(image.reduce((sum, value) => sum + value * value, 0))
      if (!(largest > 0)) break
      direction = image.map((value) => value / largest)
    }
    return 1.1 * (this.other.loss === 'logistic' ? 0.25 : 2) * largest || 1
  }

  /** Σ C_i loss at w, α of its slope, and v. */
  private slope(w: Float64Array): { losses: number; v: Float64Array } {
    const { samples, constant, size, alpha } = this
    const { y, C } = this.problem
    const logistic = this.other.loss === 'logistic'
    const v = new Float64Array(size)
    let losses = 0
    for (let i = 0; i < y.length; i++) {
      const t = y[i] * (rowDot(samples, i, w) + constant * w[size - 1])
      const short = Math.max(0, 1 - t)
      losses += C[i] * (logistic ? softplus(-t) : short * short)
      alpha[i] = C[i] * (logistic ? 1 / (1 + Math.exp(t)) : 2 * short)
      addRow(samples, i, y[i] * alpha[i], v)
      v[size - 1] += y[i] * alpha[i] * constant
    }
    return { losses, v }
  }

  /** D(t α) for the best t up to `most` (the logistic loss: up to 1). */
  private conjugate(most: number): number {
    const { alpha } = this
    const { C } = this.problem
    let linear = 0
    let quadratic = 0
    let entropy = 0
    const t = Math.min(1, most)
    for (let i = 0; i < alpha.length; i++) {
      if (C[i] === 0) continue
      linear += alpha[i]
      quadratic += alpha[i] ** 2 / (4 * C[i])
      const share = (t * alpha[i]) / C[i]
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
