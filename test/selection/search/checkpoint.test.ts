/** Work made of many fits continues from any of its states, to the same result. */
import { expect, it } from 'vitest'
import {
  crossValidate,
  fitCalibrated,
  generate,
  rbf,
  SVC,
  SVR,
  type VectorDataset,
} from '../../../src/index.ts'
import { cPath } from '../../../src/selection.ts'
import { States, someOf, timeless } from '../../suites/checkpoints.ts'

const two = generate('moons', { n: 90, noise: 0.3, seed: 1 })
const three = generate('blobs', { n: 90, centers: 3, classes: 3, spread: 4, seed: 2 })
const targets = generate('friedman', { n: 60, seed: 3 })
const svc = new SVC({ C: 10, kernel: rbf({ gamma: 1 }) })

const works: readonly (readonly [
  string,
  VectorDataset,
  (data: VectorDataset, store?: States) => Promise<object>,
])[] = [
  [
    'cross-validation',
    three,
    (data, checkpoint) => crossValidate(svc, data, { folds: 3, checkpoint, threads: 2 }),
  ],
  [
    'leave-one-out',
    two,
    (data, checkpoint) => crossValidate(svc, data, { protocol: { kind: 'leave-one-out' }, checkpoint }),
  ],
  ['a warm path', two, (data, checkpoint) => cPath(svc, data, { C: [0.1, 1, 10], folds: 3, checkpoint })],
  ['a path of fits', three, (data, checkpoint) => cPath(svc, data, { C: [0.1, 10], folds: 2, checkpoint })],
  [
    'calibration of classes',
    three,
    (data, checkpoint) => fitCalibrated(svc, data, { folds: 3, ...(checkpoint && { checkpoint }) }),
  ],
  [
    'calibration of a regression',
    targets,
    (data, checkpoint) =>
      fitCalibrated(new SVR({ C: 10 }), data, { folds: 3, ...(checkpoint && { checkpoint }) }),
  ],
]

it.each(works)('%s', async (_, data, work) => {
  const alone = timeless(await work(data))
  const store = new States()
  expect(timeless(await work(data, store))).toBe(alone)
  expect(store.states.length).toBeGreaterThan(3)
  for (const state of someOf(store.states, 8)) {
    expect(timeless(await work(data, new States(state)))).toBe(alone)
  }
  const others = { ...data, weights: new Float64Array(data.labels.length).fill(2) }
  await expect(work(others, new States(store.states[1]))).rejects.toThrow('different work (other data)')
})
