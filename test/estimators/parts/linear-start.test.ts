/** `fit(data, { start: model })`: the same optimum, sooner, wherever the start comes from. */
import { describe, expect, it } from 'vitest'
import { toSparse } from '../../../src/data/matrix/matrix.ts'
import {
  generate,
  LinearOneClass,
  LinearSVC,
  LinearSVR,
  LinearSvcModel,
  LogisticRegression,
  makeDataset,
  parseModel,
  Random,
  SVC,
  selectSamples,
  type VectorDataset,
} from '../../../src/index.ts'
import { clouds, curve } from '../../suites/tool-data.ts'

const two = clouds(3, 150, [-1, 1])
const three = clouds(4, 150, [4, 2, 9])
const targets = curve(5, 150)
/** Away from the origin: what surrounds it has no other linear function than 0. */
const apart = { ...two, samples: { ...two.samples, values: two.samples.values.map((value) => value + 4) } }
const near = (value: number, wanted: number, part = 3e-6) =>
  expect(Math.abs(value - wanted)).toBeLessThanOrEqual(part * Math.abs(wanted))

describe('a start', () => {
  it.each([
    ['squared hinge', () => new LinearSVC({ C: 3 }), two],
    ['hinge', () => new LinearSVC({ C: 3, loss: 'hinge' }), two],
    ['dual descent', () => new LinearSVC({ C: 3, loss: 'hinge', solver: 'dual-descent' }), two],
    ['a free bias', () => new LinearSVC({ C: 3, bias: 'free' }), two],
    ['no bias', () => new LinearSVC({ C: 3, bias: 'none' }), two],
    ['l1', () => new LinearSVC({ C: 0.3, penalty: 'l1' }), two],
    ['logistic', () => new LogisticRegression({ C: 3 }), two],
    ['logistic l1', () => new LogisticRegression({ C: 3, penalty: 'l1' }), three],
    ['many classes', () => new LinearSVC({ C: 3 }), three],
    ['many classes, hinge', () => new LinearSVC({ C: 3, loss: 'hinge' }), three],
    ['a tube', () => new LinearSVR({ C: 3, epsilon: 0.1 }), targets],
    ['a squared tube', () => new LinearSVR({ C: 3, loss: 'squared-epsilon-insensitive' }), targets],
    ['one class', () => new LinearOneClass({ nu: 0.3 }), apart],
  ] as const)('of the same problem is nearly the end: %s', (_, make, data: VectorDataset) => {
    const estimator = make() as LinearSVC
    const cold = estimator.fitSync(data)
    const warm = estimator.fitSync(data, { start: cold })
    expect(warm.certificate.stopReason).toBe('converged')
    near(warm.certificate.primal, cold.certificate.primal)
    // One step for each function at most: to look, and for rounding of what was cut to bounds.
    expect(warm.certificate.iterations).toBeLessThanOrEqual(cold.biases.length)
    expect(cold.certificate.iterations).toBeGreaterThan(warm.certificate.iterations)
  })

  it.each(['hinge', 'squared-hinge'] as const)('of another C leads to the same optimum: %s', (loss) => {
    const before = new LinearSVC({ C: 1, loss }).fitSync(three)
    const estimator = new LinearSVC({ C: 4, loss })
    const cold = estimator.fitSync(three)
    const warm = estimator.fitSync(three, { start: before })
    near(warm.certificate.primal, cold.certificate.primal)
    expect(warm.certificate.stopReason).toBe('converged')
  })

  it('from another scaler is the same function', () => {
    const before = new LogisticRegression({ C: 1, scaler: 'standard' }).fitSync(two)
    const estimator = new LogisticRegression({ C: 1, scaler: 'range' })
    const { options } = startTask(estimator, two, before)
    const made = options.start as { weights: Float64Array }
    const { scaler } = estimator.fitSync(two)
    const model = new LinearSvcModel({
      ...{ classes: before.classes, scaler, coef: made.weights.slice(0, 5), biases: made.weights.slice(5) },
    })
    const [values, wanted] = [model.decisionFunction(two.samples), before.decisionFunction(two.samples)]
    values.forEach((value, i) => {
      expect(value).toBeCloseTo(wanted[i], 10)
    })
  })

  it('knows features by their names, and takes sparse data of any width', () => {
    const rows = Array.from({ length: 60 }, (_, i) => [Math.sin(i), Math.cos(2 * i)])
    const labels = rows.map(([a, b]) => (a + 2 * b > 0 ? 1 : 0))
    const before = new LinearSVC().fitSync(makeDataset(rows, labels, { featureNames: ['a', 'b'] }))
    const turned = makeDataset(
      rows.map(([a, b]) => [b, 1, a]),
      labels,
      { featureNames: ['b', 'one', 'a'] },
    )
    const { options } = startTask(new LinearSVC(), turned, before)
    expect([...(options.start as { weights: Float64Array }).weights]).toEqual([
      before.coef[1],
      0,
      before.coef[0],
      before.bias,
    ])
    const wide = { samples: { ...toSparse(two.samples), cols: 9 }, labels: two.labels }
    const narrow = new LinearSVC().fitSync(two)
    near(new LinearSVC().fitSync(wide, { start: narrow }).certificate.primal, narrow.certificate.primal)
  })

  it('has the functions of the classes that both know', () => {
    const of = (start: LinearSVC, from: VectorDataset, to: VectorDataset) =>
      (startTask(new LinearSVC(), to, start.fitSync(from)).options.start as { weights: Float64Array }).weights
    const binary = new LinearSVC().fitSync(two)
    const renamed = {
      ...three,
      labels: (three.labels as Float64Array).map((label) => (label === 9 ? 1 : -label)),
    }
    const some = {
      ...three,
      labels: (three.labels as Float64Array).map(
        (label) => (({ 4: -1, 2: 1, 9: 5 }) as Record<number, number>)[label],
      ),
    }
    expect(() => of(new LinearSVC(), two, three)).toThrow(
      'fit: the classes of the start model are -1, 1, but those of the data are 2, 4, 9',
    )
    expect([...of(new LinearSVC(), two, some)]).toEqual([
      ...[...binary.coef, binary.bias].map((weight) => -weight),
      ...[...binary.coef, binary.bias],
      ...new Array(6).fill(0),
    ])
    expect(of(new LinearSVC(), two, renamed).slice(12)).toEqual(Float64Array.of(...binary.coef, binary.bias))
    const pair = selectSamples(
      three,
      Uint32Array.from({ length: 150 }, (_, i) => i).filter((i) => i % 3 > 0),
    )
    const many = new LinearSVC().fitSync(three)
    expect(of(new LinearSVC(), three, pair)).toEqual(
      Float64Array.of(...many.coef.slice(10, 15), many.biases[2]),
    )
    const together = new LinearSVC({ multiClass: 'crammer-singer' }).fitSync(three)
    of(new LinearSVC({ multiClass: 'crammer-singer' }), three, pair).forEach((weight, j) => {
      const own = (c: number) => (j < 5 ? together.coef[5 * c + j] : together.biases[c])
      expect(weight).toBeCloseTo(own(2) - own(0), 12)
    })
  })

  it('from files of LIBLINEAR will do', () => {
    const text = `solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 5\nbias -1\nw\n1\n0\n0\n0\n0\n`
    const start = parseModel(text) as never
    const { certificate } = new LinearSVC().fitSync(two, { start })
    near(certificate.primal, new LinearSVC().fitSync(two).certificate.primal)
  })

  it('that cannot be used is refused', () => {
    const start = new LinearSVC().fitSync(two)
    const other = new LinearSVR().fitSync(targets)
    expect(() => new LinearSVC().fitSync(two, { start: other })).toThrow(
      'fit: start must be a model of type linear-svc, got "linear-svr"',
    )
    expect(() => new LinearSVC().fitSync(two, { start: new SVC().fitSync(two) as never })).toThrow(
      'fit: start must be a model of type linear-svc, got "svc"',
    )
    expect(() => new LinearSVC().fitSync(makeDataset([[1], [2]], [1, -1]), { start })).toThrow(
      'fit: the start model has 5 features, but the data have 1',
    )
    expect(() => new LinearSVC({ multiClass: 'crammer-singer' }).fitSync(two, { start })).toThrow(
      "fit: start does not apply to multiClass 'crammer-singer'",
    )
    expect(() => new LinearSVC({ solver: 'sdca' }).fitSync(two, { start })).toThrow(
      "fit: start does not apply to solver 'sdca'",
    )
    expect(() => new SVC().fitSync(two, { start } as never)).toThrow('got "start"')
  })

  it('saves steps where a tenth of the samples is new', () => {
    const data = generate('text', { n: 600, seed: 2 })
    const random = new Random(1)
    const most = Uint32Array.from({ length: 600 }, (_, i) => i).filter(() => random.uniform() < 0.9)
    const estimator = new LinearSVC({ loss: 'hinge', C: 1, solver: 'newton' })
    const before = estimator.fitSync(selectSamples(data, most))
    const cold = estimator.fitSync(data)
    const warm = estimator.fitSync(data, { start: before })
    near(warm.certificate.primal, cold.certificate.primal)
    expect(warm.certificate.iterations).toBeLessThan(cold.certificate.iterations)
  })
})

/** What a fit would be asked to solve. */
function startTask(estimator: object, data: VectorDataset, start: object) {
  const { task } = (
    estimator as {
      prepare(data: VectorDataset, options: object): { task: { options: { start?: unknown } } }
    }
  ).prepare(data, { start })
  return task
}
