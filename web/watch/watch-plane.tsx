/** The plane while a run plays: the model of the frame, and the samples of its step. */
import { solverWords } from '../controls/solver-names.ts'
import { planeSize } from '../plane/live.ts'
import { PlaneCanvas } from '../plane/plane-canvas.tsx'
import { planeData } from '../plane/plane-data.ts'
import type { Field, Overlay, Scene } from '../plane/scene.ts'
import { points, state } from '../state/store.ts'
import { positionNumber } from '../worker/messages.ts'
import { valueAt } from './frame-field.ts'
import {
  frame,
  othersAt,
  recordingProblem,
  recordingShare,
  said,
  showsOthers,
  shrunkAt,
  type Take,
  take,
} from './player.ts'
import { hasClasses } from './samples.ts'

/** See the header of the file. */
export function WatchPlane() {
  return (
    <div class="plane still">
      <PlaneCanvas
        follow={() => {
          void [take.value, frame.value, points.value, showsOthers.value]
          return state.value.view
        }}
        scene={() => (take.value ? sceneOf(take.value, frame.value) : { points: planeData(points.value) })}
        onSize={(size) => {
          planeSize.value = size
        }}
      />
      {recordingProblem.value && (
        <p class="plane-note" role="status">
          {recordingProblem.value}
        </p>
      )}
      {recordingShare.value !== undefined && <p class="plane-busy">recording…</p>}
    </div>
  )
}

function sceneOf(now: Take, at: number): Scene {
  const model = now.field.at(at)
  return {
    points: now.painted,
    pale: paleAt(now, at),
    plain: !hasClasses(now.settings),
    field: model,
    picture: { ...ringsOf(now, at, model), slackLines: new Float32Array(0) },
    others: showsOthers.value ? othersAt(now, at) : undefined,
    over: marksOf(now),
  }
}

const [free, inside, wrong] = (['on-margin', 'inside', 'misclassified'] as const).map(positionNumber)

/**
 * Rings say what the multiplier is, which is known at every step: free, or at its bound. Where that puts a sample is known
 * only at the end. Coefficients of a solver that moves the whole line are no multipliers: all get the same ring.
 */
function ringsOf(
  { field, points: all, samples, places, signs, settings, recording }: Take,
  at: number,
  model: Field,
) {
  const { bound, kind } = recording
  const own = field.coefficients(at)
  const coefficients = new Float64Array(all.length)
  const positions = new Uint8Array(all.length).fill(free)
  const isDual = settings.problem !== 'svc' || solverWords[settings.solver].moves !== 'line'
  samples.forEach((point, k) => {
    coefficients[places[k]] = own[k]
    if (!isDual || Math.abs(own[k]) < bound) return
    const isPlus = kind !== 'binary' || point.c === signs[1]
    const isRight = kind === 'regression' || valueAt(model, point) > 0 === isPlus
    positions[places[k]] = isRight ? inside : wrong
  })
  return { coefficients, positions }
}

const paleFlags = new WeakMap<Uint32Array, Uint8Array>()

/** Which points are shrunk away; the same flags for the same set, so that points are painted again only when it changes. */
function paleAt(now: Take, at: number): Uint8Array | undefined {
  const shrunk = shrunkAt(now, at)
  if (shrunk.length === 0) return undefined
  const flags = paleFlags.get(shrunk) ?? new Uint8Array(now.points.length)
  for (const k of shrunk) flags[now.places[k]] = 1
  paleFlags.set(shrunk, flags)
  return flags
}

/** Halos around the samples of the step, and a mark on each sample of its working set. */
function marksOf({ samples: list, recording }: Take): Overlay[] {
  const step = said.value
  if (!step) return []
  const marked: readonly (readonly [number, string])[] =
    'i' in step
      ? [
          [step.i, 'i'],
          [step.j, 'j'],
        ]
      : [[step.sample, '']]
  return [
    ...Array.from(recording.sets?.[step.iteration - 1] ?? [], (i) => {
      const { x, y } = list[i]
      return { kind: 'member', x, y } as const
    }),
    ...marked.flatMap(([index, name]) => {
      const point = list[index]
      return point ? [{ kind: 'halo', x: point.x, y: point.y, name } as const] : []
    }),
  ]
}
