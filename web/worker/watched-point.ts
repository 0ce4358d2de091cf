/**
 * The point of a run of pairs: β of the dual that all kernel machines share (docs/theory/more-problems.md, "One form for all"),
 * and v = t − Kβ, moved by the steps that are heard.
 */
import { kernelMatrix } from '../../src/kernels.ts'
import { fallOf, type GeneralDual, generalBias, riseOf, type SmoStep } from '../../src/solvers.ts'

/** What can be said of a point. */
export interface PointMeasures {
  readonly bias: number
  /** −m and −M: no bias suits all samples while `low` is above `up`. */
  readonly up: number
  readonly low: number
  /** By what the model is multiplied to be drawn: 1/ρ of ν-SVC once ρ is positive, else 1. */
  readonly scale: number
}

/** See the header of the file. */
export class WatchedPoint {
  readonly beta: Float64Array
  private readonly dual: GeneralDual
  private readonly v: Float64Array
  private readonly kernel: Float64Array

  constructor(dual: GeneralDual) {
    this.dual = dual
    this.kernel = kernelMatrix<unknown>(dual.kernel, dual.samples).values
    this.beta = new Float64Array(dual.target.length)
    this.v = dual.target.slice()
    dual.start?.forEach((value, i) => {
      if (value !== 0) this.set(i, value)
    })
  }

  /** Takes a step. */
  move({ i, j, yi, yj, alphaI, alphaJ }: SmoStep): void {
    this.set(i, yi * alphaI)
    this.set(j, yj * alphaJ)
  }

  measure(): PointMeasures {
    const { dual, beta, v } = this
    const { lower, upper, tube } = dual
    let m = Number.NEGATIVE_INFINITY
    let M = Number.POSITIVE_INFINITY
    for (let i = 0; i < v.length; i++) {
      m = Math.max(m, v[i] + riseOf(beta[i], upper[i], tube))
      M = Math.min(M, v[i] + fallOf(beta[i], lower[i], tube))
    }
    const { bias, groupValues } = generalBias(dual, beta, v)
    // The values of the groups are b − ρ and b + ρ.
    const rho = groupValues ? (groupValues[1] - groupValues[0]) / 2 : 1
    return { bias, up: -m, low: -M, scale: rho > 0 ? 1 / rho : 1 }
  }

  private set(i: number, value: number): void {
    const { beta, v, kernel } = this
    const change = value - beta[i]
    const n = v.length
    // + 0 makes 0 of −0.
    beta[i] = value + 0
    for (let k = 0; k < n; k++) v[k] -= change * kernel[i * n + k]
  }
}
