/** The plane: points are added, dragged and erased with a pointer or the keyboard, and the model follows immediately. */
import { batch, computed } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { ClassIndex } from '../state/lab-state.ts'
import { glance, points, state } from '../state/store.ts'
import { say } from '../words/announcer.tsx'
import { addPoint, erasePoint, movePoint, recolour } from './edits.ts'
import { heldOutShare } from './held-out.ts'
import { cursor, hovered, inspected, kernelField, nearest, pinned } from './inspected.ts'
import { busy, planeSize, problem, shown } from './live.ts'
import { PlaneCanvas } from './plane-canvas.tsx'
import { planeData } from './plane-data.ts'
import { isExample37 } from './presets.ts'
import type { Overlay, Scene } from './scene.ts'
import { shownField } from './shown-field.ts'
import { Frame } from './view.ts'
import { fitView, pan, ZOOM_STEP, zoom } from './zoom.ts'

const KEYS_HELP =
  'Arrow keys move the cursor, Shift for larger steps. Enter adds a point. 1 to 4 choose a class. ' +
  'M picks up the nearest point, arrows move it, M puts it down. N goes to the next point. ' +
  'C changes the class of the nearest point. Delete erases it. Plus and minus zoom, 0 fits the view. Control Z undoes.'

/** A finger takes a point within so many pixels, and is a tap while it moves less than so many. */
const TOUCH_REACH = 18
const TAP_PIXELS = 10

/** A swipe that begins on a point moves the point, not the page. */
function keepSwipesOnPoints(element: HTMLElement | null): void {
  element?.addEventListener(
    'touchstart',
    (event) => {
      const { left, top } = element.getBoundingClientRect()
      const { clientX, clientY } = event.touches[0]
      const frame = new Frame(state.value.view, planeSize.value)
      const [x, y] = [frame.planeX(clientX - left), frame.planeY(clientY - top)]
      const isTaken = state.value.tool === 'pan' || nearest(x, y, TOUCH_REACH) >= 0
      if (event.touches.length === 1 && isTaken) event.preventDefault()
    },
    { passive: false },
  )
}

/** See the header of the file. */
export function Plane() {
  const dragged = useRef(-1)
  /** The place of the plane that is held while the view moves. */
  const held = useRef<{ readonly x: number; readonly y: number }>(undefined)
  /** Where a finger came down on empty ground. */
  const tapped = useRef<PointerEvent>(undefined)
  const follow = () => {
    void [shown.value, points.value, overlays.value, kernelField.value, heldOutShare.value]
    return state.value.view
  }
  return (
    <div
      class="plane"
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the plane is worked with the keyboard.
      tabIndex={0}
      aria-label="Plane with points"
      aria-describedby="plane-keys"
      ref={keepSwipesOnPoints}
      onPointerDown={(event) => {
        event.currentTarget.focus({ preventScroll: true })
        cursor.value = undefined
        if (state.value.tool === 'pan' || event.button === 1) {
          event.preventDefault()
          held.current = spot(event)
          event.currentTarget.setPointerCapture(event.pointerId)
          return
        }
        // A finger may be about to scroll: what it does on empty ground counts when it leaves.
        if (event.pointerType === 'touch' && nearest(...placeOf(event), TOUCH_REACH) < 0) {
          tapped.current = event
          return
        }
        dragged.current = press(event)
        if (dragged.current >= 0) event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event) => {
        const { x, y } = spot(event)
        const grip = held.current
        if (grip) pan(grip.x - x, grip.y - y)
        else if (dragged.current >= 0) movePoint(dragged.current, x, y)
        else if (event.pointerType === 'mouse') {
          hovered.value = nearest(x, y, 12)
          if (hovered.value >= 0) pinned.value = hovered.value
        }
      }}
      onPointerUp={(event) => {
        const down = tapped.current
        if (down && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < TAP_PIXELS)
          press(event)
        tapped.current = undefined
        held.current = undefined
        dragged.current = -1
      }}
      onPointerCancel={() => {
        tapped.current = undefined
        held.current = undefined
        dragged.current = -1
      }}
      onPointerLeave={() => {
        hovered.value = -1
      }}
      onWheel={(event) => {
        // Pinching comes as a wheel with Control; a plain wheel scrolls the page, unless the view is in the hand.
        if (!event.ctrlKey && state.value.tool !== 'pan') return
        event.preventDefault()
        zoom(Math.exp(0.002 * event.deltaY), spot(event))
      }}
      onContextMenu={(event) => {
        event.preventDefault()
        const { x, y } = spot(event)
        const found = nearest(x, y, 16)
        if (found >= 0) erasePoint(found)
      }}
      onKeyDown={(event) => {
        if (handleKey(event)) event.preventDefault()
      }}
      onBlur={() => {
        cursor.value = undefined
      }}
    >
      <PlaneCanvas
        follow={follow}
        scene={sceneOf}
        onSize={(size) => {
          planeSize.value = size
        }}
      />
      <p id="plane-keys" class="unseen">
        {KEYS_HELP}
      </p>
      {problem.value && (
        <p class="plane-note" role="status">
          {problem.value}
        </p>
      )}
      {busy.value && <p class="plane-busy">training…</p>}
    </div>
  )
}

