/** Where a point stands with the optimality conditions, as docs/theory/kkt.md lists the cases. */
import { formatNumber } from '../controls/fields.tsx'
import { isHeldOut } from './is-held-out.ts'
import type { Shown } from './live.ts'

/** See the header of the file. */
export interface PointCase {
  /** The size of its multiplier, and the most that it may be; infinite where that is not one number. */
  readonly alpha: number
  readonly bound: number
  /** y f(x) for two classes, f(x) otherwise. */
  readonly value: number
  /** By how much the point misses its margin, its tube or its boundary. */
  readonly slack: number
  readonly words: string
}

/** The case of a point. */
export function pointCase({ picture, points, settings, heldOut }: Shown, index: number): PointCase {
  const { kind, coefficients, values, classes } = picture
  const alpha = Math.abs(coefficients[index])
  const { C, epsilon, problem } = settings
  const isUnseen = heldOut > 0 && isHeldOut(index, heldOut)
  if (kind === 'regression') {
    const error = Math.abs(points[index].y - values[index])
    const slack = Math.max(0, error - epsilon)
    return { alpha, bound: C, value: values[index], slack, words: tubeWords(alpha, C, error, epsilon) }
  }
  if (kind === 'one-class') {
    const value = values[index]
    const slack = Math.max(0, -value)
    return { alpha, bound: Number.POSITIVE_INFINITY, value, slack, words: oneClassWords(alpha, value) }
  }
  const value = (points[index].c === classes[1] ? 1 : -1) * values[index]
  const slack = Math.max(0, 1 - value)
  // The multipliers of ν-SVC are divided by ρ, and so is their bound, which is unknown here.
  const bound = problem === 'svc' ? C : Number.POSITIVE_INFINITY
  const words = isUnseen
    ? `Held out: the model has not seen it, so it has no multiplier. It is ${value > 0 ? 'classified correctly' : 'misclassified'}.`
    : classWords(alpha, bound, value, slack)
  return { alpha, bound, value, slack, words }
}

function classWords(alpha: number, bound: number, value: number, slack: number): string {
  if (alpha === 0) {
    const held = miss(Math.max(0, 1 - value))
    return `α = 0, so y f(x) must be at least 1: the point is outside the margin or on it, and could be removed without changing the model. ${held}`
  }
  if (alpha < bound && Number.isFinite(bound)) {
    return `0 < α < C, so y f(x) must be 1: a free support vector, on the margin. ${miss(Math.abs(value - 1))}`
  }
  if (!Number.isFinite(bound)) return `α > 0: a support vector, on the margin or with slack.`
  const where = slack > 1 ? 'on the wrong side' : slack > 0 ? 'inside the margin' : 'on the margin'
  return `α = C, so y f(x) must be at most 1: a bounded support vector, ${where}. ${miss(Math.max(0, value - 1))}`
}

function tubeWords(alpha: number, C: number, error: number, epsilon: number): string {
  if (alpha === 0) return `No multiplier: the error must be at most ε. ${miss(Math.max(0, error - epsilon))}`
  if (alpha < C)
    return `Between 0 and C: the error must be exactly ε, on the rim. ${miss(Math.abs(error - epsilon))}`
  return `The multiplier is C: the error must be at least ε, on the rim or beyond it. ${miss(Math.max(0, epsilon - error))}`
}

function oneClassWords(alpha: number, value: number): string {
  if (alpha === 0) return 'α = 0: inside the boundary, or on it.'
  return value < 0
    ? 'α is at its bound: an outlier, outside the boundary.'
    : 'α > 0: a support vector, on the boundary or outside.'
}

function miss(by: number): string {
  return by === 0 ? 'It holds.' : `It holds up to ${formatNumber(by, 2)}.`
}
