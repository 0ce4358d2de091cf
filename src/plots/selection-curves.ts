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
const SHARE = /^(balanced-)?accuracy$|^(precision|recall|f1)(-macro)?$/

/** Score by C on a logarithmic scale, as the text of an SVG. */
export async function pathFigure(
  points: readonly PathPoint[],
  options: SelectionCurveOptions = {},
): Promise<string> {
  const { best } = options
  checkFigureOptions('pathFigure', options, ['scoring', 'best'])
  const series = curvesOver('pathFigure', points, 'C', 'cPath')
  const chosen = points.find(({ C }) => C === best)
  return drawSeries({
    ...options,
    title: options.title ?? 'Path over C',
    x: { label: 'C', logarithmic: true },
    y: scoreAxis(options),
    series,
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
  return drawSeries({
    ...options,
    title: options.title ?? 'Learning curve',
    x: { label: 'samples trained on' },
    y: scoreAxis(options),
    series: curvesOver('learningCurveFigure', points, 'samples', 'learningCurve'),
  })
}

function scoreAxis({ scoring = 'accuracy' }: SelectionCurveOptions) {
  return { label: scoring, percent: SHARE.test(scoring) }
}

/** The scores on samples not seen, and on those trained on where there are some, over a number of each point; `maker` makes them. */
function curvesOver<N extends string>(
  who: string,
  points: readonly (Readonly<Record<N, number>> & Pick<PathPoint, 'train' | 'test'>)[],
  over: N,
  maker: string,
): Series[] {
  checkList(who, 'points', points, `points, as ${maker} gives them in its points`)
  const at = points.map((point) => point?.[over])
  checkNumbers(who, over, at)
  const of = (side: 'train' | 'test') =>
    points.flatMap(({ [side]: score }, k) =>
      score ? [{ x: at[k], y: score.mean, spread: score.standardError }] : [],
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
