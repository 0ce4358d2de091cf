/** How near a regression comes to its targets: each sample where it was predicted and where it is. */
import { DataError } from '../base/errors.ts'
import { checkFigureOptions, checkNumbers } from './check-figure.ts'
import { axisOptions, drawFigure, XY } from './figure.ts'
import type { FigureOptions } from './figure-options.ts'
import { PALETTE } from './palette.ts'
import { diagonalLegend, MARGINS } from './series.ts'

/** More points than this would only make the file longer. */
const MOST_POINTS = 3000

/** Predicted against true values as the text of an SVG; perfect predictions lie on the diagonal. */
export async function predictionFigure(
  truth: ArrayLike<number>,
  predicted: ArrayLike<number>,
  options: FigureOptions = {},
): Promise<string> {
  const who = 'predictionFigure'
  checkFigureOptions(who, options)
  checkNumbers(who, 'truth', truth)
  checkNumbers(who, 'predicted', predicted)
  const { width = 560, height = 520, title = 'Predicted against true', subtitle } = options
  if (truth.length !== predicted.length) {
    throw new DataError(`${who}: ${truth.length} true values but ${predicted.length} predictions`)
  }
  if (truth.length === 0) throw new DataError(`${who}: there is no point to draw`)
  const stride = Math.ceil(truth.length / MOST_POINTS)
  const points = Array.from(truth, (x, i) => ({ x, y: predicted[i] })).filter((_, i) => i % stride === 0)
  const all = points.flatMap(({ x, y }) => [x, y]).sort((a, b) => a - b)
  const ends = [all[0], all[all.length - 1]]
  const legend = [
    {
      symbol: `<circle r="3.2" fill="${PALETTE.blue}" fill-opacity="0.55"/>`,
      label: stride > 1 ? `one of ${truth.length} samples, every ${stride}th drawn` : 'one sample',
    },
    diagonalLegend('perfect'),
  ]
  const axis = { domain: ends, nice: true, ticks: 7 }
  return drawFigure({ title, subtitle, legend }, { width, height }, (plot) => ({
    ...MARGINS,
    x: axisOptions({ ...axis, label: 'true' }),
    y: axisOptions({ ...axis, label: 'predicted', grid: true }),
    marks: [
      plot.frame({ stroke: PALETTE.frame }),
      plot.line(
        ends.map((end) => [end, end]),
        { stroke: PALETTE.guide, strokeDasharray: '4,4', ariaDescription: 'perfect' },
      ),
      plot.dot(points, {
        ...XY,
        r: 3.2,
        fill: PALETTE.blue,
        fillOpacity: 0.55,
        ariaDescription: 'samples',
      }),
    ],
  }))
}
