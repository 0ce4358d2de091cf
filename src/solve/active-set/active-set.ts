/**
 * The dual of ../../problems/general-dual.ts by an active-set method in f64, from any feasible point.
 *
 * With F the free variables and all others where they are, the best move d of β_F and the multiplier λ of each fixed sum (the
 * bias) solve one linear system. E has a column of ones for each fixed sum, and r is v of the free variables, less the tube:
 *
 *   K_FF d + E λ = r,   Eᵀ d = 0:    K_FF = L Lᵀ,  y = L⁻¹ r,  Z = L⁻¹ E,  ZᵀZ λ = Zᵀ y,  Lᵀ d = w = y − Z λ
 *
 * A turn follows d to the first bound, whose variable is then free no longer. r has become r − t (r − Eλ), so y − t w is the
 * new y: all there is to do is to take a row out of L (./cholesky-factor.ts). Turns go on until a move ends inside the box.
 * Then v of everybody follows, and the variables that most want to leave their bounds become free, unless those that
 * did so before them have changed their mind: the sign of d for a last row is known once it is in L. The dual
 * falls with every move. Where C is large and K ill-conditioned, some thousand turns replace millions of pair steps.
 *
 * K_FF may be singular (duplicates, kernels of low rank). L is that of K_FF + ρ: a proximal step, exact but for ρ d. Along a
 * direction without curvature that would be too short a step, so d is followed to the least dual value or a bound.
 *
 * With a tube, a free variable is on its positive or on its negative piece; both end at 0.
 *
 * Sources   Scheinberg 2006 (active sets for support vector machines); Gill, Golub, Murray, Saunders 1974 (updates of L).
 */
import type { Pieces } from '../../base/pieces.ts'
import type { GeneralForm } from '../../problems/general-form.ts'
import type { Due } from '../driver/pieces.ts'
import { copyFields, restoreFields } from '../driver/saved-fields.ts'
import { StallWatch } from '../driver/stall-watch.ts'
import { dualValue } from '../dual/dual-value.ts'
import { midpoint } from '../dual/general-bias.ts'
import { FreeFactor } from './cholesky-factor.ts'
import { inner, projectOut } from './multipliers.ts'
import { listWants, type Want } from './variables-to-free.ts'

/** Kinds of variables: not free; free on the piece where v − ε counts (without a tube: on all); where v + ε counts. */
const FIXED = 0
const ABOVE = 1
const BELOW = 2

/** Share of F that may become free at once, and how many may be tried for each that does. */
const FREED_SHARE = 0.1
const LEAST_FREED = 4
const TRIED_PER_FREED = 4
/** Of tol: what everybody's violation should come down to, and what is worth freeing a variable for. */
const AIM = 0.5
const WORTH_FREEING = 0.25
/** d is followed further than the step of K_FF + ρ when the dual falls for this much longer. */
const MUCH_LONGER = 2
/** Cycles in a row without any move, and cycles without a gain, that show that rounding hides what is left. */
const PATIENCE = 3
const GAIN_WINDOW = 200

/** The kernel as {@link FreeSet} needs it. */
export interface KernelRows {
  readonly diagonal: Float64Array
  /** Row i in f64; it must last until three further ones were asked for. */
  row(i: number): Float64Array
}

/** What {@link FreeSet} keeps of itself. */
export type SavedFreeSet = ReturnType<FreeSet['save']>

/** How a cycle ended: at the optimum, with more to do, in the middle (out of turns), or where nothing moves any more. */
export type CycleEnd = 'optimal' | 'open' | 'paused' | 'stuck'

/** Variables strictly inside their box (with a tube, inside a piece of it). */
export function freeVariables({ lower, upper, tube }: GeneralForm, beta: Float64Array): number[] {
  const free: number[] = []
  for (let i = 0; i < beta.length; i++) {
    const b = beta[i]
    if (b > lower[i] && b < upper[i] && !(tube > 0 && b === 0)) free.push(i)
  }
  return free
}

