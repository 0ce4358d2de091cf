/** A fit that continues from any state that it has kept ends with the model of one that was left alone, to the bit. */
import { describe, expect, it } from 'vitest'
import {
  generate,
  LinearOneClass,
  LinearSVC,
  LinearSVR,
  LogisticRegression,
  linear,
  NuSVC,
  NuSVR,
  OneClassSVM,
  polynomial,
  rbf,
  SVC,
  SVR,
  sigmoid,
  type VectorDataset,
} from '../../../src/index.ts'
import { custom } from '../../../src/kernels.ts'
import { solverNames } from '../../../src/solvers.ts'
import { entriesOf, type Fittable, States, someOf, timeless } from '../../suites/checkpoints.ts'
import { withFastClock } from '../../suites/stopping.ts'

const two = generate('moons', { n: 120, noise: 0.35, seed: 1 })
const far: VectorDataset = {
  ...two,
  samples: { ...two.samples, values: two.samples.values.map((value) => value + 1000) },
}
const many = generate('moons', { n: 800, noise: 0.35, seed: 1 })
const three = generate('blobs', { n: 150, centers: 3, classes: 3, features: 5, spread: 6, seed: 2 })
const wide = generate('blobs', { n: 2400, centers: 4, classes: 2, features: 60, spread: 9, seed: 3 })
const words = generate('blobs', { n: 200, centers: 40, classes: 2, features: 1200, spread: 30, seed: 3 })
const text = generate('text', { n: 200, seed: 3 })
const targets = generate('friedman', { n: 100, noise: 1, seed: 3 })
const product = (a: Float64Array, b: Float64Array) => a.reduce((sum, x, j) => sum + x * b[j], 1)
const plain = { name: 'smo', engine: false } as const

type Case = readonly [name: string, estimator: object, data: VectorDataset, every: number]

/** Seconds of a clock that flies between two states, so that there are not too many. */
const OFTEN = 0
const SELDOM = 1

const cases: readonly Case[] = [
  ['svc on the engine', new SVC({ C: 10, kernel: rbf({ gamma: 1 }) }), two, OFTEN],
  ['svc beyond f32', new SVC({ C: 1e4, kernel: polynomial({ gamma: 1, coef0: 1 }), tol: 1e-9 }), two, OFTEN],
  ['svc, scaled and weighted', new SVC({ C: 3, scaler: 'standard', classWeight: 'balanced' }), two, OFTEN],
  ['svc of pairs', new SVC({ C: 10, kernel: rbf({ gamma: 0.2 }) }), three, OFTEN],
  ['svc in plain code', new SVC({ C: 10, solver: plain }), two, SELDOM],
  ['svc with a kernel of the user', new SVC({ kernel: custom(product) as never }), two, SELDOM],
  ['svc with a hard margin', new SVC({ C: Infinity, kernel: rbf({ gamma: 20 }) }), two, SELDOM],
  ['svc with a hard margin that is none', new SVC({ C: Infinity, kernel: linear() }), two, SELDOM],
  ['nu-svc', new NuSVC({ nu: 0.3 }), two, OFTEN],
  ['nu-svc of pairs', new NuSVC({ nu: 0.2 }), three, OFTEN],
  ['one class', new OneClassSVM({ nu: 0.2 }), two, OFTEN],
  ['svr', new SVR({ C: 100, epsilon: 0.2, scaler: 'standard' }), targets, OFTEN],
  ['nu-svr', new NuSVR({ C: 100, nu: 0.4, scaler: 'standard' }), targets, OFTEN],
  ['linear svc', new LinearSVC({ C: 1 }), two, OFTEN],
  ['linear svc on the engine', new LinearSVC({ C: 0.001, loss: 'hinge' }), wide, OFTEN],
  ['linear svc, each class against the rest', new LinearSVC({ C: 1, loss: 'hinge' }), three, SELDOM],
  [
    'linear svc of Crammer and Singer',
    new LinearSVC({ C: 1, multiClass: 'crammer-singer', maxIter: 1000 }),
    three,
    SELDOM,
  ],
  ['linear svr', new LinearSVR({ C: 1, epsilon: 0.1 }), targets, OFTEN],
  ['linear svc with a free bias', new LinearSVC({ C: 1, loss: 'hinge', bias: 'free' }), two, OFTEN],
  ['linear svc with a free bias, far from 0', new LinearSVC({ loss: 'hinge', bias: 'free' }), far, OFTEN],
  ['linear svc along coordinates', new LinearSVC({ C: 0.001, solver: 'dual-descent' }), wide, SELDOM],
  ['linear svc that hands over', new LinearSVC({ C: 10, loss: 'hinge', tol: 1e-9 }), words, SELDOM],
  ['linear svc of many features', new LinearSVC({ C: 10, loss: 'hinge', solver: 'newton' }), text, OFTEN],
  ['linear svc that keeps few weights', new LinearSVC({ penalty: 'l1', tol: 1e-9 }), wide, OFTEN],
  ['logistic regression', new LogisticRegression({ C: 1 }), three, OFTEN],
  ['linear one class', new LinearOneClass({ nu: 0.2 }), wide, OFTEN],
  ...solverNames.map((name): Case => {
    const estimator = new SVC({ C: 1, kernel: linear(), solver: name, maxIter: 2000 })
    // On blocks a problem of this size is done in a few rounds.
    return [name, estimator, two, name === 'smo' ? OFTEN : SELDOM]
  }),
]

