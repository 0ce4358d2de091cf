/** What the pictures of the Lab are made of, held against definitions. */
import { generate, OneClassSVM, rbf, SVC, toMatrix } from 'hyperplane'
import { kernelMatrix } from 'hyperplane/kernels'
import { makeProblem } from 'hyperplane/solvers'
import { describe, expect, it } from 'vitest'
import { whyNoTable } from '../../web/data/no-table.ts'
import { kernelCode } from '../../web/export/snippet.ts'
import { csvFromJson, looksLikeJson } from '../../web/files/json-records.ts'
import { contourLines } from '../../web/plane/contours.ts'
import { slackPaths } from '../../web/plane/paint-points.ts'
import { Frame, ticks } from '../../web/plane/view.ts'
import { initialState } from '../../web/state/lab-state.ts'
import { fromLink, toLink } from '../../web/state/link.ts'
import { axisValues } from '../../web/tune/axis.ts'
import { FrameField, valueAt } from '../../web/watch/frame-field.ts'
import { gaussianField } from '../../web/worker/gaussian-field.ts'
import { nodesOf } from '../../web/worker/grid.ts'
import { inSlabs } from '../../web/worker/in-slabs.ts'
import type { Grid } from '../../web/worker/messages.ts'
import { coordinatesOn, principalPlane } from '../../web/worker/principal-plane.ts'
import { slackLines } from '../../web/worker/slack-lines.ts'

/** Values of a function on a grid of this many columns and rows. */
function field(columns: number, rows: number, f: (x: number, y: number) => number): Float64Array {
  return Float64Array.from({ length: columns * rows }, (_, k) => f(k % columns, Math.floor(k / columns)))
}

describe('contours', () => {
  it('of a slope are one straight line, wherever it crosses', () => {
    const lines = contourLines(
      field(9, 7, (x, y) => x + 2 * y),
      9,
      7,
      6.5,
    )
    expect(lines).toHaveLength(1)
    for (let k = 0; k < lines[0].length; k += 2)
      expect(lines[0][k] + 2 * lines[0][k + 1]).toBeCloseTo(6.5, 12)
    expect(lines[0].length).toBeGreaterThan(10)
  })

  it('of a hill are rings that close', () => {
    const [ring, ...others] = contourLines(
      field(21, 21, (x, y) => (x - 10) ** 2 + (y - 10) ** 2),
      21,
      21,
      36,
    )
    expect(others).toEqual([])
    expect(ring.slice(0, 2)).toEqual(ring.slice(-2))
    for (let k = 0; k < ring.length; k += 2) {
      expect(Math.hypot(ring[k] - 10, ring[k + 1] - 10)).toBeCloseTo(6, 1)
    }
  })

  it('of a saddle do not cross, and of a plain are none', () => {
    const lines = contourLines(
      field(4, 4, (x, y) => (x - 1.5) * (y - 1.5)),
      4,
      4,
      0.1,
    )
    expect(lines).toHaveLength(2)
    expect(
      contourLines(
        field(5, 5, () => 1),
        5,
        5,
        0,
      ),
    ).toEqual([])
  })
})

describe('the field of a frame', () => {
  const { samples, labels } = generate('moons', { n: 30, seed: 2 })
  const kernel = rbf({ gamma: 2 })
  const grid = { columns: 12, rows: 9, x: [-2, 3], y: [-1, 2] } as const
  const nodes = toMatrix({ values: nodesOf(grid), shape: [108, 2] })
  const kernelGrid = Float32Array.from(kernelMatrix(kernel, samples, nodes).values)
  const coefficients = Float64Array.from({ length: 4 * 30 }, (_, k) => (k % 7 === 0 ? Math.sin(k) : 0))
  const bias = Float64Array.of(0, 0.5, -1, 2)

  it('is the sum that defines it, forwards and back', () => {
    const models = { samples: 30, frames: 4, coefficients, bias, kernelGrid, grid }
    const moving = new FrameField(models, { kind: 'binary', classes: [0, 1] })
    for (const frame of [0, 1, 3, 2, 0, 3]) {
      const [values] = moving.at(frame).fields
      for (let k = 0; k < 108; k++) {
        let sum = bias[frame]
        for (let i = 0; i < 30; i++) sum += coefficients[frame * 30 + i] * kernelGrid[i * 108 + k]
        expect(values[k]).toBeCloseTo(sum, 5)
      }
    }
    const at = moving.at(2)
    expect(valueAt(at, { x: -2, y: -1 })).toBeCloseTo(at.fields[0][0], 5)
    expect(makeProblem({ samples, kernel, y: labels as Float64Array }).y).toHaveLength(30)
  })
})

