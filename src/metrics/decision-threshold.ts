/** From which score on samples are to be called positive: the best of all thresholds, by what mistakes are worth. */
import { checkKnown, checkNumber, checkOneOf } from '../base/check.ts'
import { DataError, ParameterError } from '../base/errors.ts'
import type { MetricLabels } from './metric-label.ts'
import { type Passes, passes, type RankingOptions } from './ranking.ts'

/** Scores of two classes that a threshold can maximise, by their names in model selection. */
export type ThresholdScore = 'f1' | 'accuracy' | 'balanced-accuracy' | 'mcc'

/** What a threshold is to be good for. */
export type ThresholdGoal =
  /** The largest score. */
  | { readonly maximise: ThresholdScore }
  /** The least cost of all mistakes together. */
  | { readonly cost: { readonly falsePositive: number; readonly falseNegative: number } }
  /** The largest recall at which so great a share of what is called positive is. */
  | { readonly precision: number }
  /** The largest precision at which so great a share of the positives is found. */
  | { readonly recall: number }

/** A threshold, and what it does to the samples that it was chosen on. */
export interface DecisionThreshold {
  /** score >= threshold is called positive. Infinity: nothing is. */
  readonly threshold: number
  /** 1 where nothing is called positive. */
  readonly precision: number
  readonly recall: number
  readonly f1: number
  readonly accuracy: number
}

/** Weights of samples by what is said of them at a threshold. */
interface Counts {
  readonly truePositives: number
  readonly falsePositives: number
  readonly falseNegatives: number
  readonly trueNegatives: number
}

const scores: Readonly<Record<ThresholdScore, (counts: Counts) => number>> = {
  f1: f1Of,
  accuracy: accuracyOf,
  'balanced-accuracy': (counts) => {
    const { falsePositives: fp, trueNegatives: tn } = counts
    return (recallOf(counts) + tn / (tn + fp)) / 2
  },
  mcc: ({ truePositives: tp, falsePositives: fp, falseNegatives: fn, trueNegatives: tn }) => {
    // One factor at a time: products of four counts overflow sooner. 0 where one class is never predicted.
    const scale = Math.sqrt(tp + fp) * Math.sqrt(tp + fn) * Math.sqrt(tn + fp) * Math.sqrt(tn + fn)
    return scale === 0 ? 0 : (tp * tn - fp * fn) / scale
  },
}

/**
 * The threshold of scores that serves a goal best; of several, the highest. It lies halfway between the lowest score that is called
 * positive and the next one below, so that rounding decides nothing. The scores must come from a model that was not trained
 * on these samples: those of training samples are too good, and so is what a threshold seems to reach on them.
 *
 * @example
 * const { threshold, recall } = decisionThreshold(test.labels, model.decisionFunction(test.samples), { precision: 0.95 })
 */
export function decisionThreshold(
  truth: MetricLabels,
  scores: ArrayLike<number>,
  goal: ThresholdGoal,
  options: RankingOptions = {},
): DecisionThreshold {
  const who = 'decisionThreshold'
  const { worth, complaint } = checkGoal(who, goal)
  const passed = passes(who, truth, scores, options, true)
  let best = -1
  let most = Number.NEGATIVE_INFINITY
  for (let k = 0; k < passed.thresholds.length; k++) {
    const value = worth(countsAt(passed, k))
    if (value > most) {
      best = k
      most = value
    }
  }
  if (best < 0) throw new DataError(`${who}: ${complaint(passed)}`)
  const counts = countsAt(passed, best)
  return {
    threshold: halfwayBelow(passed.thresholds, best),
    precision: precisionOf(counts),
    recall: recallOf(counts),
    f1: f1Of(counts),
    accuracy: accuracyOf(counts),
  }
}

/** How much a point is worth, −∞ where it is not allowed, and what to say when none is. */
function checkGoal(who: string, goal: ThresholdGoal) {
  const known = ['maximise', 'cost', 'precision', 'recall']
  checkKnown(who, goal, known)
  if (Object.keys(goal).length !== 1) {
    throw new ParameterError(who, 'goal', `one of ${known.join(', ')}`, Object.keys(goal).join(' and '))
  }
  if ('maximise' in goal) {
    const name = checkOneOf(who, 'maximise', goal.maximise, Object.keys(scores) as ThresholdScore[])
    return { worth: scores[name], complaint: () => `no threshold has a score of ${name}` }
  }
  if ('cost' in goal) {
    checkKnown(who, goal.cost, ['falsePositive', 'falseNegative'])
    const falsePositive = checkNumber(who, 'cost.falsePositive', goal.cost.falsePositive, { min: 0 })
    const falseNegative = checkNumber(who, 'cost.falseNegative', goal.cost.falseNegative, { min: 0 })
    const worth = (counts: Counts) =>
      -(falsePositive * counts.falsePositives + falseNegative * counts.falseNegatives)
    return { worth, complaint: () => 'the costs are too large to add up' }
  }
  if ('recall' in goal) {
    const least = checkNumber(who, 'recall', goal.recall, { above: 0, max: 1 })
    const worth = (counts: Counts) =>
      recallOf(counts) >= least ? precisionOf(counts) : Number.NEGATIVE_INFINITY
    return { worth, complaint: () => `no threshold has a recall of ${least}` }
  }
  const least = checkNumber(who, 'precision', goal.precision, { above: 0, max: 1 })
  return {
    // Where nothing is called positive, no precision is reached.
    worth: (counts: Counts) =>
      counts.truePositives > 0 && precisionOf(counts) >= least ? recallOf(counts) : Number.NEGATIVE_INFINITY,
    complaint: (passed: Passes) => {
      const all = Array.from(passed.thresholds.keys()).slice(1)
      const reached = Math.max(...all.map((k) => precisionOf(countsAt(passed, k))))
      return `no threshold reaches a precision of ${least} on these samples; the best has ${Number(reached.toPrecision(4))}`
    },
  }
}

function countsAt({ truePositives, falsePositives }: Passes, k: number): Counts {
  const last = truePositives.length - 1
  return {
    truePositives: truePositives[k],
    falsePositives: falsePositives[k],
    falseNegatives: truePositives[last] - truePositives[k],
    trueNegatives: falsePositives[last] - falsePositives[k],
  }
}

function precisionOf({ truePositives, falsePositives }: Counts): number {
  const called = truePositives + falsePositives
  return called === 0 ? 1 : truePositives / called
}

function recallOf({ truePositives, falseNegatives }: Counts): number {
  return truePositives / (truePositives + falseNegatives)
}

function f1Of({ truePositives, falsePositives, falseNegatives }: Counts): number {
  return (2 * truePositives) / (2 * truePositives + falsePositives + falseNegatives)
}

function accuracyOf({ truePositives, falsePositives, falseNegatives, trueNegatives }: Counts): number {
  const right = truePositives + trueNegatives
  return right / (right + falsePositives + falseNegatives)
}

/** Between a threshold and the next lower one; the lowest, and Infinity, as they are. */
function halfwayBelow(thresholds: Float64Array, k: number): number {
  const here = thresholds[k]
  if (here === Number.POSITIVE_INFINITY || k + 1 === thresholds.length) return here
  const halfway = here / 2 + thresholds[k + 1] / 2
  // Between neighbouring doubles there is none.
  return halfway > thresholds[k + 1] && halfway <= here ? halfway : here
}
