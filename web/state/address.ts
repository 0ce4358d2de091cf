/** The address bar always holds the state: reload, bookmark, share. */
import { effect, signal } from '@preact/signals'
import { fromLink, type Shared, toLink } from './link.ts'
import { restore, state } from './store.ts'

/** What went wrong with the link that was opened, if anything. */
export const linkProblem = signal<string | undefined>(undefined)

/** A file that came with the link, until it has been opened. */
export const linkedFile = signal<Shared['file']>(undefined)

/** Changes come in quick succession while a slider moves: the address follows when it rests. */
const QUIET_MS = 400
let last = ''
let timer: ReturnType<typeof setTimeout> | undefined
/** Counts what was meant for the address: a link that is still being made when the next is begun comes too late. */
let turn = 0

/** Takes the state from an address, if it holds one. */
export async function openLink(hash: string): Promise<void> {
  try {
    const found = await fromLink(hash)
    if (!found) return
    linkedFile.value = found.file
    restore(found.state)
    last = hash
    linkProblem.value = undefined
  } catch (error) {
    linkProblem.value = (error as Error).message
  }
}

/** Puts a link into the address, in place of one that waits to be put there; false, and nothing done, if it is too long. */
export async function showInAddress(
  shared: Shared,
  mostCharacters = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  clearTimeout(timer)
  const own = ++turn
  const link = `#${await toLink(shared)}`
  if (link.length > mostCharacters) return false
  if (own === turn) {
    last = link
    history.replaceState(null, '', link)
  }
  return true
}

/** Keeps the address in step with the state from now on, and the state with an address that is pasted. */
export function followLink(): void {
  let first = true
  effect(() => {
    const now = state.value
    if (first) {
      first = false
      return
    }
    clearTimeout(timer)
    timer = setTimeout(() => showInAddress({ state: now }), QUIET_MS)
  })
  addEventListener('hashchange', () => {
    if (location.hash !== last) void openLink(location.hash)
  })
}
