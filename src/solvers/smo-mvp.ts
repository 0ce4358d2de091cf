/**
 * SMO on the maximal violating pair.
 *
 * Problem   the dual of ../problems/problem.ts with the hinge loss and a free bias.
 * Method    keep f_i = Σ_j α_j y_j K_ij − y_i for all samples. With
 *             I_up  = {i : α_i may move so that y_i α_i rises},  b_up  = min f over I_up
 *             I_low = {i : α_i may move so that y_i α_i falls},  b_low = max f over I_low
 *           the optimality conditions are b_low <= b_up. Step on the pair that violates them most, (i_low, i_up),
 *           until b_low <= b_up + 2τ with 2τ = tol; then f is computed once more from scratch before it is believed.
 * Bias      midpoint of [b_up, b_low], with our sign: f(x) = Σ α_i y_i k(x_i, x) + bias, so bias = −(b_up + b_low)/2.
 * Source    seed 000 (October 2013 course notes), after Keerthi, Shevade, Bhattacharyya, Murthy 2001.
 * Cost      an iteration O(n) and two kernel columns (cached; all of them are kept while they fit `cacheBytes`).
 */
import { RowCache } from '../kernels/row-cache.ts'
import { expansionValues, signedAlpha } from '../problems/certificate.ts'
import { dualKernel } from '../problems/problem.ts'
import { emptyStep, solvePair } from './pair-step.ts'
import type { Solver, SolverState } from './solver.ts'

/** See the head of the file. */
export const smoMvp: Solver = {
  name: 'smo-mvp',
  title: 'SMO, maximal violating pair',
  source: 'Keerthi et al. 2001; seed 000',
  biasForms: ['free'],
  linearOnly: false,
  squaredHinge: false,
  unit: 'pair',
  goal: 'violation',
  defaults: { tol: 1e-3, maxIter: (samples) => Math.max(10_000_000, 100 * samples) },
  options: {},

  *run(problem, context) {
    const { y, C } = problem
    const count = y.length
    const kernel = dualKernel(problem)
    const diagonal = kernel.diagonal(problem.samples)
    const columns = new RowCache(kernel.between(problem.samples, problem.samples), {
      cacheBytes: context.cacheBytes,
      precision: 'f64',
    })
    const alpha = new Float64Array(count)
    const f = y.map((label) => -label)
    const state: SolverState = { iteration: 0, alpha, bias: 0, violation: Number.NaN }
    const step = emptyStep()
    let exact = true
    yield state
    for (;;) {
      const pair = mostViolating(alpha, y, C, f)
      state.violation = Math.max(0, pair.bLow - pair.bUp)
      state.bias = -biasBetween(pair.bLow, pair.bUp)
      if (pair.bLow - pair.bUp <= context.tol) {
        // f has been updated many times: believe it only when it has been computed afresh.
        if (exact) return { dualValues: f.map((value, i) => value + y[i]) }
        f.set(expansionValues(problem, signedAlpha(problem, alpha)))
        for (let i = 0; i < count; i++) f[i] -= y[i]
        exact = true
        continue
      }
      const { low: i, up: j } = pair
      const columnI = columns.row(i)
      const columnJ = columns.row(j)
      step.iteration = state.iteration + 1
      step.i = i
      step.j = j
      step.yi = y[i]
      step.yj = y[j]
      step.errorI = f[i]
      step.errorJ = f[j]
      step.oldAlphaI = alpha[i]
      step.oldAlphaJ = alpha[j]
      if (!solvePair(step, diagonal[i], diagonal[j], columnI[j], C[i], C[j])) return {}
      if (step.alphaJ === Number.POSITIVE_INFINITY) return { unbounded: true }
      context.onStep?.(step)
      alpha[i] = step.alphaI
      alpha[j] = step.alphaJ
      addColumns(
        f,
        columnI,
        y[i] * (step.alphaI - step.oldAlphaI),
        columnJ,
        y[j] * (step.alphaJ - step.oldAlphaJ),
      )
      exact = false
      state.iteration++
      yield state
    }
  },
}

/** The pair that violates the optimality conditions most; bUp = +∞ or bLow = −∞ when a set is empty. */
function mostViolating(alpha: Float64Array, y: Float64Array, C: Float64Array, f: Float64Array) {
  let up = -1
  let low = -1
  let bUp = Number.POSITIVE_INFINITY
  let bLow = Number.NEGATIVE_INFINITY
  for (let i = 0; i < f.length; i++) {
    const canRise = alpha[i] < C[i]
    const canFall = alpha[i] > 0
    if ((y[i] > 0 ? canRise : canFall) && f[i] < bUp) {
      bUp = f[i]
      up = i
    }
    if ((y[i] > 0 ? canFall : canRise) && f[i] > bLow) {
      bLow = f[i]
      low = i
    }
  }
  return { up, low, bUp, bLow }
}

/** The midpoint, or the finite end when one set is empty. */
function biasBetween(bLow: number, bUp: number): number {
  if (bLow === Number.NEGATIVE_INFINITY) return bUp === Number.POSITIVE_INFINITY ? 0 : bUp
  return bUp === Number.POSITIVE_INFINITY ? bLow : (bLow + bUp) / 2
}

/** f += a · columnI + b · columnJ */
function addColumns(
  f: Float64Array,
  columnI: Float64Array,
  a: number,
  columnJ: Float64Array,
  b: number,
): void {
  for (let k = 0; k < f.length; k++) f[k] += a * columnI[k] + b * columnJ[k]
}
