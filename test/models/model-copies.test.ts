/** Copies of models: structured cloning, messages to threads, and what comes back. */
import { inspect } from 'node:util'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generate } from '../../src/data/generators/generators.ts'
import { makeSampleSet } from '../../src/data/table/dataset.ts'
import { LinearSVC } from '../../src/estimators/linear-svc.ts'
import { LinearSVR } from '../../src/estimators/linear-svr.ts'
import { LogisticRegression } from '../../src/estimators/logistic-regression.ts'
import { NuSVC } from '../../src/estimators/nu-svc.ts'
import { OneClassSVM } from '../../src/estimators/one-class-svm.ts'
import { SVC } from '../../src/estimators/svc.ts'
import { SVR } from '../../src/estimators/svr.ts'
import { scale, shift } from '../../src/kernels/combinators.ts'
import type { Kernel } from '../../src/kernels/kernel.ts'
import { linear } from '../../src/kernels/linear.ts'
import { custom } from '../../src/kernels/user-kernels.ts'
import { modelFrom } from '../../src/models/files/parse-model.ts'
import type { Model } from '../../src/models/model.ts'
import { fitCalibrated } from '../../src/selection/calibrate/calibrate.ts'
import { withThreshold } from '../../src/selection/calibrate/choose-threshold.ts'
import { conformalFromData, withConformal } from '../../src/selection/calibrate/conformal.ts'
import { dataOf, someLinearSvc, someOneClass, someSingleLinear, someSvc, someSvr } from './some-models.ts'
import '../../src/models/machines/use-tables.ts'

const two = generate('moons', { n: 60, noise: 0.3, seed: 1 })
const three = generate('blobs', { n: 60, centers: 3, classes: 3, seed: 2 })
const sine = generate('sine', { n: 60, seed: 3 })
const records = Array.from({ length: 40 }, (_, i) => ({
  age: i % 7 === 0 ? null : i,
  city: ['Rome', 'Paris', 'Oslo'][i % 3],
  since: new Date(2020, i % 12, 1 + i),
  left: i % 3 === 0 ? 'yes' : 'no',
}))

const models: readonly (readonly [string, () => Model | Promise<unknown>, unknown])[] = [
  ['SVC with a scaler', () => new SVC({ scaler: 'standard' }).fitSync(two), two.samples],
  ['SVC of three classes', () => new SVC().fitSync(three), three.samples],
  [
    'SVC of a made-up kernel',
    () => new SVC({ kernel: shift(scale(linear(), 2), 1) }).fitSync(two),
    two.samples,
  ],
  ['NuSVC', () => new NuSVC({ nu: 0.3 }).fitSync(two), two.samples],
  ['SVC with sigmoids', () => fitCalibrated(new SVC(), three), three.samples],
  [
    'LinearSVC with isotonic curves',
    () => fitCalibrated(new LinearSVC(), two, { method: 'isotonic' }),
    two.samples,
  ],
  ['SVC with a threshold', () => withThreshold(new SVC().fitSync(two), 0.5), two.samples],
  ['LinearSVC', () => new LinearSVC().fitSync(three), three.samples],
  ['LogisticRegression', () => new LogisticRegression().fitSync(two), two.samples],
  ['SVR of scaled targets', () => new SVR({ targetScaling: true }).fitSync(sine), sine.samples],
  ['SVR with noise', () => fitCalibrated(new SVR(), sine), sine.samples],
  ['LinearSVR', () => new LinearSVR().fitSync(sine), sine.samples],
  [
    'SVR with intervals',
    () => {
      const model = new SVR().fitSync(sine)
      return withConformal(model, conformalFromData(model, sine, { level: 0.99 }))
    },
    sine.samples,
  ],
  ['OneClassSVM', () => new OneClassSVM({ nu: 0.2 }).fitSync(two), two.samples],
  ['SVC of a table', () => new SVC().fit(records as never, 'left' as never), records],
  [
    'LinearSVC of a table',
    () => new LinearSVC({ scaler: 'range' }).fit(records as never, 'left' as never),
    records,
  ],
]

