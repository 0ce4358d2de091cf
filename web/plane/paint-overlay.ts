/** What lies over everything else: the cursor, the point under the pointer, and the samples of a step. */
import type { Theme } from './colours.ts'
import type { Overlay } from './scene.ts'
import type { Frame } from './view.ts'

const TURN = 2 * Math.PI
const sides = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const

const corners = [
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
] as const

/** Draws an overlay over points of a radius. */
export function paintOverlay(
  context: OffscreenCanvasRenderingContext2D,
  mark: Overlay,
  radius: number,
  frame: Frame,
  theme: Theme,
): void {
  const [x, y] = [frame.screenX(mark.x), frame.screenY(mark.y)]
  if (mark.kind === 'parabola') {
    context.lineWidth = 1.5
    context.strokeStyle = theme.muted
    context.setLineDash([2, 4])
    context.beginPath()
    for (let screen = 0; screen <= frame.size.width; screen += 4) {
      const y = frame.screenY(frame.planeX(screen) ** 2)
      if (screen === 0) context.moveTo(screen, y)
      else context.lineTo(screen, y)
    }
    context.stroke()
    context.setLineDash([])
  } else if (mark.kind === 'hover') {
    context.lineWidth = 1
    context.globalAlpha = 0.6
    context.strokeStyle = theme.ink
    strokeCircle(context, x, y, radius + 7)
    context.globalAlpha = 1
  } else if (mark.kind === 'member') {
    const r = radius + 6
    context.lineWidth = 1.5
    context.strokeStyle = theme.ink
    context.beginPath()
    // Corners of a square, which no ring covers.
    for (const [dx, dy] of corners) {
      context.moveTo(x + dx * r, y + dy * (r - 4))
      context.lineTo(x + dx * r, y + dy * r)
      context.lineTo(x + dx * (r - 4), y + dy * r)
    }
    context.stroke()
  } else if (mark.kind === 'cursor') {
    context.lineWidth = mark.carries ? 2.5 : 1.5
    context.strokeStyle = theme.ink
    context.beginPath()
    for (const [dx, dy] of sides) {
      context.moveTo(x + 5 * dx, y + 5 * dy)
      context.lineTo(x + 14 * dx, y + 14 * dy)
    }
    context.stroke()
  } else {
    context.lineWidth = 5
    context.strokeStyle = theme.paper
    strokeCircle(context, x, y, radius + 8)
    context.lineWidth = 2.5
    context.strokeStyle = theme.ink
    strokeCircle(context, x, y, radius + 8)
    if (mark.name !== '') writeName(context, mark.name, x, y - radius - 19, theme)
  }
}

function strokeCircle(context: OffscreenCanvasRenderingContext2D, x: number, y: number, r: number): void {
  context.beginPath()
  context.arc(x, y, r, 0, TURN)
  context.stroke()
}

function writeName(
  context: OffscreenCanvasRenderingContext2D,
  name: string,
  x: number,
  y: number,
  theme: Theme,
): void {
  context.fillStyle = theme.ink
  context.beginPath()
  context.arc(x, y, 9, 0, TURN)
  context.fill()
  context.font = '600 13px system-ui, sans-serif'
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillStyle = theme.paper
  context.fillText(name, x, y + 0.5)
}
