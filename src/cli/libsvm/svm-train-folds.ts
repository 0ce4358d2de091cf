/** The folds of `svm-train -v n`: those that share their work are solved together, the others one by one. */
import { type Labels, selectSamples, type VectorDataset } from '../../data/table/dataset.ts'
import { PairVotes } from '../../models/pairs.ts'
import type { FoldOutput } from '../../selection/score/fold-output.ts'
import { sharedFolds } from '../../selection/share/shared-folds.ts'
import { labelOrder } from './class-labels.ts'
import type { CrossValidation, Predictor } from './cross-validation.ts'
import { fitWithReport, pairReports, singleReport } from './svm-train-report.ts'
import type { SvmTrainSettings } from './svm-train-settings.ts'

/** How folds are trained, with what svm-train says of each through `say`. */
export function foldTraining(
  settings: SvmTrainSettings,
  dataset: VectorDataset,
  say: (text: string) => void,
): Required<Pick<CrossValidation, 'begin' | 'fit'>> {
  const { cacheBytes } = settings
  let shared: readonly (FoldOutput | undefined)[] = []
  return {
    async begin(folds) {
      // Probabilities take folds of their own.
      if (settings.probability) return
      const warnings = folds.map(() => '')
      // Which labels a part has may matter to its estimator.
      const estimators = folds.map(({ train }, fold) =>
        settings.estimator(selectSamples(dataset, train), (text) => {
          warnings[fold] += text
        }),
      )
      const onFold = (fold: number) => {
        process.stderr.write(warnings[fold])
      }
      const options = { cacheBytes, countSupport: true, onFold }
      shared = await sharedFolds(dataset, folds, (fold) => estimators[fold], options)
    },
    async fit(training, fold) {
      const output = shared[fold]
      if (!output) return (await fitWithReport(settings, training, say)) as Predictor
      const predicted = reportShared(settings, training, output, say)
      return { predict: () => predicted }
    },
  }
}

/** Says what is to be said of a fold that was solved with others; returns what is predicted of its samples. */
function reportShared(
  settings: SvmTrainSettings,
  training: VectorDataset,
  { problems = [], predicted, decisions, pairDecisions, supportVectors }: FoldOutput,
  say: (text: string) => void,
): Labels {
  if (!settings.classifies) {
    say(singleReport(settings, problems[0], training.labels.length))
    return predicted
  }
  const classes = [...new Set(training.labels as Float64Array)]
    .map((label) => label + 0)
    .sort((a, b) => a - b)
  say(pairReports(settings, classes, problems, training))
  say(`Total nSV = ${supportVectors}\n`)
  const values = (decisions ?? pairDecisions) as Float64Array
  const votes = new PairVotes(classes.length, labelOrder(classes, training))
  const count = values.length / problems.length
  return Float64Array.from({ length: count }, (_, i) => classes[votes.winner(values, i * problems.length)])
}
