import { afterAll, describe, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { type Matrix, toSparse } from '../../../src/data/matrix/matrix.ts'
import { withEngine } from '../../../src/engine/memory/engine.ts'
import { chooseEngineBuild } from '../../../src/engine/memory/engine-build.ts'
import { type LinearMachineProblem, makeLinearMachine } from '../../../src/problems/linear-problem.ts'
import { solveSync } from '../../../src/solve/driver/run.ts'
import { LossDescent } from '../../../src/solve/l1/loss-descent.ts'
import { ProximalDescent } from '../../../src/solve/l1/proximal-descent.ts'
import { LinearPoint } from '../../../src/solve/linear/linear-point.ts'
import { l1Newton } from '../../../src/solve/methods/l1-newton.ts'
import { linearAuto } from '../../../src/solve/methods/linear-auto.ts'
import { proximalNewton } from '../../../src/solve/methods/proximal-newton.ts'
import { EngineRows } from '../../../src/solve/rows/engine-rows.ts'
import type { LinearRows } from '../../../src/solve/rows/linear-rows.ts'
import { PlainRows } from '../../../src/solve/rows/plain-rows.ts'
import { testedBuilds } from '../../suites/engine-builds.ts'

/** Samples with a share of values other than 0, their labels those of a linear function with noise. */
function dataOf(rows: number, cols: number, share: number, seed: number) {
  const random = new Random(seed)
  const truth = Float64Array.from({ length: cols }, () => random.normal())
  const values = new Float64Array(rows * cols)
  const z = new Float64Array(rows)
  for (let i = 0; i < rows; i++) {
    let f = 0.5 * random.normal()
    for (let j = 0; j < cols; j++) {
      if (random.uniform() >= share) continue
      values[i * cols + j] = random.normal()
      f += (values[i * cols + j] * truth[j]) / Math.sqrt(share * cols)
    }
    z[i] = f > 0 ? 1 : -1
  }
  const dense: Matrix = { kind: 'dense', rows, cols, values }
  return { samples: share < 0.5 ? toSparse(dense) : dense, z }
}

/** Coordinate descent on a model both ways, from vectors of random numbers: all that they leave. */
function descendOn(rows: LinearRows, features: number, samples: number): number[][] {
  const random = new Random(features)
  const held = (length: number, make: () => number) => {
    const vector = rows.vector(length)
    for (let k = 0; k < length; k++) vector[k] = make()
    return vector
  }
  const n = features + 1
  const penalised = features
  const model = {
    penalised,
    v: held(n, () => 3 * random.normal()),
    w: held(n, () => (random.uniform() < 0.5 ? 0 : random.normal())),
    d: rows.vector(n),
  }
  const root = Array.from({ length: n * n }, () => random.normal())
  const square = rows.vector(n * n)
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      for (let k = 0; k < n; k++) square[i * n + j] += root[i * n + k] * root[j * n + k]
    }
  }
  const image = rows.vector(n)
  const totals = [rows.gramEpochs(model, square, image, 3, 0), rows.gramEpochs(model, square, image, 50, 1)]
  const byGram = [...model.d]
  const columns = rows.transposed()
  const h = held(samples, () => Math.max(0, random.normal()))
  const floor = held(n, () => 0.01)
  const diagonal = rows.vector(n)
  const list = { order: rows.list(n), active: rows.list(2) }
  for (let j = 0; j < n; j++) list.order[j] = j
  list.active[0] = n
  model.d.fill(0)
  const pairs = rows.vector(2 * samples)
  for (let i = 0; i < samples; i++) pairs[2 * i] = h[i]
  for (let epoch = 0; epoch < 3; epoch++) {
    totals.push(columns.columnEpoch(model, list, { pairs, floor, diagonal }, 0.1))
  }
  list.active[0] = n
  const scaled = rows.transposed(Float64Array.from({ length: samples }, () => random.normal()))
  const squares = rows.vector(n)
  squares.set(scaled.squaredNorms)
  const s = held(samples, () => 2 * random.normal())
  for (let epoch = 0; epoch < 3; epoch++) {
    totals.push(scaled.lossEpoch(model, list, s, squares, 0.1))
  }
  const ends = [
    [...model.d],
    [...model.w],
    [...image],
    [...pairs],
    [...diagonal],
    [...s],
    [...list.order],
    [...list.active],
  ]
  return [totals, byGram, ...ends]
}

