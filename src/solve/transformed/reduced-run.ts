/**
 * Machines with fewer samples than features. With ½‖w‖² the optimal w is a combination of the samples, so that as many coordinates as there
 * are samples suffice: X = L Q, Q with orthonormal rows (Householder's reflections), and L takes the place of X: f = L u for w = Qᵀu, of
 * the same norm. Newton's systems are then as small as they can be, and none of them is a difference of large parts, as by rows.
 */
import { type DenseMatrix, type Matrix, rowStart } from '../../data/matrix/matrix.ts'
import type { LinearProblem } from '../../problems/linear-problem.ts'
import { shownRun } from '../driver/shown-run.ts'
import type { SolverContext, SolverRun } from '../driver/solver.ts'
import { transformedRun } from './transformed-run.ts'

/** Multiply-adds of the reflections, at most: less than a tenth of a second. Each function takes at least as many for its steps. */
const MOST_WORK = 5e7

/** Runs a solver in as many coordinates as there are samples; on the problem itself where these are not fewer, or too many. */
export function* reducedRun<P extends LinearProblem>(
  problem: P,
  context: SolverContext,
  run: (problem: P, context: SolverContext) => SolverRun,
): SolverRun {
  const { samples } = problem
  const { rows, cols } = samples
  const functions = problem.task === 'crammer-singer' ? problem.classes : 1
  const isOfNorm2 = problem.task === 'crammer-singer' || problem.norm === 2
  if (!isOfNorm2 || samples.kind !== 'dense' || rows >= cols || rows * rows * cols > MOST_WORK * functions)
    return yield* run(problem, context)
  const reflections = new Reflections(samples)
  const each = (weights: Float64Array, from: number, to: number, turn: (own: Float64Array) => void) => {
    const turned = new Float64Array((weights.length / (from + 1)) * (to + 1))
    const own = new Float64Array(cols)
    for (let start = 0, at = 0; start < weights.length; start += from + 1, at += to + 1) {
      own.fill(0)
      own.set(weights.subarray(start, start + from))
      turn(own)
      turned.set(own.subarray(0, to), at)
      turned[at + to] = weights[start + from]
    }
    return turned
  }
  const coordinates = {
    toRun: (weights: Float64Array) => each(weights, cols, rows, (own) => reflections.apply(own)),
    toProblem: (weights: Float64Array) => each(weights, rows, cols, (own) => reflections.undo(own)),
  }
  const reduced = { ...problem, samples: reflections.lower }
  const { end, state } = yield* transformedRun(context, coordinates, (own) => run(reduced, own))
  if (problem.task !== 'linear' || !state) return end
  // Where next to no loss is left, the rounding of the reflections may be more than is allowed. The run on the problem itself ends where it
  // begins, unless that is so.
  const { weights, alpha, iteration } = state
  const rest = run(problem, { ...context, resume: undefined, start: weights && { weights, alpha } })
  const shown = yield* shownRun(rest, {
    iteration: (own) => iteration + own.iteration,
    // Whoever continues from a snapshot does so from the part before.
    snapshot: () => undefined,
  })
  return shown.end
}

/** Householder's reflections that make the rows of a matrix those of a lower triangle. */
class Reflections {
  readonly lower: DenseMatrix
  /** The vector of each, from its own place on, and 2 / ‖v‖²; 0 for a row that depends on those before it. */
  private readonly vectors: Float64Array
  private readonly factors: Float64Array
  private readonly rows: number
  private readonly cols: number

  constructor(samples: Matrix) {
    const { rows, cols, values } = samples
    this.rows = rows
    this.cols = cols
    this.vectors = values.slice()
    this.factors = new Float64Array(rows)
    const lower = new Float64Array(rows * rows)
    const { vectors, factors } = this
    for (let i = 0; i < rows; i++) {
      // The reflections before it have been applied to this row.
      const start = rowStart(samples, i)
      for (let r = 0; r < i; r++) this.reflect(r, vectors, start)
      for (let j = 0; j < i; j++) lower[i * rows + j] = vectors[start + j]
      let square = 0
      for (let j = i; j < cols; j++) square += vectors[start + j] ** 2
      if (square === 0) continue
      const own = vectors[start + i]
      const diagonal = own > 0 ? -Math.sqrt(square) : Math.sqrt(square)
      lower[i * rows + i] = diagonal
      vectors[start + i] = own - diagonal
      // ‖v‖² is ‖x‖² − own² + (own − diagonal)².
      factors[i] = 1 / (square - own * diagonal)
    }
    this.lower = { kind: 'dense', rows, cols: rows, values: lower }
  }

  /** The coordinates of w: the first ones are those of Q. */
  apply(w: Float64Array): void {
    for (let r = 0; r < this.rows; r++) this.reflect(r, w, 0)
  }

  undo(w: Float64Array): void {
    for (let r = this.rows - 1; r >= 0; r--) this.reflect(r, w, 0)
  }

  /** Reflects the numbers of `x` from `start` on. */
  private reflect(r: number, x: Float64Array, start: number): void {
    const { vectors, factors, cols } = this
    if (factors[r] === 0) return
    const own = r * cols
    let product = 0
    for (let j = r; j < cols; j++) product += vectors[own + j] * x[start + j]
    product *= factors[r]
    for (let j = r; j < cols; j++) x[start + j] -= product * vectors[own + j]
  }
}
