/** The page that `hyperplane tune --html` writes. */

import type { Dataset } from '../../data/table/dataset.ts'
import { isClassifier, type Model } from '../../models/model.ts'
import { htmlReport } from '../../plots/html-report.ts'
import { searchFigures } from '../../reports/search-figures.ts'
import { type Said, unseenSection } from '../../reports/unseen-section.ts'
import { crossValidate } from '../../selection/score/cross-validate.ts'
import type { ProtocolSettings } from '../../selection/score/protocols.ts'
import type { Estimator as AnyEstimator } from '../../selection/search/estimator.ts'
import { estimatorMaker } from '../../selection/search/estimator-params.ts'
import type { TuneResult } from '../../selection/search/tune.ts'
import { scoreWords } from '../options/selection-options.ts'
import { bestCellsTable } from './best-cells-table.ts'
import { type Evaluation, evaluationTable, type RegressionEvaluation } from './evaluation.ts'
import { paramWords } from './output.ts'

/** What the page tells of. */
export interface TunePage {
  readonly path: string
  readonly data: Dataset
  readonly estimator: AnyEstimator
  readonly protocol: ProtocolSettings
  readonly seed: number
  readonly tuned: TuneResult<Model>
  readonly model: Model
  /** Data that had no part in the choice, and how the model does on them. */
  readonly test?:
    | {
        readonly path: string
        readonly data: Dataset
        readonly evaluation: Evaluation | RegressionEvaluation
      }
    | undefined
}

/** Heat map, folds, and what models said of samples that they had not seen. */
export async function tunePage(page: TunePage): Promise<string> {
  const { path, data, estimator, protocol, seed, tuned, model, test } = page
  const { bestParams, scoring, bestScore } = tuned
  const chosen = estimatorMaker(estimator)(bestParams)
  const { outOfFold } = await crossValidate(chosen, data, { protocol, seed })
  return htmlReport(`Tuning: ${path}`, [
    {
      heading: 'What was chosen',
      text: [
        `${paramWords(bestParams)}: ${scoring} ${scoreWords(scoring, bestScore)} by ${protocol.folds} folds.`,
        'The score of the best cell was used to choose it, so it is slightly optimistic; report the score on a test set.',
      ],
      table: bestCellsTable(tuned),
      figures: await searchFigures(tuned),
    },
    await unseenSection('The chosen cell on held-out samples', outOfFold, estimator.learns === 'numbers'),
    ...(test
      ? [
          {
            ...(await unseenSection(
              `On ${test.path}, which was not used for the choice`,
              saidBy(model, test.data),
              estimator.learns === 'numbers',
            )),
            table: evaluationTable(test.evaluation),
          },
        ]
      : []),
  ])
}

function saidBy(model: Model, { labels, samples }: Dataset): Said {
  const ranked = isClassifier(model) && model.classes.length === 2
  return {
    truth: labels,
    predicted: model.predict(samples as never),
    ...(ranked && { decisions: model.decisionFunction(samples as never) }),
  }
}
