/** How runs converge: primal and dual value closing in on the optimum, the gap, and the violation. */

import { DataError } from '../base/errors.ts'
import { largestOf } from '../base/lists.ts'
import { drawFigure, type LegendEntry } from './figure.ts'
import type { FigureSize } from './figure-size.ts'
import { CURVE_COLOURS, PALETTE } from './palette.ts'

/** A point of a trace, as solvers record it. */
export interface ConvergencePoint {
  readonly iteration: number
  readonly seconds: number
  readonly primal: number
  readonly dual: number
  readonly gap: number
  readonly violation: number
}

/** The course of one run. */
export interface ConvergenceRun {
  /** What the legend calls it. */
  readonly name: string
  readonly trace: readonly ConvergencePoint[]
}

/** How the curves are drawn. */
export interface ConvergenceOptions extends FigureSize {
  readonly title?: string
  readonly subtitle?: string
  /** What runs along the horizontal axis. Default `iteration`. */
  readonly over?: 'iteration' | 'seconds'
}

const AXIS_LABEL = { iteration: 'iteration', seconds: 'seconds of solving' } as const
const MEASURE_LABEL = { gap: 'duality gap', violation: 'largest KKT violation' } as const
/** Beyond this ratio of largest to smallest value a linear scale would hide one end. */
const LINEAR_SPREAD = 30
/** More points than pixels would only make the file longer. */
const MOST_POINTS = 1000

interface CurvePoint {
  readonly at: number
  readonly value: number
}

interface Curve {
  readonly label: string
  readonly colour: string
  readonly dash?: string
  readonly points: readonly CurvePoint[]
}

/** The primal value of one run and −dual, between which the optimum lies, as the text of an SVG. */
export async function boundsFigure(run: ConvergenceRun, options: ConvergenceOptions = {}): Promise<string> {
  const { title = `${run.name}: primal and dual value`, over = 'iteration' } = options
  const curves: Curve[] = [
    { label: 'primal (upper bound)', colour: PALETTE.vermilion, points: curvePoints(run, over, 'primal') },
    {
      label: '−dual (lower bound)',
      colour: PALETTE.blue,
      points: curvePoints(run, over, 'dual').map(({ at, value }) => ({ at, value: -value })),
    },
  ]
  return drawCurves(curves, { ...options, title, over }, 'objective', spread(curves) > LINEAR_SPREAD)
}

/** The gap or the violation of one or more runs on a logarithmic scale, as the text of an SVG. */
export async function convergenceFigure(
  runs: readonly ConvergenceRun[],
  measure: 'gap' | 'violation',
  options: ConvergenceOptions = {},
): Promise<string> {
  const { title = `Convergence: ${MEASURE_LABEL[measure]}`, over = 'iteration' } = options
  const curves = runs.map((run, k) => ({
    label: run.name,
    colour: CURVE_COLOURS[k % CURVE_COLOURS.length],
    dash: k < CURVE_COLOURS.length ? undefined : '6,3',
    points: curvePoints(run, over, measure),
  }))
  return drawCurves(curves, { ...options, title, over }, MEASURE_LABEL[measure], true)
}

/** Largest by smallest positive value: how many times the curves grow or shrink. */
function spread(curves: readonly Curve[]): number {
  let low = Number.POSITIVE_INFINITY
  let high = 0
  for (const { points } of curves) {
    for (const { value } of points) {
      if (value > 0 && value < low) low = value
      if (value > high && value < Number.POSITIVE_INFINITY) high = value
    }
  }
  return high / low
}

function curvePoints(
  run: ConvergenceRun,
  over: 'iteration' | 'seconds',
  measure: 'primal' | 'dual' | 'gap' | 'violation',
): CurvePoint[] {
  const stride = Math.ceil(run.trace.length / MOST_POINTS)
  return run.trace
    .filter((_, k) => k % stride === 0 || k === run.trace.length - 1)
    .map((point) => ({ at: point[over], value: point[measure] }))
}

function drawCurves(
  curves: readonly Curve[],
  options: ConvergenceOptions & { readonly title: string; readonly over: 'iteration' | 'seconds' },
  valueLabel: string,
  logarithmic: boolean,
): Promise<string> {
  const { width = 720, height = 380, title, subtitle, over } = options
  // A hard margin has an infinite primal value until it is separated, and rounding can leave a gap of −1e-16.
  const drawable = curves.map((curve) => ({
    ...curve,
    points: curve.points.filter(({ value }) => Number.isFinite(value) && (value > 0 || !logarithmic)),
  }))
  if (drawable.every((curve) => curve.points.length === 0)) {
    throw new DataError(`convergence figure: no run has a point with a finite ${valueLabel}`)
  }
  const legend = drawable.map(curveLegend)
  const last = largestOf(drawable.flatMap((curve) => curve.points.map((point) => point.at)))
  return drawFigure({ title, subtitle, legend }, { width, height }, (plot) => ({
    marginLeft: 64,
    marginBottom: 44,
    marginRight: 20,
    x: {
      domain: [0, last || 1],
      label: AXIS_LABEL[over],
      labelAnchor: 'center',
      labelArrow: 'none',
      ticks: 7,
      nice: true,
    },
    y: {
      type: logarithmic ? 'log' : 'linear',
      label: valueLabel,
      labelAnchor: 'center',
      labelArrow: 'none',
      grid: true,
      ticks: 6,
      ...(logarithmic && { tickFormat: plainTick }),
    },
    marks: [
      plot.frame({ stroke: '#d0d7de' }),
      ...drawable.map(({ points, colour, dash, label }) =>
        plot.line(points, {
          x: 'at',
          y: 'value',
          stroke: colour,
          strokeWidth: 1.8,
          strokeDasharray: dash,
          ariaDescription: label,
        }),
      ),
      ...drawable.map(({ points, colour, label }) =>
        plot.dot(points.slice(-1), {
          x: 'at',
          y: 'value',
          r: 3.2,
          fill: colour,
          ariaDescription: `${label}, end`,
        }),
      ),
    ],
  }))
}

/** 1000, 10, 0.1, 1e-4: powers of ten as people write them. */
function plainTick(value: number): string {
  return value >= 1e-3 && value < 1e5 ? String(Number(value.toPrecision(6))) : value.toExponential(0)
}

function curveLegend({ label, colour, dash }: Curve): LegendEntry {
  const dashes = dash ? ` stroke-dasharray="${dash}"` : ''
  return { symbol: `<line x1="-9" x2="9" stroke="${colour}" stroke-width="2.5"${dashes}/>`, label }
}
