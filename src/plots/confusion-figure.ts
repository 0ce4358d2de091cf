/** A confusion matrix: rows are true classes, columns predicted ones, shades the share of the true class. */

import { DataError } from '../base/errors.ts'
import { largestOf } from '../base/lists.ts'
import { checkFigureOptions, checkList, checkNumbers, checkObject } from './check-figure.ts'
import { axisOptions, drawFigure, plainNumber } from './figure.ts'
import type { FigureOptions } from './figure-options.ts'
import { PALETTE } from './palette.ts'

/** What {@link confusionFigure} draws, as `confusionMatrix` computes it. */
export interface ConfusionData {
  readonly labels: readonly (number | string)[]
  /** `counts[t][p]`: samples of class t that were predicted as p. */
  readonly counts: readonly (readonly number[])[]
}

/** Draws the matrix as the text of an SVG. */
export async function confusionFigure(matrix: ConfusionData, options: FigureOptions = {}): Promise<string> {
  const who = 'confusionFigure'
  checkFigureOptions(who, options)
  checkObject(who, 'matrix', matrix, 'a matrix as confusionMatrix makes it: { labels, counts }')
  const { labels, counts } = matrix
  checkList(who, 'matrix.labels', labels, 'classes')
  checkList(who, 'matrix.counts', counts, 'rows')
  if (counts.length !== labels.length) {
    throw new DataError(`${who}: ${labels.length} labels but ${counts.length} rows of counts`)
  }
  counts.forEach((row, t) => {
    checkNumbers(who, `counts[${t}]`, row, labels.length)
  })
  if (labels.length === 0) throw new DataError('confusionFigure: there are no classes')
  const { width = 480, height = 460, title = 'Confusion matrix', subtitle } = options
  const names = labels.map(String)
  const cells = names.flatMap((truth, t) => {
    const total = counts[t].reduce((sum, count) => sum + count, 0)
    return names.map((predicted, p) => {
      const count = counts[t][p]
      const share = total > 0 ? count / total : 0
      return { truth, predicted, count, share, right: t === p }
    })
  })
  const crowded = names.length > 8
  const longest = largestOf(names.map((name) => name.length))
  const turned = names.length * longest > 40
  return drawFigure({ title, subtitle }, { width, height }, (plot) => ({
    marginLeft: 44 + 7 * Math.min(16, longest),
    marginBottom: turned ? 44 + 6 * Math.min(16, longest) : 48,
    x: axisOptions({
      domain: names,
      label: 'predicted class',
      padding: 0.03,
      ...(turned && { tickRotate: -45 }),
    }),
    y: axisOptions({ domain: names, label: 'true class', padding: 0.03 }),
    color: { type: 'linear', domain: [0, 1], range: ['#f6f8fa', PALETTE.blue] },
    marks: [
      plot.cell(cells, {
        x: 'predicted',
        y: 'truth',
        fill: 'share',
        ariaDescription: 'share of the true class',
      }),
      plot.text(cells, {
        x: 'predicted',
        y: 'truth',
        text: ({ count, share }: (typeof cells)[number]) =>
          crowded ? plainNumber(count) : `${plainNumber(count)}\n${(100 * share).toFixed(1)}%`,
        fill: ({ share }: (typeof cells)[number]) => (share > 0.55 ? '#fff' : PALETTE.ink),
        fontSize: crowded ? 10 : 14,
        lineHeight: 1.3,
      }),
    ],
  }))
}
