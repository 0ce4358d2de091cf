import { checkNumber } from '../base/check.ts'
import { DataError, ParameterError, show } from '../base/errors.ts'
import type { Dataset, Label, Labels } from '../data/dataset.ts'

/**
 * What multiplies C for each class: a number for each label (1 where none is given), or 'balanced' = n / (2 n_class),
 * so that both classes weigh the same in total.
 */
export type ClassWeight = 'balanced' | Readonly<Record<string | number, number>>

/** The two classes of a data set, and what a problem needs of them. */
export interface BinaryTargets {
  /** Ascending: numbers by value, texts by code unit. The larger one is the positive class. */
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

/** Finds the two classes and spreads C over the samples. Throws a {@link DataError} unless there are just two. */
export function binaryTargets(
  who: string,
  dataset: Dataset,
  C: number,
  classWeight: ClassWeight | undefined,
): BinaryTargets {
  const { labels, weights } = dataset
  const count = labels.length
  if (count === 0) throw new DataError(`${who}: the data set has no samples`)
  const found = distinct(labels)
  if (found.length === 1) {
    throw new DataError(
      `${who}: all samples (${count}) have the class ${show(found[0])}; two classes are needed`,
    )
  }
  if (found.length > 2) {
    const some = found.slice(0, 5).map(show).join(', ')
    throw new DataError(
      `${who}: two classes are needed, got ${found.length}: ${some}${found.length > 5 ? ', …' : ''}`,
    )
  }
  const classes = found as [Label, Label]
  const y = Float64Array.from(labels as ArrayLike<Label>, (label) => (label === classes[1] ? 1 : -1))
  const [negative, positive] = weightsOf(who, classes, y, classWeight)
  const bounds = new Float64Array(count)
  const weighed = [false, false]
  for (let i = 0; i < count; i++) {
    const weight = weights ? weights[i] : 1
    if (weight > 0) weighed[y[i] > 0 ? 1 : 0] = true
    const factor = weight * (y[i] > 0 ? positive : negative)
    // A weight of 0 leaves a sample out, of a hard margin too.
    bounds[i] = factor === 0 ? 0 : C * factor
  }
  if (weighed[0] !== weighed[1]) {
    const only = show(classes[weighed[0] ? 0 : 1])
    throw new DataError(
      `${who}: all samples of positive weight have the class ${only}; two classes are needed`,
    )
  }
  if (!bounds.some((bound) => bound > 0)) throw new DataError(`${who}: all samples have weight 0`)
  return { classes, y, C: bounds }
}

/** The labels that occur, ascending. */
function distinct(labels: Labels): Label[] {
  if (labels instanceof Float64Array) {
    // + 0 makes 0 of -0: they are the same class.
    return [...new Set(labels)].map((label) => label + 0).sort((a, b) => a - b)
  }
  return [...new Set(labels)].sort()
}

function weightsOf(
  who: string,
  classes: readonly [Label, Label],
  y: Float64Array,
  classWeight: ClassWeight | undefined,
): [negative: number, positive: number] {
  if (classWeight === undefined) return [1, 1]
  if (classWeight === 'balanced') {
    const positives = y.reduce((count, sign) => (sign > 0 ? count + 1 : count), 0)
    return [y.length / (2 * (y.length - positives)), y.length / (2 * positives)]
  }
  const names = classes.map(String)
  for (const label of Object.keys(classWeight)) {
    if (!names.includes(label)) {
      throw new ParameterError(
        who,
        'classWeight',
        `for the classes ${names.join(' and ')} of the data`,
        label,
      )
    }
  }
  return [classWeight[names[0]] ?? 1, classWeight[names[1]] ?? 1]
}
