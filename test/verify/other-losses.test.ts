import { describe, expect, it } from 'vitest'
import { ParameterError } from '../../src/base/errors.ts'
import { Random } from '../../src/base/random.ts'
import { linear } from '../../src/kernels/linear.ts'
import { parseLiblinearModel } from '../../src/models/files/parse-liblinear-model.ts'
import { makeLinearSvr } from '../../src/problems/linear-problem.ts'
import { makeProblem } from '../../src/problems/problem.ts'
import { type OtherLoss, otherLossBounds } from '../../src/verify/other-losses.ts'
import { verifySync } from '../../src/verify/verify.ts'
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

const targets = labels.map((label, i) => Number(label) * (1 + (i % 7)) + 3)
const regression = makeLinearSvr({ samples, z: targets, C: problem.C, epsilon: 0.2, constant: 2 })

/** By definition, sample by sample. */
function value(coef: Float64Array, bias: number, { loss, norm, freeBias }: OtherLoss): number {
  const w = freeBias ? [...coef] : [...coef, bias / 2]
  let total =
    norm === 1 ? w.reduce((sum, x) => sum + Math.abs(x), 0) : w.reduce((sum, x) => sum + x * x, 0) / 2
  for (let i = 0; i < 60; i++) {
    let f = bias
    for (let j = 0; j < 5; j++) f += samples.values[5 * i + j] * coef[j]
    const t = problem.y[i] * f
    if (loss === 'squared-epsilon-insensitive') {
      total += problem.C[i] * Math.max(0, Math.abs(targets[i] - f) - 0.2) ** 2
    } else
      total += problem.C[i] * (loss === 'logistic' ? Math.log(1 + Math.exp(-t)) : Math.max(0, 1 - t) ** 2)
  }
  return total
}

describe.each<OtherLoss>([
  { loss: 'logistic', norm: 2 },
  { loss: 'logistic', norm: 1 },
  { loss: 'squared-hinge', norm: 1 },
  { loss: 'squared-hinge', norm: 2 },
  { loss: 'logistic', norm: 2, freeBias: true },
  { loss: 'logistic', norm: 1, freeBias: true },
  { loss: 'squared-hinge', norm: 1, freeBias: true },
  { loss: 'squared-hinge', norm: 2, freeBias: true },
  { loss: 'squared-epsilon-insensitive', norm: 2, freeBias: true },
  { loss: 'squared-epsilon-insensitive', norm: 2 },
])('$loss with the norm $norm, free bias: $freeBias', (other) => {
  const ofTask = other.loss === 'squared-epsilon-insensitive' ? regression : problem
  const random = new Random(6)
  const some = (size: number) => ({
    coef: Float64Array.from({ length: 5 }, () => size * random.normal()),
    bias: size * random.normal(),
  })

  it.each([0, 0.1, 1, 10])('from a function of size %f: a bound below every value, and close', (size) => {
    const own = some(size)
    const { primal, dual, bestPrimal } = otherLossBounds(ofTask, own, other)
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

/** min ½‖w‖² + C Σ max(0, 1 − y f)² with a free bias, by plain gradient steps. */
function descend(values: Float64Array, y: Float64Array, C: number): { w: Float64Array; bias: number } {
  const w = new Float64Array(5)
  let bias = 0
  const rate = 1 / (1 + 2 * C * values.reduce((sum, value) => sum + value * value, y.length))
  for (let step = 0; step < 200_000; step++) {
    const slope = w.slice()
    let ofBias = 0
    for (let i = 0; i < y.length; i++) {
      let f = bias
      for (let j = 0; j < 5; j++) f += values[5 * i + j] * w[j]
      const pull = 2 * C * y[i] * Math.max(0, 1 - y[i] * f)
      for (let j = 0; j < 5; j++) slope[j] -= pull * values[5 * i + j]
      ofBias -= pull
    }
    for (let j = 0; j < 5; j++) w[j] -= rate * slope[j]
    bias -= rate * ofBias
  }
  return { w, bias }
}

describe('a bias that is not regularised, as LIBLINEAR leaves it with -R', () => {
  const far = { samples, labels: problem.y }
  // An offset of the features that only a large bias makes up for: in the norm, it would cost much.
  const shifted = { ...far, samples: { ...samples, values: samples.values.map((value) => value + 4) } }
  const { w, bias } = descend(shifted.samples.values, problem.y, 0.5)
  const text = (solver: string) =>
    [`solver_type ${solver}`, 'nr_class 2', 'label 1 -1', 'nr_feature 5', 'bias 1', 'w', ...w, bias, ''].join(
      '\n',
    )

  it('is verified as what it is, and as nothing else', () => {
    const model = parseLiblinearModel(text('L2R_L2LOSS_SVC'))
    const options = { C: 0.5, maxGap: 1e-3 }
    expect(verifySync(model, shifted, { ...options, bias: 'free' })).toMatchObject({ holds: true })
    expect(verifySync(model, shifted, options)).toMatchObject({ holds: false })
  })

  it('is refused for problems that LIBLINEAR solves by their dual', () => {
    const model = parseLiblinearModel(text('L2R_L2LOSS_SVC_DUAL'))
    expect(() => verifySync(model, shifted, { C: 0.5, bias: 'free' })).toThrow(ParameterError)
  })
})
