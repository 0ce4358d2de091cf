/**
 * Primal and dual value of a point whose v = t − Kβ comes from f32 kernel values. With g = Kβ, s = v − bias and the box
 * and tube of ../problems/box-dual.ts,
 *
 *   dual = ½ Σ β_i g_i + …      primal = ½ Σ β_i g_i + Σ upper_i max(0, s_i − ε) − Σ lower_i max(0, −s_i − ε) + …
 *
 * so an error of g_i appears ½β_i times in the dual value and ½β_i − l_i times in the primal value, l_i being upper_i or
 * lower_i where s_i is above or below the tube, 0 within it. Errors of different samples mostly cancel, but for two parts:
 *
 * - Those of equal samples are the same: thousands of them near the margin make a sum of small slacks wrong in its sixth digit.
 *   So equal samples are taken together, and g is computed in f64 for those first that appear most often, until what is left
 *   does not matter any more.
 * - Rounding has a bias, so that all g are wrong by something in common. In s it cancels against the bias, as long as all g have
 *   it. So it is estimated from those that are known in f64, and taken away from the others.
 */
import { firstEqualRows } from '../data/equal-rows.ts'
import type { Matrix } from '../data/matrix.ts'
import type { BoxDual } from '../problems/box-dual.ts'
import type { BlockSums } from './block-sums.ts'
import { boxBias } from './box-bias.ts'
import { dualValue } from './box-values.ts'

/** Kinds of equal samples to begin with, whatever the budget; then as many again each time. */
const FIRST_KINDS = 64
/** What primal and dual value may be off by, relative to the latter. */
const ENOUGH = 4e-7

/**
 * Makes v exact where the values hang on it most, in about `budget` multiply-adds. A sample whose s is within `margin` of
 * where the loss begins is taken for one beyond it. `checked` are the samples whose v is exact already.
 */
export function sharpen(
  dual: BoxDual,
  beta: Float64Array,
  v: Float64Array,
  sums: BlockSums,
  budget: number,
  margin: number,
  checked: ReadonlySet<number>,
): void {
  const { target } = dual
  const slopes = lossSlopes(dual, beta, v, margin)
  const samples = telling(beta, slopes)
  const kindOf = firstEqualRows(dual.samples as Matrix, samples).map((place) => samples[place])
  // Added up over equal samples, at the first of them. Kβ is the same, of fewer terms.
  const terms = new Float64Array(beta.length)
  const inDual = new Float64Array(beta.length)
  const inPrimal = new Float64Array(beta.length)
  const weights = new Float64Array(beta.length)
  for (let k = 0; k < samples.length; k++) {
    const i = samples[k]
    const kind = kindOf[k]
    terms[kind] += beta[i]
    inDual[kind] += beta[i] / 2
    inPrimal[kind] += beta[i] / 2 - slopes[i]
    weights[kind] = Math.max(Math.abs(inDual[kind]), Math.abs(inPrimal[kind]))
  }
  const kinds = samples.filter((i, k) => kindOf[k] === i).sort((a, b) => weights[b] - weights[a] || a - b)
  const errorsLeft = [inDual, inPrimal].map((factors) => new ErrorLeft(kinds, factors))
  const allowed = ENOUGH * Math.abs(dualValue(dual, beta, v))
  const affordable = Math.floor((budget * beta.length) / sums.exactCost(terms))
  const most = Math.min(kinds.length, Math.max(FIRST_KINDS, affordable))
  const values = new Float64Array(beta.length).fill(Number.NaN)
  const errors = new Float64Array(kinds.length)
  let common = 0
  for (let done = 0; done < most; ) {
    const next = kinds.subarray(done, Math.min(most, Math.max(FIRST_KINDS, 2 * done)))
    const exact = sums.exactVOf(next, next.length, terms)
    for (let k = 0; k < next.length; k++) {
      errors[done + k] = exact[k] - v[next[k]]
      values[next[k]] = target[next[k]] - exact[k]
    }
    done += next.length
    common = median(errors.subarray(0, done).filter((_, k) => !checked.has(kinds[k])))
    if (errorsLeft.every((left) => left.expected(errors, common, done) <= allowed)) break
  }
  for (let k = 0; k < samples.length; k++) {
    const i = samples[k]
    const value = values[kindOf[k]]
    if (!Number.isNaN(value)) v[i] = target[i] - value
    else if (!checked.has(i)) v[i] += common
  }
}

/** Of a list that may be sorted; 0 without any. Unlike the mean it does not mind the few that are far off. */
function median(values: Float64Array): number {
  const middle = values.sort().length >> 1
  return values.length % 2 === 1
    ? values[middle]
    : values.length === 0
      ? 0
      : (values[middle - 1] + values[middle]) / 2
}

/** l of the head of the file. */
function lossSlopes(dual: BoxDual, beta: Float64Array, v: Float64Array, margin: number): Float64Array {
  const { lower, upper, groups } = dual
  const { bias, groupValues } = boxBias(dual, beta, v)
  const from = dual.tube - margin
  const slopes = new Float64Array(beta.length)
  for (let i = 0; i < slopes.length; i++) {
    const s = v[i] - (groups && groupValues ? groupValues[groups[i]] : bias)
    slopes[i] = (s > from ? upper[i] : 0) + (-s > from ? lower[i] : 0)
  }
  return slopes
}

/** The samples whose errors appear in the values at all. */
function telling(beta: Float64Array, slopes: Float64Array): Uint32Array {
  const list = new Uint32Array(beta.length)
  let count = 0
  for (let i = 0; i < beta.length; i++) if (beta[i] !== 0 || slopes[i] !== 0) list[count++] = i
  return list.subarray(0, count)
}

/** What is still wrong with a value in which the error of each kind appears as often as `factors` says, by sample. */
class ErrorLeft {
  private readonly factors: Float64Array
  /** Σ |factor| and Σ factor², from each kind on. */
  private readonly sums: Float64Array
  private readonly squares: Float64Array

  constructor(kinds: Uint32Array, factors: Float64Array) {
    const count = kinds.length
    this.factors = new Float64Array(count)
    this.sums = new Float64Array(count + 1)
    this.squares = new Float64Array(count + 1)
    for (let k = count - 1; k >= 0; k--) {
      const factor = factors[kinds[k]]
      this.factors[k] = factor
      this.sums[k] = this.sums[k + 1] + Math.abs(factor)
      this.squares[k] = this.squares[k + 1] + factor * factor
    }
  }

  /**
   * If the other kinds are as the first `done` are, and what is `common` to all is taken away: a part that errors have in common
   * with the sign of their factors, and twice the deviation.
   */
  expected(errors: Float64Array, common: number, done: number): number {
    let signed = 0
    let square = 0
    for (let k = 0; k < done; k++) {
      const error = errors[k] - common
      signed += Math.sign(this.factors[k]) * error
      square += error ** 2
    }
    return (Math.abs(signed) * this.sums[done]) / done + 2 * Math.sqrt((square / done) * this.squares[done])
  }
}
