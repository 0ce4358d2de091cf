/**
 * The point of the default solver's plain way: β and v_i = t_i − Σ_j β_j K_ij of ../../problems/general-dual.ts, with v kept up to
 * date only for the *active* variables. The others, at a bound and sure of it for now, are shrunk away; `unshrink` brings
 * them back with
 *
 *   v_i = t_i − g_i − Σ_{j free} β_j K_ij,    g_i = Σ_{j at a bound} β_j K_ij
 *
 * where g (LIBSVM's G_bar) is kept for all variables, and changes only when one reaches or leaves a bound.
 */

import { countUp } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import type { KernelEvaluator } from '../../kernels/kernel.ts'
import { type CachedRow, RowCache, type RowPrecision } from '../../kernels/row-cache.ts'
import type { GeneralDual } from '../../problems/general-dual.ts'
import { type Due, valuesInPieces } from '../driver/pieces.ts'
import { copyFields, restoreFields } from '../driver/saved-fields.ts'
import { type GeneralBias, generalBias } from './general-bias.ts'
import { emptyStep, type SmoStep, solvePair, TAU } from './pair-step.ts'
import { fallOf, riseOf } from './rates.ts'

/** See the header of the file. Every variable is active at first. */
export class ShrinkingPoint {
  readonly beta: Float64Array
  /**
   * The pair found last, and the step over it, in variables of one sign each: α = β or −β, whichever is in [0, C]; so a
   * step of regression ends at β = 0, where its cost has a kink.
   */
  readonly step: SmoStep = emptyStep()
  /** The largest m − M over the active variables, as {@link findPair} saw it. */
  violation = Number.NaN
  /** True when v was computed from scratch, for all variables, and nothing has moved since. */
  fresh: boolean
  precision: RowPrecision
  private readonly dual: GeneralDual
  private readonly evaluator: KernelEvaluator
  private readonly exactDiagonal: Float64Array
  private readonly cacheBytes: number
  private rows: RowCache<RowPrecision>
  /** To be trusted for the active variables. */
  readonly v: Float64Array
  /** One row of full precision. */
  private readonly scratch: Float64Array
  /** g of the header of the file. */
  private readonly boundedSum: Float64Array
  /** What raising each variable gains beyond v, and what lowering it costs: ∓ε, or ∓∞ where it may not move. */
  private readonly rise: Float64Array
  private readonly fall: Float64Array
  /** The active variables are the first `activeCount` entries, ascending. */
  private readonly active: Uint32Array
  private activeCount: number
  /** Whether the active variables are others than in the step before. */
  private hasNewActive = false

  constructor(dual: GeneralDual, cacheBytes: number, precision: RowPrecision) {
    const { samples, kernel, target, start } = dual
    const count = target.length
    this.dual = dual
    this.evaluator = kernel.between(samples, samples)
    this.exactDiagonal = kernel.diagonal(samples)
    this.cacheBytes = cacheBytes
    const fitsF32 = this.exactDiagonal.every((value) => Number.isFinite(Math.fround(value)))
    this.precision = fitsF32 ? precision : 'f64'
    this.rows = this.makeRows()
    this.beta = start ? start.slice() : new Float64Array(count)
    this.fresh = start === undefined
    this.v = target.slice()
    this.scratch = new Float64Array(count)
    this.boundedSum = new Float64Array(count)
    this.rise = new Float64Array(count)
    this.fall = new Float64Array(count)
    for (let i = 0; i < count; i++) this.updateRates(i)
    this.active = countUp(count)
    this.activeCount = count
  }

  /** All that does not follow from the dual. */
  save() {
    const { beta, v, boundedSum, active, activeCount, fresh, precision, violation } = this
    return copyFields({ beta, v, boundedSum, active, activeCount, fresh, precision, violation })
  }

  restore(saved: ReturnType<ShrinkingPoint['save']>): void {
    restoreFields(this, saved)
    this.hasNewActive = this.shrunk
    this.rows = this.makeRows()
    for (let i = 0; i < this.beta.length; i++) this.updateRates(i)
  }

  /** True when some variables are shrunk away. */
  get shrunk(): boolean {
    return this.activeCount < this.active.length
  }

  /** True when the step found goes on for ever: the hard-margin dual has no bound. */
  get unbounded(): boolean {
    return this.step.alphaJ === Number.POSITIVE_INFINITY
  }

  /** Free variables, and the ends of the interval where there are none, are among the active ones. */
  get bias(): GeneralBias {
    return generalBias(this.dual, this.beta, this.v)
  }

