/** Pages about model selection: what was tried, what was chosen, and how good it is on samples not seen. */
import {
  averagePrecision,
  calibrationCurve,
  calibrationFigure,
  confusionFigure,
  confusionMatrix,
  fitSigmoid,
  foldSpreadFigure,
  type GridCell,
  heatMapFigure,
  type Label,
  type Labels,
  precisionRecallCurve,
  precisionRecallFigure,
  type ReportSection,
  rocAuc,
  rocCurve,
  rocFigure,
  sigmoidProbability,
} from '../index.node.ts'
import { number } from './output.ts'
import { meanWords, scoreWords } from './selection-options.ts'

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

/** The heat map where two parameters were tuned, and the folds of the best cells. */
export async function searchFigures(searched: Searched): Promise<string[]> {
  const { cells, bestParams: best, scoring, greaterIsBetter } = searched
  const options = { scoring, greaterIsBetter, best }
  const figures: string[] = []
  const numeric = (name: string): boolean => cells.every(({ params }) => typeof params[name] === 'number')
  if (numeric('C') && numeric('gamma')) figures.push(await heatMapFigure(cells, 'C', 'gamma', options))
  figures.push(await foldSpreadFigure(cells, options))
  return figures
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
        ...names.map((name) =>
          typeof params[name] === 'number' ? number(params[name]) : String(params[name] ?? ''),
        ),
        meanWords(scoring, { mean, standardError }),
        scoreWords(scoring, greaterIsBetter ? Math.min(...scores) : Math.max(...scores)),
        scoreWords(scoring, greaterIsBetter ? Math.max(...scores) : Math.min(...scores)),
      ]),
  }
}

/** Confusion, and for two classes ROC, precision against recall, and calibration. */
export async function unseenSection(
  heading: string,
  { truth, predicted, decisions }: Said,
): Promise<ReportSection> {
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
