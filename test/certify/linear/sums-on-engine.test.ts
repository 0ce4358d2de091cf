import { afterAll, describe, expect, test } from 'vitest'
import '../../../src/engine/memory/all-builds.ts'
import { Random } from '../../../src/base/random.ts'
import { LinearCertifier, measureLinear } from '../../../src/certify/linear/linear-measures.ts'
import { toMatrix, toSparse } from '../../../src/data/matrix/matrix.ts'
import { uploadExact } from '../../../src/engine/matrix/engine-matrix.ts'
import { withEngine } from '../../../src/engine/memory/engine.ts'
import { chooseEngineBuild, currentBuild } from '../../../src/engine/memory/engine-build.ts'
import { makeLinearMachine } from '../../../src/problems/linear-problem.ts'

/** Several calls of the primitives, the last of an odd number of rows. */
const ROWS = 5003
const COLS = 23

/** A machine over random samples, a point of its dual, and a model; `density` of the values are not 0. */
function machine(
  loss: string,
  density: number,
  isSparse: boolean,
  bias: 'regularised' | 'free',
  norm: 1 | 2 = 2,
) {
  const random = new Random(11)
  const isTube = loss.includes('epsilon')
  const rows = Array.from({ length: ROWS }, () =>
    Array.from({ length: COLS }, () =>
      random.uniform() < density ? random.normal() * 10 ** random.int(4) : 0,
    ),
  )
  const samples = isSparse ? toSparse(toMatrix(rows)) : toMatrix(rows)
  const z = Array.from({ length: ROWS }, (_, i) => (isTube ? random.normal() : i % 3 === 0 ? 1 : -1))
  const C = Float64Array.from({ length: ROWS }, (_, i) => (i % 50 === 7 ? 0 : 10 ** random.int(3)))
  const problem = makeLinearMachine({ samples, loss: loss as 'hinge', z, C, bias, norm })
  const alpha = Float64Array.from(problem.z, (own, i) => {
    const part = i % 4 === 0 ? 0 : i % 4 === 1 ? 1 : random.uniform()
    return C[i] * part * (isTube ? random.normal() : own)
  })
  const weights = Float64Array.from({ length: COLS + 1 }, () => random.normal() / 100)
  return { problem, alpha, weights }
}

describe.each(['simd', 'scalar'] as const)(
  'the certificate of a linear machine on an engine, %s',
  (build) => {
    const before = currentBuild()
    afterAll(() => chooseEngineBuild(before))

    test.each([
      ...(['hinge', 'squared-hinge', 'epsilon-insensitive', 'squared-epsilon-insensitive'] as const).flatMap(
        (loss) => [
          { loss, density: 0.2, isSparse: true, bias: 'regularised' as const },
          { loss, density: 0.9, isSparse: true, bias: 'free' as const },
          { loss, density: 0.2, isSparse: false, bias: 'regularised' as const },
          { loss, density: 1, isSparse: false, bias: 'free' as const },
        ],
      ),
      { loss: 'squared-hinge', density: 0.5, isSparse: true, bias: 'regularised' as const, norm: 1 as const },
    ])('is the plain one to the bit: %o', ({ loss, density, isSparse, bias, ...rest }) => {
      const { problem, alpha, weights } = machine(
        loss,
        density,
        isSparse,
        bias,
        'norm' in rest ? rest.norm : 2,
      )
      chooseEngineBuild(build)
      const there = withEngine(1, (engine) => {
        const place = { engine, samples: uploadExact(engine, problem.samples), origin: problem.samples }
        return measureLinear(problem, { alpha, weights }, place)
      })
      expect(there).toEqual(measureLinear(problem, { alpha, weights }))
      expect(there.supportVectors).toBeGreaterThan(ROWS / 2)
    })

    test.each([1, 1e-3, 1e-12, 1e-300, 1e-320])(
      'is the plain one but for the last digits of logarithms: logistic, β from C down to %d C',
      (least) => {
        const { problem, alpha, weights } = machine('logistic', 0.5, true, 'regularised')
        const random = new Random(3)
        for (let i = 0; i < ROWS; i++) {
          // From 0 as from C, where 1 − β / C has the digits.
          const part = least ** random.uniform()
          alpha[i] = problem.z[i] * problem.C[i] * (i % 2 === 0 ? part : 1 - Math.min(0.5, part))
        }
        chooseEngineBuild(build)
        const there = withEngine(1, (engine) => {
          const place = { engine, samples: uploadExact(engine, problem.samples), origin: problem.samples }
          return measureLinear(problem, { alpha, weights }, place)
        })
        const here = measureLinear(problem, { alpha, weights })
        const { evidence, gap: _, ...values } = here
        for (const [name, value] of Object.entries(values)) {
          const own = there[name as keyof typeof values]
          expect(Math.abs(own - value), name).toBeLessThanOrEqual(2e-15 * Math.abs(value))
        }
        expect(Math.abs(there.primal - here.primal)).toBeLessThan(evidence.primalError)
        expect(Math.abs(there.dual - here.dual)).toBeLessThan(evidence.dualError)
        expect(there.evidence.gapError).toBeCloseTo(evidence.gapError, 20)
      },
    )

    test('is kept for the same point alone', () => {
      const { problem, alpha, weights } = machine('hinge', 0.5, true, 'regularised')
      const certifier = new LinearCertifier(problem)
      const examine = (place?: Parameters<LinearCertifier['examine']>[1]) => {
        const work = certifier.examine({ alpha, weights, bias: 0 }, place)
        for (;;) {
          const { done, value } = work.next()
          if (done) return value
        }
      }
      chooseEngineBuild(build)
      const known = withEngine(1, (engine) =>
        examine({ engine, samples: uploadExact(engine, problem.samples), origin: problem.samples }),
      )
      expect(examine()).toBe(known)
      weights[3] += 0.5
      expect(examine()).toEqual(measureLinear(problem, { alpha, weights }))
      expect(examine().primal).not.toBe(known.primal)
    })

    test('is not that of other samples that are there', () => {
      const { problem, alpha, weights } = machine('hinge', 0.5, true, 'regularised')
      const { samples: origin } = machine('hinge', 0.3, true, 'regularised').problem
      chooseEngineBuild(build)
      const there = withEngine(1, (engine) =>
        measureLinear(problem, { alpha, weights }, { engine, samples: uploadExact(engine, origin), origin }),
      )
      expect(there).toEqual(measureLinear(problem, { alpha, weights }))
    })
  },
)
