/** Slack as lines to draw. */
import type { Grid, Picture, PlaneData } from './messages.ts'

/** More lines than this would hide the picture. */
const MOST_SLACKS = 200

/**
 * The way from each point with slack to the margin of its own class, along the steepest ascent of its decision value:
 * a straight line across the margin for a linear kernel. Lines are x, y, x, y, … on the plane, two NaN after each.
 */
export function slackLines(
  { xy, classes: own }: PlaneData,
  { kind, classes, fields }: Pick<Picture, 'kind' | 'classes' | 'fields'>,
  slacks: Float64Array,
  grid: Grid,
): Float32Array {
  if (kind === 'regression') return tubeSlacks(xy, slacks, fields[0], grid)
  const lines: number[] = []
  for (let i = 0, count = 0; kind === 'binary' && i < slacks.length && count < MOST_SLACKS; i++) {
    if (slacks[i] < 1e-2) continue
    const line = climb(xy[2 * i], xy[2 * i + 1], own[i] === classes[1] ? 1 : -1, fields[0], grid)
    if (!line) continue
    lines.push(...line, Number.NaN, Number.NaN)
    count++
  }
  return Float32Array.from(lines)
}

/** Straight up or down from each point beyond the tube to its rim. */
function tubeSlacks(
  xy: Float64Array,
  slacks: Float64Array,
  curve: Float32Array,
  { columns, x: [from, to] }: Grid,
): Float32Array {
  const lines: number[] = []
  for (let i = 0; i < slacks.length; i++) {
    const [x, y] = [xy[2 * i], xy[2 * i + 1]]
    const at = ((x - from) / (to - from)) * (columns - 1)
    if (slacks[i] === 0 || !(at >= 0 && at < columns - 1)) continue
    const k = Math.floor(at)
    const height = curve[k] + (at - k) * (curve[k + 1] - curve[k])
    lines.push(x, y, x, y + (height > y ? slacks[i] : -slacks[i]), Number.NaN, Number.NaN)
  }
  return Float32Array.from(lines)
}

function climb(
  fromX: number,
  fromY: number,
  sign: number,
  field: Float32Array,
  grid: Grid,
): number[] | undefined {
  const { columns, rows, x, y } = grid
  const cellX = (x[1] - x[0]) / (columns - 1)
  const cellY = (y[1] - y[0]) / (rows - 1)
  let c = (fromX - x[0]) / cellX
  let r = (fromY - y[0]) / cellY
  const line = [fromX, fromY]
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
    // The whole way in one step if the field is a plane, but at most half a cell.
    const length = Math.min(need / squared, (0.5 * Math.min(cellX, cellY)) / Math.sqrt(squared))
    c += (gx * length) / cellX
    r += (gy * length) / cellY
    line.push(x[0] + c * cellX, y[0] + r * cellY)
  }
  return undefined
}
