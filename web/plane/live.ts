/** Keeps the picture in step with the state: trains in the worker whenever points, settings or view change. */
import { effect, signal } from '@preact/signals'
import type { Point, Settings } from '../state/lab-state.ts'
import { points, pointsAreDue, state } from '../state/store.ts'
import { Cancelled, liveWorker } from '../worker/client.ts'
import type { Picture } from '../worker/messages.ts'
import { heldOutShare } from './held-out.ts'
import { isHeldOut } from './is-held-out.ts'
import { planeData } from './plane-data.ts'
import { Frame, type Size } from './view.ts'

/** The picture on show, and what it was made of. */
export interface Shown {
  readonly picture: Picture
  readonly points: readonly Point[]
  readonly settings: Settings
  /** Share of the points that it has not seen. */
  readonly heldOut: number
}

/** What the plane shows; undefined before the first training. */
export const shown = signal<Shown | undefined>(undefined)

/** Why there is no picture, in words. */
export const problem = signal<string | undefined>(undefined)

/** Whether a training is under way that takes longer than a blink. */
export const busy = signal(false)

/** Size of the plane on the screen. */
export const planeSize = signal<Size>({ width: 0, height: 0 })

/** Pixels between nodes of the field: while things move, and once they rest. */
const COARSE = 9
const FINE = 3.5
/** A training that takes longer than this is dropped for a newer one. */
const PATIENCE_MS = 40
const REST_MS = 140

let running: { readonly patientUntil: number; readonly controller: AbortController } | undefined
let waiting = false
let rest: ReturnType<typeof setTimeout> | undefined

/** Starts to follow the state. */
export function followState(): void {
  effect(() => {
    const { mode, settings, view } = state.value
    const all = [points.value, settings, view, planeSize.value, mode, heldOutShare.value]
    if (pointsAreDue.value || all.length === 0) return
    if (mode === 'plane' || mode === 'tune') request(COARSE)
  })
}

function request(pixels: number): void {
  clearTimeout(rest)
  if (planeSize.value.width === 0) return
  if (!running) {
    void perform(pixels)
    return
  }
  waiting = true
  if (performance.now() > running.patientUntil) running.controller.abort()
}

/** What the points lack before anything can be learned, in words. */
function whatIsMissing(list: readonly Point[], { problem: type }: Settings): string | undefined {
  if (list.length === 0) return 'click to add points to the plane'
  const needsClasses = type === 'svc' || type === 'nu-svc'
  const classes = new Set(list.map(({ c }) => c)).size
  return needsClasses && classes < 2 ? 'two classes are needed: add points of another class' : undefined
}

async function perform(pixels: number): Promise<void> {
  const controller = new AbortController()
  // A picture that only becomes finer gives way immediately.
  running = { patientUntil: pixels === FINE ? 0 : performance.now() + PATIENCE_MS, controller }
  const slow = setTimeout(() => {
    busy.value = true
  }, 150)
  const list = points.value
  const { settings, view } = state.value
  const grid = new Frame(view, planeSize.value).grid(pixels)
  const now = shown.value
  const heldOut = heldOutShare.value
  const isSame = now?.points === list && now.settings === settings && now.heldOut === heldOut
  const again = isSame ? now.picture.model : undefined
  try {
    const seen = heldOut === 0 ? list : list.filter((_, i) => !isHeldOut(i, heldOut))
    const missing = whatIsMissing(seen, settings)
    if (missing) throw new Error(missing)
    const picture = await liveWorker.call(
      'train',
      { data: planeData(list, heldOut), settings, grid, again },
      { signal: controller.signal },
    )
    shown.value = { picture, points: list, settings, heldOut }
    problem.value = undefined
  } catch (error) {
    if (!(error instanceof Cancelled)) {
      problem.value = (error as Error).message
      shown.value = undefined
    }
  }
  clearTimeout(slow)
  busy.value = false
  running = undefined
  if (waiting) {
    waiting = false
    request(COARSE)
  } else if (pixels === COARSE) {
    rest = setTimeout(() => request(FINE), REST_MS)
  }
}
