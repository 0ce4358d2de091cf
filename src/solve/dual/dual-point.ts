/**
 * What the pair solvers share: a feasible dual point α, the values f_i = Σ_j α_j y_j K_ij − y_i that belong to it, and
 * the two-variable step (./pair-step.ts) that moves both. Kernel columns are f64; all of them are kept while they fit
 * `cacheBytes`, the least recently used one makes room otherwise.
 */

import type { Pieces } from '../../base/pieces.ts'
import { cacheRows, type RowCache } from '../../kernels/row-cache.ts'
import { expansionCoefficients } from '../../problems/kernel-problem.ts'
import { dualKernel, type SvmProblem } from '../../problems/problem.ts'
import { type Due, valuesInPieces } from '../driver/pieces.ts'
import { copyFields, restoreFields } from '../driver/saved-fields.ts'
import type { SolverContext, SolverState } from '../driver/solver.ts'
import { LOOKS_WITHOUT_GAIN, StallWatch, stepsPerLook } from '../driver/stall-watch.ts'
import { type BiasInterval, biasInterval, biasOf } from './bias.ts'
import { emptyStep, type SmoStep, solvePair } from './pair-step.ts'

/** α, f and the step between them, for the hinge loss with a free bias. It starts at α = 0. */
export class DualPoint {
  readonly alpha: Float64Array
  readonly y: Float64Array
  readonly C: Float64Array
  /** f_i for every sample, up to date after each accepted step. */
  readonly f: Float64Array
  /** The latest step solved. */
  readonly step: SmoStep = emptyStep()
  protected readonly problem: SvmProblem
  protected readonly diagonal: Float64Array
  /** True while f has been computed from scratch, with no update since. */
  protected fresh = true
  private readonly columns: RowCache<'f64'>
  private readonly onStep: ((step: SmoStep) => void) | undefined
  private readonly due: Due
  /** Steps taken, and the dual value by what they say they gained. */
  private steps = 0
  private dual = 0
  private readonly stepsPerLook: number
  private readonly watch = new StallWatch(LOOKS_WITHOUT_GAIN)

  constructor(problem: SvmProblem, context: SolverContext) {
    const { samples, y, C } = problem
    this.problem = problem
    this.alpha = new Float64Array(y.length)
    this.y = y
    this.C = C
    this.f = y.map((label) => -label)
    this.columns = cacheRows(dualKernel(problem), samples, {
      cacheBytes: context.cacheBytes,
      precision: 'f64',
    })
    this.diagonal = this.columns.diagonal
    this.onStep = context.onStep
    this.due = context.due
    this.stepsPerLook = stepsPerLook(y.length)
  }

  /** All that does not follow from the problem; {@link restoreFields} puts it back. */
  save(): object {
    const { alpha, f, fresh, steps, dual, seen } = this
    return copyFields({ alpha, f, fresh, steps, dual, seen })
  }

  /** What the watch for stalls has seen, for {@link save}. */
  private get seen(): object {
    return this.watch.save()
  }

  private set seen(saved: object) {
    restoreFields(this.watch, saved)
  }

  /** f_i alone; cheaper than `f` where f is not kept for all samples. */
  value(i: number): number {
    return this.f[i]
  }

  /** Strictly between its bounds. */
  isFree(i: number): boolean {
    return this.alpha[i] > 0 && this.alpha[i] < this.C[i]
  }

  /** True when the optimality conditions of sample i do not hold within tau for that bias. */
  violates(i: number, bias: number, tau: number): boolean {
    const excess = this.y[i] * (this.value(i) + bias)
    return (excess < -tau && this.alpha[i] < this.C[i]) || (excess > tau && this.alpha[i] > 0)
  }

  /** Minimises the dual over α_i and α_j into `step`; false when they cannot move. */
  solve(i: number, j: number): boolean {
    const { alpha, y, C, diagonal, step } = this
    step.i = i
    step.j = j
    step.yi = y[i]
    step.yj = y[j]
    step.errorI = this.value(i)
    step.errorJ = this.value(j)
    step.oldAlphaI = alpha[i]
    step.oldAlphaJ = alpha[j]
    return solvePair(step, diagonal[i], diagonal[j], this.kernelValue(i, j), C[i], C[j])
  }

