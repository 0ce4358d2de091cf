// The goals of the engine, held against the results of one run. Each one is true, false, or undefined: not measured.
import { dataSets } from './data-sets.js'
import { ratio, ratios } from './ratios.js'
import { geometricMean } from './statistics.js'
import { cacheMegabytes, tolerance } from './tools.js'
import { allowedLoss } from './training.js'

const judgedNames = dataSets.filter(({ judged }) => judged).map(({ name }) => name)
const times = (value) => (value === undefined ? 'not measured' : `${value.toFixed(1)}x`)

/** One line a goal: `{ goal, measured, reached }`. */
export function judge({ training = [], predicting = [], small }) {
  const judged = training.filter(({ name }) => judgedNames.includes(name))
  const set = (list, name) => list.find((entry) => entry.name === name)
  return [
    meanGoal(judged, 'hyperplane', 15, 'training, whole command against svm-train: geometric mean'),
    lowestGoal(judged),
    ...['a9a', 'mnist'].map((name) =>
      ratioGoal(`training ${name} against svm-train`, set(training, name), 'svm-train', 20),
    ),
    ratioGoal(
      "training mnist, whole command against scikit-learn's fit, dense",
      set(training, 'mnist'),
      'sklearn-dense',
      6,
    ),
    ratioGoal('training mnist10, ten classes, against svm-train', set(training, 'mnist10'), 'svm-train', 10),
    meanGoal(judged, 'hyperplane-1', 8, 'training on one thread against svm-train: geometric mean'),
    ...workGoals(judged, training),
    ...['mnist', 'a9a'].map((name) =>
      ratioGoal(`predicting ${name} against svm-predict`, set(predicting, name), 'svm-predict', 20),
    ),
    labelGoal(predicting),
    ...smallGoals(small),
    memoryGoal(training),
  ]
}

/** A goal about all judged sets is only decided when all of them were run. */
function overAll(names, reached) {
  const missing = judgedNames.filter((name) => !names.includes(name))
  if (missing.length === 0) return { reached, note: '' }
  return {
    reached: reached ? undefined : false,
    note: ` (${judgedNames.length - missing.length} of ${judgedNames.length} sets)`,
  }
}

function meanGoal(judged, ours, wanted, words) {
  const found = ratios(judged, 'svm-train', ours)
  const goal = `${words} at least ${wanted}x`
  if (found.length === 0) return { goal, measured: 'not measured' }
  const mean = geometricMean(found.map(([, value]) => value))
  const missing = judgedNames.length - found.length
  // A mean over some of the sets says nothing about the mean over all.
  return {
    goal,
    measured: `${times(mean)}${missing > 0 ? ` over ${found.length} of ${judgedNames.length} sets` : ''}`,
    ...(missing === 0 && { reached: mean >= wanted }),
  }
}

function lowestGoal(judged) {
  const goal = 'training, no set below 6x'
  const found = ratios(judged, 'svm-train').sort(([, a], [, b]) => a - b)
  if (found.length === 0) return { goal, measured: 'not measured' }
  const [name, lowest] = found[0]
  const { reached, note } = overAll(
    found.map(([other]) => other),
    lowest >= 6,
  )
  return { goal, measured: `${times(lowest)} on ${name}${note}`, reached }
}

function ratioGoal(words, set, peer, wanted) {
  const value = set && ratio(set, peer)
  return {
    goal: `${words}: at least ${wanted}x`,
    measured: times(value),
    reached: value === undefined ? undefined : value >= wanted,
  }
}

/** The goals about what was reached: the worst set decides. */
function workGoals(judged, training) {
  const certified = training.filter((set) => set.certified && !set.certified.failure)
  const worst = (list, of) => list.reduce((a, b) => (of(b) > of(a) ? b : a))
  const goals = [
    {
      goal: `dual value no worse than that of svm-train (relative ${allowedLoss.toExponential()})`,
      list: judged.filter((set) => set.loss !== undefined),
      value: (set) => set.loss,
      good: (set) => set.fair,
      words: (set) => `${set.loss.toExponential(1)} on ${set.name}`,
    },
    {
      goal: `violation at most ${tolerance}, recomputed by the reference backend`,
      list: certified,
      value: (set) => set.certified.maxViolation,
      good: (set) => set.certified.reached,
      words: (set) => `${set.certified.maxViolation.toPrecision(3)} on ${set.name}`,
    },
    {
      goal: 'primal and dual value of the certificate as the reference backend computes them (relative 1e-6)',
      list: certified,
      value: (set) => set.certified.error,
      good: (set) => set.certified.error <= 1e-6,
      words: (set) => `${set.certified.error.toExponential(1)} on ${set.name}`,
    },
    {
      goal: 'the same model, bit for bit, on one thread and on all',
      list: training.filter((set) => set.sameBits !== undefined),
      value: (set) => Number(!set.sameBits),
      good: (set) => set.sameBits,
      words: (set) => (set.sameBits ? 'on all sets' : `not on ${set.name}`),
    },
  ]
  return goals.map(({ goal, list, value, good, words }) => {
    if (list.length === 0) return { goal, measured: 'not measured' }
    const { reached, note } = overAll(
      list.map(({ name }) => name),
      list.every(good),
    )
    return { goal, measured: `${words(worst(list, value))}${note}`, reached }
  })
}

function labelGoal(predicting) {
  const goal = 'labels as svm-predict gives them, except where |f| < 1e-5'
  const compared = predicting.filter((set) => set.labels !== undefined)
  if (compared.length === 0) return { goal, measured: 'not measured' }
  const sum = (of) => compared.reduce((total, set) => total + of(set), 0)
  const decided = sum((set) => set.decided)
  const others = sum((set) => set.differing) - decided
  return {
    goal,
    measured: `${decided} of ${sum((set) => set.labels)} differ${others > 0 ? `, and ${others} with |f| < 1e-5` : ''}`,
    reached: decided === 0,
  }
}

function smallGoals(small) {
  const goals = [
    {
      goal: '`fitSync` on 270 x 13 below 5 ms once warm',
      unit: 'ms',
      value: small?.fitSyncMilliseconds.median,
      most: 5,
    },
    {
      goal: '`hyperplane train` on it below 0.4 s from a cold start',
      unit: 's',
      value: small?.coldStartSeconds.best,
      most: 0.4,
    },
  ]
  return goals.map(({ goal, unit, value, most }) =>
    value === undefined
      ? { goal, measured: 'not measured' }
      : { goal, measured: `${value.toPrecision(3)} ${unit}`, reached: value < most },
  )
}

function memoryGoal(training) {
  const goal = 'peak memory at most the cache + twice the data + 200 MB'
  const allowed = ({ dataBytes }) => cacheMegabytes * 1e6 + 2 * dataBytes + 200e6
  const share = (set) => set.tools.hyperplane.peakBytes / allowed(set)
  const measured = training.filter((set) => share(set) > 0)
  if (measured.length === 0) return { goal, measured: 'not measured' }
  const most = measured.reduce((a, b) => (share(b) > share(a) ? b : a))
  const megabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`
  return {
    goal,
    measured: `${megabytes(most.tools.hyperplane.peakBytes)} of ${megabytes(allowed(most))} on ${most.name}`,
    reached: share(most) <= 1,
  }
}
