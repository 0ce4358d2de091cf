/**
 * Platt's sigmoid: the probability of the positive class, given the value f of a decision function, is
 *
 *   P(f) = 1 / (1 + exp(a f + b))
 *
 * with the a, b that minimise the cross entropy F = −Σ w_i (t_i log P(f_i) + (1 − t_i) log(1 − P(f_i))). The targets are
 * not 1 and 0 but (N₊ + 1)/(N₊ + 2) and 1/(N₋ + 2), where N± is the weight of the class: with them F has a minimum even
 * if the classes are separable. F is convex; the method is Newton's with backtracking. With x = a f + b,
 *
 *   −t log P − (1 − t) log(1 − P)  =  t x + log(1 + exp(−x))  =  (t − 1) x + log(1 + exp(x)),
 *
 * of which the form is taken whose exponential does not overflow, and nothing cancels.
 *
 * Source    Lin, Lin, Weng 2007, "A note on Platt's probabilistic outputs for support vector machines".
 */
import { checkedWeights, type Positives } from './labelled-values.ts'

/** The two parameters of P(f) = 1 / (1 + exp(a f + b)); a < 0 where larger values mean the positive class. */
export interface SigmoidCalibration {
  readonly a: number
  readonly b: number
}

/** Added to the diagonal of the Hessian (relative to the weight of all samples) so that it can be inverted; LIBSVM adds as much. */
const RIDGE = 1e-12
/** Newton steps, at most, and the shortest one that backtracking tries: LIBSVM's numbers. */
const MOST_STEPS = 100
const SHORTEST_STEP = 1e-10
/** A predicted decrease below this part of F cannot be seen in F. */
const RESOLUTION = 1e-13

/** Fits Platt's sigmoid to the values of a decision function; a weight of 2 counts as the sample twice. */
export function fitSigmoid(
  values: ArrayLike<number>,
  positives: Positives,
  weights?: ArrayLike<number>,
): SigmoidCalibration {
  const entropy = new CrossEntropy(
    values,
    positives,
    checkedWeights('fitSigmoid', values, positives, weights),
  )
  let a = 0
  let b = entropy.start
  let value = entropy.at(a, b)
  for (let step = 0; step < MOST_STEPS; step++) {
    const { slopeA, slopeB, da, db } = entropy.newtonStep(a, b)
    const descent = slopeA * da + slopeB * db
    if (-descent <= RESOLUTION * value) {
      // Newton's steps square the error: this one leaves nothing that doubles could tell.
      a += da
      b += db
      break
    }
    let size = 1
    let next = entropy.at(a + da, b + db)
    while (next >= value + 1e-4 * size * descent && size >= SHORTEST_STEP) {
      size /= 2
      next = entropy.at(a + size * da, b + size * db)
    }
    if (size < SHORTEST_STEP) break
    a += size * da
    b += size * db
    value = next
  }
  return { a: a / entropy.scale, b }
}

/** P(f) = 1 / (1 + exp(a f + b)), without overflow. */
export function sigmoidProbability(f: number, a: number, b: number): number {
  const x = a * f + b
  if (x < 0) return 1 / (1 + Math.exp(x))
  const e = Math.exp(-x)
  return e / (1 + e)
}

/** F and its derivatives; the values are divided by the largest of them, so that their unit does not matter. */
class CrossEntropy {
  readonly scale: number
  /** The best b where a = 0, except for the smoothing of the targets. */
  readonly start: number
  private readonly f: Float64Array
  private readonly targets: Float64Array
  private readonly weights: Float64Array
  private readonly total: number

  constructor(values: ArrayLike<number>, positives: Positives, weights: Float64Array) {
    const count = values.length
    let largest = 0
    let positive = 0
    let negative = 0
    for (let i = 0; i < count; i++) {
      largest = Math.max(largest, Math.abs(values[i]))
      if (positives[i]) positive += weights[i]
      else negative += weights[i]
    }
    this.scale = largest > 0 ? largest : 1
    this.start = Math.log((negative + 1) / (positive + 1))
    this.total = positive + negative
    this.weights = weights
    this.f = new Float64Array(count)
    this.targets = new Float64Array(count)
    for (let i = 0; i < count; i++) {
      this.f[i] = values[i] / this.scale
      this.targets[i] = positives[i] ? (positive + 1) / (positive + 2) : 1 / (negative + 2)
    }
  }

  at(a: number, b: number): number {
    const { f, targets, weights } = this
    let sum = 0
    for (let i = 0; i < f.length; i++) {
      const x = a * f[i] + b
      const loss =
        x >= 0 ? targets[i] * x + Math.log1p(Math.exp(-x)) : (targets[i] - 1) * x + Math.log1p(Math.exp(x))
      sum += weights[i] * loss
    }
    return sum
  }

  /** The gradient of F, and the step −H⁻¹ gradient. */
  newtonStep(a: number, b: number): { slopeA: number; slopeB: number; da: number; db: number } {
    const { f, targets, weights } = this
    let aa = RIDGE * this.total
    let bb = aa
    let ab = 0
    let slopeA = 0
    let slopeB = 0
    for (let i = 0; i < f.length; i++) {
      const p = sigmoidProbability(f[i], a, b)
      const slope = weights[i] * (targets[i] - p)
      const curvature = weights[i] * p * (1 - p)
      slopeA += slope * f[i]
      slopeB += slope
      aa += curvature * f[i] * f[i]
      ab += curvature * f[i]
      bb += curvature
    }
    const determinant = aa * bb - ab * ab
    return {
      slopeA,
      slopeB,
      da: (ab * slopeB - bb * slopeA) / determinant,
      db: (ab * slopeA - aa * slopeB) / determinant,
    }
  }
}
