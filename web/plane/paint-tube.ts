/** The curve of a regression and the tube around it in which errors cost nothing. */
import { rgb, type Theme } from './colours.ts'
import type { Field } from './scene.ts'
import type { Frame } from './view.ts'

/** Draws f over the columns of the field; the second field holds the half width of the tube. */
export function paintTube(
  context: OffscreenCanvasRenderingContext2D,
  { fields, grid }: Field,
  frame: Frame,
  theme: Theme,
): void {
  const [curve, tube] = fields
  const { columns, x } = grid
  const at = (k: number) => frame.screenX(x[0] + (k / (columns - 1)) * (x[1] - x[0]))
  const trace = (offset: number) => {
    for (let k = 0; k < columns; k++) {
      const y = frame.screenY(curve[k] + offset)
      if (k === 0) context.moveTo(at(k), y)
      else context.lineTo(at(k), y)
    }
  }
  const [r, g, b] = rgb(theme.classes[1])
  context.beginPath()
  trace(tube[0])
  for (let k = columns - 1; k >= 0; k--) context.lineTo(at(k), frame.screenY(curve[k] - tube[0]))
  context.closePath()
  context.fillStyle = `rgba(${r}, ${g}, ${b}, 0.18)`
  context.fill()
  context.beginPath()
  trace(tube[0])
  trace(-tube[0])
  context.setLineDash([6, 5])
  context.lineWidth = 1.2
  context.strokeStyle = theme.ink
  context.globalAlpha = 0.7
  context.stroke()
  context.setLineDash([])
  context.globalAlpha = 1
  context.beginPath()
  trace(0)
  context.lineWidth = 2.4
  context.strokeStyle = theme.ink
  context.stroke()
}
