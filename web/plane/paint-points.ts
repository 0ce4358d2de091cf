/** Points by class, support vectors ringed by case, and slack as a line to the margin. */
import type { SamplePosition } from '../../src/index.ts'
import type { ClassIndex, Point } from '../state/lab-state.ts'
import type { Grid, Picture } from '../worker/messages.ts'
import type { SheetContext } from './sheets.ts'
import { type SetStamp, stampOf } from './stamps.ts'
import type { Theme } from './theme.ts'
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
export function shapePath(path: Path2D, shape: ClassIndex, x: number, y: number, r: number): void {
  if (shape === 1) {
    path.moveTo(x + r, y)
    path.arc(x, y, r, 0, 2 * Math.PI)
    return
  }
  const [corners, turn, size] = [
    [3, -Math.PI / 2, 1.25],
    [0, 0, 1],
    [4, Math.PI / 4, 1.2],
    [4, 0, 1.25],
  ][shape]
  for (let k = 0; k < corners; k++) {
    const angle = turn + (2 * Math.PI * k) / corners
    const [px, py] = [x + size * r * Math.cos(angle), y + size * r * Math.sin(angle)]
    if (k === 0) path.moveTo(px, py)
    else path.lineTo(px, py)
  }
  path.closePath()
}

/** Sets a mark for each point; where classes count for nothing, all are the same. */
export function stampPoints(
  points: readonly Point[],
  frame: Frame,
  theme: Theme,
  plain: boolean,
): (set: SetStamp, ratio: number) => void {
  return (set, ratio) => {
    const r = pointRadius(points.length, frame) * ratio
    const stamps = ([0, 1, 2, 3] as const).map((c) => {
      const shape = plain ? 1 : c
      const fill = plain ? theme.ink : theme.classes[c]
      const name = ['point', shape, fill, theme.paper, r].join()
      return stampOf(name, Math.ceil(2.5 * r + 4), (context, middle) => {
        const path = new Path2D()
        shapePath(path, shape, middle, middle, r)
        context.fillStyle = fill
        context.strokeStyle = theme.paper
        context.lineWidth = r > 4 ? 0.24 * r : 0.6
        context.fill(path)
        context.stroke(path)
      })
    })
    for (const { x, y, c } of points) set(stamps[c], frame.screenX(x) * ratio, frame.screenY(y) * ratio)
  }
}

/** Sets a ring around each support vector, by its case. */
export function stampRings(
  points: readonly Point[],
  { coefficients, positions }: Pick<Picture, 'coefficients' | 'positions'>,
  frame: Frame,
  theme: Theme,
): (set: SetStamp, ratio: number) => void {
  return (set, ratio) => {
    const r = (pointRadius(points.length, frame) + 3.5) * ratio
    const stamps = new Map(
      Object.entries(rings).map(([position, { dash, width }]) => {
        const stroke = position === 'misclassified' ? theme.warn : theme.ink
        const name = ['ring', position, stroke, r].join()
        const stamp = stampOf(name, Math.ceil(2 * r + 6), (context, middle) => {
          context.setLineDash(dash.map((length) => length * ratio))
          context.lineWidth = width * ratio
          context.strokeStyle = stroke
          context.beginPath()
          context.arc(middle, middle, r, 0, 2 * Math.PI)
          context.stroke()
        })
        return [position, stamp] as const
      }),
    )
    points.forEach(({ x, y }, i) => {
      const stamp = coefficients[i] === 0 ? undefined : stamps.get(positions[i])
      if (stamp) set(stamp, frame.screenX(x) * ratio, frame.screenY(y) * ratio)
    })
  }
}

/** More lines than this would hide the picture. */
const MOST_SLACKS = 200

/**
 * The way from each point with slack to the margin of its own class, along the steepest ascent of its decision value:
 * a straight line across the margin for a linear kernel. Lines are x, y, x, y, … on the plane.
 */
export function slackLines(
  points: readonly Point[],
  { classes, fields, grid, slacks, kind }: Pick<Picture, 'classes' | 'fields' | 'grid' | 'slacks' | 'kind'>,
): number[][] {
  if (slacks.length !== points.length) return []
  if (kind === 'regression') return tubeSlacks(points, slacks, fields[0], grid)
  if (kind !== 'binary') return []
  const lines: number[][] = []
  for (let i = 0; i < points.length && lines.length < MOST_SLACKS; i++) {
    if (slacks[i] < 1e-2) continue
    const line = climb(points[i], points[i].c === classes[1] ? 1 : -1, fields[0], grid)
    if (line) lines.push(line)
  }
  return lines
}

/** Straight up or down from each point beyond the tube to its rim. */
function tubeSlacks(
  points: readonly Point[],
  slacks: Float64Array,
  curve: Float32Array,
  { columns, x: [from, to] }: Grid,
): number[][] {
  const lines: number[][] = []
  points.forEach(({ x, y }, i) => {
    const at = ((x - from) / (to - from)) * (columns - 1)
    if (slacks[i] === 0 || !(at >= 0 && at < columns - 1)) return
    const k = Math.floor(at)
    const height = curve[k] + (at - k) * (curve[k + 1] - curve[k])
    lines.push([x, y, x, y + (height > y ? slacks[i] : -slacks[i])])
  })
  return lines
}

function climb(from: Point, sign: number, field: Float32Array, grid: Grid): number[] | undefined {
  const { columns, rows, x, y } = grid
  const cellX = (x[1] - x[0]) / (columns - 1)
  const cellY = (y[1] - y[0]) / (rows - 1)
  let c = (from.x - x[0]) / cellX
  let r = (from.y - y[0]) / cellY
  const line = [from.x, from.y]
  for (let step = 0; step < 4 * Math.max(columns, rows); step++) {
    if (!(c >= 0 && r >= 0 && c < columns - 1 && r < rows - 1)) return undefined
    const k = Math.floor(r) * columns + Math.floor(c)
    const [u, v] = [c % 1, r % 1]
    const [a, b, d, e] = [field[k], field[k + 1], field[k + columns], field[k + columns + 1]]
    const value = sign * ((a * (1 - u) + b * u) * (1 - v) + (d * (1 - u) + e * u) * v)
    // Gradient on the plane, then as a direction in cells.
    const gx = (sign * ((b - a) * (1 - v) + (e - d) * v)) / cellX
    const gy = (sign * ((d - a) * (1 - u) + (e - b) * u)) / cellY
    const squared = gx * gx + gy * gy
    const need = 1 - value
    if (need <= 0) return line
    if (squared * (cellX + cellY) ** 2 < 1e-8) return undefined
    // The whole way at once if the field is a plane, but not more than half a cell.
    const length = Math.min(need / squared, (0.5 * Math.min(cellX, cellY)) / Math.sqrt(squared))
    c += (gx * length) / cellX
    r += (gy * length) / cellY
    line.push(x[0] + c * cellX, y[0] + r * cellY)
  }
  return undefined
}

/** Draws slack lines. */
export function paintSlacks(
  context: SheetContext,
  lines: readonly (readonly number[])[],
  frame: Frame,
  theme: Theme,
): void {
  context.beginPath()
  for (const line of lines) {
    for (let k = 0; k < line.length; k += 2) {
      const [x, y] = [frame.screenX(line[k]), frame.screenY(line[k + 1])]
      if (k === 0) context.moveTo(x, y)
      else context.lineTo(x, y)
    }
  }
  context.strokeStyle = theme.ink
  context.globalAlpha = 0.55
  context.lineWidth = 1.2
  context.stroke()
  context.globalAlpha = 1
}
