/**
 * Many small marks. Each kind of mark is drawn once, as a stamp, of which the pixels that are not clear are kept; thousands
 * of stamps are then set, pixel by pixel, into one image in a millisecond or two, where drawing them would block the page.
 */

/** One kind of mark: as an image, and the pixels of it that are not clear. */
export interface Stamp {
  readonly size: number
  readonly image: ImageBitmap
  readonly columns: Int16Array
  readonly rows: Int16Array
  /** Red, green, blue and opacity of each pixel. */
  readonly colours: Uint8Array
}

/** Sets a stamp with its middle at a place, in pixels of the image. */
export type SetStamp = (stamp: Stamp, x: number, y: number) => void

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
  const { data } = context.getImageData(0, 0, size, size)
  const seen = Array.from({ length: size * size }, (_, k) => k).filter((k) => data[4 * k + 3] > 0)
  const stamp = {
    size,
    image: canvas.transferToImageBitmap(),
    columns: Int16Array.from(seen, (k) => k % size),
    rows: Int16Array.from(seen, (k) => Math.floor(k / size)),
    colours: Uint8Array.from(seen.flatMap((k) => [...data.subarray(4 * k, 4 * k + 4)])),
  }
  known.set(name, stamp)
  return stamp
}

/** Puts a stamp over an image, as near to its place as whole pixels allow. */
export function setStamp({ data, width, height }: ImageData, stamp: Stamp, x: number, y: number): void {
  const { size, columns, rows, colours } = stamp
  const left = Math.round(x - size / 2)
  const top = Math.round(y - size / 2)
  for (let k = 0; k < columns.length; k++) {
    const column = left + columns[k]
    const row = top + rows[k]
    if (column < 0 || row < 0 || column >= width || row >= height) continue
    const to = 4 * (row * width + column)
    const opacity = colours[4 * k + 3]
    if (opacity === 255 || data[to + 3] === 0) {
      data[to] = colours[4 * k]
      data[to + 1] = colours[4 * k + 1]
      data[to + 2] = colours[4 * k + 2]
      data[to + 3] = opacity
      continue
    }
    const below = (data[to + 3] / 255) * (255 - opacity)
    const sum = opacity + below
    const share = opacity / sum
    data[to] += (colours[4 * k] - data[to]) * share
    data[to + 1] += (colours[4 * k + 1] - data[to + 1]) * share
    data[to + 2] += (colours[4 * k + 2] - data[to + 2]) * share
    data[to + 3] = sum
  }
}