  /**
   * Chooses i that gains most by rising, and j of its group whose fall costs less, so that the unclipped step gains most:
   * difference² / (2η_ij) is largest (Fan, Chen, Lin 2005, WSS 2); with groups, the better of their two pairs. Solves over
   * the pair into `step`. False when no active pair violates optimality by more than `tol`, or the one found cannot move.
   */
  findPair(tol: number): boolean {
    this.violation = 0
    const first = this.bestPair(0, tol)
    const second = this.dual.groups ? this.bestPair(1, tol) : undefined
    const pair = first && second ? (second.gain > first.gain ? second : first) : (first ?? second)
    if (!pair) return false
    const { i, j } = pair
    const { v, rise, fall, step } = this
    const { diagonal } = this.rows
    step.i = i
    step.j = j
    const boundI = this.enter(i, this.beta[i] >= 0 && this.dual.upper[i] > 0)
    step.yi = boundI.sign
    step.oldAlphaI = boundI.alpha
    const boundJ = this.enter(j, this.beta[j] > 0)
    step.yj = boundJ.sign
    step.oldAlphaJ = boundJ.alpha
    step.errorI = -(v[i] + rise[i])
    step.errorJ = -(v[j] + fall[j])
    return solvePair(step, diagonal[i], diagonal[j], this.rows.row(i)[j], boundI.C, boundJ.C)
  }

  /** A variable on one side of 0: its sign, α = |β|, and the largest value on that side. */
  private enter(i: number, positive: boolean): { sign: number; alpha: number; C: number } {
    const { lower, upper } = this.dual
    const beta = this.beta[i]
    return positive
      ? { sign: 1, alpha: beta, C: upper[i] }
      : { sign: -1, alpha: beta === 0 ? 0 : -beta, C: lower[i] === 0 ? 0 : -lower[i] }
  }

  /** The best pair of a group that violates optimality by more than `tol`. */
  private bestPair(group: number, tol: number): { i: number; j: number; gain: number } | undefined {
    const { v, rise, fall, active, activeCount } = this
    const { groups } = this.dual
    let i = -1
    let m = Number.NEGATIVE_INFINITY
    for (let a = 0; a < activeCount; a++) {
      const k = active[a]
      if (v[k] + rise[k] > m && (groups === undefined || groups[k] === group)) {
        m = v[k] + rise[k]
        i = k
      }
    }
    if (i < 0) return undefined
    const { diagonal } = this.rows
    const row = this.rows.row(i)
    const kii = diagonal[i]
    let j = -1
    let M = Number.POSITIVE_INFINITY
    let gain = Number.NEGATIVE_INFINITY
    for (let a = 0; a < activeCount; a++) {
      const k = active[a]
      const cost = v[k] + fall[k]
      const difference = m - cost
      if (!(difference > 0) || (groups !== undefined && groups[k] !== group)) continue
      if (cost < M) M = cost
      const eta = kii + diagonal[k] - 2 * row[k]
      const promise = (difference * difference) / (eta > 0 ? eta : TAU)
      if (promise > gain) {
        gain = promise
        j = k
      }
    }
    this.violation = Math.max(this.violation, m - M)
    return m - M > tol ? { i, j, gain } : undefined
  }

  /**
   * How far v of the pair found has drifted from what f64 rows say: the error of v_i − v_j, at the cost of two rows.
   */
  drift(): number {
    const { step, v } = this
    return Math.abs(this.exactValue(step.i) - this.exactValue(step.j) - (v[step.i] - v[step.j]))
  }

  /** Takes the step found. */
  accept(): void {
    const { step, beta, v, active, activeCount } = this
    const { i, j } = step
    const rowI = this.rows.row(i)
    const rowJ = this.rows.row(j)
    const oldI = beta[i]
    const oldJ = beta[j]
    // + 0 makes 0 of −0.
    beta[i] = step.yi * step.alphaI + 0
    beta[j] = step.yj * step.alphaJ + 0
    const a = beta[i] - oldI
    const b = beta[j] - oldJ
    for (let p = 0; p < activeCount; p++) {
      const k = active[p]
      v[k] -= a * rowI[k] + b * rowJ[k]
    }
    this.updateRates(i)
    this.updateRates(j)
    this.updateBoundedSum(i, oldI, rowI)
    this.updateBoundedSum(j, oldJ, rowJ)
    step.active = this.hasNewActive ? active.slice(0, activeCount) : undefined
    this.hasNewActive = false
    this.fresh = false
  }

