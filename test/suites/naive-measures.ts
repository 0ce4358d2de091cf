/**
 * A solution measured by the textbook, with loops and nothing of the library: what certificates are checked against.
 * Only the kernels that model files know are spelt out here; others come from the caller.
 */
import type { Matrix } from '../../src/data/matrix/matrix.ts'
import type { KernelSpec } from '../../src/kernels/kernel.ts'
import type { SvmProblem } from '../../src/problems/problem.ts'

/** What {@link naiveMeasures} finds. */
export interface NaiveMeasures {
  readonly primal: number
  readonly dual: number
  readonly gap: number
  /** m(α) − M(α) when the bias is free, the largest projected gradient otherwise. */
  readonly violation: number
  /** Largest distance of an α_i from [0, C_i]. */
  readonly outside: number
  /** |Σ y_i α_i| relative to Σ α_i; 0 when α is 0. */
  readonly imbalance: number
}

/** k(x_i, x_j) for all pairs, from the definition; the regularised bias adds s². */
export function naiveKernelMatrix(problem: SvmProblem): Float64Array[] {
  const rows = naiveRows(problem.samples as Matrix)
  const extra = problem.bias === 'regularised' ? problem.interceptScaling ** 2 : 0
  const kernel = naiveKernel(problem.kernel.spec)
  return rows.map((x) => Float64Array.from(rows, (z) => kernel(x, z) + extra))
}

function naiveRows(matrix: Matrix): Float64Array[] {
  return Array.from({ length: matrix.rows }, (_, i) => {
    const row = new Float64Array(matrix.cols)
    if (matrix.kind === 'dense') {
      for (let j = 0; j < matrix.cols; j++) row[j] = matrix.values[i * matrix.cols + j]
    } else {
      for (let k = matrix.indptr[i]; k < matrix.indptr[i + 1]; k++) row[matrix.indices[k]] = matrix.values[k]
    }
    return row
  })
}

function naiveKernel(spec: KernelSpec): (x: Float64Array, z: Float64Array) => number {
  const dot = (x: Float64Array, z: Float64Array) => {
    let sum = 0
    for (let k = 0; k < x.length; k++) sum += x[k] * z[k]
    return sum
  }
  switch (spec.kind) {
    case 'linear':
      return dot
    case 'polynomial':
      return (x, z) => (Number(spec.gamma) * dot(x, z) + spec.coef0) ** spec.degree
    case 'sigmoid':
      return (x, z) => Math.tanh(Number(spec.gamma) * dot(x, z) + spec.coef0)
    case 'rbf':
      return (x, z) => {
        let sum = 0
        for (let k = 0; k < x.length; k++) sum += (x[k] - z[k]) * (x[k] - z[k])
        return Math.exp(-Number(spec.gamma) * sum)
      }
    default:
      throw new Error(`no naive form of kernel ${spec.kind}`)
  }
}

/** Measures α (and the model: α's own, or the expansion beta) with the hinge loss. */
export function naiveMeasures(
  problem: SvmProblem,
  matrix: readonly Float64Array[],
  solution: { readonly alpha: Float64Array; readonly bias: number; readonly beta?: Float64Array },
): NaiveMeasures {
  const { y, C } = problem
  const { alpha } = solution
  const count = y.length
  const coefficients = alpha.map((a, i) => a * y[i])
  const values = expand(matrix, coefficients)
  const model = solution.beta ?? coefficients
  const modelValues = solution.beta ? expand(matrix, solution.beta) : values
  // With a regularised bias the matrix holds it already: f(x_i) is the expansion as it stands.
  const added = problem.bias === 'free' ? solution.bias : 0
  let primal = 0
  let dual = 0
  let up = Number.NEGATIVE_INFINITY
  let low = Number.POSITIVE_INFINITY
  let projected = 0
  let outside = 0
  let balance = 0
  let total = 0
  for (let i = 0; i < count; i++) {
    primal += 0.5 * model[i] * modelValues[i]
    const slack = 1 - y[i] * (modelValues[i] + added)
    if (slack > 0 && C[i] > 0) primal += C[i] * slack
    dual += 0.5 * coefficients[i] * values[i] - alpha[i]
    const gradient = y[i] * values[i] - 1
    outside = Math.max(outside, -alpha[i], alpha[i] - C[i])
    balance += coefficients[i]
    total += alpha[i]
    const canRise = alpha[i] < C[i]
    const canFall = alpha[i] > 0
    if (canRise) projected = Math.max(projected, -gradient)
    if (canFall) projected = Math.max(projected, gradient)
    if (y[i] > 0 ? canRise : canFall) up = Math.max(up, -y[i] * gradient)
    if (y[i] > 0 ? canFall : canRise) low = Math.min(low, -y[i] * gradient)
  }
  return {
    primal,
    dual,
    gap: primal + dual,
    violation: problem.bias === 'free' ? Math.max(0, up - low) : projected,
    outside,
    imbalance: total > 0 ? Math.abs(balance) / total : 0,
  }
}

function expand(matrix: readonly Float64Array[], coefficients: Float64Array): Float64Array {
  const values = new Float64Array(coefficients.length)
  for (let j = 0; j < coefficients.length; j++) {
    const c = coefficients[j]
    if (c === 0) continue
    const row = matrix[j]
    for (let i = 0; i < values.length; i++) values[i] += c * row[i]
  }
  return values
}
