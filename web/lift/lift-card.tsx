/** The plane in space: f as a surface, or the points lifted onto a bowl. Drag to turn, or use the arrow keys. */
import { computed, effect, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Choice } from '../controls/fields.tsx'
import { shown } from '../plane/live.ts'
import { planeData } from '../plane/plane-data.ts'
import { theme } from '../plane/theme.ts'
import { Explain } from '../words/explain.tsx'
import { Cancelled, jobWorker } from '../worker/client.ts'
import type { LiftedPlane } from '../worker/messages.ts'
import { liftSpace, valueSpace } from './make-space.ts'
import { type Camera, paintSpace } from './space.ts'

type Kind = 'value' | 'lift'

const kind = signal<Kind>('value')
const camera = signal<Camera>({ azimuth: 0.6, elevation: 0.5 })
const lifted = signal<LiftedPlane | undefined>(undefined)

const space = computed(() => {
  const now = shown.value
  if (!now || (now.picture.kind !== 'binary' && now.picture.kind !== 'one-class')) return undefined
  return kind.value === 'lift' ? liftSpace(now, lifted.value, theme.value) : valueSpace(now, theme.value)
})

/** Pixels to a radian, radians to a key, and how steeply one may look. */
const TURN_PIXELS = 160
const TURN_KEY = 0.1
const STEEPEST = 1.45

function turn(azimuth: number, elevation: number): void {
  const now = camera.value
  camera.value = {
    azimuth: now.azimuth + azimuth,
    elevation: Math.min(STEEPEST, Math.max(0.05, now.elevation + elevation)),
  }
}

const keys: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-TURN_KEY, 0],
  ArrowRight: [TURN_KEY, 0],
  ArrowUp: [0, TURN_KEY],
  ArrowDown: [0, -TURN_KEY],
}

/** See the header of the file. */
export function LiftCard() {
  useEffect(followLift, [])
  const isBinary = shown.value?.picture.kind === 'binary'
  return (
    <section class="card" aria-labelledby="space-title">
      <div class="spread">
        <h2 id="space-title">In space</h2>
        <Choice<Kind>
          label="What is shown"
          value={kind.value}
          options={[
            ['value', 'f as a height'],
            ['lift', 'lift to (x, y, x² + y²)'],
          ]}
          onChange={(next) => {
            kind.value = next
          }}
        />
      </div>
      <SpaceCanvas />
      <p class="quiet">
        {kind.value === 'value'
          ? 'The height is the decision value f. Solid: f = 0. Dashed: f = ±1. Drag, or use the arrow keys, to turn it.'
          : liftWords(isBinary)}
      </p>
      <Explain topic="space" />
    </section>
  )
}

function liftWords(isBinary: boolean): string {
  if (!isBinary) return 'Every point is lifted to the height x² + y².'
  const right = lifted.value
    ? ` ${(100 * lifted.value.score).toFixed(1)}% of the points are on their own side of it.`
    : ''
  return `Every point is lifted to the height x² + y²; a linear machine separates them there with a plane.${right} Where the plane cuts the bowl, the boundary below is a circle or a line.`
}

function SpaceCanvas() {
  const canvas = useRef<HTMLCanvasElement>(null)
  const last = useRef<{ readonly x: number; readonly y: number }>(undefined)
  useEffect(() => {
    const element = canvas.current as HTMLCanvasElement
    const context = element.getContext('2d', { alpha: false }) as CanvasRenderingContext2D
    let isDue = false
    const paint = () => {
      isDue = false
      const { clientWidth: width, clientHeight: height } = element
      if (!space.value || width === 0) return
      element.width = Math.round(width * devicePixelRatio)
      element.height = Math.round(height * devicePixelRatio)
      paintSpace(context, space.value, camera.value, { width, height }, devicePixelRatio, theme.value)
    }
    const request = () => {
      if (isDue) return
      isDue = true
      requestAnimationFrame(paint)
    }
    const observer = new ResizeObserver(request)
    observer.observe(element)
    const stop = effect(() => {
      void [space.value, camera.value, theme.value]
      request()
    })
    return () => {
      stop()
      observer.disconnect()
    }
  }, [])
  return (
    <div
      class="space"
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is turned with the keyboard.
      tabIndex={0}
      aria-label="Surface in space. Arrow keys turn it."
      onPointerDown={(event) => {
        last.current = { x: event.clientX, y: event.clientY }
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event) => {
        const from = last.current
        if (!from) return
        last.current = { x: event.clientX, y: event.clientY }
        turn(-(event.clientX - from.x) / TURN_PIXELS, (event.clientY - from.y) / TURN_PIXELS)
      }}
      onPointerUp={() => {
        last.current = undefined
      }}
      onPointerCancel={() => {
        last.current = undefined
      }}
      onKeyDown={(event) => {
        const step = keys[event.key]
        if (!step) return
        event.preventDefault()
        turn(...step)
      }}
    >
      <canvas ref={canvas} />
    </div>
  )
}

/** Finds the plane in the lifted space whenever points or C change while the lift is on show. */
function followLift(): () => void {
  let controller: AbortController | undefined
  let made: unknown
  return effect(() => {
    const now = shown.value
    if (kind.value !== 'lift' || now?.picture.kind !== 'binary' || made === now.points) return
    controller?.abort()
    controller = new AbortController()
    const { points, settings } = now
    made = points
    void jobWorker
      .call('lift', { data: planeData(points), C: settings.C }, { signal: controller.signal })
      .then((found) => {
        lifted.value = found
      })
      .catch((error: Error) => {
        if (!(error instanceof Cancelled)) lifted.value = undefined
      })
  })
}
