/**
 * Newton's method for a linear machine with ‖w‖₁ on features that are few enough for a factor of their matrix.
 *
 * Each |w_j| is the largest s w_j of |s| <= 1. The augmented Lagrangian takes its place, as in ./newton-descent.ts that of losses with
 * kinks: with −½ δ_j (s − c_j)² added to what is maximised, the maximiser ŝ_j = clip(c_j + w_j / δ_j) is continuous, and where it is
 * between −1 and 1 its slope 1/δ_j holds w_j near 0. The smooth function is minimised by Newton steps, (R + X̃ᵀ diag(h) X̃) p = −g with
 * R = 1/δ_j where |ŝ_j| < 1 and 0 elsewhere, g = ŝ − X̃ᵀβ̂, and line searches to where the slope vanishes; then c ← ŝ, and δ becomes a
 * quarter. A weight of |ŝ_j| < 1 is 0 in the model, and t β̂ with t = min(1, 1/‖X̃ᵀβ̂‖∞) is the dual point.
 */
import type { Pieces } from '../../base/pieces.ts'
import type { Matrix } from '../../data/matrix/matrix.ts'
import type { LossTerms } from '../../problems/linear-loss.ts'
import type { LinearMachineProblem } from '../../problems/linear-problem.ts'
import type { Due } from '../driver/pieces.ts'
import { balanceBias } from '../linear/balance-bias.ts'
import { lineSearch } from '../linear/line-search.ts'
import { NewtonSystem, STEPS_PER_REFRESH } from '../linear/newton-system.ts'
import type { LinearRows } from '../rows/linear-rows.ts'
import { Stall } from './stall.ts'

// Shares and factors were tried at other values on 2,000 to 8,000 samples: a9a (C = 1), w8a (logistic, C = 10), reuters (C = 10) and
// madelon (C = 1). "Tried" gives the Newton steps of all, which are 257 with the values below.

/**
 * The first width, as what a feature adds to f where it is not 0: the mean over those whose weights are not 0, or this. How it falls
 * from one update of the multipliers to the next, and the least, as a part of the first: below it the systems are rounding.
 * Tried: 2^−6 and 2^−2 311 and 275, 1/2 and 1/8 267 and 346.
 */
const WIDEST = 2 ** -4
const NARROWING = 1 / 4
const LEAST_WIDTH = 2 ** -40
/** Multipliers are updated when Newton steps can lower the gap by no more than this part of it. Tried: 0.1 and 0.7, 299 and 320. */
const INNER_PART = 0.3
/** Newton steps for one choice of the multipliers, at most. */
const MOST_INNER = 200
/**
 * What keeps weights curved that nothing else bends, as a part of 1/δ_j at the first width: after a step that was cut short it is
 * DAMPING_STEP times as much, after one that was not so much less. Tried:
 * first 1e-4 and 1e-2 310 and 309, steps of 2 and 10 317 and 270.
 */
const FIRST_DAMPING = 1e-3
const LEAST_DAMPING = 1e-9
const MOST_DAMPING = 1
const DAMPING_STEP = 4
/**
 * Iterations of conjugate gradients per step where there is no factor and the gap is wider than this part of the primal value: more of
 * them lead along the flattest directions, where steps are cut short. imdb (C = 100) spent 1,000 iterations each on steps that went 1e-4 of
 * their way. Near the solution the flattest directions are what is left.
 */
const FIRST_ITERATIONS = 200
const WIDE_GAP = 1e-3
/**
 * A step to this part of its way, or less, was cut short; to this part, or more, it was not. Tried: 0.03 and 0.3 295 and 320, 0.5 and 0.95
 * 295 and 318.
 */
const SHORT_STEP = 0.1
/** The same, by far: damping rises by two steps. */
const SHORTEST_STEP = 0.01
const LONG_STEP = 0.7

