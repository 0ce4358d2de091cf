/** `svm-train -v n`: cross validation by LIBSVM's folds, and the lines that grid.py reads. */
import {
  libsvmFolds,
  meanSquaredError,
  type SvcModel,
  selectSamples,
  squaredCorrelation,
  type VectorDataset,
} from '../index.node.ts'
import { percentG } from './c-format.ts'
import { fitWithReport } from './svm-train-report.ts'
import type { SvmTrainSettings } from './svm-train-settings.ts'

/** The closing lines. */
export async function crossValidationLines(
  settings: SvmTrainSettings,
  dataset: VectorDataset,
  say: (text: string) => void,
): Promise<string> {
  const labels = dataset.labels as Float64Array
  const folds = libsvmFolds(dataset, {
    folds: Math.min(settings.folds as number, labels.length),
    stratify: !settings.regression && settings.type !== 'one-class',
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
    return (
      `Cross Validation Mean squared error = ${percentG(meanSquaredError(labels, predicted))}\n` +
      `Cross Validation Squared correlation coefficient = ${percentG(squaredCorrelation(labels, predicted))}\n`
    )
  }
  const right = labels.reduce((count, label, i) => (label === predicted[i] ? count + 1 : count), 0)
  return `Cross Validation Accuracy = ${percentG((100 * right) / labels.length)}%\n`
}
