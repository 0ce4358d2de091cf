import { describe, expect, it } from 'vitest'
import { confusionFigure } from '../../src/plots/confusion-figure.ts'
import { foldSpreadFigure, heatMapFigure } from '../../src/plots/grid-figures.ts'
import { predictionFigure } from '../../src/plots/prediction-figure.ts'
import { calibrationFigure, precisionRecallFigure, rocFigure } from '../../src/plots/ranking-figures.ts'
import { learningCurveFigure, pathFigure } from '../../src/plots/selection-curves.ts'
import { pathPoints, readSvg, type SvgElement } from './read-svg.ts'

/** A grid like grid.py's with its best cell at C = 32, gamma = 1/8. */
function grid() {
  const cells = []
  for (let c = -5; c <= 15; c += 2) {
    for (let g = 3; g >= -15; g -= 2) {
      const mean = 0.95 - 0.001 * ((c - 5) ** 2 + (g + 3) ** 2)
      const scores = [mean - 0.01, mean, mean + 0.01]
      cells.push({ params: { C: 2 ** c, gamma: 2 ** g }, scores, mean, standardError: 0.01 / Math.sqrt(3) })
    }
  }
  return cells
}

function marks(svg: SvgElement[], description: string): SvgElement[] {
  const inside = (element: SvgElement | undefined): boolean =>
    element !== undefined &&
    (element.attributes['aria-description'] === description || inside(element.parent))
  return svg.filter((element) => element.name !== 'g' && inside(element.parent))
}

const texts = (svg: SvgElement[]): string[] => svg.filter(({ text }) => text !== '').map(({ text }) => text)

describe('heatMapFigure', () => {
  it('shows every cell, darker where it is better, contours, and the chosen one where it stands', async () => {
    const svg = readSvg(await heatMapFigure(grid(), 'C', 'gamma', { best: { C: 32, gamma: 0.125 } }))
    const cells = marks(svg, 'cells')
    expect(cells).toHaveLength(110)
    const fills = cells.map(({ attributes }) => attributes.fill)
    expect(new Set(fills).size).toBeGreaterThan(10)
    expect(marks(svg, 'contours').length).toBeGreaterThan(2)
    const [ring] = marks(svg, 'chosen')
    const best = cells[grid().findIndex(({ params }) => params.C === 32 && params.gamma === 0.125)].attributes
    expect(Number(ring.attributes.cx)).toBeCloseTo(Number(best.x) + Number(best.width) / 2, 0)
    expect(Number(ring.attributes.cy)).toBeCloseTo(Number(best.y) + Number(best.height) / 2, 0)
    expect(texts(svg)).toEqual(expect.arrayContaining(['C', 'gamma', '2⁹', '0.125', '0.95 (best)', 'chosen']))
  })

  it('marks cells that stand on no lattice one by one, and leaves out those without a score', async () => {
    const scattered = grid()
      .filter((_, k) => k % 7 === 0)
      .map((cell, k) => ({ ...cell, params: { C: cell.params.C * (1 + k / 10), gamma: 0.1 + k } }))
    const svg = readSvg(
      await heatMapFigure([...scattered, { ...scattered[0], mean: Number.NaN }], 'C', 'gamma', {
        greaterIsBetter: false,
      }),
    )
    expect(marks(svg, 'cells')).toHaveLength(scattered.length)
    expect(marks(svg, 'contours')).toHaveLength(0)
  })

  it('refuses what cannot be drawn', async () => {
    await expect(heatMapFigure([], 'C', 'gamma')).rejects.toThrow('no cell has a score')
    await expect(heatMapFigure(grid(), 'C', 'degree')).rejects.toThrow(
      'degree must be a positive number in every cell, got undefined',
    )
  })
})

describe('foldSpreadFigure', () => {
  it('shows the folds of the best cells, the best first', async () => {
    const svg = readSvg(await foldSpreadFigure(grid(), { most: 5, best: { C: 32, gamma: 0.125 } }))
    expect(marks(svg, 'folds')).toHaveLength(15)
    const means = marks(svg, 'means')
    expect(means).toHaveLength(5)
    const heights = means.map(({ attributes }) => Number(attributes.cy))
    expect(heights).toEqual([...heights].sort((a, b) => a - b))
    expect(new Set(means.map(({ attributes }) => attributes.fill)).size).toBe(2)
    expect(texts(svg)).toContain('C 32, gamma 0.125')
    const worst = readSvg(await foldSpreadFigure(grid(), { most: 5, best: { C: 32768, gamma: 8 } }))
    expect(marks(worst, 'means')).toHaveLength(6)
    expect(texts(worst)).toContain('C 32768, gamma 8')
    await expect(foldSpreadFigure([])).rejects.toThrow('no cell has a score')
  })
})

