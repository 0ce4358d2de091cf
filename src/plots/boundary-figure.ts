/**
 * The decision boundary of a two-feature classifier: its decision value as a shaded field with lines at −1, 0 and +1,
 * the samples by class, and the support vectors ringed by what the optimality conditions say of them.
 */
import { DataError } from '../base/errors.ts'
import { largestOf, smallestOf } from '../base/lists.ts'
import { type DenseMatrix, type Matrix, toDense } from '../data/matrix/matrix.ts'
import type { Label, Labels } from '../data/table/dataset.ts'
import {
  checkFigureOptions,
  checkFunction,
  checkList,
  checkNumbers,
  checkObject,
  checkSamples,
} from './check-figure.ts'
import { axisOptions, dotSymbol, drawFigure, lineSymbol, XY } from './figure.ts'
import type { FigureOptions } from './figure-options.ts'
import { PALETTE } from './palette.ts'

/**
 * What is drawn of a sample: nothing more (`outside` the margin), or a ring for a support vector that lies on the
 * margin, inside it, or on the wrong side of the boundary.
 */
export type RingCase = 'outside' | 'on-margin' | 'inside' | 'misclassified'

/** What {@link boundaryFigure} draws. */
export interface BoundaryData {
  /** Samples with exactly two features. */
  readonly samples: Matrix
  readonly labels: Labels
  /** The class where the decision value is negative, and the one where it is positive. */
  readonly classes: readonly [negative: Label, positive: Label]
  /** Decision value of every row of a matrix with two columns. */
  readonly decide: (rows: DenseMatrix) => ArrayLike<number>
  /** The case of each sample; no rings when absent. */
  readonly cases?: readonly RingCase[]
  readonly featureNames?: readonly string[]
}

/** How {@link boundaryFigure} draws. */
export interface BoundaryOptions extends FigureOptions {
  /** The dashed lines at −1 and +1. Default true; a machine of one class has none. */
  readonly margins?: boolean
  /** Default true. Of several panels one legend is enough. */
  readonly legend?: boolean
  /** What the legend calls the rings, where that is not what they mean in classification. */
  readonly ringLabels?: Partial<Record<Exclude<RingCase, 'outside'>, string>>
}

/** Decision values on a regular grid of cell centres. */
export interface DecisionField {
  readonly columns: number
  readonly rows: number
  readonly x: readonly [from: number, to: number]
  readonly y: readonly [from: number, to: number]
  /** `values[row * columns + column]`, rows from `y[0]` upwards. */
  readonly values: Float64Array
}

/** Beyond this the shade no longer changes: the eye should rest on the margin. */
const FIELD_LIMIT = 2
const SHADES = [-1.5, -1, -0.5, 0, 0.5, 1, 1.5]
const FIELD_COLOURS = ['#f6c9a3', '#fbe8d8', '#fdfdfd', '#dcebf5', '#a9d0e8']
const CLASS_MARKS = [
  { colour: PALETTE.vermilion, symbol: 'triangle', legend: '<path d="M0,-5.5L5,3.5H-5Z"' },
  { colour: PALETTE.blue, symbol: 'circle', legend: '<circle r="4.5"' },
] as const
const RINGS: Record<
  Exclude<RingCase, 'outside'>,
  { label: string; stroke: string; width: number; dash?: string }
> = {
  'on-margin': { label: 'support vector on the margin', stroke: PALETTE.ink, width: 1.6 },
  inside: { label: 'inside the margin', stroke: PALETTE.grey, width: 1.2, dash: '3,2' },
  misclassified: { label: 'misclassified', stroke: PALETTE.purple, width: 2.2 },
}
/** Leaves a gap around a point, of radius 3.6. */
const RING_RADIUS = 7

const WHO = 'boundaryFigure'

