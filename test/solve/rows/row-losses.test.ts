import { describe, expect, test } from 'vitest'
import '../../../src/engine/memory/all-builds.ts'
import { Random } from '../../../src/base/random.ts'
import { toMatrix } from '../../../src/data/matrix/matrix.ts'
import { withEngine } from '../../../src/engine/memory/engine.ts'
import { chooseEngineBuild } from '../../../src/engine/memory/engine-build.ts'
import { type LinearLoss, lossTerms } from '../../../src/problems/linear-loss.ts'
import { EngineRows } from '../../../src/solve/rows/engine-rows.ts'
import { PlainRows } from '../../../src/solve/rows/plain-rows.ts'
import { expectClose } from '../../close.ts'

const COUNT = 1003
const random = new Random(4)
const samples = toMatrix(
  Array.from({ length: COUNT }, () => Array.from({ length: 5 }, () => random.normal())),
)
const C = Float64Array.from({ length: COUNT }, (_, i) =>
  i % 97 === 5 ? 0 : 10 ** (random.uniform() * 6 - 3),
)
/** Values from 1e-12 to beyond where e^−f is 0, on the kinks, and equal to the targets. */
const values = Float64Array.from({ length: COUNT }, (_, i) =>
  i % 50 === 0 ? (i % 100 === 0 ? 1 : -1) : random.normal() * 10 ** (random.uniform() * 16 - 12),
)
const steps = Float64Array.from({ length: COUNT }, () => random.normal())

const losses: LinearLoss[] = [
  ...(['hinge', 'squared-hinge', 'logistic', 'one-class'] as const),
  ...(['epsilon-insensitive', 'squared-epsilon-insensitive'] as const),
]

describe.each(['simd', 'scalar'] as const)('losses in the engine, %s', (build) => {
  test.each(losses)('%s: as the plain functions', (loss) => {
    const isTube = loss.includes('epsilon')
    const z = Float64Array.from({ length: COUNT }, (_, i) =>
      loss === 'one-class' ? 0 : isTube ? random.normal() : i % 3 === 0 ? -1 : 1,
    )
    const terms = lossTerms(loss, C, z, isTube ? 0.1 : 0)
    chooseEngineBuild(build)
    withEngine(1, (engine) => {
      const made = lossTerms(loss, C, z, isTube ? 0.1 : 0, engine)
      for (const name of ['z', 'lower', 'upper', 'shift'] as const) {
        expect('pointer' in made[name], name).toBe(true)
        expect([...made[name]].map(Math.abs), name).toEqual([...terms[name]].map(Math.abs))
        expect([...made[name]].map((own) => own < 0)).toEqual([...terms[name]].map((own) => own < 0))
      }
      const plain = new PlainRows(samples, 1)
      const [here, there] = [plain, new EngineRows(engine, samples, 1)].map((rows) => {
        const own = rows.terms(terms)
        const held = (from: Float64Array) => {
          const vector = rows.vector(COUNT)
          vector.set(from)
          return vector
        }
        const f = held(values)
        const q = held(steps)
        const [beta, curvature] = [rows.vector(COUNT), rows.vector(COUNT)]
        const sum = rows.slopes(own, f, beta, curvature)
        const sums = [sum, rows.lossSum(own, f), rows.conjugateSum(own, beta)]
        for (const t of [0, 0.3, 1, 40]) {
          const { slope, bend } = rows.slopeAlong(own, f, q, t)
          sums.push(slope, bend)
        }
        const difference = rows.vector(COUNT)
        sums.push(rows.difference(beta, q, difference), rows.countPositive(q))
        rows.addScaled(0.7, q, f)
        const [scaled, products, inverses] = [held(steps), held(steps), held(steps)]
        rows.scaleAndAdd(-0.3, f, scaled)
        rows.addProductsOf(0.2, f, q, products)
        rows.invert(0.1, f, inverses)
        expect(inverses.every((value) => value > 0)).toBe(true)
        sums.push(rows.dot(f, q), rows.dot(f, q, COUNT - 2))
        return { sums, vectors: [beta, curvature, difference, f, scaled, products, inverses] }
      })
      if (loss === 'logistic') {
        expectClose(there.sums, here.sums, 1e-12)
        for (const [k, vector] of there.vectors.entries()) {
          // Relative to each value: far from the boundary slopes are small, and their digits count.
          for (let i = 0; i < COUNT; i++) {
            const exact = here.vectors[k][i]
            expect(Math.abs(vector[i] - exact)).toBeLessThanOrEqual(2e-13 * Math.abs(exact) + 1e-270)
          }
        }
      } else {
        expect(there.sums).toEqual(here.sums)
        expect(there.vectors.map((vector) => [...vector])).toEqual(here.vectors.map((vector) => [...vector]))
      }
      expect([...new EngineRows(engine, samples, 1).squaredNorms]).toEqual([...plain.squaredNorms])
    })
    chooseEngineBuild(undefined)
  })
})