/** See the head of the file. β and v = t − Kβ (exact at first) are changed in place. */
export class FreeSet {
  /** Moves so far. */
  turns = 0
  /** About how many multiply-adds they took, kernel rows not counted. */
  work = 0
  /** The largest m − M of a group, as of the last cycle. */
  violation = Number.NaN
  /** The dual value, as of the last cycle. */
  value = Number.NaN
  private readonly form: GeneralForm
  private readonly beta: Float64Array
  private readonly v: Float64Array
  private readonly kernel: KernelRows
  private readonly tol: number
  private readonly due: Due
  private readonly watch = new StallWatch(GAIN_WINDOW)
  private cycles = 0
  private readonly free: number[] = []
  /** Variables that are free from the start, and have yet to be taken in. */
  private readonly pending: number[]
  private readonly kinds: Uint8Array
  private readonly factor: FreeFactor
  /** The multiplier of each group. */
  private readonly lambda: Float64Array
  /** β that v belongs to, of variables that have moved since (`moved`). */
  private readonly synced: Float64Array
  private readonly moved: number[] = []
  private readonly hasMoved: Uint8Array
  private idleCycles = 0
  private readonly wants: Want[] = []
  // Scratch: a move and L's view of it, a column of Z, entries of right-hand sides, sums and counts of groups.
  private d: Float64Array
  private w: Float64Array
  private across: Float64Array
  private readonly entries: Float64Array
  private readonly sums: Float64Array
  private readonly counts: Float64Array

  /** `saved`: what {@link save} has said of one like it; β and v are those of then. */
  constructor(
    form: GeneralForm,
    beta: Float64Array,
    v: Float64Array,
    kernel: KernelRows,
    tol: number,
    due: Due,
    saved?: SavedFreeSet,
  ) {
    this.form = form
    this.beta = beta
    this.v = v
    this.kernel = kernel
    this.tol = tol
    this.due = due
    const groups = form.groups ? 2 : 1
    this.lambda = new Float64Array(groups)
    this.sums = new Float64Array(groups)
    this.counts = new Float64Array(groups)
    this.kinds = new Uint8Array(beta.length)
    this.synced = new Float64Array(beta.length)
    this.hasMoved = new Uint8Array(beta.length)
    this.entries = new Float64Array(1 + groups)
    const free = saved?.free ?? freeVariables(form, beta)
    const usual = kernel.diagonal.reduce((sum, value) => sum + Math.abs(value), 0) / beta.length
    this.factor = new FreeFactor(free.length, 1 + groups, usual)
    this.d = new Float64Array(free.length)
    this.w = new Float64Array(free.length)
    this.across = new Float64Array(free.length)
    this.pending = saved ? [] : free.reverse()
    if (!saved) return
    this.free.push(...free)
    this.factor.restore(saved.factor)
    restoreFields(this.watch, saved.watch)
    restoreFields(this, saved.fields)
  }

  /** All that does not follow from the dual, β and v; to be taken between two cycles. */
  save() {
    const { turns, work, violation, value, cycles, kinds, lambda, idleCycles } = this
    return {
      fields: copyFields({ turns, work, violation, value, cycles, kinds, lambda, idleCycles }),
      free: [...this.free],
      factor: this.factor.save(),
      watch: this.watch.save(),
    }
  }

  /** How many variables are free. */
  get size(): number {
    return this.free.length + this.pending.length
  }

  /** Whether the kernel was seen not to be positive semidefinite: then this is not the way to go. */
  get isIndefinite(): boolean {
    return this.factor.isIndefinite
  }

  /** Moves until one ends inside the box, in at most `limit` turns, and then frees whoever wants to leave a bound. */
  *cycle(limit: number): Pieces<CycleEnd> {
    yield* this.takeIn()
    if (!(yield* this.move(limit))) return 'paused'
    this.idleCycles = this.moved.length > 0 ? 0 : this.idleCycles + 1
    yield* this.follow()
    this.measure()
    if (this.violation <= AIM * this.tol) return 'optimal'
    if (this.idleCycles >= PATIENCE || this.isIndefinite) return 'stuck'
    if (this.watch.stalls(++this.cycles, this.value, this.violation)) return 'stuck'
    const { free, d } = this
    for (let a = 0; a < free.length; a++) d[a] = this.rate(free[a])
    this.factor.setSide(0, d)
    this.work += free.length ** 2 / 2
    yield* this.freeWorst()
    return 'open'
  }

