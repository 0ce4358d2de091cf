import { checkBoolean, checkKnown, checkNumber } from '../../base/check.ts'
import { DataError, ParameterError, show } from '../../base/errors.ts'
import { countUp } from '../../base/lists.ts'
import { Random } from '../../base/random.ts'
import { type Dataset, type Label, type Labels, sampleCount, selectSamples, type Times } from './dataset.ts'

/** How {@link trainTestSplit} splits. */
export interface SplitOptions {
  /** Fraction of the samples to hold out, between 0 and 1. Default: 0.2. At least one sample is on each side. */
  readonly testFraction?: number
  /** Seed of the random choice. Default: 0. */
  readonly seed?: number
  /**
   * Keep the share of each class the same on both sides, to within one sample. Default: true. Where every
   * label is different, as in regression, it makes no difference. Groups are taken as they come.
   */
  readonly stratify?: boolean
  /** The group of each sample, such as the patient; a group is never split. Default: those of the data set. */
  readonly groups?: ArrayLike<Label>
  /**
   * Hold out the latest samples instead of a random part: `'rows'` if samples are ordered in time, else the time of each.
   * `seed` and `stratify` then do not apply. Samples with the same time stay together. Default: those of the data set.
   */
  readonly times?: Times
}

/** Both sides of a hold-out split, with the indices they came from, ascending. */
export interface Split<D extends Dataset<unknown> = Dataset<unknown>> {
  readonly train: D
  readonly test: D
  readonly trainIndices: Uint32Array
  readonly testIndices: Uint32Array
}

/**
 * Holds out a random part of the samples, or of the groups, or the last ones in time. Samples keep their order; every sample is on exactly one side.
 *
 * @example
 * const { train, test } = trainTestSplit(generate('moons', { n: 400 }), { testFraction: 0.25, seed: 1 })
 */
export function trainTestSplit<D extends Dataset<unknown>>(dataset: D, options: SplitOptions = {}): Split<D> {
  const [trainIndices, testIndices] = holdOutIndices('trainTestSplit', dataset, options)
  return {
    train: selectSamples(dataset, trainIndices),
    test: selectSamples(dataset, testIndices),
    trainIndices,
    testIndices,
  }
}

/** The indices of both sides of {@link trainTestSplit}, ascending, without the samples themselves. */
export function holdOutIndices(
  who: string,
  dataset: Dataset<unknown>,
  options: SplitOptions,
): [train: Uint32Array, test: Uint32Array] {
  checkKnown(who, options, ['testFraction', 'seed', 'stratify', 'groups', 'times'])
  const testFraction = checkNumber(who, 'testFraction', options.testFraction ?? 0.2, { above: 0, below: 1 })
  const seed = checkNumber(who, 'seed', options.seed ?? 0, { integer: true, min: 0 })
  const stratify = checkBoolean(who, 'stratify', options.stratify ?? true)
  const count = sampleCount(dataset.samples)
  if (count < 2) throw new DataError(`${who}: needs at least 2 samples, got ${count}`)

  const random = new Random(seed)
  const isTest = new Uint8Array(count)
  const { groups, moments } = wholeParts(who, dataset, options)
  if (moments) {
    for (const i of lastSamples(who, moments, count * testFraction)) isTest[i] = 1
  } else if (groups) {
    for (const group of heldGroups(who, groups, count * testFraction, random)) {
      for (const i of group) isTest[i] = 1
    }
  } else {
    const testCount = Math.min(count - 1, Math.max(1, Math.round(count * testFraction)))
    const classes = stratify ? groupByLabel(dataset.labels) : [Array.from({ length: count }, (_, i) => i)]
    const sizes = shareOut(
      testCount,
      classes.map((part) => part.length),
      random,
    )
    classes.forEach((part, c) => {
      for (const i of random.shuffle(part).slice(0, sizes[c])) isTest[i] = 1
    })
  }
  const all = countUp(isTest.length)
  return [all.filter((i) => isTest[i] === 0), all.filter((i) => isTest[i] === 1)]
}

/**
 * What must not be divided: the samples of each group, or of each moment in the order of time, as the options say, else the data set
 * itself. Neither where samples may be divided at random.
 */
