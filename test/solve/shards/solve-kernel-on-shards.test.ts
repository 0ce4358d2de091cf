import { describe, expect, test } from 'vitest'
import { pack, unpack } from '../../../src/base/packing.ts'
import { Random } from '../../../src/base/random.ts'
import type { Certificate } from '../../../src/certify/certificate.ts'
import { measure } from '../../../src/certify/measure.ts'
import { selectRows } from '../../../src/data/matrix/matrix.ts'
import type { ShardBlock } from '../../../src/data/shards/shard-block.ts'
import { makeDataset, sampleCount, type VectorDataset } from '../../../src/data/table/dataset.ts'
import { buildName } from '../../../src/engine/memory/engine-build.ts'
import { classPairs } from '../../../src/problems/pairwise-problem.ts'
import { solveSync } from '../../../src/solve/driver/run.ts'
import { smo } from '../../../src/solve/methods/smo.ts'
import { functionProblem, type KernelShardTask, taskKernel } from '../../../src/solve/shards/kernel-task.ts'
import { runShardPass } from '../../../src/solve/shards/run-shard-pass.ts'
import {
  type BlockSource,
  InProcessExecutor,
  type ShardExecutor,
  type ShardKeep,
} from '../../../src/solve/shards/shard-executor.ts'
import type { ShardPass } from '../../../src/solve/shards/shard-pass.ts'
import {
  type KernelRunOptions,
  type KernelShardSolution,
  solveKernelOnShards,
} from '../../../src/solve/shards/solve-kernel-on-shards.ts'

/** Clouds that overlap, or a curve with noise where there is one class. */
function sample(seed: number, rows: number, classes: number): VectorDataset {
  const random = new Random(seed)
  const labels = Array.from({ length: rows }, (_, i) => i % classes)
  const values = labels.map((c) => [
    2 * Math.cos(c * 2) + random.normal(),
    2 * Math.sin(c * 2) + random.normal(),
    0.5 * random.normal(),
  ])
  return makeDataset(
    values,
    classes > 1 ? labels : values.map(([a, b]) => Math.sin(a) + 0.5 * b + 0.2 * random.normal()),
  )
}

function partsOf({ samples, labels }: VectorDataset, count: number, weights?: Float64Array): ShardBlock[] {
  return Array.from({ length: count }, (_, k) => {
    const rows = Array.from({ length: samples.rows }, (_, i) => i).filter((i) => i % count === k)
    return {
      samples: selectRows(samples, rows),
      labels: Float64Array.from(rows, (i) => (labels as Float64Array)[i]),
      ...(weights && { weights: Float64Array.from(rows, (i) => weights[i]) }),
    }
  })
}

function sourceOf(parts: readonly ShardBlock[]): BlockSource {
  return {
    columns: parts[0].samples.cols,
    rows: parts.map((part) => part.samples.rows),
    block: async (k) => parts[k],
  }
}

function memory(): ShardKeep {
  const saved = new Map<string, Uint8Array>()
  return {
    load: async (name) => saved.get(name)?.slice(),
    save: async (name, value) => {
      saved.set(name, value.slice())
    },
    remove: async (name) => {
      saved.delete(name)
    },
  }
}

const options: KernelRunOptions = { tol: 1e-4, rounds: 100, cacheBytes: 1e8, threads: 1 }

function task(change: Partial<KernelShardTask>): KernelShardTask {
  return {
    ...{ type: 'svc', kernel: { kind: 'rbf', gamma: 0.5 }, C: 2, nu: 0.3, epsilon: 0.1, seed: 0 },
    engine: buildName(),
    ...change,
  }
}

/** The point of all samples, in their order, that a solution over a set stands for, measured in f64 by the plain code. */
function measuredPlainly(
  job: KernelShardTask,
  parts: readonly ShardBlock[],
  solution: KernelShardSolution,
  which: number,
) {
  const kernel = taskKernel(job)
  const whole = wholeOf(parts)
  const starts = parts.map((_, k) => parts.slice(0, k).reduce((sum, { labels }) => sum + labels.length, 0))
  const { set, functions } = solution
  const { alpha, bias, width } = functions[which]
  const all = new Float64Array(whole.labels.length)
  for (const [i, a] of alpha.entries()) if (a !== 0) all[starts[set.blocks[i]] + set.rows[i]] = a
  const { rows, problem } = functionProblem(job, kernel, whole, which)
  const point = Float64Array.from(rows, (i) => all[i])
  return { problem, measures: measure(problem, { alpha: point, bias, width }, 1) }
}

