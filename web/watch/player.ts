/** The recording on show, and where it stands: play, pause, step, scrub. */
import { batch, computed, effect, signal } from '@preact/signals'
import { planeSize } from '../plane/live.ts'
import { planeData } from '../plane/plane-data.ts'
import { Frame } from '../plane/view.ts'
import { takeLinkedFrame, watched } from '../state/address.ts'
import type { Point, Settings } from '../state/lab-state.ts'
import { tooMany } from '../state/limits.ts'
import { points, pointsAreDue, state } from '../state/store.ts'
import { Cancelled, jobWorker } from '../worker/client.ts'
import { moveFields, type PlaneData, type Recording, stepFields } from '../worker/messages.ts'
import { FrameField } from './frame-field.ts'
import { type RunSamples, samplesOf } from './samples.ts'
import { whyNoRun } from './why-no-run.ts'

/** A recording and what it was made of. */
export interface Take extends RunSamples {
  readonly recording: Recording
  readonly field: FrameField
  /** All points on the plane. */
  readonly points: readonly Point[]
  /** The same as they are painted: those that take no part are hollow. */
  readonly painted: PlaneData
  readonly settings: Settings
}

/** The recording, once there is one. */
export const take = signal<Take | undefined>(undefined)
/** The frame on show; 0 is before the first step. */
export const frame = watched
/** Whether it plays. */
export const playing = signal(false)
/** Frames a second. */
export const speed = signal(20)
/** Share of the recording that is made, or undefined. */
export const recordingShare = signal<number | undefined>(undefined)
/** Why there is no recording. */
export const recordingProblem = signal<string | undefined>(undefined)

/**
 * The frame that numbers and charts tell of. While a run plays they follow the picture some times per second, which is as
 * fast as one can read, and leaves the time of the other frames to the picture.
 */
export const toldFrame = signal(0)
const TELL_MS = 80

/** What the solver said of the step that led to the frame on show, by name; undefined at the start. */
export const said = computed(() => stepAt(frame.value))
/** The same for {@link toldFrame}. */
export const told = computed(() => stepAt(toldFrame.value))

function stepAt(at: number): Readonly<Record<string, number>> | undefined {
  const { recording } = take.value ?? {}
  if (!recording || at === 0) return undefined
  const names: readonly string[] = recording.pairs ? stepFields : moveFields
  const numbers = (recording.pairs ?? recording.moves) as Float64Array
  return Object.fromEntries(names.map((name, k) => [name, numbers[at * names.length + k]]))
}

/** Whether the other runs are drawn, where there are any. */
export const showsOthers = signal(true)

/** The samples that are shrunk away at a frame. */
export function shrunkAt({ recording: { shrunk = [] } }: Take, at: number): Uint32Array {
  return shrunk.findLast(({ from }) => from <= at)?.samples ?? none
}
const none = new Uint32Array(0)

/** The lines of the other runs after as many steps as at a frame; undefined where there are none, or no longer. */
export function othersAt({ recording: { others, stepAt } }: Take, at: number): Float32Array | undefined {
  if (!others || stepAt[at] > (others.stepAt.at(-1) ?? 0)) return undefined
  return others.lines[others.stepAt.findLastIndex((step) => step <= stepAt[at])]
}

/** Pixels between nodes of the field. */
const CELL = 8

let controller: AbortController | undefined

/** Records a new run whenever points or settings change while `watch` is open. */
export function followRuns(): void {
  effect(() => {
    const { mode, settings, view, pair } = state.value
    const now = [points.value, settings, view, pair, planeSize.value]
    // Points that are being made: a run waits for them.
    if (mode === 'watch' && pointsAreDue.value) abandon()
    else if (mode === 'watch' && now.length > 0) void makeTake()
    else playing.value = false
  })
  let last = 0
  effect(() => {
    const at = frame.value
    const now = performance.now()
    if (playing.value && now - last < TELL_MS) return
    last = now
    toldFrame.value = at
  })
}

function abandon(): void {
  controller?.abort()
  recordingProblem.value = undefined
  take.value = undefined
}

async function makeTake(): Promise<void> {
  controller?.abort()
  controller = new AbortController()
  const { signal: abort } = controller
  const { settings, view, pair } = state.value
  const list = points.value
  const chosen = samplesOf(list, settings, pair)
  const { samples, signs } = chosen
  if (planeSize.value.width === 0) return
  playing.value = false
  try {
    const problem = tooMany('watch', samples.length) ?? whyNoRun(list, settings)
    if (problem) throw new Error(problem)
    recordingShare.value = 0
    const grid = new Frame(view, planeSize.value).grid(CELL)
    const recording = await jobWorker.call(
      'record',
      { data: planeData(samples), settings, grid },
      {
        signal: abort,
        onNews: (share) => {
          recordingShare.value = share
        },
      },
    )
    const { kind } = recording
    const classes = kind === 'binary' ? signs : [0, 1]
    const look = { kind, classes, ...(kind === 'regression' && { tube: settings.epsilon }) }
    // The same run, for a plane of another size: it continues where it stood.
    const last = take.value
    const isSame = last?.points === list && last.settings === settings && String(last.signs) === String(signs)
    const wanted = takeLinkedFrame() ?? (isSame ? frame.value : 0)
    batch(() => {
      recordingShare.value = undefined
      recordingProblem.value = undefined
      take.value = {
        ...chosen,
        recording,
        field: new FrameField(recording, look),
        points: list,
        painted: paintedData(list, chosen),
        settings,
      }
      frame.value = Math.min(wanted, recording.frames - 1)
      toldFrame.value = frame.value
    })
  } catch (error) {
    if (error instanceof Cancelled) return
    batch(() => {
      recordingShare.value = undefined
      recordingProblem.value = (error as Error).message
      take.value = undefined
    })
  }
}

function paintedData(list: readonly Point[], { samples, places }: RunSamples): PlaneData {
  const data = planeData(list)
  if (samples === list) return data
  const heldOut = new Uint8Array(list.length).fill(1)
  for (const i of places) heldOut[i] = 0
  return { ...data, heldOut }
}

/** Goes to a frame, within the recording. */
export function seek(to: number): void {
  const last = (take.value?.recording.frames ?? 1) - 1
  frame.value = Math.min(last, Math.max(0, Math.round(to)))
  if (frame.value === last) playing.value = false
}

/** Takes one step forwards or backwards. */
export function stepBy(count: number): void {
  playing.value = false
  seek(frame.value + count)
}

/** Plays, from the start if it is at its end; or pauses. */
export function togglePlay(): void {
  const { recording } = take.value ?? {}
  if (!recording) return
  if (playing.value) {
    playing.value = false
    return
  }
  if (frame.value >= recording.frames - 1) frame.value = 0
  playing.value = true
  let last = performance.now()
  let due = 0
  const tick = (now: number) => {
    if (!playing.value) return
    due += ((now - last) / 1000) * speed.value
    last = now
    if (due >= 1) {
      const whole = Math.floor(due)
      due -= whole
      seek(frame.value + whole)
    }
    requestAnimationFrame(tick)
  }
  requestAnimationFrame(tick)
}
