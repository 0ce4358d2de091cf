/**
 * Pegasos: stochastic sub-gradient descent on the hinge-loss primal.
 *
 * Problem   min over f   λ/2 ‖f‖² + Σ p_i max(0, 1 − y_i f(x_i)),   p_i = C_i / ΣC,  λ = 1/ΣC (1/(nC) for one C), f in
 *           the space of k̃ = k + s² (bias regularised) or of k (none): ../../problems/problem.ts divided by ΣC.
 * Method    at step t take a batch A (the next part of a random permutation, or drawn at random) and
 *             f ← (1 − 1/t) f + Σ_{i ∈ A, y_i f(x_i) < 1} n C_i / (t |A|) · y_i k̃(x_i, ·)        (η_t = 1/(λt))
 *           and, if `project`, scale f down into the ball ‖f‖² <= 1/λ, where the optimum lies.
 *           For the linear kernel f is kept as w, else as its values at the samples.
 * Model     the best, by primal value, of the iterates at the ends of epochs. (The average in which step s weighs s was
 *           tried: it is smoother, but reached 1% later than the best iterate.)
 * Bound     α_i = C_i · (share of the draws of i in which it violated its margin) is in [0, C_i] whatever was drawn and
 *           whatever weights the draws have: a dual point, whose value is a true lower bound. We weigh epoch e with e²,
 *           because the wild first epochs are what keeps the bound loose. The coefficients of the model itself may
 *           exceed C_i when samples are drawn at random.
 * Stop      gap between best primal and best dual value within tol of the primal value.
 * Source    Shalev-Shwartz, Singer, Srebro 2007; seed 004.
 * Cost      a step O(non-zeros of the batch), or O(n) and a kernel row for each violator; an epoch ends with two passes
 *           over the data (or a kernel row for each support vector) that measure where it stands. The error falls as
 *           1/t: a primal value within 1% of the optimum P* takes at most 40 (1 + κ) epochs,
 *           κ = mean(C_i k̃(x_i, x_i)) · ΣC / P*, on all problems tried, whatever the options.
 */
import { checkNumber, checkOneOf } from '../../base/check.ts'
import { ParameterError } from '../../base/errors.ts'
import { countUp } from '../../base/lists.ts'
import { dualKernel, type SvmProblem } from '../../problems/problem.ts'
import { emptyModelStep, type ModelStep } from '../driver/model-step.ts'
import { showing } from '../driver/pieces.ts'
import { copyFields, restoreFields } from '../driver/saved-fields.ts'
import type { Solver } from '../driver/solver.ts'
import { BestBounds } from '../dual/best-bounds.ts'
import { type Expansion, expansionsOf, stepsPerSlice } from '../dual/kernel-expansion.ts'

/** Settings of {@link pegasos}. */
export interface PegasosOptions {
  /** `epochs` goes through a new permutation each epoch, `random` draws with replacement. Default epochs. */
  readonly sampling: 'epochs' | 'random'
  /** Samples per step. Default 1. */
  readonly batchSize: number
  /** Keep ‖w‖ within 1/√λ, as the 2007 paper does. Default false. */
  readonly project: boolean
}

/** Pegasos: stochastic sub-gradient descent on the primal (Shalev-Shwartz, Singer, Srebro 2007). A rough answer quickly. */
export const pegasos: Solver<PegasosOptions> = {
  name: 'pegasos',
  title: 'Pegasos, stochastic sub-gradient',
  source: 'Shalev-Shwartz et al. 2007; seed 004',
  tasks: ['svc'],
  biasForms: ['regularised', 'none'],
  unit: 'epoch',
  goal: 'gap',
  defaults: { tol: 1e-2, maxIter: () => 1000 },
  options: { sampling: 'epochs', batchSize: 1, project: false },

  *run(problem: SvmProblem, context, { sampling, batchSize, project }) {
    const { y, C } = problem
    checkOneOf('pegasos', 'sampling', sampling, ['epochs', 'random'])
    checkNumber('pegasos', 'batchSize', batchSize, { min: 1, integer: true })
    if (C.includes(Number.POSITIVE_INFINITY)) throw new ParameterError('pegasos', 'C', 'finite', Infinity)
    const { random, onModelStep } = context
    const pool = countUp(C.length).filter((i) => C[i] > 0)
    const order = pool.slice()
    const stepsPerEpoch = Math.ceil(pool.length / batchSize)
    const stepsBetweenYields = Math.ceil(stepsPerSlice(problem) / batchSize)
    const makeExpansion = expansionsOf(problem, context.cacheBytes)
    const iterate = new Iterate(problem, makeExpansion(), pool.length, project)
    const dualPoint = makeExpansion()
    const alpha = new Float64Array(y.length)
    const signed = new Float64Array(y.length)
    const best = new BestBounds(problem)
    /** Steps done of an epoch that has started, and whether the last one is over. */
    const progress = { step: 0, isDone: false }
    const snapshot = () => ({
      ...{ order: order.slice(), progress: { ...progress } },
      ...{ iterate: iterate.save(), best: best.save() },
    })
    best.state.snapshot = snapshot
    if (context.resume) {
      const saved = context.resume as ReturnType<typeof snapshot>
      order.set(saved.order)
      Object.assign(progress, saved.progress)
      iterate.restore(saved.iterate)
      best.restore(saved.best)
    }
    yield best.state
    while (!progress.isDone) {
      if (progress.step === 0) {
        if (sampling === 'epochs') random.shuffle(order)
        else for (let k = 0; k < order.length; k++) order[k] = pool[random.int(pool.length)]
        iterate.drawWeight = (best.state.iteration + 1) ** 2
      }
      while (progress.step < stepsPerEpoch) {
        const s = progress.step++
        // Batches of nearly the same size, together exactly one epoch.
        const from = Math.floor((s * order.length) / stepsPerEpoch)
        const to = Math.floor(((s + 1) * order.length) / stepsPerEpoch)
        iterate.step(order, from, to)
        if (onModelStep)
          onModelStep(iterate.describe(best.state.iteration + 1, to - from === 1 ? order[from] : -1))
        if ((s + 1) % stepsBetweenYields === 0) yield best.state
      }
      progress.step = 0
      iterate.measure()
      best.offerModel(iterate.beta, iterate.values)
      for (let i = 0; i < y.length; i++) {
        alpha[i] = iterate.drawn[i] > 0 ? C[i] * (iterate.violated[i] / iterate.drawn[i]) : 0
        signed[i] = alpha[i] * y[i]
      }
      yield* showing(best.state, dualPoint.assign(signed, context.due))
      best.offerDual(alpha, dualPoint.squaredNorm(signed))
      progress.isDone = best.endEpoch(context.tol)
      yield best.state
    }
    return {}
  },
}

