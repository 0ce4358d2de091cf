/** Curves over one axis, with bands of uncertainty and marked points: what most figures of model selection are made of. */
import type { PlotOptions } from '@observablehq/plot'
import { DataError } from '../base/errors.ts'
import { drawFigure, type LegendEntry } from './figure.ts'
import type { FigureSize } from './figure-size.ts'

/** A point of a curve. */
export interface SeriesPoint {
  readonly x: number
  readonly y: number
  /** Half the height of the band around it; no band where absent. */
  readonly spread?: number
}

/** One curve. */
export interface Series {
  readonly label: string
  readonly colour: string
  readonly points: readonly SeriesPoint[]
  readonly dash?: string
  /** Steps instead of straight lines: 'after' keeps y until the next x. */
  readonly curve?: 'linear' | 'step-before' | 'step-after'
  /** Mark every point. */
  readonly dots?: boolean
}

/** One axis. */
export interface Axis {
  readonly label: string
  readonly domain?: readonly [number, number]
  readonly logarithmic?: boolean
  readonly percent?: boolean
}

/** A point with a word to it. */
export interface Note {
  readonly x: number
  readonly y: number
  readonly text: string
  /** Where the word stands. */
  readonly side?: 'left' | 'right'
}

/** Everything a figure of curves shows. */
export interface SeriesFigure extends FigureSize {
  readonly title: string
  readonly subtitle?: string | undefined
  readonly series: readonly Series[]
  readonly x: Axis
  readonly y: Axis
  readonly notes?: readonly Note[]
  /** A grey line from corner to corner: what chance, or perfection, would look like. */
  readonly diagonal?: string
}

const MOST_POINTS = 1000

/** Draws curves as the text of an SVG. */
export async function drawSeries(figure: SeriesFigure): Promise<string> {
  const { width = 560, height = 460, title, subtitle, series, x, y, notes = [], diagonal } = figure
  if (series.every(({ points }) => points.length === 0))
    throw new DataError(`${title}: there is no point to draw`)
  const drawn = series.map((one) => ({ ...one, points: thinned(one.points) }))
  const legend = [...drawn.map(seriesLegend), ...(diagonal ? [diagonalLegend(diagonal)] : [])]
  return drawFigure({ title, subtitle, legend }, { width, height }, (plot) => ({
    marginLeft: 62,
    marginBottom: 46,
    marginRight: 24,
    marginTop: 12,
    x: axisOptions(x),
    y: { ...axisOptions(y), grid: true },
    marks: [
      plot.frame({ stroke: '#d0d7de' }),
      ...(diagonal
        ? [
            plot.line(
              [
                [0, 0],
                [1, 1],
              ],
              { stroke: '#8c959f', strokeDasharray: '4,4', ariaDescription: diagonal },
            ),
          ]
        : []),
      ...drawn
        .filter(({ points }) => points.some(({ spread }) => spread !== undefined))
        .map(({ points, colour, label }) =>
          plot.areaY(points, {
            x: 'x',
            y1: (point: SeriesPoint) => point.y - (point.spread ?? 0),
            y2: (point: SeriesPoint) => point.y + (point.spread ?? 0),
            fill: colour,
            fillOpacity: 0.14,
            clip: true,
            ariaDescription: `${label}, spread`,
          }),
        ),
      ...drawn.map(({ points, colour, dash, label, curve = 'linear' }) =>
        plot.line(points, {
          x: 'x',
          y: 'y',
          stroke: colour,
          strokeWidth: 1.9,
          strokeDasharray: dash,
          curve,
          clip: true,
          ariaDescription: label,
        }),
      ),
      ...drawn
        .filter(({ dots }) => dots)
        .map(({ points, colour, label }) =>
          plot.dot(points, { x: 'x', y: 'y', r: 3.2, fill: colour, ariaDescription: `${label}, points` }),
        ),
      ...(['left', 'right'] as const).map((side) =>
        plot.text(
          notes.filter((note) => (note.side ?? 'right') === side),
          {
            x: 'x',
            y: 'y',
            text: 'text',
            textAnchor: side === 'right' ? 'start' : 'end',
            dx: side === 'right' ? 6 : -6,
            dy: -13,
            stroke: '#fff',
            strokeWidth: 4,
            fill: '#1f2328',
          },
        ),
      ),
      plot.dot(notes, {
        x: 'x',
        y: 'y',
        r: 5.5,
        stroke: '#1f2328',
        strokeWidth: 1.6,
        ariaDescription: 'marked',
      }),
    ],
  }))
}

/** The settings of a scale, as Plot wants them. */
export function axisOptions({ label, domain, logarithmic, percent }: Axis): PlotOptions['x'] {
  return {
    label,
    labelAnchor: 'center',
    labelArrow: 'none',
    ...(domain && { domain: [...domain] }),
    ...(logarithmic && { type: 'log', tickFormat: plainNumber, ticks: 7 }),
    ...(percent && { tickFormat: (value: number) => `${Number((100 * value).toFixed(2))}%` }),
  }
}

/** 1000, 0.1, 2e-5: numbers as people write them. */
export function plainNumber(value: number): string {
  const size = Math.abs(value)
  if (Number.isInteger(value) && size < 1e7) return String(value)
  if (size === 0 || (size >= 1e-3 && size < 1e5)) return String(Number(value.toPrecision(4)))
  return Number(value.toPrecision(3)).toExponential().replace('e+', 'e')
}

/** More points than pixels would only make the file longer. */
function thinned(points: readonly SeriesPoint[]): readonly SeriesPoint[] {
  const stride = Math.ceil(points.length / MOST_POINTS)
  return points.filter((_, k) => k % stride === 0 || k === points.length - 1)
}

function seriesLegend({ label, colour, dash }: Series): LegendEntry {
  const dashes = dash ? ` stroke-dasharray="${dash}"` : ''
  return { symbol: `<line x1="-9" x2="9" stroke="${colour}" stroke-width="2.5"${dashes}/>`, label }
}

function diagonalLegend(label: string): LegendEntry {
  return {
    symbol: '<line x1="-9" x2="9" stroke="#8c959f" stroke-width="1.5" stroke-dasharray="4,4"/>',
    label,
  }
}
