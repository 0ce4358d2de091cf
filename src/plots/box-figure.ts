/**
 * One step of SMO in the plane of its two variables: the box [0, C_i] × [0, C_j], the line that the balance constraint
 * leaves, the segment of it inside the box, and the way from the old point to the minimum, clipped to that segment.
 */
import { drawFigure, type LegendEntry } from './figure.ts'
import type { FigureSize } from './figure-size.ts'
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
export interface BoxOptions extends FigureSize {
  readonly title?: string
  readonly subtitle?: string
  /** The bounds of the two variables. */
  readonly Ci: number
  readonly Cj: number
  /** The dual over the two variables, all others fixed; drawn as contour lines. */
  readonly objective?: (alphaI: number, alphaJ: number) => number
  /** Default true. */
  readonly legend?: boolean
}

const ROOM = 0.24
const GRID = 60
const CONTOURS = 12

/** Draws a step as the text of an SVG. */
export async function boxFigure(step: GeneralStep, options: BoxOptions): Promise<string> {
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
  const legend = options.legend === false ? [] : legendOf(clipped)
  return drawFigure({ title, subtitle, legend }, { width, height }, (plot) => ({
    marginLeft: 52,
    marginBottom: 44,
    marginRight: 20,
    x: { domain, label: 'α_i', labelAnchor: 'center', labelArrow: 'none', ticks: 5 },
    y: { domain, label: 'α_j', labelAnchor: 'center', labelArrow: 'none', ticks: 5 },
    marks: [
      ...(objective
        ? [
            plot.contour({
              x1: domain[0],
              x2: domain[1],
              y1: domain[0],
              y2: domain[1],
              width: GRID,
              height: GRID,
              value: (x: number, y: number) => objective(x, y),
              thresholds: CONTOURS,
              stroke: '#d0d7de',
              clip: true,
              ariaDescription: 'the dual',
            }),
          ]
        : []),
      plot.rect([{ x1: 0, y1: 0, x2: Ci, y2: Cj }], {
        x1: 'x1',
        x2: 'x2',
        y1: 'y1',
        y2: 'y2',
        stroke: PALETTE.ink,
        strokeWidth: 1.6,
        fill: PALETTE.sky,
        fillOpacity: 0.1,
        ariaDescription: 'box',
      }),
      plot.line(line, {
        x: 'x',
        y: 'y',
        stroke: PALETTE.grey,
        strokeDasharray: '4,4',
        clip: true,
        ariaDescription: 'balance',
      }),
      plot.line(corners, {
        x: 'x',
        y: 'y',
        stroke: PALETTE.blue,
        strokeWidth: 3.4,
        strokeOpacity: 0.55,
        ariaDescription: 'segment',
      }),
      plot.arrow([{ x1: oldAlphaI, y1: oldAlphaJ, x2: alphaI, y2: alphaJ }], {
        x1: 'x1',
        y1: 'y1',
        x2: 'x2',
        y2: 'y2',
        stroke: PALETTE.ink,
        strokeWidth: 2,
        inset: 6,
        ariaDescription: 'step',
      }),
      plot.text(corners, {
        x: 'x',
        y: 'y',
        text: 'name',
        dx: 13,
        dy: sign > 0 ? -9 : 11,
        fontWeight: 600,
        fontSize: 14,
        stroke: '#fff',
        strokeWidth: 4,
        fill: PALETTE.blue,
      }),
      ...(clipped
        ? [
            plot.dot([minimum], {
              x: 'x',
              y: 'y',
              symbol: 'times',
              r: 6,
              stroke: PALETTE.vermilion,
              strokeWidth: 2.2,
              ariaDescription: 'minimum',
            }),
          ]
        : []),
      plot.dot([{ x: oldAlphaI, y: oldAlphaJ }], {
        x: 'x',
        y: 'y',
        r: 5,
        fill: '#fff',
        stroke: PALETTE.ink,
        strokeWidth: 1.8,
        ariaDescription: 'before',
      }),
      plot.dot([{ x: alphaI, y: alphaJ }], {
        x: 'x',
        y: 'y',
        r: 5,
        fill: PALETTE.ink,
        ariaDescription: 'after',
      }),
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

function legendOf(clipped: boolean): LegendEntry[] {
  const line = (rest: string) => `<line x1="-9" x2="9" ${rest}/>`
  return [
    { symbol: `<circle r="4.5" fill="#fff" stroke="${PALETTE.ink}" stroke-width="1.8"/>`, label: 'before' },
    ...(clipped
      ? [
          {
            symbol: `<path d="M-4.5,-4.5L4.5,4.5M-4.5,4.5L4.5,-4.5" stroke="${PALETTE.vermilion}" stroke-width="2.2"/>`,
            label: 'minimum on the line',
          },
        ]
      : []),
    { symbol: `<circle r="4.5" fill="${PALETTE.ink}"/>`, label: clipped ? 'after, clipped' : 'after' },
    {
      symbol: line(`stroke="${PALETTE.blue}" stroke-width="3.4" stroke-opacity="0.55"`),
      label: 'feasible segment',
    },
    { symbol: line(`stroke="${PALETTE.grey}" stroke-dasharray="4,4"`), label: 'balance' },
  ]
}