  /** True when the step just solved goes on for ever: the hard-margin dual has no bound. */
  get unbounded(): boolean {
    return this.step.alphaJ === Number.POSITIVE_INFINITY
  }

  /** The decrease of the dual by the step just solved. */
  get gain(): number {
    const { step } = this
    const delta = step.alphaJ - step.oldAlphaJ
    return -delta * (step.yj * (step.errorJ - step.errorI) + 0.5 * step.eta * delta)
  }

  /** Whether steps gain nothing any more; to be asked after each of them. */
  stalls(): boolean {
    if (this.steps % this.stepsPerLook !== 0) return false
    const { bUp, bLow } = this.interval()
    return this.watch.stalls(this.steps / this.stepsPerLook, this.dual, bLow - bUp)
  }

  /** Takes the step just solved, as the solver's iteration of that number. */
  accept(iteration: number): void {
    const { alpha, step } = this
    this.steps++
    this.dual -= this.gain
    step.iteration = iteration
    alpha[step.i] = step.alphaI
    alpha[step.j] = step.alphaJ
    this.move(
      step.i,
      step.yi * (step.alphaI - step.oldAlphaI),
      step.j,
      step.yj * (step.alphaJ - step.oldAlphaJ),
    )
    this.fresh = false
    this.onStep?.(step)
  }

  /** The interval for −bias over all samples; its ends are the pair that violates optimality most. */
  interval(): BiasInterval {
    return biasInterval(this.alpha, this.y, this.C, this.f)
  }

  /** Mean over the free support vectors, else the midpoint of the interval. */
  get bias(): number {
    return biasOf(this.alpha, this.y, this.C, this.f)
  }

  /** The running bias after a step: exact for a free sample of the pair, the mean of both when neither is free. */
  get pairBias(): number {
    const { i, j } = this.step
    if (this.isFree(i)) return -this.value(i)
    if (this.isFree(j)) return -this.value(j)
    return -(this.value(i) + this.value(j)) / 2
  }

  /** Computes f from scratch, unless nothing has happened since that was done last; true when it had to. */
  *refresh(): Pieces<boolean> {
    if (this.fresh) return false
    const { f, y, problem } = this
    const evaluator = problem.kernel.between(problem.samples, problem.samples)
    f.set(yield* valuesInPieces(problem, evaluator, expansionCoefficients(problem, this.alpha), this.due))
    for (let i = 0; i < f.length; i++) f[i] -= y[i]
    this.fresh = true
    return true
  }

  /** K_ij, from the column of j. */
  protected kernelValue(i: number, j: number): number {
    return this.columns.row(j)[i]
  }

  /** f += a · column i + b · column j */
  protected move(i: number, a: number, j: number, b: number): void {
    const { f } = this
    const columnI = this.columns.row(i)
    const columnJ = this.columns.row(j)
    for (let k = 0; k < f.length; k++) f[k] += a * columnI[k] + b * columnJ[k]
  }
}

/**
 * The state of a run over a dual point: the bias is computed when it is requested. `progress` is what the run keeps
 * beside the point; it becomes what it was where the run is to continue from a snapshot.
 */
export function stateOf(point: DualPoint, context: SolverContext, progress: object = {}): SolverState {
  const snapshot = () => ({
    ...{ iteration: state.iteration, violation: state.violation },
    ...{ point: point.save(), progress: { ...progress } },
  })
  const state: SolverState = {
    iteration: 0,
    alpha: point.alpha,
    get bias() {
      return point.bias
    },
    violation: Number.NaN,
    snapshot,
  }
  if (context.resume) {
    const saved = context.resume as ReturnType<typeof snapshot>
    restoreFields(point, saved.point)
    Object.assign(progress, saved.progress)
    state.iteration = saved.iteration
    state.violation = saved.violation
  }
  return state
}