/** Runs that get to the parts of the default solver that few runs get to: [what a state says of itself, …]. */
const special: readonly (readonly [kind: string, name: string, object, VectorDataset])[] = [
  ['blocks, try', 'an active set', new SVC({ C: 1e5, kernel: rbf({ gamma: 2 }), tol: 1e-5 }), many],
  [
    'pairs',
    'f64 after f32',
    new SVC({ C: 1e6, kernel: sigmoid({ gamma: 0.3, coef0: -0.1 }), tol: 1e-10 }),
    two,
  ],
  [
    'blocks, shrunk',
    'idle samples and room for few rows',
    new SVC({ C: 1e3, kernel: rbf({ gamma: 0.0005 }), cacheBytes: 2e6 }),
    wide,
  ],
]

const MOST_STATES = 10
const MOST_STOPS = 20

describe.each(cases)('%s', (_, estimator, data, every) => {
  const fittable = estimator as Fittable<VectorDataset>
  const alone = timeless(fittable.fitSync(data))

  it('gives the same model with a checkpoint, and from each of its states', () => {
    const states = expectSameFromAll(fittable, data, alone, every)
    // The first state is kept before the work begins, and the last one when it is done.
    expect(states.length).toBeGreaterThan(2)
  })

  it('gives the same model when it is stopped again and again', () => {
    let state: Uint8Array | undefined
    let isStopped = true
    for (let stops = 0; isStopped && stops < MOST_STOPS; stops++) {
      const store = new States(state, every)
      const controller = new AbortController()
      const { signal } = controller
      const save = store.save.bind(store)
      store.save = (bytes) => {
        save(bytes)
        if (store.states.length === 3) controller.abort()
      }
      withFastClock(() => fitUntil(fittable, data, store, signal))
      state = store.load()
      isStopped = signal.aborted
      expect(stops > 0 || isStopped).toBe(true)
    }
    expect(timeless(fittable.fitSync(data, { checkpoint: new States(state) }))).toBe(alone)
  })
})

describe.each(special)('%s: %s', (kind, _, estimator, data) => {
  it('goes on from there', () => {
    const fittable = estimator as Fittable<VectorDataset>
    const states = expectSameFromAll(fittable, data, timeless(fittable.fitSync(data)), OFTEN)
    expect(states.map(kindOf)).toContain(kind)
  })
})

function expectSameFromAll(
  fittable: Fittable<VectorDataset>,
  data: VectorDataset,
  alone: string,
  every: number,
) {
  const store = new States(undefined, every)
  const kept = withFastClock(() => fittable.fitSync(data, { checkpoint: store }))
  expect(timeless(kept)).toBe(alone)
  for (const state of someOf(store.states, MOST_STATES)) {
    expect(timeless(fittable.fitSync(data, { checkpoint: new States(state) }))).toBe(alone)
  }
  return store.states
}

/** Fits until the signal; a model of what was reached so far may not exist (NuSVC), but it is kept all the same. */
function fitUntil(
  fittable: Fittable<VectorDataset>,
  data: VectorDataset,
  store: States,
  signal: AbortSignal,
) {
  try {
    fittable.fitSync(data, { checkpoint: store, signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** What a state of the default solver is in the middle of. */
function kindOf(state: Uint8Array): string {
  const { solver } = (entriesOf(state).get('0/run') ?? {}) as { solver?: Snapshot }
  if (!solver?.blocks) return solver?.pairs ? 'pairs' : ''
  const { savedTry, point } = solver.blocks
  return ['blocks', savedTry && 'try', point.active.length < point.beta.length && 'shrunk']
    .filter(Boolean)
    .join(', ')
}

interface Snapshot {
  readonly blocks?: {
    readonly savedTry?: object
    readonly point: { readonly active: Uint32Array; readonly beta: Float64Array }
  }
  readonly pairs?: object
}
