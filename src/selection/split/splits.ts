/**
 * Ways to divide samples into some to train on and some to test on. All of them are seeded, and keep the share of
 * each class the same in every part where labels are classes. Several samples of one patient, say, must not be on both sides, and
 * nothing may be learned from the future: groups and times, in the options or of the data set itself, are kept by all ways, or
 * refused. So parts of a data set, which have their groups and times (`selectSamples`), can be divided again without care. Indices
 * ascend; the samples themselves are not copied.
 */

import { checkBoolean, checkKnown, checkNumber } from '../../base/check.ts'
import { DataError, ParameterError } from '../../base/errors.ts'
import { LibcRandom } from '../../base/libc-random.ts'
import { pickNumbers, smallestOf } from '../../base/lists.ts'
import { Random } from '../../base/random.ts'
import {
  type Dataset,
  type Label,
  type Labels,
  sampleCount,
  selectSamples,
  type Times,
} from '../../data/table/dataset.ts'
import { groupByLabel, holdOutIndices, wholeParts } from '../../data/table/split.ts'

/** Samples to train on, and samples to test on: indices, ascending, none on both sides. */
export interface Fold {
  readonly train: Uint32Array
  readonly test: Uint32Array
}

/** Options of all splits. */
export interface FoldOptions {
  /** Seed of the random choice. Default: 0. */
  readonly seed?: number
  /** Keep the class proportions the same in every part. Default: if the labels are classes. */
  readonly stratify?: boolean
  /** The group of each sample; a group is never split. Default: those of the data set. */
  readonly groups?: ArrayLike<Label>
}

/** Options of {@link kFold}. */
export interface KFoldOptions extends FoldOptions {
  /** Number of parts, at least 2. Default: 5. */
  readonly folds?: number
}

/** Options of {@link holdOut}. */
export interface HoldOutOptions extends FoldOptions {
  /** Fraction of the samples to test on, between 0 and 1. Default: 0.2. */
  readonly testFraction?: number
  /** Test on the latest samples instead of a random part. Default: the times of the data set. */
  readonly times?: Times
}

/** Options of {@link timeSeriesSplit}. */
export interface TimeSeriesOptions {
  /** Number of folds, at least 1. Default: 5. */
  readonly folds?: number
  /** The time of each sample. Default: those of the data set. Without any, and for `'rows'`, samples are in the order of time. */
  readonly times?: Times
  /** Samples of each fold to test on; by default all folds and the first training part are of one size. */
  readonly testSize?: number
  /** Samples left out between training and test, where labels look so far ahead. Default: 0. */
  readonly gap?: number
  /** Train on this many samples at most, the latest ones. Default: on all that came before. */
  readonly maxTrainSize?: number
}

/** Options of {@link trainValidationTest}. */
export interface TrainValidationTestOptions extends HoldOutOptions {
  /** Share of the samples for choosing between models; 0.2 unless given. */
  readonly validationFraction?: number
}

/** Three parts: for training, for choosing, and for a final report. */
export interface ThreeWaySplit extends Fold {
  readonly validation: Uint32Array
}

/**
 * Whether labels are classes: texts; numbers of which there are but two, more than once; or whole numbers of which some
 * occur more than once. Everything else is taken for the targets of a regression.
 */
export function labelsAreClasses(labels: Labels): boolean {
  if (!(labels instanceof Float64Array)) return true
  const distinct = new Set(labels).size
  return distinct < labels.length && (distinct <= 2 || labels.every(Number.isInteger))
}

/** Holds out a random part of the samples, once. */
export function holdOut(data: Dataset<unknown>, options: HoldOutOptions = {}): Fold {
  const who = 'holdOut'
  checkKnown(who, options, ['seed', 'stratify', 'groups', 'testFraction', 'times'])
  const [train, test] = holdOutIndices(who, data, { ...options, stratify: stratifies(data, options) })
  return { train, test }
}

