/** The one state of the page as a signal, with undo and redo. */
import { computed, effect, signal } from '@preact/signals'
import { pointsOf } from '../plane/plane-data.ts'
import { makePreset } from '../plane/presets.ts'
import { liveWorker } from '../worker/client.ts'
import { initialState, type LabState, type PlaneSource, type Point, type Settings } from './lab-state.ts'

/** The state. Change it with {@link change} or {@link glance} only. */
export const state = signal<LabState>(initialState)

/** The part of the Lab that is open. */
export const mode = computed(() => state.value.mode)

const source = computed(() => state.value.source)

/** Presets of more points than this are made by the worker. */
const MOST_AT_ONCE = 1000
/** The last points that the worker made. */
const made = signal<{ readonly source: PlaneSource; readonly points: readonly Point[] } | undefined>(
  undefined,
)
let last: readonly Point[] = []

/** Whether the points on the plane are still those before the last change: the worker makes the new ones. */
export const pointsAreDue = computed(() => isLarge(source.value) && made.value?.source !== source.value)

/** The points on the plane; the same array while their source stays the same. */
export const points = computed<readonly Point[]>(() => {
  const now = source.value
  if (now.kind === 'drawn') last = now.points
  else if (!isLarge(now)) last = makePreset(now)
  else if (made.value?.source === now) last = made.value.points
  return last
})

effect(() => {
  const now = source.value
  if (!isLarge(now) || !pointsAreDue.value) return
  void liveWorker.call('points', now).then((data) => {
    if (source.value === now) made.value = { source: now, points: pointsOf(data) }
  })
})

function isLarge(from: PlaneSource): from is PlaneSource & { kind: 'preset' } {
  return from.kind === 'preset' && from.size > MOST_AT_ONCE
}

const past = signal<readonly LabState[]>([])
const future = signal<readonly LabState[]>([])
/** Steps that can be taken back. */
const MOST_STEPS = 200
/** Changes of the same thing within this time are one step: one undo takes back a whole move of a slider. */
const MERGE_MS = 900
let lastGroup = ''
let lastChange = 0

/** Whether there is something to undo, and to redo. */
export const canUndo = computed(() => past.value.length > 0)
/** See {@link canUndo}. */
export const canRedo = computed(() => future.value.length > 0)

/** Changes the state; `group` names what changes, so that a whole drag becomes one step of undo. */
export function change(part: Partial<LabState>, group = ''): void {
  const now = performance.now()
  const merges = group !== '' && group === lastGroup && now - lastChange < MERGE_MS
  if (!merges) past.value = [...past.value.slice(1 - MOST_STEPS), state.value]
  lastGroup = group
  lastChange = now
  future.value = []
  state.value = { ...state.value, ...part }
}

/** Changes what undo leaves alone: where one looks, and which tool is in the hand. */
export function glance(
  part: Partial<Pick<LabState, 'mode' | 'tool' | 'view' | 'hidden' | 'votes' | 'pair'>>,
): void {
  state.value = { ...state.value, ...part }
}

/** The settings of the model that the open part is about: the file has its own. */
export const settings = computed(() => (mode.value === 'data' ? state.value.fileModel : state.value.settings))

/** Changes {@link settings}. */
export function configure(part: Partial<Settings>, group = ''): void {
  const next = { ...settings.value, ...part }
  change(mode.value === 'data' ? { fileModel: next } : { settings: next }, group)
}

/** Everything as at the start, except for the part that is open. Can be undone. */
export function reset(): void {
  change({ ...initialState, mode: mode.value })
}

/** Takes the last change back. */
export function undo(): void {
  travel(past, future)
}

/** Makes the change again that was taken back last. */
export function redo(): void {
  travel(future, past)
}

/** Replaces the state, as a link does; what was before is forgotten. */
export function restore(next: LabState): void {
  past.value = []
  future.value = []
  state.value = next
}

function travel(from: typeof past, to: typeof past): void {
  const next = from.value.at(-1)
  if (!next) return
  from.value = from.value.slice(0, -1)
  to.value = [...to.value, state.value]
  lastGroup = ''
  const { mode: here, tool, hidden, votes, pair } = state.value
  state.value = { ...next, mode: here, tool, hidden, votes, pair }
}
