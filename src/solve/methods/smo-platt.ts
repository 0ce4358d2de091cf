/**
 * Platt's SMO: the original.
 *
 * Problem   the dual of ../../problems/problem.ts with the hinge loss and a free bias.
 * Method    an outer loop alternates between sweeps over all samples and sweeps over the free ones (0 < α < C) until
 *           a sweep over all changes nothing. A sample i2 that violates the optimality conditions for the running bias
 *           is paired (`examine`) with, in this order until a step succeeds:
 *             1. the free sample whose error is farthest from its own: the smallest if E_2 > 0, else the largest
 *             2. every free sample, from a random start
 *             3. every sample, from a random start
 *           Steps that change α_2 by less than `epsilon` of its size are refused, on the interior branch and at the
 *           ends alike.
 * Errors    E_i = f_i + b are right for every sample at all times, bound ones too: f is updated with both kernel
 *           columns, or, when the kernel is linear and `foldWeights` is on, read off the folded w (../dual/linear-dual-point.ts).
 * Stop      when a sweep over all samples changes nothing, no pair violates optimality by more than tol in the errors
 *           as they were kept. Then f is computed from scratch; if that shows more, b is set to the middle of
 *           [b_low, b_up] and the sweeps continue, until they change nothing again.
 * Units     an iteration is one successful step, so the limit acts within a sweep.
 * Source    seed 002 (2024 course project), after Platt 1998, MSR-TR-98-14.
 * Cost      a step O(n) and two kernel columns, or O(d) with w folded; a failed search for a partner O(n).
 */
import { checkBoolean, checkNumber } from '../../base/check.ts'
import type { Random } from '../../base/random.ts'
import type { SvmProblem } from '../../problems/problem.ts'
import { showing } from '../driver/pieces.ts'
import type { Solver } from '../driver/solver.ts'
import { midpointBias } from '../dual/bias.ts'
import { DualPoint, stateOf } from '../dual/dual-point.ts'
import { LinearDualPoint } from '../dual/linear-dual-point.ts'
import { mostPairSteps } from '../dual/pair-step.ts'

/** Settings of {@link smoPlatt}. */
export interface SmoPlattOptions {
  /** Smallest relative change of α_2 that counts as a step. */
  readonly epsilon: number
  /** Keep w instead of all errors when the kernel is linear. */
  readonly foldWeights: boolean
}

/** Platt's SMO (1998), with its two nested searches; for linear kernels it keeps w. */
export const smoPlatt: Solver<SmoPlattOptions> = {
  name: 'smo-platt',
  title: "SMO, Platt's original",
  source: 'Platt 1998; seed 002',
  tasks: ['svc'],
  biasForms: ['free'],
  unit: 'pair',
  goal: 'violation',
  defaults: { tol: 1e-3, maxIter: mostPairSteps },
  options: { epsilon: 1e-12, foldWeights: true },

  *run(problem: SvmProblem, context, options) {
    const { name } = smoPlatt
    const epsilon = checkNumber(name, 'epsilon', options.epsilon, { min: 0, below: 1 })
    checkBoolean(name, 'foldWeights', options.foldWeights)
    const point =
      options.foldWeights && LinearDualPoint.fits(problem)
        ? new LinearDualPoint(problem, context)
        : new DualPoint(problem, context)
    /**
     * The sample that is next in this sweep and how many have changed in it; whether it looks at all; the running b, and
     * whether that is the middle of the interval of a fresh f.
     */
    const progress = { next: 0, changed: 0, examineAll: true, bias: 0, settled: false }
    const state = stateOf(point, context, progress)
    const pairing = new Pairing(point, context.tol / 2, epsilon, context.random, progress)
    const count = problem.y.length
    yield state
    for (;;) {
      while (progress.next < count) {
        if (context.due()) yield state
        const i = progress.next++
        if (!(progress.examineAll || point.isFree(i)) || !pairing.examine(i)) continue
        if (point.unbounded) return { unbounded: true }
        progress.changed++
        point.accept(++state.iteration)
        progress.bias = point.pairBias
        progress.settled = false
        yield state
        if (!point.stalls()) continue
        yield* showing(state, point.refresh())
        return {}
      }
      const { changed, examineAll, settled } = progress
      progress.next = 0
      progress.changed = 0
      if (changed > 0) {
        progress.examineAll = false
      } else if (!examineAll) {
        progress.examineAll = true
      } else {
        yield* showing(state, point.refresh())
        const interval = point.interval()
        state.violation = Math.max(0, interval.bLow - interval.bUp)
        if (settled || state.violation <= context.tol) return {}
        progress.bias = midpointBias(interval)
        progress.settled = true
      }
    }
  },
}

/** The two inner procedures of the source, `examine_example` and `take_step`, with the running bias. */
class Pairing {
  private readonly point: DualPoint
  /** Half the tolerance: all samples within it of one bias are within the tolerance of each other. */
  private readonly tau: number
  private readonly epsilon: number
  private readonly random: Random
  private readonly running: { readonly bias: number }

  constructor(
    point: DualPoint,
    tau: number,
    epsilon: number,
    random: Random,
    running: { readonly bias: number },
  ) {
    this.point = point
    this.tau = tau
    this.epsilon = epsilon
    this.random = random
    this.running = running
  }

  /** Finds a partner for sample i2 and leaves the step in `point.step`; false when i2 is fine or no partner helps. */
  examine(i2: number): boolean {
    const { point, random, running } = this
    if (!point.violates(i2, running.bias, this.tau)) return false
    const farthest = this.farthestFree(point.value(i2) + running.bias)
    if (farthest >= 0 && this.takeStep(farthest, i2)) return true
    const count = point.y.length
    const freeStart = random.int(count)
    for (let k = 0; k < count; k++) {
      const i1 = (freeStart + k) % count
      if (point.isFree(i1) && this.takeStep(i1, i2)) return true
    }
    const start = random.int(count)
    for (let k = 0; k < count; k++) {
      const i1 = (start + k) % count
      if (!point.isFree(i1) && this.takeStep(i1, i2)) return true
    }
    return false
  }

  /** The free sample with the smallest error when `error` is positive, with the largest one otherwise; −1: none. */
  private farthestFree(error: number): number {
    const { point } = this
    const direction = error > 0 ? 1 : -1
    let best = Number.POSITIVE_INFINITY
    let farthest = -1
    for (let i = 0; i < point.y.length; i++) {
      if (!point.isFree(i)) continue
      const value = direction * point.value(i)
      if (value < best) {
        best = value
        farthest = i
      }
    }
    return farthest
  }

  private takeStep(i1: number, i2: number): boolean {
    if (i1 === i2 || !this.point.solve(i1, i2)) return false
    const { alphaJ, oldAlphaJ } = this.point.step
    return this.point.unbounded || Math.abs(alphaJ - oldAlphaJ) >= this.epsilon * (alphaJ + oldAlphaJ)
  }
}
