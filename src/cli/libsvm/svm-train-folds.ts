/** `svm-train -v n`: cross validation by LIBSVM's folds, and the lines that grid.py reads. */
import { selectSamples, type VectorDataset } from '../../data/table/dataset.ts'
import type { SvcModel } from '../../models/svc-model.ts'
import { libsvmFolds } from '../../selection/split/splits.ts'
import { countRight, percentG, regressionScores } from './c-format.ts'
import { fitWithReport } from './svm-train-report.ts'
import type { SvmTrainSettings } from './svm-train-settings.ts'

const TOO_MANY_FOLDS =
  'WARNING: # folds > # data. Will use # folds = # data instead (i.e., leave-one-out cross validation)\n'

/** The closing lines. */
export async function crossValidationLines(
  settings: SvmTrainSettings,
  dataset: VectorDataset,
  say: (text: string) => void,
): Promise<string> {
  const labels = dataset.labels as Float64Array
  const wanted = settings.folds as number
  if (wanted > labels.length) process.stderr.write(TOO_MANY_FOLDS)
  const folds = libsvmFolds(dataset, {
    folds: Math.min(wanted, labels.length),
    stratify: settings.classifies,
  })
  const predicted = new Float64Array(labels.length)
  for (const { train, test } of folds) {
    const model = await fitWithReport(settings, selectSamples(dataset, train), say)
    const found = (model as SvcModel).predict(selectSamples(dataset, test).samples) as Float64Array
    test.forEach((i, k) => {
      predicted[i] = found[k]
    })
  }
  if (settings.regression) {
    const [error, correlation] = regressionScores(labels, predicted)
    return (
      `Cross Validation Mean squared error = ${error}\n` +
      `Cross Validation Squared correlation coefficient = ${correlation}\n`
    )
  }
  return `Cross Validation Accuracy = ${percentG((100 * countRight(labels, predicted)) / labels.length)}%\n`
}
