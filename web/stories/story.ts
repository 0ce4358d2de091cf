/** Where the story is; ./follow-story.ts loads its text and its card when it is opened. */
import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { story } from '../state/address.ts'
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
