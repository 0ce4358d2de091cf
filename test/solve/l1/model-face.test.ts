import { describe, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { toSparse } from '../../../src/data/matrix/matrix.ts'
import { withEngine } from '../../../src/engine/memory/engine.ts'
import { ColumnCurvature } from '../../../src/solve/l1/column-curvature.ts'
import { type FaceCurvature, ModelFace } from '../../../src/solve/l1/model-face.ts'
import { SquareCurvature } from '../../../src/solve/l1/square-curvature.ts'
import { EngineRows } from '../../../src/solve/rows/engine-rows.ts'
import type { LinearRows } from '../../../src/solve/rows/linear-rows.ts'
import { PlainRows } from '../../../src/solve/rows/plain-rows.ts'

const SAMPLES = 60
const FEATURES = 12
const n = FEATURES + 1

/** A model whose first `kept` weights are not 0, and its curvature both ways. */
function modelOf(rows: LinearRows, kept: number, size: number) {
  const random = new Random(3)
  const held = (length: number, make: (k: number) => number) => {
    const vector = rows.vector(length)
    for (let k = 0; k < length; k++) vector[k] = make(k)
    return vector
  }
  const h = held(SAMPLES, () => Math.max(0, random.normal()))
  const floor = held(n, () => 0.01)
  const w = held(n, (j) => (j < kept ? size * (1 + random.uniform()) : 0))
  const v = held(n, () => 1 + 3 * random.normal())
  const model = { penalised: FEATURES, v, w, d: rows.vector(n) }
  const square = rows.vector(n * n)
  const column = rows.vector(n)
  const image = rows.vector(SAMPLES)
  for (let j = 0; j < n; j++) {
    column.fill(0)
    column[j] = 1
    rows.values(column, image)
    for (let i = 0; i < SAMPLES; i++) image[i] *= h[i]
    rows.combine(image, column)
    square.set(column, j * n)
    square[j * n + j] += floor[j]
  }
  const diagonal = held(n, (j) => square[j * n + j])
  const pairs = held(2 * SAMPLES, (k) => (k % 2 === 0 ? h[k / 2] : 0))
  const due = () => false
  return {
    model,
    square,
    pairs,
    h,
    bySquare: new SquareCurvature(rows, square, rows.vector(n), due),
    byColumns: new ColumnCurvature(rows, rows.transposed(), h, { pairs, floor, diagonal }, model.d, due),
  }
}

function rowsOf(make: (samples: Parameters<LinearRows['of']>[0]) => LinearRows): LinearRows {
  const random = new Random(1)
  const values = Float64Array.from({ length: SAMPLES * FEATURES }, () =>
    random.uniform() < 0.4 ? random.normal() : 0,
  )
  return make(toSparse({ kind: 'dense', rows: SAMPLES, cols: FEATURES, values }))
}

/** −⟨v, d⟩ + ½ dᵀ G d + ‖w + d‖₁ */
function objectiveOf({ model: { penalised, v, w, d }, square }: ReturnType<typeof modelOf>): number {
  let sum = 0
  for (let j = 0; j < n; j++) {
    sum += j < penalised ? Math.abs(w[j] + d[j]) : 0
    sum -= v[j] * d[j]
    for (let k = 0; k < n; k++) sum += 0.5 * d[j] * square[j * n + k] * d[k]
  }
  return sum
}

function run(pieces: Generator<void, void, void>): void {
  while (!pieces.next().done);
}

function descend(rows: LinearRows, own: ReturnType<typeof modelOf>, curvature: FaceCurvature) {
  run(new ModelFace(own.model, curvature, (length) => rows.vector(length)).descend(1e-10, 1e9))
}

describe.each(['plain', 'engine'])('the face of a model, %s rows', (where) => {
  const withRows = (check: (rows: LinearRows) => void) => {
    if (where === 'plain') check(rowsOf((samples) => new PlainRows(samples, 0.5)))
    else withEngine(1, (engine) => check(rowsOf((samples) => new EngineRows(engine, samples, 0.5))))
  }

  // With few of them their values are copied, with all they are not.
  test.each([3, FEATURES])('%i weights that keep their signs go to the minimum', (kept) =>
    withRows((rows) => {
      for (const name of ['bySquare', 'byColumns'] as const) {
        const own = modelOf(rows, kept, 100)
        const { model, square, pairs, h } = own
        descend(rows, own, own[name])
        const image = rows.vector(SAMPLES)
        rows.values(model.d, image)
        for (let j = 0; j < n; j++) {
          const isFree = j < kept || j === FEATURES
          if (!isFree) expect(model.d[j]).toBe(0)
          let slope = (j < FEATURES ? 1 : 0) - model.v[j]
          for (let k = 0; k < n; k++) slope += square[j * n + k] * model.d[k]
          if (isFree) expect(Math.abs(slope), `${name}, weight ${j}`).toBeLessThan(1e-7)
        }
        if (name === 'byColumns') {
          for (let i = 0; i < SAMPLES; i++) expect(pairs[2 * i + 1]).toBeCloseTo(h[i] * image[i], 7)
        }
        expect(own[name].effort).toBeGreaterThan(0)
        expect(own[name].price).toBeGreaterThan(0)
      }
    }),
  )

  test('weights that would change their signs stop at 0, and the model falls', () =>
    withRows((rows) => {
      for (const name of ['bySquare', 'byColumns'] as const) {
        const own = modelOf(rows, FEATURES, 0.02)
        const before = objectiveOf(own)
        descend(rows, own, own[name])
        const { w, d } = own.model
        const weights = Array.from(w, (weight, j) => weight + d[j]).slice(0, FEATURES)
        expect(objectiveOf(own), name).toBeLessThan(before)
        expect(weights.some((weight) => weight === 0)).toBe(true)
        expect(weights.every((weight) => weight >= 0)).toBe(true)
      }
    }))

  test('a factor serves until features join, many have left, or the matrix is another one', () =>
    withRows((rows) => {
      const { square, bySquare } = modelOf(rows, FEATURES, 100)
      const random = new Random(5)
      const all = Uint32Array.from({ length: n }, (_, j) => j)
      /** Solves over a face and checks the result; returns how many solutions that took. */
      const solve = (face: Uint32Array): number => {
        const side = Float64Array.from({ length: n }, (_, j) => (face.includes(j) ? random.normal() : 0))
        const x = side.slice()
        bySquare.effort = 0
        run(bySquare.solve(face, x))
        for (const j of face) {
          let sum = 0
          for (const k of face) sum += square[j * n + k] * x[k]
          expect(sum).toBeCloseTo(side[j], 9)
        }
        return bySquare.effort
      }
      expect(bySquare.first).toBeGreaterThan(0)
      expect(solve(all)).toBe(1)
      expect(bySquare.first).toBe(0)
      // One for the system and one for the feature that has left, which is known from then on.
      const without = (...left: number[]) => all.filter((j) => !left.includes(j))
      expect(solve(without(4))).toBe(2)
      expect(solve(without(4))).toBe(1)
      expect(solve(all)).toBe(1)
      // More than an eighth of the face, and then one that joins, take a factor.
      expect(solve(without(4, 7))).toBe(1)
      expect(solve(without(7))).toBe(1)
      for (let j = 0; j < n; j++) square[j * n + j] *= 2
      bySquare.restart()
      expect(bySquare.first).toBeGreaterThan(0)
      expect(solve(without(7))).toBe(1)
    }))
})