/** The model is drawn with the points it belongs to; while a point is dragged, the points run ahead of it. */
function sceneOf(): Scene {
  const { problem: type } = state.value.settings
  const now = shown.value
  const fresh = now && now.points.length === points.value.length
  return {
    points: planeData(points.value, heldOutShare.value),
    field: kernelField.value ?? (now && shownField(now.picture, state.value.votes)),
    picture: fresh ? now.picture : undefined,
    plain: type === 'svr' || type === 'one-class',
    over: overlays.value,
    hidden: state.value.hidden,
  }
}

/** The point under the pointer, and the keyboard's cursor. */
const overlays = computed<readonly Overlay[]>(() => {
  const point = points.value[inspected.value]
  const here = cursor.value
  const isLine = isExample37(points.value)
  return [
    ...(isLine ? [{ kind: 'parabola', x: 0, y: 0 } as const] : []),
    ...(point ? [{ kind: 'hover', x: point.x, y: point.y } as const] : []),
    ...(here ? [{ kind: 'cursor', x: here.x, y: here.y, carries: here.carries >= 0 } as const] : []),
  ]
})

function placeOf(event: MouseEvent & { currentTarget: EventTarget }): [x: number, y: number] {
  const { x, y } = spot(event)
  return [x, y]
}

function spot(event: MouseEvent & { currentTarget: EventTarget }): { x: number; y: number } {
  const { left, top } = (event.currentTarget as HTMLElement).getBoundingClientRect()
  const frame = new Frame(state.value.view, planeSize.value)
  return { x: frame.planeX(event.clientX - left), y: frame.planeY(event.clientY - top) }
}

/** What a press does; returns the point that is dragged from now on, −1 for none. */
function press(event: PointerEvent & { currentTarget: EventTarget }): number {
  if (event.button !== 0) return -1
  const { x, y } = spot(event)
  const found = nearest(x, y, event.pointerType === 'touch' ? TOUCH_REACH : 10)
  const { tool } = state.value
  if (tool === 'pan') return -1
  if (tool === 'erase') {
    if (found >= 0) erasePoint(found)
    return -1
  }
  pinned.value = found >= 0 ? found : addPoint({ x, y, c: tool })
  return pinned.value
}

function handleKey(event: KeyboardEvent): boolean {
  const { view, tool } = state.value
  const here = cursor.value ?? { x: view.x, y: view.y, carries: -1 }
  const step = (event.shiftKey ? 0.2 : 0.04) * view.half
  const moves: Record<string, readonly [number, number]> = {
    ArrowLeft: [-step * view.stretch, 0],
    ArrowRight: [step * view.stretch, 0],
    ArrowUp: [0, step],
    ArrowDown: [0, -step],
  }
  if (event.key in moves && !event.ctrlKey && !event.metaKey) {
    const [dx, dy] = moves[event.key]
    moveCursor(here.x + dx, here.y + dy, here.carries)
    return true
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  const close = nearest(here.x, here.y, 28)
  switch (event.key.toLowerCase()) {
    case 'enter':
    case ' ':
      cursor.value = { ...here, carries: -1 }
      if (here.carries >= 0) say('Point put down.')
      else if (tool === 'erase') erase(close)
      else if (tool !== 'pan') {
        addPoint({ x: here.x, y: here.y, c: tool })
        say(`Point of class ${tool + 1} added. ${points.value.length} points.`)
      }
      return true
    case 'm':
      if (here.carries >= 0 || close < 0) {
        say(here.carries >= 0 ? 'Point put down.' : 'No point near the cursor.')
        cursor.value = { ...here, carries: -1 }
      } else {
        cursor.value = { ...here, carries: close }
        say('Point picked up: arrow keys move it.')
      }
      return true
    case 'n': {
      const next = points.value[(close + 1) % points.value.length]
      if (next) moveCursor(next.x, next.y, -1)
      return true
    }
    case 'c':
      if (close >= 0) recolour(close, ((points.value[close].c + 1) % 4) as ClassIndex)
      return true
    case 'delete':
    case 'backspace':
      erase(close)
      return true
    case '+':
    case '=':
      zoom(1 / ZOOM_STEP)
      return true
    case '-':
      zoom(ZOOM_STEP)
      return true
    case '0':
      fitView()
      return true
    case '1':
    case '2':
    case '3':
    case '4':
      glance({ tool: (Number(event.key) - 1) as ClassIndex })
      say(`Class ${event.key}`)
      return true
    default:
      return false
  }
}

function erase(index: number): void {
  if (index >= 0) erasePoint(index)
  say(index >= 0 ? `Point erased. ${points.value.length} points.` : 'No point near the cursor.')
}

function moveCursor(x: number, y: number, carries: number): void {
  batch(() => {
    cursor.value = { x, y, carries }
    if (carries >= 0) movePoint(carries, x, y)
    if (inspected.value >= 0) pinned.value = inspected.value
  })
  say(`${x.toFixed(2)}, ${y.toFixed(2)}`)
}