describe('the field of a model', () => {
  const grid = { columns: 23, rows: 17, x: [-2, 3], y: [-1.5, 2] } as const
  const nodes = toMatrix({ values: nodesOf(grid), shape: [23 * 17, 2] })

  it.each([0.05, 2, 400])('of Gaussians, γ = %d, is the decision function', (gamma) => {
    const data = generate('moons', { n: 47, noise: 0.3, seed: 5 })
    const kernel = rbf({ gamma })
    for (const model of [
      new SVC({ kernel, C: 3 }).fitSync(data),
      new OneClassSVM({ kernel, nu: 0.3 }).fitSync(data),
    ]) {
      const { values } = toMatrix(model.supportVectors as never) as { values: Float64Array }
      const field = gaussianField(grid, gamma, values, model.dualCoef, model.biases[0])
      const expected = model.decisionFunction(nodes, { precision: 'f64' })
      const scale = model.dualCoef.reduce((sum, c) => sum + Math.abs(c), Math.abs(model.biases[0]))
      field.forEach((value, k) => {
        expect(Math.abs(value - expected[k])).toBeLessThan(2e-7 * scale)
      })
    }
  })

  it('gives the same field slab by slab, and stops between slabs when told to', async () => {
    const large = { ...grid, columns: 190, rows: 133 }
    const centres = Float64Array.of(0.2, -0.4, 1, 1.5, -2, 0.1)
    const evaluate = (part: Grid) => [gaussianField(part, 0.7, centres, Float64Array.of(1, -2, 0.5), 0.3)]
    const controller = new AbortController()
    const [whole] = evaluate(large)
    const [field] = await inSlabs(large, controller.signal, evaluate)
    expect(field).toHaveLength(whole.length)
    field.forEach((value, k) => {
      expect(Math.abs(value - whole[k])).toBeLessThan(1e-6)
    })
    let slabs = 0
    const stopped = inSlabs(large, controller.signal, (part) => {
      if (++slabs === 2) controller.abort()
      return evaluate(part)
    })
    await expect(stopped).rejects.toThrow()
    expect(slabs).toBe(2)
  })

  it('gives slack as lines that end on the margin of their own class', () => {
    // f(x, y) = x: the margins are at −1 and 1.
    const values = Float32Array.from(nodesOf(grid).filter((_, k) => k % 2 === 0))
    const described = { kind: 'binary', classes: [0, 1], fields: [values] } as const
    const data = { xy: Float64Array.of(-0.5, 0, 0.25, 1, -1.5, 1), classes: Uint8Array.of(1, 0, 0) }
    const lines = slackLines(data, described, Float64Array.of(1.5, 1.25, 0), grid)
    const ends = [...slackPaths(lines)].map((line) => [...line.slice(-2)])
    expect(ends).toHaveLength(2)
    expect(ends[0][0]).toBeCloseTo(1, 5)
    expect(ends[0][1]).toBeCloseTo(0, 5)
    expect(ends[1][0]).toBeCloseTo(-1, 5)
    expect(ends[1][1]).toBeCloseTo(1, 5)
  })
})

describe('the principal plane', () => {
  it('holds the directions in which data vary most, dense or sparse', () => {
    const rows = Array.from({ length: 200 }, (_, i) => {
      const [a, b] = [5 * Math.sin(i), 2 * Math.cos(3 * i)]
      return [a, a + 1, b, 0.01 * Math.sin(7 * i), 3]
    })
    const matrix = toMatrix(rows)
    const { first, second, explained } = principalPlane(matrix)
    expect(Math.abs(first[0])).toBeCloseTo(Math.SQRT1_2, 2)
    expect(Math.abs(first[0] - first[1])).toBeLessThan(0.02)
    expect(Math.abs(second[2])).toBeCloseTo(1, 2)
    expect(explained).toBeGreaterThan(0.999)
    const points = coordinatesOn(principalPlane(matrix), matrix)
    const mean = points.reduce((sum, value) => sum + value, 0) / points.length
    expect(mean).toBeCloseTo(0, 9)
  })
})

