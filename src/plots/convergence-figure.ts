/** How runs converge: primal and dual value closing in on the optimum, the gap, and the violation. */

import { checkOneOf } from '../base/check.ts'
import { DataError } from '../base/errors.ts'
import { largestOf, smallestOf } from '../base/lists.ts'
import { checkCurves, checkFigureOptions, checkList } from './check-figure.ts'
import type { FigureOptions } from './figure-options.ts'
import { PALETTE } from './palette.ts'
import { drawSeries, type Series } from './series.ts'

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
export interface ConvergenceOptions extends FigureOptions {
  /** What runs along the horizontal axis. Default `iteration`. */
  readonly over?: 'iteration' | 'seconds'
}

const AXIS_LABEL = { iteration: 'iteration', seconds: 'seconds of solving' } as const
const MEASURE_LABEL = { gap: 'duality gap', violation: 'largest KKT violation' } as const
/** Beyond this ratio of largest to smallest value a linear scale would hide one end. */
const LINEAR_SPREAD = 30

/** The primal value of one run and −dual, between which the optimum lies, as the text of an SVG. */
export async function boundsFigure(run: ConvergenceRun, options: ConvergenceOptions = {}): Promise<string> {
  checkRuns('boundsFigure', 'run', [run], options)
  const { title = `${run.name}: primal and dual value`, over = 'iteration' } = options
  const points = (value: (point: ConvergencePoint) => number) =>
    run.trace.map((point) => ({ x: point[over], y: value(point) }))
  const curves = [
    { label: 'primal (upper bound)', colour: PALETTE.vermilion, points: points(({ primal }) => primal) },
    { label: '−dual (lower bound)', colour: PALETTE.blue, points: points(({ dual }) => -dual) },
  ]
  const positive = curves
    .flatMap((curve) => curve.points.map(({ y }) => y))
    .filter((y) => y > 0 && Number.isFinite(y))
  const logarithmic = largestOf(positive) / smallestOf(positive) > LINEAR_SPREAD
  return drawCurves(curves, { ...options, title, over }, 'objective', logarithmic)
}

/** The gap or the violation of one or more runs on a logarithmic scale, as the text of an SVG. */
export async function convergenceFigure(
  runs: readonly ConvergenceRun[],
  measure: 'gap' | 'violation',
  options: ConvergenceOptions = {},
): Promise<string> {
  checkRuns('convergenceFigure', 'runs', runs, options)
  checkOneOf('convergenceFigure', 'measure', measure, ['gap', 'violation'])
  const { title = `Convergence: ${MEASURE_LABEL[measure]}`, over = 'iteration' } = options
  const curves = runs.map(({ name, trace }) => ({
    label: name,
    points: trace.map((point) => ({ x: point[over], y: point[measure] })),
  }))
  return drawCurves(curves, { ...options, title, over }, MEASURE_LABEL[measure], true)
}

function checkRuns(
  who: string,
  name: string,
  runs: readonly ConvergenceRun[],
  options: ConvergenceOptions,
): void {
  checkFigureOptions(who, options, ['over'])
  checkOneOf(who, 'over', options.over ?? 'iteration', ['iteration', 'seconds'])
  checkCurves(who, name, runs)
  for (const { trace } of runs) {
    checkList(who, 'trace', trace, 'points: a fit records them with { trace: { every: 1 } }')
  }
}

function drawCurves(
  curves: readonly Series[],
  options: ConvergenceOptions & { readonly title: string; readonly over: 'iteration' | 'seconds' },
  valueLabel: string,
  logarithmic: boolean,
): Promise<string> {
  const { width = 720, height = 380, over } = options
  // A hard margin has an infinite primal value until it is separated, and rounding can leave a gap of −1e-16.
  const series = curves.map((curve) => ({
    ...curve,
    points: curve.points.filter(({ y }) => Number.isFinite(y) && (y > 0 || !logarithmic)),
    dots: 'last' as const,
  }))
  if (series.every(({ points }) => points.length === 0)) {
    throw new DataError(`convergence figure: no run has a point with a finite ${valueLabel}`)
  }
  const last = largestOf(series.flatMap(({ points }) => points.map(({ x }) => x)))
  return drawSeries({
    ...options,
    width,
    height,
    series,
    x: { label: AXIS_LABEL[over], domain: [0, last || 1], ticks: 7, nice: true },
    y: { label: valueLabel, logarithmic, ticks: 6 },
  })
}
