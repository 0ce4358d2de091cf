/** Figures that explain: a step in its box, a regression with its tube, and several figures in one. */
import { describe, expect, it } from 'vitest'
import { makeDataset } from '../../src/data/table/dataset.ts'
import { type BoundaryData, boundaryFigure } from '../../src/plots/boundary-figure.ts'
import { boxFigure } from '../../src/plots/box-figure.ts'
import { panelFigure } from '../../src/plots/panel-figure.ts'
import { regressionFigure } from '../../src/plots/regression-figure.ts'
import { described, pathPoints, readSvg, type SvgElement } from './read-svg.ts'

const step = {
  yi: 1,
  yj: -1,
  low: 0.25,
  high: 1,
  unclipped: 1.4,
  oldAlphaI: 0.25,
  oldAlphaJ: 0.5,
  alphaI: 0.75,
  alphaJ: 1,
}
const centre = (elements: readonly SvgElement[], description: string) => {
  const [{ attributes }] = described(elements, description)
  return attributes.cx === undefined
    ? (/translate\(([^,]+),([^)]+)\)/.exec(attributes.transform)?.slice(1).map(Number) ?? [])
    : [Number(attributes.cx), Number(attributes.cy)]
}

describe('boxFigure', () => {
  it('has the old point, the minimum and the new point on one line, the new one at the rim of the box', async () => {
    const elements = readSvg(await boxFigure(step, { Ci: 1, Cj: 1, objective: (a, b) => a * a + b }))
    const [x0, y0] = centre(elements, 'before')
    const [x1, y1] = centre(elements, 'after')
    const [x2, y2] = centre(elements, 'minimum')
    expect((x2 - x0) * (y1 - y0)).toBeCloseTo((x1 - x0) * (y2 - y0), 6)
    expect((x2 - x0) / (x1 - x0)).toBeCloseTo(0.9 / 0.5, 6)
    const [{ attributes: box }] = described(elements, 'box')
    expect(y1).toBeCloseTo(Number(box.y), 6)
    expect(x1).toBeCloseTo(Number(box.x) + 0.75 * Number(box.width), 6)
    const [[, low], [, high]] = pathPoints(described(elements, 'segment')[0].attributes.d)
    expect(low).toBeCloseTo(Number(box.y) + 0.75 * Number(box.height), 2)
    expect(high).toBeCloseTo(Number(box.y), 2)
    expect(described(elements, 'the dual').length).toBeGreaterThan(3)
    expect(elements.map(({ text }) => text)).toContain('after, clipped')
  })

  it('has no minimum to show where nothing was clipped, or where there is none', async () => {
    const inside = { ...step, unclipped: 0.8, alphaJ: 0.8, alphaI: 0.55 }
    for (const one of [inside, { ...inside, unclipped: Number.NaN }]) {
      const elements = readSvg(await boxFigure(one, { Ci: 1, Cj: 1, legend: false }))
      expect(described(elements, 'minimum')).toEqual([])
      expect(described(elements, 'after')).toHaveLength(1)
      expect(elements.map(({ text }) => text)).not.toContain('after')
    }
  })
})

describe('regressionFigure', () => {
  const { samples } = makeDataset([[0], [1], [2], [3]], [0, 0, 0, 0])
  const targets = [0.05, 1.1, 2.4, 2.9]
  const decide = ({ values }: { readonly values: Float64Array }) => values

  it('sorts samples by where they stand, and draws what the ones outside pay for', async () => {
    const svg = await regressionFigure({ samples, targets, decide, epsilon: 0.1 }, { tol: 1e-9 })
    const elements = readSvg(svg)
    expect(described(elements, 'inside the tube')).toHaveLength(1)
    expect(described(elements, 'on its edge')).toHaveLength(2)
    expect(described(elements, 'outside')).toHaveLength(1)
    expect(described(elements, 'excess')).toHaveLength(1)
    expect(described(elements, 'tube')).toHaveLength(1)
  })

  it('refuses what it cannot draw', async () => {
    const two = makeDataset([[0, 1]], [0]).samples
    await expect(regressionFigure({ samples: two, targets: [0], decide, epsilon: 0 })).rejects.toThrow(
      'regressionFigure: samples must have 1 feature, got 2',
    )
    await expect(regressionFigure({ samples, targets: [0], decide, epsilon: 0 })).rejects.toThrow(
      'regressionFigure: 4 samples but 1 targets',
    )
    const none = makeDataset({ values: new Float64Array(0), shape: [0, 1] }, []).samples
    await expect(regressionFigure({ samples: none, targets: [], decide, epsilon: 0 })).rejects.toThrow(
      'regressionFigure: there are no samples',
    )
  })
})

describe('panelFigure', () => {
  it('places figures line by line', async () => {
    const figure = await boxFigure(step, { Ci: 1, Cj: 1, width: 300, height: 320 })
    const elements = readSvg(
      panelFigure([figure, figure, figure], { title: 'A & B', subtitle: 'c', columns: 2 }),
    )
    expect(elements[0].attributes.viewBox).toBe('0 0 600 694')
    const inner = elements.filter(({ name, parent }) => name === 'svg' && parent === elements[0])
    expect(inner.map(({ attributes: { x, y } }) => [x, y])).toEqual([
      ['0', '54'],
      ['300', '54'],
      ['0', '374'],
    ])
    expect(elements.map(({ text }) => text)).toContain('A & B')
  })

  it('refuses nothing, and what is no figure', () => {
    expect(() => panelFigure([], { title: '' })).toThrow('panelFigure: there are no figures')
    expect(() => panelFigure(['<p>'], { title: '' })).toThrow('panelFigure: not a figure of this library')
  })
})

describe('boundaryFigure', () => {
  const data: BoundaryData = {
    ...makeDataset(
      [
        [0, 0],
        [1, 1],
      ],
      [-1, 1],
    ),
    classes: [-1, 1],
    decide: ({ values, rows }) => Float64Array.from({ length: rows }, (_, i) => 2 * values[2 * i] - 1),
    cases: ['on-margin', 'on-margin'],
  } as BoundaryData

  it('leaves margins and legend out, and calls rings as it is told', async () => {
    const plain = readSvg(await boundaryFigure(data, { margins: false, legend: false }))
    expect(described(plain, 'decision value 0').length).toBeGreaterThan(0)
    expect(described(plain, 'decision value 1')).toEqual([])
    expect(plain.map(({ text }) => text)).not.toContain('boundary (0)')
    const named = readSvg(
      await boundaryFigure(data, { margins: false, ringLabels: { 'on-margin': 'at the rim' } }),
    )
    const texts = named.map(({ text }) => text)
    expect(texts).toContain('at the rim')
    expect(texts).toContain('boundary (0)')
    expect(texts).not.toContain('margins (±1)')
  })
})
