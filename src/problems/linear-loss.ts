/**
 * The losses of linear machines as data. With f_i = ⟨w, x_i⟩ + b, every loss is the largest value of a concave function of the
 * sample's dual variable β_i between two bounds:
 *
 *   L_i(f) = max over l_i <= β <= u_i   β (z_i − f) − ε |β| − ½ D_i β²
 *
 *   loss                          z     ε    l_i, u_i (y = +1; −1: mirrored)   D_i
 *   hinge                         y     0    0, C_i                            0
 *   squared hinge                 y     0    0, ∞                              1/(2C_i)
 *   ε-insensitive                 z     ε    −C_i, C_i                         0
 *   squared ε-insensitive         z     ε    −∞, ∞                             1/(2C_i)
 *   one class                     0     0    0, C_i                            0
 *
 * The maximiser β̂_i(f) is minus the slope of the loss, and its own slope is the curvature h_i of the loss: 1/D_i where β̂ is
 * between bounds and not held at 0 by ε, else 0. What is subtracted, L_i*(β) = −z_i β + ε|β| + ½ D_i β², is the conjugate, of
 * which the dual is made. The logistic loss C_i log(1 + e^(−y f)) has, with a = y β / C_i between 0 and 1,
 *
 *   L_i*(β) = C_i (a log a + (1 − a) log(1 − a)),   a = 1 / (1 + e^(y f)),   h_i = C_i a (1 − a).
 */
import type { Engine } from '../engine/memory/engine.ts'
import type { Loss } from './problem.ts'

/** How an error outside the tube of regression is priced. */
export type TubeLoss = 'epsilon-insensitive' | 'squared-epsilon-insensitive'

/** The loss of a linear machine of one function. */
export type LinearLoss = Loss | 'logistic' | TubeLoss | 'one-class'

/** The losses of linear classifiers. */
export const classLosses = ['hinge', 'squared-hinge', 'logistic'] as const
/** The losses of linear regression. */
export const tubeLosses = ['epsilon-insensitive', 'squared-epsilon-insensitive'] as const

/** Whether a loss is one of regression. */
export function isTubeLoss(loss: string): loss is TubeLoss {
  return (tubeLosses as readonly string[]).includes(loss)
}

/** The losses of all samples; see the header of the file. */
export interface LossTerms {
  readonly isLogistic: boolean
  readonly epsilon: number
  readonly z: Float64Array
  readonly lower: Float64Array
  readonly upper: Float64Array
  /** D_i. */
  readonly shift: Float64Array
}

/**
 * The losses of samples with prices C and targets z: labels ±1, numbers, or zeros for one class. Where an engine is given, its memory has
 * all of them.
 */
export function lossTerms(
  loss: LinearLoss,
  C: Float64Array,
  z: Float64Array,
  epsilon: number,
  engine?: Engine,
): LossTerms {
  const isSquared = loss === 'squared-hinge' || loss === 'squared-epsilon-insensitive'
  const isTube = loss === 'epsilon-insensitive' || loss === 'squared-epsilon-insensitive'
  const common = { isLogistic: loss === 'logistic', epsilon: isTube ? epsilon : 0 }
  if (engine) return { ...common, ...termsOnEngine(engine, C, z, isSquared, isTube) }
  const lower = new Float64Array(C.length)
  const upper = new Float64Array(C.length)
  const shift = new Float64Array(C.length)
  for (let i = 0; i < C.length; i++) {
    const price = C[i]
    if (price === 0) continue
    const bound = isSquared ? Number.POSITIVE_INFINITY : price
    if (isTube || z[i] < 0) lower[i] = -bound
    if (isTube || z[i] >= 0) upper[i] = bound
    if (isSquared) shift[i] = 1 / (2 * price)
  }
  return { ...common, z, lower, upper, shift }
}

function termsOnEngine(
  engine: Engine,
  C: Float64Array,
  z: Float64Array,
  isSquared: boolean,
  isTube: boolean,
): Pick<LossTerms, 'z' | 'lower' | 'upper' | 'shift'> {
  const count = C.length
  const targets = engine.copy(z)
  const [lower, upper, shift] = [0, 1, 2].map(() => engine.array(Float64Array, count))
  const mark = engine.mark()
  engine.exports.lossTerms(
    ...([count, Number(isSquared), Number(isTube), engine.copy(C).pointer, targets.pointer] as const),
    ...([lower.pointer, upper.pointer, shift.pointer] as const),
  )
  engine.release(mark)
  return { z: targets, lower, upper, shift }
}

/** Whether every loss has a slope everywhere, so that Newton's method applies as it is. */
export function isSmooth(loss: LinearLoss): boolean {
  return loss === 'logistic' || loss === 'squared-hinge' || loss === 'squared-epsilon-insensitive'
}

/** Σ L_i(f_i). */
export function lossSum(terms: LossTerms, f: Float64Array): number {
  const { isLogistic, epsilon, z, lower, upper, shift } = terms
  let sum = 0
  for (let i = 0; i < f.length; i++) {
    if (isLogistic) {
      const price = upper[i] - lower[i]
      if (price > 0) sum += price * logOnePlusExp(-z[i] * f[i])
      continue
    }
    const residual = z[i] - f[i]
    const outside = Math.abs(residual) - epsilon
    if (!(outside > 0)) continue
    const bound = residual > 0 ? upper[i] : -lower[i]
    const beta = shift[i] > 0 ? Math.min(bound, outside / shift[i]) : bound
    if (beta > 0) sum += beta * (outside - 0.5 * shift[i] * beta)
  }
  return sum
}

