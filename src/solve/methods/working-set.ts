/**
 * Working-set training: solve small problems until no sample outside them objects.
 *
 * Problem   the dual of ../../problems/problem.ts with the hinge loss and a free bias.
 * Method    S ← ∅, α ← 0. In each round
 *             1. S ← {i : α_i > 0} and the worst violators among the others, at most `added` of them
 *             2. minimise the dual over α_i, i ∈ S, the others staying 0 (SMO on the maximal violating pair in S)
 *           With f_i = Σ_j α_j y_j K_ij − y_i a sample with α_i = 0 objects if it is in I_up and f_i < b_low, or in
 *           I_low and f_i > b_up (../dual/bias.ts). Both kinds are taken in turn: then the pair that violates most over all
 *           samples is in S, so every round lowers the dual. Judging by a bias instead, as a literal reading of the
 *           source would, goes round in circles where no support vector is free, and taking the worst whatever their
 *           kind may fill S with one class, in which nothing can move.
 * Stop      b_low − b_up <= tol over all samples, for f computed afresh. S is solved to half of tol.
 * Source    Osuna, Freund, Girosi 1997; seed 004.
 * Cost      a round O(|S|) for each pair step inside, then O(n) and a kernel row for each α that moved. Rows of S should
 *           fit `cacheBytes`. The source adds all violators; fewer keep S near the number of support vectors.
 */

import { checkNumber } from '../../base/check.ts'
import type { Pieces } from '../../base/pieces.ts'
import { cacheRows, type RowCache } from '../../kernels/row-cache.ts'
import { expansionCoefficients } from '../../problems/kernel-problem.ts'
import type { SvmProblem } from '../../problems/problem.ts'
import { type Due, showing, valuesInPieces } from '../driver/pieces.ts'
import { copyFields } from '../driver/saved-fields.ts'
import { SeparabilityTest } from '../driver/separability-test.ts'
import type { Solver, SolverContext, SolverState } from '../driver/solver.ts'
import { biasInterval, biasOf } from '../dual/bias.ts'
import { emptyStep, type SmoStep, solvePair } from '../dual/pair-step.ts'

/** Settings of {@link workingSet}. */
export interface WorkingSetOptions {
  /** Violators that join the working set in a round, at most. Infinity takes all, as the source does. */
  readonly added: number
}

/** A round is cut short after so many steps, and so many for each member: a hard margin may have no solution. */
const STEPS_PER_ROUND = 10_000
const STEPS_PER_MEMBER = 100

/** Working-set training (Osuna, Freund, Girosi 1997): solves for a growing set of samples, the violators of each round added. */
export const workingSet: Solver<WorkingSetOptions> = {
  name: 'working-set',
  title: 'Working-set training',
  source: 'Osuna et al. 1997; seed 004',
  tasks: ['svc'],
  biasForms: ['free'],
  unit: 'round',
  goal: 'violation',
  defaults: { tol: 1e-3, maxIter: () => 100_000 },
  options: { added: 100 },

  *run(problem: SvmProblem, context, options) {
    const added = checkNumber('working-set', 'added', options.added, {
      min: 2,
      integer: true,
      infinite: true,
    })
    const { samples, y, C } = problem
    const alpha = new Float64Array(y.length)
    const f = y.map((label) => -label)
    const rows = cacheRows(problem.kernel, samples, { cacheBytes: context.cacheBytes, precision: 'f64' })
    const separability = SeparabilityTest.for(problem)
    let fresh = true
    let moved = true
    /** Whether the last round was cut short. */
    let exhausted = false
    let isWithin = false
    const snapshot = () => {
      const { iteration, bias, violation } = state
      return isWithin
        ? undefined
        : copyFields({ alpha, f, fresh, moved, exhausted, iteration, bias, violation })
    }
    const bias = biasOf(alpha, y, C, f)
    const state: SolverState = { iteration: 0, alpha, bias, violation: Number.NaN, snapshot }
    if (context.resume) {
      const saved = context.resume as NonNullable<ReturnType<typeof snapshot>>
      alpha.set(saved.alpha)
      f.set(saved.f)
      ;({ fresh, moved, exhausted } = saved)
      ;({ iteration: state.iteration, bias: state.bias, violation: state.violation } = saved)
    }
    yield state
    for (;;) {
      if (exhausted && separability?.refutes(alpha)) return { unbounded: true }
      exhausted = false
      const { bUp, bLow } = biasInterval(alpha, y, C, f)
      state.violation = Math.max(0, bLow - bUp)
      if (state.violation <= context.tol || !moved) {
        // f has been updated many times: believe it only when it has been computed afresh.
        if (fresh) return {}
        const evaluator = problem.kernel.between(samples, samples)
        const coefficients = expansionCoefficients(problem, alpha)
        f.set(yield* showing(state, valuesInPieces(problem, evaluator, coefficients, context.due)))
        for (let i = 0; i < f.length; i++) f[i] -= y[i]
        state.bias = biasOf(alpha, y, C, f)
        fresh = true
        moved = true
        continue
      }
      const part = new Part(problem, chooseMembers(problem, alpha, f, bUp, bLow, added), alpha, f, rows)
      part.step.iteration = state.iteration + 1
      isWithin = true
      while (part.improve(context)) {
        part.copyAlpha(alpha)
        state.bias = part.bias
        yield state
      }
      isWithin = false
      if (part.unbounded) return { unbounded: true }
      part.copyAlpha(alpha)
      moved = yield* showing(state, part.updateValues(f, context.due))
      fresh &&= !moved
      state.bias = biasOf(alpha, y, C, f)
      state.iteration++
      exhausted = part.exhausted
      yield state
    }
  },
}

