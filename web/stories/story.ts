/** Where the story is. Its text and its card are loaded when it is opened. */
import { effect, signal, untracked } from '@preact/signals'
import type { ComponentType } from 'preact'
import { story } from '../state/address.ts'
import { initialState } from '../state/lab-state.ts'
import { change } from '../state/store.ts'
import type { Stop } from './stop.ts'

/** The stops, once they have been loaded. */
export const stops = signal<readonly Stop[]>([])
/** The card, once it has been loaded. */
export const Card = signal<ComponentType | undefined>(undefined)
/** The stop on show. */
export const stop = signal<Stop | undefined>(undefined)
/** Names of the stops whose task was done. */
export const done = signal<ReadonlySet<string>>(new Set())
/** Why the story cannot be shown. */
export const storyProblem = signal<string | undefined>(undefined)

/** Opens a stop by its name, the first if it has none. */
export function openStory(name = ''): void {
  story.value = name === '' ? (stops.value[0]?.name ?? 'two-points') : name
}

/** Closes the story; what is on show stays. */
export function closeStory(): void {
  story.value = undefined
}

/** Goes so many stops forward. */
export function move(count: number): void {
  const at = stops.value.findIndex(({ name }) => name === story.value) + count
  const next = stops.value[at]
  if (next) story.value = next.name
}

/** Follows the name of the stop: loads the story, shows its state, and watches its task. */
export function followStory(): void {
  let stopWatching: (() => void) | undefined
  effect(() => {
    const name = story.value
    stopWatching?.()
    stopWatching = undefined
    if (name === undefined) {
      stop.value = undefined
      return
    }
    void load().then(() => {
      if (story.peek() !== name) return
      const found = stops.value.find((one) => one.name === name) ?? stops.value[0]
      untracked(() => show(found))
      const isDone = found.watch()
      stopWatching = effect(() => {
        if (isDone() && !done.peek().has(found.name)) done.value = new Set([...done.peek(), found.name])
      })
    })
  })
}

function show(found: Stop): void {
  if (stop.value === found) return
  stop.value = found
  const { race, tune } = initialState
  change({ tool: 1, hidden: [], race, tune, ...found.state })
}

async function load(): Promise<void> {
  if (Card.value) return
  try {
    const [{ stops: all }, { StoryCard }] = await Promise.all([
      import('./stops.ts'),
      import('./story-card.tsx'),
    ])
    stops.value = all
    Card.value = StoryCard
    storyProblem.value = undefined
  } catch {
    storyProblem.value = 'The story could not be loaded. Is there a connection?'
  }
}
