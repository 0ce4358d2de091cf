/** Keys that work wherever the focus is, unless it is where they mean something else. */
import { showsKeys } from './controls/key-help.tsx'
import { mode } from './state/store.ts'
import { move, stop } from './stories/story.ts'
import { seek, stepBy, take, togglePlay } from './watch/player.ts'

/** Starts to listen. */
export function followKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    // A slider would take these two keys as well: in the story they turn the page.
    const turn = stop.value && storyKeys[event.key]
    if (!turn && isTaken(event)) return
    const act =
      turn ?? (event.key === '?' ? toggleKeys : mode.value === 'watch' ? watchKeys[event.key] : undefined)
    if (!act) return
    event.preventDefault()
    act()
  })
}

function toggleKeys(): void {
  showsKeys.value = !showsKeys.value
}

/** As the remote controls of speakers send them. */
const storyKeys: Readonly<Record<string, () => void>> = {
  PageDown: () => move(1),
  PageUp: () => move(-1),
}

const watchKeys: Readonly<Record<string, () => void>> = {
  ' ': togglePlay,
  ArrowLeft: () => stepBy(-1),
  ArrowRight: () => stepBy(1),
  Home: () => seek(0),
  End: () => seek((take.value?.recording.frames ?? 1) - 1),
}

/** Whether what has the focus takes the key itself. */
function isTaken({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.matches('input:not([type=range], [type=checkbox]), textarea')) return true
  if (target.closest('input, select, [role=application], .heat-map')) return key !== '?'
  return key === ' ' && target.closest('button, a, summary') !== null
}