  /** Takes in the variables that are free from the start. */
  private *takeIn(): Pieces {
    const { form, beta, pending } = this
    for (let i = pending.pop(); i !== undefined; i = pending.pop()) {
      this.release(i, form.tube > 0 && beta[i] < 0 ? BELOW : ABOVE)
      if (this.due()) yield
    }
  }

  private groupOf(i: number): number {
    return this.form.groups ? this.form.groups[i] : 0
  }

  /** r of a free variable. */
  private rate(i: number): number {
    const { tube } = this.form
    return this.v[i] - (this.kinds[i] === ABOVE ? tube : -tube)
  }

  /** The end of a free variable's piece, upwards or downwards. */
  private endOf(i: number, upwards: boolean): number {
    const { lower, upper, tube } = this.form
    if (upwards) return this.kinds[i] === BELOW ? 0 : upper[i]
    return this.kinds[i] === ABOVE && tube > 0 ? 0 : lower[i]
  }

  private release(i: number, kind: number): void {
    const { free, factor, kinds, entries, kernel } = this
    const row = kernel.row(i)
    if (this.d.length <= free.length) {
      this.d = new Float64Array(2 * free.length + 16)
      this.w = new Float64Array(2 * free.length + 16)
      this.across = new Float64Array(2 * free.length + 16)
    }
    const { d: values } = this
    for (let a = 0; a < free.length; a++) values[a] = row[free[a]]
    kinds[i] = kind
    entries.fill(0)
    entries[0] = this.rate(i)
    entries[1 + this.groupOf(i)] = 1
    factor.append(values, kernel.diagonal[i], entries)
    free.push(i)
    this.work += free.length ** 2 / 2
  }

  /** Turns until a move has come to its end (each but the last takes a variable from F); false when there were `limit`. */
  private *move(limit: number): Pieces<boolean> {
    const { free, factor, kinds, beta } = this
    for (let turn = 0; free.length > 0; turn++) {
      if (turn >= limit) return false
      if (this.due()) yield
      this.turns++
      this.work += 2 * free.length ** 2
      const longest = this.findMove()
      const { d, w } = this
      let reach = longest
      let blocking = -1
      for (let a = 0; a < free.length; a++) {
        if (d[a] === 0) continue
        const far = (this.endOf(free[a], d[a] > 0) - beta[free[a]]) / d[a]
        if (far < reach) {
          reach = far
          blocking = a
        }
      }
      if (reach > 0) this.step(reach, blocking)
      if (blocking < 0) return true
      const y = factor.sides[0]
      for (let k = 0; k < free.length; k++) y[k] -= reach * w[k]
      kinds[free[blocking]] = FIXED
      free.splice(blocking, 1)
      factor.remove(blocking)
      // Beyond the step of K_FF + ρ, y − t w is no longer the new y.
      if (reach > 1) return true
    }
    return true
  }

  /** w and d of the head of the file; returns how far to follow d at most. */
  private findMove(): number {
    const { factor, d, w } = this
    const { size, ridges } = factor
    projectOut(this.factor, this.lambda, this.w, this.across)
    d.set(w.subarray(0, size))
    factor.solveTransposed(d)
    this.balance(d, size)
    // wᵀw = dᵀ(K + ρ)d is the slope of the dual, and what is left of it without ρ its curvature.
    const slope = inner(w, w, size)
    let curvature = slope
    for (let k = 0; k < size; k++) curvature -= ridges[k] * d[k] * d[k]
    const least = curvature > 0 ? slope / curvature : Number.POSITIVE_INFINITY
    return least > MUCH_LONGER ? least : 1
  }

  /** Takes from a move what rounding has made of its sums: Eᵀ d = 0. */
  private balance(d: Float64Array, size: number): void {
    const { free, sums, counts } = this
    sums.fill(0)
    counts.fill(0)
    for (let a = 0; a < size; a++) {
      const g = this.groupOf(free[a])
      sums[g] += d[a]
      counts[g]++
    }
    for (let a = 0; a < size; a++) {
      const g = this.groupOf(free[a])
      d[a] -= sums[g] / counts[g]
    }
  }