describe('curves', () => {
  const score = (mean: number) => ({ mean, standardError: 0.01 })

  it('of a path have a point for each C, and mark the best', async () => {
    const points = [0.1, 1, 10, 100].map((C, k) => ({ C, test: score(0.8 + 0.02 * k), train: score(0.9) }))
    const svg = readSvg(await pathFigure(points, { best: 100, scoring: 'f1' }))
    expect(marks(svg, 'samples not seen (± standard error), points')).toHaveLength(4)
    expect(marks(svg, 'samples trained on, points')).toHaveLength(4)
    expect(marks(svg, 'marked')).toHaveLength(1)
    expect(texts(svg)).toEqual(expect.arrayContaining(['C = 100', 'f1', '0.1', '84%']))
    const alone = readSvg(await pathFigure(points.map(({ C, test }) => ({ C, test }))))
    expect(marks(alone, 'samples trained on, points')).toHaveLength(0)
    await expect(pathFigure([])).rejects.toThrow('there is no point to draw')
  })

  it('of learning have bands', async () => {
    const points = [50, 100].map((samples) => ({ samples, train: score(0.99), test: score(0.9) }))
    const svg = readSvg(await learningCurveFigure(points))
    expect(marks(svg, 'samples not seen (± standard error), spread')).toHaveLength(1)
    expect(texts(svg)).toContain('samples trained on')
  })

  it('of rankings run between 0 and 1', async () => {
    const roc = readSvg(
      await rocFigure([{ name: 'test', falsePositiveRate: [0, 0, 1], truePositiveRate: [0, 0.8, 1] }]),
    )
    expect(marks(roc, 'test')).toHaveLength(1)
    expect(marks(roc, 'chance')).toHaveLength(1)
    expect(texts(roc)).toEqual(expect.arrayContaining(['false positive rate', 'true positive rate', '100%']))
    const pr = readSvg(await precisionRecallFigure([{ name: 'test', recall: [0, 1], precision: [1, 0.5] }]))
    expect(texts(pr)).toEqual(expect.arrayContaining(['precision', 'recall']))
    await expect(precisionRecallFigure([{ name: 'x', recall: [0], precision: [] }])).rejects.toThrow(
      'precisionRecallFigure: 1 values of x but 0 of y',
    )
  })

  it('of rankings mark the threshold of a model', async () => {
    const thresholds = [Number.POSITIVE_INFINITY, 2, 1, -1]
    const roc = { name: 'test', falsePositiveRate: [0, 0, 0.25, 1], truePositiveRate: [0, 0.5, 0.75, 1] }
    const marked = readSvg(await rocFigure([{ ...roc, thresholds, threshold: 0.25 }]))
    const plain = readSvg(await rocFigure([{ ...roc, thresholds }]))
    expect(texts(marked)).toContain('threshold 0.25')
    expect(marks(marked, 'marked')).toHaveLength(1)
    expect(marks(plain, 'marked')).toHaveLength(0)
    // What passed 0.25 is the third point; a point of the curve alone says where that is.
    const third = { ...roc, falsePositiveRate: [0.25], truePositiveRate: [0.75] }
    const at = (svg: typeof marked) =>
      marks(svg, 'marked').map(({ attributes: { cx, cy } }) => [Number(cx), Number(cy)])
    const same = readSvg(await rocFigure([{ ...third, thresholds: [1], threshold: 0.25 }]))
    expect(at(marked)).toEqual(at(same))
    expect(at(marked)[0].every(Number.isFinite)).toBe(true)
    const pr = { name: 'test', recall: [0, 0.5, 0.75, 1], precision: [1, 1, 0.75, 0.5] }
    const found = readSvg(await precisionRecallFigure([{ ...pr, thresholds, threshold: -0.123456 }]))
    expect(texts(found)).toContain('threshold -0.1235')
    await expect(rocFigure([{ ...roc, threshold: 1 }])).rejects.toThrow(
      'rocFigure: a threshold needs the thresholds of the 4 points, got 0',
    )
  })

  it('of calibration have a dot for each bin', async () => {
    const bins = [
      { predicted: 0.1, observed: 0.2, weight: 10 },
      { predicted: 0.9, observed: 1, weight: 20 },
    ]
    const svg = readSvg(await calibrationFigure([{ name: 'sigmoid', bins }]))
    expect(marks(svg, 'sigmoid, points')).toHaveLength(2)
    expect(marks(svg, 'perfect')).toHaveLength(1)
  })
})

