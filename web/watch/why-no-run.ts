/** What a single run of a solver needs. */
import type { Point, Settings } from '../state/lab-state.ts'

/** Why there can be no run on these points with these settings, in words; undefined if there can. */
export function whyNoRun(list: readonly Point[], { problem }: Settings): string | undefined {
  if (problem !== 'svc') return 'runs are shown for classification (C-SVC) only: choose it under Problem'
  const classes = new Set(list.map(({ c }) => c)).size
  return classes === 2 ? undefined : `a run needs points of exactly two classes; there are ${classes}`
}
