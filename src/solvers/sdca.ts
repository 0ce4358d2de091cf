/**
 * Stochastic dual coordinate ascent: one α at a time.
 *
 * Problem   the dual of ../problems/problem.ts without a balance constraint (bias regularised, or none), hinge or
 *           squared hinge. With G_i = y_i f(x_i) − 1 + D_ii α_i the optimality conditions are
 *             G_i >= 0 where α_i = 0,   G_i <= 0 where α_i = U_i,   G_i = 0 in between;
 *           how far they fail is the projected gradient.
 * Method    in each epoch, in a new random order, minimise the dual over α_i alone:
 *             α_i ← clip(α_i − G_i / (K̃_ii + D_ii), 0, U_i),   f ← f + (α_i − α_i^old) y_i k̃(x_i, ·)
 *           f moves by the clipped change: that keeps w = Σ α_i y_i x_i, which the unclipped change of the slide in
 *           seed 004 does not. Where the curvature is not positive the better end of [0, U_i] is taken.
 * Shrinking a sample at a bound whose gradient points beyond every projected gradient of the epoch before is left
 *           out (as LIBLINEAR does) until the others are solved; then all come back.
 * Stop      the largest projected gradient over all samples is within tol, for an f computed afresh from α.
 * Source    Hsieh, Chang, Lin, Keerthi, Sundararajan 2008; seed 004.
 * Cost      a step O(non-zeros of the row) for the linear kernel, else O(n) and a kernel row for each α that moves.
 */
import { signedAlpha } from '../problems/certificate.ts'
import { diagonalShift, dualKernel, type SvmProblem, upperBounds } from '../problems/problem.ts'
import { type Expansion, expansionBias, expansionsOf, stepsPerSlice } from './expansion.ts'
import type { Solver, SolverState } from './solver.ts'

/** Settings of {@link sdca}. */
export interface SdcaOptions {
  /** Leave out samples that look settled, for a while. Default true. */
  readonly shrinking: boolean
}

/** A projected gradient below this moves nothing worth its cost. */
const TINY_GRADIENT = 1e-12

/** See the head of the file. */
export const sdca: Solver<SdcaOptions> = {
  name: 'sdca',
  title: 'Stochastic dual coordinate ascent',
  source: 'Hsieh et al. 2008; seed 004',
  biasForms: ['regularised', 'none'],
  linearOnly: false,
  squaredHinge: true,
  unit: 'epoch',
  goal: 'violation',
  defaults: { tol: 1e-3, maxIter: () => 100_000 },
  options: { shrinking: true },

  *run(problem, context, { shrinking }) {
    const { y } = problem
    const count = y.length
    const f = expansionsOf(problem, context.cacheBytes)()
    const coordinates = new Coordinates(problem, f, shrinking)
    const { alpha, order } = coordinates
    const stepsBetweenYields = stepsPerSlice(problem)
    const state: SolverState = { iteration: 0, alpha, bias: 0, violation: Number.NaN }
    yield state
    for (;;) {
      context.random.shuffle(order.subarray(0, coordinates.active))
      coordinates.startEpoch()
      while (coordinates.sweep(stepsBetweenYields)) {
        state.bias = expansionBias(problem, signedAlpha(problem, alpha))
        yield state
      }
      if (coordinates.unbounded) return { unbounded: true }
      const { changes } = coordinates
      state.violation = coordinates.endEpoch()
      const settled = state.violation <= context.tol || changes === 0
      const allActive = coordinates.active === count
      if (settled && !allActive) coordinates.activateAll()
      if (settled && allActive) {
        // f has been updated many times: believe it only when it has been computed afresh.
        f.assign(signedAlpha(problem, alpha))
        state.violation = coordinates.largestProjectedGradient()
      }
      state.bias = expansionBias(problem, signedAlpha(problem, alpha))
      state.iteration++
      yield state
      if (settled && allActive && (state.violation <= context.tol || changes === 0)) {
        return { dualValues: alpha.map((_, i) => f.value(i) - state.bias) }
      }
    }
  },
}

/** α, the order in which its entries are visited, and what is known of their gradients. */
class Coordinates {
  readonly alpha: Float64Array
  /** The samples; the first `active` of them are visited, the others are shrunk. */
  readonly order: Uint32Array
  active: number
  /** Entries of α that moved in this epoch. */
  changes = 0
  /** An α was seen to grow without end. */
  unbounded = false