/** The scale of the iterate is folded into it below this; 1/t gets there once in so many steps. */
const TINY_SCALE = 1e-9

/** f = scale · u, so that shrinking f by 1 − 1/t is one multiplication. */
class Iterate {
  /** Coefficients and values of f at the samples, as of the last {@link measure}. */
  readonly beta: Float64Array
  readonly values: Float64Array
  /** The draws of each sample, and those in which it violated its margin, each counted with `drawWeight`. */
  readonly drawn: Float64Array
  readonly violated: Float64Array
  drawWeight = 1

  private readonly y: Float64Array
  private readonly C: Float64Array
  private readonly poolSize: number
  private readonly u: Expansion
  private readonly coefficients: Float64Array
  private readonly violators: Uint32Array
  private readonly latest: ModelStep
  private readonly project: boolean
  private readonly radius: number
  private readonly diagonal: Float64Array
  private steps = 0
  private scale = 1
  /** ‖u‖², kept up to date only to project. */
  private norm = 0

  constructor(problem: SvmProblem, u: Expansion, poolSize: number, project: boolean) {
    const count = problem.y.length
    this.y = problem.y
    this.C = problem.C
    this.poolSize = poolSize
    this.u = u
    this.project = project
    this.radius = Math.sqrt(problem.C.reduce((a, b) => a + b, 0))
    this.diagonal = dualKernel(problem).diagonal(problem.samples)
    this.coefficients = new Float64Array(count)
    this.latest = emptyModelStep(this.coefficients)
    this.violators = new Uint32Array(count)
    this.drawn = new Float64Array(count)
    this.violated = new Float64Array(count)
    this.beta = new Float64Array(count)
    this.values = new Float64Array(count)
  }

  /** All that does not follow from the problem. */
  save() {
    const { drawn, violated, drawWeight, coefficients, steps, scale, norm } = this
    const fields = copyFields({ drawn, violated, drawWeight, coefficients, steps, scale, norm })
    return { fields, u: this.u.state.slice() }
  }

  restore({ fields, u }: ReturnType<Iterate['save']>): void {
    restoreFields(this, fields)
    this.u.state.set(u)
  }

  /** One step on the batch order[from … to). */
  step(order: Uint32Array, from: number, to: number): void {
    const { y, C, u, coefficients, violators, drawn, violated, drawWeight, scale } = this
    let violations = 0
    for (let k = from; k < to; k++) {
      const i = order[k]
      drawn[i] += drawWeight
      if (y[i] * scale * u.value(i) >= 1) continue
      violated[i] += drawWeight
      violators[violations++] = i
    }
    const t = ++this.steps
    if (t > 1) this.scale *= 1 - 1 / t
    const gain = this.poolSize / ((to - from) * t * this.scale)
    for (let k = 0; k < violations; k++) {
      const i = violators[k]
      const change = gain * C[i] * y[i]
      if (this.project) this.norm += change * (2 * u.value(i) + change * this.diagonal[i])
      coefficients[i] += change
      u.add(i, change)
    }
    if (this.project) {
      const length = this.scale * Math.sqrt(Math.max(0, this.norm))
      if (length > this.radius) this.scale *= this.radius / length
    }
    if (this.scale < TINY_SCALE) this.fold()
  }

  /** The latest step, for who listens. */
  describe(iteration: number, sample: number): ModelStep {
    const { latest, steps } = this
    latest.iteration = iteration
    latest.step = steps
    latest.sample = sample
    latest.stepSize = (this.radius * this.radius) / steps
    latest.scale = this.scale
    return latest
  }

  /** Brings `beta` and `values` (and ‖u‖², which gathers rounding) up to date. */
  measure(): void {
    const { u, scale, coefficients, beta, values } = this
    for (let i = 0; i < values.length; i++) {
      values[i] = scale * u.value(i)
      beta[i] = scale * coefficients[i]
    }
    if (this.project) this.norm = u.squaredNorm(coefficients)
  }

  /** u ← scale · u, scale ← 1 */
  private fold(): void {
    const { scale, coefficients } = this
    this.u.scale(scale)
    for (let i = 0; i < coefficients.length; i++) coefficients[i] *= scale
    this.norm *= scale * scale
    this.scale = 1
  }
}
