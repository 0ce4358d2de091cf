/** The address bar always holds the state: reload, bookmark, share. */
import { effect, signal } from '@preact/signals'
import type { Mode } from './lab-state.ts'
import { fromLink, type Shared, toLink } from './link.ts'
import { glance, restore, state } from './store.ts'

/** What went wrong with the link that was opened, if anything. */
export const linkProblem = signal<string | undefined>(undefined)

/** A file that came with the link, until it has been opened. */
export const linkedFile = signal<Shared['file']>(undefined)

/** The name of the stop of the story that is open, if one is; see ../stories/story.ts. */
export const story = signal<string | undefined>(undefined)

/** The frame that Watch shows. */
export const watched = signal(0)
let linkedFrame: number | undefined

/** The frame that came with a link, once: its run has been recorded. */
export function takeLinkedFrame(): number | undefined {
  const found = linkedFrame
  linkedFrame = undefined
  return found
}

/** Changes come in quick succession while a slider moves: the address follows when it rests. */
const QUIET_MS = 400
let last = ''
let timer: ReturnType<typeof setTimeout> | undefined
/** Counts what was meant for the address: a link that is still being made when the next is started comes too late. */
let turn = 0

/**
 * Takes back what waits for the address or is being made for it; returns the number of the turn that begins. A link
 * made for the part before would otherwise be written over the entry of the part that the Back button went to, and the
 * next change would then push an entry and lose the way forward.
 */
function nextTurn(): number {
  clearTimeout(timer)
  return ++turn
}

/** Takes the state from an address, if it holds one. */
export async function openLink(hash: string): Promise<void> {
  const stop = /^#story=([\w-]*)$/.exec(hash)?.[1]
  if (stop !== undefined) {
    story.value = stop
    return
  }
  try {
    const found = await fromLink(hash)
    if (!found) return
    story.value = undefined
    linkedFile.value = found.file
    linkedFrame = found.frame
    watched.value = found.frame ?? 0
    restore(found.state)
    last = hash
    linkProblem.value = undefined
  } catch (error) {
    linkProblem.value = (error as Error).message
  }
}

/** What a link to what is seen now holds, a file left aside. */
export function shared(): Shared {
  const frame = state.value.mode === 'watch' ? watched.value : 0
  return { state: state.value, ...(frame > 0 && { frame }) }
}

/** Puts a link into the address, in place of one that waits to be put there; false, and nothing done, if it is too long. */
export async function showInAddress(
  shared: Shared,
  mostCharacters = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const own = nextTurn()
  const link = `#${await toLink(shared)}`
  if (link.length > mostCharacters) return false
  if (own === turn) {
    last = link
    history.replaceState({ mode: shared.state.mode }, '', link)
  }
  return true
}

/** What an entry of the history says of itself. */
interface Place {
  readonly mode: Mode
  readonly stop?: string
}

/** Keeps the address in step with the state from now on, and the state with an address that is pasted. */
export function followLink(): void {
  let first = true
  effect(() => {
    const now = state.value
    void watched.value
    const stop = story.value
    const place = { mode: now.mode, ...(stop !== undefined && { stop }) }
    if (first) {
      first = false
      history.replaceState(place, '')
      return
    }
    // Each part that is visited is a place to come back to. What was changed there since is not taken back.
    const before = history.state as Place | undefined
    if (before?.stop !== stop || (stop === undefined && before?.mode !== now.mode)) {
      history.pushState(place, '', stop === undefined ? location.hash : `#story=${stop}`)
    }
    nextTurn()
    // A stop has its own address, whatever is tried out there.
    if (stop !== undefined) return
    timer = setTimeout(() => showInAddress(shared()), QUIET_MS)
  })
  addEventListener('popstate', (event) => {
    const { mode, stop } = (event.state ?? {}) as Partial<Place>
    if (mode) {
      story.value = stop
      if (stop === undefined) glance({ mode })
    } else if (location.hash !== last) void openLink(location.hash)
  })
}