  /** β follows d for a share t of it, and the blocking variable to its bound. */
  private step(t: number, blocking: number): void {
    const { free, beta, synced, hasMoved, moved, d } = this
    for (let a = 0; a < free.length; a++) {
      if (d[a] === 0) continue
      const i = free[a]
      if (hasMoved[i] === 0) {
        hasMoved[i] = 1
        synced[i] = beta[i]
        moved.push(i)
      }
      const end = this.endOf(i, d[a] > 0)
      const there = beta[i] + t * d[a]
      // Rounding must not lead beyond the bound.
      beta[i] = a === blocking || (d[a] > 0 ? there > end : there < end) ? end : there
    }
  }

  /** v of everybody follows β: four rows at a time, so that v is read and written less often. */
  private *follow(): Pieces {
    const { moved, hasMoved, beta, synced, v, kernel } = this
    for (let k = 0; k < moved.length; k += 4) {
      const i = moved[k]
      const j = moved[Math.min(k + 1, moved.length - 1)]
      const p = moved[Math.min(k + 2, moved.length - 1)]
      const q = moved[Math.min(k + 3, moved.length - 1)]
      const first = kernel.row(i)
      const second = kernel.row(j)
      const third = kernel.row(p)
      const fourth = kernel.row(q)
      const a = beta[i] - synced[i]
      const b = k + 1 < moved.length ? beta[j] - synced[j] : 0
      const c = k + 2 < moved.length ? beta[p] - synced[p] : 0
      const d = k + 3 < moved.length ? beta[q] - synced[q] : 0
      for (let s = 0; s < v.length; s++) {
        v[s] -= a * first[s] + b * second[s] + (c * third[s] + d * fourth[s])
      }
      if (this.due()) yield
    }
    for (const i of moved) hasMoved[i] = 0
    this.work += moved.length * v.length
    moved.length = 0
  }

  /** Dual value, violation, and λ of groups without a free variable: the middle between their extremes. */
  private measure(): void {
    const { form, beta, v, lambda } = this
    const { lower, upper, tube } = form
    this.value = dualValue(form, beta, v)
    this.violation = 0
    for (let g = 0; g < lambda.length; g++) {
      let m = Number.NEGATIVE_INFINITY
      let M = Number.POSITIVE_INFINITY
      for (let i = 0; i < v.length; i++) {
        if (form.groups && form.groups[i] !== g) continue
        const b = beta[i]
        const rise = b < 0 ? v[i] + tube : v[i] - tube
        const fall = b > 0 ? v[i] - tube : v[i] + tube
        if (b < upper[i] && rise > m) m = rise
        if (b > lower[i] && fall < M) M = fall
      }
      this.violation = Math.max(this.violation, m - M)
      if (!this.free.some((i) => this.groupOf(i) === g)) lambda[g] = midpoint(m, M)
    }
  }

  /** Frees those that most want to leave their bounds. */
  private *freeWorst(): Pieces {
    const { form, beta, v, lambda, kinds, factor, free, counts, wants } = this
    const { tube } = form
    const wanted = Math.max(LEAST_FREED, Math.ceil(FREED_SHARE * free.length))
    const least = WORTH_FREEING * this.tol
    const worst = listWants(wants, TRIED_PER_FREED * wanted, form, beta, v, lambda, kinds, least)
    counts.fill(0)
    for (const i of free) counts[this.groupOf(i)]++
    let freed = 0
    for (let a = 0; a < worst && freed < wanted; a++) {
      if (this.due()) yield
      const { i, by } = wants[a]
      const group = this.groupOf(i)
      this.release(i, tube > 0 && (by > 0 ? beta[i] < 0 : beta[i] <= 0) ? BELOW : ABOVE)
      // Alone in its group it cannot move yet.
      if (counts[group] > 0 && !this.lastWouldMove(by > 0)) {
        kinds[i] = FIXED
        free.pop()
        factor.dropLast()
        continue
      }
      counts[group]++
      freed++
    }
  }

  /** Whether d of the last free variable has the right sign. */
  private lastWouldMove(upwards: boolean): boolean {
    projectOut(this.factor, this.lambda, this.w, this.across)
    const w = this.w[this.factor.size - 1]
    return upwards ? w > 0 : w < 0
  }
}
