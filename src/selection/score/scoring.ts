/** Scores by name: what a model is evaluated by, whether more of it is better, and what it is computed from. */
import { checkOneOf } from '../../base/check.ts'
import { DataError, ParameterError } from '../../base/errors.ts'
import type { Label, Labels } from '../../data/table/dataset.ts'
import { accuracy, balancedAccuracy, f1, precision, recall } from '../../metrics/classification.ts'
import { logLoss } from '../../metrics/log-loss.ts'
import { matthewsCorrelation } from '../../metrics/matthews-correlation.ts'
import { positiveLabel } from '../../metrics/metric-label.ts'
import { averagePrecision, rocAuc } from '../../metrics/ranking.ts'
import { meanAbsoluteError, meanSquaredError, r2, squaredCorrelation } from '../../metrics/regression.ts'

/** The input of a score: samples with known labels, and the predictions of a model. */
export interface ScoreInput {
  readonly truth: Labels
  readonly predicted: Labels
  /** Value of the decision function for each sample, where the model has one value per sample. */
  readonly decisions?: ArrayLike<number> | undefined
  /** For more than two classes: a score per class, larger for more likely classes (rows x classes). */
  readonly classScores?: ArrayLike<number> | undefined
  /** Probability of the positive class, or of every class, for each sample. */
  readonly probabilities?: ArrayLike<number> | ArrayLike<ArrayLike<number>> | undefined
  /** Weight of each sample; all 1 when absent. */
  readonly weights?: ArrayLike<number> | undefined
  /** All classes, ascending; the samples may contain fewer. Absent for regression. */
  readonly classes?: readonly Label[] | undefined
}

/** A score: its name, its direction, and how it is computed. */
export interface Scorer {
  readonly name: string
  readonly greaterIsBetter: boolean
  /** What it needs besides predicted labels. */
  readonly needs: 'predictions' | 'decisions' | 'probabilities'
  /** Whether it applies to classes or targets; absent: both. */
  readonly labels?: 'classes' | 'numbers'
  score(input: ScoreInput): number
}

/** A score of your own; the greater, the better. */
export type ScoreFunction = (
  truth: Labels,
  predicted: Labels,
  detail: Pick<ScoreInput, 'decisions' | 'probabilities' | 'weights' | 'classes'>,
) => number

type LabelMetric = (truth: Labels, predicted: Labels, options: object) => number
type NumberMetric = (truth: Float64Array, predicted: Float64Array, options: object) => number

const weighted = ({ weights }: ScoreInput): object => (weights ? { weights } : {})

function ofLabels(metric: LabelMetric, options?: (input: ScoreInput) => object): Omit<Scorer, 'name'> {
  return {
    greaterIsBetter: true,
    needs: 'predictions',
    labels: 'classes',
    score: (input) => metric(input.truth, input.predicted, { ...weighted(input), ...options?.(input) }),
  }
}

/** The positive class of two, the plain mean over more. */
const positiveOrMacro = ({ classes = [] }: ScoreInput): object =>
  classes.length > 2
    ? { average: 'macro' }
    : { average: 'binary', ...(classes.length === 2 && { positive: positiveLabel('scoring', classes) }) }
const macro = (): object => ({ average: 'macro' })

/** Of two classes how the positive one is ranked; of more the mean over the classes, each against the rest. */
function ofDecisions(
  metric: (truth: Labels, scores: ArrayLike<number>, options: object) => number,
): Omit<Scorer, 'name'> {
  return {
    greaterIsBetter: true,
    needs: 'decisions',
    labels: 'classes',
    score: (input) => {
      const { truth, classes = [], decisions, classScores: table } = input
      if (classes.length <= 2 || table === undefined) {
        const positive = classes.length > 0 ? { positive: positiveLabel('scoring', classes) } : {}
        return metric(truth, decisions as ArrayLike<number>, { ...weighted(input), ...positive })
      }
      const each = classes.map((positive, c) => {
        const own = Float64Array.from({ length: truth.length }, (_, i) => table[i * classes.length + c])
        return metric(truth, own, { ...weighted(input), positive })
      })
      return each.reduce((sum, value) => sum + value, 0) / classes.length
    },
  }
}

