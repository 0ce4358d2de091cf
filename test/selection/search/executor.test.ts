import { describe, expect, it } from 'vitest'
import { DataError } from '../../../src/base/errors.ts'
import { generators } from '../../../src/data/generators/generators.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { evaluateCells, meanOf } from '../../../src/selection/score/evaluate-cells.ts'
import { makeScorer } from '../../../src/selection/score/scoring.ts'
import { estimatorMaker } from '../../../src/selection/search/estimator-params.ts'
import { runUnits, type Unit } from '../../../src/selection/search/executor.ts'
import { kFold } from '../../../src/selection/split/splits.ts'

const units: Unit[] = Array.from({ length: 6 }, (_, k) => ({ cell: k >> 1, fold: k & 1 }))
const output = { predicted: ['a'], seconds: 1 }

function listeners(signal?: AbortSignal) {
  const done: string[] = []
  const failed: string[] = []
  return {
    done,
    failed,
    signal,
    onResult: ({ cell, fold }: Unit) => void done.push(`${cell}.${fold}`),
    onFailure: ({ cell, fold, error }: Unit & { error: Error }) =>
      void failed.push(`${cell}.${fold} ${error.message}`),
  }
}

describe('runUnits', () => {
  it.each([1, 2, 9])('reports every unit once, %s at a time', async (concurrency) => {
    const hooks = listeners()
    let running = 0
    let most = 0
    await runUnits(units, concurrency, hooks, async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 1))
      running--
      return output
    })
    expect(hooks.done.sort()).toEqual(['0.0', '0.1', '1.0', '1.1', '2.0', '2.1'])
    expect(most).toBe(Math.min(concurrency, 6))
  })

  it('tries a unit that crashed once more, then reports it; the others do not suffer', async () => {
    const attempts = new Map<string, number>()
    const hooks = listeners()
    await runUnits(units, 2, hooks, async ({ cell, fold }) => {
      const name = `${cell}.${fold}`
      const attempt = (attempts.get(name) ?? 0) + 1
      attempts.set(name, attempt)
      if (name === '0.1' && attempt === 1) throw new Error('gone')
      if (name === '1.0') throw new Error('gone for good')
      if (name === '2.1') throw new DataError('bad data')
      return output
    })
    expect(hooks.done.sort()).toEqual(['0.0', '0.1', '1.1', '2.0'])
    expect(hooks.failed.sort()).toEqual(['1.0 gone for good', '2.1 bad data'])
    expect(attempts.get('1.0')).toBe(2)
    expect(attempts.get('2.1')).toBe(1)
  })

  it('reports nothing after a signal', async () => {
    const stop = new AbortController()
    const hooks = listeners(stop.signal)
    let calls = 0
    await runUnits(units, 1, hooks, async () => {
      if (++calls === 3) stop.abort()
      return output
    })
    expect(calls).toBe(3)
    expect(hooks.done).toEqual(['0.0', '0.1'])
  })

  it('begins nothing more when a listener throws', async () => {
    let calls = 0
    const run = runUnits(
      units,
      1,
      {
        ...listeners(),
        onResult() {
          throw new Error('disk full')
        },
      },
      async () => {
        calls++
        return output
      },
    )
    await expect(run).rejects.toThrow('disk full')
    expect(calls).toBe(1)
  })
})

describe('evaluateCells', () => {
  it('reports a cell that cannot be fitted, and all the others', async () => {
    const data = generators.moons.generate({ n: 40, noise: 0.2, seed: 1 })
    const work = {
      data,
      folds: kFold(data, { folds: 2 }),
      cells: [{ C: 1 }, { C: -1 }, { C: 2 }],
      make: estimatorMaker(new SVC()),
      job: undefined,
    }
    const [first, bad, last] = await evaluateCells(work, makeScorer('accuracy'))
    expect(bad).toMatchObject({
      mean: Number.NaN,
      failures: [
        { fold: 0, message: 'SVC: C must be > 0, got -1' },
        { fold: 1, message: 'SVC: C must be > 0, got -1' },
      ],
    })
    for (const cell of [first, last]) {
      expect(cell?.mean).toBe(meanOf(cell?.scores ?? []).mean)
      expect(cell?.failures).toBeUndefined()
    }
  })
})
