/** Says things to screen readers. */
import { signal } from '@preact/signals'

const spoken = signal('')

/** Says a sentence. */
export function say(text: string): void {
  spoken.value = text
}

/** The live region that {@link say} speaks through. */
export function Announcer() {
  return (
    <div class="unseen" role="status" aria-live="polite">
      {spoken.value}
    </div>
  )
}
