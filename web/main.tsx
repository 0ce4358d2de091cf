/** The page starts here. */
import { render } from 'preact'
import { App } from './app.tsx'
import { lab } from './console.ts'
import { followDrops } from './data/drops.ts'
import { followLinkedFile } from './data/file-state.ts'
import { followCurves } from './heldout/error-curves.ts'
import { followKeys } from './keys.ts'
import { followKernel } from './plane/inspected.ts'
import { followState } from './plane/live.ts'
import { applyAppearance, watchSystemTheme } from './plane/theme.ts'
import { followLink, openLink } from './state/address.ts'
import { applyType, followFullScreen } from './state/display.ts'
import { followStory } from './stories/follow-story.ts'
import { followGrid } from './tune/tune-state.ts'
import { followRuns } from './watch/player.ts'
import './style/tokens.css'
import './style/layout.css'
import './style/controls.css'
import './style/figures.css'
import './style/data.css'
import './style/classroom.css'

applyAppearance()
applyType()
watchSystemTheme()
await openLink(location.hash)
followLink()
render(<App />, document.getElementById('app') as HTMLElement)
followState()
followKernel()
followRuns()
followGrid()
followLinkedFile()
followDrops()
followKeys()
followStory()
followCurves()
followFullScreen()
Object.assign(globalThis, { lab })
if ('serviceWorker' in navigator && import.meta.env.PROD) {
  // Without it the page works, but not offline: embedded pages may have none.
  addEventListener('load', () => void navigator.serviceWorker.register('./offline.js').catch(() => undefined))
}