/** Σ L_i*(β_i); Infinity where a β_i is outside its bounds. */
export function conjugateSum(terms: LossTerms, beta: Float64Array): number {
  const { isLogistic, epsilon, z, lower, upper, shift } = terms
  let sum = 0
  for (let i = 0; i < beta.length; i++) {
    const own = beta[i]
    if (own < lower[i] || own > upper[i]) return Number.POSITIVE_INFINITY
    if (isLogistic) {
      const price = upper[i] - lower[i]
      if (price > 0) sum += price * negativeEntropy((z[i] * own) / price)
    } else if (own !== 0) sum += own * (0.5 * shift[i] * own - z[i]) + epsilon * Math.abs(own)
  }
  return sum
}

/**
 * Fills `beta` with β̂_i(f_i) and `curvature` with h_i, and returns Σ L_i(f_i). Of a loss with a kink, β̂ is one of the slopes
 * there.
 */
export function slopes(
  terms: LossTerms,
  f: Float64Array,
  beta: Float64Array,
  curvature: Float64Array,
): number {
  const { isLogistic, epsilon, z, lower, upper, shift } = terms
  let sum = 0
  if (isLogistic) {
    for (let i = 0; i < f.length; i++) {
      const price = upper[i] - lower[i]
      const margin = z[i] * f[i]
      const tail = Math.exp(-Math.abs(margin))
      const a = (margin > 0 ? tail : 1) / (1 + tail)
      beta[i] = price * z[i] * a
      curvature[i] = (price * tail) / ((1 + tail) * (1 + tail))
      if (price > 0) sum += price * ((margin < 0 ? -margin : 0) + Math.log1p(tail))
    }
    return sum
  }
  for (let i = 0; i < f.length; i++) {
    const residual = z[i] - f[i]
    const outside = Math.abs(residual) - epsilon
    const isAbove = residual > 0
    const bound = isAbove ? upper[i] : -lower[i]
    let own = 0
    let bend = 0
    if (outside > 0 && bound > 0) {
      const D = shift[i]
      const free = D > 0 ? outside / D : bound
      if (free < bound) {
        own = free
        bend = 1 / D
      } else own = bound
      sum += own * (outside - 0.5 * D * own)
    }
    beta[i] = isAbove ? own : -own
    curvature[i] = bend
  }
  return sum
}

/** How far f is from where β is the best for its loss: 0 where the pair is optimal. */
export function lossViolation(terms: LossTerms, i: number, f: number, beta: number): number {
  const { isLogistic, epsilon, z, lower, upper, shift } = terms
  if (upper[i] === lower[i]) return 0
  if (isLogistic) {
    const a = (z[i] * beta) / (upper[i] - lower[i])
    const wanted = Math.log1p(-a) - Math.log(a)
    // Beyond e^±700 a and 1 − a are no numbers of double precision.
    return Math.abs(Math.max(-700, Math.min(700, wanted)) - Math.max(-700, Math.min(700, z[i] * f)))
  }
  const gradient = f - z[i] + shift[i] * beta
  const rise = beta < upper[i] ? -(gradient + (beta >= 0 ? epsilon : -epsilon)) : 0
  const fall = beta > lower[i] ? gradient + (beta > 0 ? epsilon : -epsilon) : 0
  return Math.max(0, rise, fall)
}

/** log(1 + e^t) without overflow. */
function logOnePlusExp(t: number): number {
  return Math.max(t, 0) + Math.log1p(Math.exp(-Math.abs(t)))
}

/** a log a + (1 − a) log(1 − a), 0 at both ends. */
function negativeEntropy(a: number): number {
  return (a > 0 ? a * Math.log(a) : 0) + (a < 1 ? (1 - a) * Math.log1p(-a) : 0)
}

/** First and second derivative of t ↦ Σ L_i(f_i + t q_i). */
export function slopeAlong(
  terms: LossTerms,
  f: Float64Array,
  q: Float64Array,
  t: number,
): { readonly slope: number; readonly bend: number } {
  const { isLogistic, epsilon, z, lower, upper, shift } = terms
  let slope = 0
  let bend = 0
  for (let i = 0; i < f.length; i++) {
    const step = q[i]
    const value = f[i] + t * step
    if (isLogistic) {
      const price = upper[i] - lower[i]
      const margin = z[i] * value
      const tail = Math.exp(-Math.abs(margin))
      const a = (margin > 0 ? tail : 1) / (1 + tail)
      slope -= price * z[i] * a * step
      bend += (price * tail * step * step) / ((1 + tail) * (1 + tail))
      continue
    }
    const residual = z[i] - value
    const D = shift[i]
    if (residual > epsilon) {
      const bound = upper[i]
      const free = D > 0 ? (residual - epsilon) / D : bound
      if (free < bound) {
        slope -= free * step
        bend += (step * step) / D
      } else slope -= bound * step
    } else if (residual < -epsilon) {
      const bound = lower[i]
      const free = D > 0 ? (residual + epsilon) / D : bound
      if (free > bound) {
        slope -= free * step
        bend += (step * step) / D
      } else slope -= bound * step
    }
  }
  return { slope, bend }
}
