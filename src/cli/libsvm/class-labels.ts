/** Labels of classes as LIBSVM and LIBLINEAR have them: whole numbers, in the order in which they appear, with weights by flags. */
import { distinctNumbers } from '../../base/lists.ts'
import type { Label, VectorDataset } from '../../data/table/dataset.ts'
import { CommandError, type LetterFlags, numberOf, UsageError } from './letter-flags.ts'

/** A model file holds whole numbers of 32 bits: better to say so before training than after. `advice` says what to do about others. */
export function checkLabels(path: string, { labels }: VectorDataset, advice = ''): void {
  const isWhole = (label: number) => label === (label | 0)
  if (distinctNumbers(labels as Float64Array).every(isWhole)) return
  const bad = (labels as Float64Array).findIndex((label) => !isWhole(label))
  const isBeyond = Number.isInteger(labels[bad])
  const allowed = isBeyond ? 'whole numbers of 32 bits' : 'whole numbers'
  const got = `got ${labels[bad]} for sample ${bad + 1}`
  throw new CommandError(`${path}: classes must be ${allowed}, ${got}${isBeyond ? '' : advice}`)
}

/** Classes in the order in which they appear, but +1 before −1: LIBSVM's rule. */
export function labelOrder(classes: readonly Label[], { labels }: Pick<VectorDataset, 'labels'>): number[] {
  const order = distinctNumbers(labels as Float64Array).map((label) => classes.indexOf(label + 0))
  const isSigned = classes.length === 2 && classes[0] === -1 && classes[1] === 1
  return isSigned ? [1, 0] : order
}

/** Weights by label, from flags such as `-w1`; where a label has several, they multiply, as in LIBSVM. */
export function classWeights(flags: LetterFlags): Map<number, number> {
  const weights = new Map<number, number>()
  for (const [name, text] of flags.prefixed) {
    const label = Number(name.slice(1))
    if (name.length === 1 || !Number.isInteger(label)) throw new UsageError(`Unknown option: -${name}`)
    const weight = numberOf(name, text)
    if (weight < 0) throw new UsageError(`option -${name} takes a number >= 0, got ${weight}`)
    weights.set(label, (weights.get(label) ?? 1) * weight)
  }
  return weights
}

/** The weights of classes that occur; the others are warned of, as LIBSVM does. */
export function presentWeights(
  weights: ReadonlyMap<number, number>,
  { labels }: Pick<VectorDataset, 'labels'>,
  warn: (text: string) => void,
): Record<number, number> {
  const used: Record<number, number> = {}
  if (weights.size === 0) return used
  const present = new Set(distinctNumbers(labels as Float64Array))
  for (const [label, weight] of weights) {
    if (present.has(label)) used[label] = weight
    else warn(`WARNING: class label ${label} specified in weight is not found\n`)
  }
  return used
}