describe('confusionFigure', () => {
  it('shows counts and shares, and turns long names', async () => {
    const svg = readSvg(
      await confusionFigure({
        labels: [-1, 1],
        counts: [
          [90, 10],
          [5, 15],
        ],
      }),
    )
    expect(marks(svg, 'share of the true class')).toHaveLength(4)
    expect(texts(svg)).toEqual(expect.arrayContaining(['90', '90.0%', '15', '75.0%']))
    const labels = Array.from({ length: 10 }, (_, k) => `a long name ${k}`)
    const many = readSvg(await confusionFigure({ labels, counts: labels.map(() => labels.map(() => 0)) }))
    expect(many.some(({ attributes }) => attributes.transform?.includes('rotate(-45'))).toBe(true)
    await expect(confusionFigure({ labels: [], counts: [] })).rejects.toThrow('there are no classes')
  })
})

describe('predictionFigure', () => {
  it('has a dot for each sample, and the line on which perfect ones lie', async () => {
    const svg = readSvg(await predictionFigure([0, 1, 2, 4], [0.5, 1, 1.5, 4], { subtitle: 'R² 0.9' }))
    const dots = marks(svg, 'samples').map(({ attributes }) => [Number(attributes.cx), Number(attributes.cy)])
    expect(dots).toHaveLength(4)
    const [line] = marks(svg, 'perfect')
    const [[x0, y0], [x1, y1]] = pathPoints(line.attributes.d)
    const above = dots.map(([x, y]) => Math.sign(Math.round(y0 + ((x - x0) / (x1 - x0)) * (y1 - y0) - y)))
    expect(above).toEqual([1, 0, -1, 0])
    expect(texts(svg)).toContain('R² 0.9')
  })

  it('thins many samples, and refuses what does not fit together', async () => {
    const many = Array.from({ length: 7000 }, (_, i) => i)
    const svg = readSvg(await predictionFigure(many, many))
    expect(marks(svg, 'samples').length).toBeLessThanOrEqual(3000)
    await expect(predictionFigure([1], [])).rejects.toThrow('1 true values but 0 predictions')
    await expect(predictionFigure([], [])).rejects.toThrow('there is no point to draw')
  })
})

describe('figures check what they are given', () => {
  const curve = { name: 'a', falsePositiveRate: [0, 1], truePositiveRate: [0, 1] }
  it.each([
    [
      'one curve',
      () => rocFigure(curve as never),
      'rocFigure: curves must be a list of curves, each with a name',
    ],
    [
      'no name',
      () => rocFigure([{ ...curve, name: undefined }] as never),
      'curves[0].name must be a text, got undefined',
    ],
    [
      'no rates',
      () => rocFigure([{ name: 'a' }] as never),
      'rocFigure: x must be a list of numbers, got undefined',
    ],
    [
      'a NaN',
      () => rocFigure([{ ...curve, truePositiveRate: [0, Number.NaN] }]),
      'y[1] must be a finite number, got NaN',
    ],
    [
      'a misspelt option',
      () => rocFigure([curve], { widht: 3 } as never),
      'got "widht" (did you mean width?)',
    ],
    ['no size', () => rocFigure([curve], { width: 0 }), 'rocFigure: width must be >= 1 and <= 20000, got 0'],
    [
      'no labels',
      () => confusionFigure({ counts: [[1]] } as never),
      'matrix.labels must be a list of classes',
    ],
    [
      'a ragged matrix',
      () => confusionFigure({ labels: [0, 1], counts: [[1, 2], [3]] }),
      'counts[1] has 1 values where there are 2',
    ],
    [
      'text for numbers',
      () => predictionFigure([1], ['1'] as never),
      'predicted[0] must be a finite number, got "1"',
    ],
    [
      'no list of points',
      () => pathFigure({ points: [] } as never),
      'pathFigure: points must be a list of points',
    ],
    [
      'no cells',
      () => foldSpreadFigure([{ mean: 1 }] as never),
      'cells[0].params must be an object of parameters',
    ],
    ['no bins', () => calibrationFigure([{ name: 'a' }] as never), 'curves[0].bins must be a list of bins'],
  ])('%s', async (_, draw, message) => {
    await expect(draw()).rejects.toThrow(message)
  })

  it('and two of them can stand in one page: no id is in both', async () => {
    const other = await rocFigure([{ ...curve, truePositiveRate: [0, 0.5] }])
    const ids = (svg: string) => Array.from(svg.matchAll(/ id="([^"]+)"/g), ([, id]) => id)
    const mine = ids(await rocFigure([curve]))
    expect(mine.length).toBeGreaterThan(0)
    expect(mine.filter((id) => ids(other).includes(id))).toEqual([])
    for (const id of ids(other)) expect(other).toContain(`url(#${id})`)
    // In other processes Plot counts from 1 again: the names must not depend on its numbers alone.
    expect(mine.join()).not.toMatch(/plot-clip/)
  })
})
