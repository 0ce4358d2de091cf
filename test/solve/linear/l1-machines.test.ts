import { describe, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { toSparse } from '../../../src/data/matrix/matrix.ts'
import { makeLinearMachine } from '../../../src/problems/linear-problem.ts'
import { type AnySolver, solveSync } from '../../../src/solve/driver/run.ts'
import { l1Newton } from '../../../src/solve/methods/l1-newton.ts'
import { linearAuto } from '../../../src/solve/methods/linear-auto.ts'

/**
 * Columns of sizes that differ by `spread` powers of ten to either side, every seventh a copy of the one before, every eleventh
 * constant, every fifth row twice. Labels are those of a linear function, or noise, too.
 */
function hardData(seed: number, rows: number, cols: number, spread: number, noise: number) {
  const random = new Random(seed)
  const values = new Float64Array(rows * cols)
  const sizes = Float64Array.from({ length: cols }, () => 10 ** (spread * (2 * random.uniform() - 1)))
  const truth = Float64Array.from({ length: cols }, () => random.normal())
  const z = new Float64Array(rows)
  for (let i = 0; i < rows; i++) {
    if (i % 5 === 4) {
      values.copyWithin(i * cols, (i - 1) * cols, i * cols)
      z[i] = noise > 0 ? -z[i - 1] : z[i - 1]
      continue
    }
    let f = noise * random.normal()
    for (let j = 0; j < cols; j++) {
      const own = j % 7 === 6 ? values[i * cols + j - 1] / sizes[j - 1] : j % 11 === 10 ? 1 : random.normal()
      values[i * cols + j] = own * sizes[j]
      f += (own * truth[j]) / Math.sqrt(cols)
    }
    z[i] = f > 0 ? 1 : -1
  }
  return { samples: { kind: 'dense' as const, rows, cols, values }, z }
}

const shapes = [
  { rows: 60, cols: 300, spread: 2, noise: 2 },
  { rows: 60, cols: 300, spread: 0, noise: 0 },
  { rows: 400, cols: 12, spread: 3, noise: 1 },
  { rows: 200, cols: 40, spread: 1, noise: 0 },
]

describe('with ‖w‖₁ hard problems are solved to a certified gap', () => {
  test.each(shapes)('$rows samples, $cols features, spread $spread, noise $noise', (shape) => {
    const { rows, cols, spread, noise } = shape
    const { samples, z } = hardData(rows + cols, rows, cols, spread, noise)
    for (const loss of ['squared-hinge', 'logistic'] as const) {
      for (const C of [0.01, 1, 100]) {
        for (const bias of ['regularised', 'free'] as const) {
          const problem = makeLinearMachine({ samples, z, loss, C, bias, norm: 1 })
          // By proximal steps first.
          const solvers = bias === 'free' ? [l1Newton, linearAuto] : [l1Newton]
          for (const solver of solvers as AnySolver[]) {
            const { certificate } = solveSync(problem, solver)
            expect(certificate, `${solver.name}, ${loss}, C ${C}, bias ${bias}`).toMatchObject({
              stopReason: 'converged',
            })
          }
        }
      }
    }
  })

  test('more features than a factor is made for, and weights that are 0', () => {
    const { samples, z } = hardData(5, 90, 1700, 0, 1)
    const problem = makeLinearMachine({ samples: toSparse(samples), z, loss: 'logistic', C: 1, norm: 1 })
    const [plain, fast] = [false, true].map((engine) =>
      solveSync(problem, l1Newton, { engine }, { tol: 1e-7 }),
    )
    for (const { certificate, weights } of [plain, fast]) {
      expect(certificate).toMatchObject({ stopReason: 'converged' })
      expect(weights?.filter((own) => own !== 0).length).toBeLessThan(200)
    }
    expect(Math.abs(fast.certificate.primal - plain.certificate.primal)).toBeLessThan(
      2e-7 * plain.certificate.primal,
    )
  })
})
