/** What a single run of a solver needs. */
import type { Point, Settings } from '../state/lab-state.ts'
import { hasClasses } from './samples.ts'

/** Why there can be no run on these points with these settings, in words; undefined if there can. */
export function whyNoRun(list: readonly Point[], settings: Settings): string | undefined {
  if (list.length === 0) return 'a run needs points: place some on the plane'
  const classes = new Set(list.map(({ c }) => c)).size
  return hasClasses(settings) && classes < 2 ? 'a run needs points of two classes; there is one' : undefined
}

/** The same for a race: its solvers have one problem in common. */
export function whyNoRace(list: readonly Point[], { problem }: Settings): string | undefined {
  if (problem !== 'svc') return 'solvers race on classification (C-SVC) only: choose it under Problem'
  const classes = new Set(list.map(({ c }) => c)).size
  return classes === 2 ? undefined : `a race needs points of exactly two classes; there are ${classes}`
}