  /** Drops active variables that could not be in any violating pair. */
  shrink(): void {
    const { active } = this
    const extremes = [0, 1].map((group) => this.extremes(group))
    if (extremes.every(({ m, M }) => m <= M)) return
    let kept = 0
    for (let a = 0; a < this.activeCount; a++) {
      const k = active[a]
      if (!this.isIdle(k, extremes[this.dual.groups?.[k] ?? 0])) active[kept++] = k
    }
    this.hasNewActive ||= kept < this.activeCount
    this.activeCount = kept
  }

  private isIdle(k: number, { m, M }: { m: number; M: number }): boolean {
    const { v, rise, fall } = this
    // Rising would gain less than every fall costs, and falling cost more than every rise gains.
    return v[k] + rise[k] < M && v[k] + fall[k] > m
  }

  private extremes(group: number): { m: number; M: number } {
    const { v, rise, fall, active } = this
    const { groups } = this.dual
    let m = Number.NEGATIVE_INFINITY
    let M = Number.POSITIVE_INFINITY
    for (let a = 0; a < this.activeCount; a++) {
      const k = active[a]
      if (groups && groups[k] !== group) continue
      m = Math.max(m, v[k] + rise[k])
      M = Math.min(M, v[k] + fall[k])
    }
    return { m, M }
  }

  /** Makes every variable active again, with v of the others reconstructed. */
  *unshrink(due: Due): Pieces {
    if (!this.shrunk) return
    const { v, beta, boundedSum, active } = this
    const { target } = this.dual
    const count = v.length
    const inactive = inactiveOf(active.subarray(0, this.activeCount), count)
    const reconstructed = Float64Array.from(inactive, (k) => target[k] - boundedSum[k])
    for (let j = 0; j < count; j++) {
      if (beta[j] === 0 || this.isBound(j, beta[j])) continue
      const row = this.rows.row(j)
      for (let p = 0; p < inactive.length; p++) reconstructed[p] -= beta[j] * row[inactive[p]]
      if (due()) yield
    }
    for (let p = 0; p < inactive.length; p++) v[inactive[p]] = reconstructed[p]
    for (let k = 0; k < count; k++) active[k] = k
    this.activeCount = count
    this.hasNewActive = true
  }

  /** Computes v and g from scratch in f64 for all variables. */
  *refresh(due: Due): Pieces {
    const { v, boundedSum, beta, active } = this
    const { target } = this.dual
    const count = v.length
    const bounded = beta.map((b, j) => (this.isBound(j, b) ? b : 0))
    const free = beta.map((b, j) => (this.isBound(j, b) ? 0 : b))
    const boundedValues = yield* valuesInPieces(this.dual, this.evaluator, bounded, due)
    const freeValues = yield* valuesInPieces(this.dual, this.evaluator, free, due)
    for (let k = 0; k < count; k++) {
      boundedSum[k] = boundedValues[k]
      v[k] = target[k] - (boundedValues[k] + freeValues[k])
      active[k] = k
    }
    this.hasNewActive ||= this.shrunk
    this.activeCount = count
    this.fresh = true
  }

  /** β was changed from outside: all follows from it but v, which {@link refresh} has to compute. */
  acceptBeta(): void {
    for (let i = 0; i < this.beta.length; i++) this.updateRates(i)
    this.fresh = false
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

  /** v_i from scratch. */
  private exactValue(i: number): number {
    const { beta, scratch } = this
    this.evaluator.row(i, scratch)
    let value = this.dual.target[i]
    for (let k = 0; k < beta.length; k++) value -= beta[k] * scratch[k]
    return value
  }

  private updateRates(i: number): void {
    const { lower, upper, tube } = this.dual
    const beta = this.beta[i]
    this.rise[i] = riseOf(beta, upper[i], tube)
    this.fall[i] = fallOf(beta, lower[i], tube)
  }

  /** Whether a value of variable i lies at an end of its box other than 0. */
  private isBound(i: number, beta: number): boolean {
    const { lower, upper } = this.dual
    return beta !== 0 && (beta === lower[i] || beta === upper[i])
  }

  private updateBoundedSum(i: number, old: number, row: CachedRow<RowPrecision>): void {
    const beta = this.beta[i]
    const change = (this.isBound(i, beta) ? beta : 0) - (this.isBound(i, old) ? old : 0)
    if (change !== 0) addMultiple(this.boundedSum, change, row)
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
