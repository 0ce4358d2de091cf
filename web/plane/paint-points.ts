/** Points by class, support vectors ringed by case, and slack as a line to the margin. */
import type { SamplePosition } from '../../src/solvers.ts'
import { type Picture, type PlaneData, positionNames } from '../worker/messages.ts'
import { colourOf, shapeOf, type Theme } from './colours.ts'
import { shapes } from './shapes.ts'
import { type SetStamp, stampOf } from './stamps.ts'
import type { Frame } from './view.ts'

/** Radius of a point, in pixels: the more there are and the smaller the picture, the smaller. */
export function pointRadius(count: number, { size }: Frame): number {
  const shrink = Math.min(1, Math.max(0.55, size.width / 560))
  if (count <= 300) return 5 * shrink
  return (count <= 1200 ? 3.6 : 2.3) * shrink
}

/** How rings are drawn, by case. */
export const rings: Readonly<
  Record<SamplePosition, { readonly label: string; readonly dash: readonly number[]; readonly width: number }>
> = {
  'on-margin': { label: 'support vector on the margin', dash: [], width: 1.8 },
  inside: { label: 'inside the margin', dash: [3, 2.2], width: 1.4 },
  misclassified: { label: 'misclassified', dash: [], width: 2.4 },
  outside: { label: 'support vector outside the margin', dash: [1.2, 2.4], width: 1.2 },
}

/** The shape of a class around (x, y). */
function shapePath(path: Path2D, shape: number, x: number, y: number, r: number): void {
  const corners = shapes[shape]
  if (corners.length === 0) path.arc(x, y, r, 0, 2 * Math.PI)
  for (const [dx, dy] of corners) path.lineTo(x + r * dx, y + r * dy)
  path.closePath()
}

/** How much is seen of a point that is pale. */
const PALE_ALPHA = 0.3

/** Sets a mark for each point; where classes count for nothing, all are the same. */
export function stampPoints(
  { xy, classes, heldOut }: PlaneData,
  pale: Uint8Array | undefined,
  frame: Frame,
  theme: Theme,
  plain: boolean,
  ratio: number,
): (set: SetStamp) => void {
  const r = pointRadius(classes.length, frame) * ratio
  const kinds = classes.reduce((most, c) => Math.max(most, c + 1), 1)
  // Points held out are hollow.
  const looks = [
    [false, 1],
    [true, 1],
    [false, PALE_ALPHA],
  ] as const
  const [full, hollow, faint] = looks.map(([isHollow, alpha]) =>
    Array.from({ length: kinds }, (_, c) => {
      const shape = plain ? 1 : shapeOf(c)
      const fill = plain ? theme.ink : theme.classes[colourOf(c)]
      const name = ['point', shape, fill, theme.paper, r, isHollow, alpha].join()
      return stampOf(name, Math.ceil(2.8 * r + 4), (context, middle) => {
        const path = new Path2D()
        shapePath(path, shape, middle, middle, r)
        context.globalAlpha = alpha
        context.fillStyle = isHollow ? theme.paper : fill
        context.strokeStyle = isHollow ? fill : theme.paper
        context.lineWidth = isHollow ? 0.4 * r : r > 4 ? 0.24 * r : 0.6
        context.fill(path)
        context.stroke(path)
      })
    }),
  )
  return (set) => {
    for (let i = 0; i < classes.length; i++) {
      const stamps = heldOut?.[i] ? hollow : pale?.[i] ? faint : full
      set(stamps[classes[i]], frame.screenX(xy[2 * i]) * ratio, frame.screenY(xy[2 * i + 1]) * ratio)
    }
  }
}

/** Draws a ring around each support vector, by its case, in pixels of the canvas. */
export function paintRings(
  context: OffscreenCanvasRenderingContext2D,
  { xy }: PlaneData,
  { coefficients, positions }: Pick<Picture, 'coefficients' | 'positions'>,
  frame: Frame,
  theme: Theme,
  ratio: number,
): void {
  const r = (pointRadius(positions.length, frame) + 3.5) * ratio
  const stamps = positionNames.map((position) => {
    const { dash, width } = rings[position]
    const stroke = position === 'misclassified' ? theme.warn : theme.ink
    const name = ['ring', position, stroke, r].join()
    return stampOf(name, Math.ceil(2 * r + 6), (context, middle) => {
      context.setLineDash(dash.map((length) => length * ratio))
      context.lineWidth = width * ratio
      context.strokeStyle = stroke
      context.beginPath()
      context.arc(middle, middle, r, 0, 2 * Math.PI)
      context.stroke()
    })
  })
  for (let i = 0; i < positions.length; i++) {
    if (coefficients[i] === 0) continue
    const { image, size } = stamps[positions[i]]
    const x = frame.screenX(xy[2 * i]) * ratio
    const y = frame.screenY(xy[2 * i + 1]) * ratio
    context.drawImage(image, Math.round(x - size / 2), Math.round(y - size / 2))
  }
}

/** Draws lines on the plane, fainter than those of the model: slack, or other runs. */
export function paintFaint(
  context: OffscreenCanvasRenderingContext2D,
  lines: Picture['slackLines'],
  frame: Frame,
  theme: Theme,
  alpha = 0.55,
): void {
  context.beginPath()
  for (const line of slackPaths(lines)) {
    for (let k = 0; k < line.length; k += 2) {
      const [x, y] = [frame.screenX(line[k]), frame.screenY(line[k + 1])]
      if (k === 0) context.moveTo(x, y)
      else context.lineTo(x, y)
    }
  }
  context.strokeStyle = theme.ink
  context.globalAlpha = alpha
  context.lineWidth = 1.2
  context.stroke()
  context.globalAlpha = 1
}

/** The single lines, x, y, x, y, … each. */
export function* slackPaths(lines: Picture['slackLines']): Generator<Float32Array> {
  let from = 0
  for (let k = 0; k <= lines.length; k += 2) {
    if (k < lines.length && !Number.isNaN(lines[k])) continue
    if (k > from) yield lines.subarray(from, k)
    from = k + 2
  }
}
