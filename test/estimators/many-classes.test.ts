/** Hundreds of classes: everything that has one part per pair of them, or one per class. */
import { describe, expect, it } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { makeDataset } from '../../src/data/table/dataset.ts'
import { LinearSVC } from '../../src/estimators/linear-svc.ts'
import { NuSVC } from '../../src/estimators/nu-svc.ts'
import { SVC } from '../../src/estimators/svc.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { formatJsonModel } from '../../src/models/files/format-json-model.ts'
import { formatLibsvmModel } from '../../src/models/files/format-libsvm-model.ts'
import { parseModel } from '../../src/models/files/parse-model.ts'
import type { SvcModel } from '../../src/models/svc-model.ts'
import { fitCalibrated } from '../../src/selection/calibrate/calibrate.ts'

/** Classes far from each other on a plane, this many samples each. */
function classes(count: number, each: number) {
  const random = new Random(3)
  const rows: number[][] = []
  const labels: number[] = []
  for (let c = 0; c < count; c++) {
    for (let s = 0; s < each; s++) {
      rows.push([Math.floor(c / 25) + 0.1 * random.normal(), (c % 25) + 0.1 * random.normal()])
      labels.push(c)
    }
  }
  return Object.assign(makeDataset(rows, labels), { rows })
}

const sameBytes = (a: Float64Array, b: Float64Array) =>
  Buffer.compare(new Uint8Array(a.buffer), new Uint8Array(b.buffer)) === 0

const data = classes(500, 2)
const settings = { kernel: rbf({ gamma: 2 }) }

describe('500 classes', () => {
  const model = new SVC({ ...settings, C: 10 }).fitSync(data)
  const { rows, labels } = data

  it('are told apart, and one certificate speaks for all pairs', () => {
    expect(model.biases.length).toBe(124_750)
    const some = rows.filter((_, i) => i % 50 === 0)
    expect(model.predict(some)).toEqual(labels.filter((_, i) => i % 50 === 0))
    expect(model.certificates).toHaveLength(1)
    expect(model.certificate).toMatchObject({ stopReason: 'converged' })
    expect(model.certificate.maxViolation).toBeLessThanOrEqual(1e-3 * (1 + 1e-6))
    expect(model.certificate.gap).toBeGreaterThanOrEqual(0)
    expect(model.info().supportVectors).toBe(1000)
  })

  it('have a score each, computed in blocks of rows', () => {
    // Two blocks: the values of all pairs for more rows than that are never in memory together.
    const scores = model.decisionFunction(rows.slice(0, 40))
    expect(scores.length).toBe(40 * 500)
    expect(model.labelsOf(scores)).toEqual(labels.slice(0, 40))
    const pairs = model.decisionFunction(rows.slice(0, 20), { decisionFunctionShape: 'ovo' })
    expect(pairs.length).toBe(20 * 124_750)
  })

  it('come back from their files', () => {
    const json = formatJsonModel(model)
    expect(json.length).toBeLessThan(40e6)
    const some = rows.filter((_, i) => i % 50 === 0)
    const back = parseModel(json) as SvcModel
    expect(back.certificates).toEqual(model.certificates)
    // Comparing half a million numbers one by one takes a test minutes.
    expect(sameBytes(back.dualCoef, model.dualCoef)).toBe(true)
    expect(sameBytes(back.biases, model.biases)).toBe(true)
    expect((parseModel(formatLibsvmModel(model)) as SvcModel).predict(some)).toEqual(model.predict(some))
  })
})

describe('60 classes', () => {
  const small = classes(60, 3)

  it('by ν', () => {
    const model = new NuSVC({ ...settings, nu: 0.5 }).fitSync(small)
    expect(model.predict(small.rows)).toEqual(small.labels)
    expect(model.certificates).toHaveLength(1)
    expect(model.certificate.stopReason).toBe('converged')
  })

  it('have probabilities', async () => {
    const model = await fitCalibrated(new SVC({ ...settings, C: 10 }), small, { folds: 3 })
    const some = small.rows.slice(0, 6)
    const probabilities = model.predictProbability(some)
    for (let i = 0; i < some.length; i++) {
      const row = probabilities.subarray(60 * i, 60 * (i + 1))
      expect(row.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 9)
      expect(row.indexOf(row.reduce((a, b) => Math.max(a, b)))).toBe(small.labels[i])
    }
  })

  it('of linear machines, each against the rest', () => {
    const rows = Array.from(small.labels as Float64Array, (c) =>
      Array.from({ length: 60 }, (_, j) => (j === c ? 1 : 0)),
    )
    const model = new LinearSVC({ C: 10 }).fitSync(makeDataset(rows, small.labels))
    expect(model.predict(rows)).toEqual(small.labels)
    expect(model.certificates).toHaveLength(60)
  })
})
