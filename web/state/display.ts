/** How the page is shown, beside what it shows: embedded in another page, in large type. */
import { signal } from '@preact/signals'
import { remember, remembered } from './storage.ts'

/** Whether the page is part of another: only what is on show, without header and downloads. */
export const isEmbedded = new URLSearchParams(location.search).has('embed')

/** Whether type is large enough for the last row of a lecture hall. */
export const isLarge = signal(remembered('type') === 'large')

/** Puts the size of type into force. */
export function applyType(): void {
  document.documentElement.dataset.type = isLarge.value ? 'large' : 'normal'
}

/** Makes type large, or normal again, and remembers it. */
export function toggleType(): void {
  isLarge.value = !isLarge.value
  remember('type', isLarge.value ? 'large' : 'normal')
  applyType()
}

/** Whether the page fills the screen. */
export const isFullScreen = signal(false)

/** Follows the browser: the user may leave the full screen with its own key. */
export function followFullScreen(): void {
  document.addEventListener('fullscreenchange', () => {
    isFullScreen.value = document.fullscreenElement !== null
  })
}

/** Fills the screen, or leaves it. Where the page may not, as in some embeddings, nothing happens. */
export function toggleFullScreen(): void {
  const act = document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen()
  void act.catch(() => undefined)
}
