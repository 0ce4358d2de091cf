/** Curves over one axis, with bands of uncertainty and marked points: what most figures of model selection are made of. */
import { DataError } from '../base/errors.ts'
import { type AxisSettings, axisOptions, drawFigure, type LegendEntry, lineSymbol, XY } from './figure.ts'
import type { FigureSize } from './figure-options.ts'
import { CURVE_COLOURS, PALETTE } from './palette.ts'

/** A point of a curve. */
interface SeriesPoint {
  readonly x: number
  readonly y: number
  /** Half the height of the band around it; no band where absent. */
  readonly spread?: number
}

/** One curve. */
export interface Series {
  readonly label: string
  /** By default the next of the palette. */
  readonly colour?: string
  readonly points: readonly SeriesPoint[]
  readonly dash?: string | undefined
  /** Steps instead of straight lines: 'after' keeps y until the next x. */
  readonly curve?: 'linear' | 'step-before' | 'step-after'
  /** Mark every point, or the last one. */
  readonly dots?: 'all' | 'last'
}

/** A point with a word to it. */
interface Note {
  readonly x: number
  readonly y: number
  readonly text: string
  /** Where the word stands. */
  readonly side?: 'left' | 'right'
}

/** Everything a figure of curves shows. */
interface SeriesFigure extends FigureSize {
  readonly title: string
  readonly subtitle?: string | undefined
  readonly series: readonly Series[]
  readonly x: AxisSettings
  readonly y: AxisSettings
  readonly notes?: readonly Note[]
  /** A grey line from corner to corner: what chance, or perfection, would look like. */
  readonly diagonal?: string
}

/** More points than pixels would only make the file longer. */
const MOST_POINTS = 1000

/** Room around a plot for the labels of its axes. */
export const MARGINS = { marginLeft: 62, marginBottom: 46, marginRight: 24, marginTop: 12 }

/** Draws curves as the text of an SVG. */
export async function drawSeries(figure: SeriesFigure): Promise<string> {
  const { width = 560, height = 460, title, subtitle, series, x, y, notes = [], diagonal } = figure
  if (series.every(({ points }) => points.length === 0))
    throw new DataError(`${title}: there is no point to draw`)
  const drawn = series.map((one, k) => ({
    colour: CURVE_COLOURS[k % CURVE_COLOURS.length],
    ...(k >= CURVE_COLOURS.length && { dash: '6,3' }),
    ...one,
    points: thinned(one.points),
  }))
  const legend = [
    ...drawn.map(({ label, colour, dash }) => ({ symbol: lineSymbol(colour, 2.5, dash), label })),
    diagonal && diagonalLegend(diagonal),
  ]
  const ends = [
    [0, 0],
    [1, 1],
  ]
  return drawFigure({ title, subtitle, legend }, { width, height }, (plot) => ({
    ...MARGINS,
    x: axisOptions(x),
    y: axisOptions({ ...y, grid: true }),
    marks: [
      plot.frame({ stroke: PALETTE.frame }),
      diagonal
        ? plot.line(ends, { stroke: PALETTE.guide, strokeDasharray: '4,4', ariaDescription: diagonal })
        : null,
      drawn.map(({ points, colour, label }) =>
        points.some(({ spread }) => spread !== undefined)
          ? plot.areaY(points, {
              x: 'x',
              y1: (point: SeriesPoint) => point.y - (point.spread ?? 0),
              y2: (point: SeriesPoint) => point.y + (point.spread ?? 0),
              fill: colour,
              fillOpacity: 0.14,
              clip: true,
              ariaDescription: `${label}, spread`,
            })
          : null,
      ),
      drawn.map(({ points, colour, dash, label, curve = 'linear' }) =>
        plot.line(points, {
          ...XY,
          stroke: colour,
          strokeWidth: 1.9,
          strokeDasharray: dash,
          curve,
          clip: true,
          ariaDescription: label,
        }),
      ),
      drawn.map(({ points, colour, label, dots }) => {
        const marked = dots === 'all' ? points : points.slice(-1)
        const description = dots === 'all' ? `${label}, points` : `${label}, end`
        return dots ? plot.dot(marked, { ...XY, r: 3.2, fill: colour, ariaDescription: description }) : null
      }),
      (['left', 'right'] as const).map((side) =>
        plot.text(
          notes.filter((note) => (note.side ?? 'right') === side),
          {
            ...XY,
            text: 'text',
            textAnchor: side === 'right' ? 'start' : 'end',
            dx: side === 'right' ? 6 : -6,
            dy: -13,
            stroke: '#fff',
            strokeWidth: 4,
            fill: PALETTE.ink,
          },
        ),
      ),
      plot.dot(notes, { ...XY, r: 5.5, stroke: PALETTE.ink, strokeWidth: 1.6, ariaDescription: 'marked' }),
    ],
  }))
}

function thinned(points: readonly SeriesPoint[]): readonly SeriesPoint[] {
  const stride = Math.ceil(points.length / MOST_POINTS)
  return points.filter((_, k) => k % stride === 0 || k === points.length - 1)
}

/** How a legend shows the line that chance or perfection would follow. */
export function diagonalLegend(label: string): LegendEntry {
  return { symbol: lineSymbol(PALETTE.guide, 1.5, '4,4'), label }
}
