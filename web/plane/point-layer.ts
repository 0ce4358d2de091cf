/**
 * All points as one image. Each class is drawn once, as a stamp, and the stamps are set pixel by pixel: thousands of outlines
 * or images would block the page. The image is kept until points, view, size or colours change.
 */
import type { ClassIndex, Point } from '../state/lab-state.ts'
import { pointRadius, shapePath } from './paint-points.ts'
import type { Theme } from './theme.ts'
import type { Frame } from './view.ts'

/** See the head of the file. */
export class PointLayer {
  private readonly canvas = new OffscreenCanvas(1, 1)
  private made: readonly unknown[] = []

  /** Draws the points; where classes count for nothing, all are the same. */
  paint(
    context: CanvasRenderingContext2D,
    points: readonly Point[],
    frame: Frame,
    theme: Theme,
    plain: boolean,
  ): void {
    const ratio = context.getTransform().a
    const { width, height } = frame.size
    const wanted = [points, frame.key, theme, plain, ratio]
    if (wanted.some((part, k) => part !== this.made[k])) {
      this.make(points, frame, theme, plain, ratio)
      this.made = wanted
    }
    context.drawImage(this.canvas, 0, 0, width, height)
  }

  private make(points: readonly Point[], frame: Frame, theme: Theme, plain: boolean, ratio: number): void {
    const { canvas } = this
    canvas.width = Math.max(1, Math.round(frame.size.width * ratio))
    canvas.height = Math.max(1, Math.round(frame.size.height * ratio))
    const image = new ImageData(canvas.width, canvas.height)
    const r = pointRadius(points.length, frame) * ratio
    const stamps = ([0, 1, 2, 3] as const).map((c) =>
      plain ? stampOf(1, r, theme.ink, theme.paper) : stampOf(c, r, theme.classes[c], theme.paper),
    )
    for (const { x, y, c } of points) {
      const half = stamps[c].width / 2
      setStamp(
        image,
        stamps[c],
        Math.round(frame.screenX(x) * ratio - half),
        Math.round(frame.screenY(y) * ratio - half),
      )
    }
    canvas.getContext('2d')?.putImageData(image, 0, 0)
  }
}

/** One point of a class. */
function stampOf(shape: ClassIndex, r: number, fill: string, rim: string): ImageData {
  const size = Math.ceil(2.5 * r + 4)
  const context = new OffscreenCanvas(size, size).getContext('2d') as OffscreenCanvasRenderingContext2D
  const path = new Path2D()
  shapePath(path, shape, size / 2, size / 2, r)
  context.fillStyle = fill
  context.strokeStyle = rim
  context.lineWidth = r > 4 ? 0.24 * r : 0.6
  context.fill(path)
  context.stroke(path)
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
