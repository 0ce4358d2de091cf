/** `partialFit`: what is certain of a stream is checked against the optimum over all of its samples. */
import { describe, expect, it } from 'vitest'
import { toSparse } from '../../src/data/matrix/matrix.ts'
import {
  type Dataset,
  generate,
  LinearSVC,
  LinearSVR,
  type LinearSvcModel,
  LogisticRegression,
  makeDataset,
  parseModel,
  selectSamples,
} from '../../src/index.ts'
import { lossSum, lossTerms } from '../../src/problems/linear-loss.ts'
import { clouds, curve } from '../suites/tool-data.ts'

const two = clouds(3, 300, [-1, 1])
const three = clouds(4, 300, [4, 2, 9])
const targets = curve(5, 300)

function* batches(data: Dataset<never>, size: number) {
  const count = data.labels.length
  for (let from = 0; from < count; from += size) {
    const length = Math.min(size, count - from)
    yield selectSamples(
      data as Dataset,
      Uint32Array.from({ length }, (_, i) => from + i),
    ) as Dataset<never>
  }
}

// biome-ignore lint/suspicious/noExplicitAny: estimators of classes and of numbers alike.
function stream(estimator: any, data: unknown, size = 30) {
  // biome-ignore lint/suspicious/noExplicitAny: the same of their models.
  let model: any
  for (const batch of batches(data as Dataset<never>, size)) {
    model = estimator.partialFit(batch, { start: model })
  }
  return model
}

