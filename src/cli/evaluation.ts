/** What is said about a model on data whose labels are known. */
import { classificationReport, type Label, type Model, rocAuc, type VectorDataset } from '../index.node.ts'
import { aligned, count, counted, number, percent, table } from './output.ts'

/** How well two classes are told apart. */
export interface Evaluation {
  readonly samples: number
  readonly accuracy: number
  readonly balancedAccuracy: number
  /** The class that precision, recall and f1 are about. */
  readonly positive: Label
  readonly precision: number
  readonly recall: number
  readonly f1: number
  /** Area under the ROC curve; null when the data do not have both classes, and no other. */
  readonly auc: number | null
  readonly confusion: { readonly labels: readonly Label[]; readonly counts: readonly (readonly number[])[] }
}

/** Compares the predictions of a model with the labels of a data set. */
export function evaluate({ samples, labels }: VectorDataset, model: Model, threads?: number): Evaluation {
  const [negative, positive] = model.classes
  const values = model.decisionFunction(samples, threads === undefined ? {} : { threads })
  const report = classificationReport(labels, model.labelsOf(values))
  const ofPositive = report.classes.find((one) => one.label === positive)
  const present = new Set<Label>(labels)
  const rankable = present.size === 2 && present.has(negative) && present.has(positive)
  return {
    samples: labels.length,
    accuracy: report.accuracy,
    balancedAccuracy: report.balancedAccuracy,
    positive,
    precision: ofPositive?.precision ?? 0,
    recall: ofPositive?.recall ?? 0,
    f1: ofPositive?.f1 ?? 0,
    auc: rankable ? rocAuc(labels, values, { positive }) : null,
    confusion: report.confusion,
  }
}

/** An evaluation as lines for people. */
export function evaluationLines(evaluation: Evaluation): string[] {
  const { samples, accuracy, positive, auc, confusion } = evaluation
  const right = confusion.counts.reduce((sum, row, k) => sum + row[k], 0)
  return [
    ...aligned([
      ['accuracy', `${percent(accuracy)} (${count(right)} of ${counted(samples, 'sample')})`],
      ['balanced accuracy', percent(evaluation.balancedAccuracy)],
      ['precision', `${percent(evaluation.precision)} (class ${positive})`],
      ['recall', `${percent(evaluation.recall)} (class ${positive})`],
      ['F1', percent(evaluation.f1)],
      ['area under ROC', auc === null ? 'needs both classes in the data' : number(auc)],
    ]),
    '',
    ...table(
      ['true class', ...confusion.labels.map((label) => `predicted ${label}`)],
      confusion.labels.map((label, k) => [String(label), ...confusion.counts[k].map(count)]),
    ),
  ]
}
