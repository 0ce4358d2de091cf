import { DataError, ParameterError, show } from '../base/errors.ts'

/** A class: a number or a string. */
export type MetricLabel = number | string

/** The class of each sample. */
export type MetricLabels = ArrayLike<MetricLabel>

/** The distinct labels in all `lists`, ascending. They must be all numbers or all strings. */
export function distinctLabels(who: string, ...lists: readonly MetricLabels[]): MetricLabel[] {
  checkLabels(who, ...lists)
  const seen = new Set<MetricLabel>()
  for (const list of lists) for (let i = 0; i < list.length; i++) seen.add(list[i])
  return Array.from(seen).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
}

/** Throws unless the labels in all `lists` are all numbers or all strings. */
export function checkLabels(who: string, ...lists: readonly MetricLabels[]): void {
  let kind: string | undefined
  for (const list of lists) {
    for (let i = 0; i < list.length; i++) {
      const label = list[i]
      if ((typeof label !== 'number' && typeof label !== 'string') || Number.isNaN(label)) {
        throw new DataError(`${who}: label of sample ${i} must be a number or a string, got ${show(label)}`)
      }
      kind ??= typeof label
      if (typeof label !== kind) {
        throw new DataError(
          `${who}: labels must be all numbers or all strings, sample ${i} has ${show(label)}`,
        )
      }
    }
  }
}

/**
 * The class that counts as positive: the one given; else 1 where labels are -1 and +1 or 0 and 1; else the greater
 * of two labels. Anything else must be said by the caller.
 */
export function positiveLabel(who: string, labels: readonly MetricLabel[], given?: MetricLabel): MetricLabel {
  if (given !== undefined) return given
  const within = (pair: readonly MetricLabel[]): boolean => labels.every((label) => pair.includes(label))
  if (within([-1, 1]) || within([0, 1])) return 1
  if (labels.length === 2) return labels[1]
  throw new ParameterError(who, 'positive', `is required for the classes ${labels.map(show).join(', ')}`)
}
