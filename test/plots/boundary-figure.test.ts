import { describe, expect, it } from 'vitest'
import {
  type BoundaryData,
  boundaryFigure,
  decisionField,
  type RingCase,
} from '../../src/plots/boundary-figure.ts'
import { described, pathPoints, readSvg } from './read-svg.ts'

/** Rings of radius 1 and 3 around (10, −5), parted by the circle of radius 2; the margins are at √3 and √5. */
const count = 40
const values = new Float64Array(2 * count)
for (let i = 0; i < count; i++) {
  const radius = i % 2 === 0 ? 1 : 3
  values[2 * i] = 10 + radius * Math.cos(i)
  values[2 * i + 1] = -5 + radius * Math.sin(i)
}
const circle = (x: number, y: number): number => 4 - (x - 10) ** 2 - (y + 5) ** 2
const rings: BoundaryData = {
  samples: { kind: 'dense', rows: count, cols: 2, values },
  labels: Array.from({ length: count }, (_, i) => (i % 2 === 0 ? 'in <&>' : 'out')),
  classes: ['out', 'in <&>'],
  decide: (rows) =>
    Float64Array.from({ length: rows.rows }, (_, i) => circle(rows.values[2 * i], rows.values[2 * i + 1])),
}

describe('boundaryFigure', () => {
  it('is well-formed SVG with title, legend, axes and one mark a sample', async () => {
    const elements = readSvg(await boundaryFigure(rings, { title: 'A & B', subtitle: '"quoted" <text>' }))
    const texts = elements.map((element) => element.text)
    expect(elements[0].name).toBe('svg')
    expect(elements[0].attributes.xmlns).toBe('http://www.w3.org/2000/svg')
    for (const text of [
      'A & B',
      '"quoted" <text>',
      'class in <&>',
      'class out',
      'boundary (0)',
      'x1',
      'x2',
    ]) {
      expect(texts).toContain(text)
    }
    expect(described(elements, 'class in <&>')).toHaveLength(count / 2)
    expect(described(elements, 'class out')).toHaveLength(count / 2)
  })

  it('draws the lines where the decision value is −1, 0 and 1', async () => {
    const elements = readSvg(await boundaryFigure(rings))
    // Circles carry their centre; two samples of one class tell how pixels map to data.
    const dots = described(elements, 'class in <&>').map(({ attributes }) => [
      Number(attributes.cx),
      Number(attributes.cy),
    ])
    const toData = (axis: 0 | 1, pixel: number): number => {
      const [a, b] = [values[axis], values[2 * 6 + axis]]
      return a + ((pixel - dots[0][axis]) / (dots[3][axis] - dots[0][axis])) * (b - a)
    }
    for (const level of [-1, 0, 1]) {
      const points = described(elements, `decision value ${level}`)
        .filter((element) => element.name === 'path')
        .flatMap((path) => pathPoints(path.attributes.d))
        .map(([x, y]) => [toData(0, x), toData(1, y)])
      const onCircle = points.filter(([x, y]) => Math.hypot(x - 10, y + 5) < 2.9)
      expect(onCircle.length).toBeGreaterThan(100)
      for (const [x, y] of onCircle) expect(Math.abs(circle(x, y) - level)).toBeLessThan(0.02)
    }
  })

  it('rings support vectors by their case and names the cases that occur', async () => {
    const cases = Array.from(
      { length: count },
      (_, i): RingCase => (i < 3 ? 'on-margin' : i < 5 ? 'inside' : 'outside'),
    )
    const elements = readSvg(await boundaryFigure({ ...rings, cases }))
    expect(described(elements, 'support vector on the margin')).toHaveLength(3)
    expect(described(elements, 'inside the margin')).toHaveLength(2)
    const texts = elements.map((element) => element.text)
    expect(texts).toContain('inside the margin')
    expect(texts).not.toContain('misclassified')
  })

  it('refuses data it cannot draw', async () => {
    const samples = { kind: 'dense', rows: 1, cols: 3, values: new Float64Array(3) } as const
    await expect(boundaryFigure({ ...rings, samples })).rejects.toThrow('samples must have 2 features, got 3')
    await expect(boundaryFigure({ ...rings, labels: ['out'] })).rejects.toThrow('40 samples but 1 labels')
    await expect(boundaryFigure({ ...rings, classes: ['far', 'in <&>'] })).rejects.toThrow(
      'label of sample 1 is out; the classes are far, in <&>',
    )
    await expect(boundaryFigure({ ...rings, cases: [] })).rejects.toThrow('40 samples but 0 cases')
  })
})

describe('decisionField', () => {
  it('holds every point and puts values at cell centres', () => {
    const points = [
      { x: 0, y: 1 },
      { x: 10, y: 1 },
    ]
    const field = decisionField(points, (rows) => rows.values.filter((_, k) => k % 2 === 0), 12, 4)
    expect(field.x).toEqual([-1, 11])
    expect(field.y[0]).toBeLessThan(1)
    expect(field.y[1]).toBeGreaterThan(1)
    expect(Array.from(field.values.subarray(12, 24))).toEqual(Array.from({ length: 12 }, (_, c) => c - 0.5))
  })
})
