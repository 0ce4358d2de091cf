/** What a point of the dual of ../problems/box-dual.ts is worth, from β and v = t − Kβ of all variables. */
import type { BoxForm } from '../problems/box-form.ts'
import { boxBias } from './box-bias.ts'

/** The dual ½ βᵀKβ − tᵀβ + ε Σ |β|. */
export function dualValue(
  { target, tube }: Pick<BoxForm, 'target' | 'tube'>,
  beta: Float64Array,
  v: Float64Array,
): number {
  let sum = 0
  for (let i = 0; i < beta.length; i++) sum += tube * Math.abs(beta[i]) - 0.5 * beta[i] * (target[i] + v[i])
  return sum
}

/**
 * The gap between primal and dual value at the bias that belongs to v. With s = v − bias (of the group) it is
 * Σ upper_i max(0, s_i − ε) − lower_i max(0, −s_i − ε) + ε |β_i| − β_i s_i: terms that are never negative.
 */
export function dualityGap(form: BoxForm, beta: Float64Array, v: Float64Array): number {
  const { lower, upper, tube, groups } = form
  const { bias, groupValues } = boxBias(form, beta, v)
  let sum = 0
  for (let i = 0; i < beta.length; i++) {
    const s = v[i] - (groups && groupValues ? groupValues[groups[i]] : bias)
    sum += tube * Math.abs(beta[i]) - beta[i] * s
    if (s > tube) sum += upper[i] * (s - tube)
    else if (-s > tube) sum += lower[i] * (s + tube)
  }
  return sum
}
