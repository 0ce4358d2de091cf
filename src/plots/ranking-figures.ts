/** How well decision values separate two classes: ROC curve, precision against recall, and calibration. */
import { DataError } from '../base/errors.ts'
import { checkCurves, checkFigureOptions, checkList, checkNumbers } from './check-figure.ts'
import type { FigureOptions } from './figure-options.ts'
import { drawSeries } from './series.ts'

/** What curves of a ranking have beside their points. */
interface RankedCurve {
  readonly name: string
  /** The falling thresholds of the points. */
  readonly thresholds?: ArrayLike<number>
  /** The threshold of a model, which is marked on the curve. */
  readonly threshold?: number | undefined
}

/** Rates of a ROC curve, as `rocCurve` computes them, with a name for the legend. */
export interface RocData extends RankedCurve {
  readonly falsePositiveRate: ArrayLike<number>
  readonly truePositiveRate: ArrayLike<number>
}

/** A precision-recall curve, as `precisionRecallCurve` computes it, with a name for the legend. */
export interface PrecisionRecallData extends RankedCurve {
  readonly recall: ArrayLike<number>
  readonly precision: ArrayLike<number>
}

/** Bins of a calibration curve, as `calibrationCurve` computes them, with a name for the legend. */
export interface CalibrationData {
  readonly name: string
  readonly bins: readonly { readonly predicted: number; readonly observed: number; readonly weight: number }[]
}

/** True positive rate against false positive rate, as the text of an SVG. A `threshold` is marked where a model decides. */
export async function rocFigure(curves: readonly RocData[], options: FigureOptions = {}): Promise<string> {
  return drawSeries({
    title: 'ROC curve',
    ...rankingParts('rocFigure', curves, options, (curve) => [
      curve.falsePositiveRate,
      curve.truePositiveRate,
    ]),
    x: shareAxis('false positive rate'),
    y: shareAxis('true positive rate'),
    diagonal: 'chance',
  })
}

/** Precision against recall, as the text of an SVG. A `threshold` is marked where a model decides. */
export async function precisionRecallFigure(
  curves: readonly PrecisionRecallData[],
  options: FigureOptions = {},
): Promise<string> {
  const points = (curve: PrecisionRecallData) => [curve.recall, curve.precision] as const
  return drawSeries({
    title: 'Precision and recall',
    // Precision between two thresholds is that of the lower one.
    ...rankingParts('precisionRecallFigure', curves, options, points, 'step-before'),
    x: shareAxis('recall'),
    y: shareAxis('precision'),
  })
}

/** What the figures of a ranking are made of: curves, and notes where models decide. */
function rankingParts<C extends RankedCurve>(
  who: string,
  curves: readonly C[],
  options: FigureOptions,
  pointsOf: (curve: C) => readonly [x: ArrayLike<number>, y: ArrayLike<number>],
  shape: 'linear' | 'step-before' = 'linear',
) {
  checkFigureOptions(who, options)
  checkCurves(who, 'curves', curves)
  return {
    ...options,
    series: curves.map((curve) => ({
      label: curve.name,
      points: pairs(who, ...pointsOf(curve)),
      curve: shape,
    })),
    notes: curves.flatMap((curve) => thresholdNote(who, curve, ...pointsOf(curve))),
  }
}

/** Observed share against predicted probability, as the text of an SVG. Well calibrated models follow the diagonal. */
export async function calibrationFigure(
  curves: readonly CalibrationData[],
  options: FigureOptions = {},
): Promise<string> {
  const who = 'calibrationFigure'
  checkFigureOptions(who, options)
  checkCurves(who, 'curves', curves)
  curves.forEach(({ bins }, k) => {
    checkList(who, `curves[${k}].bins`, bins, 'bins, as calibrationCurve makes them')
    for (const name of ['predicted', 'observed', 'weight'] as const) {
      const values = bins.map((bin) => bin?.[name])
      checkNumbers(who, `curves[${k}].bins, ${name}`, values)
    }
  })
  return drawSeries({
    title: 'Calibration',
    ...options,
    x: shareAxis('predicted probability of the positive class'),
    y: shareAxis('share that is positive'),
    series: curves.map(({ name, bins }) => ({
      label: name,
      dots: 'all' as const,
      // The standard error of a share.
      points: bins.map(({ predicted, observed, weight }) => ({
        x: predicted,
        y: observed,
        spread: Math.sqrt(Math.max(observed * (1 - observed), 1 / (4 * weight)) / weight),
      })),
    })),
    diagonal: 'perfect',
  })
}

/** The point of a curve at which a model decides: the last one whose threshold has not been passed. */
function thresholdNote(
  who: string,
  { threshold, thresholds }: RankedCurve,
  x: ArrayLike<number>,
  y: ArrayLike<number>,
) {
  if (threshold === undefined) return []
  if (thresholds?.length !== x.length) {
    throw new DataError(
      `${who}: a threshold needs the thresholds of the ${x.length} points, got ${thresholds?.length ?? 0}`,
    )
  }
  const at = Array.from(thresholds).findLastIndex((passed) => passed >= threshold)
  if (at < 0) throw new DataError(`${who}: the threshold ${threshold} is above all thresholds of the curve`)
  const side: 'left' | 'right' = x[at] > 0.5 ? 'left' : 'right'
  return [{ x: x[at], y: y[at], text: `threshold ${Number(threshold.toPrecision(4))}`, side }]
}

/** An axis from 0% to 100%. */
function shareAxis(label: string) {
  return { label, domain: [0, 1], percent: true }
}

function pairs(who: string, x: ArrayLike<number>, y: ArrayLike<number>) {
  checkNumbers(who, 'x', x)
  checkNumbers(who, 'y', y)
  if (x.length !== y.length) throw new DataError(`${who}: ${x.length} values of x but ${y.length} of y`)
  return Array.from(x, (at, k) => ({ x: at, y: y[k] }))
}