function wholeOf(parts: readonly ShardBlock[]): ShardBlock {
  const { cols } = parts[0].samples
  const values = parts.flatMap(({ samples }) => [...samples.values])
  const labels = parts.flatMap((part) => [...part.labels])
  const weights = parts.flatMap((part) => [...(part.weights ?? [])])
  return {
    samples: { kind: 'dense', rows: labels.length, cols, values: Float64Array.from(values) },
    labels: Float64Array.from(labels),
    ...(weights.length > 0 && { weights: Float64Array.from(weights) }),
  }
}

/** The solution by this process alone. */
function solvedHere(
  job: KernelShardTask,
  parts: readonly ShardBlock[],
): Promise<KernelShardSolution | undefined> {
  const keep = memory()
  return solveKernelOnShards(job, new InProcessExecutor(sourceOf(parts), keep), keep, options)
}

function expectSolved(
  job: KernelShardTask,
  parts: readonly ShardBlock[],
  solution: KernelShardSolution | undefined,
  count = 1,
): void {
  expect(solution?.functions).toHaveLength(count)
  for (const [which, { certificate }] of solution!.functions.entries()) {
    expect(certificate.stopReason).toBe('converged')
    const { problem, measures } = measuredPlainly(job, parts, solution!, which)
    const evidence = certificate.evidence!
    const within = (name: 'primal' | 'dual' | 'gap', error: number) => {
      expect(Math.abs(certificate[name] - measures[name])).toBeLessThanOrEqual(
        error + 1e-12 * Math.abs(measures.dual),
      )
    }
    within('gap', evidence.gapError)
    within('dual', evidence.dualError)
    within('primal', evidence.primalError)
    expect(Math.abs(certificate.maxViolation - measures.maxViolation)).toBeLessThanOrEqual(
      evidence.violationError + 1e-12,
    )
    expect(measures.maxViolation).toBeLessThanOrEqual(options.tol)
    expect(evidence.rows).toBe(sampleCount(problem.samples))
    const alone = solveSync(problem, smo, {}, { tol: 1e-6 }).certificate
    expect(Math.abs(certificate.dual - alone.dual)).toBeLessThanOrEqual(1e-5 * Math.abs(alone.dual))
    expect(certificate.dual).toBeGreaterThanOrEqual(alone.dual - alone.gap - 1e-12)
  }
}