/** Three parts, each stratified: `holdOut` twice. Choose by `validation`, report on `test`. */
export function trainValidationTest(
  data: Dataset<unknown>,
  options: TrainValidationTestOptions = {},
): ThreeWaySplit {
  const who = 'trainValidationTest'
  checkKnown(who, options, ['seed', 'stratify', 'groups', 'times', 'testFraction', 'validationFraction'])
  const { validationFraction = 0.2, ...forTest } = options
  const { testFraction = 0.2 } = options
  checkNumber(who, 'testFraction', testFraction, { above: 0, below: 1 })
  checkNumber(who, 'validationFraction', validationFraction, { above: 0, below: 1 - testFraction })
  const { groups = data.groups, times = data.times, ...others } = forTest
  const whole = outlineOf({ ...data, ...(groups && { groups }), ...(times && { times }) })
  const { train: rest, test } = holdOut(whole, others)
  const inner = holdOut(selectSamples(whole, rest), {
    ...others,
    testFraction: validationFraction / (1 - testFraction),
  })
  return {
    train: inner.train.map((k) => rest[k]),
    validation: inner.test.map((k) => rest[k]),
    test,
  }
}

/** All that splits go by, with the numbers of the samples in their place: parts of it cost little. */
function outlineOf({ samples, ...others }: Dataset<unknown>): Dataset<unknown> {
  return { ...others, samples: Array.from({ length: sampleCount(samples) }, (_, i) => i) }
}

/** So many of the samples to train on, at random, classes in their shares on request; whoever tests on others need not care which. */
export function thinned(
  { labels }: Dataset<unknown>,
  train: Uint32Array,
  count: number,
  options: Pick<FoldOptions, 'seed' | 'stratify'>,
): Uint32Array {
  if (count >= train.length) return train
  const own = { samples: Array.from(train), labels: pickLabels(labels, train) }
  return holdOut(own, { ...options, testFraction: count / train.length }).test.map((k) => train[k])
}

/**
 * Splits the samples into parts of equal size, to within one sample, and tests on each part in turn.
 *
 * @example
 * for (const { train, test } of kFold(generate('moons'), { folds: 5, seed: 1 })) console.log(train.length, test.length)
 */
export function kFold(data: Dataset<unknown>, options: KFoldOptions = {}): Fold[] {
  const who = 'kFold'
  checkKnown(who, options, ['seed', 'stratify', 'groups', 'folds'])
  return dealt(who, data, options, new Random(checkSeed(who, options.seed)))
}

/** {@link kFold} with every class spread evenly over the parts, to within one sample, whatever the labels are. */
export function stratifiedKFold(
  data: Dataset<unknown>,
  options: Omit<KFoldOptions, 'stratify'> = {},
): Fold[] {
  return kFold(data, { ...options, stratify: true })
}

/** {@link kFold} that keeps groups together; parts are of equal size as far as groups allow. */
export function groupKFold(data: Dataset<unknown>, options: KFoldOptions = {}): Fold[] {
  if (options?.groups === undefined && data.groups === undefined) {
    throw new ParameterError('groupKFold', 'groups', 'is required: the group of each sample')
  }
  return kFold(data, options)
}

/** {@link kFold} several times over, each time with other parts. */
export function repeatedKFold(
  data: Dataset<unknown>,
  options: KFoldOptions & { readonly repeats?: number } = {},
): Fold[] {
  const who = 'repeatedKFold'
  checkKnown(who, options, ['seed', 'stratify', 'groups', 'folds', 'repeats'])
  const { repeats = 5 } = options
  checkNumber(who, 'repeats', repeats, { min: 1, integer: true })
  const random = new Random(checkSeed(who, options.seed))
  return Array.from({ length: repeats }, () => dealt(who, data, options, random)).flat()
}

/** Two halves, five times over: what the 5x2 tests of two models need. Folds 2r and 2r + 1 belong together. */
export function fiveByTwo(data: Dataset<unknown>, options: FoldOptions = {}): Fold[] {
  return repeatedKFold(data, { ...options, folds: 2, repeats: 5 })
}

/** Tests on each sample (or each group) in turn. Made one at a time: n folds of n − 1 indices would fill the memory. */
export function* leaveOneOut(
  data: Dataset<unknown>,
  options: Pick<FoldOptions, 'groups'> = {},
): Generator<Fold, void, void> {
  const who = 'leaveOneOut'
  checkKnown(who, options, ['groups'])
  const count = sampleCount(data.samples)
  const parts = groupsOf(who, data, options) ?? Array.from({ length: count }, (_, i) => [i])
  if (parts.length < 2) throw new DataError(`${who}: needs at least 2 parts, got ${parts.length}`)
  const held = new Uint8Array(count)
  for (const part of parts) {
    for (const i of part) held[i] = 1
    yield sides(held, 1)
    for (const i of part) held[i] = 0
  }
}

