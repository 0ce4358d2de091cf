/**
 * Newton steps on a smoothed norm, or on working sets of features, for linear machines that keep ‖w‖₁ small.
 *
 * Problem   one linear function with the norm ‖w‖₁ and a smooth loss (../../problems/linear-problem.ts). With β̂ and h of
 *           ../../problems/linear-loss.ts and v = X̃ᵀβ̂, w is optimal when v_j = sign w_j where w_j ≠ 0 and |v_j| <= 1 elsewhere; a
 *           free bias has v_j = 0.
 * Method    with enough samples per feature, Newton steps on the smoothed norm (../l1/smooth-descent.ts). Otherwise, or where these get no
 *           further, only features of a working set W may be other than 0: those that are, and those of the largest |v_j| > 1. On these columns
 *           of the data the machine is solved by Newton steps on an augmented Lagrangian (../l1/l1-descent.ts) to a part of the
 *           gap; then v of all features says which ones to add, at most as many as there are.
 * Prices    at w = 0 and a large C nearly all features have |v_j| > 1. So C begins where one has |v_j| = 10 and rises by tens, or by threes
 *           where working sets are large. The dual point of one price, a dual point for the next one too, says which features to begin
 *           with there.
 * Stop      t β̂ with t = min(1, 1/‖v‖∞) is a dual point; the gap to the best model is within tol.
 * Source    Johnson, Guestrin 2015 (working sets); augmented Lagrangian with Newton steps: Li, Sun, Toh 2018.
 * Cost      a step: |W|² per sample at most, and |W|³, where |W| is small, else some passes over W; a look at all features: two passes.
 */
import type { LossTerms } from '../../problems/linear-loss.ts'
import type { LinearMachineProblem } from '../../problems/linear-problem.ts'
import { copyFields, restoreFields } from '../driver/saved-fields.ts'
import type { SolverContext, SolverRun, SolverState } from '../driver/solver.ts'
import { L1Descent } from '../l1/l1-descent.ts'
import { SmoothDescent } from '../l1/smooth-descent.ts'
import { balanceBias } from '../linear/balance-bias.ts'
import type { LinearPoint } from '../linear/linear-point.ts'
import type { LinearRows } from '../rows/linear-rows.ts'
import { newtonMethod, SAFE } from './newton.ts'

/**
 * Features that a working set begins with; as few as this are all taken. Tried (../l1/l1-descent.ts): 100 and 400, 291 and
 * 395.
 */
const FIRST_FEATURES = 200
/** Features of a working set that those which are added should not exceed: up to here their matrix is factored. */
const MOST_DENSE = 1499
/** Values that differ by this part of them may be the same. */
const ROUNDING = 1e-12
/**
 * A working set is solved to this part of the gap, but not below this part of the goal. Tried: 0.01 and 0.1 of the gap, 325 and
 * 274.
 */
const INNER_PART = 0.03
const PART_OF_GOAL = 0.1
/** Where that brought no gain, to this part of it. */
const FINER = 0.01
/**
 * C rises by this factor, each to a relative gap of so much: with few features at first, not all that C is large enough for
 * at w = 0. Tried: 4 and 30 325 and 309, 0.03 and 0.3 288 and 253.
 */
const PRICE_STEP = 10
const PRICE_GAP = 0.1
/**
 * The same where the working set is too large for a factor. With nearly separable text a price ten times as high is another problem, and
 * each step of the way is cut short: news20 (one class, C = 100) is left with a gap of 0.15 after 31 s with the values above, and
 * converges with these (docs/benchmarks.md).
 */
const WIDE_PRICE_STEP = 3
const WIDE_PRICE_GAP = 0.02
/** At such a price it is also enough when the primal value has fallen by no more than this part since the last look. */
const WIDE_PRICE_FALL = 0.005
/** Features of such a set with |v_j| above this are in it, too: each look that would find them later costs tens of steps. */
const WIDE_SLOPE = 0.9
/**
 * A model whose relative gap is wider says less than the models of lower prices. gisette_like (squared hinge, C = 100) is left to this method with
 * a gap of 0.34; from there it had 0.29 after 14 s, from w = 0 it takes 21.
 */
