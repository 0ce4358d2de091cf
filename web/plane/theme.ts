/** The colours that canvases draw with, read from the style sheet, so that light and dark have one source. */
import { signal } from '@preact/signals'
import { remember, remembered } from '../state/storage.ts'
import { CLASS_COLOURS, type Theme } from './colours.ts'

/** What the user requested; 'auto' follows the system. */
export type Appearance = 'auto' | 'light' | 'dark'

/** See {@link Appearance}. */
export const appearance = signal<Appearance>(wanted())

function wanted(): Appearance {
  const kept = remembered('appearance')
  return kept === 'light' || kept === 'dark' ? kept : 'auto'
}

/** The colours in use. */
export const theme = signal<Theme>(readTheme())

/** Changes the appearance and remembers it. */
export function setAppearance(next: Appearance): void {
  appearance.value = next
  remember('appearance', next)
  applyAppearance()
}

/** Puts the appearance into force and reads its colours. */
export function applyAppearance(): void {
  const { value } = appearance
  if (value === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = value
  theme.value = readTheme()
}

/** Follows the system while the appearance is 'auto'. */
export function watchSystemTheme(): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyAppearance)
}

/** Whether the user requested less motion. */
export function reducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

function readTheme(): Theme {
  const style = getComputedStyle(document.documentElement)
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim()
  return {
    paper: read('paper'),
    ink: read('ink'),
    muted: read('muted'),
    line: read('line'),
    warn: read('warn'),
    classes: Array.from({ length: CLASS_COLOURS }, (_, k) => read(`class-${k}`)),
    curves: [0, 1, 2, 3].map((k) => read(`curve-${k}`)),
  }
}
