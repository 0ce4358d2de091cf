/** Data in batches: what a model says of them is what it says of all rows together, of linear models to the bit. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { type RowBatch, throughBatches } from '../../../src/cli/options/data-batches.ts'
import {
  evaluateAny,
  evaluationOf,
  GatheredPredictions,
  predictionsOf,
} from '../../../src/cli/report/evaluation.ts'
import { parseVectors } from '../../../src/data/files/parse-vectors.ts'
import { runInSlices, setFitRunner } from '../../../src/estimators/fitting/fit-runner.ts'
import { formatLibsvm } from '../../../src/formats.ts'
import {
  fitCalibrated,
  generate,
  LinearOneClass,
  LinearSVC,
  LinearSVR,
  LogisticRegression,
  rbf,
  SVC,
  SVR,
  type VectorDataset,
} from '../../../src/index.ts'
import type { Model } from '../../../src/models/model.ts'
import { clouds, curve } from '../../suites/tool-data.ts'

setFitRunner(runInSlices)
const folder = mkdtempSync(join(tmpdir(), 'hyperplane-batches-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

/** LIBSVM text is read a megabyte at a time: batches end there. */
const two = clouds(3, 24_000, [-1, 1])
const three = clouds(4, 24_000, [4, 2, 9])
const targets = curve(5, 24_000)
const some = ({ samples, labels }: VectorDataset) => ({
  samples: { ...samples, rows: 200, values: samples.values.slice(0, 1000) } as VectorDataset['samples'],
  labels: labels.slice(0, 200) as Float64Array,
})

it.each([
  ['linear-svc', two, () => new LinearSVC().fit(some(two))],
  ['logistic-regression', three, () => new LogisticRegression().fit(some(three))],
  ['linear-svr', targets, () => new LinearSVR().fit(some(targets))],
  ['linear-one-class', two, () => new LinearOneClass({ nu: 0.3 }).fit(some(two))],
  ['svc', two, () => new SVC({ kernel: rbf({ gamma: 0.2 }) }).fit(some(two))],
  ['svc of three', three, () => fitCalibrated(new SVC(), some(three))],
  ['svr', targets, () => new SVR().fit(some(targets))],
] as const)('%s: predictions and scores are those of all rows', async (name, data, train) => {
  const model = (await train()) as unknown as Model
  for (const [format, text] of [['libsvm', formatLibsvm(data)]] as const) {
    const path = file(`${name}.${format}`, text)
    const whole = await parseVectors(text, { format })
    let count = 0
    const gathered = await throughBatches(
      path,
      {},
      model,
      async (batches) => {
        const all = new GatheredPredictions()
        for await (const batch of batches) {
          all.add(batch.labels, predictionsOf(batch, model))
          count++
        }
        return all
      },
      { batchBytes: 2e5 },
    )
    expect(count).toBeGreaterThan(1)
    expect(gathered.labels).toEqual(whole.labels)
    if (model.type !== 'svr') expect(gathered.predicted).toEqual(predictionsOf(whole, model).predicted)
    const { values } = predictionsOf(whole, model)
    if (model.kernel.spec.kind === 'linear') {
      expect(gathered.values).toEqual(values)
      expect(evaluationOf(gathered, model)).toEqual(evaluateAny(whole, model))
    } else {
      // How many rows there are decides whether the engine computes them: the last bits may differ.
      const far = values?.findIndex((value, i) => Math.abs(value - (gathered.values?.[i] ?? 0)) > 1e-12)
      expect(far ?? -1).toBe(-1)
    }
  }
})

const labelsOf = async (batches: AsyncIterable<RowBatch>) => {
  const all = []
  let first = -1
  for await (const { labels, samples } of batches) {
    all.push(...labels)
    if (samples.kind === 'sparse' && first < 0) first = samples.indices[0]
  }
  return { all, first }
}

it('begins again where index 0 comes late, or says what to do', async () => {
  const lines = `${'1 1:0.5 2:1\n'.repeat(150_000)}-1 0:2 1:1\n`
  const path = file('late', lines)
  const { all, first } = await throughBatches(path, {}, {}, labelsOf, { batchBytes: 1e5 })
  expect(all.length).toBe(150_001)
  expect(first).toBe(1)
  await expect(throughBatches(path, {}, {}, labelsOf, { batchBytes: 1e5, isFinal: true })).rejects.toThrow(
    /late: index 0 occurs only after [\d,]+ rows: say so with --index-base 0$/,
  )
})

it('a row that cannot be read is named, wherever it is', async () => {
  const data = generate('text', { n: 50, seed: 1 })
  const path = file('bad', `${formatLibsvm(data).repeat(200)}1 2:x\n`)
  await expect(throughBatches(path, {}, {}, labelsOf, { batchBytes: 1e5 })).rejects.toThrow(/bad:10001:/)
})
