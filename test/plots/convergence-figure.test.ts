import { describe, expect, it } from 'vitest'
import { boundsFigure, type ConvergenceRun, convergenceFigure } from '../../src/plots/convergence-figure.ts'
import { described, pathPoints, readSvg } from './read-svg.ts'

function run(name: string, rate: number, length = 50): ConvergenceRun {
  const trace = Array.from({ length }, (_, k) => {
    const gap = Math.exp(-rate * k)
    return {
      iteration: 10 * k,
      seconds: k / 1000,
      primal: 5 + gap / 2,
      dual: -5 + gap / 2,
      gap,
      violation: gap / 10,
    }
  })
  return { name, trace }
}

function curve(svg: string, label: string): [number, number][] {
  const paths = described(readSvg(svg), label).filter((element) => element.name === 'path')
  expect(paths).toHaveLength(1)
  return pathPoints(paths[0].attributes.d)
}

describe('convergenceFigure', () => {
  it('draws one curve a run, straight lines for geometric decay on the logarithmic scale', async () => {
    const svg = await convergenceFigure([run('slow & sure', 0.1), run('fast', 0.3)], 'gap')
    for (const name of ['slow & sure', 'fast']) {
      const points = curve(svg, name)
      expect(points).toHaveLength(50)
      const slope = (points[49][1] - points[0][1]) / (points[49][0] - points[0][0])
      expect(slope).toBeGreaterThan(0)
      for (const [x, y] of points)
        expect(Math.abs(points[0][1] + slope * (x - points[0][0]) - y)).toBeLessThan(0.02)
    }
    expect(readSvg(svg).map((element) => element.text)).toEqual(
      expect.arrayContaining(['slow & sure', 'duality gap', 'iteration']),
    )
  })

  it('leaves out what a logarithmic scale cannot show', async () => {
    const { name, trace } = run('hard margin', 0.1)
    const broken = trace.map((point, k) => ({
      ...point,
      gap: k < 5 ? Number.POSITIVE_INFINITY : k === 49 ? -1e-17 : point.gap,
    }))
    const svg = await convergenceFigure([{ name, trace: broken }], 'gap')
    expect(curve(svg, 'hard margin')).toHaveLength(44)
    expect(svg).not.toMatch(/NaN|Infinity/)
  })

  it('keeps the first and last of very many points', async () => {
    const svg = await convergenceFigure([run('long', 1e-4, 123_456)], 'violation', { over: 'seconds' })
    const points = curve(svg, 'long')
    expect(points.length).toBeLessThan(1100)
    expect(readSvg(svg).map((element) => element.text)).toContain('seconds of solving')
  })

  it('says so when there is nothing to draw', async () => {
    await expect(convergenceFigure([{ name: 'none', trace: [] }], 'gap')).rejects.toThrow(
      'convergence figure: no run has a point with a finite duality gap',
    )
  })
})

describe('boundsFigure', () => {
  it('shows the primal value above −dual, meeting at the end', async () => {
    const svg = await boundsFigure(run('smo', 0.5))
    const upper = curve(svg, 'primal (upper bound)')
    const lower = curve(svg, '−dual (lower bound)')
    // Pixels grow downwards.
    for (let k = 0; k < upper.length; k++) expect(upper[k][1]).toBeLessThanOrEqual(lower[k][1])
    expect(lower[0][1] - upper[0][1]).toBeGreaterThan(100)
    expect(lower[49][1] - upper[49][1]).toBeLessThan(0.1)
  })
})
