// The goals of breadth, held against the results of one run. Each is true, false, or undefined: not measured.
import { ratios } from './ratios.js'
import { geometricMean } from './statistics.js'

const times = (value) => `${value.toFixed(1)}x`

/** One line a goal: `{ goal, measured, reached }`. A mean over some problems decides nothing about that over all. */
export function judgeBreadth({ problems }, complete) {
  const found = ratios(problems, 'libsvm')
  if (found.length === 0) return []
  const families = [...new Set(problems.map(({ family }) => family))]
  const inFamily = (name) =>
    ratios(
      problems.filter(({ family }) => family === name),
      'libsvm',
    ).map(([, value]) => value)
  const means = families
    .map((name) => [name, geometricMean(inFamily(name))])
    .filter(([, value]) => value > 0)
    .sort(([, a], [, b]) => a - b)
  const slower = (seconds) =>
    ratios(
      problems.filter(({ tools }) => tools.libsvm?.best > seconds),
      'libsvm',
    ).sort(([, a], [, b]) => a - b)
  const mean = geometricMean(found.map(([, value]) => value))
  return [
    {
      goal: 'geometric mean at least 12x',
      measured: times(mean),
      reached: complete ? mean >= 12 : undefined,
    },
    leastGoal('every family at least 6x', means, 6, complete),
    ...[
      ['cross-validation', 15],
      ['probabilities', 8],
    ].map(([family, wanted]) =>
      leastGoal(
        `${family} at least ${wanted}x`,
        means.filter(([name]) => name === family),
        wanted,
        complete,
      ),
    ),
    leastGoal('no problem that takes LIBSVM over 0.3 s below 3x', slower(0.3), 3, complete),
    leastGoal('none that takes it over 0.15 s slower', slower(0.15), 1, complete),
    countGoal('same optimum, scores or predictions', problems, ({ same }) => same, complete),
    countGoal(
      'models proven by verify',
      problems.filter(({ model, flags }) => !model && !flags.v),
      ({ certified }) => certified,
      complete,
    ),
    countGoal('every problem ran to its end', problems, ({ tools }) => !tools.hyperplane.failure, complete),
  ]
}

/** Some of them below what is wanted decide; that all are not, only a complete run knows. */
function leastGoal(goal, sorted, wanted, complete) {
  if (sorted.length === 0) return { goal, measured: 'not measured' }
  const [name, least] = sorted[0]
  const reached = least >= wanted
  return { goal, measured: `${times(least)} (${name})`, reached: reached && !complete ? undefined : reached }
}

function countGoal(goal, problems, holds, complete) {
  const bad = problems.filter((problem) => holds(problem) === false)
  const open = problems.filter((problem) => holds(problem) === undefined)
  const reached = bad.length > 0 ? false : open.length > 0 || !complete ? undefined : true
  const names = [...bad, ...open].map(({ name }) => name)
  return {
    goal,
    measured: `${problems.length - names.length} of ${problems.length}${names.length > 0 ? `, not ${names.join(', ')}` : ''}`,
    reached,
  }
}
