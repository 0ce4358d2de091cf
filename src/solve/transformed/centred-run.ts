/**
 * Machines with a free bias whose features are far from 0 in all samples, as years are. Such features and the constant one are almost
 * multiples of each other, and Newton's systems lose the digits that tell them apart. A free bias takes up whatever is subtracted from
 * them, w·x + b = w·(x − c) + (b + w·c), and ‖w‖ stays: the run is that of the features about their means, and its states are those of
 * the features as they are.
 */
import { columnAt, type Matrix, rowStart } from '../../data/matrix/matrix.ts'
import type { LinearMachineProblem } from '../../problems/linear-problem.ts'
import type { SolverContext, SolverRun } from '../driver/solver.ts'
import { type Coordinates, transformedRun } from './transformed-run.ts'

/** Means beyond so many standard deviations are far from 0: others cost the square of them, a digit, at most. */
const FAR = 4

/** Runs a solver about the means of features that are far from 0; on the problem itself where there are none, or the bias is not free. */
export function* centredRun(
  problem: LinearMachineProblem,
  context: SolverContext,
  run: (problem: LinearMachineProblem, context: SolverContext) => SolverRun,
): SolverRun {
  // What one class pays for its bias would have to be paid for w, too.
  const means = problem.bias === 'free' && problem.balance === 0 ? farMeans(problem.samples) : undefined
  if (!means) return yield* run(problem, context)
  const toProblem = (weights: Float64Array) => withBiasMoved(weights, means, -1)
  const coordinates: Coordinates = {
    toRun: (weights) => withBiasMoved(weights, means, 1),
    toProblem,
    biasOf: (weights) => toProblem(weights)[means.length],
  }
  const centred = { ...problem, samples: lessMeans(problem.samples, means) }
  const { end } = yield* transformedRun(context, coordinates, (own) => run(centred, own))
  return end
}

/** The means of features that every sample has and that are far from 0, 0 for all others; undefined where there is none. */
function farMeans(samples: Matrix): Float64Array | undefined {
  const { rows, cols, values } = samples
  const counts = new Uint32Array(cols)
  // Sums of what is beyond the first value: sums of squares of the values themselves would cancel.
  const first = new Float64Array(cols)
  const sums = new Float64Array(cols)
  const squares = new Float64Array(cols)
  for (let i = 0; i < rows; i++) {
    const start = rowStart(samples, i)
    const end = rowStart(samples, i + 1)
    for (let k = start; k < end; k++) {
      const j = columnAt(samples, start, k)
      if (counts[j]++ === 0) first[j] = values[k]
      const beyond = values[k] - first[j]
      sums[j] += beyond
      squares[j] += beyond * beyond
    }
  }
  let areFar = false
  const means = new Float64Array(cols)
  for (let j = 0; j < cols; j++) {
    if (counts[j] < rows) continue
    const mean = first[j] + sums[j] / rows
    const variance = squares[j] / rows - (sums[j] / rows) ** 2
    if (mean * mean <= FAR * FAR * variance || mean === 0) continue
    means[j] = mean
    areFar = true
  }
  return areFar ? means : undefined
}

function lessMeans(samples: Matrix, means: Float64Array): Matrix {
  const values = samples.values.slice()
  for (let i = 0; i < samples.rows; i++) {
    const start = rowStart(samples, i)
    const end = rowStart(samples, i + 1)
    for (let k = start; k < end; k++) values[k] -= means[columnAt(samples, start, k)]
  }
  return { ...samples, values }
}

/** w and then b + sign · w·c. */
function withBiasMoved(weights: Float64Array, means: Float64Array, sign: 1 | -1): Float64Array {
  const moved = weights.slice()
  for (let j = 0; j < means.length; j++) moved[means.length] += sign * weights[j] * means[j]
  return moved
}