/**
 * Tests on one period after the other, and trains on what came before: no model is trained on the future. The
 * folds are those of scikit-learn's `TimeSeriesSplit`; samples with the same time are never split.
 *
 * @example
 * const folds = timeSeriesSplit(generate('sine'), { folds: 4, gap: 7 })
 */
export function timeSeriesSplit(data: Dataset<unknown>, options: TimeSeriesOptions = {}): Fold[] {
  const who = 'timeSeriesSplit'
  checkKnown(who, options, ['folds', 'times', 'testSize', 'gap', 'maxTrainSize'])
  const count = sampleCount(data.samples)
  if (count < 2) throw new DataError(`${who}: needs at least 2 samples, got ${count}`)
  const folds = checkNumber(who, 'folds', options.folds ?? Math.min(5, count - 1), {
    ...{ integer: true, min: 1, max: count - 1 },
  })
  const gap = checkNumber(who, 'gap', options.gap ?? 0, { integer: true, min: 0 })
  const testSize = checkNumber(who, 'testSize', options.testSize ?? Math.floor(count / (folds + 1)), {
    ...{ integer: true, min: 1 },
  })
  const most = checkNumber(who, 'maxTrainSize', options.maxTrainSize ?? count, { integer: true, min: 1 })
  if (count - folds * testSize - gap < 1) {
    throw new DataError(
      `${who}: ${folds} folds of ${testSize} samples and a gap of ${gap} leave none of the ${count} samples to train the first fold on`,
    )
  }
  const { moments = [] } = wholeParts(who, data, { times: options.times ?? data.times ?? 'rows' })
  const order = moments.flat()
  // A place in this order, moved to where its moment begins.
  const startOf = new Uint32Array(count)
  let place = 0
  for (const { length } of moments) {
    startOf.fill(place, place, place + length)
    place += length
  }
  return Array.from({ length: folds }, (_, f) => {
    const from = startOf[count - (folds - f) * testSize]
    const to = f === folds - 1 ? count : startOf[count - (folds - f - 1) * testSize]
    const end = startOf[Math.max(0, from - gap)]
    if (end === 0 || to === from) {
      throw new DataError(`${who}: too many samples have the same time for ${folds} folds`)
    }
    return {
      train: Uint32Array.from(order.slice(Math.max(0, end - most), end)).sort(),
      test: Uint32Array.from(order.slice(from, to)).sort(),
    }
  })
}

/**
 * LIBSVM's rule (svm_cross_validation): shuffle the samples of each class, and give fold i of v those from i·n/v to
 * (i + 1)·n/v of each, rounded down; without classes, of all. The random numbers are those of the GNU C library: with seed 0
 * the folds are the ones that `svm-train -v` makes on Linux. Groups are refused.
 */
export function libsvmFolds(data: Dataset<unknown>, options: Omit<KFoldOptions, 'groups'> = {}): Fold[] {
  const who = 'libsvmFolds'
  checkKnown(who, options, ['seed', 'stratify', 'folds'])
  const random = new LibcRandom(checkSeed(who, options.seed))
  const count = sampleCount(data.samples)
  const folds = checkFolds(who, options.folds, count, 'samples')
  if (groupsOf(who, data, {})) {
    throw new DataError(`${who}: would split groups; kFold keeps them together`)
  }
  // LIBSVM leaves single samples out of all, whatever their class.
  const parts =
    stratifies(data, options) && folds < count
      ? libsvmClasses(data.labels)
      : [Array.from({ length: count }, (_, i) => i)]
  const fold = new Uint32Array(count)
  for (const part of parts) {
    random.shuffle(part)
    for (let f = 0; f < folds; f++) {
      const [from, to] = [f, f + 1].map((k) => Math.floor((k * part.length) / folds))
      for (let k = from; k < to; k++) fold[part[k]] = f
    }
  }
  return foldsOf(fold, folds)
}

/** The samples of each class; classes as they first occur, but +1 before −1. */
function libsvmClasses(labels: Labels): number[][] {
  const classes = groupByLabel(labels)
  const signed = classes.length === 2 && labels[classes[0][0]] === -1 && labels[classes[1][0]] === 1
  return signed ? classes.reverse() : classes
}

