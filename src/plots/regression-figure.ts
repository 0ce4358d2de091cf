/**
 * A regression of one feature: the fitted curve with its tube, and the samples by where they stand: inside the tube, on its
 * edge, or outside, with the part of their error that is paid for.
 */
import { largestOf, smallestOf } from '../base/lists.ts'
import { type DenseMatrix, type Matrix, toDense } from '../data/matrix/matrix.ts'
import { checkFigureOptions, checkFunction, checkNumbers, checkObject, checkSamples } from './check-figure.ts'
import { axisOptions, dotSymbol, drawFigure, type LegendEntry, lineSymbol } from './figure.ts'
import type { FigureOptions } from './figure-options.ts'
import { PALETTE } from './palette.ts'

/** What {@link regressionFigure} draws. */
export interface RegressionData {
  /** Samples with exactly one feature. */
  readonly samples: Matrix
  readonly targets: ArrayLike<number>
  /** Prediction for every row of a matrix with one column. */
  readonly decide: (rows: DenseMatrix) => ArrayLike<number>
  /** Half the width of the tube. */
  readonly epsilon: number
}

/** How {@link regressionFigure} draws. */
export interface RegressionOptions extends FigureOptions {
  /** An error within so much of ε is on the edge of the tube. Default 1e-3. */
  readonly tol?: number
  readonly featureName?: string
}

/** One for every third pixel of a figure of the usual width. */
const CURVE_POINTS = 240

interface Point {
  readonly x: number
  readonly z: number
  readonly f: number
  /** The edge of the tube on the side of the sample. */
  readonly edge: number
  readonly excess: number
}

/** Draws curve, tube and samples as the text of an SVG. */
export async function regressionFigure(
  data: RegressionData,
  options: RegressionOptions = {},
): Promise<string> {
  const { width = 720, height = 440, title = 'Regression', subtitle, tol = 1e-3, featureName = 'x' } = options
  const who = 'regressionFigure'
  checkFigureOptions(who, options, ['tol', 'featureName'])
  checkObject(who, 'data', data, 'an object with samples, targets, decide and epsilon')
  const { samples, targets, decide, epsilon } = data
  checkFunction(who, 'data.decide', decide, 'a function of rows that gives their predictions')
  checkNumbers(who, 'targets', targets)
  checkSamples(who, samples, 1, { targets })
  const { values } = toDense(samples)
  const fitted = decide(column(Float64Array.from(values)))
  const points = Array.from(values, (x, i): Point => {
    const error = targets[i] - fitted[i]
    const edge = fitted[i] + Math.sign(error) * epsilon
    return { x, z: targets[i], f: fitted[i], edge, excess: Math.abs(error) - epsilon }
  })
  const [low, high] = [smallestOf(values), largestOf(values)]
  const at = Float64Array.from(
    { length: CURVE_POINTS },
    (_, k) => low + (k / (CURVE_POINTS - 1)) * (high - low),
  )
  const curve = Array.from(decide(column(at)), (f, k) => ({ x: at[k], f }))
  const outside = points.filter(({ excess }) => excess > tol)
  return drawFigure({ title, subtitle, legend: LEGEND }, { width, height }, (plot) => ({
    x: axisOptions({ label: featureName, nice: true, ticks: 7 }),
    y: axisOptions({ label: 'target', nice: true, ticks: 6 }),
    marks: [
      plot.frame({ stroke: PALETTE.frame }),
      plot.areaY(curve, {
        x: 'x',
        y1: ({ f }: { f: number }) => f - epsilon,
        y2: ({ f }: { f: number }) => f + epsilon,
        fill: PALETTE.sky,
        fillOpacity: 0.25,
        ariaDescription: 'tube',
      }),
      plot.line(curve, {
        x: 'x',
        y: 'f',
        stroke: PALETTE.blue,
        strokeWidth: 2,
        ariaDescription: 'prediction',
      }),
      plot.link(outside, {
        x1: 'x',
        x2: 'x',
        y1: 'edge',
        y2: 'z',
        stroke: PALETTE.vermilion,
        strokeWidth: 1.3,
        ariaDescription: 'excess',
      }),
      plot.dot(
        points.filter(({ excess }) => excess < -tol),
        { x: 'x', y: 'z', r: 2.6, fill: PALETTE.grey, ariaDescription: 'inside the tube' },
      ),
      plot.dot(
        points.filter(({ excess }) => Math.abs(excess) <= tol),
        {
          x: 'x',
          y: 'z',
          r: 4.6,
          fill: '#fff',
          stroke: PALETTE.ink,
          strokeWidth: 1.7,
          ariaDescription: 'on its edge',
        },
      ),
      plot.dot(outside, { x: 'x', y: 'z', r: 3.6, fill: PALETTE.vermilion, ariaDescription: 'outside' }),
    ],
  }))
}

function column(values: Float64Array): DenseMatrix {
  return { kind: 'dense', rows: values.length, cols: 1, values }
}

const LEGEND: readonly LegendEntry[] = [
  { symbol: lineSymbol(PALETTE.blue, 2), label: 'prediction' },
  {
    symbol: `<rect x="-9" y="-6" width="18" height="12" fill="${PALETTE.sky}" fill-opacity="0.25"/>`,
    label: 'tube ± ε',
  },
  { symbol: dotSymbol(2.6, PALETTE.grey), label: 'inside: no say' },
  { symbol: dotSymbol(4.6, '#fff', PALETTE.ink, 1.7), label: 'on its edge' },
  { symbol: dotSymbol(3.6, PALETTE.vermilion), label: 'outside, and what it pays for' },
]
