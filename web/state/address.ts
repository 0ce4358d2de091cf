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

/** Keeps the address in step with the state from now on, and the state with an address that is pasted. */
export function followLink(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let first = true
  effect(() => {
    const now = state.value
    if (first) {
      first = false
      return
    }
    clearTimeout(timer)
    timer = setTimeout(async () => {
      last = `#${await toLink({ state: now })}`
      history.replaceState(null, '', last)
    }, QUIET_MS)
  })
  addEventListener('hashchange', () => {
    if (location.hash !== last) void openLink(location.hash)
  })
}