describe.each(testedBuilds)('coordinate descent in the build %s gives the bits of plain loops', (build) => {
  afterAll(() => chooseEngineBuild(undefined))
  test.each([
    { rows: 40, cols: 13, share: 1, constant: 1.5 },
    { rows: 41, cols: 12, share: 0.3, constant: 0 },
    { rows: 37, cols: 9, share: 0.2, constant: 0.5 },
  ])('$rows × $cols, $share of them not 0', ({ rows, cols, share, constant }) => {
    chooseEngineBuild(build)
    const { samples } = dataOf(rows, cols, share, 7)
    const wanted = descendOn(new PlainRows(samples, constant), cols, rows)
    withEngine(1, (engine) => {
      expect(descendOn(new EngineRows(engine, samples, constant), cols, rows)).toEqual(wanted)
    })
  })
})

test('an epoch over columns is one over the matrix that they make', () => {
  const { samples } = dataOf(30, 6, 1, 3)
  const rows = new PlainRows(samples, 1)
  const h = new Float64Array(30).fill(2)
  const floor = new Float64Array(7).fill(0.5)
  const v = Float64Array.of(9, -8, 0.5, 30, 2, -1.5, 4)
  const square = new Float64Array(49)
  const column = new Float64Array(30)
  for (let j = 0; j < 7; j++) {
    rows.values(
      v.map((_, k) => Number(k === j)),
      column,
    )
    rows.combine(
      column.map((own, i) => own * h[i]),
      square.subarray(j * 7, j * 7 + 7),
    )
    square[j * 7 + j] += floor[j]
  }
  const byColumns = { penalised: 6, v, w: new Float64Array(7), d: new Float64Array(7) }
  const byGram = { ...byColumns, d: new Float64Array(7) }
  const diagonal = new Float64Array(7)
  const list = { order: Uint32Array.from(v.keys()), active: Uint32Array.of(7, 0) }
  const pairs = Float64Array.from({ length: 60 }, (_, k) => (k % 2 === 0 ? 2 : 0))
  rows.transposed().columnEpoch(byColumns, list, { pairs, floor, diagonal }, 1)
  rows.gramEpochs(byGram, square, new Float64Array(7), 1, 0)
  for (let j = 0; j < 7; j++) {
    expect(byColumns.d[j]).toBeCloseTo(byGram.d[j], 12)
    expect(diagonal[j]).toBeCloseTo(square[j * 8], 10)
  }
})

test('proximal Newton steps on counts with a large C end, where rare features have samples beyond their kinks', () => {
  const random = new Random(7)
  const [count, features] = [1500, 80]
  const values = new Float64Array(count * features)
  const z = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    let f = 0
    for (let j = 0; j < features; j++) {
      if (random.uniform() >= 0.6 / (1 + (j * j) / 40)) continue
      values[i * features + j] = Math.ceil(255 * random.uniform())
      f += values[i * features + j] * Math.cos(3 * j)
    }
    z[i] = f + 200 * (random.uniform() - 0.5) > 60 ? 1 : -1
  }
  const samples = toSparse({ kind: 'dense', rows: count, cols: features, values })
  const problem = makeLinearMachine({ samples, z, loss: 'squared-hinge', C: 1000, norm: 1 })
  const { certificate } = solveSync(problem, proximalNewton)
  expect(certificate.stopReason).toBe('converged')
  expect(certificate.iterations).toBeLessThan(60)
})

