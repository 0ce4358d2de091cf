import { describe, expect, test } from 'vitest'
import { inOneGo } from '../../../src/base/pieces.ts'
import { Random } from '../../../src/base/random.ts'
import { toMatrix } from '../../../src/data/matrix/matrix.ts'
import { withEngine } from '../../../src/engine/memory/engine.ts'
import { makeCrammerSinger } from '../../../src/problems/linear-problem.ts'
import { groupByPairs } from '../../../src/solve/classes/active-classes.ts'
import { ClassNewton } from '../../../src/solve/classes/class-newton.ts'
import { ClassRows } from '../../../src/solve/classes/class-rows.ts'
import { EngineRows } from '../../../src/solve/rows/engine-rows.ts'
import type { LinearRows } from '../../../src/solve/rows/linear-rows.ts'
import { PlainRows } from '../../../src/solve/rows/plain-rows.ts'

const k = 5

function dense(random: Random, count: number, features: number) {
  return toMatrix(
    Array.from({ length: count }, () => Array.from({ length: features }, () => random.normal())),
  )
}

/** Samples with their classes, as Newton's method has them. */
function activeOf(rows: LinearRows, classesOf: ReadonlyMap<number, readonly number[]>) {
  const all = [...classesOf.values()].flat()
  const active = {
    count: classesOf.size,
    ...{ samples: rows.list(classesOf.size), starts: rows.list(classesOf.size + 1) },
    ...{ classes: rows.list(all.length), curvature: rows.vector(classesOf.size) },
  }
  let end = 0
  for (const [a, [i, own]] of [...classesOf].entries()) {
    active.samples[a] = i
    active.curvature[a] = 1 + (i % 3)
    active.classes.set(own, end)
    end += own.length
    active.starts[a + 1] = end
  }
  groupByPairs(active, k)
  return active
}

const spreads = [
  [0, 1],
  [2, 4],
  [0, 2, 3],
  [1, 2, 3, 4],
]
/** Of 120 samples, 80 are between classes. */
const before = new Map(Array.from({ length: 80 }, (_, i) => [i, spreads[i % 4]] as const))
/** One has left, two have come, one is between others, one has lost a class and one has gained one. */
const after = new Map([...before, [100, [0, 4]], [110, [1, 2, 4]], [5, [3, 4]], [6, [0, 3]], [8, [0, 1, 2]]])
after.delete(12)

describe('the inverse by directions', () => {
  const check = (rows: LinearRows) => {
    const random = new Random(7)
    const byRows = new ClassRows(rows, k, () => false)
    const scale = 20
    const solved = (classesOf: ReadonlyMap<number, readonly number[]>) => {
      const active = activeOf(rows, classesOf)
      expect(byRows.take(active)).toBe(true)
      const [r, z, left] = [0, 0, 0].map(() => rows.vector((rows.cols + 1) * k))
      for (let j = 0; j < r.length; j++) r[j] = random.normal()
      byRows.condition(active)(r, z)
      rows.classProduct(active, k, z, left)
      return Math.max(...r.map((own, j) => Math.abs(own - z[j] - scale * left[j])))
    }
    expect(byRows.take(activeOf(rows, before))).toBe(false)
    inOneGo(byRows.factor(activeOf(rows, before), scale))
    expect(solved(before)).toBeLessThan(1e-9)
    expect(solved(after)).toBeLessThan(1e-9)
    expect(solved(before)).toBeLessThan(1e-9)
    // What it has learnt gives the same bits.
    const other = new ClassRows(rows, k, () => false)
    other.restore(byRows.save())
    const active = activeOf(rows, after)
    const [r, z, again] = [0, 0, 0].map(() => rows.vector((rows.cols + 1) * k))
    for (let j = 0; j < r.length; j++) r[j] = random.normal()
    for (const [own, out] of [
      [byRows, z],
      [other, again],
    ] as const) {
      expect(own.take(active)).toBe(true)
      own.condition(active)(r, out)
    }
    expect(again.slice()).toEqual(z.slice())
    // All samples are between other classes: too many columns.
    const shifted = new Map([...before].map(([i, own]) => [i + 40, own]))
    expect(byRows.take(activeOf(rows, shifted))).toBe(false)
  }
  const samples = dense(new Random(1), 120, 30)

  test('is that of the system, and follows it as samples come and go', () => {
    check(new PlainRows(samples, 1))
  })

  test('the same on the engine', () => {
    withEngine(1, (engine) => check(new EngineRows(engine, samples, 1)))
  })
})

test("Newton's method continues from a snapshot, to the bit, before and after directions are factored", () => {
  const random = new Random(2)
  const classes = 8
  const samples = dense(random, 400, 200)
  const y = Array.from({ length: 400 }, () => random.int(classes))
  const problem = makeCrammerSinger({ samples, y, classes, C: 0.1 })
  const start = { alpha: new Float64Array(400 * classes), beta: undefined }
  const run = (look: (method: ClassNewton) => void, snapshot?: object) =>
    withEngine(1, (engine) => {
      const method = new ClassNewton(problem, new EngineRows(engine, samples, 1), start, () => false)
      if (snapshot) method.restore(snapshot)
      const pieces = method.run((primal, gap) => gap <= 1e-8 * primal)
      while (!pieces.next().done) look(method)
      expect(method.primal + method.dual).toBeLessThan(1e-8 * method.primal)
      return { alpha: method.alpha, steps: method.steps }
    })
  type Snapshot = { readonly system: { readonly byRows: { readonly factored?: object } } }
  const snapshots: Snapshot[] = []
  const whole = run((method) => {
    const snapshot = method.save() as Snapshot | undefined
    if (snapshot) snapshots.push(snapshot)
  })
  const isFactored = ({ system }: Snapshot) => system.byRows.factored !== undefined
  const first = snapshots.findIndex(isFactored)
  expect(first).toBeGreaterThan(0)
  for (const at of [first - 1, first, Math.ceil((first + snapshots.length) / 2)]) {
    expect(run(() => {}, snapshots[at])).toEqual(whole)
  }
})
