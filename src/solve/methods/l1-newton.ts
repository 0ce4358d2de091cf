/**
 * Proximal Newton steps on working sets of features, for linear machines that keep ‖w‖₁ small.
 *
 * Problem   one linear function with the norm ‖w‖₁ and a smooth loss (../../problems/linear-problem.ts). With β̂ and h of
 *           ../../problems/linear-loss.ts and v = X̃ᵀβ̂, w is optimal when v_j = sign w_j where w_j ≠ 0 and |v_j| <= 1 elsewhere; a
 *           free bias has v_j = 0.
 * Method    only features of a working set W may be other than 0: those that are, and those of the largest |v_j| > 1. On these columns
 *           of the data a step minimises the second-order model of the losses plus ‖w‖₁ (../linear/lasso-step.ts; where W is large,
 *           ../linear/column-step.ts) and goes along the difference until the value has fallen enough (Armijo). When W is solved to
 *           a part of the gap, v of all features says which ones to add, at most as many as there are; those that are 0 leave it.
 * Prices    at w = 0 and a large C nearly all features have |v_j| > 1. So C begins where one has |v_j| = 10 and rises by tens.
 * Stop      t β̂ with t = min(1, 1/‖v‖∞) is a dual point; the gap to the best model is within tol.
 * Source    Yuan, Ho, Lin 2012 (newGLMNET); Johnson, Guestrin 2015 (working sets).
 * Cost      a step: |W|² per sample at most, and |W|³, where |W| is small, else some passes over W; a look at all features: two passes.
 */
import { checkBoolean } from '../../base/check.ts'
import type { LossTerms } from '../../problems/linear-loss.ts'
import type { LinearMachineProblem } from '../../problems/linear-problem.ts'
import { copyFields, restoreFields } from '../driver/saved-fields.ts'
import type { Solver, SolverContext, SolverRun, SolverState } from '../driver/solver.ts'
import { balanceBias } from '../linear/balance-bias.ts'
import { ColumnStep } from '../linear/column-step.ts'
import { LassoStep } from '../linear/lasso-step.ts'
import { LinearPoint } from '../linear/linear-point.ts'
import type { LinearRows } from '../linear/linear-rows.ts'
import { withRows } from '../linear/with-rows.ts'
import { type NewtonOptions, SAFE } from './newton.ts'

/** Features that a working set begins with; as few as this are all taken. */
const FIRST_FEATURES = 200
/** Features of a working set up to which their matrix is worked out: 1,500 take 27 MB, and 2 million multiply-adds a sweep. */
const MOST_DENSE = 1500
/** Newton steps on one working set, and halvings of a step, at most. */
const MOST_STEPS = 30
const MOST_HALVINGS = 40
/** The part of the promised descent that a step must bring. */
const ARMIJO = 0.01
/** How accurately the problem of a step is solved, as a part of its first subgradient: as the gap falls, more. */
const MOST_ACCURACY = 0.1
const LEAST_ACCURACY = 1e-3
/** Values that differ by this part of them may be the same: a step that promises less is taken all the same, v gains by it. */
const ROUNDING = 1e-12
/** A working set is solved when a step promises less than this part of the gap. */
const INNER_PART = 0.03
/** C rises by this factor, each to a relative gap of so much: with few features at first, not all that C is large enough for at w = 0. */
const PRICE_STEP = 10
const PRICE_GAP = 0.1
/** Looks at all features without a lower gap or value: then it is rounding that is left. */
const MOST_WITHOUT_GAIN = 8

/** Proximal Newton steps on working sets of features, for linear machines with ‖w‖₁. */
export const l1Newton: Solver<NewtonOptions, LinearMachineProblem> = {
  name: 'l1-newton',
  title: 'Proximal Newton steps on working sets of features',
  source: 'Yuan, Ho, Lin 2012; Johnson, Guestrin 2015',
  tasks: ['linear'],
  biasForms: ['regularised', 'free', 'none'],
  linearOnly: true,
  squaredLoss: true,
  norms: [1],
  logistic: true,
  unit: 'step',
  goal: 'gap',
  defaults: { tol: 1e-6, maxIter: () => 10_000 },
  options: { engine: true },

  run(problem, context, { engine }) {
    checkBoolean('l1-newton', 'engine', engine)
    return withRows(problem, engine, (rows) =>
      runL1Newton(problem, rows, new LinearPoint(problem, rows, context), context),
    )
  },
}

