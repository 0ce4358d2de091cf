/** What a point of the dual of ../../problems/general-dual.ts is worth, from β and v = t − Kβ of all variables. */
import type { GeneralForm } from '../../problems/general-form.ts'
import { generalBias } from './general-bias.ts'

/** The dual ½ βᵀKβ − tᵀβ + ε Σ |β|. */
export function dualValue(
  { target, tube }: Pick<GeneralForm, 'target' | 'tube'>,
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
export function dualityGap(form: GeneralForm, beta: Float64Array, v: Float64Array): number {
  const { lower, upper, tube, groups } = form
  const { bias, groupValues } = generalBias(form, beta, v)
  let sum = 0
  for (let i = 0; i < beta.length; i++) {
    const s = v[i] - (groups && groupValues ? groupValues[groups[i]] : bias)
    sum += tube * Math.abs(beta[i]) - beta[i] * s
    if (s > tube) sum += upper[i] * (s - tube)
    else if (-s > tube) sum += lower[i] * (s + tube)
  }
  return sum
}
