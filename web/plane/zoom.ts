/** Looking nearer, farther, or elsewhere. */
import type { View } from '../state/lab-state.ts'
import { glance, points, state } from '../state/store.ts'
import { viewOf } from './presets.ts'

/** One step of the buttons and keys. */
export const ZOOM_STEP = 1.25
/** Half the height of the plane at the nearest and the farthest. */
const NEAREST = 1e-3
const FARTHEST = 1e4

/** Shows so many times as much, with one place of the plane staying where it is. */
export function zoom(factor: number, { x, y }: Pick<View, 'x' | 'y'> = state.value.view): void {
  const { view } = state.value
  const half = Math.min(FARTHEST, Math.max(NEAREST, view.half * factor))
  const actual = half / view.half
  glance({
    view: { ...view, half, x: x + (view.x - x) * actual, y: y + (view.y - y) * actual },
  })
}

/** Moves the view by this many units of the plane. */
export function pan(dx: number, dy: number): void {
  const { view } = state.value
  glance({ view: { ...view, x: view.x + dx, y: view.y + dy } })
}

/** Shows all points. */
export function fitView(): void {
  glance({ view: viewOf(points.value, state.value.settings.problem === 'svr') })
}
