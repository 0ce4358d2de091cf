/** Work that takes long, in pieces: generators that pause when `due` says so, for a solver to yield its state meanwhile. */

import type { Pieces } from '../../base/pieces.ts'
import { expansionValues } from '../../certify/expansion-values.ts'
import type { KernelEvaluator } from '../../kernels/kernel.ts'
import type { SvmProblem } from '../../problems/problem.ts'
import type { SolverContext } from './solver.ts'

/** True when it is time to pause. */
export type Due = SolverContext['due']

/** Does the work to its end, and lets others look at `state` at each pause: a run cannot be resumed from there. */
export function* showing<State extends { snapshot?: unknown }, Result>(
  state: State,
  work: Pieces<Result>,
): Generator<State, Result, void> {
  const { snapshot } = state
  state.snapshot = undefined
  const result = yield* showingAll(state, work)
  state.snapshot = snapshot
  return result
}

/** Does the work to its end, with a look at `state` at each pause: what it is part of can be resumed from there. */
export function* showingAll<State, Result>(
  state: State,
  work: Pieces<Result>,
): Generator<State, Result, void> {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    yield state
  }
}

/** Σ_j coefficients_j k(x_j, x_i) for every i, as `expansionValues` has it, a kernel row at a time. */
export function* valuesInPieces(
  problem: Pick<SvmProblem, 'samples' | 'kernel'>,
  evaluator: KernelEvaluator,
  coefficients: Float64Array,
  due: Due,
): Pieces<Float64Array> {
  if (problem.kernel.spec.kind === 'linear') return expansionValues(problem, coefficients)
  const values = new Float64Array(coefficients.length)
  const row = new Float64Array(coefficients.length)
  for (let j = 0; j < coefficients.length; j++) {
    if (coefficients[j] === 0) continue
    evaluator.row(j, row)
    for (let i = 0; i < values.length; i++) values[i] += coefficients[j] * row[i]
    if (due()) yield
  }
  return values
}
