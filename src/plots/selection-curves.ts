/** Scores along one parameter or one size: the path over C, and the learning curve. */
import { checkFigureOptions, checkList, checkNumbers } from './check-figure.ts'
import { plainNumber } from './figure.ts'
import type { FigureOptions } from './figure-options.ts'
import { PALETTE } from './palette.ts'
import { drawSeries, type Series } from './series.ts'

/** A score with the standard error of its mean. */
export interface MeanScore {
  readonly mean: number
  readonly standardError: number
}

/** What {@link pathFigure} draws for one C. */
export interface PathPoint {
  readonly C: number
  /** On samples that were not trained on. */
  readonly test: MeanScore
  /** On those that were. */
  readonly train?: MeanScore | undefined
}

/** What {@link learningCurveFigure} draws for one size. */
export interface LearningPoint {
  /** Samples trained on. */
  readonly samples: number
  readonly train: MeanScore
  readonly test: MeanScore
}

/** How the curves are drawn. */
export interface SelectionCurveOptions extends FigureOptions {
  /** What the score is called. Default 'accuracy'. */
  readonly scoring?: string
  /** The value of C to mark. */
  readonly best?: number | undefined
}

/** Scores that are shares, and read best as percentages. */
const SHARES = [
  'accuracy',
  'balanced-accuracy',
  'precision',
  'recall',
  'f1',
  'precision-macro',
  'recall-macro',
  'f1-macro',
]

/** Score by C on a logarithmic scale, as the text of an SVG. */
export async function pathFigure(
  points: readonly PathPoint[],
  options: SelectionCurveOptions = {},
): Promise<string> {
  checkFigureOptions('pathFigure', options, ['scoring', 'best'])
  checkList('pathFigure', 'points', points, 'points, as cPath gives them in its points')
  checkNumbers(
    'pathFigure',
    'C',
    points.map((point) => point?.C),
  )
  const { title = 'Path over C', scoring = 'accuracy', best } = options
  const chosen = points.find(({ C }) => C === best)
  return drawSeries({
    ...options,
    title,
    x: { label: 'C', logarithmic: true },
    y: { label: scoring, percent: SHARES.includes(scoring) },
    series: trainAndTest(points.map(({ C, train, test }) => ({ x: C, train, test }))),
    ...(chosen && {
      notes: [
        {
          x: chosen.C,
          y: chosen.test.mean,
          text: `C = ${plainNumber(chosen.C)}`,
          side: points.indexOf(chosen) > points.length / 2 ? 'left' : 'right',
        },
      ],
    }),
  })
}

/** Score by number of training samples, as the text of an SVG. */
export async function learningCurveFigure(
  points: readonly LearningPoint[],
  options: Omit<SelectionCurveOptions, 'best'> = {},
): Promise<string> {
  checkFigureOptions('learningCurveFigure', options, ['scoring'])
  checkList('learningCurveFigure', 'points', points, 'points, as learningCurve gives them in its points')
  checkNumbers(
    'learningCurveFigure',
    'samples',
    points.map((point) => point?.samples),
  )
  const { title = 'Learning curve', scoring = 'accuracy' } = options
  return drawSeries({
    ...options,
    title,
    x: { label: 'samples trained on' },
    y: { label: scoring, percent: SHARES.includes(scoring) },
    series: trainAndTest(points.map(({ samples, train, test }) => ({ x: samples, train, test }))),
  })
}

function trainAndTest(
  points: readonly { readonly x: number; readonly train?: MeanScore | undefined; readonly test: MeanScore }[],
): Series[] {
  const of = (side: 'train' | 'test') =>
    points.flatMap(({ x, [side]: score }) =>
      score ? [{ x, y: score.mean, spread: score.standardError }] : [],
    )
  const train = of('train')
  const dots = 'all' as const
  return [
    { label: 'samples not seen (± standard error)', colour: PALETTE.blue, points: of('test'), dots },
    ...(train.length > 0
      ? [{ label: 'samples trained on', colour: PALETTE.vermilion, points: train, dots, dash: '6,3' }]
      : []),
  ]
}