describe('links', () => {
  it('hold the state, and refuse what is none', async () => {
    const state = {
      ...initialState,
      source: { kind: 'drawn', points: [{ x: 0.1 + 0.2, y: -1e-17, c: 3 }] },
    } as const
    const shared = { state, file: { name: 'ä.csv', text: 'a,b\n1,ξ\n' } }
    const read = await fromLink(`#${await toLink(shared)}`)
    expect(read?.state).toEqual(state)
    expect(read?.file).toEqual(shared.file)
    expect(await fromLink('#other=1')).toBeUndefined()
    const { settings, tune, file } = state
    const wrong = [
      { mode: 'gone' },
      { settings: { ...settings, solver: 'toString' } },
      { settings: { ...settings, kernel: { kind: 'sum' } } },
      { race: ['smo', 'magic'] },
      { tune: { ...tune, steps: 1e6 } },
      { file: { ...file, picture: 'x' } },
      { tool: 7 },
    ]
    const links = await Promise.all(wrong.map((part) => toLink({ state: { ...state, ...part } as never })))
    for (const hash of ['#lab=', '#lab=AAAA', '#lab=!', ...links.map((link) => `#${link}`)]) {
      const reading = fromLink(hash)
      if (hash === '#lab=!') expect(await reading).toBeUndefined()
      else await expect(reading).rejects.toThrow('this link is broken')
    }
  })
})

describe('small parts', () => {
  it('places and ticks', () => {
    const frame = new Frame({ x: 1, y: 2, half: 3, stretch: 2 }, { width: 400, height: 200 })
    expect([frame.screenX(1), frame.screenY(2), frame.screenY(5)]).toEqual([200, 100, 0])
    expect(frame.planeX(frame.screenX(0.3))).toBeCloseTo(0.3, 12)
    expect(ticks(-1.05, 1.05, 5)).toEqual([-1, -0.5, 0, 0.5, 1])
    expect(axisValues([-2, 2], 5)).toEqual([0.01, 0.1, 1, 10, 100])
  })

  it('makes tables of JSON, and says what is none', () => {
    const csv = (value: unknown) =>
      new TextDecoder().decode(csvFromJson('t.json', new TextEncoder().encode(JSON.stringify(value))))
    expect(
      csv([
        { a: 1, b: 'x, y' },
        { a: null, c: [1, 2] },
      ]),
    ).toBe('a,b,c\n1,"x, y",\n,,"[1,2]"\n')
    expect(csv({ a: [1, 2], b: [true, null] })).toBe('a,b\n1,true\n2,\n')
    expect(csv({ name: 'set', rows: [{ a: 1 }] })).toBe('a\n1\n')
    expect(() => csv([1, 2])).toThrow('row 1 is 1')
    const bytes = (text: string) => Uint8Array.from(text, (one) => one.charCodeAt(0))
    expect(looksLikeJson('t', bytes(' [ {"a": 1}]'))).toBe(true)
    expect(looksLikeJson('t.csv', bytes('[a],b\n'))).toBe(false)
    expect(whyNoTable('t.csv', bytes('a,b\n1,2\n'))).toBeUndefined()
    expect(whyNoTable('t', bytes('PK\x03\x04..xl/workbook.xml'))).toContain('Excel')
    expect(whyNoTable('t', bytes('RIFF1234WEBP'))).toContain('image')
    expect(whyNoTable('t', bytes('RIFF1234WAVE'))).toContain('sound')
  })

  it('writes kernels as code', () => {
    expect(
      kernelCode({
        kind: 'sum',
        of: [
          { kind: 'rbf', gamma: 'scale' },
          { kind: 'exp', of: { kind: 'linear' } },
        ],
      }),
    ).toBe("sum(rbf({ gamma: 'scale' }), exp(linear()))")
  })
})
