/** Runs of linear machines in other coordinates of the features: what goes in and comes out is in those of the problem. */
import type { SolverContext, SolverEnd, SolverRun, SolverState } from '../driver/solver.ts'

/** Models, w and then b for each function, in the coordinates of the run and in those of the problem. */
export interface Coordinates {
  toRun(weights: Float64Array): Float64Array
  toProblem(weights: Float64Array): Float64Array
  /** The bias of a model of one function in those of the problem; left out where it is the same. */
  biasOf?(weights: Float64Array): number
}

/** How a run has ended, and where; it may have ended before it said where it begins. */
interface Ended {
  readonly end: SolverEnd
  readonly state?: SolverState
}

/** A run in such coordinates. A model is worked out when somebody asks for it. */
export function* transformedRun(
  context: SolverContext,
  { toRun, toProblem, biasOf }: Coordinates,
  run: (context: SolverContext) => SolverRun,
): Generator<SolverState, Ended, void> {
  const { start } = context
  const inner = run({
    ...context,
    start: start && { ...start, weights: toRun(start.weights) },
    // What is certified is a point of the problem itself.
    *certify() {},
  })
  try {
    const first = inner.next()
    if (first.done) return { end: first.value }
    let own = first.value
    const state: SolverState = {
      get iteration() {
        return own.iteration
      },
      get violation() {
        return own.violation
      },
      get method() {
        return own.method
      },
      get alpha() {
        return own.alpha
      },
      get beta() {
        return own.beta
      },
      get weights() {
        return own.weights && toProblem(own.weights)
      },
      get bias() {
        return biasOf && own.weights ? biasOf(own.weights) : own.bias
      },
      get snapshot() {
        return own.snapshot
      },
    }
    for (;;) {
      yield state
      const { done, value } = inner.next()
      if (done) return { end: value, state }
      own = value
    }
  } finally {
    inner.return({})
  }
}
