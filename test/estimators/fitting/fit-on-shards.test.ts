import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readVectors } from '../../../src/data/files/read-dataset.node.ts'
import { formatLibsvm } from '../../../src/data/libsvm/libsvm-writer.ts'
import { ShardStore } from '../../../src/data/shards/shard-store.node.ts'
import { writeShards } from '../../../src/data/shards/write-shards.node.ts'
import { fitOnShards } from '../../../src/estimators/fitting/fit-on-shards.node.ts'
import { LinearSVC } from '../../../src/estimators/linear-svc.ts'
import { LogisticRegression } from '../../../src/estimators/logistic-regression.ts'
import { NuSVC } from '../../../src/estimators/nu-svc.ts'
import { OneClassSVM } from '../../../src/estimators/one-class-svm.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { SVR } from '../../../src/estimators/svr.ts'
import { precomputed } from '../../../src/kernels/precomputed.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { formatJsonModel } from '../../../src/models/files/format-json-model.ts'
import { parseModel } from '../../../src/models/files/parse-model.ts'
import type { LinearSvcModel } from '../../../src/models/linear-svc-model.ts'
import { verify } from '../../../src/verify/verify.ts'
import { clouds, curve } from '../../suites/tool-data.ts'

const folder = mkdtempSync(join(tmpdir(), 'hyperplane-fit-on-shards-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const data = clouds(4, 200, [2, 5, 7])
const file = join(folder, 'data.libsvm')
writeFileSync(file, formatLibsvm(data))
const shards = join(folder, 'shards')
await writeShards(file, shards, { rows: 60 })
const store = await ShardStore.open(shards)

test('logistic regression on shards is that of all samples together, probabilities included', async () => {
  const estimator = new LogisticRegression({ C: 0.7, tol: 1e-9, scaler: 'standard' })
  const { model, isComplete } = await fitOnShards(estimator, store, { memoryBytes: 1e8 })
  const whole = await estimator.fit({ ...data, samples: data.samples })
  expect(isComplete).toBe(true)
  // The file has sparse rows, which are not centred: the two have different scalers except for their scales.
  expect(model.scaler).toMatchObject({ kind: 'standard', mean: [0, 0, 0, 0, 0] })
  expect(model.certificate?.stopReason).toBe('converged')
  const probabilities = (model as LinearSvcModel).predictProbability(data.samples)
  expect(probabilities).toHaveLength(3 * 200)
  const wrong = whole.predict(data.samples).filter((label, i) => label !== model.predict(data.samples)[i])
  expect(wrong.length).toBeLessThanOrEqual(6)
  expect(readdirSync(join(shards, 'runs'))).toEqual([])
})

describe('kernel machines on shards, verified on the file they come from', () => {
  const targets = join(folder, 'targets.libsvm')
  writeFileSync(targets, formatLibsvm(curve(9, 200)))
  test.each([
    ['SVC of three classes', new SVC({ C: 3, kernel: rbf({ gamma: 0.3 }) }), file],
    ["gamma by the rule 'scale', scaled", new SVC({ scaler: 'standard', classWeight: 'balanced' }), file],
    ['NuSVC', new NuSVC({ nu: 0.2 }), file],
    ['OneClassSVM', new OneClassSVM({ nu: 0.1 }), file],
    ['SVR', new SVR({ epsilon: 0.05, scaler: 'range' }), targets],
  ] as const)('%s', async (name, estimator, path) => {
    const into = join(folder, name.replaceAll(/\W/g, '-'))
    await writeShards(path, into, { rows: 40 })
    const store = await ShardStore.open(into)
    const { model, isComplete } = await fitOnShards(estimator, store, { memoryBytes: 1e8 })
    expect(isComplete).toBe(true)
    const whole = await readVectors(path)
    const { holds, verdict, parts } = await verify(model, whole)
    expect(holds, verdict).toBe(true)
    for (const part of parts) expect(part.maxViolation).toBeLessThanOrEqual(1e-3)
    const alone = await (estimator as SVC).fit(whole as never)
    expect(model.certificates).toHaveLength(alone.certificates!.length)
    for (const [p, { dual, stopReason }] of model.certificates!.entries()) {
      const other = alone.certificates![p]
      expect(stopReason).toBe('converged')
      expect(Math.abs(dual - other.dual)).toBeLessThanOrEqual(Math.abs(other.gap) + 1e-3)
    }
    // The gamma of the rule comes from sums over columns here, from all entries there.
    const gammas = [model, alone].map((one) => (one.kernel.spec as { gamma: number }).gamma)
    expect(gammas[0]).toBeCloseTo(gammas[1], 9)
  })

  test('a file tells the same model, and rounds are limited honestly', async () => {
    const store = await ShardStore.open(shards)
    const estimator = new SVC({ C: 100, kernel: rbf({ gamma: 1 }) })
    const { model } = await fitOnShards(estimator, store, { memoryBytes: 1e8, rounds: 1 })
    const read = parseModel(formatJsonModel(model))
    const { holds } = await verify(read, data as never)
    expect(holds).toBe(true)
    expect(model.certificates!.some(({ stopReason }) => stopReason === 'iteration-limit')).toBe(true)
  })

  test('what needs all samples at a time is refused', async () => {
    const refused = (options: object) => fitOnShards(new SVC<never>(options), store, { memoryBytes: 1e8 })
    await expect(refused({ solver: 'sdca' })).rejects.toThrow('SVC: solver does not apply to shards')
    await expect(refused({ maxIter: 5 })).rejects.toThrow('SVC: maxIter does not apply to shards')
    await expect(refused({ kernel: precomputed() })).rejects.toThrow(
      'SVC: kernel precomputed does not apply to shards: use a kernel of vectors',
    )
    await expect(fitOnShards(new NuSVC<never>({ nu: 0.999 }), store, { memoryBytes: 1e8 })).rejects.toThrow(
      'NuSVC: nu must be at most',
    )
  })
})

test('what needs all samples at a time is refused', async () => {
  const refused = (options: object) => fitOnShards(new LinearSVC(options), store, { memoryBytes: 1e8 })
  await expect(refused({ bias: 'free' })).rejects.toThrow('LinearSVC: bias free needs all samples in memory')
  await expect(refused({ penalty: 'l1' })).rejects.toThrow('penalty l1 needs')
  await expect(refused({ multiClass: 'crammer-singer' })).rejects.toThrow('multiClass crammer-singer needs')
  await expect(fitOnShards(new LinearSVC(), store, { memoryBytes: 1000 })).rejects.toThrow(
    'blocks of 1 MB are too large',
  )
})
