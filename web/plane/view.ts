/** From the plane to the screen and back. */
import type { View } from '../state/lab-state.ts'
import type { Grid } from '../worker/messages.ts'

/** Size of a drawing, in CSS pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** Where things of the plane are on the screen. */
export class Frame {
  readonly size: Size
  /** The same for frames that place things alike. */
  readonly key: string
  private readonly view: View
  private readonly scaleX: number
  private readonly scaleY: number

  constructor(view: View, size: Size) {
    this.size = size
    this.view = view
    this.key = [view.x, view.y, view.half, view.stretch, size.width, size.height].join()
    this.scaleY = size.height / (2 * view.half)
    this.scaleX = this.scaleY / view.stretch
  }

  screenX(x: number): number {
    return this.size.width / 2 + (x - this.view.x) * this.scaleX
  }

  screenY(y: number): number {
    return this.size.height / 2 - (y - this.view.y) * this.scaleY
  }

  planeX(screen: number): number {
    return this.view.x + (screen - this.size.width / 2) / this.scaleX
  }

  planeY(screen: number): number {
    return this.view.y - (screen - this.size.height / 2) / this.scaleY
  }

  /** A grid over all that is seen, a node about every so many pixels. */
  grid(pixels: number): Grid {
    const { width, height } = this.size
    return {
      columns: Math.max(8, Math.round(width / pixels) + 1),
      rows: Math.max(8, Math.round(height / pixels) + 1),
      x: [this.planeX(0), this.planeX(width)],
      y: [this.planeY(height), this.planeY(0)],
    }
  }
}

/** About `count` round numbers between two ends, for the ticks of an axis. */
export function ticks(from: number, to: number, count: number): number[] {
  const raw = (to - from) / count
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= raw) ?? 10)
  const first = Math.ceil(from / step)
  const last = Math.floor(to / step + 1e-9)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, k) =>
    Number(((first + k) * step).toPrecision(12)),
  )
}
