/**
 * The optimum of a tiny problem by a method that no solver here uses: accelerated projected gradients on the whole dual,
 * with plain loops over a kernel matrix made from the definition (./naive-measures.ts).
 */
import { expect } from 'vitest'
import type { SvmProblem } from '../../src/problems/problem.ts'
import type { TracePoint } from '../../src/solve/driver/trace.ts'
import { naiveKernelMatrix } from './naive-measures.ts'

/** What {@link referenceOptimum} finds. */
export interface ReferenceOptimum {
  readonly alpha: Float64Array
  /** ½ αᵀQ̄α − Σα, as it is minimised. */
  readonly dual: number
}

/** The dual of a problem with the two losses written out: Q̄ and the upper bounds. */
export function naiveDual(problem: SvmProblem): { Q: Float64Array[]; upper: Float64Array } {
  const { y, C, loss } = problem
  const Q = naiveKernelMatrix(problem).map((row, i) =>
    row.map(
      (k, j) => y[i] * y[j] * k + (loss === 'squared-hinge' && i === j && C[i] > 0 ? 1 / (2 * C[i]) : 0),
    ),
  )
  const upper = C.map((c) => (loss === 'hinge' || c === 0 ? c : Number.POSITIVE_INFINITY))
  return { Q, upper }
}

/** Q̄α − 1 */
export function naiveGradient(Q: readonly Float64Array[], alpha: Float64Array): Float64Array {
  return Float64Array.from(Q, (row) => row.reduce((sum, q, j) => sum + q * alpha[j], -1))
}

/** Largest projected gradient of a problem without a balance constraint. */
export function naiveViolation(problem: SvmProblem, alpha: Float64Array): number {
  const { Q, upper } = naiveDual(problem)
  return naiveGradient(Q, alpha).reduce((largest, g, i) => {
    const rise = alpha[i] < upper[i] ? -g : 0
    const fall = alpha[i] > 0 ? g : 0
    return Math.max(largest, rise, fall)
  }, 0)
}

/** Minimises the dual to about 1e-12 of its value. Meant for a dozen samples. */
export function referenceOptimum(problem: SvmProblem): ReferenceOptimum {
  const { y } = problem
  const { Q, upper } = naiveDual(problem)
  const lipschitz = Math.max(...Q.map((row) => row.reduce((sum, q) => sum + Math.abs(q), 0)))
  const project = (point: Float64Array) =>
    problem.bias === 'free' ? projectBalanced(point, y, upper) : clip(point, upper)
  const value = (point: Float64Array) =>
    naiveGradient(Q, point).reduce((sum, g, i) => sum + 0.5 * point[i] * (g - 1), 0)
  let alpha: Float64Array = new Float64Array(y.length)
  let ahead = alpha
  let momentum = 1
  for (let iteration = 0; iteration < 200_000; iteration++) {
    const gradient = naiveGradient(Q, ahead)
    const next = project(ahead.map((a, i) => a - gradient[i] / lipschitz))
    const moved = next.reduce((largest, a, i) => Math.max(largest, Math.abs(a - alpha[i])), 0)
    if (value(next) > value(alpha)) {
      if (momentum === 1) break
      ahead = alpha
      momentum = 1
      continue
    }
    const nextMomentum = (1 + Math.sqrt(1 + 4 * momentum * momentum)) / 2
    const drive = (momentum - 1) / nextMomentum
    ahead = next.map((a, i) => a + drive * (a - alpha[i]))
    alpha = next
    momentum = nextMomentum
    if (moved < 1e-15) break
  }
  return { alpha, dual: value(alpha) }
}

function clip(point: Float64Array, upper: Float64Array): Float64Array {
  return point.map((a, i) => Math.min(upper[i], Math.max(0, a)))
}

/** The nearest point with 0 <= α <= upper and yᵀα = 0: α = clip(point − shift · y) for the shift that balances. */
function projectBalanced(point: Float64Array, y: Float64Array, upper: Float64Array): Float64Array {
  const at = (shift: number) =>
    clip(
      point.map((a, i) => a - shift * y[i]),
      upper,
    )
  let low = -1e6
  let high = 1e6
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2
    const balance = at(middle).reduce((sum, a, i) => sum + a * y[i], 0)
    if (balance > 0) low = middle
    else high = middle
  }
  return at((low + high) / 2)
}

/** Each point of a trace has a true upper and a true lower bound of the optimum, a feasible α, and never worse bounds than before. */
export function expectTrueBounds(trace: readonly TracePoint[], optimum: number, { C }: SvmProblem): void {
  trace.forEach(({ primal, dual, alpha }, k) => {
    expect(primal).toBeGreaterThanOrEqual(optimum * (1 - 1e-12))
    expect(-dual).toBeLessThanOrEqual(optimum * (1 + 1e-12))
    expect(alpha?.every((a, i) => a >= 0 && a <= C[i])).toBe(true)
    if (k === 0) return
    expect(primal).toBeLessThanOrEqual(trace[k - 1].primal * (1 + 1e-12))
    expect(dual).toBeLessThanOrEqual(trace[k - 1].dual + 1e-12)
  })
}
