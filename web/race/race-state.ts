/** The race on show. */
import { batch, computed, effect, signal, untracked } from '@preact/signals'
import type { SolverName } from '../../src/index.ts'
import { planeData } from '../plane/plane-data.ts'
import { reducedMotion } from '../plane/theme.ts'
import { Frame } from '../plane/view.ts'
import type { Point, Settings, View } from '../state/lab-state.ts'
import { tooMany } from '../state/limits.ts'
import { points, pointsAreDue, state } from '../state/store.ts'
import { FrameField } from '../watch/frame-field.ts'
import { whyNoRace } from '../watch/why-no-run.ts'
import { Cancelled, jobWorker } from '../worker/client.ts'
import type { Race, RaceRun } from '../worker/messages.ts'

/** A race that is over, and what it was about. */
export interface Finished {
  readonly race: Race
  readonly fields: readonly FrameField[]
  readonly points: readonly Point[]
  readonly settings: Settings
  readonly view: View
  readonly solvers: readonly SolverName[]
}

/** See {@link Finished}; undefined before the first. */
export const finished = signal<Finished | undefined>(undefined)
/** The solver that runs now, if one does. */
export const running = signal<SolverName | undefined>(undefined)
/** Why there is no race. */
export const raceProblem = signal<string | undefined>(undefined)
/** How far the replay is, from 0 to 1. */
export const progress = signal(1)
/** Whether it plays. */
export const replaying = signal(false)

/** Whether points or settings have changed since the race. */
export const outdated = computed(() => {
  const last = finished.value
  if (!last) return false
  const { settings, race } = state.value
  const now = { ...settings, solver: last.settings.solver }
  return (
    last.points !== points.value ||
    JSON.stringify(now) !== JSON.stringify(last.settings) ||
    race.join() !== last.solvers.join()
  )
})

/** Longest and shortest time of the replay, which runs on a logarithmic clock. */
const clock = computed(() => {
  const runs = finished.value?.race.runs ?? []
  const longest = Math.max(1e-5, ...runs.map(({ certificate }) => certificate.seconds))
  const firsts = runs.map(({ trace }) => trace[1]?.seconds ?? longest)
  return { longest, shortest: Math.max(longest / 1e5, Math.min(longest / 3, ...firsts)) }
})

/** Seconds of solving that the replay stands at. */
export const seconds = computed(() => {
  const { longest, shortest } = clock.value
  return progress.value === 0 ? 0 : shortest * (longest / shortest) ** progress.value
})

/** The point of a trace that a run had reached by then. */
export function pointAt({ trace }: RaceRun, time: number): number {
  if (progress.value === 1) return trace.length - 1
  let at = 0
  while (at + 1 < trace.length && trace[at + 1].seconds <= time) at++
  return at
}

/** Width over height of the small planes. */
const ASPECT = 1.4
const COLUMNS = 72
const REPLAY_MS = 4000

let controller: AbortController | undefined

/** Runs the race of the solvers that are chosen. */
export async function startRace(): Promise<void> {
  controller?.abort()
  controller = new AbortController()
  const { signal: abort } = controller
  const { settings, view, race: names } = state.value
  const list = points.value
  const size = { width: COLUMNS, height: COLUMNS / ASPECT }
  try {
    const problem = tooMany('race', list.length) ?? whyNoRace(list, settings)
    if (problem) throw new Error(problem)
    running.value = names[0]
    const race = await jobWorker.call(
      'race',
      { data: planeData(list), settings, solvers: names, grid: new Frame(view, size).grid(1) },
      {
        signal: abort,
        onNews: (solver) => {
          running.value = solver
        },
      },
    )
    const classes = [...new Set(list.map(({ c }) => c))].sort()
    const { kernelGrid, grid } = race
    const fields = race.runs.map(
      ({ coefficients, bias }) =>
        new FrameField(
          { samples: list.length, frames: bias.length, coefficients, bias, kernelGrid, grid },
          { kind: 'binary', classes },
        ),
    )
    batch(() => {
      finished.value = { race, fields, points: list, settings, view, solvers: names }
      raceProblem.value = undefined
      progress.value = 1
    })
  } catch (error) {
    if (error instanceof Cancelled) return
    raceProblem.value = (error as Error).message
    finished.value = undefined
  }
  running.value = undefined
}

/** Runs a race as soon as there are points, unless the last one was about the same. */
export function raceWhenReady(): () => void {
  let isStarted = false
  return effect(() => {
    if (pointsAreDue.value || isStarted) return
    isStarted = true
    if (!finished.peek() || outdated.peek()) untracked(() => void startRace())
  })
}

/** Ends the race under way. */
export function cancelRace(): void {
  controller?.abort()
  running.value = undefined
}

/** Shows the race again from its start, or stops showing it. */
export function toggleReplay(): void {
  if (replaying.value) {
    replaying.value = false
    return
  }
  if (reducedMotion()) {
    progress.value = progress.value === 1 ? 0 : 1
    return
  }
  replaying.value = true
  const from = progress.value === 1 ? 0 : progress.value
  const started = performance.now()
  const tick = (now: number) => {
    if (!replaying.value) return
    progress.value = Math.min(1, from + (now - started) / REPLAY_MS)
    if (progress.value === 1) replaying.value = false
    else requestAnimationFrame(tick)
  }
  requestAnimationFrame(tick)
}