/** Draws samples, field, boundary and margins as the text of an SVG. */
export async function boundaryFigure(data: BoundaryData, options: BoundaryOptions = {}): Promise<string> {
  checkFigureOptions(WHO, options, ['margins', 'legend', 'ringLabels'])
  checkObject(WHO, 'data', data, 'an object with samples, labels, classes and decide')
  checkFunction(WHO, 'data.decide', data.decide, 'a function of rows that gives their decision values')
  checkList(WHO, 'data.classes', data.classes, 'two classes, the negative one first')
  const { width = 720, height = 560, title = 'Decision boundary', subtitle, margins = true } = options
  const points = toPoints(data)
  const field = decisionField(points, data.decide)
  const [xName, yName] = data.featureNames ?? ['x1', 'x2']
  const rings = (Object.keys(RINGS) as (keyof typeof RINGS)[]).filter((name) => data.cases?.includes(name))
  const legend = [
    ...CLASS_MARKS.map(({ colour, legend: mark }, k) => ({
      symbol: `${mark} fill="${colour}"/>`,
      label: `class ${data.classes[k]}`,
    })),
    { symbol: lineSymbol(PALETTE.ink, 2), label: 'boundary (0)' },
    margins && { symbol: lineSymbol(PALETTE.ink, 1.1, '5,4'), label: 'margins (±1)' },
    ...rings.map((name) => {
      const { label, stroke, width: strokeWidth, dash } = RINGS[name]
      const symbol = dotSymbol(6.5, 'none', stroke, strokeWidth, dash)
      return { symbol, label: options.ringLabels?.[name] ?? label }
    }),
  ]
  const heading = { title, subtitle, legend: options.legend === false ? [] : legend }
  return drawFigure(heading, { width, height }, (plot) => {
    const [[x1, x2], [y1, y2]] = [field.x, field.y]
    const frame = { width: field.columns, height: field.rows, x1, x2, y1, y2, clip: true }
    const shade = field.values.map((value) => Math.min(FIELD_LIMIT, Math.max(-FIELD_LIMIT, value)))
    return {
      x: axisOptions({ label: xName, domain: shown(field.x, field.columns), ticks: 7 }),
      y: axisOptions({ label: yName, domain: shown(field.y, field.rows), ticks: 6 }),
      color: { type: 'linear', domain: [-FIELD_LIMIT, -1, 0, 1, FIELD_LIMIT], range: FIELD_COLOURS },
      marks: [
        plot.contour(shade, { ...frame, fill: plot.identity, thresholds: [-FIELD_LIMIT, ...SHADES] }),
        (margins ? [-1, 0, 1] : [0]).map((level) =>
          plot.contour(field.values, {
            ...frame,
            thresholds: [level],
            stroke: PALETTE.ink,
            strokeWidth: level === 0 ? 2 : 1.1,
            strokeDasharray: level === 0 ? undefined : '5,4',
            ariaDescription: `decision value ${level}`,
          }),
        ),
        plot.frame({ stroke: PALETTE.frame }),
        CLASS_MARKS.map(({ colour, symbol }, k) =>
          plot.dot(
            points.filter((point) => point.label === data.classes[k]),
            {
              ...XY,
              symbol,
              r: 3.6,
              fill: colour,
              stroke: '#fff',
              strokeWidth: 0.8,
              ariaDescription: `class ${data.classes[k]}`,
            },
          ),
        ),
        rings.map((name) =>
          plot.dot(
            points.filter((_, i) => data.cases?.[i] === name),
            {
              ...XY,
              r: RING_RADIUS,
              stroke: RINGS[name].stroke,
              strokeWidth: RINGS[name].width,
              strokeDasharray: RINGS[name].dash,
              ariaDescription: RINGS[name].label,
            },
          ),
        ),
      ],
    }
  })
}

interface Point {
  readonly x: number
  readonly y: number
  readonly label: Label
}

function toPoints(data: BoundaryData): Point[] {
  const { samples, labels, classes, cases } = data
  checkSamples(WHO, samples, 2, { labels, cases })
  const { values } = toDense(samples)
  checkNumbers(WHO, 'samples', values)
  return Array.from(labels as ArrayLike<Label>, (label, i) => {
    if (!classes.includes(label)) {
      throw new DataError(
        `boundaryFigure: label of sample ${i} is ${label}; the classes are ${classes.join(', ')}`,
      )
    }
    return { x: values[2 * i], y: values[2 * i + 1], label }
  })
}

/** The decision values over the rectangle that holds all points, with a little room around them. */
export function decisionField(
  points: readonly { readonly x: number; readonly y: number }[],
  decide: BoundaryData['decide'],
  columns = 140,
  rows = 110,
): DecisionField {
  const x = paddedExtent(points.map((point) => point.x))
  const y = paddedExtent(points.map((point) => point.y))
  const cells = new Float64Array(2 * columns * rows)
  for (let r = 0, k = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      cells[k++] = x[0] + ((c + 0.5) / columns) * (x[1] - x[0])
      cells[k++] = y[0] + ((r + 0.5) / rows) * (y[1] - y[0])
    }
  }
  const values = decide({ kind: 'dense', rows: columns * rows, cols: 2, values: cells })
  return { columns, rows, x, y, values: Float64Array.from(values) }
}

/** Contours close along the rim of their grid: the outermost cells stay out of sight. */
function shown([from, to]: readonly [number, number], cells: number): [number, number] {
  const rim = (2 * (to - from)) / cells
  return [from + rim, to - rim]
}

function paddedExtent(values: readonly number[]): [number, number] {
  const [low, high] = [smallestOf(values), largestOf(values)]
  const room = 0.1 * (high - low) || 1
  return [low - room, high + room]
}