describe('descent on squared hinge losses', () => {
  /** Runs to the end, or for so many steps. */
  const run = (rows: LinearRows, problem: LinearMachineProblem, resume?: object, most = 1e6) => {
    const point = new LinearPoint(problem, rows, { start: undefined, resume })
    const descent = new LossDescent(problem, rows, point, () => false)
    point.keep('loss-descent', descent)
    const steps = descent.run(
      () => 1e-7 * point.primal,
      () => false,
    )
    let result = steps.next()
    for (let step = 1; !result.done && step < most; step++) result = steps.next()
    return { ends: result.done ? result.value : undefined, point }
  }

  test.each(['regularised', 'free', 'none'] as const)('ends at the optimum, bias %s', (bias) => {
    const { samples, z } = dataOf(150, 400, 0.05, 9)
    const C = Float64Array.from(z, (_, i) => (i % 7 === 0 ? 0 : 0.1 + 0.2 * (i % 3)))
    const problem = makeLinearMachine({ samples, z, loss: 'squared-hinge', C, bias, norm: 1 })
    const { ends, point } = run(new PlainRows(samples, bias === 'none' ? 0 : 1), problem)
    const { certificate } = solveSync(problem, proximalNewton, {}, { tol: 1e-8 })
    expect(ends).toBe(true)
    expect(Math.abs(point.primal - certificate.primal)).toBeLessThan(2e-7 * certificate.primal)
  })

  test('continues from a snapshot, to the bit', () => {
    const { samples, z } = dataOf(150, 400, 0.05, 9)
    const problem = makeLinearMachine({ samples, z, loss: 'squared-hinge', C: 0.3, norm: 1 })
    const rows = new PlainRows(samples, 1)
    const whole = run(rows, problem)
    const stopped = run(rows, problem, undefined, 4)
    const { ends, point } = run(rows, problem, stopped.point.state.snapshot?.())
    expect([stopped.ends, ends]).toEqual([undefined, true])
    expect(point.state.weights).toEqual(whole.point.state.weights)
    expect(point.state.iteration).toBe(whole.point.state.iteration)
  })

  test('leaves few weights and a large C to others', () => {
    const { samples, z } = dataOf(150, 400, 0.05, 9)
    const problem = makeLinearMachine({ samples, z, loss: 'squared-hinge', C: 1000, bias: 'free', norm: 1 })
    expect(run(new PlainRows(samples, 1), problem).ends).toBe(false)
  })

  describe('by interior points where C is large and factors are sparse', () => {
    const { samples, z } = dataOf(150, 400, 0.05, 9)
    const large = (C: number | Float64Array, bias: 'regularised' | 'none' = 'regularised') =>
      makeLinearMachine({ samples, z, loss: 'squared-hinge', C, bias, norm: 1 })

    test.each(['regularised', 'none'] as const)('ends at the optimum, bias %s', (bias) => {
      const problem = large(
        Float64Array.from(z, (_, i) => (i % 7 === 0 ? 0 : 1000 + 500 * (i % 3))),
        bias,
      )
      const constant = bias === 'none' ? 0 : 1
      const { certificate } = solveSync(problem, l1Newton, {}, { tol: 1e-7 })
      const plain = run(new PlainRows(samples, constant), problem)
      const fast = withEngine(1, (engine) => run(new EngineRows(engine, samples, constant), problem))
      for (const { ends, point } of [plain, fast]) {
        expect(ends).toBe(true)
        expect(Math.abs(point.primal - certificate.primal)).toBeLessThan(2e-7 * certificate.primal)
        expect(point.state.weights.filter((own) => own !== 0).length).toBeLessThan(150)
      }
    })

    test('continues from a snapshot, to the bit', () => {
      const rows = new PlainRows(samples, 1)
      const whole = run(rows, large(1000))
      let inside = 0
      for (let most = 4; most < whole.point.state.iteration; most += 3) {
        const stopped = run(rows, large(1000), undefined, most)
        const snapshot = stopped.point.state.snapshot?.() as { parts: Record<string, { interior?: object }> }
        if (snapshot?.parts['loss-descent'].interior) inside++
        const { ends, point } = run(rows, large(1000), snapshot)
        expect(ends).toBe(true)
        expect(point.state.weights).toEqual(whole.point.state.weights)
        expect(point.state.iteration).toBe(whole.point.state.iteration)
      }
      expect(inside).toBeGreaterThan(2)
    })
  })

  test('follows C up to where thousands of weights are not 0', () => {
    const { samples, z } = dataOf(3000, 4000, 0.003, 4)
    const problem = makeLinearMachine({ samples, z, loss: 'squared-hinge', C: 30, norm: 1 })
    const { ends, point } = run(new PlainRows(samples, 1), problem)
    expect(ends).toBe(true)
    expect(point.state.weights.filter((own) => own !== 0).length).toBeGreaterThan(1500)
  })
})

