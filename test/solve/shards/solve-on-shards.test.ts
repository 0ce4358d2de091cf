import { describe, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import type { Certificate } from '../../../src/certify/certificate.ts'
import { selectRows, toSparse } from '../../../src/data/matrix/matrix.ts'
import type { ShardBlock } from '../../../src/data/shards/shard-block.ts'
import { makeDataset, type VectorDataset } from '../../../src/data/table/dataset.ts'
import { LinearSVC } from '../../../src/estimators/linear-svc.ts'
import { LinearSVR } from '../../../src/estimators/linear-svr.ts'
import type { LinearLoss } from '../../../src/problems/linear-loss.ts'
import {
  type BlockSource,
  InProcessExecutor,
  type ShardKeep,
} from '../../../src/solve/shards/shard-executor.ts'
import type { LinearShardTask } from '../../../src/solve/shards/shard-task.ts'
import { type ShardRunOptions, solveOnShards } from '../../../src/solve/shards/solve-on-shards.ts'

function sample(seed: number, rows: number, cols: number, classes: number): VectorDataset {
  const random = new Random(seed)
  const centres = Array.from({ length: classes }, () => Array.from({ length: cols }, () => random.normal()))
  const labels = Array.from({ length: rows }, (_, i) => i % classes)
  const values = labels.map((c) => centres[c].map((centre) => centre + 2 * random.normal()))
  return makeDataset(values, classes > 1 ? labels : values.map(([a, b]) => 2 * a - b + random.normal()))
}

/** Every `count`-th row from k on is block k. */
function blocks({ samples, labels }: VectorDataset, count: number): BlockSource {
  const parts = Array.from({ length: count }, (_, k): ShardBlock => {
    const rows = Array.from({ length: samples.rows }, (_, i) => i).filter((i) => i % count === k)
    return {
      samples: toSparse(selectRows(samples, rows)),
      labels: Float64Array.from(rows, (i) => (labels as Float64Array)[i]),
    }
  })
  return {
    columns: samples.cols,
    rows: parts.map((part) => part.samples.rows),
    block: async (k) => parts[k],
  }
}

function memory(): ShardKeep & { readonly saved: Map<string, Uint8Array> } {
  const saved = new Map<string, Uint8Array>()
  return {
    saved,
    load: async (name) => saved.get(name)?.slice(),
    save: async (name, value) => {
      saved.set(name, value.slice())
    },
    remove: async (name) => {
      saved.delete(name)
    },
  }
}

/** Not above what training in memory has reached, and not below what that proves to be the least. */
function expectBetween({ primal }: Certificate, inMemory: Certificate): void {
  expect(primal).toBeLessThanOrEqual(inMemory.primal * (1 + 1e-6))
  expect(primal).toBeGreaterThanOrEqual(-inMemory.dual * (1 - 1e-9))
}

function train(job: LinearShardTask, source: BlockSource, keep: ShardKeep, options: ShardRunOptions) {
  return solveOnShards(job, new InProcessExecutor(source, keep), keep, options)
}

const options: ShardRunOptions = { tol: 1e-6, maxIter: 1000, memoryBytes: 1e8 }
const task = (loss: LinearLoss, change: Partial<LinearShardTask> = {}): LinearShardTask => ({
  ...{ loss, C: 0.5, epsilon: 0.1, constant: 1, seed: 0 },
  ...change,
})

describe('training on blocks', () => {
  test.each(['squared-hinge', 'hinge', 'logistic'] as const)(
    '%s ends where its certificate says',
    async (loss) => {
      const data = sample(1, 400, 12, 2)
      const [{ weights, certificate }] = await train(
        task(loss, { classes: [0, 1] }),
        blocks(data, 5),
        memory(),
        options,
      )
      expect(certificate.stopReason).toBe('converged')
      expect(certificate.gap).toBeLessThanOrEqual(1e-6 * certificate.primal)
      expect(certificate.gap).toBeGreaterThanOrEqual(-1e-12 * certificate.primal)
      if (loss === 'logistic') return
      const model = await new LinearSVC({ C: 0.5, loss, tol: 1e-8 }).fit(data as never)
      expectBetween(certificate, model.certificate)
      for (const [j, weight] of model.coef.entries()) expect(weights[j]).toBeCloseTo(weight, 2)
      expect(certificate.evidence?.gapError).toBeLessThan(1e-8 * certificate.primal)
    },
  )

  test.each(['epsilon-insensitive', 'squared-epsilon-insensitive'] as const)(
    'regression, %s',
    async (loss) => {
      const data = sample(2, 300, 8, 1)
      const [{ certificate }] = await train(task(loss), blocks(data, 4), memory(), options)
      const model = await new LinearSVR({ C: 0.5, epsilon: 0.1, loss, tol: 1e-8 }).fit(data as never)
      expect(certificate.stopReason).toBe('converged')
      expectBetween(certificate, model.certificate)
    },
  )

  test('many classes, weighted, together or one after the other', async () => {
    const data = sample(3, 300, 6, 4)
    const weights = [1, 2, 0.5, 1]
    const many = task('squared-hinge', { classes: [0, 1, 2, 3], classWeights: weights })
    const together = await train(many, blocks(data, 3), memory(), options)
    const inTurn = await train(many, blocks(data, 3), memory(), { ...options, memoryBytes: 0 })
    const classWeight = Object.fromEntries(weights.map((weight, c) => [c, weight]))
    const model = await new LinearSVC({ C: 0.5, classWeight, tol: 1e-8 }).fit(data as never)
    expect(together).toHaveLength(4)
    together.forEach(({ weights: own, certificate }, c) => {
      expect(own).toEqual(inTurn[c].weights)
      expectBetween(certificate, model.certificates![c])
    })
  })

  test.each(['squared-hinge', 'hinge'] as const)(
    '%s goes on after any pass, to the same bits',
    async (loss) => {
      const data = sample(4, 200, 10, 2)
      const job = task(loss, { classes: [0, 1] })
      const [whole] = await train(job, blocks(data, 4), memory(), options)
      const keep = memory()
      let passes = 0
      for (;;) {
        const controller = new AbortController()
        const source = blocks(data, 4)
        // Ends like a process that is killed: in the middle of every third pass, whatever was kept before.
        let visits = 0
        const block = async (k: number) => {
          if (++visits === 11) controller.abort()
          return source.block(k)
        }
        const [stopped] = await train(job, { ...source, block }, keep, {
          ...options,
          signal: controller.signal,
        })
        if (stopped.certificate.stopReason !== 'aborted') {
          expect(stopped.weights).toEqual(whole.weights)
          expect(stopped.certificate.primal).toBe(whole.certificate.primal)
          break
        }
        if (++passes > 1000) throw new Error('no end')
      }
      expect(passes).toBeGreaterThan(0)
    },
  )

  test.each(['hinge', 'epsilon-insensitive'] as const)(
    '%s, blocks that descend together: each round lowers the dual, to the same optimum',
    async (loss) => {
      // So many features that the Hessian is not gathered.
      const data = sample(6, 150, 520, loss === 'hinge' ? 2 : 1)
      const job = task(loss, { C: 0.001, ...(loss === 'hinge' && { classes: [0, 1] }) })
      const duals: number[] = []
      for (const maxIter of [2, 3, 4]) {
        const [{ certificate }] = await train(job, blocks(data, 8), memory(), {
          ...options,
          ...{ together: 8, maxIter },
        })
        duals.push(certificate.dual)
      }
      expect(duals[1]).toBeLessThan(duals[0])
      expect(duals[2]).toBeLessThan(duals[1])
      const inTurn = await train(job, blocks(data, 8), memory(), options)
      for (const together of [3, 8]) {
        const [{ certificate }] = await train(job, blocks(data, 8), memory(), { ...options, together })
        expect(certificate.stopReason).toBe('converged')
        expectBetween(certificate, inTurn[0].certificate)
      }
    },
  )

  test.each(['hinge', 'epsilon-insensitive', 'squared-hinge', 'logistic'] as const)(
    '%s of few features: few rounds, and two passes each at most, whatever the rows and blocks',
    async (loss) => {
      for (const [rows, count, C] of [
        [300, 3, 100],
        [3000, 10, 1],
      ]) {
        const isTube = loss === 'epsilon-insensitive'
        const data = sample(8, rows, 12, isTube ? 1 : 2)
        const job = task(loss, { C, ...(!isTube && { classes: [0, 1] }) })
        let passes = 0
        const onProgress = (progress: { readonly passes: number }): void => {
          passes = progress.passes + 1
        }
        const [{ certificate }] = await train(job, blocks(data, count), memory(), {
          ...{ ...options, together: count, onProgress },
        })
        expect(certificate.stopReason).toBe('converged')
        expect(certificate.iterations).toBeLessThanOrEqual(40)
        expect(passes).toBeLessThanOrEqual(2 * certificate.iterations)
      }
    },
  )

  test.each(['squared-hinge', 'hinge'] as const)('%s from the weights of a solution on', async (loss) => {
    const data = sample(9, 400, 12, 2)
    const job = task(loss, { classes: [0, 1] })
    const [first] = await train(job, blocks(data, 4), memory(), options)
    const near = task(loss, { classes: [0, 1], C: 0.51 })
    const [cold] = await train(near, blocks(data, 4), memory(), options)
    const [warm] = await train(near, blocks(data, 4), memory(), { ...options, start: [first.weights] })
    expect(warm.certificate.stopReason).toBe('converged')
    expect(warm.certificate.iterations).toBeLessThan(cold.certificate.iterations)
    expect(warm.certificate.primal / cold.certificate.primal).toBeCloseTo(1, 5)
  })

  test('a run leaves no states of blocks but those that the next pass needs', async () => {
    const data = sample(7, 200, 10, 2)
    const keep = memory()
    const limited = { ...options, maxIter: 3 }
    await train(task('hinge', { classes: [0, 1], C: 100 }), blocks(data, 4), keep, limited)
    expect([...keep.saved.keys()].filter((name) => name.startsWith('beta-')).length).toBeLessThanOrEqual(
      3 * 4,
    )
  })

  test('limits end it with the best so far', async () => {
    const data = sample(5, 200, 10, 2)
    const job = task('hinge', { classes: [0, 1], C: 100 })
    const [{ certificate }] = await train(job, blocks(data, 4), memory(), { ...options, maxIter: 3 })
    expect(certificate.stopReason).toBe('iteration-limit')
    expect(certificate.gap).toBeGreaterThan(0)
    const [late] = await train(job, blocks(data, 4), memory(), { ...options, timeLimit: 0 })
    expect(late.certificate.stopReason).toBe('time-limit')
  })
})
