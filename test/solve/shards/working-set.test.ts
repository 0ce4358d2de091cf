/** Working sets of linear machines: solved to the end, and few rounds where blocks descend from the same weights. */
import { describe, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { measureBlock, ShardMeasures } from '../../../src/certify/linear/shard-measures.ts'
import { type DenseMatrix, selectRows } from '../../../src/data/matrix/matrix.ts'
import { type LinearLoss, lossTerms, lossViolation } from '../../../src/problems/linear-loss.ts'
import { InProcessExecutor } from '../../../src/solve/shards/shard-executor.ts'
import { solveOnShards } from '../../../src/solve/shards/solve-on-shards.ts'
import { gatherSamples, joinWorkingSet, solveWorkingSet } from '../../../src/solve/shards/working-set.ts'

function problem(rows: number, cols: number, isRegression: boolean, seed = 3) {
  const random = new Random(seed)
  const values = Float64Array.from({ length: rows * cols }, () => random.normal())
  const samples: DenseMatrix = { kind: 'dense', rows, cols, values }
  const labels = Float64Array.from({ length: rows }, (_, i) => {
    const value = values[i * cols] - values[i * cols + 1] + 0.5 * random.normal()
    return isRegression ? value : Math.sign(value)
  })
  return { samples, labels }
}

const kinks: [LinearLoss, number, number][] = [
  ['hinge', 60, 200],
  ['hinge', 150, 150],
  ['epsilon-insensitive', 60, 200],
]

describe('a working set', () => {
  test.each(kinks)('%s of %i samples with %i features is solved', (loss, rows, cols) => {
    const { samples, labels } = problem(rows, cols, loss === 'epsilon-insensitive')
    const terms = lossTerms(loss, new Float64Array(rows).fill(0.7), labels, 0.1)
    const set = { samples, terms, beta: new Float64Array(rows) }
    const weights = new Float64Array(cols + 1)
    for (let k = 0; k < 4; k++) solveWorkingSet(set, 1, weights, k)
    const measures = new ShardMeasures(weights)
    measures.add(measureBlock(samples, terms, 1, weights, set.beta))
    const { primal, gap, maxViolation } = measures.end()
    expect(gap / primal).toBeLessThan(1e-9)
    expect(maxViolation).toBeLessThan(1e-4)
    for (const [i, beta] of set.beta.entries()) {
      expect(beta).toBeGreaterThanOrEqual(terms.lower[i])
      expect(beta).toBeLessThanOrEqual(terms.upper[i])
    }
  })

  test.each(['hinge', 'epsilon-insensitive'] as const)(
    '%s with more samples than features: the dual falls every time',
    (loss) => {
      const { samples, labels } = problem(300, 40, loss === 'epsilon-insensitive')
      const terms = lossTerms(loss, new Float64Array(300).fill(0.7), labels, 0.1)
      const set = { samples, terms, beta: new Float64Array(300) }
      const weights = new Float64Array(41)
      const duals = [0]
      for (let k = 0; k < 3; k++) {
        solveWorkingSet(set, 1, weights, k)
        const measures = new ShardMeasures(weights)
        measures.add(measureBlock(samples, terms, 1, weights, set.beta))
        duals.push(measures.end().dual)
        // w̃ has been kept up to β.
        for (const [j, v] of measures.v.entries()) expect(weights[j]).toBeCloseTo(v, 9)
      }
      expect(duals).toEqual([...duals].sort((a, b) => b - a))
      expect(new Set(duals).size).toBe(4)
    },
  )

  test('has the samples that violate most, within so many stored values', () => {
    const { samples, labels } = problem(400, 10, false)
    const terms = lossTerms('hinge', new Float64Array(400).fill(1), labels, 0)
    const beta = new Float64Array(400)
    const weights = new Float64Array(11)
    weights[0] = 0.8
    const { rows, given, unsettled } = gatherSamples({ samples, terms, beta }, 0, weights, 550)
    expect(rows.length).toBe(50)
    expect(given).toBe(550)
    const violations = labels.map((_, i) => lossViolation(terms, i, 0.8 * samples.values[10 * i], 0))
    expect(unsettled).toBe(11 * violations.filter((violation) => violation > 0).length)
    const least = Math.min(...Array.from(rows, (i) => violations[i]))
    expect(violations.filter((violation) => violation > least).length).toBeLessThan(50)
    const joined = joinWorkingSet([
      gatherSamples({ samples, terms, beta }, 0, weights, 110),
      gatherSamples({ samples, terms, beta }, 0, weights, 0),
    ])
    expect(joined?.samples.rows).toBe(10)
  })

  test('takes few rounds to a gap of 1e-6, and is continued with the same bits', async () => {
    const { samples, labels } = problem(600, 520, false)
    const blocks = Array.from({ length: 8 }, (_, k) => {
      const rows = Array.from({ length: 75 }, (_, i) => 8 * i + k)
      return { samples: selectRows(samples, rows), labels: Float64Array.from(rows, (i) => labels[i]) }
    })
    const source = { columns: 520, rows: blocks.map(() => 75), block: async (k: number) => blocks[k] }
    const task = { loss: 'hinge', C: 1, epsilon: 0, constant: 1, seed: 0, classes: [-1, 1] } as const
    const keepOf = (saved = new Map<string, Uint8Array>()) => ({
      load: async (name: string) => saved.get(name)?.slice(),
      save: async (name: string, value: Uint8Array) => void saved.set(name, value.slice()),
      remove: async (name: string) => void saved.delete(name),
    })
    const run = (keep: ReturnType<typeof keepOf>, signal?: AbortSignal, onProgress?: () => void) =>
      solveOnShards(task, new InProcessExecutor(source, keep), keep, {
        ...{ tol: 1e-6, maxIter: 1000, memoryBytes: 1e8, together: 8, signal, onProgress },
      })
    const [whole] = await run(keepOf())
    expect(whole.certificate).toMatchObject({ stopReason: 'converged', solver: 'block-descent, working-set' })
    expect(whole.certificate.iterations).toBeLessThanOrEqual(12)
    const keep = keepOf()
    let parts = 0
    for (let passes = 0, isDone = false; !isDone; passes = 0, parts++) {
      const control = new AbortController()
      const onProgress = () => {
        if (++passes === 40) control.abort()
      }
      const [{ certificate, weights }] = await run(keep, control.signal, onProgress)
      isDone = certificate.stopReason === 'converged'
      if (isDone) expect(weights).toEqual(whole.weights)
    }
    expect(parts).toBeGreaterThan(1)
  })
})
