/**
 * The dual point of the default solver: α and f_i = Σ_j α_j y_j K_ij − y_i, with f kept up to date only for the
 * *active* samples. The others, at a bound and sure of it for now, are shrunk away; `unshrink` brings them back with
 *
 *   f_i = g_i − y_i + Σ_{j free} α_j y_j K_ij,    g_i = Σ_{j : α_j = C_j} C_j y_j K_ij
 *
 * where g (LIBSVM's G_bar) is kept for all samples, and changes only when a variable reaches or leaves C.
 */

import type { KernelEvaluator } from '../kernels/kernel.ts'
import { type CachedRow, RowCache, type RowPrecision } from '../kernels/row-cache.ts'
import { expansionValues } from '../problems/certificate.ts'
import { dualKernel, type SvmProblem } from '../problems/problem.ts'
import { biasOf } from './bias.ts'
import { emptyStep, type SmoStep, solvePair } from './pair-step.ts'

/** Curvature that stands in for one that is not positive, when pairs are compared. */
const TAU = 1e-12
const IN_UP = 1
const IN_LOW = 2

/** See the head of the file. It starts at α = 0 with every sample active. */
export class ActivePoint {
  readonly alpha: Float64Array
  /** The pair found last, and the step over it. */
  readonly step: SmoStep = emptyStep()
  /** b_low − b_up over the active samples, as {@link findPair} saw it; the largest violation when all are active. */
  violation = Number.NaN
  /** True when f was computed from scratch, for all samples, and nothing has moved since. */
  fresh = true
  precision: RowPrecision
  private readonly problem: SvmProblem
  private readonly evaluator: KernelEvaluator
  private readonly exactDiagonal: Float64Array
  private readonly cacheBytes: number
  private rows: RowCache<RowPrecision>
  private readonly f: Float64Array
  /** One row of full precision. */
  private readonly scratch: Float64Array
  /** g of the head of the file. */
  private readonly boundedSum: Float64Array
  /** Which of the sets I_up and I_low each sample is in. */
  private readonly sets: Uint8Array
  /** The active samples are the first `activeCount` entries, ascending. */
  private readonly active: Uint32Array
  private activeCount: number

  constructor(problem: SvmProblem, cacheBytes: number, precision: RowPrecision) {
    const { samples, y } = problem
    const kernel = dualKernel(problem)
    const count = y.length
    this.problem = problem
    this.evaluator = kernel.between(samples, samples)
    this.exactDiagonal = kernel.diagonal(samples)
    this.cacheBytes = cacheBytes
    const fitsF32 = this.exactDiagonal.every((value) => Number.isFinite(Math.fround(value)))
    this.precision = fitsF32 ? precision : 'f64'
    this.rows = this.makeRows()
    this.alpha = new Float64Array(count)
    this.f = y.map((label) => -label)
    this.scratch = new Float64Array(count)
    this.boundedSum = new Float64Array(count)
    this.sets = new Uint8Array(count)
    for (let i = 0; i < count; i++) this.updateSets(i)
    this.active = Uint32Array.from({ length: count }, (_, i) => i)
    this.activeCount = count
  }

  /** True when some samples are shrunk away. */
  get shrunk(): boolean {
    return this.activeCount < this.active.length
  }

  /** True when the step found goes on for ever: the hard-margin dual has no bound. */
  get unbounded(): boolean {
    return this.step.alphaJ === Number.POSITIVE_INFINITY
  }

  /** Free support vectors, and the ends of the interval where there are none, are among the active samples. */
  get bias(): number {
    return biasOf(this.alpha, this.problem.y, this.problem.C, this.f)
  }

  /** Σ_j y_j α_j K_ij for all samples; to be trusted when `fresh`. */
  get values(): Float64Array {
    return this.f.map((value, i) => value + this.problem.y[i])
  }