const FAR = 0.1
const MORE_DAMPING = 16
/** Looks at all features without a lower gap or value: then it is rounding that is left. */
const MOST_WITHOUT_GAIN = 8

/** Newton steps on a smoothed norm, or on working sets of features, for linear machines with ‖w‖₁. */
export const l1Newton = newtonMethod(
  {
    name: 'l1-newton',
    title: 'Newton steps on working sets of features',
    source: 'Chan, Golub, Mulet 1999; Johnson, Guestrin 2015; Li, Sun, Toh 2018',
    norms: [1],
  },
  runL1Newton,
)

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
    ...{ u, w: u.slice(), c: u.map(Math.sign), beta, features: new Uint32Array(), hasDual: false },
    ...{ scale: 0, width: 0, damping: 0, primal: Number.POSITIVE_INFINITY, dual: Number.POSITIVE_INFINITY },
    ...{ lowest: Number.POSITIVE_INFINITY, withoutGain: 0, isBetweenSets: false },
  }
  const mark = rows.mark()
  let smooth: SmoothDescent | undefined = new SmoothDescent(problem, rows, point, context.due)
  point.keep(l1Newton.name, {
    save: () => {
      if (smooth) return smooth.save()
      return progress.isBetweenSets ? { progress: copyFields(progress) } : undefined
    },
    restore: (saved) => {
      if ('progress' in saved) {
        smooth = undefined
        restoreFields(progress, saved.progress as object)
      } else smooth?.restore(saved)
    },
  })
  yield state
  if (smooth) {
    const run = smooth.run(() => SAFE * context.allowedGap(point.primal))
    let piece = run.next()
    for (; !piece.done; piece = run.next()) yield state
    if (piece.value) return {}
    smooth = undefined
    point.toModel(u)
    progress.w.set(u)
    progress.c.set(u.map(Math.sign))
  }
  rows.release(mark)
  if (progress.scale === 0) {
    const isFar = point.relativeGap > FAR
    if (isFar) for (const own of [u, progress.w, progress.c]) own.fill(0)
    progress.scale = isFar ? firstScale() : 1
  }
  let terms = scaledTerms(rows, point.terms, progress.scale)
  for (;;) {
    progress.isBetweenSets = true
    yield state
    progress.isBetweenSets = false
    const { primal, gap, goal } = look()
    const isLower = gap + primal < progress.lowest - ROUNDING * Math.abs(gap + primal)
    progress.withoutGain = isLower ? 0 : progress.withoutGain + 1
    progress.lowest = Math.min(progress.lowest, gap + primal)
    // Features that are not in the set decide on the gap until the last: at a price on the way the primal value says enough.
    const isNear = isWide() && progress.scale < 1 && primal > (1 - WIDE_PRICE_FALL) * progress.primal
    progress.primal = primal
    if (gap <= goal || isNear || progress.withoutGain > MOST_WITHOUT_GAIN) {
      if (progress.scale === 1) return {}
      goToNextPrice()
      continue
    }
    progress.features = workingSet(u, v, cols, progress.features)
    const inner = Math.max(INNER_PART * gap, PART_OF_GOAL * goal)
    yield* solveOn(progress.withoutGain > 0 ? FINER * inner : inner)
  }

  /** Solves for the features of the working set alone. */
  function* solveOn(goal: number): Generator<SolverState, void, void> {
    const { features } = progress
    const mark = rows.mark()
    const descent = new L1Descent(problem, rows.columns(features), terms, context.due)
    const n = features.length + 1
    const at = (a: number) => (a < n - 1 ? features[a] : cols)
    const w = Float64Array.from({ length: n }, (_, a) => progress.w[at(a)])
    const c = w.map((own, a) => (own !== 0 ? progress.c[at(a)] : Math.max(-1, Math.min(1, v[at(a)]))))
    if (progress.damping > 0) descent.damping = progress.damping
    const run = descent.run(w, c, progress.width, () => descent.gap <= goal)
    let isWhole = false
    try {
      for (let steps = 0; !run.next().done; ) {
        for (; steps < descent.steps; steps++) point.advance()
        yield state
      }
      isWhole = true
    } finally {
      u.fill(0)
      progress.w.fill(0)
      for (let a = 0; a < n; a++) {
        u[at(a)] = descent.model[a]
        progress.w[at(a)] = descent.w[a]
        progress.c[at(a)] = descent.s[a]
      }
      beta.set(descent.dualPoint)
      progress.hasDual = true
      progress.width = descent.width
      // New features disturb the others: a set of many begins with some more damping than the last one ended with.
      progress.damping = isWide() ? MORE_DAMPING * descent.damping : 0
      rows.release(mark)
      // Stopped from outside, the latest may be the best.
      if (!isWhole) look()
    }
  }

  /** At w = 0, the price at which some |v_j| is PRICE_STEP, as a part of the price requested. */
  function firstScale(): number {
    measure(point.terms)
    const largest = largestSlope(problem, v)
    return largest > PRICE_STEP ? PRICE_STEP / largest : 1
  }

  function isWide(): boolean {
    return progress.features.length > MOST_DENSE
  }

  function goToNextPrice(): void {
    const step = isWide() ? WIDE_PRICE_STEP : PRICE_STEP
    const next = progress.scale * step
    // A last step that is next to none is not worth its own.
    progress.scale = next * Math.sqrt(step) < 1 ? next : 1
    if (!isWide()) progress.features = new Uint32Array()
    progress.hasDual = true
    progress.width = 0
    progress.damping = 0
    progress.primal = Number.POSITIVE_INFINITY
    progress.dual = Number.POSITIVE_INFINITY
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
    if (progress.hasDual) {
      rows.values(u, f)
      rows.combine(beta, v)
    } else measure(terms)
    point.offerModel(u, f)
    const dualPoint = feasible(problem, beta, v)
    const dual = rows.conjugateSum(terms, dualPoint)
    if (terms === point.terms) {
      point.offerDualValue(dualPoint, dual)
      return { primal: point.primal, gap: point.gap, goal: SAFE * context.allowedGap(point.primal) }
    }
    const primal = penaltyOf(problem, u) + rows.lossSum(terms, f)
    progress.dual = Math.min(progress.dual, dual)
    return { primal, gap: primal + progress.dual, goal: (isWide() ? WIDE_PRICE_GAP : PRICE_GAP) * primal }
  }
}

