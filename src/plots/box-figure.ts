/**
 * One step of SMO in the plane of its two variables: the box [0, C_i] × [0, C_j], the line that the balance constraint
 * leaves, the segment of it inside the box, and the way from the old point to the minimum, clipped to that segment.
 */
import { checkNumber } from '../base/check.ts'
import { checkFigureOptions, checkObject } from './check-figure.ts'
import { axisOptions, dotSymbol, drawFigure, XY } from './figure.ts'
import type { FigureOptions } from './figure-options.ts'
import { PALETTE } from './palette.ts'

/** A step, as SMO solvers report it. */
export interface GeneralStep {
  readonly yi: number
  readonly yj: number
  /** The ends L and H of the segment, as values of α_j. */
  readonly low: number
  readonly high: number
  /** α_j at the minimum along the line; NaN where there is none. */
  readonly unclipped: number
  readonly oldAlphaI: number
  readonly oldAlphaJ: number
  readonly alphaI: number
  readonly alphaJ: number
}

/** How {@link boxFigure} draws. */
export interface BoxOptions extends FigureOptions {
  /** The bounds of the two variables. */
  readonly Ci: number
  readonly Cj: number
  /** The dual over the two variables, all others fixed; drawn as contour lines. */
  readonly objective?: (alphaI: number, alphaJ: number) => number
  /** Default true. */
  readonly legend?: boolean
}

/** Room around the box, as a part of its side: enough for the labels L and H. */
const ROOM = 0.24
/** Cells of the grid of contours on each axis, and how many contours: what looks smooth and not crowded. */
const GRID = 60
const CONTOURS = 12

/** Where marks find two corners, or two ends. */
const CORNERS = { x1: 'x1', x2: 'x2', y1: 'y1', y2: 'y2' } as const

/** Draws a step as the text of an SVG. */
export async function boxFigure(step: GeneralStep, options: BoxOptions): Promise<string> {
  const who = 'boxFigure'
  checkObject(who, 'step', step, 'a step of SMO')
  checkFigureOptions(who, options, ['Ci', 'Cj', 'objective', 'legend'])
  checkNumber(who, 'Ci', options.Ci, { above: 0 })
  checkNumber(who, 'Cj', options.Cj, { above: 0 })
  const { width = 460, height = 528, title = 'A step in the box', subtitle, Ci, Cj, objective } = options
  const { oldAlphaI, oldAlphaJ, alphaI, alphaJ, low, high, unclipped } = step
  const sign = step.yi * step.yj
  /** The point of the line where α_j is `at`. */
  const onLine = (at: number) => ({ x: oldAlphaI + sign * (oldAlphaJ - at), y: at })
  const minimum = onLine(Number.isNaN(unclipped) ? alphaJ : unclipped)
  const domain = padded(Math.max(Ci, Cj), [minimum.x, minimum.y])
  const line = [2 * domain[0] - domain[1], 2 * domain[1] - domain[0]].map(onLine)
  const clipped = minimum.y !== alphaJ
  const corners = [
    { ...onLine(low), name: 'L' },
    { ...onLine(high), name: 'H' },
  ]
  const legend = [
    { symbol: dotSymbol(4.5, '#fff', PALETTE.ink, 1.8), label: 'before' },
    clipped && {
      symbol: `<path d="M-4.5,-4.5L4.5,4.5M-4.5,4.5L4.5,-4.5" stroke="${PALETTE.vermilion}" stroke-width="2.2"/>`,
      label: 'minimum on the line',
    },
    { symbol: dotSymbol(4.5, PALETTE.ink), label: clipped ? 'after, clipped' : 'after' },
    {
      symbol: `<line x1="-9" x2="9" stroke="${PALETTE.blue}" stroke-width="3.4" stroke-opacity="0.55"/>`,
      label: 'feasible segment',
    },
    {
      symbol: `<line x1="-9" x2="9" stroke="${PALETTE.grey}" stroke-dasharray="4,4"/>`,
      label: 'balance',
    },
  ]
  const heading = { title, subtitle, legend: options.legend === false ? [] : legend }
  return drawFigure(heading, { width, height }, (plot) => ({
    x: axisOptions({ label: 'α_i', domain, ticks: 5 }),
    y: axisOptions({ label: 'α_j', domain, ticks: 5 }),
    marks: [
      objective
        ? plot.contour({
            x1: domain[0],
            x2: domain[1],
            y1: domain[0],
            y2: domain[1],
            width: GRID,
            height: GRID,
            value: (x: number, y: number) => objective(x, y),
            thresholds: CONTOURS,
            stroke: PALETTE.frame,
            clip: true,
            ariaDescription: 'the dual',
          })
        : null,
      plot.rect([{ x1: 0, y1: 0, x2: Ci, y2: Cj }], {
        ...CORNERS,
        stroke: PALETTE.ink,
        strokeWidth: 1.6,
        fill: PALETTE.sky,
        fillOpacity: 0.1,
        ariaDescription: 'box',
      }),
      plot.line(line, {
        ...XY,
        stroke: PALETTE.grey,
        strokeDasharray: '4,4',
        clip: true,
        ariaDescription: 'balance',
      }),
      plot.line(corners, {
        ...XY,
        stroke: PALETTE.blue,
        strokeWidth: 3.4,
        strokeOpacity: 0.55,
        ariaDescription: 'segment',
      }),
      plot.arrow([{ x1: oldAlphaI, y1: oldAlphaJ, x2: alphaI, y2: alphaJ }], {
        ...CORNERS,
        stroke: PALETTE.ink,
        strokeWidth: 2,
        inset: 6,
        ariaDescription: 'step',
      }),
      plot.text(corners, {
        ...XY,
        text: 'name',
        dx: 13,
        dy: sign > 0 ? -9 : 11,
        fontWeight: 600,
        fontSize: 14,
        stroke: '#fff',
        strokeWidth: 4,
        fill: PALETTE.blue,
      }),
      clipped
        ? plot.dot([minimum], {
            ...XY,
            symbol: 'times',
            r: 6,
            stroke: PALETTE.vermilion,
            strokeWidth: 2.2,
            ariaDescription: 'minimum',
          })
        : null,
      plot.dot([{ x: oldAlphaI, y: oldAlphaJ }], {
        ...XY,
        r: 5,
        fill: '#fff',
        stroke: PALETTE.ink,
        strokeWidth: 1.8,
        ariaDescription: 'before',
      }),
      plot.dot([{ x: alphaI, y: alphaJ }], { ...XY, r: 5, fill: PALETTE.ink, ariaDescription: 'after' }),
    ],
  }))
}

/** The box with room around it, and a minimum outside it where that is not far away; the same on both axes. */
function padded(bound: number, minimum: readonly number[]): [number, number] {
  const room = ROOM * bound
  const reached = minimum.every((at) => Math.abs(at) < 2 * bound) ? minimum : []
  const low = Math.min(0, ...reached)
  const high = Math.max(bound, ...reached)
  return [low - (low < 0 ? room / 2 : room), high + (high > bound ? room / 2 : room)]
}
