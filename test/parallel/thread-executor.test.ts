/** Selection on threads. Threads cannot load TypeScript, so this tests the built package. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { custom } from 'hyperplane/kernels'
import { generate, rbf, SVC } from 'hyperplane/node'
import {
  type EstimatorSpec,
  estimatorMaker,
  estimatorSpec,
  evaluateCells,
  inProcessExecutor,
  kFold,
  makeJob,
  makeScorer,
  type Tunable,
  threadExecutor,
  type UnitFailure,
  type UnitResult,
} from 'hyperplane/selection'
import { afterAll, describe, expect, it } from 'vitest'

const data = generate('moons', { n: 90, noise: 0.25, seed: 1 })
const cells = [0.1, 1, 10].flatMap((C) => [0.1, 1].map((gamma) => ({ C, gamma })))
const folder = mkdtempSync(join(tmpdir(), 'hyperplane-threads-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function workOf(tunable: Tunable) {
  const spec = estimatorSpec(tunable)
  const job = spec && (await makeJob(data, spec, { kind: 'k-fold', folds: 3, seed: 4 }, cells))
  return { data, folds: kFold(data, { folds: 3, seed: 4 }), cells, make: estimatorMaker(tunable), job }
}

describe('threadExecutor', () => {
  it.each([1, 2])('gives what fits on this thread give, on %s threads', async (threads) => {
    const work = await workOf(new SVC({ kernel: rbf(), scaler: 'standard' }))
    const scorer = makeScorer('roc-auc')
    const outputs = new Map<string, unknown>()
    const here = await evaluateCells(work, scorer, {
      executor: inProcessExecutor(),
      onOutput: (cell, fold, { decisions }) => outputs.set(`${cell} ${fold}`, decisions),
    })
    const there = await evaluateCells(work, scorer, {
      executor: threadExecutor({ threads }),
      onOutput: (cell, fold, { decisions }) => expect(decisions).toEqual(outputs.get(`${cell} ${fold}`)),
    })
    expect(there.map((cell) => cell?.scores)).toEqual(here.map((cell) => cell?.scores))
  })

  it('keeps functions of the user on this thread', async () => {
    const dot = custom<readonly number[]>((x, z) => x[0] * z[0] + x[1] * z[1] + 1, { name: 'dot' })
    const samples = Array.from({ length: 90 }, (_, i) =>
      Array.from(data.samples.values.subarray(2 * i, 2 * i + 2)),
    )
    const list = { samples, labels: data.labels }
    const work = { ...(await workOf((params) => new SVC({ C: Number(params.C), kernel: dot }))), data: list }
    expect(work.job).toBeUndefined()
    const results = await evaluateCells({ ...work, cells: [{ C: 1 }] }, makeScorer('accuracy'), {
      executor: threadExecutor(),
    })
    expect(results[0]?.failures).toBeUndefined()
    expect(results[0]?.mean).toBeGreaterThan(0.5)
  })

  it('replaces threads that end, tries their units again, and loses no other', async () => {
    const spec: EstimatorSpec = { type: 'svc', options: { marker: join(folder, 'once') } }
    const job = await makeJob(data, spec, { kind: 'k-fold', folds: 2 }, cells)
    const work = { ...(await workOf(new SVC())), job }
    const units = [0, 1, 2, 3].flatMap((cell) => [0, 1].map((fold) => ({ cell, fold })))
    const done: UnitResult[] = []
    const failed: UnitFailure[] = []
    const script = new URL('../fixtures/threads/crashing-cells.js', import.meta.url)
    await threadExecutor({ threads: 2, script }).run(work, units, {
      onResult: (result) => done.push(result),
      onFailure: (failure) => failed.push(failure),
    })
    const names = (list: readonly { cell: number; fold: number }[]) =>
      list.map(({ cell, fold }) => `${cell}.${fold}`).sort()
    expect(names(done)).toEqual(['0.0', '0.1', '2.0', '2.1', '3.0', '3.1'])
    expect(names(failed)).toEqual(['1.0', '1.1'])
    expect(failed[0].error.message).toBe('the thread that was fitting ended with exit code 7')
    expect(done.find(({ cell, fold }) => cell === 3 && fold === 1)?.output.seconds).toBe(3.1)
  })

  it('stops at once on a signal, and says nothing more', async () => {
    const board = generate('checkerboard', { n: 3000, seed: 1 })
    const endless = new SVC({
      C: 1e9,
      kernel: rbf({ gamma: 50 }),
      tol: 1e-15,
      solver: 'smo-random',
      maxIter: 1e12,
    })
    const job = await makeJob(board, estimatorSpec(endless) as EstimatorSpec, { kind: 'k-fold' }, [{}])
    const stop = new AbortController()
    const heard: unknown[] = []
    const work = { data: board, folds: kFold(board), cells: [{}], make: estimatorMaker(endless), job }
    setTimeout(() => stop.abort(), 300)
    await threadExecutor({ threads: 1 }).run(work, [{ cell: 0, fold: 0 }], {
      signal: stop.signal,
      onResult: (result) => heard.push(result),
      onFailure: (failure) => heard.push(failure),
    })
    expect(heard).toEqual([])
  })
})
