/** How well decision values separate two classes: ROC curve, precision against recall, and calibration. */
import { DataError } from '../base/errors.ts'
import { checkCurves, checkFigureOptions, checkList, checkNumbers } from './check-figure.ts'
import type { FigureOptions } from './figure-options.ts'
import { drawSeries } from './series.ts'

/** Rates of a ROC curve, as `rocCurve` computes them, with a name for the legend. */
export interface RocData {
  readonly name: string
  readonly falsePositiveRate: ArrayLike<number>
  readonly truePositiveRate: ArrayLike<number>
  /** The falling thresholds of the points. */
  readonly thresholds?: ArrayLike<number>
  /** The threshold of a model, which is marked on the curve. */
  readonly threshold?: number | undefined
}

/** A precision-recall curve, as `precisionRecallCurve` computes it, with a name for the legend. */
export interface PrecisionRecallData {
  readonly name: string
  readonly recall: ArrayLike<number>
  readonly precision: ArrayLike<number>
  /** The falling thresholds of the points. */
  readonly thresholds?: ArrayLike<number>
  /** The threshold of a model, which is marked on the curve. */
  readonly threshold?: number | undefined
}

/** Bins of a calibration curve, as `calibrationCurve` computes them, with a name for the legend. */
export interface CalibrationData {
  readonly name: string
  readonly bins: readonly { readonly predicted: number; readonly observed: number; readonly weight: number }[]
}

/** True positive rate against false positive rate, as the text of an SVG. A `threshold` is marked where a model decides. */
export async function rocFigure(curves: readonly RocData[], options: FigureOptions = {}): Promise<string> {
  checkFigureOptions('rocFigure', options)
  checkCurves('rocFigure', 'curves', curves)
  return drawSeries({
    title: 'ROC curve',
    ...options,
    x: shareAxis('false positive rate'),
    y: shareAxis('true positive rate'),
    series: curves.map(({ name, falsePositiveRate, truePositiveRate }) => ({
      label: name,
      points: pairs('rocFigure', falsePositiveRate, truePositiveRate),
    })),
    notes: curves.flatMap((curve) =>
      thresholdNote('rocFigure', curve, curve.falsePositiveRate, curve.truePositiveRate),
    ),
    diagonal: 'chance',
  })
}

/** Precision against recall, as the text of an SVG. A `threshold` is marked where a model decides. */
export async function precisionRecallFigure(
  curves: readonly PrecisionRecallData[],
  options: FigureOptions = {},
): Promise<string> {
  checkFigureOptions('precisionRecallFigure', options)
  checkCurves('precisionRecallFigure', 'curves', curves)
  return drawSeries({
    title: 'Precision and recall',
    ...options,
    x: shareAxis('recall'),
    y: shareAxis('precision'),
    series: curves.map(({ name, recall, precision }) => ({
      label: name,
      points: pairs('precisionRecallFigure', recall, precision),
      // Precision between two thresholds is that of the lower one.
      curve: 'step-before' as const,
    })),
    notes: curves.flatMap((curve) =>
      thresholdNote('precisionRecallFigure', curve, curve.recall, curve.precision),
    ),
  })
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
      checkNumbers(
        who,
        `curves[${k}].bins, ${name}`,
        bins.map((bin) => bin?.[name]),
      )
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
  { threshold, thresholds }: Pick<RocData, 'threshold' | 'thresholds'>,
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
