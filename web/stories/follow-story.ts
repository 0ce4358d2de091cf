/** Loads the story when it is opened, shows the states of its stops, and watches their tasks. */
import { effect, untracked } from '@preact/signals'
import { story } from '../state/address.ts'
import { initialState } from '../state/lab-state.ts'
import { change } from '../state/store.ts'
import type { Stop } from './stop.ts'
import { Card, done, stop, stops, storyProblem } from './story.ts'

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
  const { race, tune, votes, pair } = initialState
  change({ tool: 1, hidden: [], race, tune, votes, pair, ...found.state })
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
