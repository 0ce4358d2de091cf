/**
 * Everything on a plane, from the back to the front: the field as an image of one pixel per node, lines, points, and the rings
 * around points. Field and points, which are many, are kept as images while they stay the same.
 */
import type { Layer } from '../state/lab-state.ts'
import type { Theme } from './colours.ts'
import { type FieldLine, fieldImage, fieldLines, paintLines } from './paint-field.ts'
import { paintOverlay } from './paint-overlay.ts'
import { paintFaint, paintRings, pointRadius, stampPoints } from './paint-points.ts'
import { paintTube } from './paint-tube.ts'
import type { Field, Look, Scene } from './scene.ts'
import { type SetStamp, setStamp } from './stamps.ts'
import { Frame, ticks } from './view.ts'

type Context = OffscreenCanvasRenderingContext2D

/** Ten lines over one another must leave the one of the run itself in front. */
const OTHERS_ALPHA = 0.38

const noLayers: readonly Layer[] = []

/** What was derived from a field, kept while the field stays. */
interface Prepared {
  readonly theme: Theme
  readonly image: ImageData | undefined
  readonly lines: readonly FieldLine[]
}

/** Paints scenes, and keeps what can be used again for the next. */
export class PlanePainter {
  private readonly field = newSheet(false)
  private readonly points = newSheet()
  private readonly prepared = new WeakMap<Field, Prepared>()
  /** What each sheet shows. */
  private readonly made = new Map<Context, readonly unknown[]>()

  /** Paints a scene; the canvas becomes as large as the look says. */
  paint(context: Context, scene: Scene, look: Look): void {
    const { theme, ratio } = look
    const frame = new Frame(look.view, look.size)
    const width = Math.max(1, Math.round(look.size.width * ratio))
    const height = Math.max(1, Math.round(look.size.height * ratio))
    resize(context, width, height)
    const { points, pale, field, picture, plain = false } = scene
    const { withTicks = true, over = [], hidden = noLayers } = scene
    const isSeen = (layer: Layer) => !hidden.includes(layer)
    const prepared = field && this.prepare(field, theme)
    const image = isSeen('field') ? prepared?.image : undefined
    if (this.isNew(this.field, [image, theme])) paintField(this.field, image, theme)
    const hasPoints = isSeen('points')
    if (this.isNew(this.points, [theme, frame.key, ratio, points, pale, plain, hasPoints])) {
      const set = hasPoints ? stampPoints(points, pale, frame, theme, plain, ratio) : () => undefined
      stamp(this.points, width, height, set)
      this.points.setTransform(ratio, 0, 0, ratio, 0, 0)
      if (withTicks) paintTicks(this.points, frame, theme)
    }
    context.setTransform(1, 0, 0, 1, 0, 0)
    stretch(context, this.field.canvas)
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    if (field && prepared) drawLines(context, frame, scene, field, prepared, isSeen)
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.drawImage(this.points.canvas, 0, 0)
    if (isSeen('rings') && picture?.coefficients.length === points.classes.length) {
      paintRings(context, points, picture, frame, theme, ratio)
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    const radius = pointRadius(points.classes.length, frame)
    for (const mark of over) paintOverlay(context, mark, radius, frame, theme)
  }

  private isNew(sheet: Context, parts: readonly unknown[]): boolean {
    const made = this.made.get(sheet)
    this.made.set(sheet, parts)
    return !made || parts.some((part, k) => part !== made[k])
  }

  private prepare(field: Field, theme: Theme): Prepared {
    const known = this.prepared.get(field)
    if (known?.theme === theme) return known
    const image = field.kind === 'regression' ? undefined : fieldImage(field, theme)
    const made = { theme, image, lines: fieldLines(field) }
    this.prepared.set(field, made)
    return made
  }
}

/** Sheets are clear where nothing is drawn, except for the field, which covers all below it. */
function newSheet(alpha = true): Context {
  return new OffscreenCanvas(1, 1).getContext('2d', { alpha }) as Context
}

function resize({ canvas }: Context, width: number, height: number): void {
  if (canvas.width !== width) canvas.width = width
  if (canvas.height !== height) canvas.height = height
}

/** Covers a canvas with a field: the outermost nodes, which are the middles of its outermost pixels, are at the rim. */
function stretch(context: Context, field: OffscreenCanvas): void {
  const { width, height } = context.canvas
  const { width: columns, height: rows } = field
  const [cellX, cellY] = [width / (columns - 1), height / (rows - 1)]
  context.drawImage(field, -cellX / 2, -cellY / 2, columns * cellX, rows * cellY)
}

/** Shows the stamps that `make` sets, and nothing else. */
function stamp(sheet: Context, width: number, height: number, make: (set: SetStamp) => void): void {
  resize(sheet, width, height)
  const image = new ImageData(width, height)
  make((one, x, y) => setStamp(image, one, x, y))
  sheet.putImageData(image, 0, 0)
}

function drawLines(
  context: Context,
  frame: Frame,
  { picture, others }: Scene,
  field: Field,
  prepared: Prepared,
  isSeen: (layer: Layer) => boolean,
): void {
  const { theme, lines } = prepared
  if (isSeen('lines')) {
    if (field.kind === 'regression') paintTube(context, field, frame, theme)
    paintLines(context, lines, field.grid, frame.size, theme)
  }
  if (others && isSeen('lines')) paintFaint(context, others, frame, theme, OTHERS_ALPHA)
  if (picture && isSeen('slack')) paintFaint(context, picture.slackLines, frame, theme)
}

/** One pixel a node; a plain sheet where there is no field. */
function paintField(sheet: Context, image: ImageData | undefined, theme: Theme): void {
  const { width, height } = image ?? { width: 2, height: 2 }
  resize(sheet, width, height)
  if (image) {
    sheet.putImageData(image, 0, 0)
    return
  }
  sheet.fillStyle = theme.paper
  sheet.fillRect(0, 0, width, height)
}

function paintTicks(context: Context, frame: Frame, theme: Theme): void {
  const { width, height } = frame.size
  context.fillStyle = theme.muted
  context.font = '11px system-ui, sans-serif'
  context.textBaseline = 'alphabetic'
  context.textAlign = 'center'
  context.lineJoin = 'round'
  // Numbers stay readable over lines and points.
  const write = (value: number, x: number, y: number) => {
    const text = String(value).replace('-', '−')
    context.strokeStyle = theme.paper
    context.lineWidth = 3
    context.globalAlpha = 0.7
    context.strokeText(text, x, y)
    context.globalAlpha = 1
    context.fillText(text, x, y)
  }
  context.beginPath()
  for (const value of ticks(frame.planeX(0), frame.planeX(width), width / 90)) {
    const x = frame.screenX(value)
    if (x < 24 || x > width - 24) continue
    context.moveTo(x, height)
    context.lineTo(x, height - 4)
    write(value, x, height - 8)
  }
  context.textAlign = 'left'
  context.textBaseline = 'middle'
  for (const value of ticks(frame.planeY(height), frame.planeY(0), height / 80)) {
    const y = frame.screenY(value)
    if (y < 16 || y > height - 24) continue
    context.moveTo(0, y)
    context.lineTo(4, y)
    write(value, 8, y)
  }
  context.strokeStyle = theme.muted
  context.lineWidth = 1
  context.globalAlpha = 0.8
  context.stroke()
  context.globalAlpha = 1
}