/** Where a run stands. */
interface Progress {
  /** The model, and what it was made of: w before weights next to 0 became 0, and the multipliers. */
  readonly u: Float64Array
  readonly w: Float64Array
  readonly c: Float64Array
  /** The dual point that goes with them, if there is one. */
  readonly beta: Float64Array
  hasDual: boolean
  /** The working set. */
  features: Uint32Array
  /** The price of losses, as a part of the one requested. */
  scale: number
  /** The width that smoothing of ‖w‖₁ has come to, and the damping; 0 where they begin. */
  width: number
  damping: number
  /** At this price, the primal value of the last look and the lowest dual value. */
  primal: number
  dual: number
  lowest: number
  withoutGain: number
  isBetweenSets: boolean
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
function workingSet(u: Float64Array, v: Float64Array, cols: number, before: Uint32Array): Uint32Array {
  if (cols <= FIRST_FEATURES) return Uint32Array.from({ length: cols }, (_, j) => j)
  const kept = new Set<number>(before)
  for (let j = 0; j < cols; j++) if (u[j] !== 0) kept.add(j)
  const others: number[] = []
  const least = kept.size > MOST_DENSE ? WIDE_SLOPE : 1
  for (let j = 0; j < cols; j++) if (!kept.has(j) && Math.abs(v[j]) > least) others.push(j)
  others.sort((a, b) => Math.abs(v[b]) - Math.abs(v[a]) || a - b)
  const room = MOST_DENSE - kept.size
  const most = Math.max(FIRST_FEATURES, kept.size)
  const added = others.slice(0, room >= FIRST_FEATURES ? Math.min(most, room) : most)
  return Uint32Array.from([...kept, ...added]).sort()
}
