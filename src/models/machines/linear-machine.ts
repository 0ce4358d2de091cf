import { allocate } from '../../base/allocate.ts'
import type { DenseMatrix, Matrix } from '../../data/matrix/matrix.ts'
import { matrixTimes } from '../../data/matrix/products.ts'
import type { Samples } from '../../data/table/dataset.ts'
import type { Machine, Visit } from './machine.ts'
import { rowBlocks } from './row-blocks.ts'

/** Linear functions ⟨w_p, x⟩ + b_p; columns beyond the weights count for nothing. */
export class LinearMachine implements Machine {
  readonly outputs: number
  readonly width: number
  private readonly coef: Float64Array
  private readonly biases: Float64Array
  /** The weights by feature, [feature][output]: what one value of a row meets lies side by side. */
  private byFeature: Float64Array | undefined

  /** `coef`: one row of weights per output. */
  constructor(coef: Float64Array, biases: Float64Array) {
    this.outputs = biases.length
    this.width = biases.length === 0 ? 0 : coef.length / biases.length
    this.coef = coef
    this.biases = biases
  }

  values(samples: Samples<never>): Float64Array {
    const matrix = samples as Matrix
    if (this.outputs === 1) return this.oneValue(matrix)
    const { outputs, width, biases } = this
    const weights = this.weightsByFeature()
    const { rows, cols, values } = matrix
    const out = new Float64Array(rows * outputs)
    for (let i = 0; i < rows; i++) {
      const at = i * outputs
      const start = matrix.kind === 'dense' ? i * cols : matrix.indptr[i]
      const end = matrix.kind === 'dense' ? start + cols : matrix.indptr[i + 1]
      for (let k = start; k < end; k++) {
        const j = matrix.kind === 'dense' ? k - start : matrix.indices[k]
        if (j >= width) break
        const value = values[k]
        const from = j * outputs
        for (let p = 0; p < outputs; p++) out[at + p] += value * weights[from + p]
      }
      for (let p = 0; p < outputs; p++) out[at + p] += biases[p]
    }
    return out
  }

  visit(samples: Samples<never>, _options: unknown, visit: Visit): void {
    for (const { from, rows } of rowBlocks(samples, this.outputs)) visit(this.values(rows), from)
  }

  single({ cols, values }: DenseMatrix): (out: Float64Array) => void {
    const { coef, biases, outputs, width } = this
    const length = Math.min(cols, width)
    return (out) => {
      for (let p = 0; p < outputs; p++) {
        const from = p * width
        let sum = 0
        for (let j = 0; j < length; j++) sum += values[j] * coef[from + j]
        out[p] = sum + biases[p]
      }
    }
  }

  private oneValue(matrix: Matrix): Float64Array {
    const { coef } = this
    const [bias] = this.biases
    const weights = allocate(Float64Array, Math.max(matrix.cols, coef.length))
    weights.set(coef)
    const values = matrixTimes(matrix, weights)
    for (let i = 0; i < values.length; i++) values[i] += bias
    return values
  }

  private weightsByFeature(): Float64Array {
    if (this.byFeature) return this.byFeature
    const { coef, outputs, width } = this
    const turned = new Float64Array(coef.length)
    for (let p = 0; p < outputs; p++) {
      for (let j = 0; j < width; j++) turned[j * outputs + p] = coef[p * width + j]
    }
    this.byFeature = turned
    return turned
  }
}