/** See the header of the file. */
export class L1Descent {
  /** Where it stands: w, and the multipliers ŝ. */
  readonly w: Float64Array
  readonly s: Float64Array
  /** The best model that was met, with zeros, and the best dual point. */
  readonly model: Float64Array
  readonly dualPoint: Float64Array
  steps = 0
  primal = Number.POSITIVE_INFINITY
  dual = Number.POSITIVE_INFINITY
  private readonly problem: LinearMachineProblem
  private readonly rows: LinearRows
  private readonly terms: LossTerms
  private readonly system: NewtonSystem
  private readonly ridge: Float64Array
  /** 1/δ_j at width 1: what x_ij is, on average over those that are not 0. */
  private readonly sizes: Float64Array
  private firstWidth = WIDEST
  width = WIDEST
  damping = FIRST_DAMPING
  private readonly c: Float64Array
  private readonly v: Float64Array
  private readonly g: Float64Array
  private readonly p: Float64Array
  private readonly f: Float64Array
  private readonly q: Float64Array
  private readonly beta: Float64Array
  private readonly curvature: Float64Array
  private readonly values: Float64Array

  constructor(problem: LinearMachineProblem, rows: LinearRows, terms: LossTerms, due: Due) {
    const n = rows.cols + 1
    this.problem = problem
    this.rows = rows
    this.terms = terms
    this.ridge = rows.vector(n)
    this.system = new NewtonSystem(rows, this.ridge, due)
    this.sizes = columnSizes(rows.matrix, rows.constant)
    this.w = rows.vector(n)
    this.c = rows.vector(n)
    this.s = rows.vector(n)
    this.v = rows.vector(n)
    this.g = rows.vector(n)
    this.p = rows.vector(n)
    this.model = rows.vector(n)
    this.f = rows.vector(rows.rows)
    this.q = rows.vector(rows.rows)
    this.beta = rows.vector(rows.rows)
    this.curvature = rows.vector(rows.rows)
    this.values = rows.vector(rows.rows)
    this.dualPoint = rows.vector(rows.rows)
  }

  get gap(): number {
    return this.primal + this.dual
  }

  /** From w and its multipliers c, until `isDone`, or it gets no further. `steps` counts. */
  *run(w: Float64Array, c: Float64Array, width: number, isDone: () => boolean): Pieces {
    const { s, sizes } = this
    this.w.set(w)
    this.c.set(c)
    this.firstWidth = typicalShare(w, sizes) || WIDEST
    this.width = width > 0 ? Math.min(this.firstWidth, width / NARROWING) : this.firstWidth
    const least = LEAST_WIDTH * this.firstWidth
    const stall = new Stall()
    for (;;) {
      if (yield* this.descend(isDone)) return
      if (stall.isOver(this.gap)) return
      this.c.set(s)
      if (this.width > least) this.width *= NARROWING
    }
  }

  private get isFree(): boolean {
    return this.problem.bias === 'free'
  }

  /** Newton steps for the present multipliers; true when done. */
  private *descend(isDone: () => boolean): Pieces<boolean> {
    const { rows, terms, system, ridge, sizes, width, w, v, g, s, p, f, q, beta, curvature } = this
    const last = w.length - 1
    for (let step = 0; step < MOST_INNER; step++) {
      const relative = Math.min(1, this.gap / this.primal || 1)
      const damping = this.damping / this.firstWidth
      if (step % STEPS_PER_REFRESH === 0) rows.values(w, f)
      if (this.isFree) w[last] += balanceBias(rows, terms, f, beta, curvature, 0)
      else rows.slopes(terms, f, beta, curvature)
      rows.combine(beta, v)
      for (let j = 0; j <= last; j++) {
        s[j] = this.multiplier(j, w[j])
        ridge[j] = sizes[j] * (Math.abs(s[j]) < 1 ? 1 / width : damping)
        g[j] = s[j] - v[j]
      }
      if (this.isFree) {
        ridge[last] = 0
        g[last] = 0
      }
      const rest = this.offer()
      if (isDone()) return true
      if (rest <= INNER_PART) break
      const accuracy = Math.min(system.leastAccuracy, Math.sqrt(relative))
      yield* system.solve(curvature, 1, g, p, q, accuracy, relative > WIDE_GAP ? FIRST_ITERATIONS : undefined)
      let promised = 0
      for (let j = 0; j <= last; j++) promised -= 0.5 * g[j] * p[j]
      const t = lineSearch((t) => this.slopeAt(t), 2 * promised)
      for (let j = 0; j <= last; j++) w[j] += t * p[j]
      rows.addScaled(t, q, f)
      this.steps++
      const rise = t <= SHORTEST_STEP ? DAMPING_STEP ** 2 : DAMPING_STEP
      if (t <= SHORT_STEP) this.damping = Math.min(MOST_DAMPING, this.damping * rise)
      else if (t >= LONG_STEP) this.damping = Math.max(LEAST_DAMPING, this.damping / DAMPING_STEP)
      yield
    }
    for (let j = 0; j <= last; j++) s[j] = this.multiplier(j, w[j])
    return false
  }

