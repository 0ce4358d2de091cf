/** What is said about a model on data whose labels are known. */

import { DataError } from '../../base/errors.ts'
import { joinArrays } from '../../base/lists.ts'
import type { Dataset, Label, Labels } from '../../data/table/dataset.ts'
import type { Learns } from '../../estimators/parts/estimator.ts'
import { type ClassScores, classificationReport } from '../../metrics/classification.ts'
import { rocAuc } from '../../metrics/ranking.ts'
import { meanAbsoluteError, meanSquaredError, r2, squaredCorrelation } from '../../metrics/regression.ts'
import { isClassifier, type Model } from '../../models/model.ts'
import type { ReportTable } from '../../plots/html-report.ts'
import { aligned, type Column, count, counted, type Lines, number, percent, table } from './output.ts'

/** Classes up to which a confusion matrix is shown to people. */
const MOST_COLUMNS = 100

/** How well classes are separated. */
export interface Evaluation {
  readonly samples: number
  readonly accuracy: number
  readonly balancedAccuracy: number
  /** The class that precision, recall and f1 are about; null when they are means over more than two classes. */
  readonly positive: Label | null
  readonly precision: number
  readonly recall: number
  readonly f1: number
  /** Area under the ROC curve; null when the data do not have both classes, and no other. */
  readonly auc: number | null
  /** Precision, recall and F1 of each class, and the number of its samples. */
  readonly classes: readonly ClassScores[]
  readonly confusion: { readonly labels: readonly Label[]; readonly counts: readonly (readonly number[])[] }
}

/** How close predictions are to targets. */
export interface RegressionEvaluation {
  readonly samples: number
  readonly meanSquaredError: number
  readonly meanAbsoluteError: number
  readonly r2: number
  readonly squaredCorrelation: number
}

/**
 * Labels that the model does not know count as mistakes; when none of them is known, the data are not meant for this. `classes` are
 * those that the model was trained on.
 */
export function checkLabels(path: string, labels: Labels, learns: Learns, classes: readonly Label[]): void {
  if (learns !== 'classes') {
    if (typeof labels[0] !== 'string') return
    throw new DataError(
      `${path}: the labels are strings such as '${labels[0]}', but the model predicts numbers`,
    )
  }
  const present = [...new Set<Label>(labels)]
  if (present.length === 0 || present.some((label) => classes.includes(label))) return
  const shown = present.slice(0, 5).join(', ') + (present.length > 5 ? ', …' : '')
  throw new DataError(
    `${path}: the labels are ${shown}, but the classes of the model are ${classes.join(', ')}`,
  )
}

/** An evaluation as a table for a page. */
export function evaluationTable(evaluation: Evaluation | RegressionEvaluation): ReportTable {
  const rows =
    'r2' in evaluation
      ? regressionRows(evaluation)
      : [
          ['accuracy', percent(evaluation.accuracy)],
          ['precision', percent(evaluation.precision)],
          ['recall', percent(evaluation.recall)],
          ['F1', percent(evaluation.f1)],
        ]
  return { columns: ['score', 'value'], rows }
}

function regressionRows(evaluation: RegressionEvaluation): (readonly [string, string])[] {
  return [
    ['mean squared error', number(evaluation.meanSquaredError)],
    ['mean absolute error', number(evaluation.meanAbsoluteError)],
    ['R²', number(evaluation.r2)],
    ['squared correlation', number(evaluation.squaredCorrelation)],
  ]
}

/** Compares the predictions of a model of any type with the labels of a data set. */
export function evaluateAny(
  dataset: Dataset,
  model: Model,
  threads?: number,
): Evaluation | RegressionEvaluation {
  return evaluationOf({ labels: dataset.labels, ...predictionsOf(dataset, model, threads) }, model)
}

/** What a model says of samples: labels or numbers, and values that rank the samples where there are two classes. */
interface Predictions {
  readonly predicted: Labels
  readonly values: Float64Array | undefined
}

/** What a model says of the samples of a data set. */
export function predictionsOf({ samples }: Dataset, model: Model, threads?: number): Predictions {
  const options = threads === undefined ? {} : { threads }
  if (isClassifier(model)) {
    const values = model.classes.length === 2 ? model.decisionFunction(samples as never, options) : undefined
    const byValues = values && (model.threshold !== undefined || !model.probability)
    return { predicted: byValues ? model.labelsOf(values) : model.predict(samples as never, options), values }
  }
  const values = model.decisionFunction(samples as never, options)
  const isOneClass = model.type === 'one-class' || model.type === 'linear-one-class'
  return { predicted: isOneClass ? model.labelsOf(values) : values, values }
}

