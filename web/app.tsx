/** The shell: header with tabs and actions, and the part of the Lab that is open. */

import { Fragment } from 'preact'
import { Icon } from './controls/icon.tsx'
import { InTurn, mounting } from './controls/in-turn.tsx'
import { ShareButton } from './controls/share.tsx'
import { hovering } from './data/drops.ts'
import { DataMode } from './modes/data-mode.tsx'
import { PlaneMode } from './modes/plane-mode.tsx'
import { RaceMode } from './modes/race-mode.tsx'
import { TuneMode } from './modes/tune-mode.tsx'
import { WatchMode } from './modes/watch-mode.tsx'
import { type Appearance, appearance, setAppearance } from './plane/theme.ts'
import { linkProblem } from './state/address.ts'
import { type Mode, modes } from './state/lab-state.ts'
import { canRedo, canUndo, glance, mode, redo, undo } from './state/store.ts'
import { Announcer } from './words/announcer.tsx'

const titles: Readonly<Record<Mode, string>> = {
  plane: 'Plane',
  watch: 'Watch',
  race: 'Race',
  tune: 'Tune',
  data: 'Your data',
}

const views: Readonly<Record<Mode, () => preact.JSX.Element>> = {
  plane: PlaneMode,
  watch: WatchMode,
  race: RaceMode,
  tune: TuneMode,
  data: DataMode,
}

/** See the head of the file. */
export function App() {
  const View = views[mode.value]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: undo works wherever the focus is.
    <div class="lab" onKeyDown={undoKeys}>
      <InTurn>
        <Fragment>
          <a class="skip" href="#stage">
            Skip to the plane
          </a>
          <header class="top">
            <h1>
              <img src="./icon.svg" alt="" width="28" height="28" />
              <span>
                Hyperplane <b>Lab</b>
              </span>
            </h1>
            <Tabs />
            <div class="actions">
              <button
                type="button"
                class="icon"
                aria-label="Undo"
                title="Undo"
                disabled={!canUndo.value}
                onClick={undo}
              >
                <Icon name="undo" />
              </button>
              <button
                type="button"
                class="icon"
                aria-label="Redo"
                title="Redo"
                disabled={!canRedo.value}
                onClick={redo}
              >
                <Icon name="redo" />
              </button>
              <ShareButton />
              <AppearanceButton />
            </div>
          </header>
        </Fragment>
        <Fragment>
          {linkProblem.value && (
            <p class="banner" role="alert">
              {linkProblem.value}
            </p>
          )}
          <Stage>
            <View />
          </Stage>
        </Fragment>
      </InTurn>
      {hovering.value && <p class="bubble drop-hint">Drop the file to open it in “Your data”.</p>}
      <Announcer />
    </div>
  )
}

function Stage({ children }: { readonly children: preact.ComponentChildren }) {
  return (
    <main id="stage" aria-label={titles[mode.value]} aria-busy={mounting.value}>
      {children}
    </main>
  )
}

function Tabs() {
  return (
    <nav class="tabs" aria-label="Parts of the Lab">
      {modes.map((name) => (
        <button
          key={name}
          type="button"
          aria-current={name === mode.value ? 'page' : undefined}
          onClick={() => glance({ mode: name })}
        >
          {titles[name]}
        </button>
      ))}
    </nav>
  )
}

const nextAppearance: Readonly<Record<Appearance, Appearance>> = {
  auto: 'dark',
  dark: 'light',
  light: 'auto',
}

function AppearanceButton() {
  const { value } = appearance
  const label = `Appearance: ${value === 'auto' ? 'same as the system' : value}`
  return (
    <button
      type="button"
      class="icon"
      aria-label={label}
      title={label}
      onClick={() => setAppearance(nextAppearance[value])}
    >
      <Icon name={value === 'auto' ? 'auto' : value === 'dark' ? 'moon' : 'sun'} />
    </button>
  )
}

function undoKeys(event: KeyboardEvent): void {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return
  if (event.target instanceof HTMLTextAreaElement) return
  event.preventDefault()
  if (event.shiftKey) redo()
  else undo()
}
