/** What the formats of LIBSVM and LIBLINEAR have no place for. */
import { DataError, show } from '../base/errors.ts'
import type { Label } from '../data/dataset.ts'
import type { ModelParts } from './model-parts.ts'

const largestLabel = 2 ** 31 - 1

/** The error that a format cannot hold something. */
export function cannotHold(format: string, what: string, instead: string): DataError {
  return new DataError(`${format}'s model format cannot hold ${what}: ${instead}`)
}

/** Throws when a model has a scaler. */
export function refuseScaler(format: string, { scaler }: ModelParts): void {
  if (!scaler) return
  const instead = 'save it as JSON, or scale the data beforehand and train without one'
  throw cannotHold(format, `a scaler (${scaler.kind})`, instead)
}

/** The labels, which must be whole numbers of 32 bits. */
export function wholeLabels(format: string, classes: readonly Label[]): number[] {
  return classes.map((label) => {
    if (typeof label === 'number' && Number.isInteger(label) && Math.abs(label) <= largestLabel) return label
    const instead = 'save it as JSON, or train with whole numbers as labels'
    throw cannotHold(format, `the label ${show(label)}`, instead)
  })
}
