/** P and N of all samples in all pairs, against sums over the kernel matrix. */
import { describe, expect, it } from 'vitest'
import { inOneGo } from '../../src/base/pieces.ts'
import { Random } from '../../src/base/random.ts'
import { pairSums } from '../../src/certify/pair-sums.ts'
import { uploadKernel } from '../../src/engine/matrix/engine-kernel.ts'
import { uploadMatrix } from '../../src/engine/matrix/engine-matrix.ts'
import { withEngine } from '../../src/engine/memory/engine.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { someMatrix } from '../suites/matrices.ts'

const ENDS = [0, 21, 40, 78]
const classes = [0, 1, 2].map((c) => [ENDS[c], ENDS[c + 1]] as const)
const pairs: readonly (readonly [number, number])[] = [
  [0, 1],
  [0, 2],
  [1, 2],
]

describe('sums of pairs', () => {
  it('are those of each pair on its own', () => {
    const samples = someMatrix(4, 78, 5)
    const random = new Random(6)
    const points = pairs.map((pair) => {
      const count = pair.reduce<number>((sum, c) => sum + classes[c][1] - classes[c][0], 0)
      const alpha = Float64Array.from({ length: count }, () => Math.max(0, random.uniform() - 0.5))
      return { pair, alpha }
    })
    const gamma = 0.3
    const rows = rbf({ gamma }).between(samples, samples)
    const K = Array.from({ length: 78 }, (_, i) => {
      const row = new Float64Array(78)
      rows.row(i, row)
      return row
    })
    const found = withEngine(1, (engine) => {
      const kernel = { kind: 'rbf', gamma, coef0: 0, degree: 1 } as const
      engine.reserveScratch(samples.cols)
      const place = {
        engine,
        kernelPointer: uploadKernel(engine, kernel),
        samples: uploadMatrix(engine, samples, kernel),
      }
      return inOneGo(pairSums(place, classes, points, true))
    })
    points.forEach(({ pair, alpha }, p) => {
      const members = pair.flatMap((c) =>
        Array.from({ length: classes[c][1] - classes[c][0] }, (_, i) => classes[c][0] + i),
      )
      const split = classes[pair[0]][1] - classes[pair[0]][0]
      expect(found[p].precision).toBe('f64')
      members.forEach((x, i) => {
        const sum = (from: number, to: number) => {
          let total = 0
          for (let k = from; k < to; k++) total += alpha[k] * K[members[k]][x]
          return total
        }
        expect(found[p].plus[i]).toBeCloseTo(sum(0, split), 12)
        expect(found[p].minus[i]).toBeCloseTo(sum(split, alpha.length), 12)
      })
    })
  })
})
