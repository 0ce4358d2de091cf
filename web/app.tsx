/** The shell: header with tabs and actions, and the part of the Lab that is open. */

import { Fragment } from 'preact'
import { Icon, IconButton } from './controls/icon.tsx'
import { InTurn, mounting } from './controls/in-turn.tsx'
import { KeyHelp, showsKeys } from './controls/key-help.tsx'
import { ShareButton } from './controls/share.tsx'
import { hovering } from './data/drops.ts'
import { DataMode } from './modes/data-mode.tsx'
import { PlaneMode } from './modes/plane-mode.tsx'
import { RaceMode } from './modes/race-mode.tsx'
import { TuneMode } from './modes/tune-mode.tsx'
import { WatchMode } from './modes/watch-mode.tsx'
import { type Appearance, appearance, setAppearance } from './plane/theme.ts'
import { linkProblem, story } from './state/address.ts'
import { isEmbedded, isFullScreen, isLarge, toggleFullScreen, toggleType } from './state/display.ts'
import { type Mode, modes } from './state/lab-state.ts'
import { canRedo, canUndo, glance, mode, redo, reset, undo } from './state/store.ts'
import { Card, closeStory, openStory, storyProblem } from './stories/story.ts'
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

/** See the header of the file. */
export function App() {
  const View = views[mode.value]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: undo works wherever the focus is.
    <div class={isEmbedded ? 'lab embedded' : 'lab'} onKeyDown={undoKeys}>
      <InTurn>
        <Fragment>
          <a class="skip" href="#stage">
            Skip to the plane
          </a>
          {isEmbedded ? <EmbeddedTop /> : <Top />}
        </Fragment>
        <Fragment>
          {linkProblem.value && (
            <p class="banner" role="alert">
              {linkProblem.value}
            </p>
          )}
          <Stage>
            <StoryPlace />
            <View />
          </Stage>
        </Fragment>
      </InTurn>
      {hovering.value && <p class="bubble drop-hint">Drop the file to open it in “Your data”.</p>}
      <KeyHelp />
      <Announcer />
    </div>
  )
}

function Top() {
  return (
    <header class="top">
      <h1>
        <img src="./icon.svg" alt="" width="28" height="28" />
        <span>
          Hyperplane <b>Lab</b>
        </span>
      </h1>
      <Tabs />
      <a class="theory" href="./docs/theory/README.html" target="_blank" rel="noopener">
        Theory
      </a>
      <div class="actions">
        <IconButton label="Undo" icon="undo" disabled={!canUndo.value} act={undo} />
        <IconButton label="Redo" icon="redo" disabled={!canRedo.value} act={redo} />
        <IconButton label="Reset" icon="reset" act={reset} />
        <ShareButton />
        <IconButton label="Large type" icon="type" pressed={isLarge.value} act={toggleType} />
        <IconButton label="Full screen" icon="screen" pressed={isFullScreen.value} act={toggleFullScreen} />
        <IconButton
          label="Keys"
          icon="keys"
          act={() => {
            showsKeys.value = true
          }}
        />
        <AppearanceButton />
      </div>
    </header>
  )
}

/** In another page: what this is, and where all of it is. */
function EmbeddedTop() {
  return (
    <header class="top">
      <h1>
        <img src="./icon.svg" alt="" width="22" height="22" />
        <span>{titles[mode.value]}</span>
      </h1>
      <a
        class="button"
        href="./"
        target="_blank"
        rel="noopener"
        onClick={(event) => {
          // The state is in the address a moment after it has changed: it is requested when it is needed.
          event.currentTarget.href = `./${location.hash}`
        }}
      >
        Open in the Lab
      </a>
    </header>
  )
}

function StoryPlace() {
  const Loaded = Card.value
  return storyProblem.value ? <p class="banner">{storyProblem.value}</p> : Loaded ? <Loaded /> : null
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
      <button
        type="button"
        aria-pressed={story.value !== undefined}
        onClick={() => (story.value === undefined ? openStory() : closeStory())}
      >
        Story
      </button>
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
