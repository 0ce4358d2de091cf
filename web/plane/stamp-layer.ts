/**
 * Many small marks. Each kind of mark is drawn once, as a stamp. A few stamps are drawn as images; thousands of them would
 * block the page, so they are set pixel by pixel into one image, which is kept until what it depends on changes.
 */
import type { Frame } from './view.ts'

/** One kind of mark, as an image and as its pixels. */
export interface Stamp {
  readonly image: ImageBitmap
  readonly pixels: ImageData
}

/** Sets a stamp with its middle at a place on the screen. */
export type SetStamp = (stamp: Stamp, x: number, y: number) => void

/** Up to so many stamps are drawn one by one. */
const FEW = 300

/** See the head of the file. */
export class StampLayer {
  private readonly canvas = new OffscreenCanvas(1, 1)
  private made: readonly unknown[] = []
  private marks: [stamp: Stamp, x: number, y: number][] = []

  /** Draws the marks that `make` sets; it is asked only when something of `parts`, or the frame, has changed. */
  paint(
    context: CanvasRenderingContext2D,
    frame: Frame,
    parts: readonly unknown[],
    make: (set: SetStamp, ratio: number) => void,
  ): void {
    const ratio = context.getTransform().a
    const { width, height } = frame.size
    const wanted = [...parts, frame.key, ratio]
    if (wanted.some((part, k) => part !== this.made[k])) {
      this.made = wanted
      this.marks = []
      make((stamp, x, y) => this.marks.push([stamp, x, y]), ratio)
      if (this.marks.length > FEW) this.compose(width * ratio, height * ratio, ratio)
    }
    if (this.marks.length > FEW) {
      context.drawImage(this.canvas, 0, 0, width, height)
      return
    }
    for (const [{ image }, x, y] of this.marks) {
      const size = image.width / ratio
      context.drawImage(image, x - size / 2, y - size / 2, size, size)
    }
  }

  private compose(width: number, height: number, ratio: number): void {
    const { canvas } = this
    canvas.width = Math.max(1, Math.round(width))
    canvas.height = Math.max(1, Math.round(height))
    const image = new ImageData(canvas.width, canvas.height)
    for (const [{ pixels }, x, y] of this.marks) {
      const half = pixels.width / 2
      setStamp(image, pixels, Math.round(x * ratio - half), Math.round(y * ratio - half))
    }
    canvas.getContext('2d')?.putImageData(image, 0, 0)
  }
}

const known = new Map<string, Stamp>()

/** A stamp of so many pixels, drawn around its middle. Equal names mean equal stamps: each is made once. */
export function stampOf(
  name: string,
  size: number,
  draw: (context: OffscreenCanvasRenderingContext2D, middle: number) => void,
): Stamp {
  const found = known.get(name)
  if (found) return found
  const canvas = new OffscreenCanvas(size, size)
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
  draw(context, size / 2)
  const pixels = context.getImageData(0, 0, size, size)
  const stamp = { image: canvas.transferToImageBitmap(), pixels }
  known.set(name, stamp)
  return stamp
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