/** Compares predictions of a model with the labels of the samples. */
export function evaluationOf(
  { labels, predicted, values }: Predictions & { readonly labels: Labels },
  model: Model,
): Evaluation | RegressionEvaluation {
  if (isClassifier(model)) return classEvaluation(labels, predicted, model.classes, values)
  if (model.type === 'one-class' || model.type === 'linear-one-class') {
    return classEvaluation(labels, predicted, [-1, 1], values)
  }
  const [targets, found] = [labels as Float64Array, predicted as Float64Array]
  return {
    samples: targets.length,
    meanSquaredError: meanSquaredError(targets, found),
    meanAbsoluteError: meanAbsoluteError(targets, found),
    r2: r2(targets, found),
    squaredCorrelation: squaredCorrelation(targets, found),
  }
}

/** Labels and predictions of data that come a part at a time: of each row some 24 bytes are kept, whatever its width. */
export class GatheredPredictions implements Predictions {
  private readonly parts: { readonly labels: Labels; readonly said: Predictions }[] = []

  add(labels: Labels, said: Predictions): void {
    this.parts.push({ labels, said })
  }

  get labels(): Labels {
    return joined(this.parts.map(({ labels }) => labels))
  }

  get predicted(): Labels {
    return joined(this.parts.map(({ said }) => said.predicted))
  }

  get values(): Float64Array | undefined {
    const parts = this.parts.map(({ said }) => said.values)
    return parts.every((part) => part !== undefined) ? (joined(parts) as Float64Array) : undefined
  }
}

/** Lists one after the other: all of numbers, or all of texts. */
function joined(parts: readonly Labels[]): Labels {
  if (parts.length === 1) return parts[0]
  return parts.every((part) => part instanceof Float64Array)
    ? joinArrays(Float64Array, parts)
    : parts.flatMap((part) => Array.from(part as readonly string[]))
}

/** `values` rank the samples of two classes. */
function classEvaluation(
  labels: Labels,
  predicted: Labels,
  classes: readonly Label[],
  values: Float64Array | undefined,
): Evaluation {
  const report = classificationReport(labels, predicted)
  const [negative, positive] = values ? classes : []
  const scores = values ? report.classes.find((one) => one.label === positive) : report.macro
  const present = new Set<Label>(labels)
  const rankable = values && present.size === 2 && present.has(negative) && present.has(positive)
  return {
    samples: labels.length,
    accuracy: report.accuracy,
    balancedAccuracy: report.balancedAccuracy,
    positive: positive ?? null,
    precision: scores?.precision ?? 0,
    recall: scores?.recall ?? 0,
    f1: scores?.f1 ?? 0,
    auc: rankable ? rocAuc(labels, values, { positive }) : null,
    classes: report.classes,
    confusion: report.confusion,
  }
}

/** An evaluation as lines for people. */
export function evaluationLines(evaluation: Evaluation | RegressionEvaluation): Lines {
  if ('r2' in evaluation) {
    return aligned([['samples', count(evaluation.samples)], ...regressionRows(evaluation)])
  }
  const { samples, accuracy, positive, auc, confusion } = evaluation
  const of = positive === null ? 'mean over classes' : `class ${positive}`
  const right = confusion.counts.reduce((sum, row, k) => sum + row[k], 0)
  return [
    aligned([
      ['accuracy', `${percent(accuracy)} (${count(right)} of ${counted(samples, 'sample')})`],
      ['balanced accuracy', percent(evaluation.balancedAccuracy)],
      ['precision', `${percent(evaluation.precision)} (${of})`],
      ['recall', `${percent(evaluation.recall)} (${of})`],
      ['F1', percent(evaluation.f1)],
      positive !== null && ['area under ROC', auc === null ? 'needs both classes in the data' : number(auc)],
    ]),
    positive === null && ['', classLines(evaluation.classes)],
    '',
    confusionLines(confusion),
  ]
}

function confusionLines({ labels, counts }: Evaluation['confusion']): string[] {
  if (labels.length > MOST_COLUMNS) return [`confusion matrix of ${labels.length} classes: --json has it`]
  return table(labels, [
    ['true class', String, 'left'],
    ...labels.map((label, p): Column<Label> => [`predicted ${label}`, (_, t) => count(counts[t][p])]),
  ])
}

/** Each class on its own line. */
function classLines(classes: readonly ClassScores[]): string[] {
  return table(classes, [
    ['class', ({ label }) => String(label), 'left'],
    ['precision', ({ precision }) => percent(precision)],
    ['recall', ({ recall }) => percent(recall)],
    ['F1', ({ f1 }) => percent(f1)],
    ['samples', ({ support }) => count(support)],
  ])
}
