/** One step of a solver that moves its whole model, or one coefficient of it: for teaching. Reused for all steps of a run. */
export interface ModelStep {
  /** The iteration (epoch) that the step belongs to, from 1. */
  iteration: number
  /** Steps taken so far, this one included: t. */
  step: number
  /** The sample of the step; −1 if there were several. */
  sample: number
  /** η_t of a sub-gradient step; of a coordinate step, the change of α after clipping. */
  stepSize: number
  /** The model after the step: f(x) = scale · Σ coefficients_i k̃(x_i, x), k̃ being k + s² where the bias is regularised. */
  readonly coefficients: Float64Array
  scale: number
  /** The samples that are not shrunk away, in no order, for solvers that shrink. Reused as well. */
  active?: Uint32Array
}

/** A step to be filled in, of a model with these coefficients. */
export function emptyModelStep(coefficients: Float64Array): ModelStep {
  return { iteration: 0, step: 0, sample: -1, stepSize: 0, coefficients, scale: 1 }
}
