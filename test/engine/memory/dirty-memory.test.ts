/** Memory of the engine is not cleared between two users of it: results must not depend on what the last one left there. */
import { describe, expect, test } from 'vitest'
import '../../../src/engine/memory/all-builds.ts'
import { generate } from '../../../src/data/generators/generators.ts'
import { makeDataset } from '../../../src/data/table/dataset.ts'
import { withEngine } from '../../../src/engine/memory/engine.ts'
import { LinearSVC } from '../../../src/estimators/linear-svc.ts'
import { NuSVC } from '../../../src/estimators/nu-svc.ts'
import { NuSVR } from '../../../src/estimators/nu-svr.ts'
import { OneClassSVM } from '../../../src/estimators/one-class-svm.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { SVR } from '../../../src/estimators/svr.ts'
import { polynomial } from '../../../src/kernels/polynomial.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { crossValidate } from '../../../src/selection/score/cross-validate.ts'
import { tune } from '../../../src/selection/search/tune.ts'

const BYTES = 50e6

const moons = generate('moons', { n: 400, noise: 0.3, seed: 2 })
const many = generate('moons', { n: 2500, noise: 0.2, seed: 3 })
const three = makeDataset(
  moons.samples,
  Array.from(moons.labels, (label, i) => (i % 5 === 0 ? 'other' : String(label))),
)
const blobs = generate('blobs', { n: 90, centers: 3, classes: 3, spread: 3, seed: 2 })
const sine = generate('sine', { n: 500, noise: 0.2, seed: 2 })
const grid = { C: [0.1, 1, 10, 100, 1000], gamma: [0.03, 0.3, 3, 30] }
const shared = { folds: 4, refit: false } as const

const jobs: Readonly<Record<string, () => unknown>> = {
  'a search, two classes': async () => (await tune(new SVC(), moons, { grid, ...shared })).cells,
  'a search, three classes': async () => (await tune(new SVC(), three, { grid, ...shared })).cells,
  'a search, numbers': async () => (await tune(new SVR(), sine, { grid, ...shared })).cells,
  'a search, ν': async () => (await tune(new NuSVR(), sine, { grid, ...shared })).cells,
  'a search, ν of classes': async () =>
    (await tune(new NuSVC(), blobs, { grid: { nu: [0.1, 0.3], gamma: [0.5, 2] }, folds: 3, refit: false }))
      .cells,
  'folds, ν of classes': async () =>
    (await crossValidate(new NuSVC({ nu: 0.3, kernel: rbf({ gamma: 0.5 }) }), blobs, { folds: 3 })).scores,
  'a search over one kernel': async () =>
    (await tune(new SVC({ kernel: rbf({ gamma: 3 }) }), moons, { grid: { C: grid.C }, ...shared })).cells,
  'few samples': () => new SVC({ C: 100, kernel: rbf({ gamma: 4 }) }).fitSync(moons).toJSON(),
  'many samples': () => new SVC({ C: 10, kernel: rbf({ gamma: 4 }) }).fitSync(many).toJSON(),
  'many samples, a polynomial': () =>
    new SVC({ C: 1, kernel: polynomial({ degree: 3, gamma: 1, coef0: 1 }) }).fitSync(many).toJSON(),
  'pairs of classes': () => new SVC({ C: 10, kernel: rbf({ gamma: 4 }) }).fitSync(three).toJSON(),
  'ν-SVC': () => new NuSVC({ nu: 0.4, kernel: rbf({ gamma: 2 }) }).fitSync(moons).toJSON(),
  'one class': () => new OneClassSVM({ nu: 0.1, kernel: rbf({ gamma: 2 }) }).fitSync(moons).toJSON(),
  'a linear machine': () =>
    new LinearSVC({ loss: 'hinge', solver: 'newton' })
      .fitSync(generate('blobs', { n: 11_000, spread: 3, seed: 1 }))
      .toJSON(),
  predictions: () =>
    Array.from(new SVC({ C: 10, kernel: rbf({ gamma: 4 }) }).fitSync(moons).decisionFunction(many.samples)),
}

/** What came of a job, but for clocks, when memory is full of this byte. */
async function resultOf(job: () => unknown, byte: number): Promise<string> {
  withEngine(1, (engine) => void engine.array(Uint8Array, BYTES).fill(byte))
  return JSON.stringify(await job(), (name, value) => (/seconds/i.test(name) ? 0 : value))
}

describe('memory full of anything', () => {
  test.each(Object.entries(jobs))('%s: the same bits', async (_, job) => {
    const clean = await resultOf(job, 0)
    expect(clean.length).toBeGreaterThan(100)
    // Not numbers, and large ones: as indices, counts, f32 and f64.
    for (const byte of [0xff, 0x45]) expect(await resultOf(job, byte)).toBe(clean)
  })
})
