/** Passes over rows and losses that threads share: the same bits on any number of threads, and in plain code. */
import { afterAll, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { type Matrix, toMatrix, toSparse } from '../../../src/data/matrix/matrix.ts'
import { withEngine } from '../../../src/engine/memory/engine.ts'
import { chooseEngineBuild, currentBuild } from '../../../src/engine/memory/engine-build.ts'
import { lossTerms } from '../../../src/problems/linear-loss.ts'
import { makeLinearMachine } from '../../../src/problems/linear-problem.ts'
import { solveSync } from '../../../src/solve/driver/run.ts'
import { linearAuto } from '../../../src/solve/methods/linear-auto.ts'
import { EngineRows } from '../../../src/solve/rows/engine-rows.ts'
import type { LinearRows } from '../../../src/solve/rows/linear-rows.ts'
import { PlainRows } from '../../../src/solve/rows/plain-rows.ts'
import { endThreads, startThreads } from '../../suites/engine-threads.ts'

afterAll(endThreads)

const ROWS = 40_001

/** So many rows that losses and sums are cut into parts. */
function manySamples(isSparse: boolean): Matrix {
  const random = new Random(8)
  const rows = Array.from({ length: ROWS }, () =>
    Array.from({ length: 11 }, () => (isSparse && random.uniform() < 0.5 ? 0 : random.normal())),
  )
  return isSparse ? toSparse(toMatrix(rows)) : toMatrix(rows)
}

/** All that the passes make of the same vectors. */
function passes(rows: LinearRows) {
  const random = new Random(9)
  const drawn = (length: number) => {
    const vector = rows.vector(length)
    for (let i = 0; i < length; i++) vector[i] = i % 7 === 3 ? 0 : random.normal()
    return vector
  }
  const z = Float64Array.from({ length: ROWS }, (_, i) => (i % 3 === 0 ? -1 : 1))
  const terms = rows.terms(lossTerms('squared-hinge', new Float64Array(ROWS).fill(0.7), z, 0))
  const [w, f, factors, q] = [rows.cols + 1, ROWS, ROWS, ROWS].map(drawn)
  const [values, beta, curvature] = [1, 2, 3].map(() => rows.vector(ROWS))
  const [sum, product, squares] = [1, 2, 3].map(() => rows.vector(rows.cols + 1))
  rows.values(w, values)
  rows.combine(factors, sum)
  rows.product(factors, w, product)
  rows.squares(factors, squares)
  const slopes = rows.slopes(terms, f, beta, curvature)
  return {
    vectors: [values, sum, product, squares, beta, curvature].map((vector) => [...vector]),
    numbers: [slopes, rows.lossSum(terms, f), rows.slopeAlong(terms, f, q, 0.3)],
  }
}

test.each([true, false])('have the same bits as plain code, sparse: %s', async (isSparse) => {
  const samples = manySamples(isSparse)
  const plain = passes(new PlainRows(samples, 1))
  const before = currentBuild()
  // Without fused multiply-adds, which plain code does not have.
  chooseEngineBuild('simd')
  try {
    await startThreads(3)
    for (const threads of [1, 2, 3]) {
      const own = withEngine(threads, (engine) => passes(new EngineRows(engine, samples, 1)))
      expect(own).toEqual(plain)
    }
  } finally {
    endThreads()
    chooseEngineBuild(before)
  }
})

test.each(['hinge', 'squared-hinge', 'logistic'] as const)(
  'make the same model on one thread and on three: %s',
  async (loss) => {
    const samples = manySamples(false)
    const random = new Random(10)
    const z = Float64Array.from({ length: ROWS }, (_, i) =>
      samples.values[11 * i] + samples.values[11 * i + 4] + random.normal() > 0.3 ? 1 : -1,
    )
    const problem = makeLinearMachine({ samples, loss, z, C: new Float64Array(ROWS).fill(0.1) })
    const solve = (threads: number) => solveSync(problem, linearAuto, {}, { threads })
    const alone = solve(1)
    expect(alone.certificate.stopReason).toBe('converged')
    await startThreads(3)
    const shared = solve(3)
    endThreads()
    expect(shared.weights).toEqual(alone.weights)
    expect(shared.alpha).toEqual(alone.alpha)
    expect(shared.certificate.iterations).toBe(alone.certificate.iterations)
  },
)
