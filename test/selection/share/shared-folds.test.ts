/** Folds of one machine: those that start from others have the same bits wherever the work is taken up. */
import { describe, expect, it } from 'vitest'
import type { Matrix } from '../../../src/data/matrix/matrix.ts'
import { rowDot } from '../../../src/data/matrix/products.ts'
import { makeDataset } from '../../../src/data/table/dataset.ts'
import { NuSVC } from '../../../src/estimators/nu-svc.ts'
import { NuSVR } from '../../../src/estimators/nu-svr.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import type { FoldOutput } from '../../../src/selection/score/fold-output.ts'
import { unitName } from '../../../src/selection/search/executor.ts'
import { sharedFolds } from '../../../src/selection/share/shared-folds.ts'
import { kFold } from '../../../src/selection/split/splits.ts'
import type { Checkpoint } from '../../../src/solve/driver/checkpoint.ts'
import { someMatrix } from '../../suites/matrices.ts'

const samples = someMatrix(5, 160, 3)
const dotRow = (matrix: Matrix, i: number) => rowDot(matrix, i, Float64Array.of(1, 0.5, -0.5))
const heights = Float64Array.from({ length: 160 }, (_, i) => Math.sin(dotRow(samples, i)) + 0.3 * (i % 3))
const kernel = rbf({ gamma: 0.7 })
const machines = [
  ['ν-SVR', new NuSVR({ kernel, C: 5, nu: 0.4 }), makeDataset(samples, heights)],
  [
    'ν-SVC of three classes',
    new NuSVC({ kernel, nu: 0.3 }),
    makeDataset(
      samples,
      heights.map((h, i) => (i % 9 === 0 ? 2 : h > 0.4 ? 1 : 0)),
    ),
  ],
] as const

/** A checkpoint that has some outputs already, and what was put into it. */
function keeping(known: ReadonlyMap<string, unknown>): { checkpoint: Checkpoint; put: string[] } {
  const put: string[] = []
  const checkpoint = {
    get: (name: string) => known.get(name),
    put: (name: string) => {
      put.push(name)
    },
  } as unknown as Checkpoint
  return { checkpoint, put }
}

describe('shared folds', () => {
  it.each(machines)('%s: the same bits with some of the folds known', async (_, machine, data) => {
    const folds = kFold(data, { folds: 5, seed: 1 })
    const whole = await sharedFolds(data, folds, () => machine, { threads: 1 })
    expect(whole.every((output) => output !== undefined)).toBe(true)
    const valuesOf = (output: FoldOutput | undefined) => output?.pairDecisions ?? output?.decisions
    for (const known of [[0, 1, 3], [1], [2, 3, 4]]) {
      const kept = new Map(known.map((fold) => [unitName({ cell: fold, fold }), whole[fold]]))
      const { checkpoint, put } = keeping(kept)
      const rest = await sharedFolds(data, folds, () => machine, { checkpoint, threads: 1 })
      expect(rest.map(valuesOf)).toEqual(whole.map(valuesOf))
      expect(put.length).toBe(5 - known.length)
    }
  })
})
