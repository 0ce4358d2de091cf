/** The five duals of src/problems/general-dual.ts on generated data, what they say of a point, and a plain way to solve them. */
import { Random } from '../../src/base/random.ts'
import type { Matrix } from '../../src/data/matrix/matrix.ts'
import type { AnyKernel } from '../../src/kernels/kernel.ts'
import type { GeneralDual } from '../../src/problems/general-dual.ts'

/** Makers of the five, with weights that differ from sample to sample. */
export const generalDuals = {
  'C-SVC': (seed, samples, kernel) => {
    const { noise, n } = somethingOf(seed, samples)
    const y = labelsOf(noise)
    const C = noise.map((_, i) => (i % 7 === 3 ? 0 : 1 + (i % 3)))
    const { lower, upper } = signedBox(y, C)
    return { samples, kernel, target: y.slice(0, n), lower, upper, tube: 0 }
  },
  'one class': (seed, samples, kernel) => {
    const { noise, n } = somethingOf(seed, samples)
    const upper = noise.map((_, i) => 0.5 + (i % 2))
    const start = fill(upper, () => true, 0.3 * upper.reduce((a, b) => a + b, 0))
    return { samples, kernel, target: new Float64Array(n), lower: new Float64Array(n), upper, tube: 0, start }
  },
  'ε-SVR': (seed, samples, kernel) => {
    const { noise } = somethingOf(seed, samples)
    const upper = noise.map((_, i) => 2 + (i % 2))
    return { samples, kernel, target: noise, lower: upper.map((c) => -c), upper, tube: 0.2 }
  },
  'ν-SVC': (seed, samples, kernel) => {
    const { noise, n } = somethingOf(seed, samples)
    const y = labelsOf(noise)
    const weights = noise.map((_, i) => 1 + (i % 2))
    const { lower, upper } = signedBox(y, weights)
    const total = 0.15 * weights.reduce((a, b) => a + b, 0)
    const start = new Float64Array(n)
    for (const sign of [1, -1]) {
      fill(weights, (i) => y[i] === sign, total).forEach((a, i) => {
        if (y[i] === sign) start[i] = sign * a
      })
    }
    const groups = Uint8Array.from(y, (label) => (label > 0 ? 0 : 1))
    return { samples, kernel, target: new Float64Array(n), lower, upper, tube: 0, groups, start }
  },
  'ν-SVR': (seed, half, kernel) => {
    const samples = stack(half)
    const { noise } = somethingOf(seed, half)
    const { rows } = half
    const C = noise.map((_, i) => 1 + (i % 2))
    const total = 0.25 * C.reduce((a, b) => a + b, 0)
    const first = fill(C, () => true, total)
    const join = (a: Float64Array, b: Float64Array) => Float64Array.of(...a, ...b)
    const zeros = new Float64Array(rows)
    return {
      ...{ samples, kernel, isDoubled: true, tube: 0, target: join(noise, noise) },
      ...{
        lower: join(
          zeros,
          C.map((c) => -c),
        ),
        upper: join(C, zeros),
      },
      start: join(
        first,
        first.map((a) => -a),
      ),
      groups: Uint8Array.from({ length: 2 * rows }, (_, i) => (i < rows ? 0 : 1)),
    }
  },
} satisfies Record<string, (seed: number, samples: Matrix, kernel: AnyKernel) => GeneralDual>

/** A smooth function of a few features and some noise. */
function somethingOf(seed: number, samples: Matrix): { noise: Float64Array; n: number } {
  const random = new Random(seed)
  const n = samples.rows
  const sums = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    if (samples.kind === 'dense') for (let j = 0; j < 3; j++) sums[i] += samples.values[i * samples.cols + j]
    else for (let k = samples.indptr[i]; k < samples.indptr[i + 1]; k++) sums[i] += samples.values[k] * 0.5
  }
  return { noise: sums.map((sum) => Math.sin(sum) + 0.3 * random.normal()), n }
}

const labelsOf = (values: Float64Array) => values.map((value) => (value > 0 ? 1 : -1))

function signedBox(y: Float64Array, C: Float64Array) {
  return {
    lower: C.map((c, i) => (y[i] > 0 ? 0 : -c)),
    upper: C.map((c, i) => (y[i] > 0 ? c : 0)),
  }
}

