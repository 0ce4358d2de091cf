/** The plane while a run plays: the model of the frame, and the samples of its step. */
import { solverWords } from '../controls/solver-names.ts'
import { planeSize } from '../plane/live.ts'
import { PlaneCanvas } from '../plane/plane-canvas.tsx'
import { planeData } from '../plane/plane-data.ts'
import type { Overlay, Scene } from '../plane/scene.ts'
import { points, state } from '../state/store.ts'
import { positionNumber } from '../worker/messages.ts'
import { valueAt } from './frame-field.ts'
import { frame, recordingProblem, recordingShare, said, type Take, take } from './player.ts'

/** See the head of the file. */
export function WatchPlane() {
  return (
    <div class="plane still">
      <PlaneCanvas
        follow={() => {
          void [take.value, frame.value, points.value]
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

/**
 * Rings say what the multiplier is, which is known at every step: free, or at its bound. Where that puts a sample is known
 * only at the end. Coefficients of a solver that moves the whole line are no multipliers: all get the same ring.
 */
function sceneOf(now: Take, at: number): Scene {
  const { field, points: list, settings } = now
  const model = field.at(at)
  const coefficients = field.coefficients(at).slice()
  const [, positive] = model.classes
  const [free, inside, wrong] = (['on-margin', 'inside', 'misclassified'] as const).map(positionNumber)
  const isDual = solverWords[settings.solver].moves !== 'line'
  const positions = Uint8Array.from(list, (point, i) => {
    if (!isDual || Math.abs(coefficients[i]) < settings.C) return free
    return valueAt(model, point) > 0 === (point.c === positive) ? inside : wrong
  })
  return {
    points: planeData(list),
    field: model,
    picture: { coefficients, positions, slackLines: new Float32Array(0) },
    over: halosOf(now),
  }
}

/** Halos around the samples of the step, and a mark on each sample of its working set. */
function halosOf({ points: list, recording }: Take): Overlay[] {
  const step = said.value
  if (!step) return []
  const set = Array.from(recording.sets?.[step.iteration - 1] ?? [], (i) => list[i])
  const members: Overlay[] = set.map(({ x, y }) => ({ kind: 'member', x, y }))
  const marked: readonly (readonly [number, string])[] =
    'i' in step
      ? [
          [step.i, 'i'],
          [step.j, 'j'],
        ]
      : [[step.sample, '']]
  return [
    ...members,
    ...marked.flatMap(([index, name]) => {
      const point = list[index]
      return point ? [{ kind: 'halo', x: point.x, y: point.y, name } as const] : []
    }),
  ]
}
