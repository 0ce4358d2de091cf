/** Pages about model selection: what was tried, what was chosen, and how good it is on samples not seen. */

import { fitSigmoid, sigmoidProbability } from '../../calibration/sigmoid-calibration.ts'
import type { Label, Labels } from '../../data/table/dataset.ts'
import { calibrationCurve } from '../../metrics/calibration-curve.ts'
import { confusionMatrix } from '../../metrics/confusion-matrix.ts'
import { averagePrecision, precisionRecallCurve, rocAuc, rocCurve } from '../../metrics/ranking.ts'
import { r2 } from '../../metrics/regression.ts'
import { confusionFigure } from '../../plots/confusion-figure.ts'
import { foldSpreadFigure, type GridCell, heatMapFigure } from '../../plots/grid-figures.ts'
import type { ReportSection } from '../../plots/html-report.ts'
import { predictionFigure } from '../../plots/prediction-figure.ts'
import { calibrationFigure, precisionRecallFigure, rocFigure } from '../../plots/ranking-figures.ts'
import { meanWords, scoreWords } from '../options/selection-options.ts'
import { number, valueWords } from './output.ts'

/** What a model said of samples it had not seen. */
export interface Said {
  readonly truth: Labels
  readonly predicted: Labels
  readonly decisions?: Float64Array | undefined
}

/** How a search went. */
export interface Searched {
  readonly cells: readonly GridCell[]
  readonly bestParams: GridCell['params']
  readonly scoring: string
  readonly greaterIsBetter: boolean
}

/** The heat map where two parameters were tuned, of more the best cells over the others, and the folds of the best. */
export async function searchFigures(searched: Searched): Promise<string[]> {
  const { cells, bestParams: best, scoring, greaterIsBetter } = searched
  const options = { scoring, greaterIsBetter, best }
  const figures: string[] = []
  const [x, y, ...others] = Object.keys(best).filter((name) =>
    cells.every(({ params }) => typeof params[name] === 'number' && params[name] > 0),
  )
  if (y !== undefined) {
    const subtitle = others.length > 0 ? { subtitle: `the best over ${others.join(' and ')}` } : {}
    const shown = bestOver(cells, x, y, greaterIsBetter)
    figures.push(await heatMapFigure(shown, x, y, { ...options, ...subtitle }))
  }
  figures.push(await foldSpreadFigure(cells, options))
  return figures
}

/** For each pair of values the best of the cells that have it. */
function bestOver(cells: readonly GridCell[], x: string, y: string, greaterIsBetter: boolean): GridCell[] {
  const best = new Map<string, GridCell>()
  for (const cell of cells) {
    const key = `${cell.params[x]} ${cell.params[y]}`
    const known = best.get(key)
    if (!known || (greaterIsBetter ? cell.mean > known.mean : cell.mean < known.mean)) best.set(key, cell)
  }
  return [...best.values()]
}

/** The best cells, best first, as cells of a table. */
export function bestCellsTable({ cells, scoring, greaterIsBetter }: Omit<Searched, 'bestParams'>, most = 10) {
  const names = [...new Set(cells.flatMap(({ params }) => Object.keys(params)))]
  const sign = greaterIsBetter ? 1 : -1
  const ranked = cells.filter(({ mean }) => Number.isFinite(mean)).sort((a, b) => sign * (b.mean - a.mean))
  return {
    columns: [...names, scoring, 'worst fold', 'best fold'],
    left: [],
    rows: ranked
      .slice(0, most)
      .map(({ params, mean, standardError, scores }) => [
        ...names.map((name) => valueWords(params[name])),
        meanWords(scoring, { scores, mean, standardError }),
        ...worstAndBest(scores, greaterIsBetter).map((score) => scoreWords(scoring, score)),
      ]),
  }
}

/** Confusion, and for two classes ROC, precision against recall, and calibration; of numbers predicted against true. */
export async function unseenSection(
  heading: string,
  { truth, predicted, decisions }: Said,
  numbers: boolean,
): Promise<ReportSection> {
  if (numbers) {
    const [targets, said] = [truth as Float64Array, predicted as Float64Array]
    const subtitle = `R² ${number(r2(targets, said), 4)}`
    return { heading, figures: [await predictionFigure(targets, said, { subtitle })] }
  }
  const figures = [await confusionFigure(confusionMatrix(truth, predicted))]
  const classes = [...new Set<Label>(truth)].sort((a, b) => (a < b ? -1 : 1))
  if (decisions && classes.length === 2) {
    const [, positive] = classes
    const options = { positive }
    const area = `area ${number(rocAuc(truth, decisions, options), 4)}`
    const precision = `average precision ${number(averagePrecision(truth, decisions, options), 4)}`
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

function worstAndBest(scores: readonly number[], greaterIsBetter: boolean): [worst: number, best: number] {
  const sorted = Float64Array.from(scores).sort()
  const [least, most] = [sorted[0], sorted[sorted.length - 1]]
  return greaterIsBetter ? [least, most] : [most, least]
}
