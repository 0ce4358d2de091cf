import { describe, expect, it } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { linear } from '../../src/kernels/linear.ts'
import { makeProblem } from '../../src/problems/problem.ts'
import { type OtherLoss, otherLossBounds } from '../../src/verify/other-losses.ts'
import { clouds } from '../suites/tool-data.ts'

const { samples, labels } = clouds(21, 60, [-1, 1])
const problem = makeProblem({
  samples,
  y: labels as Float64Array,
  kernel: linear(),
  C: Array.from({ length: 60 }, (_, i) => 0.1 + (i % 3)),
  bias: 'regularised',
  interceptScaling: 2,
})

/** By definition, sample by sample. */
function value(coef: Float64Array, bias: number, { loss, norm }: OtherLoss): number {
  const w = [...coef, bias / 2]
  let total =
    norm === 1 ? w.reduce((sum, x) => sum + Math.abs(x), 0) : w.reduce((sum, x) => sum + x * x, 0) / 2
  for (let i = 0; i < 60; i++) {
    let f = bias
    for (let j = 0; j < 5; j++) f += samples.values[5 * i + j] * coef[j]
    const t = problem.y[i] * f
    total += problem.C[i] * (loss === 'logistic' ? Math.log(1 + Math.exp(-t)) : Math.max(0, 1 - t) ** 2)
  }
  return total
}

describe.each<OtherLoss>([
  { loss: 'logistic', norm: 2 },
  { loss: 'logistic', norm: 1 },
  { loss: 'squared-hinge', norm: 1 },
  { loss: 'squared-hinge', norm: 2 },
])('$loss with the norm $norm', (other) => {
  const random = new Random(6)
  const some = (size: number) => ({
    coef: Float64Array.from({ length: 5 }, () => size * random.normal()),
    bias: size * random.normal(),
  })

  it.each([0, 0.1, 1, 10])('from a function of size %f: a bound below every value, and close', (size) => {
    const own = some(size)
    const { primal, dual, bestPrimal } = otherLossBounds(problem, own, other)
    expect(primal).toBeCloseTo(value(own.coef, own.bias, other), 9)
    expect(bestPrimal).toBeLessThanOrEqual(primal)
    expect(-dual).toBeLessThanOrEqual(bestPrimal)
    expect(bestPrimal + dual).toBeLessThanOrEqual(1.01e-4 * bestPrimal)
    for (let trial = 0; trial < 50; trial++) {
      const { coef, bias } = some(0.5)
      expect(-dual).toBeLessThanOrEqual(value(coef, bias, other))
    }
  })
})
