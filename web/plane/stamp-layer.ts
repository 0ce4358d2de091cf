/**
 * Many small marks as one image. Each kind of mark is drawn once, as a stamp, and the stamps are set pixel by pixel:
 * thousands of outlines or images would block the page. The image is kept until what it depends on changes.
 */
import type { Frame } from './view.ts'

/** Sets a stamp with its middle at a place on the screen. */
export type SetStamp = (stamp: ImageData, x: number, y: number) => void

/** See the head of the file. */
export class StampLayer {
  private readonly canvas = new OffscreenCanvas(1, 1)
  private made: readonly unknown[] = []

  /** Draws the marks that `set` sets; it is asked only when something of `parts`, or the frame, has changed. */
  paint(
    context: CanvasRenderingContext2D,
    frame: Frame,
    parts: readonly unknown[],
    make: (set: SetStamp, ratio: number) => void,
  ): void {
    const { canvas } = this
    const ratio = context.getTransform().a
    const { width, height } = frame.size
    const wanted = [...parts, frame.key, ratio]
    if (wanted.some((part, k) => part !== this.made[k])) {
      this.made = wanted
      canvas.width = Math.max(1, Math.round(width * ratio))
      canvas.height = Math.max(1, Math.round(height * ratio))
      const image = new ImageData(canvas.width, canvas.height)
      make((stamp, x, y) => {
        const half = stamp.width / 2
        setStamp(image, stamp, Math.round(x * ratio - half), Math.round(y * ratio - half))
      }, ratio)
      canvas.getContext('2d')?.putImageData(image, 0, 0)
    }
    context.drawImage(canvas, 0, 0, width, height)
  }
}

/** A stamp of so many pixels, drawn around its middle. */
export function makeStamp(
  size: number,
  draw: (context: OffscreenCanvasRenderingContext2D, middle: number) => void,
): ImageData {
  const context = new OffscreenCanvas(size, size).getContext('2d') as OffscreenCanvasRenderingContext2D
  draw(context, size / 2)
  return context.getImageData(0, 0, size, size)
}

/** Puts a stamp over an image, its upper left corner at (left, top). */
function setStamp(image: ImageData, stamp: ImageData, left: number, top: number): void {
  const { data: to, width, height } = image
  const { data: from, width: size } = stamp
  for (let row = Math.max(0, -top); row < size && top + row < height; row++) {
    for (let column = Math.max(0, -left); column < size && left + column < width; column++) {
      const s = 4 * (row * size + column)
      const alpha = from[s + 3] / 255
      if (alpha === 0) continue
      const t = 4 * ((top + row) * width + left + column)
      const below = (to[t + 3] / 255) * (1 - alpha)
      const sum = alpha + below
      for (let k = 0; k < 3; k++) to[t + k] = (from[s + k] * alpha + to[t + k] * below) / sum
      to[t + 3] = 255 * sum
    }
  }
}