/** What a model says, as text, and all that it holds. */
function said(model: Model, rows: unknown): unknown {
  const values = model.decisionFunction(rows as never)
  const others = 'predictInterval' in model && model.conformal ? [model.predictInterval(rows as never)] : []
  const probable =
    'predictProbability' in model && model.probability ? [model.predictProbability(rows as never)] : []
  return [
    model.constructor.name,
    model.predict(rows as never),
    values,
    ...others,
    ...probable,
    model.toJSON(),
  ]
}

describe.each(models)('%s', (_, make, rows) => {
  it('is the same model after structuredClone and modelFrom', async () => {
    const model = (await make()) as Model
    const copy = structuredClone(model)
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
    const again = modelFrom(copy)
    expect(said(again, rows)).toEqual(said(model, rows))
    // A model that was used, and one that was copied before, are no other.
    expect(said(modelFrom(structuredClone(again)), rows)).toEqual(said(model, rows))
    expect(said(modelFrom(model.toJSON()) as Model, rows)).toEqual(said(model, rows))
    expect(modelFrom(model)).toBe(model)
  })

  it('is shown by console.log as what it is, without its numbers', async () => {
    const model = (await make()) as Model
    const shown = inspect(model)
    expect(shown).toMatch(new RegExp(`^${model.constructor.name} \\{\n? *type: '${model.type}'`))
    expect(shown.length).toBeLessThan(4000)
    expect(shown).not.toMatch(/dualCoef|supportIndices|undefined/)
  })
})

it('holds for any model', () => {
  const any = fc.oneof<fc.Arbitrary<Model>[]>(
    ...[someSvc(false), someSvr(false), someOneClass(false), someLinearSvc(false), someSingleLinear(false)],
  )
  fc.assert(
    fc.property(any, (model) => {
      const again = modelFrom(structuredClone(model))
      expect(again.constructor).toBe(model.constructor)
      expect(dataOf(again)).toStrictEqual(dataOf(model))
    }),
    { numRuns: 200 },
  )
})

it('crosses to another thread and back by postMessage', async () => {
  const script = `
    const { parentPort } = require('node:worker_threads')
    parentPort.on('message', (copy) => {
      parentPort.postMessage({ copy, type: copy.type, methods: typeof copy.predict })
      parentPort.close()
    })`
  const model = await fitCalibrated(new SVC(), three)
  const worker = new Worker(script, { eval: true })
  const answer = await new Promise<{ copy: Model; type: string; methods: string }>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.postMessage(model)
  })
  expect(answer).toMatchObject({ type: 'svc', methods: 'undefined' })
  expect(said(modelFrom(answer.copy), three.samples)).toEqual(said(model, three.samples))
})

describe('kernels made of functions', () => {
  const same = (a: string, b: string) => Number(a[0] === b[0])
  const words = makeSampleSet(['tea', 'tee', 'cup', 'can'], [1, 1, -1, -1])

  it('need them again', () => {
    const model = new SVC({ kernel: custom(same, { name: 'same' }) }).fitSync(words)
    const copy = structuredClone(model)
    expect(modelFrom(copy, { functions: { same } }).predict(['tin'])).toEqual(model.predict(['tin']))
    expect(() => modelFrom(copy)).toThrow(
      'functions["same"] must be the function that the kernel was created with',
    )
  })

  it('may be objects of a class of their own', () => {
    class Own {
      readonly spec = { kind: 'linear' } as const
      readonly portable = true
      readonly #inner: Kernel = linear()
      resolve() {
        return this
      }
      between(a: never, b: never) {
        return this.#inner.between(a, b)
      }
      diagonal(samples: never) {
        return this.#inner.diagonal(samples)
      }
    }
    const model = new SVC({ kernel: new Own() as never }).fitSync(two)
    expect(modelFrom(structuredClone(model)).predict(two.samples)).toEqual(model.predict(two.samples))
  })
})

it('what is no copy of a model is refused', () => {
  const needed = 'modelFrom: copy must be what structuredClone(model) or model.toJSON() gives, got an object'
  for (const wrong of [{}, { type: 'tree', kernel: {}, biases: [] }, { type: 'svc' }]) {
    expect(() => modelFrom(wrong)).toThrow(needed)
  }
  expect(() => modelFrom(null as never)).toThrow('got null')
  expect(() => modelFrom({ format: 'hyperplane-model', version: 9 })).toThrow(
    'modelFrom: version: must be 1 or 2',
  )
  expect(() => modelFrom({}, { function: {} } as never)).toThrow('option must be one of functions')
})
