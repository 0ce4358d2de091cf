/**
 * LIBLINEAR's problems that nothing here solves: logistic loss, and the norm ‖w‖₁. Samples have one more feature s where there
 * is a bias, w its weight; C_i, y_i, f_i = ⟨w, x_i⟩ as in ../problems/problem.ts:
 *
 *   L2R   min ½‖w‖²  + Σ C_i loss(y_i f_i)        loss(t) = log(1 + e^(−t)), or max(0, 1 − t)²
 *   L1R   min ‖w‖₁ + Σ C_i loss(y_i f_i)
 *
 * The slope of the loss at w makes a dual point: α_i = −C_i loss′(y_i f_i), v = Σ y_i α_i x_i, and with the conjugate of the
 * loss, D(α) = Σ −(C_i loss)*(−α_i), the optimum is at least
 *
 *   L2R   D(α) − ½‖v‖², which is primal − ½‖w − v‖², w − v being the gradient of the primal;
 *   L1R   D(t α) for the best t >= 0 with t ‖v‖∞ <= 1.
 *
 * The bound is true for any w, and meets the primal value at the optimum.
 */
import type { Matrix } from '../data/matrix.ts'
import { addRow } from '../data/products.ts'
import type { SvmProblem } from '../problems/problem.ts'
import { type LinearFunction, products } from './weights-value.ts'

/** Which of these problems. */
export interface OtherLoss {
  readonly loss: 'logistic' | 'squared-hinge'
  readonly norm: 1 | 2
}

/** Primal value of w and the lower bound that it leads to; `dual` has the sign of certificates. */
export function otherLossBounds(
  problem: SvmProblem,
  own: LinearFunction,
  { loss, norm }: OtherLoss,
): { primal: number; dual: number } {
  const { y, C } = problem
  const samples = problem.samples as Matrix
  const constant = problem.bias === 'regularised' ? problem.interceptScaling : 0
  const size = Math.max(samples.cols, own.coef.length)
  const w = new Float64Array(size + 1)
  w.set(own.coef)
  if (constant > 0) w[size] = own.bias / constant
  const f = products(problem, own).map((value) => value + own.bias)
  const alpha = new Float64Array(y.length)
  const v = new Float64Array(size + 1)
  let losses = 0
  for (let i = 0; i < y.length; i++) {
    const t = y[i] * f[i]
    losses += C[i] * (loss === 'logistic' ? softplus(-t) : Math.max(0, 1 - t) ** 2)
    alpha[i] = C[i] * (loss === 'logistic' ? 1 / (1 + Math.exp(t)) : 2 * Math.max(0, 1 - t))
    addRow(samples, i, y[i] * alpha[i], v)
    v[size] += y[i] * alpha[i] * constant
  }
  if (norm === 2) {
    let squares = 0
    let distance = 0
    for (let j = 0; j <= size; j++) {
      squares += w[j] * w[j]
      distance += (w[j] - v[j]) ** 2
    }
    const primal = 0.5 * squares + losses
    return { primal, dual: 0.5 * distance - primal }
  }
  const steepest = v.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const most = steepest > 0 ? 1 / steepest : 1
  const sizes = w.reduce((sum, weight) => sum + Math.abs(weight), 0)
  return { primal: sizes + losses, dual: -conjugate(alpha, C, loss, most) }
}

/** D(t α) for the best t up to `most` (the logistic loss: up to 1). */
function conjugate(alpha: Float64Array, C: Float64Array, loss: OtherLoss['loss'], most: number): number {
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
  if (loss === 'logistic') return entropy
  const best = quadratic > 0 ? Math.min(most, linear / (2 * quadratic)) : 0
  return best * linear - best * best * quadratic
}

/** x log x, 0 at 0. */
function timesLog(x: number): number {
  return x > 0 ? x * Math.log(x) : 0
}

/** log(1 + e^x) without overflow. */
function softplus(x: number): number {
  return Math.max(0, x) + Math.log1p(Math.exp(-Math.abs(x)))
}