function ofNumbers(metric: NumberMetric, greaterIsBetter: boolean): Omit<Scorer, 'name'> {
  return {
    greaterIsBetter,
    needs: 'predictions',
    labels: 'numbers',
    score: (input) => {
      const { truth, predicted } = input
      if (!(truth instanceof Float64Array && predicted instanceof Float64Array)) {
        throw new DataError('scoring: regression scores need numeric labels')
      }
      return metric(truth, predicted, weighted(input))
    },
  }
}

const table = {
  accuracy: ofLabels(accuracy),
  'balanced-accuracy': ofLabels(balancedAccuracy),
  precision: ofLabels(precision, positiveOrMacro),
  recall: ofLabels(recall, positiveOrMacro),
  f1: ofLabels(f1, positiveOrMacro),
  'precision-macro': ofLabels(precision, macro),
  'recall-macro': ofLabels(recall, macro),
  'f1-macro': ofLabels(f1, macro),
  mcc: ofLabels(matthewsCorrelation),
  'roc-auc': ofDecisions(rocAuc),
  'average-precision': ofDecisions(averagePrecision),
  'log-loss': {
    greaterIsBetter: false,
    needs: 'probabilities',
    labels: 'classes',
    score: (input) => {
      const { truth, classes, probabilities = [] } = input
      const flat = typeof probabilities[0] === 'number'
      return logLoss(truth, probabilities, {
        ...weighted(input),
        ...(classes && (flat ? { positive: positiveLabel('scoring', classes) } : { labels: classes })),
      })
    },
  },
  r2: ofNumbers(r2, true),
  mse: ofNumbers(meanSquaredError, false),
  rmse: ofNumbers(
    (truth, predicted, options) => Math.sqrt(meanSquaredError(truth, predicted, options)),
    false,
  ),
  mae: ofNumbers(meanAbsoluteError, false),
  'squared-correlation': ofNumbers(squaredCorrelation, true),
} satisfies Record<string, Omit<Scorer, 'name'>>

/** The name of a score. */
export type ScoringName = keyof typeof table

/** All scores that have a name. */
export const scoringNames = Object.keys(table) as readonly ScoringName[]

/** The score: a name, a custom scorer, or a function whose larger values are better. */
export type Scoring = ScoringName | Scorer | ScoreFunction

/** The chosen score. It throws a clear error if a model lacks what it needs. */
export function makeScorer(scoring: Scoring): Scorer {
  if (typeof scoring === 'function') {
    return {
      name: scoring.name || 'score',
      greaterIsBetter: true,
      needs: 'predictions',
      score: ({ truth, predicted, ...detail }) => scoring(truth, predicted, detail),
    }
  }
  if (typeof scoring === 'object' && scoring !== null) {
    if (typeof scoring.score !== 'function' || typeof scoring.greaterIsBetter !== 'boolean') {
      throw new ParameterError('scoring', 'a scorer', '{ name, greaterIsBetter, needs, score }', scoring)
    }
    return scoring
  }
  const name = checkOneOf('scoring', 'name', scoring, scoringNames)
  const scorer: Omit<Scorer, 'name'> = table[name]
  const { needs, score } = scorer
  return {
    ...scorer,
    name,
    score(input) {
      const given = needs === 'decisions' ? (input.decisions ?? input.classScores) : input.probabilities
      if (needs !== 'predictions' && given === undefined) {
        throw new DataError(`scoring: ${name} needs ${needs}, which this model does not have`)
      }
      return score(input)
    },
  }
}

/** Whether the first value of a score is better than the second. NaN is worse than anything. */
export function isBetter({ greaterIsBetter }: Scorer, value: number, than: number): boolean {
  if (Number.isNaN(value)) return false
  return Number.isNaN(than) || (greaterIsBetter ? value > than : value < than)
}
