/** By what, and on which folds, an estimator is evaluated; what cannot end well is refused before anything is fitted. */
import { DataError, ParameterError, show } from '../../base/errors.ts'
import { checkPositions, type Dataset, type Label, sampleCount } from '../../data/table/dataset.ts'
import { hasProbabilities } from '../../estimators/estimators.ts'
import { estimatorType, type Tunable } from '../search/estimator-params.ts'
import { type Fold, labelsAreClasses, pickLabels } from '../split/splits.ts'
import { type Protocol, type ProtocolDefaults, protocolFolds } from './protocols.ts'
import { makeScorer, type Scorer, type Scoring, scoringNames } from './scoring.ts'

/** Whether numbers are learned, not classes: as the estimator says, else as the labels look. */
export function learnsNumbers(tunable: Tunable, { labels }: Dataset<unknown>): boolean {
  const learns = learnsOf(tunable)
  return learns === undefined ? !labelsAreClasses(labels) : learns === 'numbers'
}

/** The scores that were requested: 'accuracy', or 'r2' of numbers, unless given. */
export function scorersFor(
  who: string,
  tunable: Tunable,
  data: Dataset<unknown>,
  scoring: Scoring | readonly Scoring[] | undefined,
): Scorer[] {
  if (learnsOf(tunable) === 'normal') checkNormal(who, data)
  const learned = learnsNumbers(tunable, data) ? 'numbers' : 'classes'
  const chosen = scoring ?? (learned === 'numbers' ? 'r2' : 'accuracy')
  const scorers = (Array.isArray(chosen) ? chosen : [chosen as Scoring]).map(makeScorer)
  for (const { name, labels = learned, needs } of scorers) {
    if (learnsOf(tunable) !== undefined && labels !== learned) {
      const names = scoringNames.filter((one) => makeScorer(one).labels === learned)
      const allowed = `one of ${names.join(', ')}, because ${learned} are learned`
      throw new ParameterError(who, 'scoring', allowed, name)
    }
    const type = estimatorType(tunable)
    if (needs === 'probabilities' && type !== undefined && !hasProbabilities(type)) {
      const allowed = 'a score of labels or decision values, unless a fit is calibrated (fitCalibrated)'
      throw new ParameterError(who, 'scoring', allowed, name)
    }
  }
  return scorers
}

/**
 * What holds for a protocol that does not say otherwise: the seed, no strata where numbers are learned, and the groups and times of the
 * data, with which it makes the same folds wherever it is sent.
 */
export function protocolDefaults(tunable: Tunable, data: Dataset<unknown>, seed?: number): ProtocolDefaults {
  const { groups, times } = data
  return {
    ...(groups && { groups }),
    ...(times && { times }),
    ...(seed !== undefined && { seed }),
    ...(learnsNumbers(tunable, data) && { stratify: false }),
  }
}

/** The folds of a protocol, each with the classes that the estimator and the scores need. */
export function foldsFor(
  who: string,
  tunable: Tunable,
  data: Dataset<unknown>,
  protocol: Protocol,
  seed: number,
  scorers: readonly Scorer[],
): Fold[] {
  const folds = Array.from(protocolFolds(protocol, data, protocolDefaults(tunable, data, seed)))
  checkFolds(who, folds, sampleCount(data.samples))
  if (learnsNumbers(tunable, data)) return folds
  const { labels } = data
  const all = new Set<Label>(labels)
  if (learnsOf(tunable) === 'classes') {
    for (const { train } of folds) {
      const learned = new Set<Label>(pickLabels(labels, train))
      if (learned.size > 1) continue
      const [only] = learned
      const where = all.size > 1 ? 'of a fold to learn from' : `(${labels.length})`
      throw new DataError(`${who}: all samples ${where} have the class ${show(only)}; two classes are needed`)
    }
  }
  const ranking = scorers.find(({ needs, labels }) => needs === 'decisions' && labels === 'classes')
  if (ranking) checkRanking(who, ranking, data, folds, all)
  return folds
}

/** Throws unless there are folds, each with samples on either side, none of them on both. */
export function checkFolds(who: string, folds: readonly Fold[], count: number): void {
  if (folds.length === 0) throw new ParameterError(who, 'folds', 'at least one fold', folds)
  const side = new Uint32Array(count)
  folds.forEach((fold, f) => {
    for (const name of ['train', 'test'] as const) {
      const chosen = fold?.[name]
      const where = `folds[${f}].${name}`
      if (typeof chosen?.length !== 'number' || chosen.length === 0) {
        throw new ParameterError(who, where, 'a list of at least one sample', chosen)
      }
      checkPositions(who, where, chosen, count)
    }
    for (const i of fold.train) side[i] = f + 1
    const both = Array.from(fold.test).find((i) => side[i] === f + 1)
    if (both !== undefined) {
      throw new DataError(`${who}: sample ${both} is on both sides of folds[${f}]`)
    }
  })
}

/** A class that is not among the samples of a fold has no rank there. */
function checkRanking(
  who: string,
  { name }: Scorer,
  { labels }: Dataset<unknown>,
  folds: readonly Fold[],
  all: ReadonlySet<Label>,
): void {
  for (const { test } of folds) {
    const tested = new Set<Label>(pickLabels(labels, test))
    const missing = [...all].find((label) => !tested.has(label))
    if (missing === undefined) continue
    const count = labels.filter((label: Label) => label === missing).length
    const allowed = `few enough for ${name} to find each class in each part; class ${show(missing)} has ${count} of ${labels.length} samples`
    throw new ParameterError(who, 'folds', allowed, folds.length)
  }
}

function checkNormal(who: string, { labels }: Dataset<unknown>): void {
  const strange = Array.from<Label>(labels).find((label) => label !== 1 && label !== -1)
  if (strange === undefined) return
  throw new DataError(
    `${who}: one-class scores need labels 1 (normal) and -1 (outlier), got ${show(strange)}`,
  )
}

function learnsOf(tunable: Tunable) {
  return typeof tunable === 'function' ? undefined : tunable?.learns
}
