/** The plane as a picture to keep: SVG, or PNG at twice its size. */
import { colourOf, shapeOf, type Theme } from '../plane/colours.ts'
import { type FieldLine, fieldImage, fieldLines } from '../plane/paint-field.ts'
import type { FigureRequest } from '../plane/paint-messages.ts'
import { PlanePainter } from '../plane/paint-plane.ts'
import { pointRadius, rings, slackPaths } from '../plane/paint-points.ts'
import type { Scene } from '../plane/scene.ts'
import { shapes } from '../plane/shapes.ts'
import { Frame, ticks } from '../plane/view.ts'
import type { View } from '../state/lab-state.ts'
import { positionNames } from '../worker/messages.ts'

const SIZE = { width: 840, height: 600 }

/** Makes a figure. */
export async function drawFigure({ format, scene, view, theme }: FigureRequest): Promise<Blob> {
  if (format === 'png') return figurePng(scene, view, theme)
  return new Blob([await figureSvg(scene, view, theme)], { type: 'image/svg+xml' })
}

/** The scene as PNG. */
function figurePng(scene: Scene, view: View, theme: Theme): Promise<Blob> {
  const canvas = new OffscreenCanvas(2 * SIZE.width, 2 * SIZE.height)
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
  context.imageSmoothingQuality = 'high'
  new PlanePainter().paint(context, scene, { view, size: SIZE, ratio: 2, theme })
  return canvas.convertToBlob({ type: 'image/png' })
}

/** The scene as SVG: the field as an image inside it, everything else as lines and shapes. */
async function figureSvg(scene: Scene, view: View, theme: Theme): Promise<string> {
  const frame = new Frame(view, SIZE)
  const { width, height } = SIZE
  const { points, field, picture, plain = false } = scene
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif">`,
    '<title>Decision field of a support vector machine</title>',
    `<rect width="${width}" height="${height}" fill="${theme.paper}"/>`,
  ]
  if (field && field.kind !== 'regression') {
    const image = await dataUri(fieldImage(field, theme))
    const [dx, dy] = [width / (field.grid.columns - 1) / 2, height / (field.grid.rows - 1) / 2]
    parts.push(
      `<image href="${image}" x="${num(-dx)}" y="${num(-dy)}" width="${num(width + 2 * dx)}" height="${num(height + 2 * dy)}" preserveAspectRatio="none"/>`,
      ...fieldLines(field).map((line) => linePath(line, field.grid, theme)),
    )
  }
  if (field?.kind === 'regression') parts.push(...tubePaths(field, frame, theme))
  if (field && picture) {
    for (const line of slackPaths(picture.slackLines)) {
      parts.push(
        `<path d="${planePath(line, frame)}" fill="none" stroke="${theme.ink}" stroke-opacity="0.55"/>`,
      )
    }
  }
  const { xy, classes, heldOut } = points
  const r = pointRadius(classes.length, frame)
  classes.forEach((c, i) => {
    const [sx, sy] = [frame.screenX(xy[2 * i]), frame.screenY(xy[2 * i + 1])]
    const colour = plain ? theme.ink : theme.classes[colourOf(c)]
    const look = heldOut?.[i]
      ? `fill="${theme.paper}" stroke="${colour}" stroke-width="2"`
      : `fill="${colour}" stroke="${theme.paper}"`
    parts.push(shape(plain ? 1 : shapeOf(c), sx, sy, r, look))
    if (!picture || picture.coefficients[i] === 0 || i >= picture.positions.length) return
    const position = positionNames[picture.positions[i]]
    const { dash, width: line } = rings[position]
    const stroke = position === 'misclassified' ? theme.warn : theme.ink
    parts.push(
      `<circle cx="${num(sx)}" cy="${num(sy)}" r="${num(r + 3.5)}" fill="none" stroke="${stroke}" stroke-width="${line}" stroke-dasharray="${dash.join(' ')}"/>`,
    )
  })
  parts.push(...axisLabels(frame, theme), '</svg>')
  return parts.join('\n')
}

function num(value: number): string {
  return String(Number(value.toFixed(2)))
}

async function dataUri(image: ImageData): Promise<string> {
  const canvas = new OffscreenCanvas(image.width, image.height)
  canvas.getContext('2d')?.putImageData(image, 0, 0)
  const blob = await canvas.convertToBlob({ type: 'image/png' })
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.readAsDataURL(blob)
  })
}

function linePath({ line, role }: FieldLine, grid: { columns: number; rows: number }, theme: Theme): string {
  const { width, height } = SIZE
  let path = ''
  for (let k = 0; k < line.length; k += 2) {
    const x = (line[k] / (grid.columns - 1)) * width
    const y = height - (line[k + 1] / (grid.rows - 1)) * height
    path += `${k === 0 ? 'M' : 'L'}${num(x)} ${num(y)}`
  }
  const style = role === 'boundary' ? 'stroke-width="2.2"' : 'stroke-width="1.2" stroke-dasharray="6 5"'
  return `<path d="${path}" fill="none" stroke="${theme.ink}" ${style}/>`
}

function tubePaths(field: NonNullable<Scene['field']>, frame: Frame, theme: Theme): string[] {
  const [curve, tube] = field.fields
  const { columns, x } = field.grid
  const path = (offset: number) =>
    planePath(
      Array.from(curve).flatMap((y, k) => [x[0] + (k / (columns - 1)) * (x[1] - x[0]), y + offset]),
      frame,
    )
  return [0, tube[0], -tube[0]].map(
    (offset) =>
      `<path d="${path(offset)}" fill="none" stroke="${theme.ink}" ${offset === 0 ? 'stroke-width="2.4"' : 'stroke-width="1.2" stroke-dasharray="6 5"'}/>`,
  )
}

function planePath(line: ArrayLike<number>, frame: Frame): string {
  let path = ''
  for (let k = 0; k < line.length; k += 2) {
    path += `${k === 0 ? 'M' : 'L'}${num(frame.screenX(line[k]))} ${num(frame.screenY(line[k + 1]))}`
  }
  return path
}

function shape(number: number, x: number, y: number, r: number, style: string): string {
  const corners = shapes[number]
  if (corners.length === 0) return `<circle cx="${num(x)}" cy="${num(y)}" r="${num(r)}" ${style}/>`
  const ends = corners.map(([dx, dy]) => `${num(x + r * dx)},${num(y + r * dy)}`)
  return `<polygon points="${ends.join(' ')}" ${style}/>`
}

function axisLabels(frame: Frame, theme: Theme): string[] {
  const { width, height } = SIZE
  const label = (x: number, y: number, anchor: string, text: number) =>
    `<text x="${num(x)}" y="${num(y)}" font-size="12" text-anchor="${anchor}" fill="${theme.muted}">${text}</text>`
  return [
    ...ticks(frame.planeX(0), frame.planeX(width), 8)
      .map((value) => [frame.screenX(value), value])
      .filter(([x]) => x > 24 && x < width - 24)
      .map(([x, value]) => label(x, height - 8, 'middle', value)),
    ...ticks(frame.planeY(height), frame.planeY(0), 6)
      .map((value) => [frame.screenY(value), value])
      .filter(([y]) => y > 16 && y < height - 24)
      .map(([y, value]) => label(8, y + 4, 'start', value)),
  ]
}