describe('kernel machines on blocks', () => {
  test.each([
    ['C-SVC', task({ classes: [0, 1] }), 2],
    ['C-SVC with class weights', task({ classes: [0, 1], classWeights: [1, 3] }), 2],
    ['nu-SVC', task({ type: 'nu-svc', classes: [0, 1] }), 2],
    ['epsilon-SVR', task({ type: 'svr' }), 1],
    ['one class', task({ type: 'one-class', nu: 0.1 }), 1],
    ['a linear kernel', task({ classes: [0, 1], kernel: { kind: 'linear' } }), 2],
    [
      'a kernel that the engine does not know',
      task({ classes: [0, 1], kernel: { kind: 'sum', of: [{ kind: 'linear' }, { kind: 'rbf', gamma: 1 }] } }),
      2,
    ],
  ] as const)('%s: the optimum of all samples, as its certificate says', async (_, job, classes) => {
    const parts = partsOf(sample(1, 420, classes), 5)
    const keep = memory()
    const solution = await solveKernelOnShards(
      job,
      new InProcessExecutor(sourceOf(parts), keep, 1),
      keep,
      options,
    )
    expectSolved(job, parts, solution)
  })

  test('samples with weights, in nu-SVC and in one class', async () => {
    const data = sample(2, 300, 2)
    const random = new Random(3)
    const weights = Float64Array.from({ length: 300 }, () => random.int(4) / 2)
    const parts = partsOf(data, 4, weights)
    for (const job of [task({ type: 'nu-svc', nu: 0.2, classes: [0, 1] }), task({ type: 'one-class' })]) {
      expectSolved(job, parts, await solvedHere(job, parts))
    }
  })

  test('four classes: a function per pair', async () => {
    const parts = partsOf(sample(4, 400, 4), 3)
    const job = task({ classes: [0, 1, 2, 3] })
    expectSolved(job, parts, await solvedHere(job, parts), [...classPairs(4)].length)
  })

  test('blocks that have one class each', async () => {
    const data = sample(5, 200, 2)
    const parts = partsOf(data, 2)
    expect(new Set(parts[0].labels).size).toBe(1)
    for (const job of [task({ classes: [0, 1] }), task({ type: 'nu-svc', classes: [0, 1] })]) {
      expectSolved(job, parts, await solvedHere(job, parts))
    }
  })

  test('any executor gives the same bits: passes that cross as bytes, in any order, twice', async () => {
    const parts = partsOf(sample(6, 300, 3), 4)
    const job = task({ classes: [0, 1, 2] })
    const quiet = await solvedHere(job, parts)
    const there = memory()
    const far = await solveKernelOnShards(job, farExecutor(parts), there, options)
    expect(withoutSeconds(far)).toEqual(withoutSeconds(quiet))
  })

  test('goes on after any round, to the same bits; limits end it with what is true', async () => {
    const parts = partsOf(sample(7, 400, 2), 8)
    const job = task({ classes: [0, 1], C: 50 })
    const quietKeep = memory()
    const executor = () => new InProcessExecutor(sourceOf(parts), memory(), 1)
    const quiet = await solveKernelOnShards(job, executor(), quietKeep, options)
    expect(quiet!.functions[0].certificate.iterations).toBeGreaterThan(1)
    const keep = memory()
    for (let starts = 0; ; starts++) {
      expect(starts).toBeLessThan(50)
      const controller = new AbortController()
      let visits = 0
      const block = async (k: number) => {
        if (++visits === 13) controller.abort()
        return parts[k]
      }
      const limited = { ...options, signal: controller.signal }
      const own = new InProcessExecutor({ ...sourceOf(parts), block }, memory(), 1)
      const solution = await solveKernelOnShards(job, own, keep, limited)
      if (solution?.functions[0].certificate.stopReason === 'converged') {
        expect(withoutSeconds(solution)).toEqual(withoutSeconds(quiet))
        break
      }
      if (solution) expect(solution.functions[0].certificate.stopReason).toBe('aborted')
    }
    const short = await solveKernelOnShards(job, executor(), memory(), { ...options, rounds: 1 })
    const { certificate } = short!.functions[0]
    expect(certificate.stopReason).toBe('iteration-limit')
    const { measures } = measuredPlainly(job, parts, short!, 0)
    expect(certificate.maxViolation).toBeCloseTo(measures.maxViolation, 6)
    expect(certificate.maxViolation).toBeGreaterThan(options.tol)
    expect(certificate.gap).toBeCloseTo(measures.gap, 6)
  })
})

/** Times are the only thing that may differ. */
function withoutSeconds(solution: KernelShardSolution | undefined): object {
  const functions = solution!.functions.map((one) => {
    const { seconds: _, ...certificate } = one.certificate as Certificate
    return { ...one, certificate }
  })
  return { ...solution, functions }
}

/** Every pass crosses as bytes, is run for the last block first, and some of them twice. */
function farExecutor(parts: readonly ShardBlock[]): ShardExecutor {
  const states = { load: async () => undefined, save: async () => {} }
  return {
    columns: parts[0].samples.cols,
    rows: parts.map((part) => part.samples.rows),
    async *run(pass, blocks) {
      const bytes = pack(pass)
      const results = new Map<number, Uint8Array>()
      for (const k of [...blocks].reverse()) {
        for (let times = 0; times <= k % 2; times++) {
          results.set(k, pack(await runShardPass(unpack(bytes) as ShardPass, parts[k], k, states, 2)))
        }
      }
      for (const k of blocks) yield unpack(results.get(k)!) as object
    },
    forget: async () => {},
  }
}
