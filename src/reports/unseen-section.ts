import { fitSigmoid, sigmoidProbability } from '../calibration/sigmoid-calibration.ts'
import type { Label, Labels } from '../data/table/dataset.ts'
import { calibrationCurve } from '../metrics/calibration-curve.ts'
import { confusionMatrix } from '../metrics/confusion-matrix.ts'
import { averagePrecision, precisionRecallCurve, rocAuc, rocCurve } from '../metrics/ranking.ts'
import { r2 } from '../metrics/regression.ts'
import { confusionFigure } from '../plots/confusion-figure.ts'
import type { ReportSection } from '../plots/html-report.ts'
import { predictionFigure } from '../plots/prediction-figure.ts'
import { calibrationFigure, precisionRecallFigure, rocFigure } from '../plots/ranking-figures.ts'

/** What a model said of samples it had not seen. */
export interface Said {
  readonly truth: Labels
  readonly predicted: Labels
  readonly decisions?: Float64Array | undefined
}

/** Confusion, and for two classes ROC, precision against recall, and calibration; of numbers predicted against true. */
export async function unseenSection(
  heading: string,
  { truth, predicted, decisions }: Said,
  numbers: boolean,
): Promise<ReportSection> {
  if (numbers) {
    const [targets, said] = [truth as Float64Array, predicted as Float64Array]
    const subtitle = `R² ${fourDigits(r2(targets, said))}`
    return { heading, figures: [await predictionFigure(targets, said, { subtitle })] }
  }
  const figures = [await confusionFigure(confusionMatrix(truth, predicted))]
  const classes = [...new Set<Label>(truth)].sort((a, b) => (a < b ? -1 : 1))
  if (decisions && classes.length === 2) {
    const [, positive] = classes
    const options = { positive }
    const area = `area ${fourDigits(rocAuc(truth, decisions, options))}`
    const precision = `average precision ${fourDigits(averagePrecision(truth, decisions, options))}`
    const positives = Array.from({ length: truth.length }, (_, i) => truth[i] === positive)
    const { a, b } = fitSigmoid(decisions, positives)
    const bins = calibrationCurve(
      truth,
      decisions.map((value) => sigmoidProbability(value, a, b)),
      options,
    )
    figures.push(
      await rocFigure([{ name: area, ...rocCurve(truth, decisions, options) }]),
      await precisionRecallFigure([{ name: precision, ...precisionRecallCurve(truth, decisions, options) }]),
      await calibrationFigure([{ name: 'sigmoid of the decision value ± standard error', bins }]),
    )
  }
  return { heading, figures }
}

function fourDigits(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(4))) : String(value)
}