/** From the best model that is known. */
export function* runL1Newton(
  problem: LinearMachineProblem,
  rows: LinearRows,
  point: LinearPoint,
  context: Pick<SolverContext, 'due' | 'allowedGap'>,
): SolverRun {
  const { state } = point
  const { cols } = rows
  const u = rows.vector(cols + 1)
  const v = rows.vector(cols + 1)
  const f = rows.vector(rows.rows)
  const beta = rows.vector(rows.rows)
  const curvature = rows.vector(rows.rows)
  point.toModel(u)
  const progress: Progress = {
    ...{ u, features: new Uint32Array(), goal: 0, accuracy: MOST_ACCURACY, count: 0 },
    ...{ scale: 0, lowest: Number.POSITIVE_INFINITY, withoutGain: 0, isBetweenSteps: false },
  }
  point.keep(l1Newton.name, {
    save: () => (progress.isBetweenSteps ? copyFields(progress) : undefined),
    restore: (saved) => restoreFields(progress, saved),
  })
  yield state
  if (progress.scale === 0) progress.scale = u.some((own) => own !== 0) ? 1 : firstScale()
  let terms = scaledTerms(rows, point.terms, progress.scale)
  for (;;) {
    // Where the run goes on, a working set may have been begun with.
    if (progress.count === 0) {
      const { primal, gap, goal } = look()
      if (gap <= goal) {
        if (progress.scale === 1) return {}
        goToNextPrice()
        continue
      }
      progress.withoutGain =
        gap + primal < progress.lowest - ROUNDING * Math.abs(gap + primal) ? 0 : progress.withoutGain + 1
      progress.lowest = Math.min(progress.lowest, gap + primal)
      if (progress.withoutGain > MOST_WITHOUT_GAIN) {
        if (progress.scale === 1) return {}
        goToNextPrice()
        continue
      }
      // Without a gain, the features that were there stay, so that none come and go for ever.
      progress.features = workingSet(u, v, cols, progress.withoutGain > 0 ? progress.features : [])
      const inner = Math.max(INNER_PART * gap, 0.1 * goal)
      progress.goal = progress.withoutGain > 0 ? 0.01 * inner : inner
      progress.accuracy = Math.max(LEAST_ACCURACY, Math.min(MOST_ACCURACY, gap / Math.abs(primal)))
    }
    yield* solveOn(problem, rows, point, terms, context, progress)
    progress.count = 0
  }

  /** At w = 0, the price at which some |v_j| is PRICE_STEP, as a part of the price asked for. */
  function firstScale(): number {
    measure(point.terms)
    const largest = largestSlope(problem, v)
    return largest > PRICE_STEP ? PRICE_STEP / largest : 1
  }

  function goToNextPrice(): void {
    const next = progress.scale * PRICE_STEP
    // A last step that is next to none is not worth its own.
    progress.scale = next * Math.sqrt(PRICE_STEP) < 1 ? next : 1
    progress.lowest = Number.POSITIVE_INFINITY
    progress.withoutGain = 0
    terms = scaledTerms(rows, point.terms, progress.scale)
  }

  /** Fills f, β̂ and v at u. */
  function measure(own: LossTerms): void {
    rows.values(u, f)
    if (problem.bias === 'free') u[cols] += balanceBias(rows, own, f, beta, curvature, 0)
    else rows.slopes(own, f, beta, curvature)
    rows.combine(beta, v)
  }

  /** How good u is for the present price, and how good it has to be. */
  function look(): { readonly primal: number; readonly gap: number; readonly goal: number } {
    measure(terms)
    point.offerModel(u, f)
    const dualPoint = feasible(problem, beta, v)
    const dual = rows.conjugateSum(terms, dualPoint)
    if (terms === point.terms) {
      point.offerDualValue(dualPoint, dual)
      return { primal: point.primal, gap: point.gap, goal: SAFE * context.allowedGap(point.primal) }
    }
    const primal = penaltyOf(problem, u) + rows.lossSum(terms, f)
    return { primal, gap: primal + dual, goal: PRICE_GAP * primal }
  }
}

/** Where a run stands. */
interface Progress {
  readonly u: Float64Array
  /** The working set, what a step on it must promise to be worth taking, how accurately it is solved, and how many have been taken. */
  features: Uint32Array
  goal: number
  accuracy: number
  count: number
  /** The price of losses, as a part of the one asked for. */
  scale: number
  lowest: number
  withoutGain: number
  isBetweenSteps: boolean
}

/** The largest |v_j|, that of the constant feature included where the norm has it. */
function largestSlope({ constant }: LinearMachineProblem, v: Float64Array): number {
  const last = v.length - 1
  let largest = constant > 0 ? Math.abs(v[last]) : 0
  for (let j = 0; j < last; j++) largest = Math.max(largest, Math.abs(v[j]))
  return largest
}

/** The multiple of β that is a dual point. */
function feasible(problem: LinearMachineProblem, beta: Float64Array, v: Float64Array): Float64Array {
  const t = Math.min(1, 1 / largestSlope(problem, v))
  return t < 1 ? beta.map((own) => t * own) : beta
}

