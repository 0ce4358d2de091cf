/** The maps of the tuner as they fill. */
import { effect, signal } from '@preact/signals'
import { planeData } from '../plane/plane-data.ts'
import type { Point, ProblemType, TuneSettings } from '../state/lab-state.ts'
import { tooMany } from '../state/limits.ts'
import { configure, points, pointsAreDue, state } from '../state/store.ts'
import { Cancelled, jobWorker } from '../worker/client.ts'
import type { TuneCell } from '../worker/messages.ts'

/** The cells that are known, `[row * steps + column]`. */
export const cells = signal<readonly (TuneCell | undefined)[]>([])
/** The grid they belong to. */
export const mapped = signal<TuneSettings | undefined>(undefined)
/** Whether cells are still to come. */
export const tuning = signal(false)
/** Why there is no map. */
export const tuneProblem = signal<string | undefined>(undefined)

/** What the maps depend on; C and γ of the model itself are not part of it. */
let shownFor = ''
let controller: AbortController | undefined

/** Recomputes the maps whenever points, kind of kernel or grid change while `tune` is open. */
export function followGrid(): void {
  effect(() => {
    const { mode, tune, settings } = state.value
    const { kernel, tol, problem } = settings
    const shape = 'gamma' in kernel ? { ...kernel, gamma: 0 } : { kind: 'rbf', gamma: 0 }
    const list = points.value
    if (mode !== 'tune' || pointsAreDue.value) return
    const key = JSON.stringify([tune, shape, tol, list, hasMaps(problem)])
    if (key === shownFor) return
    shownFor = key
    void fill()
  })
}

/** Ends the filling. */
export function cancelTuning(): void {
  controller?.abort()
  shownFor = ''
}

/** Uses the C and γ of a cell: as its model did, with C-SVC and a kernel that has a width. */
export function useCell({ C, gamma }: TuneCell): void {
  const { kernel } = state.value.settings
  const wide = 'gamma' in kernel ? { ...kernel, gamma } : ({ kind: 'rbf', gamma } as const)
  configure({ C, kernel: wide, problem: 'svc' })
}

/** Points of the smallest class; 0 if there are not two. */
function fewestOfClass(list: readonly Point[]): number {
  const counts = [0, 0, 0, 0]
  for (const { c } of list) counts[c]++
  const present = counts.filter((count) => count > 0)
  return present.length < 2 ? 0 : Math.min(...present)
}

function hasMaps(problem: ProblemType): boolean {
  return problem === 'svc' || problem === 'nu-svc'
}

async function fill(): Promise<void> {
  controller?.abort()
  controller = new AbortController()
  const { signal: abort } = controller
  const { settings, tune } = state.value
  const list = points.value
  cells.value = new Array(tune.steps ** 2).fill(undefined)
  mapped.value = tune
  try {
    const few = fewestOfClass(list)
    const problem =
      tooMany('tune', list.length) ??
      (hasMaps(settings.problem) ? undefined : 'the maps support only classification') ??
      (few < tune.folds
        ? `each class needs at least ${tune.folds} points, one per fold; one has ${few}`
        : undefined)
    if (problem) throw new Error(problem)
    tuning.value = true
    tuneProblem.value = undefined
    await jobWorker.call(
      'tune',
      { data: planeData(list), settings, tune },
      {
        signal: abort,
        onNews: (cell) => {
          const next = cells.value.slice()
          next[cell.row * tune.steps + cell.column] = cell
          cells.value = next
        },
      },
    )
  } catch (error) {
    if (error instanceof Cancelled) {
      if (controller.signal === abort) tuning.value = false
      return
    }
    tuneProblem.value = (error as Error).message
  }
  tuning.value = false
}
