/** Runs of linear machines in other coordinates of the features: what goes in and comes out is in those of the problem. */
import { shownRun } from '../driver/shown-run.ts'
import type { SolverContext, SolverRun } from '../driver/solver.ts'

/** Models, w and then b for each function, in the coordinates of the run and in those of the problem. */
export interface Coordinates {
  toRun(weights: Float64Array): Float64Array
  toProblem(weights: Float64Array): Float64Array
  /** The bias of a model of one function in those of the problem; left out where it is the same. */
  biasOf?(weights: Float64Array): number
}

/** A run in such coordinates. A model is worked out when somebody asks for it. */
export function transformedRun(
  context: SolverContext,
  { toRun, toProblem, biasOf }: Coordinates,
  run: (context: SolverContext) => SolverRun,
): ReturnType<typeof shownRun> {
  const { start } = context
  const inner = run({
    ...context,
    start: start && { ...start, weights: toRun(start.weights) },
    // What is certified is a point of the problem itself.
    *certify() {},
  })
  return shownRun(inner, {
    weights: ({ weights }) => weights && toProblem(weights),
    bias: ({ weights, bias }) => (biasOf && weights ? biasOf(weights) : bias),
  })
}
