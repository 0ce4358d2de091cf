/** Which features of a file the model is trained on. */
import type { FileSummary } from '../worker/messages.ts'

/**
 * Whether features can be left out: in a table. Those of a LIBSVM file go by their numbers, and a model without some of
 * them would take the others of the same file for them.
 */
export function canLeaveOut({ isNamed, columns }: FileSummary): boolean {
  return isNamed || columns.length > 0
}

/** Positions of the features that the model is trained on: all, if the file has no others than those left out. */
export function chosenFeatures(summary: FileSummary, leftOut: readonly number[]): number[] {
  const all = summary.features.map((_, j) => j)
  const kept = canLeaveOut(summary) ? all.filter((j) => !leftOut.includes(j)) : []
  return kept.length > 0 ? kept : all
}