/** ‖w̃‖₁ */
function penaltyOf({ constant }: LinearMachineProblem, u: Float64Array): number {
  const last = u.length - 1
  let sum = constant > 0 ? Math.abs(u[last]) : 0
  for (let j = 0; j < last; j++) sum += Math.abs(u[j])
  return sum
}

/** The losses at `scale` times their price. */
function scaledTerms(rows: LinearRows, terms: LossTerms, scale: number): LossTerms {
  if (scale === 1) return terms
  const times = (values: Float64Array, factor: number) => values.map((own) => factor * own)
  const { lower, upper, shift } = terms
  return rows.terms({
    ...terms,
    lower: times(lower, scale),
    upper: times(upper, scale),
    shift: times(shift, 1 / scale),
  })
}

/**
 * The features that are not 0, those to be kept, and the ones of the largest |v_j| > 1: as many again at most, and no more than
 * leave the set small where it can be.
 */
function workingSet(u: Float64Array, v: Float64Array, cols: number, before: Iterable<number>): Uint32Array {
  if (cols <= FIRST_FEATURES) return Uint32Array.from({ length: cols }, (_, j) => j)
  const kept = new Set<number>(before)
  for (let j = 0; j < cols; j++) if (u[j] !== 0) kept.add(j)
  const others: number[] = []
  for (let j = 0; j < cols; j++) if (!kept.has(j) && Math.abs(v[j]) > 1) others.push(j)
  others.sort((a, b) => Math.abs(v[b]) - Math.abs(v[a]) || a - b)
  const room = MOST_DENSE - kept.size
  const most = Math.max(FIRST_FEATURES, kept.size)
  const added = others.slice(0, room >= FIRST_FEATURES ? Math.min(most, room) : most)
  return Uint32Array.from([...kept, ...added]).sort()
}

/** Newton steps with the features of a working set alone, until a step promises no more than the goal. */
function* solveOn(
  { bias, constant }: LinearMachineProblem,
  all: LinearRows,
  point: LinearPoint,
  terms: LossTerms,
  { due }: Pick<SolverContext, 'due'>,
  progress: Progress,
): Generator<SolverState, void, void> {
  const { state } = point
  const { u, features, goal, accuracy } = progress
  const mark = all.mark()
  const rows = all.columns(features)
  const n = features.length + 1
  const lambda = new Float64Array(n).fill(1)
  lambda[n - 1] = bias === 'free' ? 0 : 1
  const isLarge = features.length > MOST_DENSE
  const step = isLarge ? new ColumnStep(rows, lambda, due) : new LassoStep(rows, lambda, due)
  const w = rows.vector(n)
  const x = rows.vector(n)
  const p = rows.vector(n)
  const g = rows.vector(n)
  const f = rows.vector(rows.rows)
  const q = rows.vector(rows.rows)
  const beta = rows.vector(rows.rows)
  const curvature = rows.vector(rows.rows)
  const moved = rows.vector(rows.rows)
  for (let a = 0; a < features.length; a++) w[a] = u[features[a]]
  w[n - 1] = u[u.length - 1]
  const norm = (of: Float64Array) => of.reduce((sum, own, j) => sum + lambda[j] * Math.abs(own), 0)
  while (progress.count < MOST_STEPS) {
    rows.values(w, f)
    const value = norm(w) + rows.slopes(terms, f, beta, curvature)
    rows.combine(beta, g)
    for (let j = 0; j < n; j++) g[j] = -g[j]
    if (bias === 'none' || (bias === 'regularised' && constant === 0)) g[n - 1] = 0
    x.set(w)
    const solving = step.solve(curvature, g, x, accuracy)
    while (!solving.next().done) yield state
    let promised = norm(x) - norm(w)
    for (let j = 0; j < n; j++) {
      p[j] = x[j] - w[j]
      promised += g[j] * p[j]
    }
    point.advance()
    progress.count++
    if (!(promised < 0)) break
    rows.values(p, q)
    let t = 1
    for (let halving = 0; halving < MOST_HALVINGS; halving++, t /= 2) {
      moved.set(f)
      rows.addScaled(t, q, moved)
      let next = 0
      for (let j = 0; j < n; j++) next += lambda[j] * Math.abs(w[j] + t * p[j])
      if (next + rows.lossSum(terms, moved) <= value + ARMIJO * t * promised + ROUNDING * value) break
    }
    for (let j = 0; j < n; j++) w[j] = t === 1 ? x[j] : w[j] + t * p[j]
    for (let a = 0; a < features.length; a++) u[features[a]] = w[a]
    u[u.length - 1] = w[n - 1]
    if (-promised <= goal) break
    if (isLarge && 2 * w.reduce((sum, own) => sum + (own === 0 ? 0 : 1), 0) < MOST_DENSE) break
    progress.isBetweenSteps = true
    yield state
    progress.isBetweenSteps = false
  }
  all.release(mark)
}