describe('machines with ‖w‖₁', () => {
  const shapes = [
    { rows: 300, cols: 20, share: 1 },
    { rows: 80, cols: 120, share: 0.2 },
    // More features than a matrix is made for: epochs over columns.
    { rows: 150, cols: 1600, share: 0.02 },
  ]
  test.each(shapes)(
    '$rows × $cols: the optimum, by either method and on the engine',
    ({ rows, cols, share }) => {
      const { samples, z } = dataOf(rows, cols, share, rows)
      for (const loss of ['squared-hinge', 'logistic'] as const) {
        for (const bias of ['regularised', 'free'] as const) {
          for (const C of [0.1, 3]) {
            const problem = makeLinearMachine({ samples, z, loss, C, bias, norm: 1 })
            const words = `${loss}, bias ${bias}, C ${C}`
            const [plain, fast] = [false, true].map((engine) =>
              solveSync(problem, proximalNewton, { engine }, { tol: 1e-8 }),
            )
            const other = solveSync(problem, l1Newton, {}, { tol: 1e-7 })
            for (const { certificate } of [plain, fast]) {
              expect(certificate, words).toMatchObject({ stopReason: 'converged' })
              expect(Math.abs(certificate.primal - other.certificate.primal), words).toBeLessThan(
                2e-7 * other.certificate.primal,
              )
            }
          }
        }
      }
    },
  )

  test('steps over columns continue from a snapshot, to the bit', () => {
    const { samples, z } = dataOf(300, 1600, 0.02, 2)
    const problem = makeLinearMachine({ samples, z, loss: 'logistic', C: 1, norm: 1 })
    const rows = new PlainRows(samples, 1)
    const run = (most: number, resume?: object) => {
      const point = new LinearPoint(problem, rows, { start: undefined, resume })
      const descent = new ProximalDescent(problem, rows, point, () => false)
      point.keep('proximal-newton', descent)
      const steps = descent.run(
        () => 1e-9 * point.primal,
        () => false,
      )
      let result = steps.next()
      for (let step = 1; !result.done && step < most; step++) result = steps.next()
      return { ends: result.done ? result.value : undefined, point }
    }
    const whole = run(1e6)
    expect(whole.ends).toBe(true)
    for (let most = 1; most < whole.point.state.iteration; most++) {
      const stopped = run(most)
      const { ends, point } = run(1e6, stopped.point.state.snapshot?.())
      expect([stopped.ends, ends]).toEqual([undefined, true])
      expect(point.state.weights).toEqual(whole.point.state.weights)
      expect(point.state.iteration).toBe(whole.point.state.iteration)
    }
  })

  test('auto ends by proximal steps, and names them', () => {
    const { samples, z } = dataOf(400, 30, 1, 11)
    const problem = makeLinearMachine({ samples, z, loss: 'logistic', C: 1, norm: 1 })
    expect(solveSync(problem, linearAuto).certificate).toMatchObject({
      solver: 'proximal-newton',
      stopReason: 'converged',
    })
  })
  // One-hot features sum to the constant one, group by group: epochs over the matrix alone take 46 steps and more.
  test.each(['squared-hinge', 'logistic'] as const)(
    'dependent features and a large C take few steps: %s',
    (loss) => {
      const random = new Random(5)
      const [rows, groups, size] = [2000, 8, 6]
      const cols = groups * size
      const truth = Float64Array.from({ length: cols }, () => random.normal())
      const values = new Float64Array(rows * cols)
      const z = new Float64Array(rows)
      for (let i = 0; i < rows; i++) {
        let f = random.normal()
        for (let group = 0; group < groups; group++) {
          const j = group * size + random.int(size)
          values[i * cols + j] = 1
          f += truth[j]
        }
        z[i] = f > 0 ? 1 : -1
      }
      const samples = toSparse({ kind: 'dense', rows, cols, values })
      const { certificate } = solveSync(makeLinearMachine({ samples, z, loss, C: 100, norm: 1 }), linearAuto)
      expect(certificate).toMatchObject({ solver: 'proximal-newton', stopReason: 'converged' })
      expect(certificate.iterations).toBeLessThanOrEqual(12)
    },
  )
})
