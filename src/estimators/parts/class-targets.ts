import { checkNumber } from '../../base/check.ts'
import { DataError, ParameterError, show } from '../../base/errors.ts'
import { distinctNumbers } from '../../base/lists.ts'
import { positiveOf } from '../../base/positive-class.ts'
import type { Dataset, Label, Labels } from '../../data/table/dataset.ts'

/**
 * Factors of C: a number for each label (default 1), or 'balanced' = n / (k n_class), k being
 * the number of classes, so that all classes weigh the same in total.
 */
export type ClassWeight = 'balanced' | Readonly<Record<string | number, number>>

/** The classes of a data set, and what a problem needs of them. */
export interface ClassTargets {
  /** Ascending: numbers by value, texts by code unit. */
  readonly classes: readonly Label[]
  /** The class of each sample, as a position in `classes`. */
  readonly classOf: Uint32Array
  /** Class weight · sample weight, for each sample. */
  readonly factors: Float64Array
}

/** The two classes of a data set, and what a two-class problem needs of them. */
export interface BinaryTargets {
  /** Ascending; the larger one is the positive class. */
  readonly classes: readonly [negative: Label, positive: Label]
  /** +1 or −1 for each sample. */
  readonly y: Float64Array
  /** C · class weight · sample weight, for each sample. */
  readonly C: Float64Array
}

/** Throws a ParameterError unless `classWeight` is one that could be used. */
export function checkClassWeight(who: string, classWeight: unknown): void {
  if (classWeight === undefined || classWeight === 'balanced') return
  if (typeof classWeight !== 'object' || classWeight === null || Array.isArray(classWeight)) {
    throw new ParameterError(who, 'classWeight', "'balanced' or an object { label: weight }", classWeight)
  }
  for (const [label, weight] of Object.entries(classWeight)) {
    checkNumber(who, `classWeight of ${label}`, weight, { min: 0 })
  }
}

/** Finds the classes of a data set. Throws a {@link DataError} unless there are at least two, each of some weight. */
export function classTargets(
  who: string,
  dataset: Pick<Dataset, 'labels' | 'weights'>,
  classWeight: ClassWeight | undefined,
): ClassTargets {
  const { labels, weights } = dataset
  const count = labels.length
  if (count === 0) throw new DataError(`${who}: the data set has no samples`)
  const classes = distinct(labels)
  if (classes.length === 1) {
    throw new DataError(
      `${who}: all samples (${count}) have the class ${show(classes[0])}; two classes are needed`,
    )
  }
  const classOf = positionsOf(labels, classes)
  const counts = classWeight === 'balanced' ? countsOf(classOf, classes.length) : []
  const perClass = weightsOf(who, classes, counts, classWeight)
  const factors = new Float64Array(count).fill(1)
  const weighed = classes.map(() => weights === undefined)
  if (weights || perClass.some((weight) => weight !== 1)) {
    for (let i = 0; i < count; i++) {
      const weight = weights ? weights[i] : 1
      if (weight > 0) weighed[classOf[i]] = true
      factors[i] = weight * perClass[classOf[i]]
    }
  }
  if (!weighed.some(Boolean)) throw new DataError(`${who}: all samples have weight 0`)
  if (classes.length === 2 && weighed[0] !== weighed[1]) {
    const only = show(classes[weighed[0] ? 0 : 1])
    throw new DataError(
      `${who}: all samples of positive weight have the class ${only}; two classes are needed`,
    )
  }
  const without = weighed.indexOf(false)
  if (without >= 0) {
    throw new DataError(`${who}: all samples of class ${show(classes[without])} have weight 0`)
  }
  if (!factors.some((factor) => factor > 0)) throw new DataError(`${who}: all samples have weight 0`)
  return { classes, classOf, factors }
}

/** The place of each label among the classes. */
function positionsOf(labels: Labels, classes: readonly Label[]): Uint32Array {
  const places = new Uint32Array(labels.length)
  const [first, second] = classes
  const place = new Map<Label, number>(classes.map((label, c) => [label, c]))
  for (let i = 0; i < places.length; i++) {
    const label = labels[i]
    // A Map takes 0 and −0 for the same, as this does.
    if (label === second) places[i] = 1
    else if (label !== first) places[i] = place.get(label) as number
  }
  return places
}

/** What a price C becomes for each sample. A weight of 0 leaves a sample out, of a hard margin too. */
export function pricesOf(C: number, factors: Float64Array): Float64Array {
  const prices = new Float64Array(factors.length)
  for (let i = 0; i < prices.length; i++) if (factors[i] !== 0) prices[i] = C * factors[i]
  return prices
}

/** Finds the two classes and spreads C over the samples. Throws a {@link DataError} unless there are just two. */
export function binaryTargets(
  who: string,
  dataset: Dataset<unknown>,
  C: number,
  classWeight: ClassWeight | undefined,
): BinaryTargets {
  const { classes, classOf, factors } = classTargets(who, dataset, classWeight)
  if (classes.length > 2) {
    const some = classes.slice(0, 5).map(show).join(', ')
    throw new DataError(
      `${who}: two classes are needed, got ${classes.length}: ${some}${classes.length > 5 ? ', …' : ''}`,
    )
  }
  return {
    classes: classes as [Label, Label],
    y: signsOf(classOf),
    C: pricesOf(C, factors),
  }
}

/** +1 for the positive one of two classes, −1 for the other. */
export function signsOf(classOf: Uint32Array): Float64Array {
  const positive = positiveOf(0, 1, 2)
  const signs = new Float64Array(classOf.length)
  for (let i = 0; i < signs.length; i++) signs[i] = classOf[i] === positive ? 1 : -1
  return signs
}

/** The labels that occur, ascending. */
function distinct(labels: Labels): Label[] {
  if (labels instanceof Float64Array) return classesInOrder(distinctNumbers(labels))
  return [...new Set(labels)].sort()
}

/** Different labels, ascending: numbers by value, texts by code unit. */
export function classesInOrder(labels: readonly Label[]): Label[] {
  // + 0 makes 0 of -0: they are the same class.
  const classes = [...new Set(labels.map((label) => (typeof label === 'number' ? label + 0 : label)))]
  if (classes.every((label) => typeof label === 'number')) return classes.sort((a, b) => a - b)
  const text = classes.find((label) => typeof label === 'string')
  const number = classes.find((label) => typeof label === 'number')
  if (number === undefined) return classes.sort()
  throw new DataError(`classes are numbers or texts, not both: ${show(number)} and ${show(text)}`)
}

function countsOf(classOf: Uint32Array, classes: number): number[] {
  const counts: number[] = new Array(classes).fill(0)
  for (let i = 0; i < classOf.length; i++) counts[classOf[i]]++
  return counts
}

/** What multiplies C for each class, given how many samples each has, which only 'balanced' needs. */
export function weightsOf(
  who: string,
  classes: readonly Label[],
  counts: readonly number[],
  classWeight: ClassWeight | undefined,
): number[] {
  if (classWeight === undefined) return classes.map(() => 1)
  if (classWeight === 'balanced') {
    const total = counts.reduce((sum, count) => sum + count, 0)
    return counts.map((count) => total / (classes.length * count))
  }
  const names = classes.map(String)
  for (const label of Object.keys(classWeight)) {
    if (!names.includes(label)) {
      const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
      throw new ParameterError(
        who,
        'classWeight',
        `names class ${show(label)}, but the classes of the data are ${list}`,
      )
    }
  }
  return names.map((name) => classWeight[name] ?? 1)
}
