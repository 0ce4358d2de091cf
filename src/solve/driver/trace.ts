/** The course of a run, recorded at a chosen interval. */

/** One line of a trace: the state of the solver after some iterations. All measures are computed from scratch. */
export interface TracePoint {
  readonly iteration: number
  /** Seconds of solving so far; the time that tracing itself takes is not counted. */
  readonly seconds: number
  readonly primal: number
  readonly dual: number
  readonly gap: number
  readonly violation: number
  readonly supportVectors: number
  /** Copies of the parameters, when snapshots were requested. */
  readonly alpha?: Float64Array
  /** The model's own coefficients, for solvers whose model is not y_i α_i; see Solution. */
  readonly beta?: Float64Array
  /** The weights of a linear machine. */
  readonly weights?: Float64Array
  readonly bias?: number
}

/** When to trace. */
export interface TraceOptions {
  /** A point at iteration 0, every this many iterations, and at the end. */
  readonly every: number
  /** Keep a copy of α and the bias in each point. */
  readonly snapshots?: boolean
}

/** A trace as CSV text with a header line (snapshots are left out). */
export function traceToCsv(trace: readonly TracePoint[]): string {
  const columns = ['iteration', 'seconds', 'primal', 'dual', 'gap', 'violation', 'supportVectors'] as const
  const lines = trace.map((point) => columns.map((column) => point[column]).join(','))
  return `${[columns.join(','), ...lines].join('\n')}\n`
}
