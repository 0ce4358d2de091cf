/** The folds of `svm-train -v n`: those that share their work are solved together, the others one by one. */
import { distinctNumbers } from '../../base/lists.ts'
import type { Labels, VectorDataset } from '../../data/table/dataset.ts'
import { PairVotes } from '../../models/pairs.ts'
import type { FoldOutput } from '../../selection/score/fold-output.ts'
import { sharedFolds } from '../../selection/share/shared-folds.ts'
import { pickLabels } from '../../selection/split/splits.ts'
import { labelOrder } from './class-labels.ts'
import type { CrossValidation, Predictor } from './cross-validation.ts'
import { fitWithReport, pairReports, singleReport } from './svm-train-report.ts'
import type { SvmTrainSettings } from './svm-train-settings.ts'

/** How folds are trained, with what svm-train says of each through `say`. */
export function foldTraining(
  settings: SvmTrainSettings,
  dataset: VectorDataset,
  say: (text: string) => void,
): Required<Pick<CrossValidation, 'begin' | 'solved' | 'fit'>> {
  const { cacheBytes } = settings
  const labels: Labels[] = []
  let shared: readonly (FoldOutput | undefined)[] = []
  return {
    async begin(folds) {
      // Probabilities take their own folds.
      if (settings.probability) return
      const warnings = folds.map(() => '')
      // Which labels a part has may matter to its estimator.
      const estimators = folds.map(({ train }, fold) => {
        labels[fold] = pickLabels(dataset.labels, train)
        return settings.estimator({ samples: dataset.samples, labels: labels[fold] }, (text) => {
          warnings[fold] += text
        })
      })
      const onFold = (fold: number) => {
        process.stderr.write(warnings[fold])
      }
      const options = { cacheBytes, countSupport: true, onFold }
      shared = await sharedFolds(dataset, folds, (fold) => estimators[fold], options)
    },
    solved(fold) {
      const output = shared[fold]
      return output && reportShared(settings, { labels: labels[fold] }, output, say)
    },
    fit: async (training) => (await fitWithReport(settings, training, say)) as Predictor,
  }
}

/** Reports what is to be said of a fold that was solved with others; returns what is predicted of its samples. */
function reportShared(
  settings: SvmTrainSettings,
  training: Pick<VectorDataset, 'labels'>,
  { problems = [], predicted, decisions, pairDecisions, supportVectors }: FoldOutput,
  say: (text: string) => void,
): Labels {
  if (!settings.classifies) {
    say(singleReport(settings, problems[0], training.labels.length))
    return predicted
  }
  const classes = distinctNumbers(training.labels as Float64Array)
    .map((label) => label + 0)
    .sort((a, b) => a - b)
  say(pairReports(settings, classes, problems, training))
  say(`Total nSV = ${supportVectors}\n`)
  const values = (decisions ?? pairDecisions) as Float64Array
  const votes = new PairVotes(classes.length, labelOrder(classes, training))
  const chosen = new Float64Array(values.length / problems.length)
  for (let i = 0; i < chosen.length; i++) chosen[i] = classes[votes.winner(values, i * problems.length)]
  return chosen
}