  /** ŝ_j at a weight. */
  private multiplier(j: number, weight: number): number {
    if (this.isFree && j === this.w.length - 1) return 0
    return Math.max(-1, Math.min(1, this.c[j] + (weight * this.sizes[j]) / this.width))
  }

  /** The slope of the smooth function along p. */
  private slopeAt(t: number): { readonly slope: number; readonly bend: number } {
    const { rows, terms, sizes, width, w, p, f, q } = this
    let { slope, bend } = rows.slopeAlong(terms, f, q, t)
    for (let j = 0; j < w.length; j++) {
      const s = this.multiplier(j, w[j] + t * p[j])
      slope += s * p[j]
      if (Math.abs(s) < 1) bend += (p[j] * p[j] * sizes[j]) / width
    }
    return { slope, bend }
  }

  /** Takes the model and the dual point of the present w where they are better; returns which part of the gap at w is the gradient's. */
  private offer(): number {
    const { rows, terms, w, v, s, beta, values, model, dualPoint } = this
    const last = w.length - 1
    const isFree = this.isFree
    let norm = 0
    let largest = 0
    const sparse = this.p
    for (let j = 0; j <= last; j++) {
      const isCounted = j < last || !isFree
      sparse[j] = isCounted && Math.abs(s[j]) < 1 ? 0 : w[j]
      if (!isCounted) continue
      norm += Math.abs(sparse[j])
      largest = Math.max(largest, Math.abs(v[j]))
    }
    rows.values(sparse, values)
    const primal = norm + rows.lossSum(terms, values)
    if (primal < this.primal) {
      this.primal = primal
      model.set(sparse)
    }
    const t = Math.min(1, 1 / largest)
    for (let i = 0; i < beta.length; i++) values[i] = t * beta[i]
    const dual = rows.conjugateSum(terms, values)
    if (dual < this.dual) {
      this.dual = dual
      dualPoint.set(values)
    }
    let held = 0
    let whole = 0
    for (let j = 0; j <= last; j++) {
      if (j === last && isFree) continue
      held += Math.abs(w[j]) - s[j] * w[j]
      whole += Math.abs(w[j])
    }
    const gap = whole + rows.lossSum(terms, this.f) + dual
    return (gap - held) / gap
  }
}

/** What each feature adds to f for a weight of 1, where it is not 0: the root of its mean square there. */
function columnSizes(matrix: Matrix, constant: number): Float64Array {
  const { cols, rows, values } = matrix
  const sums = new Float64Array(cols + 1)
  const counts = new Float64Array(cols + 1)
  if (matrix.kind === 'dense') {
    counts.fill(rows)
    for (let k = 0; k < values.length; k++) sums[k % cols] += values[k] * values[k]
  } else {
    for (let k = 0; k < values.length; k++) {
      sums[matrix.indices[k]] += values[k] * values[k]
      counts[matrix.indices[k]]++
    }
  }
  const sizes = sums.map((sum, j) => (sum > 0 ? Math.sqrt(sum / counts[j]) : 1))
  sizes[cols] = constant > 0 ? constant : 1
  return sizes
}

/** The mean of what features add to f, where their weight is not 0; 0 where there is none. */
function typicalShare(w: Float64Array, sizes: Float64Array): number {
  let sum = 0
  let count = 0
  for (let j = 0; j < w.length - 1; j++) {
    if (w[j] === 0) continue
    sum += Math.abs(w[j]) * sizes[j]
    count++
  }
  return count > 0 ? sum / count : 0
}
