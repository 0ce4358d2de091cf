/** Which points a run is over: all, or those of two classes where there are more. */
import type { ClassIndex, Point, Settings } from '../state/lab-state.ts'

/** Whether the problem has classes. */
export function hasClasses({ problem }: Settings): boolean {
  return problem === 'svc' || problem === 'nu-svc'
}

/** The classes that occur, ascending. */
export function classesAmong(list: readonly Point[]): ClassIndex[] {
  return [...new Set(list.map(({ c }) => c))].sort()
}

/** The pair that is watched: the one that was chosen if both classes occur, else the first two. */
export function pairAmong(list: readonly Point[], chosen: readonly ClassIndex[]): ClassIndex[] {
  const found = classesAmong(list)
  return chosen.every((c) => found.includes(c)) ? [...chosen] : found.slice(0, 2)
}

/** The points that a run is over. */
export interface RunSamples {
  /** The same list where all points take part. */
  readonly samples: readonly Point[]
  /** Where each of them is among all points. */
  readonly places: readonly number[]
  /** The classes called −1 and +1, where there are classes. */
  readonly signs: readonly ClassIndex[]
}

/** See {@link RunSamples}. */
export function samplesOf(
  list: readonly Point[],
  settings: Settings,
  chosen: readonly ClassIndex[],
): RunSamples {
  const signs = hasClasses(settings) ? pairAmong(list, chosen) : []
  const isAll = signs.length === 0 || classesAmong(list).length <= 2
  const places = [...list.keys()].filter((i) => isAll || signs.includes(list[i].c))
  return { samples: isAll ? list : places.map((i) => list[i]), places, signs }
}
