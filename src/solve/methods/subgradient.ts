/**
 * Sub-gradient descent on the hinge-loss primal, all samples at every step.
 *
 * Problem   min over w   λ/2 ‖w‖² + Σ p_i max(0, 1 − y_i ⟨w, x_i⟩),   p_i = C_i / ΣC,  λ = 1/ΣC (1/(nC) for one C):
 *           the primal of ../../problems/problem.ts divided by ΣC; the bias is regularised (samples augmented), or none.
 * Method    w ← w − η_t (λw − Σ_{i violates} p_i y_i x_i),   i violates: y_i ⟨w, x_i⟩ < 1,   η_t = 1/(λt).
 *           With these steps w after t iterations is (1/t) Σ_s Σ_{i violates at s} C_i y_i x_i: a plain mean.
 * Model     the best iterate so far, by primal value. (Averages of iterates were tried: they are smoother but later.)
 * Bound     α_i = C_i · (share of the iterations in which i violated its margin) is in [0, C_i], whatever weights the
 *           iterations have: a dual point, whose value is a true lower bound. Equal weights give w itself; we take s²
 *           for iteration s, because the wild first iterations are what keeps the bound loose.
 * Stop      gap between best primal and best dual value within tol of the primal value.
 * Source    seed 004 (after Shalev-Shwartz, Singer, Srebro 2007, with a batch of all samples).
 * Cost      an iteration (epoch) is two or three passes over the data. The error falls as 1/t: a primal value within 1%
 *           of the optimum P* takes at most 200 (1 + κ) epochs, κ = mean(C_i ‖x̃_i‖²) · ΣC / P*, on all problems tried.
 */
import { ParameterError } from '../../base/errors.ts'
import type { Pieces } from '../../base/pieces.ts'
import type { SvmProblem } from '../../problems/problem.ts'
import { emptyModelStep } from '../driver/model-step.ts'
import { showing } from '../driver/pieces.ts'
import { copyFields } from '../driver/saved-fields.ts'
import type { Solver } from '../driver/solver.ts'
import { BestBounds } from '../dual/best-bounds.ts'
import { expansionsOf } from '../dual/kernel-expansion.ts'

/** Samples between two looks at the clock: far less than a millisecond, and the look costs nothing beside them. */
const SAMPLES_PER_LOOK = 64

/** Sub-gradient descent on the primal with all samples in every step: for teaching. */
export const subgradient: Solver = {
  name: 'subgradient',
  title: 'Sub-gradient descent',
  source: 'seed 004',
  tasks: ['svc'],
  biasForms: ['regularised', 'none'],
  linearOnly: true,
  unit: 'epoch',
  goal: 'gap',
  defaults: { tol: 1e-2, maxIter: () => 10_000 },
  options: {},

  *run(problem: SvmProblem, context) {
    const { y, C } = problem
    const count = y.length
    if (C.includes(Number.POSITIVE_INFINITY)) throw new ParameterError('subgradient', 'C', 'finite', Infinity)
    const makeExpansion = expansionsOf(problem, context.cacheBytes)
    // t · w and its coefficients: C_i y_i for every violation of i.
    const sum = makeExpansion()
    const coefficients = new Float64Array(count)
    // The same with weight s² for iteration s.
    const lateSum = makeExpansion()
    const lateCoefficients = new Float64Array(count)
    const progress = { t: 1, lateWeights: 0, isDone: false }
    const values = new Float64Array(count)
    const beta = new Float64Array(count)
    const alpha = new Float64Array(count)
    const best = new BestBounds(problem)
    const step = emptyModelStep(beta)
    const totalC = C.reduce((a, b) => a + b, 0)
    /** The subgradient of the loss at f. */
    function* addViolations(weight: number): Pieces {
      for (let i = 0; i < count; i++) {
        if (C[i] === 0 || y[i] * values[i] >= 1) continue
        const change = C[i] * y[i]
        coefficients[i] += change
        sum.add(i, change)
        lateCoefficients[i] += weight * change
        lateSum.add(i, weight * change)
        if (i % SAMPLES_PER_LOOK === 0 && context.due()) yield
      }
    }
    const snapshot = () => ({
      ...copyFields({ coefficients, lateCoefficients, values }),
      ...{
        sum: sum.state.slice(),
        lateSum: lateSum.state.slice(),
        progress: { ...progress },
        best: best.save(),
      },
    })
    best.state.snapshot = snapshot
    if (context.resume) {
      const saved = context.resume as ReturnType<typeof snapshot>
      coefficients.set(saved.coefficients)
      lateCoefficients.set(saved.lateCoefficients)
      values.set(saved.values)
      sum.state.set(saved.sum)
      lateSum.state.set(saved.lateSum)
      Object.assign(progress, saved.progress)
      best.restore(saved.best)
    }
    yield best.state
    while (!progress.isDone) {
      const t = progress.t++
      const weight = t * t
      progress.lateWeights += weight
      const { lateWeights } = progress
      yield* showing(best.state, addViolations(weight))
      for (let i = 0; i < count; i++) {
        values[i] = sum.value(i) / t
        beta[i] = coefficients[i] / t
        alpha[i] = Math.min(C[i], (lateCoefficients[i] * y[i]) / lateWeights)
      }
      step.iteration = t
      step.step = t
      step.stepSize = totalC / t
      context.onModelStep?.(step)
      best.offerModel(beta, values)
      best.offerDual(alpha, lateSum.squaredNorm(lateCoefficients) / lateWeights ** 2)
      progress.isDone = best.endEpoch(context.tol)
      yield best.state
    }
    return {}
  },
}