/** {i : α_i > 0} and up to `added` others that violate optimality most, from I_up and I_low in turn. */
function chooseMembers(
  problem: SvmProblem,
  alpha: Float64Array,
  f: Float64Array,
  bUp: number,
  bLow: number,
  added: number,
): Uint32Array {
  const { y, C } = problem
  const members: number[] = []
  const inUp: number[] = []
  const inLow: number[] = []
  for (let i = 0; i < alpha.length; i++) {
    if (alpha[i] > 0) members.push(i)
    else if (C[i] === 0) continue
    else if (y[i] > 0 && f[i] < bLow) inUp.push(i)
    else if (y[i] < 0 && f[i] > bUp) inLow.push(i)
  }
  inUp.sort((i, j) => f[i] - f[j])
  inLow.sort((i, j) => f[j] - f[i])
  const size = members.length + Math.min(added, inUp.length + inLow.length)
  for (let k = 0; members.length < size; k++) {
    if (k < inUp.length) members.push(inUp[k])
    if (k < inLow.length && members.length < size) members.push(inLow[k])
  }
  return Uint32Array.from(members)
}

/** The dual over the members of S, with arrays of its own that hold their entries only. */
class Part {
  readonly step: SmoStep = emptyStep()
  /** The dual goes down for ever along the latest step. */
  unbounded = false
  private readonly members: Uint32Array
  private readonly rows: RowCache<'f64'>
  private readonly alpha: Float64Array
  private readonly alphaBefore: Float64Array
  private readonly y: Float64Array
  private readonly C: Float64Array
  private readonly f: Float64Array
  private stepsLeft: number

  constructor(
    problem: SvmProblem,
    members: Uint32Array,
    alpha: Float64Array,
    f: Float64Array,
    rows: RowCache<'f64'>,
  ) {
    const pick = (all: Float64Array) => Float64Array.from(members, (i) => all[i])
    this.members = members
    this.step.workingSet = members
    this.rows = rows
    this.alpha = pick(alpha)
    this.alphaBefore = pick(alpha)
    this.y = pick(problem.y)
    this.C = pick(problem.C)
    this.f = pick(f)
    this.stepsLeft = Math.max(STEPS_PER_ROUND, STEPS_PER_MEMBER * members.length)
  }

  /** True when the round was cut short. */
  get exhausted(): boolean {
    return this.stepsLeft === 0
  }

  get bias(): number {
    return biasOf(this.alpha, this.y, this.C, this.f)
  }

  /** Takes pair steps until a pause is due; false when the violation is within tol/2 or no step is left to take. */
  improve({ tol, due, onStep }: SolverContext): boolean {
    const { members, rows, alpha, y, C, f, step } = this
    const { diagonal } = rows
    do {
      const { bUp, bLow, up, low } = biasInterval(alpha, y, C, f)
      if (bLow - bUp <= tol / 2 || this.stepsLeft === 0) return false
      const rowUp = rows.row(members[up])
      const rowLow = rows.row(members[low])
      step.i = members[low]
      step.j = members[up]
      step.yi = y[low]
      step.yj = y[up]
      step.errorI = f[low]
      step.errorJ = f[up]
      step.oldAlphaI = alpha[low]
      step.oldAlphaJ = alpha[up]
      if (!solvePair(step, diagonal[step.i], diagonal[step.j], rowUp[step.i], C[low], C[up])) return false
      this.unbounded = step.alphaJ === Number.POSITIVE_INFINITY
      if (this.unbounded) return false
      alpha[low] = step.alphaI
      alpha[up] = step.alphaJ
      const a = step.yi * (step.alphaI - step.oldAlphaI)
      const b = step.yj * (step.alphaJ - step.oldAlphaJ)
      for (let k = 0; k < f.length; k++) f[k] += a * rowLow[members[k]] + b * rowUp[members[k]]
      this.stepsLeft--
      onStep?.(step)
    } while (!due())
    return true
  }

  /** Writes the members' α into those of all samples. */
  copyAlpha(all: Float64Array): void {
    for (let k = 0; k < this.members.length; k++) all[this.members[k]] = this.alpha[k]
  }

  /** Brings the f of all samples up to date; false when no α has moved. */
  *updateValues(all: Float64Array, due: Due): Pieces<boolean> {
    const { members, rows, alpha, alphaBefore, y } = this
    let moved = false
    for (let k = 0; k < members.length; k++) {
      const change = y[k] * (alpha[k] - alphaBefore[k])
      if (change === 0) continue
      const row = rows.row(members[k])
      for (let i = 0; i < all.length; i++) all[i] += change * row[i]
      moved = true
      if (due()) yield
    }
    return moved
  }
}
