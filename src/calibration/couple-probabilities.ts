/**
 * Probabilities of k classes from those of their pairs. With r_ij the probability of class i where only i and j are
 * possible (r_ji = 1 − r_ij),
 *
 *   min over p   Σ_i Σ_j≠i (r_ji p_i − r_ij p_j)²,   Σ p_i = 1
 *
 * which is twice pᵀQp with Q_ii = Σ_s≠i r_si², Q_ij = −r_ji r_ij. A p with Σ p_i = 1 solves it just when all entries of
 * Qp are equal (to pᵀQp); then p >= 0 of itself.
 *
 * Method    Qp = c·1 and Σp = 1 mean (Q + 1·1ᵀ) p = (c + 1)·1, whose matrix is positive definite: a Cholesky decomposition
 *           gives p except for a factor. The sweeps of the source, p_t ← (pᵀQp − Σ_j≠t Q_tj p_j) / Q_tt and p ← p / Σp, then
 *           remove what rounding has left in small entries. `rule: 'libsvm'` is the sweeps alone, from p = 1/k until the
 *           entries of Qp agree to 0.005/k: what LIBSVM does.
 * Source    Wu, Lin, Weng 2004, "Probability estimates for multi-class classification by pairwise coupling", second method.
 * Cost      k³/6 multiplications, and k² per sweep.
 */
import { checkKnown, checkNumber, checkOneOf } from '../base/check.ts'
import { DataError } from '../base/errors.ts'

/** Options of {@link coupleProbabilities}. */
export interface CouplingOptions {
  /** 'exact' solves the problem, 'libsvm' stops where LIBSVM does, with errors of about 0.5% / k. Default 'exact'. */
  readonly rule?: 'exact' | 'libsvm'
  /** Pairwise probabilities are clipped to [floor, 1 − floor], so that no class is impossible. Default 1e-7, as LIBSVM. */
  readonly floor?: number
}

/** LIBSVM keeps probabilities of pairs in [floor, 1 − floor]. */
export const LIBSVM_FLOOR = 1e-7

/** Sweeps after a direct solution, at most (it takes one or two), and what the entries of Qp must agree to: rounding of doubles. */
const POLISHING_SWEEPS = 10
const EXACT = 1e-15

/** The probabilities of k classes, from r_ij at `pairwise[i * k + j]` (the diagonal is ignored). */
export function coupleProbabilities(
  pairwise: ArrayLike<number>,
  k: number,
  options: CouplingOptions = {},
): Float64Array {
  const who = 'coupleProbabilities'
  checkNumber(who, 'k', k, { min: 1, integer: true })
  checkKnown(who, options, ['rule', 'floor'])
  const rule = checkOneOf(who, 'rule', options.rule ?? 'exact', ['exact', 'libsvm'])
  const floor = checkNumber(who, 'floor', options.floor ?? LIBSVM_FLOOR, { above: 0, below: 0.5 })
  if (pairwise.length !== k * k) {
    throw new DataError(`${who}: ${k} classes need ${k * k} pairs, got ${pairwise.length}`)
  }
  return couple(pairwise, k, rule, floor)
}

/** The same without checks; Q is room for k² numbers. */
export function couple(
  pairwise: ArrayLike<number>,
  k: number,
  rule: 'exact' | 'libsvm',
  floor = LIBSVM_FLOOR,
  Q: Float64Array = new Float64Array(k * k),
): Float64Array {
  fillMatrix(pairwise, k, floor, Q)
  if (rule === 'libsvm') {
    const p = new Float64Array(k).fill(1 / k)
    sweep(Q, p, 0.005 / k, Math.max(100, k))
    return p
  }
  const p = solveOnes(Q, k)
  sweep(Q, p, EXACT, POLISHING_SWEEPS)
  return p
}

/** Makes Q that of the header of this file. */
function fillMatrix(pairwise: ArrayLike<number>, k: number, floor: number, Q: Float64Array): void {
  Q.fill(0)
  for (let i = 0; i < k; i++) {
    for (let j = i + 1; j < k; j++) {
      const here = Math.min(1 - floor, Math.max(floor, pairwise[i * k + j]))
      const there = Math.min(1 - floor, Math.max(floor, pairwise[j * k + i]))
      if (!(here > 0 && there > 0)) {
        throw new DataError(`coupleProbabilities: the pair of classes ${i} and ${j} is not a number`)
      }
      Q[i * k + i] += there * there
      Q[j * k + j] += here * here
      Q[i * k + j] = -there * here
      Q[j * k + i] = -there * here
    }
  }
}

/** p with (Q + 1·1ᵀ) p a multiple of 1 and Σp = 1. */
function solveOnes(Q: Float64Array, k: number): Float64Array {
  const L = new Float64Array(k * k)
  const p = new Float64Array(k)
  for (let i = 0; i < k; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = Q[i * k + j] + 1
      for (let s = 0; s < j; s++) sum -= L[i * k + s] * L[j * k + s]
      // Rounding may leave nothing of a pivot that is small; the sweeps make up for it.
      L[i * k + j] = i === j ? Math.sqrt(Math.max(sum, Number.EPSILON)) : sum / L[j * k + j]
    }
  }
  for (let i = 0; i < k; i++) {
    let sum = 1
    for (let s = 0; s < i; s++) sum -= L[i * k + s] * p[s]
    p[i] = sum / L[i * k + i]
  }
  let total = 0
  for (let i = k - 1; i >= 0; i--) {
    let sum = p[i]
    for (let s = i + 1; s < k; s++) sum -= L[s * k + i] * p[s]
    p[i] = Math.max(0, sum / L[i * k + i])
    total += p[i]
  }
  for (let i = 0; i < k; i++) p[i] /= total
  return p
}

/** Improves p one entry at a time until the entries of Qp agree to `eps`, or so many sweeps are done. */
function sweep(Q: Float64Array, p: Float64Array, eps: number, most: number): void {
  const k = p.length
  if (k === 1) return
  const Qp = new Float64Array(k)
  for (let round = 0; round < most; round++) {
    // Computed afresh each time: updates of Qp drift.
    let pQp = 0
    for (let t = 0; t < k; t++) {
      let sum = 0
      for (let j = 0; j < k; j++) sum += Q[t * k + j] * p[j]
      Qp[t] = sum
      pQp += p[t] * sum
    }
    let error = 0
    for (let t = 0; t < k; t++) error = Math.max(error, Math.abs(Qp[t] - pQp))
    if (error < eps) return
    for (let t = 0; t < k; t++) {
      const diagonal = Q[t * k + t]
      const change = (pQp - Qp[t]) / diagonal
      const factor = 1 / (1 + change)
      p[t] += change
      pQp = (pQp + change * (change * diagonal + 2 * Qp[t])) * factor * factor
      for (let j = 0; j < k; j++) {
        Qp[j] = (Qp[j] + change * Q[t * k + j]) * factor
        p[j] *= factor
      }
    }
  }
}