export function wholeParts(
  who: string,
  dataset: Dataset<unknown>,
  options: Pick<SplitOptions, 'groups' | 'times'>,
): {
  readonly groups?: readonly (readonly number[])[]
  readonly moments?: readonly (readonly number[])[]
} {
  const { groups = dataset.groups, times = dataset.times } = options
  if (groups !== undefined && times !== undefined) {
    throw new ParameterError(who, 'groups', 'cannot be used together with times')
  }
  if (times !== undefined) return { moments: inTime(who, dataset, times) }
  return groups === undefined ? {} : { groups: groupParts(who, dataset, groups) }
}

/** Some of the groups at random, with about this many samples; each side has at least one group. */
function heldGroups(
  who: string,
  groups: readonly (readonly number[])[],
  wanted: number,
  random: Random,
): (readonly number[])[] {
  if (groups.length < 2) throw new DataError(`${who}: needs at least 2 groups, got ${groups.length}`)
  const held: (readonly number[])[] = []
  let size = 0
  for (const g of random.shuffle(groups.map((_, k) => k))) {
    const group = groups[g]
    // A group is taken when that brings the part nearer to its size; each side keeps at least one.
    const nearer = Math.abs(size + group.length - wanted) < Math.abs(size - wanted)
    if (!nearer || held.length === groups.length - 1) continue
    held.push(group)
    size += group.length
  }
  if (held.length > 0) return held
  return [groups.reduce((least, group) => (group.length < least.length ? group : least))]
}

/** Samples in the order of time, those of one time together. */
function inTime(
  who: string,
  { samples }: Pick<Dataset<unknown>, 'samples'>,
  times: Times,
): readonly (readonly number[])[] {
  const count = sampleCount(samples)
  if (times === 'rows') return Array.from({ length: count }, (_, i) => [i])
  if (typeof times !== 'object' || times === null || !('length' in times)) {
    throw new ParameterError(who, 'times', "'rows' or the time of each sample", times)
  }
  if (times.length !== count) throw new DataError(`${who}: ${count} samples but ${times.length} times`)
  const at = Float64Array.from(times as ArrayLike<number>, Number)
  const bad = at.findIndex((time) => !Number.isFinite(time))
  if (bad >= 0) {
    throw new DataError(`${who}: time ${bad} must be a finite number or a date, got ${show(times[bad])}`)
  }
  const moments: number[][] = []
  let before = Number.NaN
  for (const i of countUp(count).sort((a, b) => at[a] - at[b] || a - b)) {
    if (at[i] === before) moments[moments.length - 1].push(i)
    else moments.push([i])
    before = at[i]
  }
  return moments
}

/** The last moments with about this many samples; each side has at least one moment. */
function lastSamples(
  who: string,
  moments: readonly (readonly number[])[],
  wanted: number,
): readonly number[] {
  if (moments.length < 2) throw new DataError(`${who}: all samples have the same time`)
  const last: number[] = []
  for (let m = moments.length - 1; m > 0; m--) {
    const nearer = Math.abs(last.length + moments[m].length - wanted) < Math.abs(last.length - wanted)
    if (last.length > 0 && !nearer) break
    last.push(...moments[m])
  }
  return last
}

/** The samples of each group, groups in the order in which they first occur. */
function groupParts(who: string, { samples }: Dataset<unknown>, groups: ArrayLike<Label>): number[][] {
  const count = sampleCount(samples)
  if (groups.length !== count) throw new DataError(`${who}: ${count} samples but ${groups.length} groups`)
  return groupByLabel(Array.from(groups, String))
}

/** The indices of the samples of each label, labels in the order in which they first occur. */
export function groupByLabel(labels: Labels): number[][] {
  const groups = new Map<Label, number[]>()
  labels.forEach((label: Label, i: number) => {
    const group = groups.get(label)
    if (group) group.push(i)
    else groups.set(label, [i])
  })
  return Array.from(groups.values())
}

/**
 * Shares `total` out in proportion to `sizes`: each gets its quota rounded down, and what remains goes to the
 * largest fractions, drawn at random among equal ones.
 */
function shareOut(total: number, sizes: readonly number[], random: Random): number[] {
  const whole = sizes.reduce((sum, size) => sum + size, 0)
  // Whole-number arithmetic: equal fractions must compare as equal.
  const shares = sizes.map((size) => Math.floor((total * size) / whole))
  const remainders = sizes.map((size) => (total * size) % whole)
  const order = random.shuffle(sizes.map((_, g) => g)).sort((a, b) => remainders[b] - remainders[a])
  const left = total - shares.reduce((sum, share) => sum + share, 0)
  for (const g of order.slice(0, left)) shares[g]++
  return shares
}
