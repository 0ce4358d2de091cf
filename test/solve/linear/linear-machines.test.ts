import { describe, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { measureLinear } from '../../../src/certify/linear/linear-measures.ts'
import { type Matrix, toDense, toMatrix, toSparse } from '../../../src/data/matrix/matrix.ts'
import type { TubeLoss } from '../../../src/problems/linear-loss.ts'
import {
  linearParts,
  linearWeights,
  makeCrammerSinger,
  makeLinearMachine,
  makeLinearSvr,
} from '../../../src/problems/linear-problem.ts'
import { type AnySolver, solveSync } from '../../../src/solve/driver/run.ts'
import { dualDescent } from '../../../src/solve/methods/dual-descent.ts'
import { linearAuto } from '../../../src/solve/methods/linear-auto.ts'
import { newton } from '../../../src/solve/methods/newton.ts'
import { expectClose } from '../../close.ts'
import { solveLinear, solveLinearSync } from '../../solve-linear.ts'
import { crammerSingerGolden, linearSvrGolden } from '../../suites/linear-machines.ts'

/** All of them with dense rows, every fourth with sparse ones. */
const storages = [
  { storage: 'dense', store: (matrix: Matrix) => matrix, every: 1 },
  { storage: 'sparse', store: toSparse, every: 4 },
] as const

describe.each(storages)('LIBLINEAR and scikit-learn find the same, $storage', ({ store, every }) => {
  const machines = [...crammerSingerGolden(store), ...linearSvrGolden(store)]
  test.each(machines.filter((_, k) => k % every === 0))('$title', ({ problem, primal, error, weights }) => {
    const isMachine = problem.task === 'linear'
    const solved = solveLinearSync(problem, { tol: isMachine ? 1e-11 : 1e-12, maxIter: 1_000_000 })
    const { alpha, certificate } = solved
    expect(certificate.gap).toBeLessThanOrEqual(error)
    expect(Math.abs(certificate.primal - primal)).toBeLessThanOrEqual(error)
    const found = solved.weights?.slice() ?? linearWeights(problem, alpha)
    // Golden weights have that of the constant feature last, solutions the bias, for each function.
    if (solved.weights && problem.constant > 0) {
      const length = problem.samples.cols + 1
      for (let last = length - 1; last < found.length; last += length) found[last] /= problem.constant
    }
    expectClose(found, weights, 1e-5)
  })
})

/** Classes around random centres, with weights; a sample of weight 0, and one at the origin. */
function classesAround(seed: number, count: number, features: number, classes: number) {
  const random = new Random(seed)
  const centres = Array.from({ length: classes * features }, () => random.normal())
  const y = Array.from({ length: count }, () => random.int(classes))
  const rows = y.map((m) =>
    Array.from({ length: features }, (_, j) => centres[m * features + j] + 0.8 * random.normal()),
  )
  rows[2].fill(0)
  const C = y.map((_, i) => (i === 1 ? 0 : 0.1 + 2 * random.uniform()))
  return { samples: toMatrix(rows), y, classes, C }
}

/** A noisy linear function; a sample of weight 0, and one at the origin. */
function noisyLine(seed: number, count: number, features: number) {
  const random = new Random(seed)
  const rows = Array.from({ length: count }, () => Array.from({ length: features }, () => random.normal()))
  rows[2].fill(0)
  const z = rows.map((row) => row.reduce((sum, x, j) => sum + x * (j - 1), 2) + 0.5 * random.normal())
  const C = z.map((_, i) => (i === 1 ? 0 : 0.1 + 2 * random.uniform()))
  return { samples: toMatrix(rows), z, C }
}

const losses: TubeLoss[] = ['epsilon-insensitive', 'squared-epsilon-insensitive']
const biases = [0, 1, 3]

describe('Crammer–Singer', () => {
  test('ends where samples are equal and rounding cannot decide which classes a projection drops', () => {
    const samples = toMatrix([[0], [0], [0], [0]])
    const problem = makeCrammerSinger({ samples, y: [0, 1, 2, 1], classes: 3 })
    const { certificate } = solveLinearSync(problem, { maxIter: 10 })
    expect(certificate.stopReason).toBe('converged')
    expectClose([certificate.primal, certificate.dual], [4, -4], 1e-12)
    for (let seed = 0; seed < 200; seed++) {
      const random = new Random(seed)
      const count = 3 + random.int(10)
      const rows = Array.from({ length: count }, () => [random.int(3) - 1, random.int(3) - 1])
      const y = rows.map(() => random.int(4))
      const C = 10 ** (random.int(6) - 3)
      const ties = makeCrammerSinger({ samples: toMatrix(rows), y, classes: 4, C })
      const { iterations, gap, primal } = solveLinearSync(ties, { maxIter: 10_000, seed }).certificate
      expect(iterations).toBeLessThanOrEqual(10_000)
      expect(gap).toBeLessThanOrEqual(1e-2 * primal)
    }
  })

  test('α of very short samples stay balanced beside long ones', () => {
    const random = new Random(5)
    const rows = Array.from({ length: 60 }, () => [random.normal() * 10 ** (random.int(10) - 6)])
    const problem = makeCrammerSinger({
      samples: toMatrix(rows),
      y: rows.map((_, i) => i % 4),
      classes: 4,
      C: 1e-3,
    })
    const { alpha } = solveLinearSync(problem, { maxIter: 200 })
    rows.forEach((_, i) => {
      const sum = alpha.subarray(4 * i, 4 * i + 4).reduce((all, a) => all + a, 0)
      expect(Math.abs(sum)).toBeLessThan(1e-17)
    })
  })

  test.each(biases)('optimality from the definitions, constant feature %d', (constant) => {
    for (const seed of [1, 2, 3]) {
      const problem = makeCrammerSinger({ ...classesAround(seed, 40, 3, 5), constant })
      const solved = solveLinearSync(problem, { tol: 1e-12, seed, maxIter: 1_000_000 })
      const { alpha, certificate } = solved
      expect(certificate.stopReason).toBe('converged')
      const { classes, y, C } = problem
      const rows = augmentedRows(problem.samples, constant)
      const combined = Array.from({ length: classes }, (_, m) =>
        rows[0].map((_, j) => rows.reduce((sum, row, i) => sum + alpha[i * classes + m] * row[j], 0)),
      )
      const halfSquares = (vectors: number[][]) =>
        vectors.flat().reduce((sum, own) => sum + (own * own) / 2, 0)
      // The model that goes with α may be another one than its combination of samples; without a constant feature b is 0.
      const { coef, bias } = linearParts(problem, solved)
      const W = combined.map((own, m) => [
        ...coef.subarray(m * 3, m * 3 + 3),
        ...own.slice(3).map(() => bias[m] / (constant || 1)),
      ])
      let primal = halfSquares(W)
      let dual = halfSquares(combined)
      rows.forEach((row, i) => {
        const own = alpha.subarray(i * classes, (i + 1) * classes)
        expect(Math.abs(own.reduce((sum, a) => sum + a, 0))).toBeLessThan(1e-12)
        own.forEach((a, m) => {
          expect(a).toBeLessThanOrEqual(m === y[i] ? C[i] : 0)
          dual += m === y[i] ? 0 : a
        })
        const values = W.map((w) => w.reduce((sum, entry, j) => sum + entry * row[j], 0))
        const gradient = values.map((value, m) => value + (m === y[i] ? 0 : 1))
        const slack = Math.max(...gradient) - values[y[i]]
        primal += C[i] * slack
        // Complementary slackness: who has α < 0 attains the maximum, and a slack means α_iy = C_i.
        own.forEach((a, m) => {
          if (m !== y[i] && a < 0) expect(Math.max(...gradient) - gradient[m]).toBeLessThan(1e-7)
        })
        if (slack > 1e-7) expect(own[y[i]]).toBeCloseTo(C[i], 9)
      })
      expect(primal).toBeCloseTo(certificate.primal, 9)
      expect(dual).toBeCloseTo(certificate.dual, 9)
    }
  })

  test('two classes: the machine of the hinge loss, halved', () => {
    // ½(‖w‖² + ‖−w‖²) + C max(0, 1 − 2 y⟨w, x⟩): with v = 2w this is ½ (½‖v‖² + 2C max(0, 1 − y⟨v, x⟩)).
    const { samples, y } = classesAround(4, 50, 3, 2)
    const problem = makeCrammerSinger({ samples, y, classes: 2, C: 0.7 })
    const solved = solveLinearSync(problem, { tol: 1e-9, maxIter: 1_000_000 })
    const { certificate } = solved
    const { coef, bias } = linearParts(problem, solved)
    expectClose(
      coef.subarray(0, 3),
      coef.subarray(3).map((entry) => -entry),
      1e-12,
    )
    const v = coef.subarray(3).map((entry) => 2 * entry)
    let value = 0.25 * (v.reduce((sum, entry) => sum + entry * entry, 0) + (2 * bias[1]) ** 2)
    const dense = toDense(samples)
    y.forEach((label, i) => {
      const f = v.reduce((sum, entry, j) => sum + entry * dense.values[i * 3 + j], 2 * bias[1])
      value += 0.7 * Math.max(0, 1 - (label === 1 ? f : -f))
    })
    expect(value).toBeCloseTo(certificate.primal, 9)
  })

  test('a sample at the origin costs its C, and its α say so', () => {
    const problem = makeCrammerSinger({ ...classesAround(5, 20, 3, 3), constant: 0 })
    const { alpha } = solveLinearSync(problem, { tol: 1e-7 })
    expect(alpha[2 * 3 + problem.y[2]]).toBe(problem.C[2])
  })

  test.each([
    [120, 6, 3, 1e3, 5],
    [120, 6, 4, 1e4, 20],
    [200, 12, 3, 1e3, 10],
  ])("where epochs crawl Newton's method ends it: %d x %d, %d classes, C %d", (n, d, classes, C, mean) => {
    const random = new Random(9)
    const y = Array.from({ length: n }, (_, i) => i % classes)
    const rows = y.map((m) => Array.from({ length: d }, (_, j) => mean + random.normal() + (m === j ? 1 : 0)))
    const problem = makeCrammerSinger({ samples: toMatrix(rows), y, classes, C })
    const { certificate } = solveLinearSync(problem, {})
    // Without it 20,000 epochs leave a gap of more than a half.
    expect(certificate.stopReason).toBe('converged')
    expect(certificate.iterations).toBeLessThan(2000)
    expect(certificate.gap).toBeLessThanOrEqual(1e-6 * certificate.primal)
  })

  test('error bars do not grow with the square of the number of samples', () => {
    const random = new Random(3)
    const rows = Array.from({ length: 20_000 }, () => Array.from({ length: 4 }, () => 100 * random.normal()))
    const y = rows.map((row, i) => (i % 10 === 0 ? i % 3 : row[0] > row[1] ? 0 : row[2] > 0 ? 1 : 2))
    const problem = makeCrammerSinger({ samples: toMatrix(rows), y, classes: 3, C: 100 })
    const { certificate } = solveLinearSync(problem, { maxIter: 3 })
    expect(certificate.evidence?.gapError).toBeLessThan(1e-9 * certificate.primal)
  })

  test('many classes, few of them active', () => {
    const problem = makeCrammerSinger(classesAround(6, 200, 8, 20))
    const { certificate } = solveLinearSync(problem, { tol: 1e-5, maxIter: 100_000 })
    expect(certificate.stopReason).toBe('converged')
    expect(certificate.gap).toBeLessThan(1e-5 * certificate.primal)
  })
})

describe('a free bias where features are many: rounds of dual descent', () => {
  const random = new Random(11)
  const rows = Array.from({ length: 150 }, () =>
    Array.from({ length: 1200 }, () => (random.uniform() < 0.03 ? random.normal() : 0)),
  )
  // Few are positive, so the bias is far from 0, and Σ β_i with it.
  const z = rows.map((row) => row.reduce((sum, x, j) => sum + (j % 3) * x, -8) + random.normal())
  const labels = z.map((own) => (own > 0 ? 1 : -1))
  const machines = (['hinge', 'squared-hinge', ...losses] as const).flatMap((loss) =>
    [0.1, 10].map((C) => ({ loss, C })),
  )
  test.each(machines)('$loss, C = $C', ({ loss, C }) => {
    const isTube = loss.endsWith('insensitive')
    const problem = makeLinearMachine({
      ...{ samples: toSparse(toMatrix(rows)), z: isTube ? z : labels, loss, C, bias: 'free', epsilon: 0.1 },
    })
    const found = solveSync(problem, linearAuto as AnySolver)
    expect(found.certificate).toMatchObject({ solver: 'dual-descent', stopReason: 'converged' })
    expect(found.certificate.gap).toBeLessThanOrEqual(1e-6 * found.certificate.primal)
    expect(found.alpha.reduce((sum, own) => sum + own, 0)).toBeCloseTo(0, 10)
  })
})

describe('regression', () => {
  const cases = losses.flatMap((loss) => biases.map((constant) => ({ loss, constant })))

  test.each(cases)(
    'optimality from the definitions, $loss, constant feature $constant',
    ({ loss, constant }) => {
      for (const epsilon of [0, 0.3]) {
        const problem = makeLinearSvr({ ...noisyLine(7, 40, 4), loss, constant, epsilon })
        // Beyond what error bars can prove: it continues until nothing moves.
        const solver = loss === 'epsilon-insensitive' ? dualDescent : newton
        const solved = solveSync(problem, solver as AnySolver, {}, { tol: 1e-16, maxIter: 100_000 })
        const { alpha: beta, certificate } = solved
        expect(certificate.maxViolation).toBeLessThanOrEqual(1e-7)
        expect(certificate.gap).toBeLessThan(1e-7)
        const rows = augmentedRows(problem.samples, constant)
        const v = rows[0].map((_, j) => rows.reduce((sum, row, i) => sum + beta[i] * row[j], 0))
        const w = Array.from(solved.weights as Float64Array)
        if (constant > 0) w[w.length - 1] /= constant
        let primal = w.reduce((sum, entry) => sum + (entry * entry) / 2, 0)
        let dual = v.reduce((sum, entry) => sum + (entry * entry) / 2, 0)
        rows.forEach((row, i) => {
          const residual = problem.z[i] - row.reduce((sum, x, j) => sum + x * w[j], 0)
          const outside = Math.max(0, Math.abs(residual) - epsilon)
          const squared = loss === 'squared-epsilon-insensitive'
          primal += problem.C[i] * (squared ? outside * outside : outside)
          dual += epsilon * Math.abs(beta[i]) - problem.z[i] * beta[i]
          // The sign of β is that of the residual; outside the tube β is the slope of the loss, inside it is 0.
          if (squared) {
            if (problem.C[i] > 0) dual += beta[i] ** 2 / (4 * problem.C[i])
            expect(beta[i]).toBeCloseTo(2 * problem.C[i] * outside * Math.sign(residual), 7)
          } else {
            expect(Math.abs(beta[i])).toBeLessThanOrEqual(problem.C[i])
            if (outside > 1e-6) expect(beta[i]).toBe(problem.C[i] * Math.sign(residual) + 0)
            if (Math.abs(residual) < epsilon - 1e-6) expect(beta[i]).toBe(0)
          }
        })
        expect(primal).toBeCloseTo(certificate.primal, 9)
        expect(dual).toBeCloseTo(certificate.dual, 9)
      }
    },
  )

  test('targets within the tube need no w', () => {
    const problem = makeLinearSvr({ ...noisyLine(8, 20, 3), z: Array(20).fill(0.2), epsilon: 0.3 })
    const { alpha, certificate } = solveLinearSync(problem)
    expect(alpha.every((entry) => entry === 0)).toBe(true)
    expect(certificate).toMatchObject({ primal: 0, dual: 0, stopReason: 'converged', supportVectors: 0 })
  })

  test.each(losses)('the unit of the targets does not matter: %s', (loss) => {
    const unit = 2 ** 20
    const line = noisyLine(9, 60, 3)
    const squared = loss === 'squared-epsilon-insensitive'
    // With targets and tube u times as wide, w is; the same C for the squared loss, u times C for the other.
    const small = solveLinearSync(makeLinearSvr({ ...line, loss, epsilon: 0.1 }))
    const large = solveLinearSync(
      makeLinearSvr({
        ...line,
        z: line.z.map((value) => value * unit),
        C: squared ? line.C : line.C.map((C) => C * unit),
        loss,
        epsilon: 0.1 * unit,
      }),
    )
    expect(large.certificate.iterations).toBe(small.certificate.iterations)
    expectClose(
      large.alpha.map((entry) => entry / unit),
      small.alpha,
      1e-12,
    )
  })

  test("LIBLINEAR's rule ends a run where it is asked for", () => {
    const problem = makeLinearSvr({ ...noisyLine(9, 60, 4), epsilon: 0.1 })
    const run = (liblinearEps: number) => solveSync(problem, dualDescent, { liblinearEps }, { seed: 1 })
    const [coarse, fine] = [run(0.3), run(1e-3)]
    expect(coarse.certificate.iterations).toBeLessThan(fine.certificate.iterations)
    expect(coarse.certificate.gap).toBeGreaterThan(fine.certificate.gap)
    expect(coarse.certificate.stopReason).toBe('stalled')
  })
})

describe('runs', () => {
  const problems = [
    makeCrammerSinger(classesAround(11, 80, 4, 3)),
    ...losses.map((loss) => makeLinearSvr({ ...noisyLine(12, 80, 4), loss })),
  ]

  test.each(problems)('seeds change the steps, not the optimum: $task', (problem) => {
    const [a, b] = [1, 2].map((seed) => solveLinearSync(problem, { seed, tol: 1e-9, maxIter: 1_000_000 }))
    expect(a.alpha).not.toEqual(b.alpha)
    expect(Math.abs(a.certificate.dual - b.certificate.dual)).toBeLessThan(2e-9 * a.certificate.primal)
  })

  test.each(problems)('in slices the same: $task', async (problem) => {
    const whole = solveLinearSync(problem, { seed: 3 })
    const sliced = await solveLinear(problem, { seed: 3 })
    expect(sliced.alpha).toEqual(whole.alpha)
  })

  test.each(problems)('limits and signals are honest: $task', async (problem) => {
    const { certificate, trace } = solveLinearSync(problem, { maxIter: 3, tol: 1e-14, trace: { every: 2 } })
    expect(certificate).toMatchObject({ stopReason: 'iteration-limit', iterations: 3 })
    expect(trace.map(({ iteration }) => iteration)).toEqual([0, 2, 3])
    expect(trace[2]).toMatchObject({ primal: certificate.primal, violation: certificate.maxViolation })
    for (let k = 1; k < trace.length; k++) expect(trace[k].dual).toBeLessThan(trace[k - 1].dual)
    expect(trace[0].dual).toBeLessThanOrEqual(0)
    expect(solveLinearSync(problem, { timeLimit: 0 }).certificate.stopReason).toBe('time-limit')
    const aborted = await solveLinear(problem, { signal: AbortSignal.abort() })
    expect(aborted.certificate).toMatchObject({ stopReason: 'aborted', iterations: 0 })
  })

  test.each(problems)('what is measured does not depend on the solver: $task', (problem) => {
    const { alpha, beta, weights, certificate } = solveLinearSync(problem, { tol: 1e-6 })
    expect(certificate).toMatchObject(measureLinear(problem, { alpha, beta, weights }))
    expect(certificate.stopReason).toBe('converged')
  })
})

describe('what cannot be used is refused', () => {
  const samples = toMatrix([[1], [2]])
  test.each([
    [
      () => makeCrammerSinger({ samples, y: [0, 2], classes: 2 }),
      'problem: y[1] must be a whole number >= 0 and < 2, got 2',
    ],
    [() => makeCrammerSinger({ samples, y: [0], classes: 2 }), '2 samples but 1 classes'],
    [
      () => makeLinearSvr({ samples, z: [0, Number.NaN] }),
      'target of sample 1 is NaN; targets must be finite',
    ],
    [() => makeLinearSvr({ samples, z: [0, 1], epsilon: -1 }), 'problem: epsilon must be >= 0, got -1'],
    [
      () => makeLinearSvr({ samples, z: [0, 1], C: [1, Number.POSITIVE_INFINITY] }),
      'problem: C[1] must be finite and >= 0, got Infinity',
    ],
    [() => makeLinearSvr({ samples: toMatrix([]), z: [] }), 'a problem needs at least one sample, got none'],
  ])('%#', (call, message) => {
    expect(call).toThrow(message)
  })
})

function augmentedRows(samples: Matrix, constant: number): number[][] {
  const { values, rows, cols } = toDense(samples)
  return Array.from({ length: rows }, (_, i) => [...values.subarray(i * cols, (i + 1) * cols), constant])
}

describe('Newton systems of tall data, whose first factor is that of a sample of the rows', () => {
  // Dense rows of 100 features, a period of 8 in their scales, and features that only a few rows have.
  const random = new Random(7)
  const rows = Array.from({ length: 2400 }, (_, i) => {
    const row = Array.from({ length: 100 }, (_, j) => random.normal() * (i % 8 === 0 ? 20 : 1) * 0.95 ** j)
    for (let j = 95; j < 100; j++) if (i % 600 !== j) row[j] = 0
    return row
  })
  const z = rows.map((row) => (row[0] + row[3] - 2 * row[7] + 2 * random.normal() > 0 ? 1 : -1))
  test.each(['squared-hinge', 'logistic', 'hinge'] as const)('%s', (loss) => {
    const problem = makeLinearMachine({ samples: toMatrix(rows), z, loss, C: 3, bias: 'none' })
    const [found, plain, known] = [
      solveSync(problem, newton as AnySolver, { engine: true }, { tol: 1e-10 }),
      solveSync(problem, newton as AnySolver, { engine: false }, { tol: 1e-10 }),
      // All rows twice with half of their C: the same sum, of which another sample is drawn.
      solveSync(
        makeLinearMachine({
          ...{ samples: toMatrix([...rows, ...rows]), z: [...z, ...z], loss, C: 1.5, bias: 'none' },
        }),
        newton as AnySolver,
        {},
        { tol: 1e-10 },
      ),
    ]
    for (const { certificate } of [found, plain, known]) {
      expect(certificate.stopReason).toBe('converged')
      expect(certificate.gap).toBeLessThanOrEqual(1e-10 * certificate.primal)
      expect(Math.abs(certificate.primal / known.certificate.primal - 1)).toBeLessThan(2e-10)
    }
  })
})
