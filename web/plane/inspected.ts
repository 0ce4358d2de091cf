/** The point that is looked at: under the pointer, under the keyboard's cursor, or the last one that was touched. */
import { computed, effect, signal } from '@preact/signals'
import type { KernelSpec } from '../../src/index.ts'
import { points, state } from '../state/store.ts'
import { Cancelled, liveWorker } from '../worker/client.ts'
import { planeSize, shown } from './live.ts'
import { planeData } from './plane-data.ts'
import type { Field } from './scene.ts'
import { Frame } from './view.ts'

/** The keyboard's cursor, and the point it carries. */
export const cursor = signal<
  { readonly x: number; readonly y: number; readonly carries: number } | undefined
>(undefined)
/** The point under the pointer, −1 for none. */
export const hovered = signal(-1)
/** The point that was touched last, −1 for none. */
export const pinned = signal(-1)
/** Whether the plane shows the kernel of the inspected point with every place, instead of the decision values. */
export const showsKernel = signal(false)

/** Pixels within which the keyboard's cursor is on a point. */
const CURSOR_REACH = 12

/** The number of the inspected point; −1 for none. */
export const inspected = computed(() => {
  const here = cursor.value
  const found =
    hovered.value >= 0 ? hovered.value : here ? nearest(here.x, here.y, CURSOR_REACH) : pinned.value
  return found < points.value.length ? found : -1
})

/** The point nearest to a place, if it is within so many pixels of it; −1 if there is none. */
export function nearest(x: number, y: number, pixels: number): number {
  const frame = new Frame(state.value.view, planeSize.value)
  const [sx, sy] = [frame.screenX(x), frame.screenY(y)]
  let best = -1
  let least = pixels * pixels
  points.value.forEach((point, i) => {
    const squared = (frame.screenX(point.x) - sx) ** 2 + (frame.screenY(point.y) - sy) ** 2
    if (squared <= least) {
      least = squared
      best = i
    }
  })
  return best
}

/** k(x, ·) of the inspected point on the grid of the picture. */
export const kernelField = signal<Field | undefined>(undefined)

/** Follows the inspected point while its kernel is shown. */
export function followKernel(): void {
  effect(() => {
    const index = inspected.value
    const now = shown.value
    if (!showsKernel.value || index < 0 || !now || now.picture.kind === 'regression') {
      kernelField.value = undefined
      return
    }
    const { grid } = now.picture
    const kernel: KernelSpec = now.settings.kernel
    liveWorker
      .call('kernel', { data: planeData(now.points), index, kernel, grid })
      .then((values) => {
        if (inspected.peek() === index && showsKernel.peek()) {
          kernelField.value = { kind: 'kernel', classes: [0, 1], fields: [values], grid }
        }
      })
      .catch((error: Error) => {
        if (!(error instanceof Cancelled)) kernelField.value = undefined
      })
  })
}
