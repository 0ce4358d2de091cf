/**
 * The bias that fits a point of the common dual (../../problems/general-dual.ts). A free variable has a rate of rising equal to
 * its cost of falling, and at the optimum the same one as all others of its group: the mean over the free ones is taken,
 * or the middle of [m, M] where there is none.
 */
import type { GeneralForm } from '../../problems/general-form.ts'
import { fallOf, riseOf } from './rates.ts'

/** The bias, and with groups the common value of each: their mean is the bias. */
export interface GeneralBias {
  readonly bias: number
  readonly groupValues?: readonly [number, number] | undefined
}

/** The bias that fits a point β of the common dual, with v = t − Kβ. */
export function generalBias(form: GeneralForm, beta: Float64Array, v: Float64Array): GeneralBias {
  if (!form.groups) return { bias: groupValue(form, beta, v, undefined) }
  const groupValues = [groupValue(form, beta, v, 0), groupValue(form, beta, v, 1)] as const
  return { bias: (groupValues[0] + groupValues[1]) / 2, groupValues }
}

function groupValue(
  { lower, upper, tube, groups }: GeneralForm,
  beta: Float64Array,
  v: Float64Array,
  group: number | undefined,
): number {
  let m = Number.NEGATIVE_INFINITY
  let M = Number.POSITIVE_INFINITY
  let sum = 0
  let free = 0
  for (let i = 0; i < beta.length; i++) {
    if (groups && groups[i] !== group) continue
    const b = beta[i]
    const rise = v[i] + riseOf(b, upper[i], tube)
    const fall = v[i] + fallOf(b, lower[i], tube)
    m = Math.max(m, rise)
    M = Math.min(M, fall)
    if (rise === fall) {
      sum += rise
      free++
    }
  }
  return free > 0 ? sum / free : midpoint(m, M)
}

/** Between the largest rate m and the smallest cost M: the finite one when the other is infinite, 0 without any. */
export function midpoint(m: number, M: number): number {
  if (m === Number.NEGATIVE_INFINITY) return M === Number.POSITIVE_INFINITY ? 0 : M
  return M === Number.POSITIVE_INFINITY ? m : (m + M) / 2
}
