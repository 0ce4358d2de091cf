/** A link that restores the whole state, put on the clipboard. */
import { signal } from '@preact/signals'
import { shared, showInAddress } from '../state/address.ts'
import { sharedFile } from '../state/shared-file.ts'
import { state } from '../state/store.ts'
import { say } from '../words/announcer.tsx'
import { Icon } from './icon.tsx'

const note = signal('')
/** Longer addresses are cut off by some browsers and programs. */
const MOST_CHARACTERS = 1_500_000

/** See the header of the file. */
export function ShareButton() {
  return (
    <div class="share">
      <button
        type="button"
        class="icon"
        aria-label="Copy a link to this state"
        title="Copy a link"
        onClick={share}
      >
        <Icon name="share" />
      </button>
      {note.value && <p class="bubble">{note.value}</p>}
    </div>
  )
}

async function share(): Promise<void> {
  const file = state.value.mode === 'data' ? sharedFile.value : undefined
  const fits =
    file !== 'unfit' && (await showInAddress({ ...shared(), ...(file && { file }) }, MOST_CHARACTERS))
  if (!fits) await showInAddress(shared())
  const done = await copy(location.href)
  tell(
    !fits
      ? 'The file does not fit into a link: the link contains only the settings.'
      : done
        ? 'Link copied. It restores everything you see.'
        : 'The link is in the address bar.',
  )
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

function tell(text: string): void {
  note.value = text
  say(text)
  setTimeout(() => {
    note.value = ''
  }, 4000)
}