  private readonly y: Float64Array
  private readonly f: Expansion
  private readonly upper: Float64Array
  private readonly extra: Float64Array
  private readonly curvature: Float64Array
  private readonly shrinking: boolean
  private position = 0
  /** Extremes of the projected gradient in this epoch … */
  private highest = 0
  private lowest = 0
  /** … and, from the epoch before, the gradients beyond which a sample at a bound is shrunk. */
  private shrinkAbove = Number.POSITIVE_INFINITY
  private shrinkBelow = Number.NEGATIVE_INFINITY

  constructor(problem: SvmProblem, f: Expansion, shrinking: boolean) {
    const count = problem.y.length
    this.y = problem.y
    this.f = f
    this.shrinking = shrinking
    this.alpha = new Float64Array(count)
    this.order = Uint32Array.from({ length: count }, (_, i) => i)
    this.active = count
    this.upper = upperBounds(problem)
    this.extra = diagonalShift(problem)
    this.curvature = dualKernel(problem)
      .diagonal(problem.samples)
      .map((k, i) => k + this.extra[i])
  }

  startEpoch(): void {
    this.position = 0
    this.changes = 0
    this.highest = 0
    this.lowest = 0
  }

  /** Visits up to `steps` further samples; false when the epoch is over. */
  sweep(steps: number): boolean {
    const { alpha, order, y, f, upper, extra, shrinking, shrinkAbove, shrinkBelow } = this
    let { position, active, highest, lowest } = this
    for (let step = 0; step < steps && position < active; step++) {
      const i = order[position]
      const old = alpha[i]
      const gradient = y[i] * f.value(i) - 1 + extra[i] * old
      const settled = old === 0 ? gradient > shrinkAbove : old === upper[i] && gradient < shrinkBelow
      if (shrinking && settled) {
        active--
        order[position] = order[active]
        order[active] = i
        continue
      }
      position++
      const projected = projectedGradient(gradient, old, upper[i])
      if (projected > highest) highest = projected
      if (projected < lowest) lowest = projected
      if (Math.abs(projected) > TINY_GRADIENT) this.move(i, gradient)
    }
    this.position = position
    this.active = active
    this.highest = highest
    this.lowest = lowest
    return position < active && !this.unbounded
  }

  /** Sets the thresholds of the next epoch and returns the largest projected gradient of this one. */
  endEpoch(): number {
    this.shrinkAbove = this.highest > 0 ? this.highest : Number.POSITIVE_INFINITY
    this.shrinkBelow = this.lowest < 0 ? this.lowest : Number.NEGATIVE_INFINITY
    return Math.max(this.highest, -this.lowest)
  }

  activateAll(): void {
    this.active = this.order.length
    this.shrinkAbove = Number.POSITIVE_INFINITY
    this.shrinkBelow = Number.NEGATIVE_INFINITY
  }

  /** The largest projected gradient at α as it stands, over all samples. */
  largestProjectedGradient(): number {
    const { alpha, y, f, upper, extra } = this
    let largest = 0
    for (let i = 0; i < alpha.length; i++) {
      const gradient = y[i] * f.value(i) - 1 + extra[i] * alpha[i]
      largest = Math.max(largest, Math.abs(projectedGradient(gradient, alpha[i], upper[i])))
    }
    return largest
  }

  /** Minimises the dual over α_i. */
  private move(i: number, gradient: number): void {
    const { alpha, upper, curvature, y, f } = this
    const old = alpha[i]
    const moved =
      curvature[i] > 0
        ? Math.min(upper[i], Math.max(0, old - gradient / curvature[i]))
        : betterEnd(old, upper[i], gradient, curvature[i])
    if (moved === Number.POSITIVE_INFINITY) {
      this.unbounded = true
    } else if (moved !== old) {
      alpha[i] = moved
      f.add(i, (moved - old) * y[i])
      this.changes++
    }
  }
}

/** What remains of a gradient when α may not leave [0, upper]. */
function projectedGradient(gradient: number, alpha: number, upper: number): number {
  if (alpha <= 0 && gradient > 0) return 0
  return alpha >= upper && gradient < 0 ? 0 : gradient
}

/** The end of [0, upper] where gradient · δ + ½ curvature · δ², δ = α − old, is lower (curvature <= 0). */
function betterEnd(old: number, upper: number, gradient: number, curvature: number): number {
  if (upper === Number.POSITIVE_INFINITY) return gradient < 0 || curvature < 0 ? upper : 0
  const slopeToZero = -gradient * old + 0.5 * curvature * old * old
  const slopeToUpper = (gradient + 0.5 * curvature * (upper - old)) * (upper - old)
  return slopeToUpper < slopeToZero ? upper : 0
}