  /**
   * Chooses i = argmin f over I_up, and j in I_low with f_j > f_i so that the unclipped step gains most:
   * (f_j − f_i)² / (2η_ij) is largest (Fan, Chen, Lin 2005, WSS 2). Solves over the pair into `step`. False when no
   * active pair violates optimality by more than `tol`, or the one found cannot move.
   */
  findPair(tol: number): boolean {
    const { f, sets, active, activeCount, alpha, step } = this
    let i = -1
    let bUp = Number.POSITIVE_INFINITY
    for (let a = 0; a < activeCount; a++) {
      const k = active[a]
      if (f[k] < bUp && (sets[k] & IN_UP) !== 0) {
        bUp = f[k]
        i = k
      }
    }
    this.violation = 0
    if (i < 0) return false
    const { diagonal } = this.rows
    const row = this.rows.row(i)
    const kii = diagonal[i]
    let j = -1
    let bLow = Number.NEGATIVE_INFINITY
    let bestGain = Number.NEGATIVE_INFINITY
    for (let a = 0; a < activeCount; a++) {
      const k = active[a]
      const difference = f[k] - bUp
      if (difference <= 0 || (sets[k] & IN_LOW) === 0) continue
      if (f[k] > bLow) bLow = f[k]
      const eta = kii + diagonal[k] - 2 * row[k]
      const gain = (difference * difference) / (eta > 0 ? eta : TAU)
      if (gain > bestGain) {
        bestGain = gain
        j = k
      }
    }
    this.violation = Math.max(0, bLow - bUp)
    if (this.violation <= tol) return false
    const { y, C } = this.problem
    step.i = i
    step.j = j
    step.yi = y[i]
    step.yj = y[j]
    step.errorI = f[i]
    step.errorJ = f[j]
    step.oldAlphaI = alpha[i]
    step.oldAlphaJ = alpha[j]
    return solvePair(step, kii, diagonal[j], row[j], C[i], C[j])
  }

  /**
   * How far f of the pair found has drifted from what f64 rows say: the error of f_j − f_i, at the price of two rows.
   */
  drift(): number {
    const { step } = this
    return Math.abs(this.exactValue(step.j) - this.exactValue(step.i) - (step.errorJ - step.errorI))
  }

  /** Takes the step found. */
  accept(): void {
    const { step, alpha, f, active, activeCount } = this
    const rowI = this.rows.row(step.i)
    const rowJ = this.rows.row(step.j)
    const a = step.yi * (step.alphaI - step.oldAlphaI)
    const b = step.yj * (step.alphaJ - step.oldAlphaJ)
    alpha[step.i] = step.alphaI
    alpha[step.j] = step.alphaJ
    for (let p = 0; p < activeCount; p++) {
      const k = active[p]
      f[k] += a * rowI[k] + b * rowJ[k]
    }
    this.updateSets(step.i)
    this.updateSets(step.j)
    this.updateBoundedSum(step.i, step.oldAlphaI, rowI)
    this.updateBoundedSum(step.j, step.oldAlphaJ, rowJ)
    this.fresh = false
  }

  /** Drops active samples that are at a bound and could not be in any violating pair. */
  shrink(): void {
    const { f, sets, active } = this
    let bUp = Number.POSITIVE_INFINITY
    let bLow = Number.NEGATIVE_INFINITY
    for (let a = 0; a < this.activeCount; a++) {
      const k = active[a]
      if ((sets[k] & IN_UP) !== 0 && f[k] < bUp) bUp = f[k]
      if ((sets[k] & IN_LOW) !== 0 && f[k] > bLow) bLow = f[k]
    }
    if (bLow <= bUp) return
    let kept = 0
    for (let a = 0; a < this.activeCount; a++) {
      const k = active[a]
      const idle = (sets[k] === IN_UP && f[k] > bLow) || (sets[k] === IN_LOW && f[k] < bUp) || sets[k] === 0
      if (!idle) active[kept++] = k
    }
    this.activeCount = kept
  }