describe('partialFit', () => {
  const settings = { C: 0.1 }
  it.each([
    ['hinge', () => new LinearSVC({ ...settings, loss: 'hinge' }), two],
    ['squared hinge', () => new LinearSVC(settings), two],
    ['no bias', () => new LinearSVC({ ...settings, bias: 'none' }), two],
    ['a constant feature', () => new LinearSVC({ ...settings, interceptScaling: 3 }), two],
    ['logistic', () => new LogisticRegression(settings), two],
    ['a tube', () => new LinearSVR({ ...settings, epsilon: 0.1 }), targets],
    ['a squared tube', () => new LinearSVR({ ...settings, loss: 'squared-epsilon-insensitive' }), targets],
    ['many classes', () => new LinearSVC(settings), three],
    ['many classes, logistic', () => new LogisticRegression(settings), three],
  ] as const)('the bound is below the optimum over all samples, and near it: %s', (_, make, data) => {
    const estimator = make() as LinearSVC
    const { stream: report } = stream(estimator, data)
    const best = estimator.fitSync(data as never).certificate.primal
    expect(report.bound).toBeLessThanOrEqual(best * (1 + 1e-6))
    expect(report.bound).toBeGreaterThan(0.85 * best)
    expect(report).toMatchObject({ samples: 300, batches: 10 })
    expect(report.gap).toBeLessThanOrEqual(1e-3)
    expect(report.epochs).toBeGreaterThan(0)
  })

  it('one batch of all samples is the whole problem', () => {
    for (const loss of ['hinge', 'squared-hinge'] as const) {
      const estimator = new LinearSVC({ loss, tol: 1e-9, maxIter: 100_000 })
      const streamed = estimator.partialFit(two)
      const { certificate, coef } = estimator.fitSync(two)
      expect(streamed.stream.bound).toBeCloseTo(certificate.primal, 5)
      streamed.coef.forEach((weight, j) => {
        expect(weight).toBeCloseTo(coef[j], 3)
      })
    }
    const logistic = new LogisticRegression({ tol: 1e-9, maxIter: 10_000 }).partialFit(two)
    expect(logistic.stream.bound).toBeCloseTo(new LogisticRegression().fitSync(two).certificate.primal, 5)
    expect(logistic.predictProbability(two.samples).length).toBe(600)
  })

  it('the model is not far from the best one, by its value over all samples', () => {
    const estimator = new LinearSVC({ C: 0.1, loss: 'hinge' })
    const model = stream(estimator, two) as LinearSvcModel
    const y = two.labels as Float64Array
    const terms = lossTerms('hinge', new Float64Array(300).fill(0.1), y, 0)
    const norm = [...model.coef, model.bias].reduce((sum, weight) => sum + 0.5 * weight * weight, 0)
    const value = norm + lossSum(terms, model.decisionFunction(two.samples))
    const best = estimator.fitSync(two).certificate.primal
    expect(value).toBeGreaterThanOrEqual(best * (1 - 1e-6))
    expect(value).toBeLessThan(1.1 * best)
  })

  it('new classes may appear in any batch, and the bound stays one', () => {
    const labels = three.labels as Float64Array
    const parts = [
      (i: number) => i < 100 && labels[i] !== 2,
      (i: number) => i >= 100 && i < 200 && labels[i] !== 4,
      (i: number) => i >= 200,
    ].map((chosen) => Uint32Array.from(labels.keys()).filter(chosen))
    const estimator = new LinearSVC({ C: 0.1 })
    let model: ReturnType<LinearSVC['partialFit']> | undefined
    for (const part of parts)
      model = estimator.partialFit(selectSamples(three, part) as never, { ...(model && { start: model }) })
    expect(model?.classes).toEqual([2, 4, 9])
    expect(model?.biases.length).toBe(3)
    const all = selectSamples(three, Uint32Array.from(parts.flatMap((part) => [...part])))
    const best = estimator.fitSync(all as never).certificate.primal
    expect(model?.stream.bound).toBeLessThanOrEqual(best * (1 + 1e-6))
    expect(model?.stream.bound).toBeGreaterThan(0.7 * best)
    const right = model?.predict(all.samples as never).filter((label, i) => label === all.labels[i]).length
    expect((right ?? 0) / all.labels.length).toBeGreaterThan(0.6)
  })

  it('a first batch of one class needs to know of another', () => {
    const same = makeDataset([[1], [2]], ['a', 'a'])
    expect(() => new LinearSVC().partialFit(same)).toThrow(
      'partialFit: all samples so far have the class "a"; name the others beforehand ({ classes })',
    )
    const model = new LinearSVC().partialFit(same, { classes: ['b'] })
    expect(model.classes).toEqual(['a', 'b'])
    expect(model.predict([[1]])).toEqual(['a'])
    expect(() => new LinearSVC().partialFit(same, { classes: [1] })).toThrow(
      'classes are numbers or texts, not both: 1 and "a"',
    )
  })

  it('goes on after fit and from files, without a bound', () => {
    const fitted = new LogisticRegression().fitSync(two)
    const next = new LogisticRegression().partialFit(two, { start: fitted })
    expect(next.stream.bound).toBeNaN()
    expect(next.training?.samples).toBe(600)
    const saved = parseModel(JSON.stringify(next)) as LinearSvcModel
    expect(saved.coef).toEqual(next.coef)
    expect(saved.certificate).toBeUndefined()
    expect(new LogisticRegression().partialFit(two, { start: saved }).training?.samples).toBe(900)
  })

  it('the same batches give the same model, sparse or dense, and sparse ones may grow', () => {
    const estimator = new LinearSVC({ seed: 4 })
    const model = stream(estimator, two)
    expect(stream(estimator, two).coef).toEqual(model.coef)
    const sparse = stream(estimator, { ...two, samples: toSparse(two.samples) })
    sparse.coef.forEach((weight: number, j: number) => {
      expect(weight).toBeCloseTo(model.coef[j], 10)
    })
    const wide = generate('text', { n: 40, seed: 1 })
    const grown = estimator.partialFit(wide as never, { start: sparse })
    expect(grown.features).toBe(wide.samples.cols)
    const back = estimator.partialFit({ ...two, samples: toSparse(two.samples) } as never, { start: grown })
    expect(back.features).toBe(wide.samples.cols)
  })

  it('weights of samples and classes count', () => {
    const weights = Float64Array.from({ length: 300 }, (_, i) => (i % 3 === 0 ? 0 : 2))
    const weighted = new LinearSVC({ C: 0.01, classWeight: { 1: 3 } })
    const { bound } = stream(weighted, { ...two, weights }).stream
    const best = weighted.fitSync({ ...two, weights } as never).certificate.primal
    expect(bound).toBeLessThanOrEqual(best * (1 + 1e-6))
    expect(bound).toBeGreaterThan(0.85 * best)
  })

  it('what it cannot do is refused', () => {
    const of = (estimator: LinearSVC, options = {}) => estimator.partialFit(two, options)
    expect(() => of(new LinearSVC({ bias: 'free' }))).toThrow('partialFit: bias must be regularised or none')
    expect(() => of(new LinearSVC({ penalty: 'l1' }))).toThrow('partialFit: penalty must be l2, got "l1"')
    expect(() => of(new LinearSVC({ multiClass: 'crammer-singer' }))).toThrow(
      'partialFit: multiClass must be ovr',
    )
    expect(() => of(new LinearSVC({ classWeight: 'balanced' }))).toThrow(
      'partialFit: classWeight must be an object',
    )
    expect(() => of(new LinearSVC({ solver: 'newton' }))).toThrow(
      'partialFit: solver does not apply to streams',
    )
    expect(() => of(new LinearSVC(), { model: 1 })).toThrow('got "model"')
    const start = new LinearSVR().fitSync(targets)
    expect(() => of(new LinearSVC(), { start })).toThrow(
      'partialFit: start must be a model of type linear-svc',
    )
    expect(() => new LinearSVC().partialFit(makeDataset([], []))).toThrow(
      'partialFit: the batch has no samples',
    )
    const model = new LinearSVC().partialFit(two)
    expect(() => new LinearSVC().partialFit(makeDataset([[1], [2]], [1, -1]), { start: model })).toThrow(
      'partialFit: the start model has 5 features, but the data have 1',
    )
  })
})