/** Parts dealt out like cards: class by class without groups, else group by group. */
function dealt(who: string, data: Dataset<unknown>, options: KFoldOptions, random: Random): Fold[] {
  const count = sampleCount(data.samples)
  const classes = stratifies(data, options) ? groupByLabel(data.labels) : undefined
  const groups = groupsOf(who, data, options)
  if (groups) {
    const folds = checkFolds(who, options.folds, groups.length, 'groups')
    return foldsOf(dealGroups(groups, classes, folds, count, random), folds)
  }
  const folds = checkFolds(who, options.folds, count, 'samples')
  const fold = new Uint32Array(count)
  // Dealing continues from class to class where it stopped: parts then differ by one sample at most, also in total.
  let next = 0
  for (const part of classes ?? [Array.from({ length: count }, (_, i) => i)]) {
    for (const i of random.shuffle(part)) fold[i] = next++ % folds
  }
  return foldsOf(fold, folds)
}

/**
 * The largest groups first, each to the fold where it keeps Σ_class (share of the class in the fold)² smallest: this
 * balances classes where there are any, and sizes otherwise.
 */
function dealGroups(
  groups: readonly (readonly number[])[],
  classes: readonly (readonly number[])[] | undefined,
  folds: number,
  count: number,
  random: Random,
): Uint32Array {
  const classOf = new Uint32Array(count)
  classes?.forEach((part, c) => {
    for (const i of part) classOf[i] = c
  })
  const totals = classes?.map((part) => part.length) ?? [count]
  const load = Array.from({ length: folds }, () => new Float64Array(totals.length))
  const fold = new Uint32Array(count)
  const order = random.shuffle(groups.map((_, g) => g)).sort((a, b) => groups[b].length - groups[a].length)
  for (const g of order) {
    const shares = new Float64Array(totals.length)
    for (const i of groups[g]) shares[classOf[i]] += 1 / totals[classOf[i]]
    const costs = load.map((own) =>
      own.reduce((sum, share, c) => sum + shares[c] * (2 * share + shares[c]), 0),
    )
    const chosen = costs.indexOf(smallestOf(costs))
    shares.forEach((share, c) => {
      load[chosen][c] += share
    })
    for (const i of groups[g]) fold[i] = chosen
  }
  return fold
}

function foldsOf(fold: Uint32Array, folds: number): Fold[] {
  return Array.from({ length: folds }, (_, f) => sides(fold, f))
}

/** Samples marked with `part` are test samples, all others training samples. */
function sides(marks: Uint32Array | Uint8Array, part: number): Fold {
  const train = new Uint32Array(marks.length)
  const test = new Uint32Array(marks.length)
  let [trained, tested] = [0, 0]
  for (let i = 0; i < marks.length; i++) {
    if (marks[i] === part) test[tested++] = i
    else train[trained++] = i
  }
  return { train: train.slice(0, trained), test: test.slice(0, tested) }
}

/** The groups that a random split must keep together, if any. Samples with times cannot be divided at random. */
function groupsOf(who: string, data: Dataset<unknown>, options: Pick<FoldOptions, 'groups'>) {
  const { groups, moments } = wholeParts(who, data, options)
  if (!moments) return groups
  throw new DataError(`${who}: splits at random, but this data set has times; use timeSeriesSplit or holdOut`)
}

function stratifies(data: Dataset<unknown>, options: FoldOptions): boolean {
  const { stratify = labelsAreClasses(data.labels) } = options
  checkBoolean('splits', 'stratify', stratify)
  return stratify
}

/** The labels of the chosen samples. */
export function pickLabels(labels: Labels, chosen: Uint32Array): Labels {
  return labels instanceof Float64Array ? pickNumbers(labels, chosen) : Array.from(chosen, (i) => labels[i])
}

function checkSeed(who: string, seed = 0): number {
  return checkNumber(who, 'seed', seed, { integer: true, min: 0 })
}

function checkFolds(who: string, folds: number | undefined, most: number, noun: string): number {
  if (most < 2) throw new DataError(`${who}: needs at least 2 ${noun}, got ${most}`)
  return checkNumber(who, 'folds', folds ?? Math.min(5, most), { integer: true, min: 2, max: most })
}
