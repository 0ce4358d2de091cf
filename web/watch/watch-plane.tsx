/** The plane while a run plays: the model of the frame, and the samples of its step. */
import { useRef } from 'preact/hooks'
import type { SamplePosition } from '../../src/index.ts'
import { planeSize } from '../plane/live.ts'
import { PlanePainter, type Scene } from '../plane/paint-plane.ts'
import { pointRadius } from '../plane/paint-points.ts'
import { PlaneCanvas } from '../plane/plane-canvas.tsx'
import type { SheetContext } from '../plane/sheets.ts'
import { theme } from '../plane/theme.ts'
import type { Frame } from '../plane/view.ts'
import type { Point } from '../state/lab-state.ts'
import { points, state } from '../state/store.ts'
import { valueAt } from './frame-field.ts'
import { frame, recordingProblem, recordingShare, said, type Take, take } from './player.ts'

/** See the head of the file. */
export function WatchPlane() {
  const painter = useRef(new PlanePainter())
  return (
    <div class="plane still">
      <PlaneCanvas
        follow={() => {
          void [take.value, frame.value, points.value, theme.value]
          return state.value.view
        }}
        paint={(sheets, where) => {
          const now = take.value
          const scene = now ? sceneOf(now, frame.value) : { points: points.value }
          painter.current.paint(sheets, where, scene, theme.value, {
            ...(now && { over: (context) => paintStep(context, where, now) }),
          })
        }}
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

/** Rings say what the multiplier is: free, or at its bound. */
function sceneOf({ field, points: list, settings }: Take, at: number): Scene {
  const now = field.at(at)
  const coefficients = field.coefficients(at)
  const [, positive] = now.classes
  const positions = list.map((point, i): SamplePosition => {
    if (Math.abs(coefficients[i]) < settings.C) return 'on-margin'
    return valueAt(now, point) > 0 === (point.c === positive) ? 'inside' : 'misclassified'
  })
  return { points: list, field: now, picture: { coefficients, positions, slackLines: [] } }
}

/** Halos around the samples of the step. */
function paintStep(context: SheetContext, where: Frame, { points: list }: Take): void {
  const step = said.value
  if (!step) return
  const marked: readonly (readonly [number, string])[] =
    'i' in step
      ? [
          [step.i, 'i'],
          [step.j, 'j'],
        ]
      : [[step.sample, '']]
  const { ink, paper } = theme.value
  const radius = pointRadius(list.length, where) + 8
  context.font = '600 13px system-ui, sans-serif'
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  for (const [index, name] of marked) {
    const point: Point | undefined = list[index]
    if (!point) continue
    const [x, y] = [where.screenX(point.x), where.screenY(point.y)]
    context.beginPath()
    context.arc(x, y, radius, 0, 2 * Math.PI)
    context.lineWidth = 5
    context.strokeStyle = paper
    context.stroke()
    context.lineWidth = 2.5
    context.strokeStyle = ink
    context.stroke()
    if (name === '') continue
    const [tx, ty] = [x, y - radius - 11]
    context.fillStyle = ink
    context.beginPath()
    context.arc(tx, ty, 9, 0, 2 * Math.PI)
    context.fill()
    context.fillStyle = paper
    context.fillText(name, tx, ty + 0.5)
  }
}