  /** Makes every sample active again, with f of the others reconstructed. */
  unshrink(): void {
    if (!this.shrunk) return
    const { f, alpha, boundedSum, active } = this
    const { y, C } = this.problem
    const count = f.length
    const inactive = inactiveOf(active.subarray(0, this.activeCount), count)
    for (const k of inactive) f[k] = boundedSum[k] - y[k]
    for (let j = 0; j < count; j++) {
      if (alpha[j] === 0 || alpha[j] === C[j]) continue
      const row = this.rows.row(j)
      const coefficient = alpha[j] * y[j]
      for (let p = 0; p < inactive.length; p++) {
        const k = inactive[p]
        f[k] += coefficient * row[k]
      }
    }
    for (let k = 0; k < count; k++) active[k] = k
    this.activeCount = count
  }

  /** Computes f and g from scratch in f64 for all samples; yields after every `rowsPerYield` kernel rows. */
  *refresh(rowsPerYield: number): Generator<void, void, void> {
    const { f, boundedSum, alpha, active, problem } = this
    const { y, C } = problem
    const count = f.length
    const bounded = alpha.map((a, j) => (a === C[j] ? a * y[j] : 0))
    const free = alpha.map((a, j) => (a === C[j] ? 0 : a * y[j]))
    const boundedValues = yield* this.expand(bounded, rowsPerYield)
    const freeValues = yield* this.expand(free, rowsPerYield)
    for (let k = 0; k < count; k++) {
      boundedSum[k] = boundedValues[k]
      f[k] = boundedValues[k] + freeValues[k] - y[k]
      active[k] = k
    }
    this.activeCount = count
    this.fresh = true
  }

  /** The same as `expansionValues`, in pieces. */
  private *expand(coefficients: Float64Array, rowsPerYield: number): Generator<void, Float64Array, void> {
    if (this.problem.kernel.spec.kind === 'linear') return expansionValues(this.problem, coefficients)
    const values = new Float64Array(coefficients.length)
    const { scratch } = this
    let rows = 0
    for (let j = 0; j < coefficients.length; j++) {
      if (coefficients[j] === 0) continue
      this.evaluator.row(j, scratch)
      addMultiple(values, coefficients[j], scratch)
      if (++rows % rowsPerYield === 0) yield
    }
    return values
  }

  /** From now on, kernel rows of full precision. */
  useDoubleRows(): void {
    this.precision = 'f64'
    this.rows = this.makeRows()
  }

  private makeRows(): RowCache<RowPrecision> {
    const { cacheBytes, precision, exactDiagonal: diagonal } = this
    return new RowCache<RowPrecision>(this.evaluator, { cacheBytes, precision, diagonal })
  }

  /** f_i from scratch. */
  private exactValue(i: number): number {
    const { alpha, scratch } = this
    const { y } = this.problem
    this.evaluator.row(i, scratch)
    let sum = -y[i]
    for (let k = 0; k < alpha.length; k++) sum += alpha[k] * y[k] * scratch[k]
    return sum
  }

  private updateSets(i: number): void {
    const { y, C } = this.problem
    const canRise = this.alpha[i] < C[i]
    const canFall = this.alpha[i] > 0
    this.sets[i] = (y[i] > 0 ? canRise : canFall) ? IN_UP : 0
    if (y[i] > 0 ? canFall : canRise) this.sets[i] |= IN_LOW
  }

  private updateBoundedSum(i: number, oldAlpha: number, row: CachedRow<RowPrecision>): void {
    const { y, C } = this.problem
    const isBound = this.alpha[i] === C[i]
    if (isBound !== (oldAlpha === C[i])) addMultiple(this.boundedSum, (isBound ? C[i] : -C[i]) * y[i], row)
  }
}

/** out += factor · row */
function addMultiple(out: Float64Array, factor: number, row: Float64Array | Float32Array): void {
  for (let k = 0; k < out.length; k++) out[k] += factor * row[k]
}

/** What is missing in an ascending list of numbers below `count`. */
function inactiveOf(active: Uint32Array, count: number): Uint32Array {
  const inactive = new Uint32Array(count - active.length)
  let a = 0
  let found = 0
  for (let k = 0; k < count; k++) {
    if (a < active.length && active[a] === k) a++
    else inactive[found++] = k
  }
  return inactive
}