/** The first variables at their bounds, until they add up to `total`. */
function fill(upper: Float64Array, chosen: (i: number) => boolean, total: number): Float64Array {
  let left = total
  return upper.map((bound, i) => {
    const taken = chosen(i) ? Math.min(bound, left) : 0
    left -= taken
    return taken
  })
}

/** Every row twice: all of them, then all again. */
function stack(matrix: Matrix): Matrix {
  const { rows, values } = matrix
  const twice = Float64Array.of(...values, ...values)
  if (matrix.kind === 'dense') return { ...matrix, rows: 2 * rows, values: twice }
  const { indptr, indices } = matrix
  const second = indptr.subarray(1).map((end) => end + values.length)
  return {
    ...matrix,
    rows: 2 * rows,
    values: twice,
    indices: Uint32Array.of(...indices, ...indices) as typeof indices,
    indptr: Uint32Array.of(...indptr, ...second) as typeof indptr,
  }
}

/** The kernel matrix in f64, row by row. */
export function kernelMatrixOf({ samples, kernel, target }: GeneralDual): Float64Array[] {
  const evaluator = kernel.between(samples, samples)
  return Array.from(target, (_, i) => {
    const row = new Float64Array(target.length)
    evaluator.row(i, row)
    return row
  })
}

/** ½ βᵀKβ − tᵀβ + ε Σ|β| */
export function objectiveOf(dual: GeneralDual, K: Float64Array[], beta: Float64Array): number {
  let value = 0
  for (let i = 0; i < beta.length; i++) {
    if (beta[i] === 0) continue
    let g = 0
    for (let j = 0; j < beta.length; j++) g += K[i][j] * beta[j]
    value += beta[i] * (0.5 * g - dual.target[i]) + dual.tube * Math.abs(beta[i])
  }
  return value
}

/** v = t − Kβ */
export function vOf(dual: GeneralDual, K: Float64Array[], beta: Float64Array): Float64Array {
  return dual.target.map((t, i) => {
    let g = 0
    for (let j = 0; j < beta.length; j++) g += K[i][j] * beta[j]
    return t - g
  })
}

/** The pair of each group that violates optimality most. */
function worstPairs({ lower, upper, tube, groups }: GeneralDual, v: Float64Array, beta: Float64Array) {
  return (groups ? [0, 1] : [0]).map((group) => {
    const worst = { i: -1, j: -1, m: Number.NEGATIVE_INFINITY, M: Number.POSITIVE_INFINITY }
    for (let k = 0; k < beta.length; k++) {
      if (groups && groups[k] !== group) continue
      const rate = v[k] - (beta[k] >= 0 ? tube : -tube)
      const cost = v[k] - (beta[k] > 0 ? tube : -tube)
      if (beta[k] < upper[k] && rate > worst.m) Object.assign(worst, { m: rate, i: k })
      if (beta[k] > lower[k] && cost < worst.M) Object.assign(worst, { M: cost, j: k })
    }
    return worst
  })
}

/** The largest m − M over the groups. */
export function violationOf(dual: GeneralDual, K: Float64Array[], beta: Float64Array): number {
  const pairs = worstPairs(dual, vOf(dual, K, beta), beta)
  return Math.max(0, ...pairs.map(({ m, M }) => m - M))
}

/** The optimum to `tol` in the plainest way: the worst pair moves as far as is good, again and again. */
export function solvePlainly(dual: GeneralDual, K: Float64Array[], tol: number): Float64Array {
  const { lower, upper, tube } = dual
  const beta = dual.start ? dual.start.slice() : new Float64Array(dual.target.length)
  const v = vOf(dual, K, beta)
  for (;;) {
    const { i, j, m, M } = worstPairs(dual, v, beta).reduce((a, b) => (b.m - b.M > a.m - a.M ? b : a))
    if (!(m - M > tol)) return beta
    const riseTo = tube > 0 && beta[i] < 0 ? 0 : upper[i]
    const fallTo = tube > 0 && beta[j] > 0 ? 0 : lower[j]
    const best = (m - M) / Math.max(K[i][i] + K[j][j] - 2 * K[i][j], 1e-12)
    const step = Math.min(best, riseTo - beta[i], beta[j] - fallTo)
    beta[i] = step === riseTo - beta[i] ? riseTo : beta[i] + step
    beta[j] = step === beta[j] - fallTo ? fallTo : beta[j] - step
    for (let k = 0; k < v.length; k++) v[k] -= step * (K[i][k] - K[j][k])
  }
}
