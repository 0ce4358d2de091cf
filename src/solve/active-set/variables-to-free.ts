/** Whom ./active-set.ts frees next: the variables at a bound that most want to leave it. */
import type { GeneralForm } from '../../problems/general-form.ts'

/** A variable that wants to rise (by > 0) or to fall (by < 0). */
export interface Want {
  i: number
  by: number
}

/**
 * Fills `wants` with up to `count` variables whose kind is 0, those first that most want to move, by more than `least` beyond
 * the multiplier λ of their group; returns how many. Where two are alike, the earlier one comes first.
 */
export function listWants(
  wants: Want[],
  count: number,
  { lower, upper, tube, groups }: GeneralForm,
  beta: Float64Array,
  v: Float64Array,
  lambda: Float64Array,
  kinds: Uint8Array,
  least: number,
): number {
  while (wants.length < count) wants.push({ i: 0, by: 0 })
  let limit = least
  let found = 0
  for (let i = 0; i < v.length; i++) {
    if (kinds[i] !== 0) continue
    const b = beta[i]
    const bias = lambda[groups ? groups[i] : 0]
    const rise = b < upper[i] ? (b < 0 ? v[i] + tube : v[i] - tube) - bias : 0
    const fall = b > lower[i] ? bias - (b > 0 ? v[i] - tube : v[i] + tube) : 0
    if (!(rise > limit || fall > limit)) continue
    const size = Math.max(rise, fall)
    if (found < count) found++
    // The last one makes room, and the new one goes up to its place.
    const want = wants[found - 1]
    let place = found - 1
    for (; place > 0 && Math.abs(wants[place - 1].by) < size; place--) wants[place] = wants[place - 1]
    wants[place] = want
    want.i = i
    want.by = rise > fall ? rise : -fall
    if (found === count) limit = Math.abs(wants[count - 1].by)
  }
  return found
}
