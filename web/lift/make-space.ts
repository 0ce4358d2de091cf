/** What is seen in space of a model on the plane: its decision value as a height, or the lift (x, y, x² + y²). */
import { colourOf, rgb, type Theme } from '../plane/colours.ts'
import { contourLines } from '../plane/contours.ts'
import type { Shown } from '../plane/live.ts'
import type { Grid, LiftedPlane } from '../worker/messages.ts'
import type { Space, SpaceLine } from './space.ts'

const COLUMNS = 33
const ROWS = 25
/** Values beyond this are cut off: the picture is about what lies around the margins. */
const MOST_VALUE = 2.5
/** Height of the value 1, where the plane reaches from −1 to 1. */
const UNIT = 0.3

/** From the plane to space: the middle of the view is the origin, and its sides are at x = ±1. */
function placer({ x: [left, right], y: [bottom, top] }: Grid) {
  const half = (right - left) / 2
  const [middleX, middleY] = [(left + right) / 2, (bottom + top) / 2]
  return {
    aspect: (right - left) / (top - bottom),
    half,
    middleX,
    middleY,
    x: (x: number) => (x - middleX) / half,
    y: (y: number) => (y - middleY) / half,
  }
}

/** f as a surface with its lines at −1, 0 and 1, and the points at their values. */
export function valueSpace({ picture, points }: Shown, theme: Theme): Space {
  const { grid, fields, values, kind } = picture
  const { aspect, x, y } = placer(grid)
  // One class has values of any size: the largest sets the scale.
  const scale = kind === 'one-class' ? Math.max(...fields[0].map(Math.abs)) || 1 : 1
  const height = (value: number) => UNIT * Math.max(-MOST_VALUE, Math.min(MOST_VALUE, value / scale))
  const heights = new Float64Array(COLUMNS * ROWS)
  for (let r = 0; r < ROWS; r++) {
    for (let c = 0; c < COLUMNS; c++) {
      const column = Math.round((c / (COLUMNS - 1)) * (grid.columns - 1))
      const row = Math.round((r / (ROWS - 1)) * (grid.rows - 1))
      heights[r * COLUMNS + c] = height(fields[0][row * grid.columns + column])
    }
  }
  const levels = kind === 'one-class' ? [0] : [-1, 1, 0]
  const lines = levels.flatMap((level) =>
    contourLines(fields[0], grid.columns, grid.rows, level).map((line): SpaceLine => {
      const places: number[] = []
      for (let k = 0; k < line.length; k += 2) {
        const across = (2 * line[k]) / (grid.columns - 1) - 1
        const away = ((2 * line[k + 1]) / (grid.rows - 1) - 1) / aspect
        places.push(across, away, height(level))
      }
      return { places, role: level === 0 ? 'boundary' : 'margin' }
    }),
  )
  const [below, above] = picture.classes.map((c) => theme.classes[colourOf(c)])
  return {
    aspect,
    surface: { columns: COLUMNS, rows: ROWS, heights, colour: shader(theme.paper, below, above) },
    lines,
    points: Float64Array.from(points.flatMap((point, i) => [x(point.x), y(point.y), height(values[i])])),
    classes: points.map(({ c }) => c),
  }
}

/** The points on the bowl z = x² + y², with the plane that separates them there, and its trace on the bowl and on the ground. */
export function liftSpace({ picture, points }: Shown, plane: LiftedPlane | undefined, theme: Theme): Space {
  const { aspect, half, middleX, middleY, x, y } = placer(picture.grid)
  const largest = points.reduce((most, point) => Math.max(most, point.x ** 2 + point.y ** 2), 1e-9)
  const height = (z: number) => (0.9 * z) / largest - 0.45
  const heights = new Float64Array(COLUMNS * ROWS)
  const trace = new Float64Array(COLUMNS * ROWS)
  // The bowl ends a little above the highest point.
  const onBowl = (px: number, py: number) => {
    const z = px ** 2 + py ** 2
    return z > 1.2 * largest ? Number.NaN : height(z)
  }
  const place = (c: number, r: number) => [
    middleX + half * ((2 * c) / (COLUMNS - 1) - 1),
    middleY + (half / aspect) * ((2 * r) / (ROWS - 1) - 1),
  ]
  for (let r = 0; r < ROWS; r++) {
    for (let c = 0; c < COLUMNS; c++) {
      const [px, py] = place(c, r)
      heights[r * COLUMNS + c] = onBowl(px, py)
      if (plane) trace[r * COLUMNS + c] = valueAt(plane, px, py)
    }
  }
  const lines: SpaceLine[] = []
  if (plane) {
    for (const line of contourLines(trace, COLUMNS, ROWS, 0)) {
      const [ring, ground]: [number[], number[]] = [[], []]
      for (let k = 0; k < line.length; k += 2) {
        const [px, py] = place(line[k], line[k + 1])
        ring.push(x(px), y(py), onBowl(px, py))
        ground.push(x(px), y(py), height(0))
      }
      lines.push({ places: ring, role: 'boundary' }, { places: ground, role: 'shadow' })
    }
  }
  const faint = shader(theme.paper, theme.muted, theme.muted)
  return {
    aspect,
    surface: { columns: COLUMNS, rows: ROWS, heights, colour: () => faint(0.25 * UNIT) },
    ...(plane && Math.abs(plane.w[2]) > 1e-9 && { cut: cutOf(plane) }),
    lines,
    points: Float64Array.from(
      points.flatMap((point) => [x(point.x), y(point.y), height(point.x ** 2 + point.y ** 2)]),
    ),
    classes: points.map(({ c }) => c),
  }

  function cutOf({ w, bias }: LiftedPlane) {
    const corners = [
      [0, 0],
      [COLUMNS - 1, 0],
      [COLUMNS - 1, ROWS - 1],
      [0, ROWS - 1],
    ].flatMap(([c, r]) => {
      const [px, py] = place(c, r)
      const z = -(w[0] * px + w[1] * py + bias) / w[2]
      return [x(px), y(py), Math.max(-0.7, Math.min(0.9, height(z)))]
    })
    return { corners, colour: theme.curves[2] }
  }
}

function valueAt({ w, bias }: LiftedPlane, x: number, y: number): number {
  return w[0] * x + w[1] * y + w[2] * (x * x + y * y) + bias
}

/** From paper at height 0 to a colour on either side. */
function shader(paper: string, below: string, above: string): (height: number) => string {
  const [base, ...ends] = [paper, below, above].map(rgb)
  return (height) => {
    const share = Math.min(1, Math.abs(height) / (1.6 * UNIT)) * 0.62
    const end = ends[height > 0 ? 1 : 0]
    const mixed = base.map((value, k) => Math.round(value + share * (end[k] - value)))
    return `rgb(${mixed.join()})`
  }
}
