/** Everything on a plane, from the back to the front; see ./sheets.ts. */
import type { Point, ProblemType } from '../state/lab-state.ts'
import type { Picture } from '../worker/messages.ts'
import { type Field, type FieldLine, fieldImage, fieldLines, paintLines } from './paint-field.ts'
import { paintSlacks, stampPoints, stampRings } from './paint-points.ts'
import { paintTube } from './paint-tube.ts'
import type { SheetContext, Sheets } from './sheets.ts'
import { type SetStamp, setStamp } from './stamps.ts'
import type { Theme } from './theme.ts'
import { type Frame, ticks } from './view.ts'

/** What is on a plane. */
export interface Scene {
  readonly points: readonly Point[]
  readonly field?: Field | undefined
  /** Support vectors and slack, when they belong to these points. */
  readonly picture?: Pick<Picture, 'coefficients' | 'positions' | 'slackLines'> | undefined
  readonly problem?: ProblemType
}

/** How a scene is painted. */
export interface PaintOptions {
  /** Left out of small pictures. */
  readonly withTicks?: boolean
  /** Draws what lies over everything else. */
  readonly over?: (context: SheetContext) => void
}

/** What was derived from a field, kept while the field stays. */
interface Prepared {
  readonly theme: Theme
  readonly image: ImageData | undefined
  readonly lines: readonly FieldLine[]
}

/** Paints scenes on sheets of its own, and leaves alone what has not changed since the last. */
export class PlanePainter {
  private readonly prepared = new WeakMap<Field, Prepared>()
  /** What each sheet shows. */
  private readonly made = new Map<SheetContext, readonly unknown[]>()
  private readonly pointImage = new StampImage()
  private readonly ringImage = new StampImage()
  private hadOver = false

  /** Paints a scene. */
  paint(sheets: Sheets, frame: Frame, scene: Scene, theme: Theme, options: PaintOptions = {}): void {
    const { points, field, picture } = scene
    const { withTicks = true, over } = options
    const { width, height } = sheets.lines.canvas
    const ratio = width / frame.size.width
    const same = [theme, frame.key, width, height]
    const prepared = field && this.prepare(field, theme)
    if (this.isNew(sheets.field, [prepared?.image, theme])) paintField(sheets.field, prepared?.image, theme)
    if (this.isNew(sheets.lines, [...same, prepared, picture])) {
      wipe(sheets.lines, ratio)
      if (field && prepared) this.paintLines(sheets.lines, frame, scene, field, prepared)
    }
    const plain = scene.problem === 'regression' || scene.problem === 'one-class'
    if (this.isNew(sheets.points, [...same, points, plain])) {
      this.pointImage.show(sheets.points, stampPoints(points, frame, theme, plain), ratio)
      if (withTicks) paintTicks(sheets.points, frame, theme)
    }
    const ringed = picture && picture.coefficients.length === points.length ? picture : undefined
    const ringsChanged = this.isNew(sheets.marks, [...same, ringed, ringed && points])
    if (ringsChanged || this.hadOver || over) {
      if (ringed)
        this.ringImage.show(sheets.marks, stampRings(points, ringed, frame, theme), ratio, ringsChanged)
      else wipe(sheets.marks, ratio)
      over?.(sheets.marks)
      this.hadOver = over !== undefined
    }
  }

  private paintLines(
    context: SheetContext,
    frame: Frame,
    { picture }: Scene,
    field: Field,
    prepared: Prepared,
  ): void {
    const { theme } = prepared
    if (field.kind === 'regression') paintTube(context, field, frame, theme)
    paintLines(context, prepared.lines, field.grid, frame.size, theme)
    if (picture) paintSlacks(context, picture.slackLines, frame, theme)
  }

  private isNew(sheet: SheetContext, parts: readonly unknown[]): boolean {
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

/** An image of stamps, as large as the sheet it is shown on, and kept to be shown again. */
class StampImage {
  private image: ImageData | undefined

  /** Shows the stamps that `make` sets; with `anew` false those it showed last. */
  show(
    context: SheetContext,
    make: (set: SetStamp, ratio: number) => void,
    ratio: number,
    anew = true,
  ): void {
    const { width, height } = context.canvas
    if (this.image?.width !== width || this.image.height !== height) this.image = new ImageData(width, height)
    else if (anew) new Uint32Array(this.image.data.buffer).fill(0)
    const { image } = this
    if (anew) make((stamp, x, y) => setStamp(image, stamp, x, y), ratio)
    context.putImageData(image, 0, 0)
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
  }
}

/** Clears a sheet; from then on a pixel of the page is the unit. */
function wipe(context: SheetContext, ratio: number): void {
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.clearRect(0, 0, context.canvas.width, context.canvas.height)
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
}

/** One pixel a node; a plain sheet where there is no field. */
function paintField(context: SheetContext, image: ImageData | undefined, theme: Theme): void {
  const { canvas } = context
  const { width, height } = image ?? { width: 2, height: 2 }
  if (canvas.width !== width) canvas.width = width
  if (canvas.height !== height) canvas.height = height
  if (image) {
    context.putImageData(image, 0, 0)
    return
  }
  context.fillStyle = theme.paper
  context.fillRect(0, 0, width, height)
}

function paintTicks(context: SheetContext, frame: Frame, theme: Theme): void {
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
