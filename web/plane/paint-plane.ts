/** Everything on a plane, from the back to the front. */
import type { Point, ProblemType } from '../state/lab-state.ts'
import type { Picture } from '../worker/messages.ts'
import { type Field, type FieldLine, fieldImage, fieldLines, paintImage, paintLines } from './paint-field.ts'
import { paintSlacks, slackLines, stampPoints, stampRings } from './paint-points.ts'
import { paintTube } from './paint-tube.ts'
import { StampLayer } from './stamp-layer.ts'
import type { Theme } from './theme.ts'
import { type Frame, ticks } from './view.ts'

/** What is on a plane. */
export interface Scene {
  readonly points: readonly Point[]
  readonly field?: Field | undefined
  /** Support vectors and slack, when they belong to these points. */
  readonly picture?: Pick<Picture, 'coefficients' | 'positions' | 'slacks'> | undefined
  readonly problem?: ProblemType
}

/** What was derived from a field, kept while the field stays. */
interface Prepared {
  readonly theme: Theme
  readonly image: ImageData | undefined
  readonly lines: readonly FieldLine[]
  slacks?: { readonly of: readonly Point[]; readonly lines: number[][] }
}

/** Paints scenes, and keeps what it can from one to the next. */
export class PlanePainter {
  private readonly scratch = new OffscreenCanvas(1, 1)
  private readonly pointLayer = new StampLayer()
  private readonly ringLayer = new StampLayer()
  private readonly prepared = new WeakMap<Field, Prepared>()

  /** Paints a scene. Ticks are left out of small pictures. */
  paint(context: CanvasRenderingContext2D, frame: Frame, scene: Scene, theme: Theme, withTicks = true): void {
    const { size } = frame
    const { points, field, picture } = scene
    context.fillStyle = theme.paper
    context.fillRect(0, 0, size.width, size.height)
    const prepared = field && this.prepare(field, theme)
    if (field && prepared) {
      if (prepared.image) paintImage(context, prepared.image, size, this.scratch)
      if (field.kind === 'regression') paintTube(context, field, frame, theme)
    }
    if (withTicks) paintTicks(context, frame, theme)
    if (field && prepared) paintLines(context, prepared.lines, field.grid, size, theme)
    if (field && prepared && picture) {
      if (prepared.slacks?.of !== points) {
        prepared.slacks = { of: points, lines: slackLines(points, { ...field, slacks: picture.slacks }) }
      }
      paintSlacks(context, prepared.slacks.lines, frame, theme)
    }
    const plain = scene.problem === 'regression' || scene.problem === 'one-class'
    this.pointLayer.paint(context, frame, [points, theme, plain], stampPoints(points, frame, theme, plain))
    if (picture && picture.coefficients.length === points.length) {
      const make = stampRings(points, picture, frame, theme)
      this.ringLayer.paint(context, frame, [points, theme, picture], make)
    }
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

function paintTicks(context: CanvasRenderingContext2D, frame: Frame, theme: Theme): void {
  const { width, height } = frame.size
  context.fillStyle = theme.muted
  context.strokeStyle = theme.muted
  context.lineWidth = 1
  context.font = '11px system-ui, sans-serif'
  context.textBaseline = 'alphabetic'
  context.textAlign = 'center'
  context.beginPath()
  for (const value of ticks(frame.planeX(0), frame.planeX(width), width / 90)) {
    const x = frame.screenX(value)
    if (x < 24 || x > width - 24) continue
    context.moveTo(x, height)
    context.lineTo(x, height - 4)
    context.fillText(String(value), x, height - 8)
  }
  context.textAlign = 'left'
  context.textBaseline = 'middle'
  for (const value of ticks(frame.planeY(height), frame.planeY(0), height / 80)) {
    const y = frame.screenY(value)
    if (y < 16 || y > height - 24) continue
    context.moveTo(0, y)
    context.lineTo(4, y)
    context.fillText(String(value), 8, y)
  }
  context.globalAlpha = 0.8
  context.stroke()
  context.globalAlpha = 1
}
