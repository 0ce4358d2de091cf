import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { formatLibsvm } from '../../../src/data/libsvm/libsvm-writer.ts'
import { ShardStore } from '../../../src/data/shards/shard-store.node.ts'
import { writeShards } from '../../../src/data/shards/write-shards.node.ts'
import { fitOnShards } from '../../../src/estimators/fitting/fit-on-shards.node.ts'
import { LinearSVC } from '../../../src/estimators/linear-svc.ts'
import { LogisticRegression } from '../../../src/estimators/logistic-regression.ts'
import type { LinearSvcModel } from '../../../src/models/linear-svc-model.ts'
import { clouds } from '../../suites/tool-data.ts'

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
  const whole = await estimator.fit({ ...data, samples: data.samples } as never)
  expect(isComplete).toBe(true)
  // The file has sparse rows, which are not centred: the two have different scalers but for their scales.
  expect(model.scaler).toMatchObject({ kind: 'standard', mean: [0, 0, 0, 0, 0] })
  expect(model.certificate?.stopReason).toBe('converged')
  const probabilities = (model as LinearSvcModel).predictProbability(data.samples)
  expect(probabilities).toHaveLength(3 * 200)
  const wrong = whole.predict(data.samples).filter((label, i) => label !== model.predict(data.samples)[i])
  expect(wrong.length).toBeLessThanOrEqual(6)
  expect(readdirSync(join(shards, 'runs'))).toEqual([])
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
